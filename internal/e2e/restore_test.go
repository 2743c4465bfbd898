package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"strongroom/internal/store/postgres/pgtest"
)

// emptied is a service whose database was lost: the next database is empty, and the
// root key and the witness are still there.
func (i *instance) emptied(database func() []string) {
	i.t.Helper()
	i.args = database()
	if len(i.args) > 0 {
		return
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.RemoveAll(filepath.Join(i.dataDir, "strongroom.db"+suffix)); err != nil {
			i.t.Fatal(err)
		}
	}
}

// A restore gives no guess back: what an account lost in guesses since the backup is
// unknown, so it gets one until its next right answer.
func TestARestoreGivesNoGuessBack(t *testing.T) {
	t.Parallel()
	for engine, database := range map[string]func() []string{
		"SQLite":     func() []string { return nil },
		"PostgreSQL": func() []string { return []string{"--database", pgtest.Start(t).URL("postgres")} },
	} {
		t.Run(engine, func(t *testing.T) { restoreGivesNoGuessBack(t, database) })
	}
}

func restoreGivesNoGuessBack(t *testing.T, database func() []string) {
	i := start(t, database()...)
	guessed, owner, empty := i.mustIssue(generate, "guessed"), i.mustIssue(generate, "owner"), i.mustIssue(generate, "empty")
	i.expect("set", i.try("setTransactionPin", guessed, "493817"), "true")
	i.expect("set", i.try("setTransactionPin", owner, "493817"), "true")
	path := filepath.Join(t.TempDir(), "backup")
	i.wants(0, "Wrote", append([]string{"backup", path}, i.args...)...)
	for range 4 { // which the backup does not know
		i.expect("a wrong PIN", i.try(verifyPIN, guessed, "000000"), "false")
	}
	i.wants(1, "", append([]string{"restore", path, "--reason", "drill"}, i.args...)...)
	if code := i.stop(); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	i.wants(1, "Nothing was changed", append([]string{"restore", path, "--reason", "drill"}, i.args...)...)
	i.emptied(database)
	i.wants(0, "in epoch 2 (before: 1)", append([]string{"restore", path, "--reason", "the disk is gone"}, i.args...)...)
	i.wants(1, "Nothing was changed", append([]string{"restore", path, "--reason", "twice"}, i.args...)...)
	i.wants(0, "Intact", append([]string{"audit", "verify"}, i.args...)...)
	i.run() // the witness knows newer entries, and the restore is declared

	i.expect("the fifth wrong PIN", i.try(verifyPIN, guessed, "000000"), "false")
	i.expect("a sixth", i.try(verifyPIN, guessed, "493817"), "CREDENTIAL_LOCKED")
	i.expect("a wrong PIN where none is set", i.try(verifyPIN, empty, "000000"), "false")
	i.expect("a second one", i.try(verifyPIN, empty, "000000"), "CREDENTIAL_LOCKED")
	i.expect("the right PIN", i.try(verifyPIN, owner, "493817"), "true")
	for range 4 {
		i.expect("a wrong PIN after the right one", i.try(verifyPIN, owner, "000000"), "false")
	}
	i.expect("the right PIN again", i.try(verifyPIN, owner, "493817"), "true")
	later := i.mustIssue(generate, "later")
	i.expect("set", i.try("setTransactionPin", later, "493817"), "true")
	for range 4 {
		i.expect("a wrong PIN of an account that came later", i.try(verifyPIN, later, "000000"), "false")
	}
	i.expect("its right PIN", i.try(verifyPIN, later, "493817"), "true")
	i.wants(0, "epoch 1 to 2", append([]string{"admin", "audit", "--event", "store.restored"}, i.args...)...)
	i.wants(0, "Intact", append([]string{"audit", "verify"}, i.args...)...)
	if len(i.args) == 0 {
		i.refusesAnOlderCopy(t, owner)
	}
}

// refusesAnOlderCopy puts the database back behind the service, after a declared
// restore. The witness then knows the epoch of that restore.
func (i *instance) refusesAnOlderCopy(t *testing.T, k keyPair) {
	i.t.Helper()
	i.stop()
	file := filepath.Join(i.dataDir, "strongroom.db")
	older, err := os.ReadFile(file)
	if err != nil {
		i.t.Fatal(err)
	}
	i.run()
	i.expect("a wrong PIN", i.try(verifyPIN, k, "000000"), "false")
	i.stop()
	if err := os.WriteFile(file, older, 0o600); err != nil {
		i.t.Fatal(err)
	}
	if refusal := refusesToStart(t, "--data-dir", i.dataDir); !strings.Contains(refusal, "the database is older than before") {
		i.t.Errorf("a start on an older copy says %s", refusal)
	}
}

