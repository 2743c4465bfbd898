package e2e

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// kills is how often a test kills the server: E2E_KILLS times, or 6.
func kills(t *testing.T) int {
	t.Helper()
	text := os.Getenv("E2E_KILLS")
	if text == "" {
		return 6
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatal("E2E_KILLS: must be a number from 1")
	}
	return n
}

// In each round clients use their own devices until the server is killed after some
// answer, while other requests run. The server starts again and must know everything that
// it acknowledged in this round. At the end, the test checks all rounds.
func TestKillsLoseNothingAcknowledged(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is for the race detector, which cannot watch a built binary")
	}
	t.Parallel()
	l := &load{instance: start(t, "--attempts-max", "10", "--attempts-rolling-max", "100")}
	var devices []*device
	for round := range kills(t) {
		var fresh []*device
		for n := range 3 {
			fresh = append(fresh, newDevice(fmt.Sprintf("device %d of round %d", n, round)))
		}
		devices = append(devices, fresh...)
		l.untilKilled(fresh)
		l.run()
		for _, d := range append(fresh, devices[rand.IntN(len(devices))]) {
			l.check(d)
		}
		l.checkSummary(len(devices))
		l.auditIntact()
		if t.Failed() {
			t.Fatalf("after kill %d", round+1)
		}
	}
	for _, d := range devices {
		l.check(d)
	}
	l.checkSummary(len(devices))
	if code := l.stop(); code != 0 {
		t.Errorf("SIGTERM: exit code %d", code)
	}
	l.auditIntact()
	t.Logf("%d kills: %d requests under load were answered, %d were not", kills(t), l.answered, l.unknown)
}

// A kill may come while the first start makes its files, or while a later one
// recovers what an earlier kill left.
func TestAKillDuringTheStartLeavesADirectoryThatStarts(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is for the race detector, which cannot watch a built binary")
	}
	t.Parallel()
	for range kills(t) {
		for _, file := range []string{"serve.lock", "admin.token", "strongroom.db", "strongroom.db-wal", "root.key"} {
			i := &instance{t: t, dataDir: filepath.Join(t.TempDir(), "data"), log: &lockedBuffer{}}
			i.startAndKill(func() bool {
				_, err := os.Stat(filepath.Join(i.dataDir, file))
				return err == nil
			})
			i.run()
			i.kill()
		}
	}
	i := start(t)
	k := i.mustIssue(generate, "device")
	i.expect("set", i.try("setTransactionPin", k, "4711"), "true")
	i.kill()
	for range 2 * kills(t) {
		moment := time.Now().Add(rand.N(100 * time.Millisecond)) // about as long as a start takes
		i.startAndKill(func() bool { return time.Now().After(moment) })
	}
	i.run()
	i.expect("verify", i.try("verifyTransactionPin", k, "4711"), "true")
	i.auditIntact()
}

