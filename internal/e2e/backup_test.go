package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"strongroom/internal/store/postgres/pgtest"
)

// load verifies with all keys without pause until it is stopped.
func (i *instance) load(keys []keyPair, secret string) (stop func()) {
	end := make(chan struct{})
	var working, warm sync.WaitGroup
	warm.Add(len(keys))
	for _, key := range keys {
		working.Go(func() {
			for n := 0; ; n++ {
				if got := i.try("verifyTransactionPin", key, secret); got != "true" {
					i.t.Errorf("a verification beside the backup: %s", got)
				}
				if n == 0 {
					warm.Done()
				}
				select {
				case <-end:
					return
				default:
					pause()
				}
			}
		})
	}
	warm.Wait()
	return func() {
		close(end)
		working.Wait()
	}
}

// A backup of a running service ends while the service writes. It stops nothing, is
// complete, and contains no secret. After a restore, the verifications that were under way
// lock nobody out.
func TestABackupUnderLoadIsComplete(t *testing.T) {
	t.Parallel()
	const secret = "7391842056"
	for engine, args := range map[string][]string{
		"SQLite":     nil,
		"PostgreSQL": {"--database", pgtest.Start(t).URL("postgres")},
	} {
		t.Run(engine, func(t *testing.T) {
			i := start(t, args...)
			keys := make([]keyPair, 4)
			for n := range keys {
				keys[n] = i.mustIssue(generate, fmt.Sprintf("phone-%d", n))
				i.expect("set", i.try("setTransactionPin", keys[n], secret), "true")
			}
			path := filepath.Join(t.TempDir(), "backup")
			stop := i.load(keys, secret)
			out, code := i.command(append([]string{"backup", path}, args...)...)
			stop()
			if code != 0 || !strings.Contains(out, "It contains 4 accounts, 4 keys") {
				t.Fatalf("backup exits %d:\n%s", code, out)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the backup: %v %v", info, err)
			}
			i.wants(0, "Good: the root key opens it", append([]string{"backup", "verify", path, "--note"}, args...)...)
			i.wants(0, "Intact", append([]string{"audit", "verify"}, args...)...)
			searchBackup(t, path, secret, filepath.Join(i.dataDir, "root.key"))
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
			if code := i.stop(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			i.emptied(func() []string { return nil })
			i.wants(0, "in epoch 2", "restore", path, "--reason", "drill")
			i.run()
			for _, key := range keys {
				i.expect("the right PIN after the restore", i.try(verifyPIN, key, secret), "true")
			}
		})
	}
}

// searchBackup looks for a PIN, a private key and the root key in the archive and in
// the database that is unpacked of it.
func searchBackup(t *testing.T, path, secret, rootKey string) {
	t.Helper()
	archive, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.ReadFile(rootKey)
	if err != nil {
		t.Fatal(err)
	}
	database := unpacked(t, archive)
	if !bytes.Contains(database, []byte("phone-3")) {
		t.Error("the search finds no device in the database: it would find no secret either")
	}
	all := append(needles("the PIN", []byte(secret)), privateKeyNeedles()...)
	all = append(all, needles("the root key", bytes.TrimSpace(root))...)
	for _, find := range append(found("the archive", archive, all), found("the database in it", database, all)...) {
		t.Error(find)
	}
}

// unpacked is the database in an archive.
func unpacked(t *testing.T, archive []byte) []byte {
	t.Helper()
	manifest := bytes.IndexByte(archive[20:], '\n') + 21
	z, err := zstd.NewReader(bytes.NewReader(archive[manifest:]))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var database bytes.Buffer
	if _, err := z.WriteTo(&database); err != nil {
		t.Fatal(err)
	}
	return database.Bytes()
}

// kill -9 during a backup leaves no file under the name of the backup, and the next
// run removes the copy of the database that was left.
func TestAKilledBackupLeavesNothing(t *testing.T) {
	t.Parallel()
	i := &instance{t: t, dataDir: filepath.Join(t.TempDir(), "data"), log: &lockedBuffer{}}
	if out, err := exec.Command(binary(t), "bench", "fill", i.dataDir, "--devices", "2000", "--rsa-bits", "2048").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	backups := t.TempDir()
	killed := 0
	for n := 0; n < 20 && killed < 3; n++ {
		path := filepath.Join(backups, fmt.Sprintf("backup-%d", n))
		c := exec.Command(binary(t), "backup", path, "--data-dir", i.dataDir)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
			if left, _ := filepath.Glob(filepath.Join(backups, ".strongroom-backup-*", "database")); len(left) > 0 {
				break
			}
			if _, err := os.Stat(path); err == nil { // too late
				break
			}
		}
		_ = c.Process.Kill()
		_ = c.Wait()
		if _, err := os.Stat(path); err == nil {
			i.wants(0, "Good", "backup", "verify", path) // it had its name already, so it is whole
			continue
		}
		killed++
	}
	if killed == 0 {
		t.Fatal("no backup was killed in time")
	}
	i.wants(0, "which an interrupted run left", "backup", filepath.Join(backups, "last"))
	i.wants(0, "Good", "backup", "verify", filepath.Join(backups, "last"))
	if left, _ := filepath.Glob(filepath.Join(backups, ".*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
