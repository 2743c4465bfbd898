package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"strongroom/internal/store/postgres/pgtest"
)

// cluster is some instances that share a PostgreSQL database and a root key
// file, and nothing else.
type cluster struct {
	t      testing.TB
	server *pgtest.Server
	store  []string // --database and --root-key, as every command on it takes them

	mu        sync.Mutex
	instances []*instance // guarded by mu
}

// startCluster starts instances at once on an empty database of a server of
// the test's own.
func startCluster(t *testing.T, n int, args ...string) *cluster {
	t.Helper()
	server := pgtest.Start(t)
	return clusterOn(t, server, server.URL("postgres"), n, args...)
}

// clusterOn starts instances that reach the database of a server by this URL.
func clusterOn(t *testing.T, server *pgtest.Server, url string, n int, args ...string) *cluster {
	t.Helper()
	return clusterOf(t, "", server, url, n, args...)
}

// clusterOf is clusterOn with a program of another version.
func clusterOf(t *testing.T, program string, server *pgtest.Server, url string, n int, args ...string) *cluster {
	t.Helper()
	c := &cluster{t: t, server: server, instances: make([]*instance, n),
		store: []string{"--database", url, "--root-key", "file:" + filepath.Join(t.TempDir(), "root.key")}}
	var all sync.WaitGroup
	for n := range c.instances {
		all.Go(func() {
			c.instances[n] = startProgram(t, program, filepath.Join(t.TempDir(), "data"), slices.Concat(c.store, args))
		})
	}
	all.Wait()
	if t.Failed() { // start cannot end the test from there
		t.FailNow()
	}
	return c
}

func (c *cluster) all() []*instance {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]*instance(nil), c.instances...)
}

// pick is an instance by chance, as a load balancer picks one.
func (c *cluster) pick() *instance {
	all := c.all()
	return all[rand.IntN(len(all))]
}

// replace starts an instance in the place of one that was killed, on its data
// directory.
func (c *cluster) replace(dead *instance) {
	c.t.Helper()
	next := startOn(c.t, dead.dataDir, dead.args...)
	c.mu.Lock()
	defer c.mu.Unlock()
	for n, i := range c.instances {
		if i == dead {
			c.instances[n] = next
		}
	}
}

// command runs a command on the database, beside the instances.
func (c *cluster) command(args ...string) (out string, code int) {
	c.t.Helper()
	return c.all()[0].command(append(args, c.store...)...)
}

func (c *cluster) auditIntact() {
	c.t.Helper()
	if out, code := c.command("audit", "verify"); code != 0 {
		c.t.Errorf("audit verify exits %d:\n%s", code, out)
	}
}

func (c *cluster) unlock(device string) {
	c.t.Helper()
	out, code := c.command("admin", "unlock", "--device", device, "--type", "TRANSACTION_PIN", "--reason", "the test goes on")
	if code != 0 {
		c.t.Errorf("admin unlock exits %d:\n%s", code, out)
	}
}

// long is how often, or how long, something is done: as the variable says,
// which make soak sets, or else.
func long(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s: must be a number from 1", variable)
	}
	return n
}

func TestTenInstancesStartedAtOnceShareOneKeyset(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 10)
	begun := 0
	for _, i := range c.instances {
		begun += strings.Count(i.log.String(), "a new database was begun")
		if status := i.readiness(); status != 200 {
			t.Errorf("an instance that started is ready with status %d", status)
		}
	}
	if begun != 1 {
		t.Errorf("%d of ten instances began the database, want one", begun)
	}
	k := c.pick().withPIN("device", "493817")
	for _, i := range c.instances {
		i.expect("the PIN of another instance", i.try(verifyPIN, k, "493817"), "true")
	}

	dir := t.TempDir()
	missing, other := filepath.Join(dir, "missing.key"), filepath.Join(dir, "other.key")
	if out, code := strongroom(t, nil, "root-key", "create", other); code != 0 {
		t.Fatalf("root-key create exits %d: %s", code, out)
	}
	for key, words := range map[string]string{missing: "this database needs root key", other: "wrong root key"} {
		refused(t, "another root key", filepath.Join(dir, "data"), words,
			"--database", c.server.URL("postgres"), "--root-key", "file:"+key)
	}
	if _, err := os.Stat(missing); !os.IsNotExist(err) {
		t.Errorf("the root key file that was not there: %v, want none", err)
	}
	c.auditIntact()
}

func TestThreeInstancesEvaluateFiveOf300Guesses(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 3)
	k := c.pick().withPIN("device", "493817")
	guesses := make([]string, 300)
	for n := range guesses {
		guesses[n] = encryptFor(t, k, verifyPIN, fmt.Sprintf("%06d", n))
	}
	guess := func(n int) string {
		a, err := c.pick().submit(verifyPIN, k.ID, guesses[n])
		return word(verifyPIN, a, err)
	}
	words := c.pick().atOnce(len(guesses), guess)
	t.Logf("300 wrong guesses at once: %v", words)
	if words["false"]+words[locked]+words[tooMany]+words["OVERLOADED"] != 300 {
		t.Errorf("300 wrong guesses: %v, want only false, locked, too many and overloaded", words)
	}
	// Where requests stood in each other's way, some of the five are left.
	evaluated := words["false"]
	for word := ""; word != locked; word = guess(0) {
		if word == "false" {
			evaluated++
		}
		if evaluated > 5 {
			break
		}
	}
	if evaluated != 5 {
		t.Errorf("%d wrong guesses were evaluated, want 5", evaluated)
	}
	for _, i := range c.instances {
		i.expect("the right PIN, after them", i.try(verifyPIN, k, "493817"), locked)
	}
	c.auditIntact()
}

