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

	"github.com/agnivade/levenshtein"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"strongroom/internal/ownfile"
)

// Origin is where the value of a setting came from.
type Origin string

// The origins, lowest precedence first.
const (
	FromDefault     Origin = "default"
	FromHardened    Origin = "hardened" // the default with --hardened
	FromFIPS        Origin = "fips"     // the default in FIPS mode
	FromFile        Origin = "file"
	FromEnvironment Origin = "environment"
	FromFlag        Origin = "flag"
)

// Effective is the effective value of one setting.
type Effective struct {
	Name   string
	Value  string // in the form that the flag takes
	Origin Origin
}

// Problems is everything that is wrong with the settings, one message each.
type Problems []string

func (p Problems) Error() string { return strings.Join(p, "\n") }

// wrong adds the problem if is is true.
func (p *Problems) wrong(is bool, problem string) {
	if is {
		*p = append(*p, problem)
	}
}

func (p *Problems) need(ok bool, problem string) { p.wrong(!ok, problem) }

// FileFlag is the flag that names the settings file. Its environment variable is named
// like those of the settings.
const FileFlag = "config"

// AdminTokenVariable is the environment variable with the token of commands that use
// a server's admin API. It is not a setting.
const AdminTokenVariable = envPrefix + "ADMIN_TOKEN"

// modulesVariable is the environment variable with the names of the variables that the
// helper for HSMs passes to their modules (pkcs11.EnvironmentVariable).
const modulesVariable = envPrefix + "PKCS11_ENV"

// maxFile bounds the settings file, in bytes. The YAML parser takes quadratic time
// for nested brackets. The limit keeps that at about 1 s.
const maxFile = 16 << 10

// Load merges the flags, the environment and the settings file that either of
// them names. If several sources have a setting, flags win over the environment, and
// the environment over the file. flags holds the text of each flag that was given, by
// name. environ is in the form of [os.Environ]. The list holds every setting, in the
// order of [Settings].
//
// Load returns an error of type [Problems] if any source has an unknown name or an
// invalid value, even if another source overrides it. It does the same if settings
// contradict each other, and with --hardened if a setting is missing that must be given.
func Load(flags map[string]string, environ []string) (*Settings, []Effective, error) {
	return load(flags, environ, func(s *Settings, list []Effective) Problems {
		return append(s.check(), s.unsaid(list)...)
	})
}

// LoadStore is [Load] for a command that only opens the store. It does not check that
// the settings are valid together: a server may get some of them, such as --accounts,
// as flags that this command does not have. That must not stop an operator who has to
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
	file := source{Origin: FromFile}
	var problems Problems
	if given {
		data, err := readFile(path)
		if err != nil {
			return nil, nil, Problems{err.Error()}
		}
		file, problems = parseFile(data)
	}
	s, list, more := merge(source{FromFlag, flags, nil}, source{FromEnvironment, fromEnv, nil}, file)
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
	lines  map[string]int // of the file, by setting
}

// place says where a setting is.
func (s source) place(name string) string {
	if line := s.lines[name]; line > 0 {
		return fmt.Sprintf("%s, line %d", s.Origin, line)
	}
	return string(s.Origin)
}

// merge parses every value of every source. The sources are in order of precedence,
// highest first.
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
		if text := one.Get("fips"); fipsMode() && text != "" {
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
				problems = append(problems, fmt.Sprintf("%s (%s): %v", one.name, from.place(one.name), err))
			}
		}
		// A default that comes from data-dir was not checked before. Other invalid values are
		// already among the problems.
		if err := one.set(s, e.Value); err != nil && e.Origin == FromDefault {
			problems = append(problems, fmt.Sprintf("%s (default, from data-dir): %v", one.name, err))
		}
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

// isHardened reports whether the first source that has --hardened turns it on. The
// defaults depend on it.
func isHardened(sources []source) bool {
	for _, from := range sources {
		if text, given := from.values[hardenedName]; given {
			return text == "true"
		}
	}
	return false
}

// unsaid returns the settings that must be set explicitly with --hardened and are not.
// Their defaults would be wrong in most production systems.
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

// environment returns the variables that begin with our prefix: their values by the name
// of the setting, and the list of the variables' names.
func environment(environ []string) (values map[string]string, names []string) {
	values = map[string]string{}
	services := kubernetesServices(environ)
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		rest, ours := strings.CutPrefix(name, envPrefix)
		if ours && !slices.ContainsFunc(services, func(of string) bool { return setByKubernetes.MatchString(strings.TrimPrefix(rest, of)) }) {
			values[strings.ToLower(strings.ReplaceAll(rest, "_", "-"))] = value
			names = append(names, name)
		}
	}
	return values, names
}

