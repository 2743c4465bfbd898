package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"strongroom/internal/backup"
	"strongroom/internal/cli"
)

// verifyBackup runs backup verify, and returns its exit code and output.
func verifyBackup(t *testing.T, path, dir string, more ...string) (code int, says string) {
	t.Helper()
	var out strings.Builder
	code = run(t.Context(), append([]string{"backup", "verify", path, "--data-dir", dir}, more...), &out, &out)
	return code, out.String()
}

// Verify reports a change of any part of a backup and exits with 1.
func TestADamagedBackupIsFound(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	output(t, "bench", "fill", dir, "--devices", "2", "--rsa-bits", "2048")
	path := filepath.Join(t.TempDir(), "backup")
	output(t, "backup", path, "--data-dir", dir)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if code, says := verifyBackup(t, path, dir); code != cli.BackupGood {
		t.Fatalf("exit code %d of a good backup:\n%s", code, says)
	}
	damaged := map[string][]byte{
		"cut off":             whole[:len(whole)-1],
		"cut in the manifest": whole[:100],
		"longer":              append(bytes.Clone(whole), 'x'),
		"empty database":      whole[:bytes.IndexByte(whole[20:], '\n')+21],
		"another count":       bytes.Replace(whole, []byte(`"device_key":2`), []byte(`"device_key":1`), 1),
		"another hash":        bytes.Replace(whole, []byte(`"sha256":"`), []byte(`"sha256":"0`), 1),
		"another head":        bytes.Replace(whole, []byte(`"seq":`), []byte(`"seq":1`), 1),
		"no manifest":         bytes.Replace(whole, []byte(`{"version"`), []byte(`["version"`), 1),
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	damaged["a flipped bit"] = flipped
	for what, content := range damaged {
		if bytes.Equal(content, whole) {
			t.Errorf("%s: nothing was changed", what)
		}
		bad := filepath.Join(t.TempDir(), "backup")
		if err := os.WriteFile(bad, content, 0o600); err != nil {
			t.Fatal(err)
		}
		code, says := verifyBackup(t, bad, dir)
		if code != cli.BackupDamaged || !strings.Contains(says, "the backup is damaged: ") || strings.Contains(says, "Good") {
			t.Errorf("%s: exit code %d:\n%s", what, code, says)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(bad), ".*")); len(left) > 0 {
			t.Errorf("%s: verify leaves %v", what, left)
		}
	}
}

// edited copies a backup, runs the statements on its database, and makes the manifest agree.
func edited(t *testing.T, path, statements string) (to string) {
	t.Helper()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitN(whole, []byte{'\n'}, 3)
	unpack, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer unpack.Close()
	database, err := unpack.DecodeAll(lines[2], nil)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "database")
	if err := os.WriteFile(file, database, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if database, err = os.ReadFile(file); err != nil {
		t.Fatal(err)
	}
	var m backup.Manifest
	if err := json.Unmarshal(lines[1], &m); err != nil {
		t.Fatal(err)
	}
	m.Size, m.SHA256 = int64(len(database)), fmt.Sprintf("%x", sha256.Sum256(database))
	if lines[1], err = json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	pack, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	lines[2] = pack.EncodeAll(database, nil)
	to = filepath.Join(t.TempDir(), "backup")
	if err := os.WriteFile(to, bytes.Join(lines, []byte{'\n'}), 0o600); err != nil {
		t.Fatal(err)
	}
	return to
}

