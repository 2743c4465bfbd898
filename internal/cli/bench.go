package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"strongroom/internal/bench"
	"strongroom/internal/config"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/crypto/verifier"
	"strongroom/internal/fill"
)

type benchCmd struct {
	Run  benchRunCmd  `cmd:"" default:"withargs" help:"Benchmark a server against this machine's limits: a new server on its own database, or the server at --url."`
	Fill benchFillCmd `cmd:"" help:"Create a database of synthetic devices in a new directory for --filled, or add to one that this command created. It changes no other database."`
	Echo benchEchoCmd `cmd:"" hidden:"" help:"Run the echo server that bench compares with."`
}

type benchRunCmd struct {
	Load   []string `sep:"none" placeholder:"LOAD" help:"Load to generate: SCENARIO:CLIENTS (closed loop), or SCENARIO:rate=N[,clients=N] (open loop, N requests per second; rate=10x: ten times the rate of the closed loop). Scenarios: issue, existing, set, verify, wrong, mix, summary, operator (reads of the admin API). Several loads run at the same time. Default: verify:8."`
	Beside []string `sep:"none" placeholder:"LOAD" help:"Background load. The load of --load runs first without it, then with it, and the report compares the p99. Several background loads run at the same time."`
	Rounds int      `default:"1" help:"Repeat all runs N times, interleaved, and report medians."`
	All    bool     `help:"Do the runs for docs/performance.md one after another, with one server for RSA-2048 and one for RSA-3072."`

	Duration time.Duration `default:"10s" help:"Duration of each run."`
	Warmup   time.Duration `default:"2s" help:"Warm-up before each run."`
	Floors   time.Duration `default:"3s" help:"Duration of each measurement of a machine limit. 0: skip them."`
	Idle     time.Duration `default:"0s" help:"Wait this long after the last run, then measure the server's memory."`
	Pool     int           `default:"10000" help:"Number of requests prepared for each scenario. They are sent in turn and reused."`
	Devices  int           `default:"0" help:"Number of devices. Default: 10000 in a new database, 64 enrolled at --url."`

	Filled string    `placeholder:"DIR" help:"Serve the database that bench fill created in this directory, and use all its devices."`
	Work   string    `placeholder:"DIR" help:"Directory of the new server's database, on the disk to measure. Default: the system's temporary directory."`
	URL    string    `name:"url" placeholder:"URL" help:"GraphQL endpoint of a running server. The devices of the run stay in its database."`
	API    bench.API `name:"api" default:"strongroom" enum:"strongroom,baseline" help:"API of the server at --url: strongroom, or baseline (issueKey, setPin, verifyPin)."`
	PID    int       `name:"pid" placeholder:"N" help:"Process id of the server at --url, if it runs on this machine. The report then has its CPU and memory."`

	JSON string `name:"json" placeholder:"FILE" help:"Write all results to this file as JSON."`
	costs
	Serve []string `arg:"" optional:"" name:"flags" help:"Flags for the new server, after --."`
}

// Run measures and reports.
func (c benchRunCmd) Run(ctx context.Context, p *Program) error {
	s, err := p.benchSettings("")
	if err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return ExitError{ExitUsage, err}
	}
	// If the reader of the output exits, as head does, or the terminal closes, this
	// process must stop its server before it ends.
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGPIPE, syscall.SIGHUP)
	defer stop()
	runs, err := c.runs()
	if err != nil {
		return ExitError{ExitUsage, err}
	}
	if err := canWrite(c.JSON); err != nil { // fail now, not after all runs
		return err
	}
	sizes := []int{s.RSABits}
	if c.All && c.URL == "" && c.Filled == "" && p.flags["rsa-bits"]+p.flags["key-algorithms"] == "" {
		sizes = []int{2048, 3072}
	}
	report := bench.NewReport(p.Version)
	for _, bits := range sizes {
		section, err := c.measure(ctx, p, bits, runs)
		if ctx.Err() != nil {
			return errors.New("interrupted: nothing was measured")
		}
		if err != nil {
			return err
		}
		report.Sections = append(report.Sections, section)
	}
	return errors.Join(report.Table(p.Stdout), toFile(c.JSON, report.JSON))
}

// check refuses flags that cannot be combined.
func (c benchRunCmd) check() error {
	switch {
	case len(c.Serve) > 0 && !strings.HasPrefix(c.Serve[0], "-"):
		return fmt.Errorf("unexpected argument %s; put flags for the server after --", c.Serve[0])
	case c.URL != "" && (c.Filled != "" || len(c.Serve) > 0):
		return errors.New("--url measures a running server; --filled and flags after -- are for a server that bench starts")
	case slices.ContainsFunc(c.Serve, isSetByBench):
		return errors.New("bench sets the database, root key and addresses of the server that it starts; remove --database, --data-dir, --root-key, --listen and --admin-listen after --; " +
			"to measure another server, start it and give --url")
	case c.URL == "" && (c.PID != 0 || c.API != bench.Strongroom):
		return errors.New("--pid and --api need --url")
	case c.Filled != "" && c.Devices != 0:
		return errors.New("--devices cannot be combined with --filled, which uses all devices of its database")
	case c.All && len(c.Load)+len(c.Beside) > 0:
		return errors.New("--all has its own loads; remove --load and --beside")
	case c.Duration < time.Second/10 || c.Warmup < 0 || c.Floors < 0 || c.Idle < 0:
		return errors.New("--duration must be at least 100ms, and other durations at least 0")
	case len(c.Beside) > 0 && len(c.Load) > 1:
		return errors.New("--beside needs exactly one --load")
	case c.Rounds < 1 || c.Rounds > 1000:
		return errors.New("--rounds must be 1 to 1000")
	case c.Pool < 1 || c.Pool > 1_000_000 || c.Devices < 0 || c.Devices > 100_000_000:
		return errors.New("--pool must be 1 to 1000000, and --devices 1 to 100000000")
	}
	return nil
}

