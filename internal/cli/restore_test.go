package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// SQLite would roll a journal of another database back into the restored one.
func TestARestoreRefusesEachFileOfAnotherDatabase(t *testing.T) {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "strongroom.db"+suffix), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		p := &Program{Stdout: &out, Stderr: &out}
		code := p.Run(t.Context(), []string{"restore", filepath.Join(dir, "no.backup"), "--data-dir", dir, "--reason", "drill"})
		if want := "strongroom.db" + suffix + " exists: restore into a directory without a database"; code != ExitFailed || !strings.Contains(out.String(), want) {
			t.Errorf("exit code %d: %s", code, out.String())
		}
	}
}