// Kubernetes gives every container the addresses of the services in its namespace as
// variables, such as STRONGROOM_SERVICE_HOST and STRONGROOM_PORT. For services named
// strongroom and strongroom-… they begin with our prefix.
var setByKubernetes = regexp.MustCompile(`^(SERVICE_HOST|SERVICE_PORT|PORT)(_|$)`)

// kubernetesServices returns what follows our prefix in the variables of each service: ""
// for strongroom, and PG_RW_ for strongroom-pg-rw. It finds services by their SERVICE_HOST.
func kubernetesServices(environ []string) []string {
	var services []string
	for _, line := range environ {
		name, _, _ := strings.Cut(line, "=")
		rest, ours := strings.CutPrefix(name, envPrefix)
		if service, ends := strings.CutSuffix(rest, "SERVICE_HOST"); ours && ends && (service == "" || strings.HasSuffix(service, "_")) {
			services = append(services, service)
		}
	}
	return services
}

// unknownVariables reports names that belong to no setting. keys are the variables that
// hold keys and secrets, which can have any name.
func unknownVariables(names []string, keys ...string) Problems {
	known := append(keys, env(FileFlag), AdminTokenVariable, modulesVariable)
	for _, s := range settings {
		known = append(known, env(s.name))
	}
	var problems Problems
	for _, name := range names {
		if !slices.Contains(known, name) {
			problems = append(problems, fmt.Sprintf("%s (environment): no such setting%s", printable(name), similarNames(name, env)))
		}
	}
	return problems
}

// similarNames completes the message about an unknown name: with the setting that was
// probably meant, or with all settings.
func similarNames(name string, form func(string) string) string {
	names := make([]string, len(settings))
	nearest, least := "", 3
	for i, s := range settings {
		names[i] = form(s.name)
		if len(name) > 2*len(names[i]) { // a long text, such as a pasted secret, is not a name
			continue
		}
		if d := levenshtein.ComputeDistance(spelled(name), spelled(names[i])); d < least {
			nearest, least = names[i], d
		}
	}
	if nearest != "" {
		return ", did you mean " + nearest + "?"
	}
	return "; allowed are " + strings.Join(names, ", ")
}

// spelled returns a name in lower case, without dashes and underscores.
func spelled(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name))
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
// or lists of scalars. It returns the text of each value in the form of a flag, with
// its line, and the problems with the others. It reads the syntax tree, so that numbers keep
// their spelling, and an alias is refused instead of expanded.
func parseFile(data []byte) (source, Problems) {
	mapping, err := parseMapping(data)
	if err != nil {
		return source{Origin: FromFile}, Problems{FileFlag + " (file): " + err.Error()}
	}
	file := source{FromFile, map[string]string{}, map[string]int{}}
	var problems Problems
	for mapping != nil && mapping.Next() {
		token := mapping.Key().GetToken()
		key := token.Value
		if _, isText := mapping.Key().(*ast.StringNode); !isText || indexOf(key) < 0 {
			problems = append(problems, fmt.Sprintf("%s (file, line %d): no such setting%s",
				printable(key), token.Position.Line, similarNames(key, func(s string) string { return s })))
			continue
		}
		file.lines[key] = token.Position.Line
		text, ok := scalars(mapping.Value())
		allowed := "one value"
		_, list := mapping.Value().(*ast.SequenceNode)
		if settings[indexOf(key)].isList() {
			allowed, list = "one value or a list of values", false
		}
		if !ok || list {
			problems = append(problems, fmt.Sprintf("%s (%s): must be %s", key, file.place(key), allowed))
			continue
		}
		file.values[key] = text
	}
	return file, problems
}

// indexOf returns where a setting is in the list of all, or -1.
func indexOf(name string) int {
	return slices.IndexFunc(settings, func(s setting) bool { return s.name == name })
}

// parseMapping returns the mapping of the file's only document, nil if it is empty.
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

// plain reduces a YAML error to its position and reason. The full error would print
// the lines around it, which may contain secrets.
func plain(err error) error {
	var y yaml.Error
	if errors.As(err, &y) && y.GetToken() != nil && y.GetToken().Position != nil {
		return fmt.Errorf("line %d: not YAML: %s", y.GetToken().Position.Line, y.GetMessage())
	}
	return errors.New("not YAML")
}

// scalars returns the text of one value, or the texts of a list joined by commas.
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

// printable quotes and shortens a name that may contain anything, so that it fits into
// one line of a message.
func printable(name string) string {
	const most = 64
	if len(name) > most {
		name = name[:most] + "…"
	}
	return strings.Trim(strconv.Quote(name), `"`)
}
