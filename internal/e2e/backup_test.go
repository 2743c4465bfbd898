package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// The documented backup of a running service ends while the service writes
// without pause, stops nothing, and is a whole database.
func TestABackupUnderLoadIsWhole(t *testing.T) {
	t.Parallel()
	need(t, "sqlite3")
	i := start(t)
	const clients = 4
	keys := make([]keyPair, clients)
	for n := range keys {
		keys[n] = i.mustIssue(generate, fmt.Sprintf("phone-%d", n))
		i.expect("set", i.try("setTransactionPin", keys[n], "493817"), "true")
	}
	stop, verified := make(chan struct{}), make([]int, clients)
	var working, warm sync.WaitGroup
	warm.Add(clients)
	for n := range keys {
		working.Go(func() {
			for {
				if got := i.try("verifyTransactionPin", keys[n], "493817"); got != "true" {
					t.Errorf("a verification beside the backup: %s", got)
				}
				if verified[n]++; verified[n] == 1 {
					warm.Done()
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	warm.Wait()
	backup := filepath.Join(t.TempDir(), "backup.db")
	out, err := exec.Command("sh", "-c", `umask 077; sqlite3 "$1" "VACUUM INTO '$2'"`, "sh", filepath.Join(i.dataDir, "strongroom.db"), backup).CombinedOutput()
	close(stop)
	working.Wait()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if info, err := os.Stat(backup); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup: %v %v", info.Mode(), err)
	}
	rootKey := "file:" + filepath.Join(i.dataDir, "root.key")
	if out, code := i.command("audit", "verify", "--database", "sqlite:"+backup, "--root-key", rootKey); code != 0 {
		t.Errorf("audit verify of the backup exits %d:\n%s", code, out)
	}
	i.auditIntact()
	if code := i.stop(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	// Restored, it goes on where it was.
	restored := startOn(t, t.TempDir(), "--database", "sqlite:"+backup, "--root-key", rootKey)
	for _, k := range keys {
		restored.expect("verify", restored.try("verifyTransactionPin", k, "493817"), "true")
	}
}
