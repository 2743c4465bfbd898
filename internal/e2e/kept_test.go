package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/semver"

	"strongroom/internal/store/postgres/pgtest"
)

var keep = flag.String("keep", "", "write databases of this version, for later ones to open, into testdata/kept/VERSION and VERSION-postgresql")

// keptStory is what a kept database holds, as its clients know it.
type keptStory struct {
	Schema        int     // version of the database's schema
	Phone, Tablet keyPair // current keys
	Old           keyPair // the phone's first key, rotated
	Passcode, PIN string  // the phone's
	Operations    float64 // counted by the metrics summary
	Failed        float64
}

// The files of a kept database: one of the first two, and the others.
const (
	keptSQLite     = "strongroom.db"
	keptPostgreSQL = "strongroom.sql" // by pg_dump
	keptRootKey    = "root.key"
	keptFile       = "story.json"
)

// A database that any released version wrote must open in every later one,
// with everything in it working: what was sealed cannot be made again. Versions with the
// same schema wrote almost the same, so make test opens only the newest of each schema.
func TestDatabasesOfEarlierVersionsOpen(t *testing.T) {
	t.Parallel()
	if *keep != "" {
		writeKept(t, filepath.Join("testdata", "kept", *keep), "")
		writeKept(t, filepath.Join("testdata", "kept", *keep+"-postgresql"), pgtest.Database(t))
		if *tested != "" {
			return // to open them is for today's binary
		}
	}
	dirs, rotate := keptDirs(t)
	all := make([]*kept, len(dirs))
	each := func(phase string, do func(t *testing.T, n int)) {
		t.Run(phase, func(t *testing.T) {
			for n, dir := range dirs {
				t.Run(filepath.Base(dir), func(t *testing.T) {
					t.Parallel()
					do(t, n)
				})
			}
		})
	}
	each("opened", func(here *testing.T, n int) {
		k := openKept(t, here, dirs[n])
		if slices.Contains(rotate, dirs[n]) {
			k.rest, all[n] = k.beginToRotateAllKeys(), k
		} else {
			k.kill()
		}
	})
	// A rotation waits 10 s for other processes, so all databases rotate in parallel.
	each("rotated", func(here *testing.T, n int) {
		if k := all[n]; k != nil {
			k.t = here
			k.finishRotation()
		}
	})
}

// keptDirs returns the directories of the kept databases to open, and those whose keys
// are rotated: the first and the last of each engine, or all if there is time.
func keptDirs(t *testing.T) (dirs, rotate []string) {
	t.Helper()
	all, err := filepath.Glob("testdata/kept/[0-9]*")
	if err != nil || len(all) == 0 {
		t.Fatalf("no kept databases: %v", err)
	}
	if everything() {
		return all, all
	}
	version := func(dir string) string { return "v" + strings.TrimSuffix(filepath.Base(dir), "-postgresql") }
	slices.SortFunc(all, func(a, b string) int { return semver.Compare(version(a), version(b)) })
	type schema struct {
		postgres bool
		version  int
	}
	newest, of := map[schema]string{}, map[bool][]string{}
	for _, dir := range all {
		postgres := exists(t, filepath.Join(dir, keptPostgreSQL))
		newest[schema{postgres, readStory(t, dir).Schema}] = dir
		of[postgres] = append(of[postgres], dir)
	}
	for _, engine := range of {
		rotate = append(rotate, engine[0], engine[len(engine)-1])
	}
	return slices.Sorted(maps.Values(newest)), rotate
}

func readStory(t *testing.T, dir string) (story keptStory) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, keptFile))
	if err == nil {
		err = json.Unmarshal(text, &story)
	}
	if err != nil {
		t.Fatal(err)
	}
	return story
}

