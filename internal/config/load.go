package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"strongroom/internal/ownfile"
)

// Origin is where the value of a setting came from.
type Origin string

// The origins, weakest first.
const (
	FromDefault     Origin = "default"
	FromHardened    Origin = "hardened" // the default that --hardened puts in its place
	FromFIPS        Origin = "fips"     // the default in FIPS mode
	FromFile        Origin = "file"
	FromEnvironment Origin = "environment"
	FromFlag        Origin = "flag"
)

// Effective is one setting as it applies.
type Effective struct {
	Name   string
	Value  string // in the form that the flag takes
	Origin Origin
}

// Problems is everything that is wrong with the settings, one message each.
type Problems []string

func (p Problems) Error() string { return strings.Join(p, "\n") }

// wrong adds a problem if there is one.
func (p *Problems) wrong(is bool, problem string) {
	if is {
		*p = append(*p, problem)
	}
}

func (p *Problems) need(ok bool, problem string) { p.wrong(!ok, problem) }

// FileFlag is the name of the flag (and, by the same rule as all others, of
// the environment variable) that names the settings file.
const FileFlag = "config"

// AdminTokenVariable is the environment variable with the token of commands
// that ask a server's admin API. It is no setting.
const AdminTokenVariable = envPrefix + "ADMIN_TOKEN"

// maxFile bounds the settings file, in bytes. The YAML parser takes quadratic
// time over brackets that nest; this keeps it at a second.
const maxFile = 16 << 10

// Load merges the flags, the environment and the settings file that either of
// them names; the first that has a setting wins. flags holds the text of each
// flag that was given, by its name; environ is in the form of [os.Environ].
// The list holds every setting, in the order of [Settings].
//
// A name that is unknown, or a value that is not allowed, in any source and
// even where a stronger one hides it, is an error of type [Problems]. So are
// settings that contradict each other, and with --hardened one that must be
// given and is not.
func Load(flags map[string]string, environ []string) (*Settings, []Effective, error) {
	return load(flags, environ, func(s *Settings, list []Effective) Problems {
		return append(s.check(), s.unsaid(list)...)
	})
}

// LoadStore is [Load] for a command that only opens the store. It does
// not check how settings fit together: a server may get some of them, such as
// --accounts, by its own flags, and that must not stop an operator who has to
// unlock or audit.
func LoadStore(flags map[string]string, environ []string) (*Settings, error) {
	s, _, err := load(flags, environ, func(s *Settings, _ []Effective) Problems { return s.checkStore() })
	return s, err
}

func load(flags map[string]string, environ []string, check func(*Settings, []Effective) Problems) (*Settings, []Effective, error) {
	fromEnv, named := environment(environ)
	path, given := flags[FileFlag]
	if !given {
		path, given = fromEnv[FileFlag]
	}
	var file map[string]string
	var problems Problems
	if given {
		data, err := readFile(path)
		if err != nil {
			return nil, nil, Problems{err.Error()}
		}
		file, problems = parseFile(data)
	}
	s, list, more := merge(source{FromFlag, flags}, source{FromEnvironment, fromEnv}, source{FromFile, file})
	if len(more) == 0 {
		more = check(s, list)
	}
	problems = append(problems, more...)
	problems = append(problems, unknownVariables(named, append(s.RootKeys.Rests("env"), s.CheckpointKey.Env, s.WebhookSecret.Env, s.WitnessSecret.Env, s.AdminOIDCClientSecret.Env)...)...)
	if len(problems) > 0 {
		return nil, nil, problems
	}
	return s, list, nil
}

type source struct {
	Origin
	values map[string]string
}

// merge parses every value of every source, given strongest first, and keeps
// the strongest of each setting.
func merge(sources ...source) (*Settings, []Effective, Problems) {
	s := new(Settings)
	var list []Effective
	var problems Problems
	hardened := isHardened(sources)
	for _, one := range settings {
		e := Effective{one.name, defaultOf(one, s.DataDir), FromDefault}
		if text := one.Get("hardened"); hardened && text != "" && text != ask {
			e.Value, e.Origin = text, FromHardened
		}
		if text := one.Get("fips"); FIPS() && text != "" {
			e.Value, e.Origin = text, FromFIPS
		}
		for _, from := range slices.Backward(sources) {
			text, given := from.values[one.name]
			if !given {
				continue
			}
			e.Value, e.Origin = text, from.Origin
			err := one.set(new(Settings), text)
			if err == nil && from.Origin == FromFlag && one.secret(text) {
				err = errors.New(noPasswordInFlags(one.name))
			}
			if err != nil {
				problems = append(problems, fmt.Sprintf("%s (%s): %v", one.name, from.Origin, err))
			}
		}
		_ = one.set(s, e.Value) // a bad value is among the problems already
		if one.secret(e.Value) {
			e.Value = "(URL with a password)"
		}
		list = append(list, e)
	}
	return s, list, problems
}

func noPasswordInFlags(setting string) string {
	remedy := "give the setting in the environment or the settings file"
	if setting == "database" {
		remedy = "put it into a passfile, or " + remedy
	}
	return "must not contain a password: every user of this machine can read the flags of a process; " + remedy
}

// isHardened reports whether the strongest source that has --hardened turns it
// on. It must be known before the first default is.
func isHardened(sources []source) bool {
	for _, from := range sources {
		if text, given := from.values[hardenedName]; given {
			return text == "true"
		}
	}
	return false
}