// isSetByBench reports whether an argument is a flag that bench sets itself. Bench puts its
// own value later on the command line, so the argument would have no effect.
func isSetByBench(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	return slices.Contains([]string{"--database", "--data-dir", "--root-key", "--listen", "--admin-listen"}, name)
}

func (c benchRunCmd) runs() ([]bench.Run, error) {
	if c.All {
		return bench.Standard(c.API), nil
	}
	loads, err := c.loads("--load", c.Load)
	if err != nil {
		return nil, err
	}
	if len(loads) == 0 {
		loads = []bench.Load{{Scenario: bench.Verify, Clients: 8}}
	}
	beside, err := c.loads("--beside", c.Beside)
	if err != nil || len(beside) == 0 {
		return []bench.Run{bench.NewRun(loads...)}, err
	}
	return []bench.Run{bench.NewRun(loads...), bench.NewRun(slices.Concat(loads, beside)...)}, nil
}

func (c benchRunCmd) loads(flag string, texts []string) (loads []bench.Load, err error) {
	for _, text := range texts {
		l, err := bench.ParseLoad(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", flag, err)
		}
		if l.Scenario == bench.Operator && c.URL != "" {
			return nil, fmt.Errorf("%s: the scenario operator needs a server that bench starts, because it needs the admin token; remove --url", flag)
		}
		loads = append(loads, l)
	}
	return loads, nil
}

// measure fills a new database if none is given, and measures one server.
func (c benchRunCmd) measure(ctx context.Context, p *Program, bits int, runs []bench.Run) (_ *bench.Section, err error) {
	work, err := os.MkdirTemp(c.Work, "strongroom-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	p.flags["rsa-bits"] = fmt.Sprint(bits)
	s, err := p.benchSettings(filepath.Join(work, "data"))
	if err != nil {
		return nil, err
	}
	executable, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cfg := bench.Config{Executable: executable, Version: p.Version, Dir: work,
		URL: c.URL, API: c.API, PID: c.PID, Devices: c.Devices, Name: fill.Device, PIN: fill.PIN,
		Cost: bench.Cost{Algorithm: devicekey.Algorithm(s.KeyAlgorithms[0]), Bits: bits, Verifier: VerifierParams(s)},
		Runs: runs, Rounds: c.Rounds, Pool: c.Pool, Warmup: c.Warmup, Duration: c.Duration, Floors: c.Floors, Idle: c.Idle, Progress: p.Stderr,
		ServeArgs: slices.Concat([]string{"--key-algorithms", s.KeyAlgorithms[0], "--rsa-bits", fmt.Sprint(bits), "--verifier", s.Verifier, "--argon2-memory", fmt.Sprint(s.Argon2Memory), "--argon2-time", fmt.Sprint(s.Argon2Time),
			"--pbkdf2-iterations", fmt.Sprint(s.PBKDF2Iterations)}, c.Serve)}
	switch {
	case c.URL != "":
		cfg.Devices = cmp.Or(c.Devices, defaultEnrolled)
	case c.Filled != "":
		cfg.DataDir = c.Filled
		cfg.Devices, err = p.filled(ctx, c.Filled)
	default:
		cfg.DataDir = s.DataDir
		cfg.Devices = cmp.Or(c.Devices, defaultFilled)
		err = p.fill(ctx, s, fill.Amounts{Devices: cfg.Devices})
	}
	if err != nil {
		return nil, err
	}
	return bench.Measure(ctx, cfg)
}

// VerifierParams returns the algorithm and the cost of new verifiers.
func VerifierParams(s *config.Settings) verifier.Params {
	if s.Verifier == verifier.PBKDF2 {
		return verifier.Params{Iterations: uint32(s.PBKDF2Iterations)} //nolint:gosec // bounded by the settings
	}
	return verifier.Params{Memory: uint32(s.Argon2Memory), Time: uint32(s.Argon2Time), Parallelism: 1} //nolint:gosec // bounded by the settings
}

// The number of devices if none is given. Filling is fast, but for each enrolled device
// the server must generate a key pair.
const (
	defaultFilled   = 10_000
	defaultEnrolled = 64
)

// canWrite fails if toFile would. It creates the file, but keeps its content.
func canWrite(name string) error {
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666) //nolint:gosec // like toFile
	if err != nil {
		return err
	}
	return f.Close()
}

// toFile creates the file and writes to it. It does nothing if name is empty.
func toFile(name string, write func(io.Writer) error) (err error) {
	if name == "" {
		return nil
	}
	f, err := os.Create(name) //nolint:gosec // the user's own choice
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return write(f)
}

type benchEchoCmd struct {
	Address string `arg:""`
}

// Run runs the echo server until ctx is done.
func (c benchEchoCmd) Run(ctx context.Context) error { return bench.Echo(ctx, c.Address) }
