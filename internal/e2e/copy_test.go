package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"strongroom/internal/store/postgres/pgtest"
)

// moved copies the files of a kept database into a data directory of the
// test's own.
func moved(t *testing.T, dir string, names ...string) *instance {
	t.Helper()
	i := &instance{t: t, dataDir: t.TempDir(), log: &lockedBuffer{}}
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(i.dataDir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return i
}

// wants runs a command, which must end with this code and say this.
func (i *instance) wants(code int, says string, args ...string) {
	i.t.Helper()
	if out, got := i.command(args...); got != code || !strings.Contains(out, says) {
		i.t.Errorf("%s exits %d, want %d and %q:\n%s", strings.Join(args, " "), got, code, says, out)
	}
}

// What was sealed under 0.1.0, in SQLite, opens in PostgreSQL.
func TestADatabaseOfAnEarlierVersionMovesToPostgreSQL(t *testing.T) {
	const kept = "testdata/kept/0.1.0"
	url := pgtest.Start(t).URL("postgres")
	i := moved(t, kept, "strongroom.db", "root.key")
	from := "sqlite:" + filepath.Join(i.dataDir, "strongroom.db")
	var story keptStory
	text, err := os.ReadFile(filepath.Join(kept, keptFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &story); err != nil {
		t.Fatal(err)
	}
	i.wants(1, "Pending migrations:     2, 3", "migrate", "--status")
	i.wants(1, "run strongroom migrate", "copy", "--from", from, "--to", url)
	i.wants(0, "", "migrate")
	i.wants(0, "Pending migrations:     none", "migrate", "--status")
	i.run()
	i.wants(1, "stop the server", "copy", "--from", from, "--to", url)
	if code := i.stop(); code != 0 {
		t.Fatalf("the server exits %d", code)
	}
	before, _ := i.command("audit", "verify")
	i.wants(0, "The copy is complete", "copy", "--from", from, "--to", url)
	i.wants(1, "a finished copy of this database already", "copy", "--from", from, "--to", url)
	i.wants(0, "Engine:                 PostgreSQL", "migrate", "--status", "--database", url)
	if after, _ := i.command("audit", "verify", "--database", url); after != before || !strings.HasPrefix(after, "Intact") {
		t.Errorf("audit verify says\n%sand of the copy\n%s", before, after)
	}

	i.args = []string{"--database", url}
	i.run()
	t.Cleanup(i.kill)
	if sum := i.summary(87840); sum["totalOperations"] != story.Operations || sum["failedOperations"] != story.Failed || sum["uniqueDevices"] != 2 {
		t.Errorf("the summary is %v, want %v operations, %v failed, 2 devices", sum, story.Operations, story.Failed)
	}
	for device, k := range map[string]keyPair{"phone": story.Phone, "tablet": story.Tablet} {
		if got := i.mustIssue(generate, device); got != k {
			t.Errorf("the %s has key %s, want %s", device, got.ID, k.ID)
		}
	}
	i.expect("the passcode", i.try("verifyUserPasscode", story.Phone, story.Passcode), "true")
	i.expect("the PIN", i.try("verifyTransactionPin", story.Phone, story.PIN), "true")
	i.expect("under the rotated key", i.try("verifyTransactionPin", story.Old, story.PIN), "KEY_NOT_USABLE")
	// The tablet had four wrong verdicts: the fifth locks it.
	i.expect("the fifth wrong PIN", i.try("verifyTransactionPin", story.Tablet, "0000"), "false")
	i.expect("the sixth", i.try("verifyTransactionPin", story.Tablet, "0000"), "CREDENTIAL_LOCKED")
	i.wants(0, "Intact", "audit", "verify", "--database", url)
}

// The target of a killed copy cannot be used until the copy runs again. Then the copy is
// complete.
func TestAKilledCopyCanBeResumed(t *testing.T) {
	url := pgtest.Start(t).URL("postgres")
	dir := filepath.Join(t.TempDir(), "data")
	i := &instance{t: t, dataDir: dir, log: &lockedBuffer{}}
	if out, err := exec.Command(binary(t), "bench", "fill", dir, "--devices", "5000", "--rsa-bits", "2048").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	from := "sqlite:" + filepath.Join(dir, "strongroom.db")
	i.killAt("copying account: ", "copy", "--from", from, "--to", url, "--data-dir", dir)
	i.wants(1, "a copy that is not finished", "migrate", "--status", "--database", url)
	i.wants(2, "a copy that is not finished", "audit", "verify", "--database", url)
	i.refusesToServe("a copy that is not finished", "--database", url)
	i.wants(0, "copying account: 5000 rows (5000 by an earlier run)", "copy", "--from", from, "--to", url)
	i.wants(0, "and 25000 records that agree", "audit", "verify", "--database", url)
}

// refusesToServe starts a server that must end by itself, saying why.
func (i *instance) refusesToServe(says string, args ...string) {
	i.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	args = append([]string{"serve", "--data-dir", i.dataDir, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"}, args...)
	cmd := exec.CommandContext(ctx, binary(i.t), args...)
	cmd.Env = append(cleanEnv(), i.env...)
	if out, err := cmd.CombinedOutput(); err == nil || ctx.Err() != nil || !strings.Contains(string(out), says) {
		i.t.Errorf("serve ends with %v, want %q:\n%s", err, says, out)
	}
}

// killAt starts a command and kills it when it writes a line that begins so.
func (i *instance) killAt(line string, args ...string) {
	i.t.Helper()
	cmd := exec.Command(binary(i.t), args...)
	cmd.Env = cleanEnv()
	out, err := cmd.StderrPipe()
	if err != nil {
		i.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		i.t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), line) {
	}
	if err := cmd.Process.Kill(); err != nil {
		i.t.Errorf("%s was over before %q: %v", args[0], line, err)
	}
	if err := cmd.Wait(); err == nil {
		i.t.Errorf("%s was over before it was killed", args[0])
	}
}
