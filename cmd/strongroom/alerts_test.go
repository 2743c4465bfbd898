package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
)

// alertRule is one of deploy/prometheus.
type alertRule struct {
	Alert       string
	Expr        string
	Labels      map[string]string
	Annotations map[string]string
}

func alertRules(t *testing.T) (all []alertRule) {
	t.Helper()
	var file struct {
		Groups []struct{ Rules []alertRule }
	}
	if err := yaml.Unmarshal([]byte(document(t, "deploy/prometheus/strongroom.rules.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			if r.Alert != "" { // or it records
				all = append(all, r)
			}
		}
	}
	return all
}

func TestEveryAlertHasItsSectionInTheRunbook(t *testing.T) {
	runbook := document(t, "docs/runbook.md")
	var alerts, described []string
	for _, r := range alertRules(t) {
		alerts = append(alerts, r.Alert)
		if want := "{{ $externalLabels.strongroom_console }}/docs/runbook.html#" + strings.ToLower(r.Alert); r.Annotations["runbook_url"] != want {
			t.Errorf("%s leads to %q, want %s", r.Alert, r.Annotations["runbook_url"], want)
		}
		if r.Annotations["summary"] == "" || !slices.Contains([]string{"critical", "warning", "info"}, r.Labels["severity"]) {
			t.Errorf("%s lacks a summary or has the severity %q", r.Alert, r.Labels["severity"])
		}
	}
	for section := range strings.SplitSeq(runbook, "\n## ") {
		name, text, _ := strings.Cut(section, "\n")
		if !strings.HasPrefix(name, "Strongroom") {
			continue
		}
		described = append(described, name)
		for _, part := range []string{"**What it means.**", "**What to look at.**", "**What to do.**"} {
			if !strings.Contains(text, part) {
				t.Errorf("docs/runbook.md does not say under %s: %s", name, part)
			}
		}
	}
	if diff := cmp.Diff(sorted(slices.Clone(alerts)), sorted(slices.Clone(described))); diff != "" {
		t.Errorf("alerts (-in deploy/prometheus +in docs/runbook.md):\n%s", diff)
	}
	if len(alerts) != len(described) {
		t.Errorf("%d alerts and %d sections", len(alerts), len(described))
	}
}

// promtool runs Prometheus' own checks, on files of deploy/prometheus or by
// their full names.
func promtool(t *testing.T, args ...string) {
	t.Helper()
	program, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("SKIPPED: promtool is not here (Debian: apt-get install prometheus)")
	}
	run := exec.Command(program, args...)
	run.Dir = filepath.Join(repository, "deploy/prometheus")
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func TestPrometheusAcceptsTheRules(t *testing.T) {
	promtool(t, "check", "rules", "--lint-fatal", "strongroom.rules.yaml")
}

func TestTheRulesFireWhenTheyShould(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: promtool, by -short: nothing of ours runs")
	}
	for _, file := range []string{"strongroom.rules.test.yaml", "strongroom.slo.test.yaml", "strongroom.days.test.yaml"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			promtool(t, "test", "rules", file)
		})
	}
}

// dashboard is what these tests read of Grafana's model.
type dashboard struct {
	UID           string
	SchemaVersion int
	Panels        []panel
	Templating    struct{ List []struct{ Name, Type string } }
}

type panel struct {
	ID                       int
	Type, Title, Description string
	GridPos                  struct{ H, W, X, Y int }
	Datasource               struct{ Type, UID string }
	Targets                  []struct {
		Expr, RefID, LegendFormat string
		Datasource                struct{ Type, UID string }
	}
}

func (p panel) overlaps(o panel) bool {
	a, b := p.GridPos, o.GridPos
	return a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H
}

func grafana(t *testing.T) (d dashboard) {
	t.Helper()
	if err := json.Unmarshal([]byte(document(t, "deploy/grafana/strongroom.json")), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestTheDashboardHasValidPanelsThatDoNotOverlap(t *testing.T) {
	d := grafana(t)
	if d.UID == "" || d.SchemaVersion < 38 {
		t.Errorf("uid %q, schema %d", d.UID, d.SchemaVersion)
	}
	var variables, rows []string
	for _, v := range d.Templating.List {
		variables = append(variables, v.Name)
	}
	if diff := cmp.Diff([]string{"datasource", "job", "instance"}, variables); diff != "" {
		t.Errorf("variables:\n%s", diff)
	}
	ids := map[int]bool{}
	for i, p := range d.Panels {
		if ids[p.ID] || p.ID == 0 {
			t.Errorf("%q has the id %d, which is not its own", p.Title, p.ID)
		}
		ids[p.ID] = true
		if g := p.GridPos; g.H < 1 || g.W < 1 || g.X < 0 || g.X+g.W > 24 {
			t.Errorf("%q is at %+v", p.Title, g)
		}
		for _, before := range d.Panels[:i] {
			if p.overlaps(before) {
				t.Errorf("%q lies over %q", p.Title, before.Title)
			}
		}
		if p.Type == "row" {
			rows = append(rows, p.Title)
			continue
		}
		checkPanel(t, p)
	}
	if diff := cmp.Diff([]string{"Objectives", "Traffic", "Latency", "Attempts", "Keys", "Capacity", "Store", "Callers", "Events"}, rows); diff != "" {
		t.Errorf("rows:\n%s", diff)
	}
}

func checkPanel(t *testing.T, p panel) {
	t.Helper()
	if !slices.Contains([]string{"stat", "timeseries", "heatmap", "table"}, p.Type) || p.Title == "" || !strings.HasSuffix(p.Description, ".") {
		t.Errorf("%q is a %q and says %q", p.Title, p.Type, p.Description)
	}
	if p.Datasource.UID != "${datasource}" || len(p.Targets) == 0 {
		t.Errorf("%q asks %+v, %d questions", p.Title, p.Datasource, len(p.Targets))
	}
	seen := map[string]bool{}
	for _, q := range p.Targets {
		if seen[q.RefID] || q.RefID == "" || q.Datasource.UID != "${datasource}" {
			t.Errorf("%q asks %+v", p.Title, q)
		}
		seen[q.RefID] = true
		if !strings.Contains(q.Expr, `job=~"$job", instance=~"$instance"`) {
			t.Errorf("%q does not heed the variables: %s", p.Title, q.Expr)
		}
	}
}

// Every question of the dashboard is put into a file of rules, so that
// Prometheus reads it.
func TestPrometheusUnderstandsTheDashboard(t *testing.T) {
	variables := strings.NewReplacer("$__rate_interval", "5m", "$job", ".+", "$instance", ".+")
	type rule struct {
		Record string `yaml:"record"`
		Expr   string `yaml:"expr"`
	}
	var rules []rule
	for _, p := range grafana(t).Panels {
		for _, q := range p.Targets {
			rules = append(rules, rule{fmt.Sprintf("panel_%d_%s", p.ID, q.RefID), variables.Replace(q.Expr)})
			if left := regexp.MustCompile(`\$\w+`).FindString(rules[len(rules)-1].Expr); left != "" {
				t.Errorf("%q uses %s, which is no variable", p.Title, left)
			}
		}
	}
	text, err := yaml.Marshal(map[string]any{"groups": []any{map[string]any{"name": "dashboard", "rules": rules}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "dashboard.rules.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	promtool(t, "check", "rules", file)
}
