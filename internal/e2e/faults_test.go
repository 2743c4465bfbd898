package e2e

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"strongroom/internal/store/postgres/pgtest"
)

// crowd is clients of a cluster that write down what they were answered, while
// something breaks and is mended. What they hold the answers against: nothing
// that was acknowledged is lost, no verdict is wrong, nobody waits longer than
// a request may take, and before and after the trouble there is no error.
type crowd struct {
	*cluster
	devices []*device
	hit     *device // nil: trouble may hit any

	mu      sync.Mutex
	dead    *instance // whose connections may break
	trouble bool
	changes int // of trouble
	words   map[string]int
	right   map[*instance]int // answers without an error, by who gave them
	slowest time.Duration
}

const overloaded, internal = "OVERLOADED", "INTERNAL"

// hang is longer than any request may take.
const hang = 35 * time.Second

func newCrowd(c *cluster) *crowd {
	w := &crowd{cluster: c, words: map[string]int{}, right: map[*instance]int{}}
	for n := range 4 {
		d := newDevice(fmt.Sprintf("device %d", n))
		w.devices = append(w.devices, d)
		w.renew(d, generate)
		w.set(d, d.somePair(d.key.now().values), "000000000")
	}
	return w
}

// roomy are the settings of an account that many may guess at for a while.
func roomy(more ...string) []string {
	return append([]string{"--attempts-max", "10", "--attempts-rolling-max", "100"}, more...)
}

// during lets clients work while fault breaks something and mends it, until
// each instance has served well afterwards. Then it looks whether everything is
// as it was acknowledged.
func (w *crowd) during(clients int, fault func()) {
	w.t.Helper()
	stop := make(chan struct{})
	var all sync.WaitGroup
	for n := range clients {
		all.Go(func() {
			for d := w.devices[n%len(w.devices)]; ; pause() {
				select {
				case <-stop:
					return
				default:
					w.act(d)
				}
			}
		})
	}
	halt := sync.OnceFunc(func() {
		close(stop)
		all.Wait()
	})
	defer halt() // also when the test ends here
	w.served(10)
	w.troubled(true)
	fault()
	w.ready(200, 5*time.Second)
	w.troubled(false)
	w.served(10)
	halt()
	for _, d := range w.devices {
		w.check(d)
	}
	w.auditIntact()
	w.t.Logf("answers: %v; the slowest took %v", w.words, w.slowest.Round(time.Millisecond))
}

func (w *crowd) troubled(on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trouble = on
	w.changes++
}

// served waits until each instance has given so many more answers without an
// error.
func (w *crowd) served(more int) {
	w.t.Helper()
	w.mu.Lock()
	before := maps.Clone(w.right)
	w.mu.Unlock()
	await(w.t, "every instance serves", 10*time.Second, func() bool {
		all := w.all()
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.t.Failed() || !slices.ContainsFunc(all, func(i *instance) bool { return w.right[i] < before[i]+more })
	})
}

// ready waits until the readiness of every instance is this.
func (w *crowd) ready(status int, promised time.Duration) {
	w.t.Helper()
	await(w.t, fmt.Sprintf("every instance says %d", status), promised, func() bool {
		var all sync.WaitGroup
		var others atomic.Int64
		for _, i := range w.all() {
			all.Go(func() {
				if i.readiness() != status {
					others.Add(1)
				}
			})
		}
		all.Wait()
		return others.Load() == 0
	})
}

// ask sends one request to some instance and judges the word that answers it.
// What it returns is "true", "false", a code that says that nothing was done,
// or "?" when nobody knows.
func (w *crowd) ask(what string, d *device, request func(i *instance) string) string {
	i := w.pick()
	w.mu.Lock()
	trouble, changes := w.trouble, w.changes
	w.mu.Unlock()
	start := time.Now()
	word := request(i)
	took := time.Since(start)

	w.mu.Lock()
	defer w.mu.Unlock()
	w.words[what+" "+word]++
	w.slowest = max(w.slowest, took)
	if took > hang {
		w.t.Errorf("%s was answered %s after %v", what, word, took)
	}
	switch word {
	case "true", "false", "KEY_NOT_USABLE", locked:
		w.right[i]++
		return word
	case tooMany:
		return word
	case overloaded, internal:
		if calm := !trouble && w.changes == changes; calm || w.hit != nil && w.hit != d {
			w.t.Errorf("%s: %s answers %s, though nothing is broken", d.name, what, word)
		}
		if word == overloaded {
			return word
		}
	case "?":
		if i != w.dead {
			w.t.Errorf("%s: no answer from an instance that was not killed", what)
		}
	default:
		w.t.Errorf("%s: %s", what, word)
	}
	return "?"
}

// errors is how many requests were refused or failed.
func (w *crowd) errors() (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for word, times := range w.words {
		if strings.HasSuffix(word, internal) || strings.HasSuffix(word, overloaded) {
			n += times
		}
	}
	return n
}

