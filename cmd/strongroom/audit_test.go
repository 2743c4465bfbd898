package main

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"strongroom/internal/cli"
)

// audit verify does not change the database, which may be evidence: neither an intact
// one nor one whose rotation plans were edited.
func TestAuditVerifyWritesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := serve(t, dir, "--rsa-bits", "2048")
	if status, answer := request(t, "POST", s.api+"/api/encryption/keys", `{"deviceId":"phone"}`, ""); status != 200 {
		t.Fatalf("a key: %d %s", status, answer)
	}
	s.stop()
	<-s.code
	command := func(want int, args ...string) string {
		t.Helper()
		var out, problems strings.Builder
		if code := run(t.Context(), append(args, "--data-dir", dir), &out, &problems); code != want {
			t.Fatalf("%q: %d\n%s%s", args, code, &out, &problems)
		}
		return out.String()
	}
	command(cli.ExitOK, "admin", "rotation", "start", "--key-size", "2048", "--reason", "yearly")

	database := filepath.Join(dir, "strongroom.db")
	unchanged := func(look func()) {
		t.Helper()
		before := digestOf(t, database)
		look()
		if after := digestOf(t, database); after != before {
			t.Error("the database was written to")
		}
	}
	unchanged(func() { command(cli.AuditIntact, "audit", "verify") })
	db, err := sql.Open("sqlite", database)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(`UPDATE setting SET value = CAST(replace(CAST(value AS TEXT), '"bits":2048', '"bits":3072') AS BLOB) WHERE name = 'rotation_plans'`)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	unchanged(func() {
		if out := command(cli.AuditDamaged, "audit", "verify"); !strings.Contains(out, "DAMAGED  setting/rotation_plans: the setting was edited\n") {
			t.Errorf("it says %q", out)
		}
	})
	unchanged(func() { command(cli.ExitOK, "audit", "export") })
}

// digestOf returns a digest of the database file and its write-ahead log.
func digestOf(t *testing.T, database string) (sum [sha256.Size]byte) {
	t.Helper()
	h := sha256.New()
	for _, name := range []string{database, database + "-wal"} {
		f, err := os.Open(name)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(h, f)
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	copy(sum[:], h.Sum(nil))
	return sum
}

// If the end of the trail was removed while no server ran, the next server reports it and
// signs nothing.
func TestAServerComparesTheTrailWithTheCheckpointFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	key, file := filepath.Join(t.TempDir(), "checkpoint.key"), filepath.Join(t.TempDir(), "checkpoints")
	var out, problems strings.Builder
	if code := run(t.Context(), []string{"audit", "checkpoint-key", "create", key}, &out, &problems); code != cli.ExitOK {
		t.Fatalf("a key: %s", problems.String())
	}
	flags := []string{"--rsa-bits", "2048", "--checkpoint-key", "file:" + key, "--checkpoint-sink", "file:" + file, "--checkpoint-interval", "1s"}
	s := serve(t, dir, flags...)
	checkpoints := func(n int) func() bool {
		return func() bool {
			text, err := os.ReadFile(file)
			return err == nil && bytes.Count(text, []byte("strongroom/")) >= n
		}
	}
	awaited(t, "checkpoint", checkpoints(1))
	if status, answer := request(t, "POST", s.api+"/api/encryption/keys", `{"deviceId":"phone"}`, ""); status != 200 {
		t.Fatalf("a key: %d %s", status, answer)
	}
	awaited(t, "second checkpoint", checkpoints(2))
	s.stop()
	<-s.code
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "strongroom.db"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec("DELETE FROM audit_log WHERE seq >= (SELECT min(seq) FROM audit_log WHERE event = 'key.issued')")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}

	problems.Reset()
	if code := run(t.Context(), append([]string{"serve", "--data-dir", dir, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"}, flags...), &out, &problems); code != cli.ExitUsage {
		t.Fatalf("a start on a truncated trail ends with %d, want %d", code, cli.ExitUsage)
	}
	_, named, _ := strings.Cut(problems.String(), "--accept-restored ")
	named, _, _ = strings.Cut(named, ";")
	s = serve(t, dir, append(flags, "--accept-restored", named)...)
	awaited(t, "line about it", func() bool {
		return strings.Contains(s.log.String(), "the audit trail differs from the last checkpoint")
	})
	token, err := os.ReadFile(filepath.Join(dir, "admin.token"))
	if err != nil {
		t.Fatal(err)
	}
	if _, scrape := request(t, "GET", s.operator+"/metrics", "", strings.TrimSpace(string(token))); !strings.Contains(scrape, "\nstrongroom_checkpoint_age_seconds ") ||
		strings.Contains(scrape, `strongroom_checkpoint_failures_total{reason="trail"} 0`) {
		t.Errorf("a scrape reports no failure:\n%s", scrape)
	}
	s.stop()
	<-s.code
	if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, good) {
		t.Errorf("the trail was signed:\n%s%v", now, err)
	}
}

// awaited waits for what another goroutine does.
func awaited(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no %s within a minute", what)
		}
	}
}
