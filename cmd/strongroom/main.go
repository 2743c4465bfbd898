// Command strongroom is the credential vault: the server, and the commands
// that look after its store. It parses, wires and waits; what it serves is
// decided in the packages below internal.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"strongroom/internal/config"
	"strongroom/internal/ownfile"
	"strongroom/internal/server"
	"strongroom/internal/service"
)

// Exit codes of every command but audit verify, which has its own.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2 // a setting must be changed first, and a retry without that fails again. Nothing was done
)

func main() {
	debug.SetTraceback("single") // a crash prints one goroutine, not all that hold secrets
	for _, err := range hardenProcess() {
		slog.Warn("process not hardened", "error", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
	go func() {
		<-signals
		cancel()
		<-signals
		os.Exit(exitFailed)
	}()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

type commands struct {
	Serve   serveCmd   `cmd:"" help:"Run the service. It needs no settings; a first SIGTERM drains it, a second stops it."`
	Config  configCmd  `cmd:"" help:"Look at the settings."`
	Policy  policyCmd  `cmd:"" help:"Look at what the credential policy is worth."`
	Migrate migrateCmd `cmd:"" help:"Bring the database up to this version, as serve does when it starts."`
	Copy    copyCmd    `cmd:"" help:"Copy a SQLite database into PostgreSQL, compare the two, and go on where an earlier run was interrupted."`
	Audit   auditCmd   `cmd:"" help:"Check the audit trail, make evidence of it, export it."`
	Admin   adminCmd   `cmd:"" help:"Look at devices, accounts, locks and the audit trail, and act on them: on the store, also beside a running server, or with --server through its admin API."`
	RootKey rootKeyCmd `cmd:"" name:"root-key" help:"Look after the root key."`
	Bench   benchCmd   `cmd:"" help:"Measure a server, beside what the machine could do at best."`
	Version versionCmd `cmd:"" help:"Print the version."`
}

// process is what a command works with besides its own arguments.
type process struct {
	flags          config.Flags
	stdout, stderr io.Writer
}

// exit is an error with an exit code of its own. Without a cause nothing is
// printed: the command has said what there is to say.
type exit struct {
	code  int
	cause error
}

func (e exit) Error() string { return fmt.Sprint(e.cause) }

func (e exit) Unwrap() error { return e.cause }

// run runs one command and returns its exit code. When ctx is done, a server
// drains and any other command gives up.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	p := &process{config.Flags{}, stdout, stderr}
	var cmds commands
	cmds.addSettings()
	helped := false
	k, err := kong.New(&cmds, p.flags,
		kong.Name("strongroom"),
		kong.Description("Strongroom is the credential vault behind a mobile app: device keys, passcodes and transaction PINs."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { helped = true }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(p))
	if err != nil {
		panic(err) // the commands' own tags are wrong, whatever the arguments
	}
	if len(args) == 1 && args[0] == "--version" {
		args = []string{"version"}
	}
	command, err := k.Parse(args)
	if helped {
		return exitOK
	}
	if err != nil {
		fmt.Fprintf(stderr, "strongroom: %v\nRun \"%s --help\" to see what there is.\n", err, parsedPath(err))
		return exitUsage
	}
	return p.report(command.Run())
}

// parsedPath is the command that the arguments got to before they went wrong.
func parsedPath(err error) string {
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context.Selected() != nil {
		return parse.Context.Selected().FullPath()
	}
	return "strongroom"
}

func (p *process) report(err error) int {
	var own exit
	var problems config.Problems
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &problems):
		fmt.Fprintf(p.stderr, "strongroom: the settings cannot be used:\n  %s\n", strings.Join(problems, "\n  "))
	case !errors.As(err, &own) || own.cause != nil:
		fmt.Fprintf(p.stderr, "strongroom: %v\n", err)
	}
	return codeOf(err)
}

// codeOf is the exit code of an error.
func codeOf(err error) int {
	var own exit
	var problems config.Problems
	var setting *service.SettingError
	switch {
	case errors.As(err, &own):
		return own.code
	case errors.As(err, &problems), errors.As(err, &setting):
		return exitUsage
	}
	return exitFailed
}

// settings are what flags, environment and file come to, for a command that
// only opens the store.
func (p *process) settings() (*config.Settings, error) {
	s, err := config.LoadStore(p.flags, os.Environ())
	if err == nil {
		ownfile.TrustOwnerOf(s.DataDir) // root looks after the data of another user
	}
	return s, err
}

// logger writes to standard error as the settings say.
func (p *process) logger(s *config.Settings) *slog.Logger {
	options := &slog.HandlerOptions{Level: s.LogLevel}
	if s.LogFormat == "json" {
		return slog.New(server.LogRequestID(slog.NewJSONHandler(p.stderr, options)))
	}
	return slog.New(server.LogRequestID(slog.NewTextHandler(p.stderr, options)))
}

// addSettings gives each command the settings that it takes as flags.
func (c *commands) addSettings() {
	c.Serve.Plugins = config.ServeFlags()
	c.Config.Check.Plugins = config.ServeFlags()
	c.Policy.Odds.Plugins = config.ServeFlags()
	c.Migrate.Plugins = config.StoreFlags()
	c.Copy.Plugins = config.StoreFlags()
	c.Audit.Verify.Plugins = config.StoreFlags()
	c.Audit.Checkpoint.Plugins = config.StoreFlags()
	c.Audit.Export.Plugins = config.StoreFlags()
	c.Audit.Prune.Plugins = config.StoreFlags()
	c.Admin.addSettings()
}