// act does what a client may do next.
func (w *crowd) act(d *device) {
	k, pin := d.somePair(d.key.now().values), "0000" // a PIN that nobody sets
	if pins := d.pin.now().values; rand.IntN(20) > 0 {
		pin = pins[rand.IntN(len(pins))]
	}
	switch n := rand.IntN(100); {
	case n < 15:
		w.read(d)
	case n < 20:
		w.renew(d, rotate)
	case n < 50:
		w.set(d, k, fmt.Sprintf("%09d", rand.IntN(1e9)))
	case n < 60:
		w.verify(d, d.somePair(slices.Collect(maps.Keys(d.known()))), pin)
	default:
		w.verify(d, k, pin)
	}
}

// issue asks for a key.
func (w *crowd) issue(operation string, d *device) (k keyPair, word string) {
	word = w.ask(operation, d, func(i *instance) string {
		got, err := i.issue(operation, d.name)
		switch {
		case err == nil:
			d.learn(got)
			k = got
			return "true"
		case !strings.Contains(err.Error(), ": status "):
			return "?"
		}
		if m := regexp.MustCompile(`"code":"([A-Z_]+)"`).FindStringSubmatch(err.Error()); m != nil {
			return m[1]
		}
		return err.Error()
	})
	return k, word
}

func (w *crowd) renew(d *device, operation string) {
	write := d.key.begin("")
	k, word := w.issue(operation, d)
	d.key.end(write, k.ID, word)
}

func (w *crowd) read(d *device) (keyPair, string) {
	before := d.key.now()
	k, word := w.issue(generate, d)
	after := d.key.now()
	switch {
	case word != "true":
	case slices.Contains(before.dead, k.ID):
		w.t.Errorf("%s: generate answers a key that an acknowledged rotation ended", d.name)
	case before.clock == after.clock && !after.may(k.ID):
		w.t.Errorf("%s: generate answers another key than the last that was acknowledged", d.name)
	}
	return k, word
}

func (w *crowd) set(d *device, k keyPair, pin string) {
	write := d.pin.begin(pin)
	word := w.submit(d, setPIN, k, pin)
	d.pin.end(write, pin, word)
	if word == "false" {
		w.t.Errorf("%s: set answers false", d.name)
	}
}

func (w *crowd) verify(d *device, k keyPair, pin string) string {
	before := d.pin.now()
	word := w.submit(d, verifyPIN, k, pin)
	after := d.pin.now()
	switch {
	case word == "true" && !slices.Contains(before.values, pin):
		w.t.Errorf("%s: verify answers true to a PIN that is not set or no longer set", d.name)
	case word == "false" && before.clock == after.clock && slices.Equal(after.values, []string{pin}):
		w.t.Errorf("%s: verify answers false to the PIN of the last set", d.name)
	}
	return word
}

// submit submits a PIN and holds the answer against what is known of the key.
func (w *crowd) submit(d *device, operation string, k keyPair, pin string) string {
	before := d.key.now()
	word := w.ask(operation, d, func(i *instance) string { return i.try(operation, k, pin) })
	after := d.key.now()
	switch {
	case word != "true" && word != "false" && word != "KEY_NOT_USABLE":
	case word != "KEY_NOT_USABLE" && slices.Contains(before.dead, k.ID):
		w.t.Errorf("%s: %s answers %s to a key that an acknowledged rotation ended", d.name, operation, word)
	case word == "KEY_NOT_USABLE" && before.clock == after.clock && slices.Equal(after.values, []string{k.ID}):
		w.t.Errorf("%s: %s refuses the last key that was acknowledged", d.name, operation)
	}
	return word
}

// check holds what the store knows of a device against what was acknowledged,
// when nobody writes any more.
func (w *crowd) check(d *device) {
	w.t.Helper()
	k, _ := w.read(d)
	d.key.settle(k.ID)
	for id, old := range d.known() {
		if id != k.ID {
			if word := w.verify(d, old, "0000"); word != "KEY_NOT_USABLE" {
				w.t.Errorf("%s: verify with an earlier key: %s", d.name, word)
			}
		}
	}
	set := "none"
	possible := d.pin.now().values
	for _, pin := range possible {
		if pin != "" && w.verdict(d, k, pin) == "true" {
			set = pin
		}
	}
	if !slices.Contains(possible, set) {
		w.t.Errorf("%s: neither the last PIN whose set was acknowledged verifies, nor one of the %d that may have followed", d.name, len(possible)-1)
	}
	d.pin.settle(set)
}

// verdict is that of a PIN in calm. Tries whose answer was lost may stand in
// the way until their lease ends and an operator unlocks. An attempt that finds them
// waits a second for them, so that these outlast any lease.
func (w *crowd) verdict(d *device, k keyPair, pin string) string {
	w.t.Helper()
	for range 60 {
		switch word := w.verify(d, k, pin); word {
		case locked, tooMany:
			w.unlock(d.name)
		default:
			return word
		}
	}
	w.t.Errorf("%s: it stays locked", d.name)
	return ""
}

