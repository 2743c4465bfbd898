package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"strongroom/internal/store/postgres/pgtest"
	"strongroom/internal/witness/place/placetest"
)

// witnessServer serves the witness of a test, and returns the variables of serve.
func witnessServer(t *testing.T) (server *placetest.Server, env []string) {
	t.Helper()
	server = &placetest.Server{Token: "secret"}
	at := httptest.NewServer(server)
	t.Cleanup(at.Close)
	return server, []string{"STRONGROOM_WITNESS=" + at.URL + "/prod", "STRONGROOM_WITNESS_SECRET=env:WITNESS_TOKEN", "WITNESS_TOKEN=secret"}
}

// toAccept is the value of --accept-restored that a refused start asks for.
func toAccept(t *testing.T, refusal string) string {
	t.Helper()
	_, name, found := strings.Cut(refusal, "--accept-restored ")
	name, _, _ = strings.Cut(name, ";")
	if !found {
		t.Fatalf("the start says %s", refusal)
	}
	return name
}

// refusesToStart starts the instance, which must refuse.
func (i *instance) refusesToStart(more ...string) string {
	i.t.Helper()
	program := binary(i.t)
	ctx, cancel := context.WithTimeout(i.t.Context(), 30*time.Second)
	defer cancel()
	args := append([]string{"serve", "--data-dir", i.dataDir, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"}, i.args...)
	cmd := exec.CommandContext(ctx, program, append(args, more...)...)
	cmd.Env = append(append(cleanEnv(), "STRONGROOM_KEY_POOL=0"), i.env...)
	out, err := cmd.CombinedOutput()
	if err == nil || ctx.Err() != nil || !cmd.ProcessState.Exited() {
		i.t.Fatalf("it did not refuse to start: %v\n%s", err, out)
	}
	return string(out)
}

// refusesAll checks that a running instance serves nothing after a rollback.
func (i *instance) refusesAll(k keyPair) {
	i.t.Helper()
	await(i.t, "it is not ready", 2*time.Second, func() bool { return i.readiness() == http.StatusServiceUnavailable })
	i.expect("the right PIN", i.try(verifyPIN, k, "493817"), "INTERNAL")
	i.expect("a set", i.try("setTransactionPin", k, "493818"), "INTERNAL")
	if m := i.operator("/metrics"); !strings.Contains(m, "strongroom_store_up 0") || !regexp.MustCompile(`strongroom_tampering_total\{record="\w+"\} [1-9]`).MatchString(m) {
		i.t.Error("the metrics do not show it")
	}
}

// Two instances share a witness. A third one that is started on an older copy of the
// database is refused, and one that runs on the copy already stops serving as soon as
// the others have written something.
func TestTheSharedWitnessRevealsAnOlderCopyToAnInstance(t *testing.T) {
	t.Parallel()
	for kind, of := range map[string]func(t *testing.T) []string{
		"http": func(t *testing.T) []string { _, env := witnessServer(t); return env },
		"postgres": func(t *testing.T) []string {
			return []string{"STRONGROOM_WITNESS=" + pgtest.Start(t).URL("postgres")}
		},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			env, server := of(t), pgtest.Start(t)
			server.Exec(t, "postgres", "CREATE DATABASE one")
			root := "file:" + filepath.Join(t.TempDir(), "root.key")
			on := func(database string) []string {
				return []string{"--database", server.URL(database), "--root-key", root}
			}
			a := startWith(t, env, on("one")...)
			k := a.withPIN("device", "493817")
			a.stop()
			server.Exec(t, "postgres", "CREATE DATABASE two TEMPLATE one")

			b := startWith(t, env, on("two")...) // the witness knows nothing that the copy lacks
			b.expect("the right PIN, on the copy", b.try(verifyPIN, k, "493817"), "true")
			b.stop()
			server.Exec(t, "postgres", "DROP DATABASE two", "CREATE DATABASE two TEMPLATE one")
			if refusal := b.refusesToStart(); !strings.Contains(refusal, "the database is older than before") {
				t.Errorf("a start on the older copy says %s", refusal)
			}
			server.Exec(t, "postgres", "CREATE DATABASE three TEMPLATE two")

			// The newer timeline is lost, and an operator accepts that.
			a.args = append(a.args, "--accept-restored", toAccept(t, a.refusesToStart()))
			a.run()
			a.expect("a wrong PIN", a.try(verifyPIN, k, "000000"), "false")
			a.expect("one more: the epoch is new", a.try(verifyPIN, k, "493817"), "CREDENTIAL_LOCKED")

			another := startWith(t, env, on("one")...)
			another.expect("the lock", another.try(verifyPIN, k, "493817"), "CREDENTIAL_LOCKED")
			for _, i := range []*instance{a, another} {
				if i.readiness() != http.StatusOK {
					t.Error("an instance on the newest database is not ready")
				}
			}
		})
	}
}

