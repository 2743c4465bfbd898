package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnInterruptedBenchKeepsTheEarlierReport(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(file, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var errs strings.Builder
	p := &Program{Stdout: io.Discard, Stderr: &errs}
	code := p.Run(ctx, []string{"bench", "--url", "http://127.0.0.1:1/graphql", "--devices", "1", "--json", file})
	if kept, err := os.ReadFile(file); code != ExitFailed || err != nil || string(kept) != "{}" {
		t.Errorf("exit code %d, the file has %q, %v: %s", code, kept, err, &errs)
	}
	if code = p.Run(ctx, []string{"bench", "--json", filepath.Join(file, "missing")}); code != ExitFailed || !strings.Contains(errs.String(), "missing") {
		t.Errorf("exit code %d: %s", code, &errs)
	}
}
