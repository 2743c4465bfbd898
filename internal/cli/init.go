package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"strongroom/internal/config"
	"strongroom/internal/domain"
)

type initCmd struct {
	kong.Plugins
	File string `arg:"" default:"strongroom.yaml" help:"Settings file to write. It must not exist."`
}

// question is a setting that production must decide.
type question struct {
	setting string
	text    string
	usual   string                             // value without an answer; empty: none
	applies func(given map[string]string) bool // nil: always
	needed  bool                               // an empty answer is not accepted
}

var questions = []question{
	{"accounts", "How does the service identify the account of a request?\n" +
		"  gateway: your backend calls it and names the account\n" +
		"  jwt:     apps call it with tokens of your identity provider\n" +
		"  device:  each device is an account; use it only if a system in front authenticates callers", "", nil, true},
	{"gateway-token-file", "File of the service tokens of your backend", "/etc/strongroom/gateway.token", with("accounts", "gateway"), true},
	{"jwt-issuer", "Issuer: the iss claim of the tokens, a URL", "", with("accounts", "jwt"), true},
	{"jwt-audience", "Audience: what the aud claim contains", "", with("accounts", "jwt"), true},
	{"data-dir", "Data directory", "/var/lib/strongroom", nil, true},
	{"database", "Database: postgres://USER@HOST:PORT/DATABASE?sslmode=verify-full. Empty: one SQLite file in the data directory", "", nil, false},
	{"root-key", "Root key: file:PATH, or a key in an HSM, a key management service or a TPM", "file:/etc/strongroom/root.key", nil, true},
	{"witness", "Witness, which detects an old database: a path, better on another disk, or the URL of a store", "/var/lib/strongroom-witness/witness", nil, true},
	{"tls-cert", "TLS certificate chain (PEM). Empty: a proxy in front terminates TLS", "", nil, false},
	{"tls-key", "TLS private key (PEM)", "", func(given map[string]string) bool { return given["tls-cert"] != "" }, true},
	{"rate-limit-caller", "Rate limit for each caller, as N/DURATION", "10/1m,200/1d", nil, true},
	{"listen", "Address of the API", "127.0.0.1:8080", nil, true},
}

func with(setting, value string) func(map[string]string) bool {
	return func(given map[string]string) bool { return given[setting] == value }
}

// suggested are other settings that production often needs. The file contains them as
// comments.
var suggested = []string{"public-url", "require-scopes", "overwrite-max-auth-age", "rate-limit-address", "admin-listen", "admin-tls",
	"trusted-proxies", "audit-retention", "checkpoint-key", "checkpoint-sink", "checkpoint-interval", "webhook-url", "drain-delay", "log-format"}

// suggestedFor returns those that an account mode can have.
func suggestedFor(accounts domain.Mode) []string {
	return slices.DeleteFunc(slices.Clone(suggested), func(name string) bool {
		return name == "require-scopes" && accounts == domain.ModeDevice || name == "overwrite-max-auth-age" && accounts != domain.ModeJWT
	})
}

// Run asks for the settings that were not given, checks them, writes the file, and
// prints what to do next.
func (c initCmd) Run(ctx context.Context, p *Program) error {
	if _, given := p.flags[config.FileFlag]; given {
		return usageError("init writes a settings file: give its path as the argument, not as --config")
	}
	switch _, err := os.Lstat(c.File); { // before the questions
	case err == nil:
		return c.exists()
	case !errors.Is(err, fs.ErrNotExist):
		return ExitError{ExitUsage, err}
	}
	values := map[string]string{"hardened": "true"}
	maps.Copy(values, p.flags)
	i := interview{p, bufio.NewScanner(p.Stdin), values, map[string]bool{}}
	s, err := i.settings(ctx)
	if err != nil {
		return err
	}
	if err := c.create(header(c.File) + config.Commented(values, suggestedFor(s.Accounts)...)); err != nil {
		return err
	}
	giveToGroupOfDirectory(c.File)
	p.sayNext(c.File, s)
	return nil
}

// create writes the file, unless another process created it during the questions.
func (c initCmd) create(text string) error {
	const mode = 0o640 // the service's group reads it
	f, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return c.exists()
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Chmod(mode))              // the umask may have removed the group's right
	if err = errors.Join(err, f.Close()); err != nil { // a server would start with only a part of the settings
		return errors.Join(err, os.Remove(c.File))
	}
	return nil
}

func (c initCmd) exists() error {
	return usageError(c.File + " exists already: nothing was changed; give another file, or move this one away")
}

// giveToGroupOfDirectory gives a file that root wrote to the group of its directory, so
// that the service can read it. If that fails, the file keeps the group of root.
func giveToGroupOfDirectory(file string) {
	dir, err := os.Stat(filepath.Dir(file))
	if err != nil || os.Geteuid() != 0 {
		return
	}
	if owners, ok := dir.Sys().(*syscall.Stat_t); ok {
		_ = os.Chown(file, -1, int(owners.Gid))
	}
}