// Such a part would use minutes and gigabytes of the machine that verifies or restores the
// backup, and later of the service. TestTheSchemaIsCheckedBeforeThePages asserts the order.
func TestABackupWithAPartThatRunsIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	output(t, "bench", "fill", dir, "--devices", "2", "--rsa-bits", "2048")
	path := filepath.Join(t.TempDir(), "backup")
	output(t, "backup", path, "--data-dir", dir)
	if code, says := verifyBackup(t, edited(t, path, "CREATE INDEX by_name ON setting (name)"), dir); code != cli.BackupGood {
		t.Errorf("exit code %d with a plain index:\n%s", code, says)
	}
	for what, statements := range map[string]string{
		"index evil": "CREATE INDEX evil ON setting (name) WHERE length(hex(zeroblob(480000000))) = 7",
		"index grow": "CREATE INDEX grow ON setting (length(value))",
		"table evil": "CREATE TABLE evil (a CHECK (length(hex(zeroblob(480000000))) > a))",
	} {
		want := `the backup is damaged: database holds "` + what + `", which strongroom did not make`
		bad := edited(t, path, statements)
		if code, says := verifyBackup(t, bad, dir); code != cli.BackupDamaged || !strings.Contains(says, want) {
			t.Errorf("%s: verify exits %d:\n%s", what, code, says)
		}
		target := t.TempDir()
		var out strings.Builder
		code := run(t.Context(), []string{"restore", bad, "--data-dir", target, "--root-key", "file:" + filepath.Join(dir, "root.key"), "--reason", "drill"}, &out, &out)
		if _, err := os.Lstat(filepath.Join(target, "strongroom.db")); code != 1 || err == nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s: restore exits %d, %v:\n%s", what, code, err, &out)
		}
	}
}