// Two instances run on two copies of a database. They cannot both serve: the witness has
// the entries of one of them, which the other copy lacks.
func TestOnlyOneOfTwoRunningCopiesServes(t *testing.T) {
	t.Parallel()
	_, env := witnessServer(t)
	server := pgtest.Start(t)
	server.Exec(t, "postgres", "CREATE DATABASE one")
	root := "file:" + filepath.Join(t.TempDir(), "root.key")
	on := func(database string) []string {
		return []string{"--database", server.URL(database), "--root-key", root}
	}
	a := startWith(t, env, on("one")...)
	k := a.withPIN("device", "493817")
	a.stop()
	server.Exec(t, "postgres", "CREATE DATABASE two TEMPLATE one")
	both := []*instance{a, {t: t, dataDir: filepath.Join(t.TempDir(), "data"), args: on("two"), env: env, log: &lockedBuffer{}}}
	for _, i := range both {
		i.runWithoutReady()
		t.Cleanup(i.kill)
	}
	// One is refused at its start, or stops serving as soon as the other has written.
	serving := func() (n int) {
		for _, i := range both {
			ready := readyLine.FindAllStringSubmatch(i.log.String(), -1)
			select {
			case <-i.exited:
			default:
				if len(ready) == 0 || i == a && len(ready) == 1 {
					return 2 // it has not started yet
				}
				i.base, i.admin = "http://"+ready[len(ready)-1][1], "http://"+ready[len(ready)-1][2]
				if i.readiness() == http.StatusOK {
					n++
				}
			}
		}
		return n
	}
	await(t, "one of them serves", 3*time.Second, func() bool { return serving() == 1 })
	right := 0
	for _, i := range both {
		select {
		case <-i.exited:
		default:
			if i.try(verifyPIN, k, "493817") == "true" {
				right++
			}
		}
	}
	if right != 1 {
		t.Errorf("%d instances verify a PIN, want 1", right)
	}
}

// The database of an instance that has been idle since its start is replaced by an older
// copy.
func TestAnOlderCopyUnderAnIdleInstanceIsDetected(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		need(t, "sqlite3")
		i := start(t)
		k := i.withPIN("device", "493817")
		i.stop()
		file := filepath.Join(i.dataDir, "strongroom.db")
		older := filepath.Join(t.TempDir(), "older.db")
		if out, err := exec.Command("sqlite3", file, "VACUUM INTO '"+older+"'").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		i.run()
		i.expect("a wrong PIN", i.try(verifyPIN, k, "000000"), "false")
		i.stop()
		i.run()
		if out, err := exec.Command("sqlite3", file, ".timeout 10000", ".restore "+older).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		i.refusesAll(k)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		server := pgtest.Start(t)
		server.Exec(t, "postgres", "CREATE DATABASE one")
		i := start(t, "--database", server.URL("one"))
		k := i.withPIN("device", "493817")
		i.stop()
		server.Exec(t, "postgres", "CREATE DATABASE older TEMPLATE one")
		i.run()
		i.expect("a wrong PIN", i.try(verifyPIN, k, "000000"), "false")
		i.stop()
		i.run()
		await(t, "it follows what was written before", time.Second, func() bool { return i.readiness() == http.StatusOK })
		server.Exec(t, "postgres", "DROP DATABASE one WITH (FORCE)", "CREATE DATABASE one TEMPLATE older")
		i.refusesAll(k)
	})
}