// startAndKill starts the server and kills it as soon as now says so.
func (i *instance) startAndKill(now func() bool) {
	i.t.Helper()
	cmd := exec.Command(binary(i.t), append([]string{"serve", "--data-dir", i.dataDir,
		"--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"}, i.args...)...)
	cmd.Env, cmd.Stdout, cmd.Stderr = cleanEnv(), i.log, i.log
	if err := cmd.Start(); err != nil {
		i.t.Fatal(err)
	}
	for deadline := time.Now().Add(30 * time.Second); !now(); time.Sleep(50 * time.Microsecond) {
		if time.Now().After(deadline) {
			i.t.Errorf("the moment to kill did not come within 30 s:\n%s", i.log.String())
			break
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// load is the clients of one server, and the recorder of its answers.
type load struct {
	*instance
	calm bool // nobody kills: nothing that is answered may get lost

	mu       sync.Mutex
	fuse     int // answers until the kill
	answered int
	unknown  int
	sure     counts // what the summary must hold
	maybe    counts // what it may hold besides
}

type counts struct{ total, failed float64 }

// untilKilled lets several clients work on each device until the server is
// killed, which each of them notices by a request that gets no answer.
func (l *load) untilKilled(devices []*device) {
	l.calm, l.fuse = false, 1+rand.IntN(60)
	var clients sync.WaitGroup
	for _, d := range devices {
		clients.Go(func() {
			if l.renew(d, generate) == "?" {
				return
			}
			for range 3 {
				clients.Go(func() { l.client(d) })
			}
		})
	}
	clients.Wait()
	<-l.exited
	l.calm = true
}

func (l *load) client(d *device) {
	for word := ""; word != "?"; {
		k, pin := d.somePair(d.key.now().values), "0000" // a PIN that nobody sets
		if pins := d.pin.now().values; rand.IntN(3) > 0 {
			pin = pins[rand.IntN(len(pins))]
		}
		switch n := rand.IntN(100); {
		case n < 10:
			_, word = l.read(d)
		case n < 20:
			word = l.renew(d, rotate)
		case n < 60:
			word = l.set(d, k, fmt.Sprintf("%09d", rand.IntN(1e9)))
		case n < 65:
			word = l.verify(d, d.somePair(slices.Collect(maps.Keys(d.known()))), pin)
		default:
			word = l.verify(d, k, pin)
		}
	}
}

// renew makes a key: the first, or the next.
func (l *load) renew(d *device, operation string) string {
	w := d.key.begin("")
	k, word := l.issueOrNot(operation, d)
	d.key.end(w, k.ID, word)
	return l.record(word, true)
}

// read asks for the key that the device has.
func (l *load) read(d *device) (keyPair, string) {
	before := d.key.now()
	k, word := l.issueOrNot(generate, d)
	after := d.key.now()
	switch {
	case word != "true":
	case slices.Contains(before.dead, k.ID):
		l.t.Errorf("%s: generate answers a key that an acknowledged rotation ended", d.name)
	case before.clock == after.clock && !after.may(k.ID):
		l.t.Errorf("%s: generate answers another key than the last that was acknowledged", d.name)
	}
	return k, l.record(word, false)
}

func (l *load) issueOrNot(operation string, d *device) (k keyPair, word string) {
	k, err := l.issue(operation, d.name)
	for err != nil && strings.Contains(err.Error(), `"OVERLOADED"`) { // nothing was done
		k, err = l.issue(operation, d.name)
	}
	switch {
	case err == nil:
		d.learn(k)
		return k, "true"
	case strings.Contains(err.Error(), ": status "): // an answer without a key
		l.t.Errorf("%s: %v", d.name, err)
	}
	return k, "?"
}

func (l *load) set(d *device, k keyPair, pin string) string {
	w := d.pin.begin(pin)
	word := l.submitWith(d, "setTransactionPin", k, pin)
	d.pin.end(w, pin, word)
	if word == "false" {
		l.t.Errorf("%s: set answers false", d.name)
	}
	return word
}

func (l *load) verify(d *device, k keyPair, pin string) string {
	before := d.pin.now()
	word := l.submitWith(d, "verifyTransactionPin", k, pin)
	after := d.pin.now()
	switch {
	case word == "true" && (pin == "" || !slices.Contains(before.values, pin)):
		l.t.Errorf("%s: verify answers true to a PIN that is not set or no longer set", d.name)
	case word == "false" && before.clock == after.clock && slices.Equal(after.values, []string{pin}) && pin != "":
		l.t.Errorf("%s: verify answers false to the PIN of the last set", d.name)
	}
	return word
}

// submitWith submits a PIN and holds the answer against what is known of the
// key.
func (l *load) submitWith(d *device, operation string, k keyPair, pin string) string {
	before := d.key.now()
	word := l.try(operation, k, pin)
	for word == "OVERLOADED" { // nothing was done
		word = l.try(operation, k, pin)
	}
	after := d.key.now()
	switch word {
	case "true", "false", "?", "KEY_NOT_USABLE", "CREDENTIAL_LOCKED", "TOO_MANY_REQUESTS":
	default:
		l.t.Errorf("%s: %s answers %s", d.name, operation, word)
	}
	switch {
	case word == "?":
	case word != "KEY_NOT_USABLE" && slices.Contains(before.dead, k.ID):
		l.t.Errorf("%s: %s answers %s to a key that an acknowledged rotation ended", d.name, operation, word)
	case word == "KEY_NOT_USABLE" && before.clock == after.clock && slices.Equal(after.values, []string{k.ID}):
		l.t.Errorf("%s: %s refuses the last key that was acknowledged", d.name, operation)
	}
	return l.record(word, word == "true" || word == "false")
}

// record counts an operation's answer and returns it. An operation that has an
// audit entry of its own survives a kill; others are in memory for a moment.
func (l *load) record(word string, entered bool) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if word == "?" {
		if l.calm {
			l.t.Error("a request got no answer, although the server was not killed")
		}
		_ = l.cmd.Process.Kill() // whatever broke: the round is over
		l.unknown++
		l.maybe.total++
		l.maybe.failed++
		return word
	}
	if word != "TOO_MANY_REQUESTS" { // which is no operation
		c := &l.maybe
		if l.calm || entered {
			c = &l.sure
		}
		c.total++
		if word != "true" && word != "false" {
			c.failed++
		}
	}
	if !l.calm {
		l.answered++
		if l.fuse--; l.fuse == 0 {
			_ = l.cmd.Process.Kill()
		}
	}
	return word
}

// check holds what the server knows of a device against what it acknowledged.
// From here on both know the same.
func (l *load) check(d *device) {
	l.t.Helper()
	k, _ := l.read(d)
	d.key.settle(k.ID)
	for id, old := range d.known() {
		if id != k.ID {
			l.expect(d.name+": verify with an earlier key", l.verify(d, old, "0000"), "KEY_NOT_USABLE")
		}
	}
	set := ""
	possible := d.pin.now().values
	for _, pin := range possible {
		if pin != "" && l.verdict(d, k, pin) == "true" {
			set = pin
		}
	}
	if !slices.Contains(possible, set) {
		l.t.Errorf("%s: neither the last PIN whose set was acknowledged verifies, nor one of the %d that may have followed",
			d.name, len(possible)-1)
	}
	d.pin.settle(set)
}

// verdict verifies a PIN in calm. Tries whose process was killed may stand in
// the way until an operator unlocks.
func (l *load) verdict(d *device, k keyPair, pin string) string {
	l.t.Helper()
	for range 10 {
		switch word := l.verify(d, k, pin); word {
		case "CREDENTIAL_LOCKED", "TOO_MANY_REQUESTS":
			l.unlock(d.name)
		default:
			return word
		}
	}
	l.t.Errorf("%s: it stays locked", d.name)
	return ""
}

func (i *instance) unlock(device string) {
	i.t.Helper()
	out, code := i.command("admin", "unlock", "--device", device, "--type", "TRANSACTION_PIN", "--reason", "the test goes on")
	if code != 0 {
		i.t.Errorf("admin unlock exits %d:\n%s", code, out)
	}
}

// checkSummary asks for the summary, in calm. It is exact for all that was
// answered since the last kill, so the next bounds start from it.
func (l *load) checkSummary(devices int) {
	l.t.Helper()
	sum := l.summary(24)
	total, failed := sum["totalOperations"], sum["failedOperations"]
	if least, most := l.sure.total, l.sure.total+l.maybe.total; total < least || total > most {
		l.t.Errorf("the summary has %v operations, not %v to %v", total, least, most)
	}
	if least, most := l.sure.failed, l.sure.failed+l.maybe.failed; failed < least || failed > most {
		l.t.Errorf("the summary has %v failed operations, not %v to %v", failed, least, most)
	}
	if got := sum["uniqueDevices"]; got != float64(devices) {
		l.t.Errorf("the summary has %v devices, not %d", got, devices)
	}
	l.sure, l.maybe = counts{total, failed}, counts{}
}

// device is what its clients know of one device.
type device struct {
	name string
	pin  *register // "" where none is set
	key  *register // by keyId; "" where an unanswered request may have made one, or none is there

	mu    sync.Mutex
	pairs map[string]keyPair // every key pair that any answer gave
}

func newDevice(name string) *device {
	return &device{name: name, pin: newRegister(), key: newRegister(), pairs: map[string]keyPair{}}
}

func (d *device) learn(k keyPair) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pairs[k.ID] = k
}

func (d *device) known() map[string]keyPair {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.pairs)
}

