package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// loss is a service that is lost after a backup, with its trail up to then.
type loss struct {
	*instance
	backup, trail string
}

// backedUp backs up a service that is lost later.
func (i *instance) backedUp() *loss {
	i.t.Helper()
	dir := i.t.TempDir()
	l := &loss{i, filepath.Join(dir, "backup"), filepath.Join(dir, "trail.jsonl")}
	i.wants(0, "Wrote", "backup", l.backup)
	return l
}

// restored loses the service, restores the backup with the trail, and starts it again. It
// returns what the restore says.
func (l *loss) restored() string {
	l.t.Helper()
	l.wants(0, "", "audit", "export", "--output", l.trail, "--since-file", l.trail+".state")
	l.stop()
	l.emptied(func() []string { return nil })
	out, code := l.command("restore", l.backup, "--reason", "drill", "--replay", l.trail)
	if code != 0 {
		l.t.Fatalf("restore exits %d: %s", code, out)
	}
	l.run()
	return out
}

// says checks a part of what a command says.
func (l *loss) says(out, want string) {
	l.t.Helper()
	if !strings.Contains(out, want) {
		l.t.Errorf("the restore does not say %q:\n%s", want, out)
	}
}

// A lock stays after a restore, also if the attempts came under a key that was issued
// after the backup: otherwise anyone with a deviceId could get rid of it by a rotation.
func TestARestoreReplaysFailuresUnderANewerKey(t *testing.T) {
	t.Parallel()
	i := start(t)
	rotated := []string{"rotated", "rotated, with a counter in the backup"}
	keys := map[string]keyPair{}
	for _, device := range append(rotated, "same key") {
		keys[device] = i.withPIN(device, "493817")
	}
	i.expect("a wrong PIN", i.try(verifyPIN, keys[rotated[1]], "000000"), "false")
	lost := i.backedUp()
	for _, device := range rotated {
		keys[device] = i.mustIssue(rotate, device)
	}
	for device, k := range keys {
		for i.try(verifyPIN, k, "000000") == "false" {
		}
		i.expect(device, i.try(verifyPIN, k, "493817"), "CREDENTIAL_LOCKED")
	}
	i.expect("a wrong PIN of an account that is not in the backup", i.try(verifyPIN, i.withPIN("new", "493817"), "000000"), "false")

	out := lost.restored()
	lost.says(out, "14 failed attempts counted, 3 attempt counters locked")
	lost.says(out, "Not replayed: 1 failed attempt of accounts that are not in the backup")
	for device := range keys {
		i.expect(device+" after the restore", i.try(verifyPIN, i.mustIssue(generate, device), "493817"), "CREDENTIAL_LOCKED")
	}
	i.wants(0, "Intact", "audit", "verify")
}

// Right answers forget the failures in a row, but not the limit of 20 failures in 24 h. A
// restore keeps both, and so does a restore of a restored service.
func TestARestoreReplaysTheFailuresOfADay(t *testing.T) {
	t.Parallel()
	i := start(t)
	guessed, owner := i.withPIN("guessed", "493817"), i.withPIN("owner", "493817")
	i.expect("the right PIN", i.try(verifyPIN, owner, "493817"), "true")
	lost := i.backedUp()
	guess := func(k keyPair, times int) {
		for range times {
			i.expect("a wrong PIN", i.try(verifyPIN, k, "000000"), "false")
		}
	}
	for range 4 {
		guess(guessed, 4)
		i.expect("the right PIN", i.try(verifyPIN, guessed, "493817"), "true")
	}
	guess(owner, 3)
	i.expect("the right PIN", i.try(verifyPIN, owner, "493817"), "true")
	guess(owner, 2)

	lost.says(lost.restored(), "21 failed attempts counted, 0 attempt counters locked")
	i.expect("the right PIN", i.try(verifyPIN, guessed, "493817"), "true")
	guess(guessed, 4)
	i.expect("the right PIN after 20 wrong ones", i.try(verifyPIN, guessed, "493817"), "CREDENTIAL_LOCKED")

	if err := os.Remove(lost.trail + ".state"); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(lost.trail); err != nil {
		t.Fatal(err)
	}
	lost.says(lost.restored(), "25 failed attempts counted, 1 attempt counter locked")
	i.expect("the right PIN, restored again", i.try(verifyPIN, guessed, "493817"), "CREDENTIAL_LOCKED")
	i.expect("the right PIN of the owner", i.try(verifyPIN, owner, "493817"), "true")
	i.wants(0, "Intact", "audit", "verify")
}