// unsaid finds what --hardened wants to be told and was not. The default would
// do something that is wrong in production more often than not.
func (s *Settings) unsaid(list []Effective) Problems {
	var problems Problems
	for i, one := range settings {
		if s.Hardened && one.Get("hardened") == ask && list[i].Origin == FromDefault {
			problems = append(problems, one.name+": must be set explicitly with --hardened: "+one.Get("why"))
		}
	}
	return problems
}

func defaultOf(s setting, dataDir string) string {
	return strings.ReplaceAll(s.Get("std"), "DATA-DIR", filepath.Clean(dataDir))
}

// environment splits off the variables that begin with our prefix: by the name
// of the setting they would be, and the list of their own names.
func environment(environ []string) (values map[string]string, names []string) {
	values = map[string]string{}
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		if rest, ours := strings.CutPrefix(name, envPrefix); ours && !setByKubernetes.MatchString(rest) {
			values[strings.ToLower(strings.ReplaceAll(rest, "_", "-"))] = value
			names = append(names, name)
		}
	}
	return values, names
}

// Kubernetes gives every container the addresses of the services around it. A
// service named strongroom, the obvious name, makes variables with our prefix.
var setByKubernetes = regexp.MustCompile(`^(SERVICE_HOST|SERVICE_PORT|PORT)(_|$)`)

// unknownVariables finds names that no setting has. The variables in which keys
// are found may have any name.
func unknownVariables(names []string, keys ...string) Problems {
	known := append(keys, env(FileFlag), AdminTokenVariable)
	for _, s := range settings {
		known = append(known, env(s.name))
	}
	var problems Problems
	for _, name := range names {
		if !slices.Contains(known, name) {
			problems = append(problems, fmt.Sprintf("%s (environment): no such setting; %s", printable(name), allowedNames(env)))
		}
	}
	return problems
}

func allowedNames(form func(string) string) string {
	names := make([]string, len(settings))
	for i, s := range settings {
		names[i] = form(s.name)
	}
	return "allowed are " + strings.Join(names, ", ")
}

// readFile reads the settings file. Its errors name the path: the operator
// gave it, and only the operator reads them.
func readFile(path string) ([]byte, error) {
	f, _, err := ownfile.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", FileFlag, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", FileFlag, err)
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s: the file is over %d bytes", FileFlag, maxFile)
	}
	return data, nil
}

// parseFile reads one YAML document: a mapping from setting names to scalars
// or lists of scalars. It returns the text of each, as a flag would have it,
// and what is wrong with the rest. It reads the syntax tree, so that numbers
// keep their spelling and an alias is refused instead of expanded.
func parseFile(data []byte) (map[string]string, Problems) {
	mapping, err := parseMapping(data)
	if err != nil {
		return nil, Problems{FileFlag + " (file): " + err.Error()}
	}
	values := map[string]string{}
	var problems Problems
	for mapping != nil && mapping.Next() {
		token := mapping.Key().GetToken()
		key := token.Value
		if _, isText := mapping.Key().(*ast.StringNode); !isText || !isSetting(key) {
			problems = append(problems, fmt.Sprintf("%s (file, line %d): no such setting; %s",
				printable(key), token.Position.Line, allowedNames(func(s string) string { return s })))
			continue
		}
		text, ok := scalars(mapping.Value())
		if !ok {
			problems = append(problems, key+" (file): must be one value or a list of values")
			continue
		}
		values[key] = text
	}
	return values, problems
}

func isSetting(name string) bool {
	return slices.ContainsFunc(settings, func(s setting) bool { return s.name == name })
}

// parseMapping finds the mapping of the file's one document; nil when empty.
func parseMapping(data []byte) (*ast.MapNodeIter, error) {
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, plain(err)
	}
	var body ast.Node
	for _, doc := range file.Docs {
		if doc.Body != nil && body != nil {
			return nil, errors.New("must be one YAML document")
		}
		body = cmp.Or(body, doc.Body)
	}
	switch body := body.(type) {
	case nil:
		return nil, nil
	case ast.MapNode:
		return body.MapRange(), nil
	}
	return nil, errors.New("must be a mapping of settings to values")
}

// plain cuts a YAML error down to its position and reason; its long form would
// print the lines around it.
func plain(err error) error {
	var y yaml.Error
	if errors.As(err, &y) && y.GetToken() != nil && y.GetToken().Position != nil {
		return fmt.Errorf("line %d: not YAML: %s", y.GetToken().Position.Line, y.GetMessage())
	}
	return errors.New("not YAML")
}

// scalars is the text of one value, or of a list of them joined by commas.
func scalars(node ast.Node) (string, bool) {
	list, isList := node.(*ast.SequenceNode)
	if !isList {
		return scalar(node)
	}
	var items []string
	for _, item := range list.Values {
		text, ok := scalar(item)
		if !ok {
			return "", false
		}
		items = append(items, text)
	}
	return strings.Join(items, ","), true
}

func scalar(node ast.Node) (string, bool) {
	switch node := node.(type) {
	case *ast.StringNode:
		return node.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return node.GetToken().Value, true
	}
	return "", false
}

// printable makes a name that may hold anything fit for one line of a message.
func printable(name string) string {
	const most = 64
	if len(name) > most {
		name = name[:most] + "…"
	}
	return strings.Trim(strconv.Quote(name), `"`)
}
