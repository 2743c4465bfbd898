package e2e

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var keep = flag.String("keep", "", "write a database of this version, for later ones to open, into testdata/kept/VERSION")

// keptStory is what a kept database holds, as its clients know it.
type keptStory struct {
	Phone, Tablet keyPair // current keys
	Old           keyPair // the phone's first key, rotated
	Passcode, PIN string  // the phone's
	Operations    float64 // counted by the metrics summary
	Failed        float64
}

const keptFile = "story.json"

// A database that any released version wrote must open in every later one,
// with everything in it working: what was sealed cannot be made again.
func TestDatabasesOfEarlierVersionsOpen(t *testing.T) {
	if *keep != "" {
		writeKept(t, filepath.Join("testdata", "kept", *keep))
	}
	stories, err := filepath.Glob("testdata/kept/*/" + keptFile)
	if err != nil || len(stories) == 0 {
		t.Fatalf("no kept databases: %v", err)
	}
	for _, path := range stories {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			openKept(t, filepath.Dir(path))
		})
	}
}

func openKept(t *testing.T, dir string) {
	var story keptStory
	text, err := os.ReadFile(filepath.Join(dir, keptFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &story); err != nil {
		t.Fatal(err)
	}
	i := &instance{t: t, dataDir: t.TempDir(), log: &lockedBuffer{}}
	for _, name := range []string{"strongroom.db", "root.key"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(i.dataDir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, code := i.command("migrate"); code != 0 {
		t.Fatalf("migrate exits %d:\n%s", code, out)
	}
	i.auditIntact()
	i.run()
	t.Cleanup(i.kill)
	sum := i.summary(87840)
	if sum["totalOperations"] != story.Operations || sum["failedOperations"] != story.Failed || sum["uniqueDevices"] != 2 {
		t.Errorf("the summary is %v, want %v operations, %v failed, 2 devices", sum, story.Operations, story.Failed)
	}
	for device, k := range map[string]keyPair{"phone": story.Phone, "tablet": story.Tablet} {
		if got := i.mustIssue(generate, device); got != k {
			t.Errorf("the key of the %s is another: %s, want %s", device, got.ID, k.ID)
		}
	}
	i.expect("the passcode", i.try("verifyUserPasscode", story.Phone, story.Passcode), "true")
	i.expect("the PIN", i.try("verifyTransactionPin", story.Phone, story.PIN), "true")
	i.expect("a wrong PIN", i.try("verifyTransactionPin", story.Phone, "0000"), "false")
	i.expect("under the rotated key", i.try("verifyTransactionPin", story.Old, story.PIN), "KEY_NOT_USABLE")
	// The tablet had four wrong verdicts: one more locks it.
	i.expect("the fifth wrong PIN", i.try("verifyTransactionPin", story.Tablet, "0000"), "false")
	i.expect("the sixth", i.try("verifyTransactionPin", story.Tablet, "0000"), "CREDENTIAL_LOCKED")
	i.auditIntact()
	i.rotatesAllKeys()
	i.expect("the PIN under new keys", i.try("verifyTransactionPin", story.Phone, story.PIN), "true")
	i.expect("under the rotated device key", i.try("verifyTransactionPin", story.Old, story.PIN), "KEY_NOT_USABLE")
	i.expect("the lock", i.try("verifyTransactionPin", story.Tablet, "1357"), "CREDENTIAL_LOCKED")
}

// rotatesAllKeys replaces root key and data key under the running server, destroys the
// old ones, and starts the server again with the new root key.
func (i *instance) rotatesAllKeys() {
	i.t.Helper()
	fresh, here := filepath.Join(i.dataDir, "new.key"), filepath.Join(i.dataDir, "root.key")
	for _, command := range [][]string{
		{"root-key", "create", fresh}, {"root-key", "rotate", "--data-dir", i.dataDir, "--to", "file:" + fresh},
		{"data-key", "rotate", "--data-dir", i.dataDir, "--root-key", "file:" + fresh, "--wait"},
		{"data-key", "destroy", "--data-dir", i.dataDir, "--root-key", "file:" + fresh},
	} {
		if out, code := strongroom(i.t, nil, command...); code != 0 {
			i.t.Fatalf("%s: exit code %d: %s", command, code, out)
		}
	}
	if code := i.stop(); code != 0 {
		i.t.Fatalf("exit code %d", code)
	}
	refused(i.t, "the old root key", i.dataDir, "wrong root key")
	if err := os.Rename(fresh, here); err != nil {
		i.t.Fatal(err)
	}
	i.run()
	i.auditIntact()
}

func writeKept(t *testing.T, dir string) {
	i := start(t)
	s := keptStory{Passcode: "correct horse", PIN: "493817", Operations: 12, Failed: 1}
	s.Old = i.mustIssue(generate, "phone")
	i.expect("set passcode", i.try("setUserPasscode", s.Old, s.Passcode), "true")
	i.expect("set PIN", i.try("setTransactionPin", s.Old, s.PIN), "true")
	i.expect("refused", i.try("setTransactionPin", s.Old, "12"), "false")
	s.Phone = i.mustIssue(rotate, "phone")
	i.expect("verify", i.try("verifyTransactionPin", s.Phone, s.PIN), "true")
	s.Tablet = i.mustIssue(generate, "tablet")
	i.expect("set PIN", i.try("setTransactionPin", s.Tablet, "1357"), "true")
	for range 4 {
		i.expect("wrong", i.try("verifyTransactionPin", s.Tablet, "0000"), "false")
	}
	if code := i.stop(); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"strongroom.db", "root.key"} {
		b, err := os.ReadFile(filepath.Join(i.dataDir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, keptFile), append(text, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}
