package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/store"
)

// releasedFile lists the stable interface of the last release, a line for each
// part. The release writes it: go test ./cmd/strongroom -run StaysAsReleased -released
const releasedFile = "testdata/released.list"

var released = flag.Bool("released", false, "write "+releasedFile+", for a release")

// docs/compatibility.md says what is stable. A part of it may change or go only with a
// new major version, or must have been deprecated before.
func TestStableInterfacesStayAsReleased(t *testing.T) {
	if testing.Short() {
		t.Skip("compares texts, which takes ten times as long with the race detector")
	}
	now := stable(t)
	if *released {
		if err := os.WriteFile(releasedFile, []byte(strings.Join(now, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before := strings.Split(strings.TrimSpace(document(t, "cmd/strongroom/"+releasedFile)), "\n")
	for part := range gone(before, now) {
		t.Errorf("released, and gone or changed: %s", part)
	}
	for part := range gone(now, before) {
		of := demandedBy(part)
		known := func(other string) bool { return strings.HasPrefix(other+"\n", of) }
		if of != "" && slices.ContainsFunc(before, known) {
			t.Errorf("clients of the last release do not send it: %s", part)
		}
	}
}

// gone are the parts that others do not have.
func gone(parts, others []string) map[string]bool {
	left := map[string]bool{}
	for _, part := range parts {
		left[part] = true
	}
	for _, other := range others {
		delete(left, other)
	}
	return left
}

var demands = map[*regexp.Regexp]string{
	regexp.MustCompile(`^graphql argument ([^(]+)\(.*!$`):   "graphql field $1:",
	regexp.MustCompile(`^graphql member ([^.]+)\..*!$`):     "graphql member $1.",
	regexp.MustCompile(`^http schema ([^ ]+) needs [^ ]+$`): "http schema $1.",
	regexp.MustCompile(`^http ([A-Z]+ [^ ]+) needs [^ ]+$`): "http $1\n",
}

// demandedBy returns the prefix of the parts that existing clients use and that would now
// require more of them, or "". New parts may require anything.
func demandedBy(part string) string {
	for form, of := range demands {
		if form.MatchString(part) {
			return form.ReplaceAllString(part, of)
		}
	}
	return ""
}

// stable returns all parts of the stable interface, in order.
func stable(t *testing.T) []string {
	t.Helper()
	parts := slices.Concat(graphqlParts(t), httpParts(t), settingParts(t), commandParts(t), metricParts(), eventParts(t))
	for typ, what := range map[string]string{"Code": "error code", "Rule": "error rule", "Event": "trail event"} {
		for _, value := range constants(t, typ) {
			parts = append(parts, what+" "+value)
		}
	}
	for _, table := range store.Tables {
		for _, c := range table.Columns {
			if table.Name == "audit_log" {
				parts = append(parts, "trail column "+c.Name)
			}
		}
	}
	return sorted(parts)
}

func graphqlParts(t *testing.T) (parts []string) {
	t.Helper()
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: document(t, "internal/graph/schema.graphqls")})
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range schema.Types {
		if d.BuiltIn {
			continue
		}
		for _, v := range d.EnumValues {
			parts = append(parts, fmt.Sprintf("graphql value %s.%s", name, v.Name))
		}
		for _, f := range d.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			kind := "field"
			if d.Kind == ast.InputObject {
				kind = "member"
			}
			parts = append(parts, fmt.Sprintf("graphql %s %s.%s: %s", kind, name, f.Name, f.Type))
			for _, a := range f.Arguments {
				parts = append(parts, fmt.Sprintf("graphql argument %s.%s(%s): %s", name, f.Name, a.Name, a.Type))
			}
		}
	}
	return parts
}

// jsonSchema is the stable part of a JSON schema.
type jsonSchema struct {
	Type, Const any
	Enum        []any
	Ref         string `json:"$ref"`
	Required    []string
	Properties  map[string]jsonSchema
	Items       *jsonSchema
	OneOf       []jsonSchema
}

// is names the type of values. It follows references, because schemas may be renamed.
func (s jsonSchema) is(defs map[string]jsonSchema) string {
	switch {
	case s.Ref != "":
		return defs[path.Base(s.Ref)].is(defs)
	case s.Items != nil:
		return "list of " + s.Items.is(defs)
	case s.Const != nil:
		return fmt.Sprint(s.Const)
	case s.Type != nil:
		return fmt.Sprint(s.Type)
	case len(s.OneOf) > 0:
		kinds := make([]string, len(s.OneOf))
		for i, one := range s.OneOf {
			kinds[i] = one.is(defs)
		}
		return strings.Join(kinds, " or ")
	case len(s.Enum) > 0:
		return "value"
	}
	return "any"
}

// parts are the members of an object, of those in it, and their values.
func (s jsonSchema) parts(name string, defs map[string]jsonSchema) (parts []string) {
	for member, of := range s.Properties {
		at := name + "." + member
		parts = append(parts, at, at+": "+of.is(defs))
		parts = append(parts, of.parts(at, defs)...)
	}
	for _, value := range s.Enum {
		parts = append(parts, fmt.Sprintf("%s value %v", name, value))
	}
	return parts
}

type parameter struct {
	Name     string
	Ref      string `json:"$ref"`
	Required bool
}

// httpParts are those of the document of the operators' API.
func httpParts(t *testing.T) (parts []string) {
	t.Helper()
	var api struct {
		Paths map[string]map[string]struct {
			Parameters  []parameter
			Responses   map[string]any
			RequestBody struct {
				Content map[string]struct{ Schema jsonSchema }
			}
		}
		Components struct {
			Schemas    map[string]jsonSchema
			Parameters map[string]parameter
		}
	}
	if err := json.Unmarshal([]byte(document(t, "internal/admin/openapi.json")), &api); err != nil {
		t.Fatal(err)
	}
	sent := map[string]bool{} // schemas of what clients send
	for at, methods := range api.Paths {
		for method, m := range methods {
			request := fmt.Sprintf("http %s %s", strings.ToUpper(method), at)
			parts = append(parts, request)
			for _, p := range m.Parameters {
				if p.Ref != "" {
					p = api.Components.Parameters[path.Base(p.Ref)]
				}
				parts = append(parts, request+" parameter "+p.Name)
				if p.Required {
					parts = append(parts, request+" needs "+p.Name)
				}
			}
			for status := range m.Responses {
				parts = append(parts, request+" status "+status)
			}
			for _, c := range m.RequestBody.Content {
				sent[path.Base(c.Schema.Ref)] = true
			}
		}
	}
	for name, s := range api.Components.Schemas {
		parts = append(parts, s.parts("http schema "+name, api.Components.Schemas)...)
		verb := " has "
		if sent[name] {
			verb = " needs "
		}
		for _, member := range s.Required {
			parts = append(parts, "http schema "+name+verb+member)
		}
	}
	return parts
}

// settingParts are the settings with their defaults, from the page that is made of them.
func settingParts(t *testing.T) (parts []string) {
	t.Helper()
	row := regexp.MustCompile("(?m)^\\| `--([a-z-]+)` \\| `[A-Z_]+` \\| ([^|]+) \\|")
	for _, m := range row.FindAllStringSubmatch(document(t, "docs/reference/settings.md"), -1) {
		parts = append(parts, fmt.Sprintf("setting %s, default %s", m[1], m[2]))
	}
	return parts
}

// commandParts are the commands and their flags, as their help shows them.
func commandParts(t *testing.T) (parts []string) {
	t.Helper()
	command := regexp.MustCompile(`(?m)^  ([a-z][a-z -]*[a-z])(?:  | [<\[]|$)`)
	flag := regexp.MustCompile(`(?m)^ +(?:-[a-zA-Z], )?--([a-z0-9-]+)`)
	_, list, _ := strings.Cut(output(t, "--help"), "\nCommands:\n")
	for _, m := range command.FindAllStringSubmatch(list, -1) {
		name := "command " + m[1]
		parts = append(parts, name)
		help := output(t, append(strings.Fields(m[1]), "--help")...)
		for _, f := range flag.FindAllStringSubmatch(help, -1) {
			parts = append(parts, name+" --"+f[1])
		}
	}
	if len(parts) < 100 {
		t.Fatalf("only %d commands and flags were found", len(parts))
	}
	return parts
}

func metricParts() (parts []string) {
	registry := prometheus.NewRegistry()
	metrics.New(registry)
	descriptions := make(chan *prometheus.Desc)
	go func() { registry.Describe(descriptions); close(descriptions) }()
	form := regexp.MustCompile(`fqName: "([^"]+)".*variableLabels: (\{[^}]*\})`)
	for d := range descriptions {
		m := form.FindStringSubmatch(d.String())
		parts = append(parts, "metric "+m[1]+m[2])
	}
	return parts
}

// eventParts are those of the events that go out.
func eventParts(t *testing.T) (parts []string) {
	t.Helper()
	var schema struct {
		jsonSchema
		AllOf []struct {
			If, Then struct{ Properties map[string]jsonSchema }
		}
		Defs map[string]jsonSchema `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(document(t, "docs/events.schema.json")), &schema); err != nil {
		t.Fatal(err)
	}
	for _, name := range schema.Required {
		parts = append(parts, "event has "+name)
	}
	parts = append(parts, schema.parts("event member", schema.Defs)...)
	for name, def := range schema.Defs {
		parts = append(parts, def.parts("event "+name, schema.Defs)...)
		for _, member := range def.Required {
			parts = append(parts, "event "+name+" has "+member)
		}
	}
	for _, rule := range schema.AllOf {
		for _, member := range rule.Then.Properties["data"].Required {
			parts = append(parts, fmt.Sprintf("event %v has %s", rule.If.Properties["type"].Const, member))
		}
	}
	for _, e := range slices.Concat(domain.EventsOut, domain.EventsOutByName) {
		parts = append(parts, "event "+string(e))
	}
	if !slices.Contains(parts, "event data.keyId: string") {
		t.Fatal("the members of data were not found")
	}
	return parts
}
