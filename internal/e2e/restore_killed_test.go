package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"strongroom/internal/store/postgres/pgtest"
)

// filledAndBackedUp is a stopped service with 2000 devices, and a backup of it.
func filledAndBackedUp(t *testing.T) (i *instance, backup string) {
	t.Helper()
	i = &instance{t: t, dataDir: filepath.Join(t.TempDir(), "data"), log: &lockedBuffer{}}
	if out, err := exec.Command(binary(t), "bench", "fill", i.dataDir, "--devices", "2000", "--rsa-bits", "2048").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	backup = filepath.Join(t.TempDir(), "backup")
	i.wants(0, "It contains 2000 accounts", "backup", backup)
	return i, backup
}

// killRestore starts a restore and kills it (kill -9) when it has come as far as
// reached says. It says whether the restore was killed before its end.
func (i *instance) killRestore(reached func() bool, args ...string) bool {
	i.t.Helper()
	c := exec.Command(binary(i.t), append([]string{"restore", "--data-dir", i.dataDir, "--reason", "drill"}, args...)...)
	c.Env = cleanEnv()
	if err := c.Start(); err != nil {
		i.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for {
		select {
		case err := <-ended:
			if err != nil {
				i.t.Fatalf("the restore failed: %v", err)
			}
			return false
		default:
		}
		if reached() {
			_ = c.Process.Kill()
			return (<-ended) != nil
		}
	}
}

// answersRight starts the service on a restored database, and asks for the PIN of a
// device that the backup has.
func (i *instance) answersRight() {
	i.t.Helper()
	i.run()
	defer i.kill()
	key := i.mustIssue(generate, "bench-00000007")
	i.expect("the right PIN", i.try(verifyPIN, key, "493817"), "true")
	i.expect("a wrong PIN", i.try(verifyPIN, key, "000000"), "false")
	i.auditIntact()
}

// kill -9 during a restore leaves no database, wherever it strikes, and the next
// restore clears away what is left.
func TestAKilledRestoreLeavesNoDatabase(t *testing.T) {
	t.Parallel()
	i, backup := filledAndBackedUp(t)
	i.emptied(func() []string { return nil })
	inside := func(name string) func() bool {
		return func() bool {
			left, _ := filepath.Glob(filepath.Join(i.dataDir, ".strongroom-backup-*", name))
			return len(left) > 0
		}
	}
	for when, reached := range map[string]func() bool{"it unpacks": inside("strongroom.db"), "it checks": inside("strongroom.db-wal")} {
		if !i.killRestore(reached, backup) {
			t.Fatalf("no restore was killed while %s", when)
		}
		if _, err := os.Lstat(filepath.Join(i.dataDir, "strongroom.db")); err == nil {
			t.Fatalf("killed while %s, the restore left a database", when)
		}
	}
	i.wants(0, "which an interrupted run left", "restore", backup, "--reason", "the disk is gone")
	if left, _ := filepath.Glob(filepath.Join(i.dataDir, ".strongroom-*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	i.answersRight()
}

// A restore that is killed just after it named the database leaves a second name for it.
func TestAServerStartsAfterARestoreWasKilledAtItsEnd(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.stop()
	left := filepath.Join(i.dataDir, ".strongroom-backup-1")
	if err := os.Mkdir(left, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(i.dataDir, "strongroom.db"), filepath.Join(left, "strongroom.db")); err != nil {
		t.Fatal(err)
	}
	i.run()
	if _, err := os.Lstat(left); err == nil || !strings.Contains(i.log.String(), "removed a directory that an interrupted backup or restore left") {
		t.Errorf("%v; the log: %s", err, i.log)
	}
}

// kill -9 while rows are copied into PostgreSQL leaves a database that no server
// takes for a whole one, and that no restore continues.
func TestAKilledRestoreIntoPostgreSQLIsNotServed(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	i, backup := filledAndBackedUp(t)
	database := func(name string) []string {
		server.Exec(t, "postgres", "CREATE DATABASE "+name)
		return []string{"--database", server.URL(name)}
	}
	half := false
	for n := 0; n < 10 && !half; n++ {
		name := fmt.Sprintf("restored%d", n)
		i.args = database(name)
		half = i.killRestore(hasRows(t, server.URL(name)), append([]string{backup}, i.args...)...)
	}
	if !half {
		t.Fatal("no restore was killed in time")
	}
	refused(t, "a server on half a restore", i.dataDir, "drop it, create it again, and restore again", i.args...)
	i.wants(1, "drop the database and create it again", append([]string{"restore", backup, "--reason", "again"}, i.args...)...)
	i.args = database("anew")
	i.wants(0, "in epoch 2 (before: 1)", append([]string{"restore", backup, "--reason", "the disk is gone"}, i.args...)...)
	i.wants(0, "Intact", append([]string{"audit", "verify"}, i.args...)...)
	i.answersRight()
}

// hasRows reports whether a database already has devices.
func hasRows(t *testing.T, url string) func() bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	c, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Close(ctx)
		cancel()
	})
	return func() bool {
		n := 0
		err := c.QueryRow(ctx, "SELECT count(*) FROM device_key").Scan(&n) // fails before the table exists
		return err == nil && n > 0
	}
}

// With --restored-attempts kept, an account has the attempts that the backup says.
func TestARestoreCanKeepTheAttemptsOfTheBackup(t *testing.T) {
	t.Parallel()
	i := start(t)
	k := i.mustIssue(generate, "phone")
	i.expect("set", i.try("setTransactionPin", k, "493817"), "true")
	for range 3 {
		i.expect("a wrong PIN before the backup", i.try(verifyPIN, k, "000000"), "false")
	}
	path := filepath.Join(t.TempDir(), "backup")
	i.wants(0, "Wrote", "backup", path)
	i.stop()
	i.emptied(func() []string { return nil })
	i.wants(0, "in epoch 2", "restore", path, "--reason", "drill")
	i.args = []string{"--restored-attempts", "kept"}
	i.run()
	for range 2 {
		i.expect("the fourth and fifth wrong PIN", i.try(verifyPIN, k, "000000"), "false")
	}
	i.expect("the sixth", i.try(verifyPIN, k, "493817"), "CREDENTIAL_LOCKED")
}