// An attacker who can only copy files puts the databases of rehearsals in the place of the
// service's. Each of them would give a guess and end the lock.
func TestTheDatabaseOfARehearsalIsNotServed(t *testing.T) {
	t.Parallel()
	i := start(t)
	k := i.withPIN("device", "493817")
	dir := t.TempDir()
	path, root := filepath.Join(dir, "backup"), "file:"+filepath.Join(i.dataDir, "root.key")
	i.wants(0, "Wrote", "backup", path)
	for range 5 {
		i.expect("a guess", i.try(verifyPIN, k, "000000"), "false")
	}
	i.expect("a sixth", i.try(verifyPIN, k, "493817"), "CREDENTIAL_LOCKED")
	i.stop()
	for _, name := range []string{"drill1", "drill2"} {
		drill := filepath.Join(dir, name)
		out, code := strongroom(t, nil, "restore", path, "--data-dir", drill, "--root-key", root, "--reason", "drill")
		if want := "It begins a new witness " + drill + ".witness"; code != 0 || !strings.Contains(out, want) {
			t.Fatalf("restore exits %d, want %q:\n%s", code, want, out)
		}
		i.emptied(func() []string { return nil })
		if err := os.Rename(filepath.Join(drill, "strongroom.db"), filepath.Join(i.dataDir, "strongroom.db")); err != nil {
			t.Fatal(err)
		}
		if refusal := i.refusesToStart(); !strings.Contains(refusal, "and not for the witness "+i.dataDir+".witness as it is now") {
			t.Errorf("a start on the database of %s says %s", name, refusal)
		}
	}
	i.emptied(func() []string { return nil })
	i.wants(0, "It accepts this restore once, and the witness\n  "+i.dataDir+".witness then continues with epoch 2", "restore", path, "--reason", "the disk is gone")
	i.run()
	i.expect("a guess after the restore", i.try(verifyPIN, k, "000000"), "false")
	i.expect("one more", i.try(verifyPIN, k, "493817"), "CREDENTIAL_LOCKED")
	i.wants(0, "Intact", "audit", "verify")
}

// Operators export STRONGROOM_CONFIG in their shells. The commands of the rehearsal, as
// docs/how-to/back-up.md has them, do not write to production's witness even then.
func TestTheRehearsalLeavesTheWitnessOfProductionAlone(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/how-to/back-up.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Rehearse\n")
	section, _, _ = strings.Cut(section, "\n## ")
	commands := regexp.MustCompile("`([^`]*strongroom (?:backup verify|restore|serve) [^`]*)`").FindAllStringSubmatch(section, -1)
	if len(commands) != 3 {
		t.Fatalf("the section has %d commands", len(commands))
	}

	dir := t.TempDir()
	settings, witness, path := filepath.Join(dir, "strongroom.yaml"), filepath.Join(dir, "witness"), filepath.Join(dir, "backup")
	if err := os.WriteFile(settings, []byte("witness: "+witness+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	i := startWith(t, []string{"STRONGROOM_CONFIG=" + settings})
	k := i.withPIN("device", "493817")
	i.wants(0, "Wrote", "backup", path)
	i.stop()
	before, err := os.ReadFile(witness)
	if err != nil {
		t.Fatal(err)
	}

	given := strings.NewReplacer("FILE", path, "--root-key …", "--root-key file:"+filepath.Join(i.dataDir, "root.key"), "--identity …", "",
		"127.0.0.1:9080", "127.0.0.1:0", "127.0.0.1:9081", "127.0.0.1:0")
	for _, c := range commands {
		cmd := exec.Command("sh", "-c", "exec "+given.Replace(c[1]))
		cmd.Dir = dir
		cmd.Env = append(cleanEnv(), "PATH="+filepath.Dir(binary(t))+":"+os.Getenv("PATH"), "STRONGROOM_CONFIG="+settings)
		said := &lockedBuffer{}
		cmd.Stdout, cmd.Stderr = said, said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(c[1], " serve ") {
			await(t, "the drill serves", patience, func() bool { return strings.Contains(said.String(), "msg=ready") })
			_ = cmd.Process.Signal(syscall.SIGTERM)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v\n%s", c[1], err, said)
		}
	}
	if after, err := os.ReadFile(witness); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the rehearsal wrote to the witness of production: %v\n%s\n%s", err, before, after)
	}
	i.run()
	i.expect("a verification after the rehearsal", i.try(verifyPIN, k, "493817"), "true")
}

// The exported audit trail is newer than the backup. Its revocations, rotations, erasures
// and failures also apply after the restore.
func TestARestoreReplaysANewerTrail(t *testing.T) {
	t.Parallel()
	for engine, database := range map[string]func() []string{
		"SQLite":     func() []string { return nil },
		"PostgreSQL": func() []string { return []string{"--database", pgtest.Start(t).URL("postgres")} },
	} {
		t.Run(engine, func(t *testing.T) { restoreReplaysANewerTrail(t, database) })
	}
}

// first is the first line of a text that has a word.
func first(text, word string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, word) {
			return line
		}
	}
	return ""
}