// A backup is restored beside the old instance, which still runs, and both have the same file
// as their witness. Each would overwrite what the other one writes.
func TestASecondServerWithTheSameWitnessFileIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "witness")
	old := start(t, "--witness", file, "--root-key", "file:"+filepath.Join(dir, "root.key"))
	k := old.withPIN("device", "493817")
	backup := filepath.Join(dir, "backup")
	old.wants(0, "Wrote", "backup", backup, "--root-key", "file:"+filepath.Join(dir, "root.key"))
	other := &instance{t: t, dataDir: filepath.Join(dir, "other"), args: old.args, env: append(old.env, "STRONGROOM_WITNESS="+file)}
	other.wants(0, "It accepts this restore once", "restore", backup, "--root-key", "file:"+filepath.Join(dir, "root.key"), "--reason", "a new disk")
	if refusal := other.refusesToStart(); !strings.Contains(refusal, "witness: "+file+": another serve uses it") {
		t.Errorf("a start beside the old instance says %s", refusal)
	}
	old.expect("the right PIN", old.try(verifyPIN, k, "493817"), "true")
	old.kill()
	old.run() // the lock ended with the process
	old.expect("the right PIN", old.try(verifyPIN, k, "493817"), "true")
}

// The volume of the data directory is not mounted. A named witness refuses the empty
// directory. The default one is renamed, because then rm -r data begins anew.
func TestAnEmptyDataDirectoryDoesNotReplaceTheWitness(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"named":               {"--witness", filepath.Join(t.TempDir(), "witness")},
		"default":             nil,
		"default, --hardened": {"--hardened", "--accounts", "device", "--root-key", "file:" + filepath.Join(t.TempDir(), "root.key")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := start(t, args...)
			k := i.withPIN("device", "493817")
			i.stop()
			volume := i.dataDir + ".volume"
			mount := func(from, to string) {
				if err := errors.Join(os.RemoveAll(to), os.Rename(from, to)); err != nil {
					t.Fatal(err)
				}
			}
			mount(i.dataDir, volume)
			if args == nil {
				i.run()
				i.expect("the right PIN", i.try(verifyPIN, k, "493817"), "KEY_NOT_USABLE")
				i.stop()
				renamed := regexp.MustCompile(`it was renamed, and a new witness was created" witness=(\S+) renamed=(\S+)`).FindStringSubmatch(i.log.String())
				if renamed == nil {
					t.Fatal("the log does not say where the old witness is")
				}
				mount(renamed[2], renamed[1])
				mount(renamed[2]+".keys", renamed[1]+".keys")
			} else if refusal := i.refusesToStart(); !strings.Contains(refusal, "Check that the volume of the database is mounted") {
				t.Errorf("a start on the empty directory says %s", refusal)
			}
			mount(volume, i.dataDir)
			i.run()
			i.expect("the right PIN", i.try(verifyPIN, k, "493817"), "true")
		})
	}
}

// An unavailable witness delays only a start.
func TestAnUnavailableWitnessBlocksNoRequest(t *testing.T) {
	t.Parallel()
	witness, env := witnessServer(t)
	i := startWith(t, env)
	k := i.withPIN("device", "493817")
	witness.Answer(http.StatusServiceUnavailable)
	await(t, "it tells of it", 4*time.Second, func() bool { return strings.Contains(i.log.String(), "the witness cannot be kept") })
	i.expect("the right PIN", i.try(verifyPIN, k, "493817"), "true")
	if i.readiness() != http.StatusOK {
		t.Error("it is not ready")
	}
	ageLine := regexp.MustCompile(`strongroom_witness_age_seconds ([\d.]+)`)
	await(t, "the witness ages", 5*time.Second, func() bool {
		m := ageLine.FindStringSubmatch(i.operator("/metrics"))
		if m == nil {
			return false
		}
		age, err := strconv.ParseFloat(m[1], 64)
		return err == nil && age >= 2
	})
	i.stop()

	i.runWithoutReady()
	await(t, "it waits", time.Second, func() bool { return strings.Contains(i.log.String(), "waiting for the witness") })
	if code := i.stop(); code != 0 {
		t.Errorf("a stop while it waits exits %d", code)
	}
	i.runWithoutReady()
	await(t, "it waits again", time.Second, func() bool { return strings.Count(i.log.String(), "waiting for the witness") > 1 })
	witness.Answer(0)
	await(t, "it starts", 3*time.Second, func() bool { return strings.Count(i.log.String(), "msg=ready") == 2 })
	i.kill()
	i.run()
	i.expect("the right PIN", i.try(verifyPIN, k, "493817"), "true")
	i.stop()

	texts := witness.Texts()
	witness.Put(nil)
	if refusal := i.refusesToStart(); !strings.Contains(refusal, "is missing") {
		t.Errorf("a start with a witness that was lost says %s", refusal)
	}
	witness.Put(texts)
	i.env = append(i.env, "WITNESS_TOKEN=other")
	if refusal := i.refusesToStart(); !strings.Contains(refusal, "check the token of --witness-secret") || strings.Contains(refusal, "WITNESS_TOKEN=") {
		t.Errorf("a start with a wrong token says %s", refusal)
	}
}

