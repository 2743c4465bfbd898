package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strongroom/internal/cli"
)

// An operator who unlocks or erases in the wrong cell finds no account, or another one.
func TestAServerOfAnotherCellThanItsLineIsReported(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, dir, "--cell", "eu2")
	request(t, "POST", s.api+"/api/encryption/keys", `{"deviceId":"phone"}`, "")
	ask := func(tag string, args ...string) (out string, code int) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "cells.list")
		if err := os.WriteFile(file, []byte(tag+" "+s.operator+" "+filepath.Join(dir, "admin.token")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr strings.Builder
		code = run(t.Context(), append([]string{"admin", "cells", file}, args...), &stdout, &stderr)
		return stdout.String() + stderr.String(), code
	}
	for _, args := range [][]string{nil, {"--json"}, {"--find", "phone"}} {
		if out, code := ask("eu2", args...); code != cli.ExitOK {
			t.Errorf("%v: exit code %d: %s", args, code, out)
		}
		out, code := ask("eu1", args...)
		if code != cli.ExitFailed || !strings.Contains(out, "is of cell eu2 (its setting --cell)") || !strings.Contains(out, "1 of 1 cells are missing in the result") {
			t.Errorf("%v: exit code %d: %s", args, code, out)
		}
		for _, shown := range []string{"yes", "phone", `"totalOperations":1`} {
			if strings.Contains(out, shown) {
				t.Errorf("%v: the answer of another cell is shown: %s", args, out)
			}
		}
	}
}