// The databases of the newest version are written after its release.
func TestADatabaseOfEachReleasedVersionIsKept(t *testing.T) {
	changelog, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	versions := regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\]`).FindAllStringSubmatch(string(changelog), -1)
	if len(versions) < 8 {
		t.Fatalf("the changelog has %d versions", len(versions))
	}
	for _, m := range versions[1:] {
		dirs := []string{m[1]}
		if semver.Compare("v"+m[1], "v0.4.0") >= 0 { // PostgreSQL came with 0.4.0
			dirs = append(dirs, m[1]+"-postgresql")
		}
		for _, dir := range dirs {
			if !exists(t, filepath.Join("testdata", "kept", dir, keptFile)) {
				t.Errorf("testdata/kept lacks %s", dir)
			}
		}
	}
}

// kept is a server on a kept database.
type kept struct {
	*instance
	story keptStory
	rest  func() // of the rotation
}

// openKept starts a server on a copy of a kept database. Both stay until the test whole
// ends.
func openKept(whole, t *testing.T, dir string) *kept {
	story := readStory(t, dir)
	i := &instance{t: t, dataDir: whole.TempDir(), log: &lockedBuffer{}}
	copyFile(t, filepath.Join(dir, keptRootKey), filepath.Join(i.dataDir, keptRootKey))
	if dump := filepath.Join(dir, keptPostgreSQL); exists(t, dump) {
		url := pgtest.Database(whole)
		postgresTool(t, "psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--file="+dump, url)
		i.env = []string{"STRONGROOM_DATABASE=" + url}
	} else {
		copyFile(t, filepath.Join(dir, keptSQLite), filepath.Join(i.dataDir, keptSQLite))
	}
	if out, code := i.command("migrate"); code != 0 {
		t.Fatalf("migrate exits %d:\n%s", code, out)
	}
	i.auditIntact()
	i.run()
	whole.Cleanup(i.kill)
	sum := i.summary(87840)
	if sum["totalOperations"] != story.Operations || sum["failedOperations"] != story.Failed || sum["uniqueDevices"] != 2 {
		t.Errorf("the summary is %v, want %v operations, %v failed, 2 devices", sum, story.Operations, story.Failed)
	}
	for device, k := range map[string]keyPair{"phone": story.Phone, "tablet": story.Tablet} {
		if got := i.mustIssue(generate, device); got != k {
			t.Errorf("the %s has key %s, want %s", device, got.ID, k.ID)
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
	return &kept{instance: i, story: story}
}

func (k *kept) finishRotation() {
	k.rest()
	k.expect("the PIN under new keys", k.try("verifyTransactionPin", k.story.Phone, k.story.PIN), "true")
	k.expect("under the rotated device key", k.try("verifyTransactionPin", k.story.Old, k.story.PIN), "KEY_NOT_USABLE")
	k.expect("the lock", k.try("verifyTransactionPin", k.story.Tablet, "1357"), "CREDENTIAL_LOCKED")
	k.kill() // dozens of idle servers take time from the others
}

// rotatesAllKeys replaces root key and data key under the running server, destroys the
// old ones, and starts the server again with the new root key.
func (i *instance) rotatesAllKeys() {
	i.t.Helper()
	i.beginToRotateAllKeys()()
}

// beginToRotateAllKeys does the first part of rotatesAllKeys, up to the wait. rest does the
// remaining part.
func (i *instance) beginToRotateAllKeys() (rest func()) {
	i.t.Helper()
	fresh, here := filepath.Join(i.dataDir, "new.key"), filepath.Join(i.dataDir, keptRootKey)
	run := func(command ...string) {
		i.t.Helper()
		if out, code := strongroom(i.t, i.env, command...); code != 0 {
			i.t.Fatalf("%s: exit code %d: %s", command, code, out)
		}
	}
	run("root-key", "create", fresh)
	run("root-key", "rotate", "--data-dir", i.dataDir, "--to", "file:"+fresh)
	var out lockedBuffer
	// All databases are prepared before the first of them is waited for.
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	rotating := exec.CommandContext(ctx, binary(i.t), "data-key", "rotate", "--data-dir", i.dataDir, "--root-key", "file:"+fresh, "--wait")
	rotating.Env, rotating.Stdout, rotating.Stderr = append(cleanEnv(), i.env...), &out, &out
	if err := rotating.Start(); err != nil {
		cancel()
		i.t.Fatal(err)
	}
	return func() {
		i.t.Helper()
		defer cancel()
		if err := rotating.Wait(); err != nil {
			i.t.Fatalf("rotating the data key: %v\n%s", err, &out)
		}
		run("data-key", "destroy", "--data-dir", i.dataDir, "--root-key", "file:"+fresh)
		if code := i.stop(); code != 0 {
			i.t.Fatalf("exit code %d", code)
		}
		i.refusesToServe("wrong root key")
		if err := os.Rename(fresh, here); err != nil {
			i.t.Fatal(err)
		}
		i.run()
		i.auditIntact()
	}
}

// writeKept writes a database and its story into dir, by a server on SQLite or, with a
// URL, on PostgreSQL.
func writeKept(t *testing.T, dir, url string) {
	var env []string
	if url != "" {
		env = []string{"STRONGROOM_DATABASE=" + url}
	}
	i := startWith(t, env)
	s := keptStory{Schema: i.schema(), Passcode: "correct horse", PIN: "493817", Operations: 12, Failed: 1}
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
	copyFile(t, filepath.Join(i.dataDir, keptRootKey), filepath.Join(dir, keptRootKey))
	if url != "" {
		postgresTool(t, "pg_dump", "--no-owner", "--no-privileges", "--file="+filepath.Join(dir, keptPostgreSQL), url)
	} else {
		copyFile(t, filepath.Join(i.dataDir, keptSQLite), filepath.Join(dir, keptSQLite))
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, keptFile), append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// schema returns the version of the database's schema.
func (i *instance) schema() (version int) {
	i.t.Helper()
	out, code := i.command("migrate")
	if _, err := fmt.Sscanf(out, "The schema is already at version %d.", &version); code != 0 || err != nil {
		i.t.Fatalf("migrate exits %d: %s", code, out)
	}
	return version
}

// postgresTool runs a client program of PostgreSQL.
func postgresTool(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(filepath.Join(pgtest.Programs(t), name), args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

func exists(t *testing.T, path string) bool {
	t.Helper()
	_, err := os.Stat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return err == nil
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b, 0o600); err != nil {
		t.Fatal(err)
	}
}
