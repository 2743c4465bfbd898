// Package cli is the commands of strongroom: their arguments, and the tables and
// progress that they print. A command parses, asks a use case, and prints.
//
// What the settings name is opened by main, which wires the service for serve
// too: [Program] has it as functions.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strings"

	"github.com/alecthomas/kong"

	"strongroom/internal/config"
	"strongroom/internal/ownfile"
	"strongroom/internal/server"
	"strongroom/internal/service"
)

// Program is what commands work with besides their own arguments.
type Program struct {
	Version, Commit string
	Stdout, Stderr  io.Writer

	// Serve runs the service until ctx is done and the requests under way have
	// ended.
	Serve func(ctx context.Context, s *config.Settings, log *slog.Logger) error
	// CheckServe refuses settings that a start would refuse, though each is good
	// on its own. It returns where traces are sent; empty: nowhere.
	CheckServe func(s *config.Settings) (collector string, err error)
	// OpenVault opens the vault that the settings name. Only with begin may it
	// make a new one.
	OpenVault func(ctx context.Context, s *config.Settings, log *slog.Logger, begin bool) (*Vault, error)
	// OpenSchema opens the database that the settings name. Only with create may
	// it make a new one.
	OpenSchema func(ctx context.Context, s *config.Settings, create bool) (Schema, error)

	flags config.Flags
}

// Exit codes of every command but audit verify, which has its own.
const (
	ExitOK     = 0
	ExitFailed = 1
	ExitUsage  = 2 // a setting must be changed first, and a retry without that fails again. Nothing was done
)

// ExitError is an error with an exit code of its own. Without a cause nothing is
// printed: the command has said what there is to say.
type ExitError struct {
	Code  int
	Cause error
}

func (e ExitError) Error() string { return fmt.Sprint(e.Cause) }

func (e ExitError) Unwrap() error { return e.Cause }

func usageError(text string) error { return ExitError{ExitUsage, errors.New(text)} }

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

// Run runs one command and returns its exit code. When ctx is done, a server
// drains and any other command gives up.
func (p *Program) Run(ctx context.Context, args []string) int {
	p.flags = config.Flags{}
	var cmds commands
	cmds.addSettings()
	helped := false
	k, err := kong.New(&cmds, p.flags,
		kong.Name("strongroom"),
		kong.Description("Strongroom is the credential vault behind a mobile app: device keys, passcodes and transaction PINs."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Writers(p.Stdout, p.Stderr),
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
		return ExitOK
	}
	if err != nil {
		fmt.Fprintf(p.Stderr, "strongroom: %v\nRun \"%s --help\" to see what there is.\n", err, parsedPath(err))
		return ExitUsage
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

func (p *Program) report(err error) int {
	var own ExitError
	var problems config.Problems
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &problems):
		fmt.Fprintf(p.Stderr, "strongroom: the settings cannot be used:\n  %s\n", strings.Join(problems, "\n  "))
	case !errors.As(err, &own) || own.Cause != nil:
		fmt.Fprintf(p.Stderr, "strongroom: %v\n", err)
	}
	return codeOf(err)
}

// codeOf is the exit code of an error.
func codeOf(err error) int {
	var own ExitError
	var problems config.Problems
	var setting *service.SettingError
	switch {
	case errors.As(err, &own):
		return own.Code
	case errors.As(err, &problems), errors.As(err, &setting):
		return ExitUsage
	}
	return ExitFailed
}

// settings are what flags, environment and file come to, for a command that
// only opens the store.
func (p *Program) settings() (*config.Settings, error) {
	s, err := config.LoadStore(p.flags, os.Environ())
	if err == nil {
		ownfile.TrustOwnerOf(s.DataDir) // root looks after the data of another user
	}
	return s, err
}

// logger writes to standard error as the settings say.
func (p *Program) logger(s *config.Settings) *slog.Logger {
	options := &slog.HandlerOptions{Level: s.LogLevel}
	if s.LogFormat == "json" {
		return slog.New(server.LogRequestID(slog.NewJSONHandler(p.Stderr, options)))
	}
	return slog.New(server.LogRequestID(slog.NewTextHandler(p.Stderr, options)))
}

type serveCmd struct {
	kong.Plugins
}

// Run serves until ctx is done.
func (serveCmd) Run(ctx context.Context, p *Program) error {
	s, _, err := config.Load(p.flags, os.Environ())
	if err != nil {
		return err
	}
	log := p.logger(s)
	err = p.Serve(ctx, s, log)
	if err != nil && s.LogFormat == "json" { // for programs that read the log
		log.Error("stopped with an error", "error", err)
		err = ExitError{Code: codeOf(err)}
	}
	return err
}

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run(p *Program) error {
	fmt.Fprintf(p.Stdout, "strongroom %s (commit %s, %s, %s/%s)\n", p.Version, p.Commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
