// Package chart tests the Helm chart of deploy/helm: what it refuses, what it renders, and
// whether Kubernetes knows what it renders. It is a module of its own, because Helm and
// Kubernetes bring 300 modules.
package chart

import (
	"flag"
	"io"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	"sigs.k8s.io/yaml"
)

const dir = "../../deploy/helm/strongroom"

var update = flag.Bool("update", false, "write the expected renders into testdata")

// load reads the chart. Its version is a fixed one, so that a release changes no render.
func load(t *testing.T) *chart.Chart {
	t.Helper()
	log.SetOutput(io.Discard) // Helm says that it follows links
	c, err := loader.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	c.Metadata.Version, c.Metadata.AppVersion = "1.2.3", "1.2.3"
	return c
}

// render returns the documents of a release named strongroom, in the order of the
// templates. The files that the chart takes over are cut down to their names.
func render(t *testing.T, values string) (string, error) {
	t.Helper()
	given, err := chartutil.ReadValues([]byte(values))
	if err != nil {
		t.Fatal(err)
	}
	capabilities := chartutil.DefaultCapabilities.Copy()
	capabilities.KubeVersion = chartutil.KubeVersion{Version: "v1.30.0", Major: "1", Minor: "30"}
	c := load(t)
	all, err := chartutil.ToRenderValues(c, given, chartutil.ReleaseOptions{Name: "strongroom", Namespace: "vault", Revision: 1, IsInstall: true}, capabilities)
	if err != nil {
		return "", err
	}
	files, err := engine.Render(c, all)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if text := strings.TrimSpace(files[name]); text != "" && strings.HasSuffix(name, ".yaml") {
			b.WriteString("---\n# " + filepath.Base(name) + "\n" + text + "\n")
		}
	}
	return b.String(), nil
}

// values are the value sets: files of testdata by their names.
func values(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.values.yaml")
	if err != nil || len(paths) < 6 {
		t.Fatalf("%d value sets: %v", len(paths), err)
	}
	sets := map[string]string{}
	for _, path := range paths {
		sets[strings.TrimSuffix(filepath.Base(path), ".values.yaml")] = read(t, path)
	}
	return sets
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestHelmFindsNoMistakeInTheChart(t *testing.T) {
	log.SetOutput(io.Discard)
	sets := values(t)
	sets["defaults"] = ""
	for name, text := range sets {
		given, err := chartutil.ReadValues([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		version := &chartutil.KubeVersion{Version: "v1.30.0", Major: "1", Minor: "30"}
		for _, m := range lint.AllWithKubeVersion(dir, given, "vault", version).Messages {
			if m.Severity > support.InfoSev {
				t.Errorf("%s: %v", name, m)
			}
		}
	}
}

func TestRendersAreAsExpected(t *testing.T) {
	taken := map[string]string{
		"<deploy/prometheus/strongroom.rules.yaml>": indented(read(t, "../../deploy/prometheus/strongroom.rules.yaml"), "  "),
		"<deploy/grafana/strongroom.json>":          indented(read(t, "../../deploy/grafana/strongroom.json"), "    "),
	}
	for name, text := range values(t) {
		got, err := render(t, text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		// Whole and unchanged, or the expected render differs.
		for short, file := range taken {
			got = strings.Replace(got, file, short, 1)
		}
		path := "testdata/" + name + ".expected.yaml"
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(read(t, path), got); diff != "" {
			t.Errorf("%s; update it with -update (-want +got):\n%s", path, diff)
		}
	}
}

func indented(text, by string) string {
	return by + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+by)
}

// changed is a value set with more values, which replace its own.
func changed(t *testing.T, set, more string) string {
	t.Helper()
	into, err := chartutil.ReadValues([]byte(set))
	if err != nil {
		t.Fatal(err)
	}
	from, err := chartutil.ReadValues([]byte(more))
	if err != nil {
		t.Fatal(err)
	}
	text, err := yaml.Marshal(chartutil.CoalesceTables(from, into))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestInvalidValuesAreRefused(t *testing.T) {
	sets := values(t)
	for _, c := range []struct{ set, more, want string }{
		{"sqlite", "replicaCount: 3", "additional properties 'replicaCount' not allowed"},
		{"sqlite", "image: {repo: x}", "additional properties 'repo' not allowed"},
		{"sqlite", "image: {digest: latest}", "at '/image/digest'"},
		{"sqlite", "settings: {acounts: jwt}", "additional properties 'acounts' not allowed"},
		{"sqlite", "settings: {listen: 0.0.0.0:80}", "additional properties 'listen' not allowed"}, // the chart sets it
		{"sqlite", "settings: {attempts-max: 2.5}", "at '/settings/attempts-max'"},
		{"sqlite", "settings: {accounts: {mode: jwt}}", "at '/settings/accounts'"},
		{"sqlite", "database: {engine: mysql}", "at '/database/engine'"},
		{"sqlite", "replicas: 0", "at '/replicas'"},
		{"sqlite", "drainDelaySeconds: 5s", "at '/drainDelaySeconds'"},
		{"sqlite", "podUser: 0", "at '/podUser'"},
		{"sqlite", "rootKey: {urls: ['env:KEY']}", "at '/rootKey/urls/0'"},
		{"sqlite", "rootKey: {csi: {file: ../../key}}", "at '/rootKey/csi/file'"},
		{"sqlite", "persistence: {accessMode: ReadWriteMany}", "at '/persistence/accessMode'"},
		{"postgres", "database: {url: ''}", "at '/database/url'"},
		{"postgres", "database: {url: 'postgres://strongroom:secret@db/strongroom'}", "at '/database/url'"},
		{"postgres", "witness: {url: 'http://witness/x'}", "at '/witness/url'"},

		{"sqlite", "secrets: {adminToken: {name: ''}}", "secrets.adminToken.name: "},
		{"sqlite", "rootKey: {secret: {name: ''}}", "rootKey: no root key"},
		{"sqlite", "settings: {accounts: null}", "settings.accounts: hardened requires this setting"},
		{"sqlite", "autoscaling: {enabled: true}", "autoscaling.enabled: SQLite has one instance"},
		{"sqlite", "database: {url: 'postgres://db/strongroom'}", "database: url and its Secrets need engine postgres"},
		{"sqlite-csi", "probes: {kind: http}", "probes.kind: "},
		{"postgres", "witness: {url: ''}", "witness.url: hardened needs a witness"},
		{"postgres", "database: {passwordSecret: {name: x}}", "not both"},
		{"postgres", "serviceMonitor: {enabled: true}", "serviceMonitor.tokenSecret.name: "},
	} {
		if _, err := render(t, changed(t, sets[c.set], c.more)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s: %v, want %q in it", c.set, c.more, err, c.want)
		}
	}
}
