package chart

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yannh/kubeconform/pkg/validator"
	"sigs.k8s.io/yaml"
)

// modules have the schemas: Kubernetes' own at the oldest version that the chart accepts
// and at the newest, and those of the Prometheus operator. Each with its checksum.
var kubernetes = map[string]string{
	"k8s.io/kubernetes@v1.30.14": "h1:MrlKXh9uhLIJpyxOeXhcndzRVSvwiV9iJ8NgH8nqPsg=",
	"k8s.io/kubernetes@v1.37.2":  "h1:A2VDEiObzkYqFTKhSsn0ZEb0RlLEXpHWj93gi2HqEwE=",
}

const (
	operator    = "github.com/prometheus-operator/prometheus-operator@v0.85.0"
	operatorSum = "h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s="
)

func TestRenderedManifestsMatchTheKubernetesSchemas(t *testing.T) {
	crds := filepath.Join(module(t, operator, operatorSum), "example/prometheus-operator-crd")
	for version, sum := range kubernetes {
		t.Run(strings.TrimPrefix(version, "k8s.io/"), func(t *testing.T) {
			t.Parallel()
			schemas := t.TempDir()
			writeKubernetes(t, filepath.Join(module(t, version, sum), "api/openapi-spec/swagger.json"), schemas)
			for _, kind := range []string{"servicemonitors", "prometheusrules"} {
				writeCRD(t, filepath.Join(crds, "monitoring.coreos.com_"+kind+".yaml"), schemas)
			}
			v, err := validator.New([]string{filepath.Join(schemas, "{{.ResourceKind}}{{.KindSuffix}}.json")}, validator.Opts{Strict: true})
			if err != nil {
				t.Fatal(err)
			}
			valid := 0
			for name, text := range values(t) {
				got, err := render(t, text)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range v.Validate(name, io.NopCloser(strings.NewReader(got))) {
					if r.Status == validator.Valid {
						valid++
					} else if r.Status != validator.Empty {
						t.Errorf("%s: %d %v\n%s", name, r.Status, r.Err, r.Resource.Bytes)
					}
				}
			}
			for name, text := range guide(t) {
				for _, r := range v.Validate(name, io.NopCloser(strings.NewReader(text))) {
					if r.Status != validator.Valid {
						t.Errorf("docs/how-to/kubernetes.md: %s: %d %v\n%s", name, r.Status, r.Err, text)
					}
				}
			}
			if valid < 40 {
				t.Errorf("only %d documents", valid)
			}
			wrong := "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: x}\nspec: {maxUnavailible: 1}\n"
			if r := v.Validate("wrong", io.NopCloser(strings.NewReader(wrong))); len(r) != 1 || r[0].Status != validator.Invalid {
				t.Errorf("a misspelt name is not refused: %+v", r)
			}
		})
	}
}

// guide returns the manifests of docs/how-to/kubernetes.md: the CronJob that backs up, and
// the pod that restores, which jq makes of the rendered StatefulSet.
func guide(t *testing.T) map[string]string {
	t.Helper()
	page := read(t, "../../docs/how-to/kubernetes.md")
	between := func(from, to string) string {
		_, text, begins := strings.Cut(page, from)
		text, _, ends := strings.Cut(text, to)
		if !begins || !ends {
			t.Fatalf("the guide lacks %q or %q", from, to)
		}
		return text
	}
	all := map[string]string{"backup": "apiVersion: batch/v1\n" + between("```yaml\napiVersion: batch/v1\n", "```")}
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("SKIPPED: jq is not here (Debian: apt-get install jq)")
	}
	rendered, err := render(t, values(t)["sqlite"])
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range strings.Split(rendered, "\n---\n") {
		if !strings.Contains(document, "kind: StatefulSet") {
			continue
		}
		text, err := yaml.YAMLToJSON([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		jq := exec.Command("jq", between("get statefulset strongroom -o json | jq '", "' | kubectl"))
		jq.Stdin = strings.NewReader(string(text))
		pod, err := jq.Output()
		if err != nil {
			t.Fatal(err)
		}
		all["restore"] = string(pod)
	}
	return all
}

// module downloads a Go module and returns its directory.
func module(t *testing.T, version, sum string) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", version)
	cmd.Dir = t.TempDir() // not of this module
	out, err := cmd.Output()
	var is struct{ Dir, Sum, Error string }
	if json.Unmarshal(out, &is) != nil || is.Error != "" || err != nil {
		t.Fatalf("%s: %v %s", version, err, out)
	}
	if is.Sum != sum {
		t.Fatalf("%s has the checksum %s, want %s", version, is.Sum, sum)
	}
	return is.Dir
}