// kid is the id of the signing key that the service publishes.
func (i *instance) kid() string {
	i.t.Helper()
	out, code := i.command("signing-key", "list")
	fields := strings.Fields(first(out, "active"))
	if code != 0 || len(fields) == 0 {
		i.t.Fatalf("no active signing key: %s", out)
	}
	return fields[len(fields)-1]
}

// A restore does not undo the acts of operators after a leak: a signing key that was
// withdrawn, or a PIN that must be changed. It names what it does not do again.
func TestARestoreReplaysWithdrawnKeysAndMarks(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.withPIN("marked", "493817")
	mark := []string{"admin", "credential", "must-change", "--account", "marked", "--type", "TRANSACTION_PIN", "--reason", "seen"}
	lost, leaked := i.backedUp(), i.kid()
	i.wants(0, "", "signing-key", "rotate", "--withdraw", "--reason", "leak")
	i.wants(0, "Marked.", mark...)
	i.expect("a set", i.try(setPIN, i.mustIssue(generate, "marked"), "604928"), "true")

	out := lost.restored()
	lost.says(out, "1 signing key withdrawn, 0 private signing keys erased, 1 credential marked to be changed")
	lost.says(out, "Not replayed, by event: 1 credential.set, 1 signing_key.created.\n")
	if i.kid() == leaked {
		t.Error("the signing key that was withdrawn signs again")
	}
	a, err := i.send(http.MethodGet, "/.well-known/jwks.json", "application/json", nil)
	if err != nil || !strings.Contains(string(a.Body), i.kid()) || strings.Contains(string(a.Body), leaked) {
		t.Errorf("the key set after the restore: %v, %s; withdrawn: %s", err, a.Body, leaked)
	}
	i.wants(1, "must be changed already", mark...)
	i.wants(0, "Intact", "audit", "verify")
}

// A backup has the root keys from then, also those that were removed since. The restore
// names them, so that the operator removes them again.
func TestARestoreNamesTheRootKeysThatWereRemoved(t *testing.T) {
	t.Parallel()
	i := start(t)
	second := "file:" + filepath.Join(t.TempDir(), "second.key")
	rootKey := "file:" + filepath.Join(i.dataDir, "root.key")
	if out, code := strongroom(t, nil, "root-key", "create", second); code != 0 {
		t.Fatalf("root-key create exits %d: %s", code, out)
	}
	i.wants(0, "", "root-key", "add", second, "--reason", "drill")
	lost := i.backedUp()
	i.wants(0, "", "root-key", "remove", rootKey, "--root-key", second, "--reason", "leak")
	i.wants(0, "", "audit", "export", "--output", lost.trail, "--since-file", lost.trail+".state", "--root-key", second)
	i.stop()
	i.emptied(func() []string { return nil })
	for _, c := range []struct {
		replay []string
		says   []string
	}{
		{nil, []string{"(" + rootKey + "); ", "(" + second + ")."}},
		{[]string{"--replay", lost.trail}, []string{"(" + rootKey + "), which was removed since; ", "(" + second + ").",
			"Warning: 1 root_key.removed not replayed: the root key opens the database again."}},
	} {
		out, code := i.command(append([]string{"restore", lost.backup, "--root-key", second, "--reason", "drill"}, c.replay...)...)
		if code != 0 {
			t.Fatalf("restore exits %d: %s", code, out)
		}
		for _, want := range c.says {
			lost.says(out, want)
		}
		i.emptied(func() []string { return nil })
	}
}