// somePair returns one of these key pairs, any that was answered.
func (d *device) somePair(ids []string) keyPair {
	known := d.known()
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	return known[ids[rand.IntN(len(ids))]]
}

// register is what clients may know of a value on the server that several of
// them write at once: what it may be now, and what it cannot be any more.
type register struct {
	mu     sync.Mutex
	clock  int // counts when writes begin and end
	writes []*write
	dead   []string
}

type write struct {
	value        string
	begun, ended int
}

func newRegister() *register { return &register{writes: []*write{{}}} }

func (r *register) begin(value string) *write {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clock++
	w := &write{value, r.clock, math.MaxInt}
	r.writes = append(r.writes, w)
	return w
}

// end says how a write ended, and of what value it was: the server may have
// chosen it. One that was acknowledged wins over all that had ended before it
// began. One without an answer may have happened or not, but will not happen
// later: its process is dead. Any other did not happen.
func (r *register) end(w *write, value, word string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clock++
	w.value, w.ended = value, r.clock
	switch word {
	case "?":
	case "true":
		r.drop(func(o *write) bool { return o.ended < w.begun })
	default:
		r.drop(func(o *write) bool { return o == w })
	}
}

// settle makes value the only one that is possible.
func (r *register) settle(value string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clock++
	r.drop(func(o *write) bool { return o.value != value })
	r.writes = []*write{{value: value, ended: r.clock}}
}

func (r *register) drop(out func(*write) bool) {
	r.writes = slices.DeleteFunc(r.writes, func(w *write) bool {
		if out(w) && w.value != "" {
			r.dead = append(r.dead, w.value)
		}
		return out(w)
	})
}

// state is a register at one moment. Two of the same clock are equal.
type state struct {
	clock        int
	values, dead []string
}

func (r *register) now() state {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := state{clock: r.clock, dead: slices.Clone(r.dead)}
	for _, w := range r.writes {
		s.values = append(s.values, w.value)
	}
	return s
}

// may says whether the value may be this, where "" stands for one that nobody
// has been told of.
func (s state) may(value string) bool {
	return slices.Contains(s.values, value) || slices.Contains(s.values, "") && !slices.Contains(s.dead, value)
}