// verify refuses a backup of a database that was edited.
func TestABackupOfAnEditedDatabaseIsFound(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	output(t, "bench", "fill", dir, "--devices", "2", "--rsa-bits", "2048")
	db, err := sql.Open("sqlite", filepath.Join(dir, "strongroom.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`UPDATE attempts SET failures = failures + 1`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "backup")
	output(t, "backup", path, "--data-dir", dir)
	if code, says := verifyBackup(t, path, dir); code != cli.BackupDamaged || !strings.Contains(says, "DAMAGED  attempts/") {
		t.Errorf("exit code %d:\n%s", code, says)
	}
}

// The next run removes what a killed run left, but not the directory of a run in
// progress.
func TestLeftoversOfAKilledBackupAreRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	output(t, "bench", "fill", dir, "--devices", "1", "--rsa-bits", "2048")
	backups := t.TempDir()
	left := filepath.Join(backups, ".strongroom-backup-123")
	if err := os.Mkdir(left, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(left, "database"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	var says strings.Builder
	if code := run(t.Context(), []string{"backup", backups, "--data-dir", dir}, io.Discard, &says); code != 0 {
		t.Fatalf("exit code %d: %s", code, &says)
	}
	if want := "removed " + left + ", which an interrupted run left"; !strings.Contains(says.String(), want) {
		t.Errorf("it says %q, want %q", &says, want)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("the directory is still there")
	}
}

// A SQLite database that is restored must be on the file system of its directory.
func TestASQLiteRestoreRefusesATempDir(t *testing.T) {
	dir, target := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "new")
	output(t, "bench", "fill", dir, "--devices", "1", "--rsa-bits", "2048")
	path := filepath.Join(t.TempDir(), "the backup")
	if says := output(t, "backup", path, "--data-dir", dir); !strings.Contains(says, "strongroom backup verify '"+path+"'\n") {
		t.Errorf("the printed command has no quotes:\n%s", says)
	}
	code, says := verifyBackup(t, path, dir, "--temp-dir", filepath.Join(target, "missing"))
	if code != cli.BackupUnreadable || !strings.Contains(says, "name another directory with --temp-dir") {
		t.Errorf("exit code %d of a check in a missing directory:\n%s", code, says)
	}
	var out strings.Builder
	restore := []string{"restore", path, "--data-dir", target, "--root-key", "file:" + filepath.Join(dir, "root.key"), "--reason", "drill"}
	code = run(t.Context(), append(restore, "--temp-dir", t.TempDir()), &out, &out)
	if _, err := os.Lstat(target); code != cli.ExitUsage || err == nil || !strings.Contains(out.String(), "--temp-dir is for a restore into PostgreSQL") {
		t.Errorf("exit code %d of a restore, %v:\n%s", code, err, &out)
	}
	output(t, restore...)
}

// Otherwise an operator would believe that no file with the accounts and the trail exists.
func TestABackupThatWasWrittenBeforeAnInterruptionIsReported(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	output(t, "bench", "fill", dir, "--devices", "1", "--rsa-bits", "2048")
	for range 3 {
		path := filepath.Join(t.TempDir(), "backup")
		ctx, interrupt := context.WithCancel(t.Context())
		go func() {
			for ctx.Err() == nil {
				if _, err := os.Lstat(path); err == nil {
					interrupt()
				}
			}
		}()
		var out, errs strings.Builder
		code := run(ctx, []string{"backup", path, "--data-dir", dir}, &out, &errs)
		interrupt()
		if _, err := os.Lstat(path); err != nil || code != cli.ExitOK || !strings.Contains(out.String(), "Wrote "+path) {
			t.Errorf("exit code %d, %v:\n%s%s", code, err, &out, &errs)
		}
	}
}

// interrupting is the output of a command. It interrupts the command when it prints a text.
type interrupting struct {
	strings.Builder
	at        string
	interrupt func()
}

func (i *interrupting) Write(p []byte) (int, error) {
	if strings.Contains(string(p), i.at) {
		i.interrupt()
	}
	return i.Builder.Write(p)
}

// Otherwise an operator would throw a good backup away.
func TestAnInterruptedCheckDoesNotCallABackupDamaged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	output(t, "bench", "fill", dir, "--devices", "1", "--rsa-bits", "2048")
	path := filepath.Join(t.TempDir(), "backup")
	output(t, "backup", path, "--data-dir", dir)
	target := t.TempDir()
	for name, args := range map[string][]string{
		"verify":  {"backup", "verify", path, "--data-dir", dir},
		"restore": {"restore", path, "--data-dir", target, "--root-key", "file:" + filepath.Join(dir, "root.key"), "--reason", "drill"},
	} {
		for when, at := range map[string]string{"before it is unpacked": "", "after it was unpacked": "SHA-256:"} {
			ctx, interrupt := context.WithCancel(t.Context())
			if at == "" {
				interrupt()
			}
			says := &interrupting{at: at, interrupt: interrupt}
			code := run(ctx, args, says, says)
			interrupt()
			if code != cli.BackupUnreadable || !strings.HasSuffix(says.String(), "the backup cannot be read: interrupted\n") {
				t.Errorf("%s, %s: exit code %d:\n%s", name, when, code, says)
			}
		}
	}
	for _, parent := range []string{filepath.Dir(path), target} {
		if left, _ := filepath.Glob(filepath.Join(parent, ".strongroom*")); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	}
	if _, err := os.Lstat(filepath.Join(target, "strongroom.db")); err == nil {
		t.Error("an interrupted restore left a database")
	}
}

// Linux fails to read the first page of a process's memory, as a bad disk fails to read a file.
func TestADiskThatCannotBeReadDoesNotMakeABackupDamaged(t *testing.T) {
	const unreadable = "/proc/self/mem"
	if _, err := os.Stat(unreadable); err != nil {
		t.Skip("SKIPPED: no " + unreadable)
	}
	code, says := verifyBackup(t, unreadable, t.TempDir())
	if code != cli.BackupUnreadable || !strings.Contains(says, "the backup cannot be read: read "+unreadable+": input/output error") {
		t.Errorf("exit code %d:\n%s", code, says)
	}
}

// A read of a pipe that nobody writes to waits forever, and a signal would not end it.
func TestPipesAreRefusedWhereFilesAreRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	output(t, "bench", "fill", dir, "--devices", "1", "--rsa-bits", "2048")
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"restore", pipe, "--reason", "drill", "--data-dir", t.TempDir()},
		{"restore", pipe, "--reason", "drill", "--data-dir", t.TempDir(), "--replay", pipe},
		{"backup", "verify", pipe, "--data-dir", dir},
		{"backup", t.TempDir(), "--data-dir", dir, "--recipients-file", pipe},
		{"audit", "verify", "--data-dir", dir, "--archive", pipe},
		{"audit", "export", "--data-dir", dir, "--since-file", pipe},
	} {
		var says strings.Builder
		ended := make(chan int, 1)
		go func() { ended <- run(t.Context(), args, io.Discard, &says) }()
		select {
		case code := <-ended:
			if code == cli.ExitOK || !strings.Contains(says.String(), pipe+" is not a regular file; name a file") {
				t.Errorf("%v: exit code %d:\n%s", args, code, &says)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("%v waits for the pipe", args)
		}
	}
}
