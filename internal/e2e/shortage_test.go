package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"strongroom/internal/store/postgres/pgtest"
)

// Users who only send the right PIN are not locked out because the database is
// short of connections, slow or away. At the same time someone who guesses gets
// five verdicts.

func TestHonestUsersAreNotLockedWhenConnectionsAreShort(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	server.Exec(t, "postgres", "CREATE ROLE few LOGIN", "CREATE DATABASE few OWNER few")
	u, err := url.Parse(server.URL("few"))
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.User("few")
	h := newHonest(clusterOn(t, server, u.String(), 2), 24)
	server.Exec(t, "postgres", "ALTER ROLE few CONNECTION LIMIT 8")
	h.verify(long(t, "E2E_SHORTAGE_SECONDS", 4))
	server.Exec(t, "postgres", "ALTER ROLE few CONNECTION LIMIT 100")
	h.noneLocked()
}

func TestHonestUsersAreNotLockedWhenTheDatabaseIsSlow(t *testing.T) {
	t.Parallel()
	for _, delay := range []time.Duration{150 * time.Millisecond, 1500 * time.Millisecond} { // there and back: 300 ms, 3 s
		t.Run(delay.String(), func(t *testing.T) {
			t.Parallel()
			h, network := honestBehindRelay(t)
			network.delay.Store(int64(delay))
			h.verify(long(t, "E2E_SHORTAGE_SECONDS", 8))
			network.delay.Store(0)
			h.noneLocked()
		})
	}
}

func TestHonestUsersAreNotLockedByABrownOut(t *testing.T) {
	t.Parallel()
	h, network := honestBehindRelay(t)
	seconds := long(t, "E2E_BROWNOUT_SECONDS", 12)
	var all sync.WaitGroup
	all.Go(func() { h.verify(seconds + 4) })
	time.Sleep(2 * time.Second)
	network.hold()
	time.Sleep(time.Duration(seconds) * time.Second)
	network.cut() // or they would be waited for
	network.let()
	all.Wait()
	h.noneLocked()
}

func honestBehindRelay(t *testing.T) (*honest, *relay) {
	t.Helper()
	server := pgtest.Start(t)
	network := newRelay(t, fmt.Sprint("127.0.0.1:", server.Port))
	return newHonest(clusterOn(t, server, network.url(server), 2), 12), network
}

// honest are users who know their PIN, and beside them one whose PIN is guessed.
type honest struct {
	*cluster
	keys  []keyPair
	liar  keyPair
	right []string // a ciphertext of each user's PIN

	mu      sync.Mutex
	words   map[string]int // guarded by mu: answers to the right PIN
	guessed map[string]int // guarded by mu: answers to the guesses
}

func newHonest(c *cluster, users int) *honest {
	h := &honest{cluster: c, words: map[string]int{}, guessed: map[string]int{}}
	for n := range users {
		k := c.pick().withPIN(fmt.Sprintf("user %d", n), "493817")
		h.keys, h.right = append(h.keys, k), append(h.right, encrypt(c.t, k, "493817"))
	}
	h.liar = c.pick().withPIN("guessed", "493817")
	return h
}

// verify lets each user verify again and again, and somebody guess.
func (h *honest) verify(seconds int) {
	h.t.Helper()
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	var all sync.WaitGroup
	client := func(into map[string]int, once func() string) {
		all.Go(func() {
			for time.Now().Before(end) {
				got := once()
				h.mu.Lock()
				into[got]++
				h.mu.Unlock()
				if got != "true" {
					time.Sleep(time.Duration(100+rand.IntN(400)) * time.Millisecond) // as clients are told to
				}
			}
		})
	}
	for n, k := range h.keys {
		client(h.words, func() string {
			a, err := h.pick().submit(verifyPIN, k.ID, h.right[n])
			return word(verifyPIN, a, err)
		})
	}
	wrong := encrypt(h.t, h.liar, "000000")
	for range 3 {
		client(h.guessed, func() string {
			a, err := h.pick().submit(verifyPIN, h.liar.ID, wrong)
			return word(verifyPIN, a, err)
		})
	}
	all.Wait()
	h.t.Logf("answers to right PINs: %v; to guesses: %v", h.words, h.guessed)
}

// noneLocked looks, once the database is well again, whether every user gets
// in and the guesses were counted exactly.
func (h *honest) noneLocked() {
	h.t.Helper()
	for n, k := range h.keys {
		i := h.pick()
		var got string
		await(h.t, fmt.Sprintf("user %d gets an answer", n), 40*time.Second, func() bool {
			a, err := i.submit(verifyPIN, k.ID, h.right[n])
			got = word(verifyPIN, a, err)
			return got != "OVERLOADED" && got != tooMany && got != "INTERNAL"
		})
		i.expect(fmt.Sprintf("the right PIN of user %d", n), got, "true")
	}
	if h.words["false"]+h.words[locked] > 0 {
		h.t.Errorf("answers to right PINs: %v", h.words)
	}
	await(h.t, "the credential that was guessed at is locked", 60*time.Second, func() bool {
		got := h.pick().try(verifyPIN, h.liar, "000000")
		h.guessed[got]++
		return got == locked
	})
	// A verdict whose answer did not get through was counted all the same.
	if n := h.guessed["false"]; n > 5 || n+h.guessed["INTERNAL"]+h.guessed["?"] < 5 {
		h.t.Errorf("answers to guesses: %v, want five verdicts", h.guessed)
	}
	h.auditIntact()
}

func TestAStartWaitsForTheDatabase(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	server.Stop()
	serve := func(wait string) (out *lockedBuffer, cmd *exec.Cmd) {
		cmd = exec.Command(binary(t), "serve", "--data-dir", t.TempDir(), "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0",
			"--database", server.URL("postgres"), "--database-wait", wait)
		out = &lockedBuffer{}
		cmd.Env, cmd.Stdout, cmd.Stderr = append(cleanEnv(), "STRONGROOM_KEY_POOL=0"), out, out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill() })
		return out, cmd
	}
	waits := func(out *lockedBuffer) func() bool {
		return func() bool { return strings.Contains(out.String(), "waiting for the database") }
	}

	out, cmd := serve("0")
	if err := cmd.Wait(); err == nil || waits(out)() || !strings.Contains(out.String(), "cannot be reached") {
		t.Errorf("a start that must not wait ended with %v:\n%s", err, out)
	}

	out, cmd = serve("10m")
	await(t, "the log says that it waits", 10*time.Second, waits(out))
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Errorf("SIGTERM while it waits: %v:\n%s", err, out)
	}

	out, cmd = serve("10m")
	await(t, "the log says that it waits", 10*time.Second, waits(out))
	if err := server.Serve(); err != nil {
		t.Fatal(err)
	}
	await(t, "it is ready", 20*time.Second, func() bool { return readyLine.MatchString(out.String()) })
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Errorf("SIGTERM: %v:\n%s", err, out)
	}
}