// Instances use cached keys without reading them again. As soon as any instance answers a
// rotation, all instances must refuse the old key and issue the new one.
func TestARotatedKeyIsDeadOnEveryInstanceAtOnce(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 3)
	stop := c.verifiers(2)
	defer stop() // also when the test ends early
	k := c.pick().withPIN("rotated", "493817")
	foreign := encryptFor(t, c.pick().mustIssue(generate, "another"), verifyPIN, "493817") // opens under no other key, and costs no attempt
	rotations := long(t, "E2E_ROTATIONS", 20)
	start := time.Now()
	for n := range rotations {
		for _, i := range c.instances { // so that each could remember it
			a, err := i.submit(verifyPIN, k.ID, foreign)
			i.expect("the key that will be rotated", word(verifyPIN, a, err), "DECRYPTION_FAILED")
		}
		old := encryptFor(t, k, verifyPIN, "493817")
		next := c.pick().mustIssue(rotate, "rotated")
		var all sync.WaitGroup
		for _, i := range c.instances {
			all.Go(func() {
				a, err := i.submit(verifyPIN, k.ID, old)
				i.expect("the key that was rotated", word(verifyPIN, a, err), "KEY_NOT_USABLE")
			})
			all.Go(func() {
				if got, err := i.issue(generate, "rotated"); err != nil || got != next {
					t.Errorf("generate after a rotation elsewhere answers %s, %v; want %s", got.ID, err, next.ID)
				}
			})
		}
		all.Wait()
		k = next
		if n%10 == 9 {
			i := c.pick()
			i.expect("the key that it was rotated to", i.try(verifyPIN, k, "493817"), "true")
		}
		if t.Failed() {
			t.Fatalf("at rotation %d", n+1)
		}
	}
	t.Logf("%d rotations in %v, beside %d verifications", rotations, time.Since(start).Round(time.Millisecond), stop())
	c.auditIntact()
}

// verifiers let as many devices verify, each at any instance, until stop is
// called, which says how many answers there were. Every PIN is right.
func (c *cluster) verifiers(devices int) (stop func() int64) {
	var verified atomic.Int64
	var all sync.WaitGroup
	done := make(chan struct{})
	for n := range devices {
		all.Go(func() {
			i := c.pick()
			k := i.withPIN(fmt.Sprintf("verifier %d", n), "493817")
			ciphertext := encryptFor(i.t, k, verifyPIN, "493817")
			for {
				select {
				case <-done:
					return
				default:
				}
				a, err := c.pick().submit(verifyPIN, k.ID, ciphertext)
				i.expect("a right PIN beside others", word(verifyPIN, a, err), "true")
				verified.Add(1)
				pause()
			}
		})
	}
	return sync.OnceValue(func() int64 {
		close(done)
		all.Wait()
		return verified.Load()
	})
}

// Each instance reports the operations of all instances. That includes operations of an
// instance that was killed before it counted them.
func TestEveryInstanceReportsTheSumOfAllInstances(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 3)
	const devices = 6
	var want counts
	expect := func(what, got, wanted string) {
		t.Helper()
		if got != wanted {
			t.Errorf("%s: %s, want %s", what, got, wanted)
		}
		want.total++
		if got != "true" && got != "false" {
			want.failed++
		}
	}
	keys := make([]keyPair, devices)
	for n := range devices {
		keys[n] = c.pick().withPIN(fmt.Sprintf("device %d", n), "493817")
		want.total += 2
		for _, i := range c.instances {
			expect("the PIN", i.try(verifyPIN, keys[n], "493817"), "true")
			expect("another", i.try(verifyPIN, keys[n], "0000"), "false")
			expect("no key", i.try(verifyPIN, keyPair{"aaaaaaaaaaaaaaaaaaaaaaaaaa", keys[n].PEM}, "0000"), "KEY_NOT_USABLE")
			i.mustIssue(generate, fmt.Sprintf("device %d", n))
			want.total++
		}
	}
	equal := func() bool {
		for _, i := range c.instances {
			sum := i.summary(24)
			if sum["totalOperations"] != want.total || sum["failedOperations"] != want.failed || sum["uniqueDevices"] != devices {
				return false
			}
		}
		return true
	}
	tell := func() {
		if !t.Failed() {
			return
		}
		for _, i := range c.instances {
			t.Logf("want %+v of %d devices, an instance says %v", want, devices, i.summary(24))
		}
	}
	defer tell()
	await(t, "every instance has the sum of all", time.Second, equal)

	victim := c.instances[2]
	for _, k := range keys {
		expect("the PIN, before the kill", victim.try(verifyPIN, k, "493817"), "true")
	}
	victim.kill()
	c.mu.Lock()
	c.instances = c.instances[:2]
	c.mu.Unlock()
	// The others look for what is left behind twice a minute, once it has lain
	// for ten seconds.
	await(t, "the others have the sum of one that was killed", 42*time.Second, equal)
	if c.auditIntact(); t.Failed() {
		return
	}

	c.server.Exec(t, "postgres", "UPDATE attempts SET failures = failures + 1 WHERE account_id = (SELECT min(account_id) FROM attempts)")
	out, code := c.command("audit", "verify")
	if code != 1 || !strings.Contains(out, "DAMAGED  attempts/") {
		t.Errorf("audit verify after an attempt counter was edited exits %d:\n%s", code, out)
	}
}