// runWithoutReady starts the server, and does not wait until it is ready.
func (i *instance) runWithoutReady() {
	i.t.Helper()
	i.cmd = exec.Command(binary(i.t), append([]string{"serve", "--data-dir", i.dataDir, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"}, i.args...)...)
	i.cmd.Env = append(append(cleanEnv(), "STRONGROOM_KEY_POOL=0"), i.env...)
	i.cmd.Stdout, i.cmd.Stderr = i.log, i.log
	i.cmd.SysProcAttr = &syscall.SysProcAttr{}
	if err := i.cmd.Start(); err != nil {
		i.t.Fatal(err)
	}
	i.exited = make(chan struct{})
	go func(cmd *exec.Cmd, exited chan struct{}) { _ = cmd.Wait(); close(exited) }(i.cmd, i.exited)
}

// Keys that were revoked or rotated after the backup stay ended, because the witness knows
// them.
func TestARestoreEndsKeysThatTheWitnessKnowsAsEnded(t *testing.T) {
	t.Parallel()
	for engine, database := range map[string]func() []string{
		"SQLite":     func() []string { return nil },
		"PostgreSQL": func() []string { return []string{"--database", pgtest.Start(t).URL("postgres")} },
	} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			i := start(t, database()...)
			lost := i.mustIssue(generate, "lost")
			i.stop()
			i.env = append(i.env, "STRONGROOM_CELL=eu1") // from now on; the list has keys with and without the tag
			i.run()
			old, kept := i.mustIssue(generate, "old"), i.withPIN("kept", "493817")
			if strings.Contains(lost.ID, "-") || !strings.HasPrefix(old.ID, "eu1-") {
				t.Errorf("the ids are %s and, in a cell, %s", lost.ID, old.ID)
			}
			path := filepath.Join(t.TempDir(), "backup")
			i.wants(0, "Wrote", append([]string{"backup", path}, i.args...)...)
			i.wants(0, "", append([]string{"admin", "revoke", "--key", lost.ID, "--reason", "the phone was stolen"}, i.args...)...)
			i.mustIssue(rotate, "old")
			if code := i.stop(); code != 0 {
				t.Fatalf("exit code %d", code)
			}
			i.emptied(database)
			i.wants(0, "(its list has 1 revoked and 1 rotated keys, old ones too)", append([]string{"restore", path, "--reason", "the disk is gone"}, i.args...)...)
			i.run()
			for _, k := range []keyPair{lost, old} {
				i.expect("a key that ended", i.try("setTransactionPin", k, "493817"), "KEY_NOT_USABLE")
			}
			i.expect("a key that did not", i.try(verifyPIN, kept, "493817"), "true")
			if !strings.Contains(i.log.String(), "revoked=1 rotated=1 known_since=") {
				t.Error("the log does not report them")
			}
			i.wants(0, "the witness knows that it ended before the restore", append([]string{"admin", "audit", "--event", "key.revoked"}, i.args...)...)
			i.wants(0, "Intact", append([]string{"audit", "verify"}, i.args...)...)
			i.mustIssue(generate, "old")
			i.mustIssue(generate, "lost")
			i.stop()
			i.run() // once is enough
			if strings.Count(i.log.String(), "revoked=1 rotated=1") != 1 {
				t.Error("the keys were ended again at the second start")
			}
		})
	}
}

