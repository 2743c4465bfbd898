package cli

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"strongroom/internal/config"
	"strongroom/internal/table"
)

type commands struct {
	Serve      serveCmd       `cmd:"" help:"Run the service. All settings have defaults. The first SIGTERM drains it, the second stops it immediately."`
	Config     configCmd      `cmd:"" help:"Check the settings."`
	Policy     policyCmd      `cmd:"" help:"Estimate how well the policy resists guessing."`
	Migrate    migrateCmd     `cmd:"" help:"Migrate the database to this version. serve also does this when it starts."`
	Backup     backupCmd      `cmd:"" help:"Back up the database, also while a server runs on it, and check a backup."`
	Restore    restoreCmd     `cmd:"" help:"Restore a backup into an empty data directory or PostgreSQL database."`
	Copy       copyCmd        `cmd:"" help:"Copy a SQLite database into PostgreSQL and compare the two. Run it again to resume an interrupted copy."`
	Audit      auditCmd       `cmd:"" help:"Verify, export, prune and sign the audit trail."`
	Admin      adminCmd       `cmd:"" help:"Show and change devices, accounts and locks, and search the audit trail. Works on the database, also while a server runs on it, or with --server through the admin API."`
	Account    movesCmd       `cmd:"" help:"Move an account to another database with another root key. Works on the database, also while a server runs on it."`
	RootKey    rootKeyCmd     `cmd:"" name:"root-key" help:"Create root keys, and list, add, remove and rotate those that wrap the database. Works on the database, also while a server runs on it."`
	DataKey    dataKeyCmd     `cmd:"" name:"data-key" help:"Rotate the data keys, under which everything in the database is sealed. Works on the database, also while a server runs on it."`
	SigningKey signingKeyCmd  `cmd:"" name:"signing-key" help:"List, rotate and export the keys with which the service signs. Works on the database, also while a server runs on it."`
	Init       initCmd        `cmd:"" help:"Write a commented settings file for production. Asks for accounts, root key, database and TLS, or takes them as flags, and checks them."`
	Doctor     doctorCmd      `cmd:"" help:"Check running servers, their database, clocks, certificates, root keys, checkpoints, backups and versions, and say what to do about each finding. Exit code 1 if a finding is a warning or bad."`
	Health     healthcheckCmd `cmd:"" name:"healthcheck" help:"Ask the API of the server with these settings on this machine whether it is ready (GET /readyz). Exit code 0 if it is, otherwise 1. Needs no token and no shell: for containers."`
	Docs       docsCmd        `cmd:"" help:"Write the documentation as a web site of static files."`
	Completion completionCmd  `cmd:"" help:"Print a shell script that completes commands and flags."`
	Man        manCmd         `cmd:"" help:"Write a man page for each command."`
	Bench      benchCmd       `cmd:"" help:"Benchmark a server against this machine's limits."`
	Version    versionCmd     `cmd:"" help:"Print the version."`
}

// newCommands returns the commands for these arguments. Settings of commands that the
// arguments do not name are left out: to build the flags of all takes half of a start.
func newCommands(args []string) *commands {
	c := new(commands)
	c.addSettings()
	if len(args) > 0 && !slices.Contains([]string{"man", "completion"}, args[0]) { // those print all of them
		keepOnly(reflect.ValueOf(c).Elem(), args)
	}
	return c
}

// keepOnly clears the commands in group beside the one that words name, and those
// within that one. It clears none if words name none.
func keepOnly(group reflect.Value, words []string) {
	if len(words) == 0 {
		return
	}
	var named reflect.Value
	var others []reflect.Value
	for field, value := range group.Fields() {
		name, given := field.Tag.Lookup("name")
		switch _, command := field.Tag.Lookup("cmd"); {
		case !command:
		case name == words[0], !given && strings.ToLower(field.Name) == words[0]:
			named = value
		default:
			others = append(others, value)
		}
	}
	if named.IsValid() {
		for _, other := range others {
			other.SetZero()
		}
		keepOnly(named, words[1:])
	}
}

// addSettings gives each command its settings as flags. Commands that are not named here
// get those of the store.
func (c *commands) addSettings() {
	c.Serve.Plugins = config.ServeFlags()
	c.Init.Plugins = config.ServeFlags()
	c.Doctor.Plugins = config.AdminTokenFlags()
	c.Health.Plugins = config.ServeFlags()
	c.Config.Check.Plugins = config.ServeFlags()
	c.Policy.Odds.Plugins = config.ServeFlags()
	c.Admin.Token.Rotate.Plugins = config.AdminTokenFlags()
	c.Admin.Token.Retire.Plugins = config.AdminTokenFlags()
	addStoreSettings(reflect.ValueOf(c).Elem())
}

// addStoreSettings sets the Plugins in v that are not set.
func addStoreSettings(v reflect.Value) {
	switch {
	case v.Type() == reflect.TypeFor[kong.Plugins]() && v.IsNil():
		v.Set(reflect.ValueOf(config.StoreFlags()))
	case v.Kind() == reflect.Struct:
		for _, field := range v.Fields() {
			addStoreSettings(field)
		}
	}
}

// Run runs one command and returns its exit code. When ctx is done, a server
// drains and any other command gives up.
func (p *Program) Run(ctx context.Context, args []string) int {
	p.flags = config.Flags{}
	stdout := &output{Writer: p.Stdout}
	p.Stdout = stdout
	defer func() { p.Stdout = stdout.Writer }()
	helped := false
	percent := debug.SetGCPercent(400) // collections would take a fifth of the start
	k, err := kong.New(newCommands(args), p.flags,
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
	debug.SetGCPercent(percent)
	if helped {
		return ExitOK
	}
	if err != nil {
		fmt.Fprintf(p.Stderr, "strongroom: %v%s\nRun \"%s --help\" for usage.\n", err, switchHint(err), parsedPath(err))
		return ExitUsage
	}
	if err = command.Run(); err == nil {
		err = stdout.complete(command.Command())
	}
	// The server runs here, and not in command.Run, so that the commands do not stay in
	// memory. Otherwise each garbage collection would scan 2 MiB more.
	if err == nil && p.serving {
		err = p.serve(ctx)
	}
	return p.report(err)
}

// switchHint explains how to give a flag the value true or false. Without =, the value is
// taken as an argument of the command.
func switchHint(err error) string {
	switch strings.TrimPrefix(err.Error(), "unexpected argument ") {
	case "true", "false", "yes", "no", "on", "off":
		return "; write true or false after = in one argument, such as --helper=false"
	}
	return ""
}

// parsedPath returns the command that was recognized before the error.
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
		fmt.Fprintf(p.Stderr, "strongroom: invalid settings:\n  %s\n", strings.Join(problems, "\n  "))
	case !errors.As(err, &own) || own.Cause != nil:
		text := table.Lines(err.Error()) // it can contain text from a database that someone edited
		if errors.Is(err, context.Canceled) {
			text = strings.ReplaceAll(text, context.Canceled.Error(), "interrupted")
		}
		fmt.Fprintf(p.Stderr, "strongroom: %s\n", text)
	}
	return codeOf(err)
}
