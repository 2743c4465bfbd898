package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"strongroom/internal/config"
)

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