// without is a text without that line.
func without(text, word string) string { return strings.Replace(text, first(text, word), "", 1) }

func restoreReplaysANewerTrail(t *testing.T, database func() []string) {
	i := start(t, append(database(), "--witness", "none")...)
	on := func(args ...string) []string { return append(args, i.args[:len(i.args)-2]...) }
	keys := map[string]keyPair{}
	for _, device := range []string{"revoked", "rotated", "erased", "moved", "moved and erased", "moved and back", "guessed", "owner"} {
		keys[device] = i.withPIN(device, "493817")
	}
	dir, there := t.TempDir(), start(t)
	key, _ := there.command("account", "key")
	theirs := writeFile(t, key)
	key, _ = i.command(on("account", "key")...)
	ours := writeFile(t, key)
	file := func(device string) string { return filepath.Join(dir, device) }
	move := func(device, file, want string) {
		t.Helper()
		i.wants(0, want, on("account", "move", "--device", device, "--to", theirs, "--output", file, "--reason", "full")...)
	}
	path, trail := filepath.Join(dir, "backup"), filepath.Join(dir, "trail.jsonl")
	i.wants(0, "Wrote", on("backup", path)...)

	i.wants(0, "", on("admin", "revoke", "--key", keys["revoked"].ID, "--reason", "stolen")...)
	if _, err := i.issue(rotate, "rotated"); err != nil {
		t.Fatal(err)
	}
	i.wants(0, "", on("admin", "erase", "--account", "erased", "--reason", "asked")...)
	for range 5 {
		i.expect("a wrong PIN", i.try(verifyPIN, keys["guessed"], "000000"), "false")
		i.expect("a wrong PIN", i.try(verifyPIN, keys["moved and back"], "000000"), "false")
	}
	i.withPIN("new and moved", "493817")
	for _, device := range []string{"moved", "moved and erased", "new and moved", "moved and back"} {
		move(device, file(device), "move 1")
	}
	i.wants(0, "", on("admin", "erase", "--account", "moved and erased", "--reason", "asked")...)
	there.wants(0, "move 1", "account", "receive", file("moved and back"), "--from", ours, "--reason", "full")
	there.wants(0, "move 2", "account", "move", "--device", "moved and back", "--to", ours, "--output", file("back"), "--reason", "full")
	i.wants(0, "move 2", on("account", "receive", file("back"), "--from", theirs, "--reason", "full")...)
	for range 2 {
		i.expect("a wrong PIN", i.try(verifyPIN, keys["owner"], "000000"), "false")
	}
	i.expect("the right PIN", i.try(verifyPIN, keys["owner"], "493817"), "true")
	i.wants(0, "", on("audit", "export", "--output", trail, "--since-file", trail+".state")...)
	i.stop()
	i.args = append(database(), "--witness", "none")
	i.emptied(func() []string { return i.args[:len(i.args)-2] })
	i.args = append(i.args, "--witness", "none")

	lines, err := os.ReadFile(trail)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(dir, "other.jsonl")
	there.wants(0, "", "audit", "export", "--output", elsewhere, "--since-file", elsewhere+".state")
	other, err := os.ReadFile(elsewhere)
	if err != nil {
		t.Fatal(err)
	}
	invented := `{"chain":"invented","seq":1,"time":"2026-03-01T12:00:00.000000Z","actor":"system","event":"chain.begun","outcome":"ok","count":1,"hash":"01deadbeef` + strings.Repeat("00", 32) + "\"}\n"
	for what, file := range map[string]string{
		"they are of another database": string(other),
		"do not continue the trail":    invented,

		"was changed": strings.Replace(string(lines), `"event":"key.revoked"`, `"event":"key.expired"`, 1),
		"is missing":  without(string(lines), "credential.mismatch"),
		"no line":     "# not a trail\n",
		"no entry":    first(string(lines), "store.initialised"),
	} {
		damaged := filepath.Join(dir, "damaged")
		if err := os.WriteFile(damaged, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, code := i.command(on("restore", path, "--reason", "drill", "--replay", damaged)...); code != 1 || !strings.Contains(out, what) || !strings.Contains(out, "; nothing was restored\n") {
			t.Errorf("%s: the restore exits %d:\n%s", what, code, out)
		}
		if _, err := os.Stat(filepath.Join(i.dataDir, "strongroom.db")); err == nil {
			t.Errorf("%s: a database was restored", what)
		}
	}
	i.wants(0, "1 key revoked, 2 keys ended by a rotation or a move, 2 accounts erased, 3 accounts moved away, 12 failed attempts counted, 2 attempt counters locked",
		on("restore", path, "--reason", "drill", "--replay", trail)...)
	i.run()
	for device, want := range map[string]string{"revoked": "KEY_NOT_USABLE", "rotated": "KEY_NOT_USABLE", "erased": "KEY_NOT_USABLE", "moved": "ACCOUNT_MOVED", "moved and back": "KEY_NOT_USABLE", "guessed": "CREDENTIAL_LOCKED", "owner": "true"} {
		i.expect(device, i.try(verifyPIN, keys[device], "493817"), want)
	}
	for _, device := range []string{"moved", "moved and erased", "new and moved"} {
		if _, err := i.issue(generate, device); err == nil || !strings.Contains(err.Error(), "ACCOUNT_MOVED") {
			t.Errorf("%s gets a key: %v", device, err)
		}
	}
	back, err := i.issue(generate, "moved and back")
	if err != nil {
		t.Fatal(err)
	}
	i.expect("moved and back", i.try(verifyPIN, back, "493817"), "CREDENTIAL_LOCKED")
	i.wants(1, "older than the last move", on("account", "receive", file("back"), "--from", theirs, "--reason", "full")...)
	move("moved and back", file("again"), "move 3")
	there.wants(0, "move 3", "account", "receive", file("again"), "--from", ours, "--reason", "full")
	i.wants(0, "replayed from the trail", on("admin", "audit", "--event", "key.revoked", "--detail")...)
	i.wants(0, "Intact", on("audit", "verify")...)
}

// A restore that is refused leaves the target as it was: no lock, and no directory that it
// made. The next one can use it.
func TestARefusedRestoreLeavesNothing(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.mustIssue(generate, "phone")
	base := t.TempDir()
	path, damaged, other := filepath.Join(base, "backup"), filepath.Join(base, "damaged"), filepath.Join(base, "other.key")
	i.wants(0, "Wrote", "backup", path)
	backup, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	backup[len(backup)/2] ^= 1
	if err := os.WriteFile(damaged, backup, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := strongroom(t, nil, "root-key", "create", other); code != 0 {
		t.Fatal(out)
	}
	empty, fresh := filepath.Join(base, "empty"), filepath.Join(base, "not", "there")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	key := "file:" + filepath.Join(i.dataDir, "root.key")
	refused := [][]string{{"restore", damaged, "--root-key", key}, {"restore", path, "--root-key", "file:" + other}, {"restore", filepath.Join(base, "no"), "--root-key", key}}
	for _, target := range []string{empty, fresh} {
		for _, args := range append(refused, []string{"restore", path, "--root-key", key}) {
			out, code := strongroom(t, nil, append(args, "--data-dir", target, "--reason", "drill")...)
			left, _ := os.ReadDir(target)
			_, err := os.Stat(filepath.Dir(fresh))
			switch good := args[1] == path && args[3] == key; {
			case good && (code != 0 || len(left) == 0):
				t.Errorf("into %s: exit code %d, %v:\n%s", target, code, left, out)
			case !good && (code == 0 || len(left) > 0 || !os.IsNotExist(err)):
				t.Errorf("%v into %s: exit code %d, left %v:\n%s", args, target, code, left, out)
			}
		}
	}
}
