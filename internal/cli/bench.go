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
	"strongroom/internal/crypto/verifier"
	"strongroom/internal/service"
)

type benchCmd struct {
	Run  benchRunCmd  `cmd:"" default:"withargs" help:"Measure a server beside what the machine could do at best: one that this starts on records of its own, or one at --url."`
	Fill benchFillCmd `cmd:"" help:"Make a database of synthetic devices in a new directory, or add to one made so, for --filled. It never touches any other."`
	Echo benchEchoCmd `cmd:"" hidden:"" help:"Serve the echo that bench compares with."`
}

type benchRunCmd struct {
	Load   []string `sep:"none" placeholder:"LOAD" help:"What to do: SCENARIO:CLIENTS (closed loop), or SCENARIO:rate=N[,clients=N] (open loop, N requests a second; rate=10x: ten times what the closed loop reached). Scenarios: issue, existing, set, verify, wrong, mix, summary, operator (the reads of the admin API). Given several times, all at once (default verify:8)."`
	Beside []string `sep:"none" placeholder:"LOAD" help:"A load to put beside the one of --load, which runs without it first, then with it: the report has how many times its p99 that makes. Given several times, all at once."`
	Rounds int      `default:"1" help:"Do all runs so often, in turns, and report the medians."`
	All    bool     `help:"Do the runs behind docs/performance.md, one after another; on a server of its own for RSA-2048 and RSA-3072."`

	Duration time.Duration `default:"10s" help:"Of each run."`
	Warmup   time.Duration `default:"2s" help:"Before each run."`
	Floors   time.Duration `default:"3s" help:"Of each floor; 0: take none."`
	Idle     time.Duration `default:"0s" help:"Wait so long after the last run, then look at the server's memory."`
	Pool     int           `default:"10000" help:"Requests made ahead for each scenario. They are used in turn, then again."`
	Devices  int           `default:"0" help:"How many there are: filled in (default 10000), or for --url enrolled (default 64)."`

	Filled string    `placeholder:"DIR" help:"Serve what bench fill made there, drawing devices from all of it."`
	Work   string    `placeholder:"DIR" help:"Where the server's own records go, on the disk to be measured (default: the system's temporary directory)."`
	URL    string    `name:"url" placeholder:"URL" help:"GraphQL endpoint of a server that runs already. The run leaves devices behind in it."`
	API    bench.API `name:"api" default:"strongroom" enum:"strongroom,baseline" help:"What the server at --url speaks: strongroom, or baseline (issueKey, setPin, verifyPin)."`
	PID    int       `name:"pid" placeholder:"N" help:"The process of --url, if it is on this machine: to say what CPU and memory it takes."`

	JSON string `name:"json" placeholder:"FILE" help:"Write everything that was measured as JSON."`
	costs
	Serve []string `arg:"" optional:"" name:"flags" help:"After --: further flags for the server of its own."`
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
	// A reader that goes away, as head does, or a terminal that closes must not
	// end this process before it has stopped its server.
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGPIPE, syscall.SIGHUP)
	defer stop()
	runs, err := c.runs()
	if err != nil {
		return ExitError{ExitUsage, err}
	}
	if err := toFile(c.JSON, func(io.Writer) error { return nil }); err != nil { // now, rather than after ten minutes
		return err
	}
	sizes := []int{s.RSABits}
	if c.All && c.URL == "" && c.Filled == "" && p.flags["rsa-bits"] == "" {
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

// check refuses what does not go together.
func (c benchRunCmd) check() error {
	switch {
	case len(c.Serve) > 0 && !strings.HasPrefix(c.Serve[0], "-"):
		return fmt.Errorf("unexpected argument %s; flags for the server stand behind --", c.Serve[0])
	case c.URL != "" && (c.Filled != "" || len(c.Serve) > 0):
		return errors.New("--url measures a server that runs already: --filled and flags behind -- are for one that is started here")
	case c.URL == "" && (c.PID != 0 || c.API != bench.Strongroom):
		return errors.New("--pid and --api are about the server at --url")
	case c.Filled != "" && c.Devices != 0:
		return errors.New("--filled has as many devices as it has: leave out --devices")
	case c.All && len(c.Load)+len(c.Beside) > 0:
		return errors.New("--all has its own loads: leave out --load and --beside")
	case c.Duration < time.Second/10 || c.Warmup < 0 || c.Floors < 0 || c.Idle < 0:
		return errors.New("--duration must be at least 100ms, and no time less than 0")
	case len(c.Beside) > 0 && len(c.Load) > 1:
		return errors.New("--beside is beside one --load")
	case c.Rounds < 1 || c.Rounds > 1000:
		return errors.New("--rounds must be 1 to 1000")
	case c.Pool < 1 || c.Pool > 1_000_000 || c.Devices < 0 || c.Devices > 100_000_000:
		return errors.New("--pool must be 1 to 1000000, and --devices 1 to 100000000")
	}
	return nil
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
			return nil, fmt.Errorf("%s: operator needs a server of its own, whose admin API and token bench knows: leave out --url", flag)
		}
		loads = append(loads, l)
	}
	return loads, nil
}

// measure makes the records if there are none, and a server's worth of
// figures.
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
		URL: c.URL, API: c.API, PID: c.PID, Devices: c.Devices, Name: service.FilledDevice, PIN: service.FilledPIN,
		Cost: bench.Cost{Bits: bits, Argon2id: verifier.Params{Memory: uint32(s.Argon2Memory), Time: uint32(s.Argon2Time), Parallelism: 1}}, //nolint:gosec // bounded by the settings
		Runs: runs, Rounds: c.Rounds, Pool: c.Pool, Warmup: c.Warmup, Duration: c.Duration, Floors: c.Floors, Idle: c.Idle, Progress: p.Stderr,
		ServeArgs: slices.Concat([]string{"--rsa-bits", fmt.Sprint(bits), "--argon2-memory", fmt.Sprint(s.Argon2Memory), "--argon2-time", fmt.Sprint(s.Argon2Time)}, c.Serve)}
	switch {
	case c.URL != "":
		cfg.Devices = cmp.Or(c.Devices, defaultEnrolled)
	case c.Filled != "":
		cfg.DataDir = c.Filled
		cfg.Devices, err = p.filled(ctx, c.Filled)
	default:
		cfg.DataDir = s.DataDir
		cfg.Devices = cmp.Or(c.Devices, defaultFilled)
		err = p.fill(ctx, s, service.Filling{Devices: cfg.Devices})
	}
	if err != nil {
		return nil, err
	}
	return bench.Measure(ctx, cfg)
}

// Devices where their number is not given. Filling is quick, but to enrol one
// makes a server generate a key pair.
const (
	defaultFilled   = 10_000
	defaultEnrolled = 64
)

// toFile writes to the file of this name, if it has one.
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

// Run echoes until it is stopped.
func (c benchEchoCmd) Run(ctx context.Context) error { return bench.Echo(ctx, c.Address) }