func TestAKilledInstanceLosesNoDataOfTheOthers(t *testing.T) {
	t.Parallel()
	w := newCrowd(startCluster(t, 3, roomy()...))
	for range long(t, "E2E_FAULTS", 2) {
		w.during(8, func() {
			w.mu.Lock()
			w.dead = w.all()[0]
			w.mu.Unlock()
			w.dead.kill()
			w.replace(w.dead)
		})
	}
}

func TestAKilledPrimaryComesBackWithEverythingAcknowledged(t *testing.T) {
	t.Parallel()
	w := newCrowd(startCluster(t, 3, roomy()...))
	for range long(t, "E2E_FAULTS", 2) {
		w.during(8, func() {
			killHard(t, w.server)
			w.ready(503, 2*time.Second)
			if err := w.server.Serve(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// killHard kills every process of a PostgreSQL server with SIGKILL.
func killHard(t *testing.T, s *pgtest.Server) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(s.Dir, "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(b), "\n")
	postmaster, err := strconv.Atoi(first)
	if err != nil {
		t.Fatal(err)
	}
	pids := []int{postmaster}
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", postmaster)) // none where there is no /proc: then its children see it gone
	for _, file := range files {
		children, _ := os.ReadFile(file)
		for _, field := range strings.Fields(string(children)) {
			if pid, err := strconv.Atoi(field); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	s.Kill() // which waits for its end
}

func TestCutAndDelayedConnectionsLoseNothing(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	p := newRelay(t, fmt.Sprintf("127.0.0.1:%d", server.Port))
	w := newCrowd(clusterOn(t, server, p.url(server), 3, roomy()...))
	for range long(t, "E2E_FAULTS", 1) {
		w.during(8, func() {
			for range 10 {
				p.cut()
				time.Sleep(100 * time.Millisecond) // of work in between
			}
			p.delay.Store(int64(50 * time.Millisecond))
			time.Sleep(2 * time.Second) // of work like that
			p.delay.Store(0)
		})
		// A network that swallows everything and breaks no connection: the
		// longest waits of all.
		w.during(8, func() {
			p.hold()
			w.ready(503, 2*time.Second)
			time.Sleep(8 * time.Second) // longer than any one answer is waited for
			p.let()
		})
	}
}

// Each instance has two connections for twenty clients, and a slow network.
func TestAnExhaustedPoolRefusesAndRecovers(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	p := newRelay(t, fmt.Sprintf("127.0.0.1:%d", server.Port))
	w := newCrowd(clusterOn(t, server, p.url(server), 3, roomy("--database-max-connections", "2")...))
	w.during(64, func() {
		p.delay.Store(int64(200 * time.Millisecond))
		time.Sleep(time.Duration(long(t, "E2E_HELD_SECONDS", 8)) * time.Second)
		p.delay.Store(0)
	})
	if w.errors() == 0 {
		t.Error("no request was refused: the pool was not exhausted")
	}
}

// Somebody else's transaction that holds a row costs requests that need that
// row, and no others.
func TestALockedRowStopsItsOwnAccountOnly(t *testing.T) {
	t.Parallel()
	w := newCrowd(startCluster(t, 3, roomy()...))
	w.hit = w.devices[0]
	held := time.Duration(long(t, "E2E_HELD_SECONDS", 5)) * time.Second
	w.during(8, func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		c, err := pgx.Connect(ctx, w.server.URL("postgres"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close(ctx)
		tx, err := c.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Exec(ctx, "SELECT 1 FROM attempts WHERE account_id = (SELECT id FROM account WHERE subject = $1) FOR UPDATE", w.hit.name); err != nil {
			t.Fatal(err)
		}
		time.Sleep(held)
		if err := tx.Rollback(ctx); err != nil {
			t.Fatal(err)
		}
	})
	if w.errors() == 0 && w.slowest < held/2 {
		t.Error("no request was refused or had to wait: the row was not locked")
	}
}

func TestTheServiceRecoversAfterAFullDatabaseServerDisk(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, "48m")
	server := pgtest.Start(t) // later, to be gone earlier
	// The server, which is another user, has its tables there, and its log not.
	space := filepath.Join(disk, "space")
	owner, err := os.Stat(server.Dir)
	if err == nil {
		err = os.Mkdir(space, 0o700)
	}
	if err == nil {
		id := owner.Sys().(*syscall.Stat_t)
		err = errors.Join(os.Chown(space, int(id.Uid), int(id.Gid)), os.Chmod(filepath.Dir(disk), 0o755))
	}
	if err != nil {
		t.Fatal(err)
	}
	server.Exec(t, "postgres", "CREATE TABLESPACE small LOCATION '"+space+"'", "CREATE DATABASE small TABLESPACE small")
	w := newCrowd(clusterOn(t, server, server.URL("small"), 3, roomy()...))
	w.during(8, func() {
		filler := fillUp(t, disk)
		// Those whose try is reserved wait for its verdict until the lease ends.
		await(t, "requests fail", 5*time.Second, func() bool { return w.errors() > 4 })
		w.ready(503, 2*time.Second)
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
	})
}