type object = map[string]any

// writeKubernetes writes a JSON schema for each kind of an OpenAPI document, as
// kubeconform reads them, beside one file of all definitions.
func writeKubernetes(t *testing.T, path, to string) {
	t.Helper()
	var spec struct{ Definitions map[string]object }
	if err := json.Unmarshal([]byte(read(t, path)), &spec); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{}
	for name, d := range spec.Definitions {
		strict(d)
		switch name {
		case "io.k8s.apimachinery.pkg.util.intstr.IntOrString":
			d["type"] = []string{"string", "integer"}
		case "io.k8s.apimachinery.pkg.api.resource.Quantity":
			d["type"] = []string{"string", "number"}
		}
		for _, g := range list(d["x-kubernetes-group-version-kind"]) {
			of := g.(object)
			kinds[strings.ToLower(of["kind"].(string)+"-"+suffix(of["group"].(string), of["version"].(string)))] = name
		}
	}
	write(t, filepath.Join(to, "definitions.json"), object{"definitions": spec.Definitions})
	for kind, name := range kinds {
		write(t, filepath.Join(to, kind+".json"), object{"$ref": "definitions.json#/definitions/" + name})
	}
}

// suffix is what kubeconform puts behind a kind: apps-v1, and v1 for the core group.
func suffix(group, version string) string {
	if first, _, _ := strings.Cut(group, "."); first != "" {
		return first + "-" + version
	}
	return version
}

func writeCRD(t *testing.T, path, to string) {
	t.Helper()
	var crd struct {
		Spec struct {
			Group    string
			Names    struct{ Kind string }
			Versions []struct {
				Name   string
				Schema struct {
					OpenAPIV3Schema object `json:"openAPIV3Schema"`
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, path)), &crd); err != nil {
		t.Fatal(err)
	}
	for _, v := range crd.Spec.Versions {
		strict(v.Schema.OpenAPIV3Schema)
		v.Schema.OpenAPIV3Schema["properties"].(object)["metadata"] = object{"type": "object"}
		write(t, filepath.Join(to, strings.ToLower(crd.Spec.Names.Kind)+"-"+suffix(crd.Spec.Group, v.Name)+".json"), v.Schema.OpenAPIV3Schema)
	}
}

// strict refuses unknown fields, as the API server does, and turns what OpenAPI says
// about integers or strings into JSON schema.
func strict(schema object) {
	if properties, ok := schema["properties"].(object); ok {
		if _, open := schema["additionalProperties"]; !open && schema["x-kubernetes-preserve-unknown-fields"] != true {
			schema["additionalProperties"] = false
		}
		for _, p := range properties {
			strict(p.(object))
		}
	}
	for _, part := range []string{"items", "additionalProperties"} {
		if below, ok := schema[part].(object); ok {
			strict(below)
		}
	}
	if ref, ok := schema["$ref"].(string); ok {
		schema["$ref"] = strings.Replace(ref, "#/", "definitions.json#/", 1)
	}
	if schema["x-kubernetes-int-or-string"] == true {
		delete(schema, "type")
	}
	delete(schema, "format") // int32 and the like, which are not formats of JSON schema
}

func list(of any) []any {
	l, _ := of.([]any)
	return l
}

func write(t *testing.T, path string, schema object) {
	t.Helper()
	text, err := json.Marshal(schema)
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