func header(file string) string {
	return "# Settings of Strongroom. Check them: strongroom config check --config " + file + "\n\n"
}

// interview asks for settings in a terminal. Without a terminal it takes the usual values.
type interview struct {
	*Program
	lines  *bufio.Scanner
	values map[string]string // of flags and answers
	asked  map[string]bool
}

// settings asks until the settings are valid together.
func (i interview) settings(ctx context.Context) (*config.Settings, error) {
	for {
		for _, q := range questions {
			if _, given := i.values[q.setting]; given || i.asked[q.setting] || q.applies != nil && !q.applies(i.values) {
				continue
			}
			text, err := i.ask(ctx, q)
			if err != nil {
				return nil, err
			}
			i.asked[q.setting] = true
			if text != "" {
				i.values[q.setting] = text
			}
		}
		config.MakeAbsolute(i.values)
		s, _, err := config.Load(i.values, nil)
		if err == nil {
			_, err = i.CheckServe(s)
		}
		if err == nil || !i.forget(err) {
			return s, err
		}
	}
}

func (i interview) ask(ctx context.Context, q question) (string, error) {
	if !i.Terminal {
		if q.needed && q.usual == "" {
			return "", usageError("give --" + q.setting + ", or answer in a terminal")
		}
		return q.usual, nil
	}
	for {
		fmt.Fprintf(i.Stdout, "%s\n--%s", q.text, q.setting)
		if q.usual != "" {
			fmt.Fprintf(i.Stdout, " [%s]", q.usual)
		}
		fmt.Fprint(i.Stdout, ": ")
		if !i.scan(ctx) {
			if ctx.Err() != nil {
				return "", errors.New("interrupted: nothing was written")
			}
			return "", cmp.Or(i.lines.Err(), errors.New("the input ended before the last answer: nothing was written"))
		}
		text := cmp.Or(strings.TrimSpace(i.lines.Text()), q.usual)
		fmt.Fprintln(i.Stdout)
		if text == "" && !q.needed {
			return "", nil
		}
		err := config.Check(q.setting, text)
		if err == nil && text != "" {
			return text, nil
		}
		if text != "" {
			fmt.Fprintf(i.Stdout, "It %v.\n", err)
		}
	}
}

// scan reads the next line, or returns false when ctx is done. It does not wait for the
// read then, because a read from a terminal cannot be interrupted.
func (i interview) scan(ctx context.Context) bool {
	read := make(chan bool, 1)
	go func() { read <- i.lines.Scan() }()
	select {
	case ok := <-read:
		return ok
	case <-ctx.Done():
		return false
	}
}

// forget removes the answers that err is about, so that they are asked for again. It
// reports whether there are any.
func (i interview) forget(err error) (found bool) {
	var problems config.Problems
	if !i.Terminal || !errors.As(err, &problems) {
		return false
	}
	for _, problem := range problems {
		name, _, _ := strings.Cut(problem, ":")
		name, _, _ = strings.Cut(name, " (") // such as "database (flag)": the answers are checked as flags
		if i.asked[name] {
			delete(i.values, name)
			delete(i.asked, name)
			found = true
			fmt.Fprintf(i.Stdout, "%s.\n\n", problem)
		}
	}
	return found
}

// sayNext prints the steps from the settings file to the first verified PIN.
func (p *Program) sayNext(file string, s *config.Settings) {
	fmt.Fprintf(p.Stdout, "Wrote %s.\n\nNext:\n", file)
	step := 0
	say := func(text string) { step++; fmt.Fprintf(p.Stdout, "%3d. %s\n", step, text) }
	for _, key := range s.RootKeys {
		path, isFile := strings.CutPrefix(key, "file:")
		if _, err := os.Lstat(path); isFile && errors.Is(err, fs.ErrNotExist) {
			say("strongroom root-key create " + shellWord(path) + "\n     Let only the service read it, and keep a copy offline: docs/how-to/lost-root-key.md")
		}
	}
	if path, own := s.WitnessPath(); path != "" && !own {
		if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
			say("Create the directory " + filepath.Dir(path) + " for the witness, and let only the service write to it: docs/how-to/witness.md")
		}
	}
	if s.GatewayTokenFile != "" {
		say("Put a service token for your backend into " + s.GatewayTokenFile + ": docs/callers.md#a-backend-in-front-gateway")
	}
	say("strongroom config check --config " + file)
	say("strongroom serve --config " + file + "\n     Run it as the user of the service, or start its unit: docs/how-to/install.md#the-systemd-unit")
	say("Set and verify a first PIN: " + firstPIN[s.Accounts])
	say("strongroom doctor --config " + file + " says what is still missing, such as a backup")
}

// firstPIN is the page that shows a first session, by account mode.
var firstPIN = map[domain.Mode]string{
	domain.ModeDevice: "README.md#one-session", domain.ModeJWT: "docs/callers.md#tokens-jwt", domain.ModeGateway: "docs/callers.md#a-backend-in-front-gateway",
}
