package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
)

// background is a program of a test's own that serves on an address.
func background(t testing.TB, ready, program string, args ...string) {
	t.Helper()
	log := &lockedBuffer{}
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("%s: %s", program, tail(log.String(), 2<<10))
		}
	})
	await(t, program+" is ready", 5*time.Second, func() bool {
		resp, err := http.Get(ready)
		if err != nil {
			return false
		}
		resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
}

// monitor is a real Prometheus that scrapes instances.
type monitor struct {
	t    testing.TB
	base string
}

// watch starts Prometheus with our rules. It scrapes the instances, by the names of job
// and instance, as often as interval says, and sends alerts to an Alertmanager if there
// is one.
func watch(t *testing.T, interval, alertmanager string, instances map[string]*instance) *monitor {
	t.Helper()
	need(t, "prometheus")
	dir := t.TempDir()
	rules, err := filepath.Abs("../../deploy/prometheus/strongroom.rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var scrapes []any
	for _, name := range slices.Sorted(maps.Keys(instances)) {
		i := instances[name]
		job, of, _ := strings.Cut(name, "/")
		token := filepath.Join(dir, job+"-"+of+".token")
		if err := os.WriteFile(token, []byte(strings.TrimPrefix(i.bearer(), "Bearer ")), 0o600); err != nil {
			t.Fatal(err)
		}
		// Each has its own token, so each has its own job.
		label := func(name, value string) any { return map[string]any{"target_label": name, "replacement": value} }
		scrapes = append(scrapes, map[string]any{
			"job_name": name, "authorization": map[string]any{"credentials_file": token},
			"static_configs":  []any{map[string]any{"targets": []string{strings.TrimPrefix(i.admin, "http://")}}},
			"relabel_configs": []any{label("job", job), label("instance", of)},
		})
	}
	config := map[string]any{
		"global": map[string]any{"scrape_interval": interval, "scrape_timeout": interval, "evaluation_interval": interval,
			"external_labels": map[string]any{"strongroom_console": "https://vault.example.com"}},
		"rule_files": []string{rules}, "scrape_configs": scrapes,
	}
	if alertmanager != "" {
		config["alerting"] = map[string]any{"alertmanagers": []any{map[string]any{"static_configs": []any{map[string]any{"targets": []string{alertmanager}}}}}}
	}
	text, err := yaml.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "prometheus.yml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	address := freeAddress(t)
	m := &monitor{t, "http://" + address}
	background(t, m.base+"/-/ready", "prometheus", "--config.file="+file, "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+address)
	return m
}

// sample is one series of an answer.
type sample struct {
	Metric map[string]string
	Value  [2]any
}

// query asks Prometheus for the present value of an expression.
func (m *monitor) query(expr string) ([]sample, error) {
	resp, err := http.Get(m.base + "/api/v1/query?query=" + url.QueryEscape(expr))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var answer struct {
		Error string
		Data  struct{ Result []sample }
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return nil, err
	}
	if answer.Error != "" {
		return nil, fmt.Errorf("%s", answer.Error)
	}
	return answer.Data.Result, nil
}

// checkMetrics lets promtool look at names and help texts of a scrape.
func checkMetrics(t *testing.T, scrape string) {
	t.Helper()
	need(t, "promtool")
	cmd := exec.Command("promtool", "check", "metrics")
	cmd.Stdin = strings.NewReader(scrape)
	out, err := cmd.CombinedOutput()
	for line := range bytes.Lines(out) {
		// The key-generation counter is a thing, and these names are released.
		if !strings.HasPrefix(string(line), "strongroom_key_counter_e") {
			t.Errorf("promtool check metrics: %s", line)
			err = nil
		}
	}
	if err != nil && len(out) == 0 {
		t.Error(err)
	}
}