// Database and witness are put back together. The counter of the TPM reveals it.
func TestPuttingBackAFileThatATPMCountsIsRefused(t *testing.T) {
	t.Parallel()
	socket, _ := placetest.TPM(t, t.TempDir())
	file := filepath.Join(t.TempDir(), "witness")
	i := startWith(t, []string{"STRONGROOM_WITNESS=tpm:" + file + "?device=" + socket})
	k := i.withPIN("device", "493817")
	i.stop()
	i.run()
	i.stop()
	files := []string{file, filepath.Join(i.dataDir, "strongroom.db")}
	older := map[string][]byte{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		older[name] = text
	}
	i.run()
	i.expect("a wrong PIN", i.try(verifyPIN, k, "000000"), "false")
	i.kill() // the note is one second old at most, and was not counted
	i.run()
	i.expect("a wrong PIN", i.try(verifyPIN, k, "000000"), "false")
	i.stop()
	for name, text := range older {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refusal := i.refusesToStart()
	if !strings.Contains(refusal, "is older than its count") {
		t.Errorf("a start on an older database and witness says %s", refusal)
	}
	args := i.args
	i.args = append(args, "--accept-restored", toAccept(t, refusal))
	i.run()
	i.expect("a wrong PIN", i.try(verifyPIN, k, "000000"), "false")
	i.expect("one more: the epoch is new", i.try(verifyPIN, k, "493817"), "CREDENTIAL_LOCKED")
	i.args = args
	i.stop()
	i.wants(0, "", "admin", "unlock", "--device", "device", "--type", "TRANSACTION_PIN", "--reason", "the test goes on")
	if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if refusal = i.refusesToStart(); !strings.Contains(refusal, "is missing") {
		t.Errorf("a start without the file says %s", refusal)
	}
	i.args = append(args, "--accept-restored", toAccept(t, refusal))
	i.run()
	i.expect("the right PIN", i.try(verifyPIN, k, "493817"), "true")
	i.args = args
	i.stop()
	i.run()
}

// Instances that share a witness write, are killed and started again, rotate the data
// key and lose the witness for a moment. None of them takes that for a rollback.
// E2E_WITNESS_KILLS is the number of kills.
func TestASharedWitnessRaisesNoFalseAlarm(t *testing.T) {
	t.Parallel()
	kills := long(t, "E2E_WITNESS_KILLS", 4)
	witness, env := witnessServer(t)
	server := pgtest.Start(t)
	args := []string{"--database", server.URL("postgres"), "--root-key", "file:" + filepath.Join(t.TempDir(), "root.key")}
	all := []*instance{startWith(t, env, args...), startWith(t, env, args...), startWith(t, env, args...)}
	var keys []keyPair
	for n := range 6 {
		keys = append(keys, all[n%len(all)].withPIN(fmt.Sprint("device", n), "493817"))
	}
	stop := all[0].load(keys, "493817")
	for n := range kills {
		victim := all[1+n%2]
		victim.kill()
		if n%2 == 0 {
			witness.Answer(http.StatusServiceUnavailable)
			await(t, "it is away for a moment", 3*time.Second, func() bool {
				return strings.Count(all[0].log.String(), "the witness cannot be kept") > n/2
			})
			witness.Answer(0)
		}
		victim.run()
		victim.expect("the right PIN", victim.try(verifyPIN, keys[n%len(keys)], "493817"), "true")
		if n == 1 {
			all[0].wants(0, "", append([]string{"data-key", "rotate", "--reason", "drill"}, args...)...)
		}
	}
	stop()
	for n, i := range all {
		await(t, fmt.Sprintf("instance %d is ready", n), time.Second, func() bool { return i.readiness() == http.StatusOK })
		await(t, "its witness is up to date", 3*time.Second, func() bool {
			return regexp.MustCompile(`strongroom_witness_age_seconds [01]\.`).MatchString(i.operator("/metrics"))
		})
		if m := i.operator("/metrics"); regexp.MustCompile(`strongroom_tampering_total\{record="\w+"\} [1-9]`).MatchString(m) {
			t.Errorf("instance %d reports a rollback that did not happen", n)
		}
	}
	for _, i := range all {
		if code := i.stop(); code != 0 {
			t.Errorf("exit code %d", code)
		}
	}
	for _, i := range all {
		i.run()
	}
}
