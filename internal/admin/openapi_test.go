package admin

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"strongroom/internal/apierr"
	"strongroom/internal/domain"
)

// spec is what the tests read of the OpenAPI document.
type spec struct {
	Paths      map[string]map[string]described
	Components struct {
		Parameters map[string]parameter
		Responses  map[string]response
		Schemas    map[string]map[string]any
	}
}

type described struct {
	OperationID string
	Summary     string
	Parameters  []parameter
	RequestBody struct {
		Content map[string]content
	}
	Responses map[string]response
}

type parameter struct {
	Ref      string `json:"$ref"`
	Name, In string
	Example  any
	Schema   map[string]any
}

type response struct {
	Ref     string `json:"$ref"`
	Content map[string]content
}

type content struct {
	Schema  map[string]any
	Example any
}

func readSpec(t testing.TB) spec {
	t.Helper()
	var s spec
	if err := json.Unmarshal(openAPI, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// operation is what the document says of one, its references resolved.
func (s spec) operation(t testing.TB, op operation) described {
	t.Helper()
	d, ok := s.Paths[Root+op.path][strings.ToLower(op.method)]
	if !ok {
		t.Fatalf("openapi.json lacks %s %s", op.method, op.path)
	}
	for i, p := range d.Parameters {
		if name, ok := strings.CutPrefix(p.Ref, "#/components/parameters/"); ok {
			d.Parameters[i] = s.Components.Parameters[name]
		}
	}
	return d
}

// named are the parameters of one kind, by name.
func (d described) named(in string) map[string]parameter {
	found := map[string]parameter{}
	for _, p := range d.Parameters {
		if p.In == in {
			found[p.Name] = p
		}
	}
	return found
}

// target is a URL of the operation with the examples of its path.
func (d described) target(op operation) string {
	target := Root + op.path
	for name, p := range d.named("path") {
		target = strings.ReplaceAll(target, "{"+name+"}", p.Example.(string))
	}
	return target
}

// validator validates values against the schemas of the document. Members that
// a schema does not name are errors.
type validator struct {
	t testing.TB
	*jsonschema.Compiler
}

const resource = "https://strongroom.invalid/openapi.json"

func newValidator(t testing.TB) validator {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal(openAPI, &doc); err != nil {
		t.Fatal(err)
	}
	for name, schema := range doc["components"].(map[string]any)["schemas"].(map[string]any) {
		if s := schema.(map[string]any); s["type"] == "object" {
			s["additionalProperties"] = false
			if len(s["properties"].(map[string]any)) == 0 {
				t.Errorf("the schema %s has no properties", name)
			}
		}
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource(resource, doc); err != nil {
		t.Fatal(err)
	}
	return validator{t, c}
}

// check validates a value against the schema at this place of the document.
func (v validator) check(name, place string, value any) {
	v.t.Helper()
	schema, err := v.Compile(resource + "#" + place)
	if err != nil {
		v.t.Fatalf("%s: %v", name, err)
	}
	if err := schema.Validate(value); err != nil {
		v.t.Errorf("%s: %v", name, err)
	}
}

// checkText is check of JSON.
func (v validator) checkText(name, place, text string) {
	v.t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		v.t.Errorf("%s: %v: %s", name, err, text)
		return
	}
	v.check(name, place, value)
}

// at is a place in the document, as a JSON pointer.
func at(segments ...string) string {
	var place strings.Builder
	for _, s := range segments {
		place.WriteString("/" + url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(s)))
	}
	return place.String()
}

func (op operation) at(segments ...string) string {
	return at(append([]string{"paths", Root + op.path, strings.ToLower(op.method)}, segments...)...)
}

const problemSchema = "/components/schemas/Problem"

func TestTheDocumentAndTheTableNameTheSameOperations(t *testing.T) {
	s := readSpec(t)
	var there, described []string
	for _, op := range table() {
		there = append(there, strings.ToLower(op.method)+" "+Root+op.path+" "+op.name)
	}
	for path, methods := range s.Paths {
		for method, d := range methods {
			described = append(described, method+" "+path+" "+d.OperationID)
			if d.OperationID == "" || d.Summary == "" {
				t.Errorf("%s %s has no operationId or summary", method, path)
			}
		}
	}
	slices.Sort(there)
	slices.Sort(described)
	if diff := gocmp.Diff(there, described); diff != "" {
		t.Errorf("operations (-in the table +in openapi.json):\n%s", diff)
	}
}

// TestOnlyDescribedInputIsAccepted goes through all operations with
// the examples of the document.
func TestOnlyDescribedInputIsAccepted(t *testing.T) {
	s, v := readSpec(t), newValidator(t)
	for _, op := range table() {
		d, name := s.operation(t, op), op.method+" "+op.path
		query := d.named("query")
		if diff := gocmp.Diff(sorted(op.query), slices.Sorted(maps.Keys(query))); diff != "" {
			t.Errorf("%s: parameters (-in the table +in openapi.json):\n%s", name, diff)
		}
		c := call{method: op.method, target: d.target(op), role: domain.RoleOperator}
		if op.method == http.MethodPost {
			c.body = checkBody(t, v, s, op, d)
			c.header = http.Header{"Idempotency-Key": {fmt.Sprint(d.named("header")["Idempotency-Key"].Example)}}
		}
		checkOK(t, v, op, c)
		for param, p := range query {
			given := c
			given.target += "?" + url.Values{param: {example(p)}}.Encode()
			checkOK(t, v, op, given)
			given.target += "&" + url.Values{param: {example(p)}}.Encode()
			checkRefused(t, v, given, param, " must not be repeated.")
		}
		c.target += "?nope=" + canary
		checkRefused(t, v, c, "nope", "There is no such query parameter")
	}
}

func sorted(names []string) []string { return slices.Sorted(maps.Keys(asSet(names))) }

func asSet(names []string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

func example(p parameter) string {
	if p.Example == nil {
		return "position" // which the document cannot give an example of
	}
	return fmt.Sprint(p.Example)
}

// checkBody compares the description of a body with the table, and returns its
// example.
func checkBody(t *testing.T, v validator, s spec, op operation, d described) string {
	t.Helper()
	body := d.RequestBody.Content["application/json"]
	ref, _ := body.Schema["$ref"].(string)
	properties := s.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")]["properties"].(map[string]any)
	if diff := gocmp.Diff(sorted(op.body), slices.Sorted(maps.Keys(properties))); diff != "" {
		t.Errorf("%s: members (-in the table +in openapi.json):\n%s", op.path, diff)
	}
	text, err := json.Marshal(body.Example)
	if err != nil {
		t.Fatal(err)
	}
	v.checkText(op.path, op.at("requestBody", "content", "application/json", "schema"), string(text))
	return string(text)
}

// checkOK sends a request and validates the answers, full and minimal, against
// the document.
func checkOK(t *testing.T, v validator, op operation, c call) {
	t.Helper()
	for _, bare := range []bool{false, true} {
		f := &fake{bare: bare}
		a := f.do(c)
		want, schema := "application/json", op.at("responses", "200", "content", "application/json", "schema")
		if op.path == "/audit/export" {
			want = "application/jsonl"
		}
		if a.Code != http.StatusOK || a.Header().Get("Content-Type") != want || len(a.refused) > 0 {
			t.Errorf("%s %s: %d %v %s", c.method, c.target, a.Code, a.Header(), a.text)
			return
		}
		if want == "application/json" {
			v.checkText(c.method+" "+c.target, schema, a.text)
		}
		if a.Header().Get("Cache-Control") != "no-store" || a.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", c.target, a.Header())
		}
		if c.method == http.MethodGet {
			c := c
			c.method = http.MethodHead
			if a := f.do(c); a.Code != http.StatusOK {
				t.Errorf("HEAD %s: %d", c.target, a.Code)
			}
		}
	}
}

// checkRefused sends a request and expects a problem about this field. Nothing
// may have been asked of the service.
func checkRefused(t *testing.T, v validator, c call, field, detail string) {
	t.Helper()
	f := &fake{}
	a := f.do(c)
	p := problemOf(t, v, c, a)
	if p.Code != domain.CodeBadUserInput || p.Field != field || !strings.Contains(p.Detail, detail) || f.asked != nil ||
		!slices.Equal(a.refused, []domain.Code{domain.CodeBadUserInput}) {
		t.Errorf("%s %s: %v, asked %v, refused %v", c.method, c.target, p, f.asked, a.refused)
	}
}

// problemOf returns the problem in an answer, validated against the document.
func problemOf(t testing.TB, v validator, c call, a answered) (p apierr.Problem) {
	t.Helper()
	name := c.method + " " + c.target
	if err := json.Unmarshal([]byte(a.text), &p); err != nil {
		t.Fatalf("%s: %v: %s", name, err, a.text)
	}
	v.checkText(name, problemSchema, a.text)
	if p.Status != a.Code || p.Title != http.StatusText(a.Code) || a.Header().Get("Content-Type") != "application/problem+json" || p.RequestID != requestID {
		t.Errorf("%s: %d %v %s", name, a.Code, a.Header(), a.text)
	}
	if strings.Contains(a.text+a.log, canary) {
		t.Errorf("%s: the request comes back: %s %s", name, a.text, a.log)
	}
	return p
}

// TestTheExamplesOfTheDocumentAreValid validates them against their schemas.
func TestTheExamplesOfTheDocumentAreValid(t *testing.T) {
	s, v := readSpec(t), newValidator(t)
	for _, op := range table() {
		d := s.operation(t, op)
		answer := d.Responses["200"].Content["application/json"]
		if answer.Example != nil {
			v.check(op.path, op.at("responses", "200", "content", "application/json", "schema"), answer.Example)
		} else if op.path != "/audit/export" {
			t.Errorf("%s has no example", op.path)
		}
		for status, r := range d.Responses {
			if name := strings.TrimPrefix(r.Ref, "#/components/responses/"); r.Ref != "" && name != status {
				t.Errorf("%s: the answer %s is %s", op.path, status, r.Ref)
			}
		}
	}
	for status, r := range s.Components.Responses {
		p := r.Content["application/problem+json"].Example.(map[string]any)
		v.check(status, problemSchema, p)
		if fmt.Sprint(p["status"]) != status {
			t.Errorf("the example of %s has status %v", status, p["status"])
		}
	}
	codes := s.Components.Schemas["Problem"]["properties"].(map[string]any)["code"].(map[string]any)["enum"].([]any)
	for _, code := range codes {
		if c := domain.Code(code.(string)); c != domain.CodeInternal && c != domain.CodeUnauthenticated && apierr.Status(&domain.Error{Code: c}) == http.StatusInternalServerError {
			t.Errorf("%s is described, but has no status", c)
		}
	}
}

func TestTheDocumentIsServedUnchanged(t *testing.T) {
	a := (&fake{}).do(call{method: "GET", target: Root + "/openapi.json", role: domain.RoleViewer})
	if !bytes.Equal(a.Body.Bytes(), openAPI) || !strings.Contains(a.text, `"openapi": "3.1.0"`) {
		t.Errorf("%d %.200s", a.Code, a.text)
	}
}

// The export alone has the digests and hashes.
func TestAnEntryIsShownWithAllFieldsButItsHashes(t *testing.T) {
	entries, _, _, _ := (&fake{}).Audit(t.Context(), domain.EntryFilter{}, domain.Page{})
	shown := reflect.ValueOf(entry(entries[0]))
	for _, f := range reflect.VisibleFields(reflect.TypeFor[domain.Entry]()) {
		name := f.Name
		switch name {
		case "Before", "Digest", "Prev", "Hash", "About":
			continue
		case "Duration":
			name = "DurationMicros"
		}
		if v := shown.FieldByName(name); !v.IsValid() || v.IsZero() {
			t.Errorf("the answer lacks %s, or the entry of fake.Audit lacks it", f.Name)
		}
	}
}

// TestTheGuideNamesEveryOperation compares the table of docs/admin-api.md with
// ours.
func TestTheGuideNamesEveryOperation(t *testing.T) {
	guide, err := os.ReadFile("../../docs/admin-api.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(guide), "\n## Operations\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var there, named []string
	for _, op := range table() {
		there = append(there, op.method+" "+cmp.Or(op.path, "/"))
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `([A-Z]+ [^`]+)`").FindAllStringSubmatch(section, -1) {
		named = append(named, row[1])
	}
	slices.Sort(there)
	slices.Sort(named)
	if diff := gocmp.Diff(there, named); diff != "" {
		t.Errorf("operations (-in the table +in docs/admin-api.md):\n%s", diff)
	}
}
