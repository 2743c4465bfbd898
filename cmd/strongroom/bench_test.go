package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"strongroom/internal/bench"
	"strongroom/internal/cli"
)

func TestBenchMeasuresAServerThatRunsAlready(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, filepath.Join(dir, "data"), "--rsa-bits", "2048", "--key-pool", "0")
	file := filepath.Join(dir, "out.json")
	var out, progress strings.Builder
	code := run(t.Context(), []string{"bench", "--url", s.api + "/graphql", "--pid", strconv.Itoa(os.Getpid()), "--rsa-bits", "2048",
		"--load", "verify:2", "--load", "existing:1", "--load", "issue:rate=4,clients=2", "--devices", "3", "--pool", "12",
		"--floors", "0s", "--warmup", "0s", "--duration", "3s", "--json", file}, &out, &progress)
	if code != cli.ExitOK {
		t.Fatalf("%d: %s", code, progress.String())
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var report bench.Report
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	r := report.Sections[0].Runs[0]
	for i, kind := range []string{"verify", "existing", "issue"} {
		l := r.Loads[i]
		if len(l.Codes) != 0 || len(l.Results) != 1 || l.Results[0].Kind != kind || l.Results[0].Latency.P50 <= 0 {
			t.Errorf("%s: %+v", kind, l)
		}
	}
	if r.ServerCPU <= 0 || r.PeakMiB < r.MiB || r.MiB <= 0 {
		t.Errorf("CPU and memory of the server: %+v", r)
	}
	s.stop()
	if code := <-s.code; code != cli.ExitOK {
		t.Errorf("the server ended with %d", code)
	}
	if code := run(t.Context(), []string{"audit", "verify", "--data-dir", filepath.Join(dir, "data")}, &out, &progress); code != cli.ExitOK {
		t.Errorf("what bench left behind is not intact: %s", out.String())
	}
}
