package e2e

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// Concurrent set, verify, rotate, generate and unlock requests for one account go to random
// instances. Their results must be possible for one instance that handles one request at a
// time. (The model in internal/service knows more policies, but has one process.)
func TestHistoriesOverThreeInstancesAreLinearizable(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 3, "--attempts-max", "3", "--attempts-rolling-max", "100")
	seen := map[string]int{}
	missing := func() []string {
		return slices.DeleteFunc([]string{"verify true", "verify false", "verify " + locked, "verify KEY_NOT_USABLE", "set true", "rotate true", "unlock true"},
			func(answer string) bool { return seen[answer] > 0 })
	}
	// How the clients meet is chance: some answers may need a few histories more. So may
	// a busy machine, on which a verdict can come too late to be answered. Such an attempt
	// counts at a time that nobody sees, so its history is not checked.
	want, withheld := long(t, "E2E_HISTORIES", 4), 0
	for n := 0; n-withheld < want || n < 10*want && len(missing()) > 0; n++ {
		h := &history{cluster: c, device: fmt.Sprintf("device %d", n), began: time.Now(), seen: seen}
		before := seen["verify INTERNAL"]
		h.record()
		if seen["verify INTERNAL"] > before {
			if withheld++; withheld > want {
				t.Fatalf("%d histories have an answer INTERNAL", withheld)
			}
			continue
		}
		switch porcupine.CheckOperationsTimeout(h.model(), h.operations, time.Minute) {
		case porcupine.Illegal:
			t.Errorf("history %d is not linearizable", n)
		case porcupine.Unknown:
			t.Errorf("history %d could not be checked within a minute", n)
		}
		if h.forge() && porcupine.CheckOperationsTimeout(h.model(), h.operations, time.Minute) == porcupine.Ok {
			t.Errorf("history %d with a right answer for a PIN that was never set is found linearizable", n)
		}
	}
	t.Logf("answers: %v", seen)
	if is := missing(); len(is) > 0 {
		t.Errorf("the answers never included %q: this test no longer covers them", is)
	}
	c.auditIntact()
}

// history is what several clients saw of one device.
type history struct {
	*cluster
	device string
	began  time.Time

	mu         sync.Mutex
	operations []porcupine.Operation
	keys       []keyPair
	tries      int
	seen       map[string]int
}

// step is one operation as the model takes it. A verdict is two: it reserves a
// try and compares at one point, and counts at a later one.
type step struct {
	what string // "set", "rotate", "generate", "unlock", "verify" that was refused, "reserve", "settle"
	pin  string
	key  string
	try  int // of reserve and settle: which
}

func (h *history) record() {
	h.request("rotate", keyPair{}, "")
	h.request("set", h.keys[0], "1111")
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			for range 12 {
				h.some()
			}
		})
	}
	all.Wait()
}

// some makes a request of some kind.
func (h *history) some() {
	h.mu.Lock()
	k := h.keys[max(0, len(h.keys)-1-int(rand.ExpFloat64()))]
	h.mu.Unlock()
	pin := []string{"1111", "2222"}[rand.IntN(2)]
	switch n := rand.IntN(20); {
	case n < 13:
		h.request("verify", k, pin)
	case n < 16:
		h.request("set", k, pin)
	case n < 17:
		h.request("rotate", keyPair{}, "")
	case n < 18:
		h.request("generate", keyPair{}, "")
	default:
		h.request("unlock", keyPair{}, "")
	}
}

// request makes one request and notes when it began and ended, and its answer.
func (h *history) request(what string, k keyPair, pin string) {
	i, s, out := h.pick(), step{what: what, pin: pin, key: k.ID}, "true"
	call := time.Since(h.began)
	switch what {
	case "set":
		out = i.try(setPIN, k, pin)
	case "verify":
		out = i.try(verifyPIN, k, pin)
	case "unlock":
		h.unlock(h.device)
	default:
		operation := map[string]string{"rotate": rotate, "generate": generate}[what]
		got, err := i.issue(operation, h.device)
		if err != nil {
			h.t.Errorf("%s: %v", what, err)
			return
		}
		k, s.key = got, got.ID
	}
	end := time.Since(h.began)

	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen[what+" "+out]++
	steps := []string{what}
	switch {
	case what == "rotate":
		h.keys = append(h.keys, k)
	case out == tooMany:
		return // which promises that nothing was done
	case what == "verify" && (out == "true" || out == "false"):
		steps = []string{"reserve", "settle"}
		s.try, h.tries = h.tries, h.tries+1
	}
	for _, s.what = range steps {
		h.operations = append(h.operations, porcupine.Operation{Input: s, Output: out, Call: int64(call), Return: int64(end)})
	}
}

// forge makes a history that cannot have been, where there is an answer for it.
func (h *history) forge() bool {
	for n, op := range h.operations {
		if s := op.Input.(step); s.what == "reserve" && op.Output == "true" {
			s.pin = "3333"
			h.operations[n].Input = s
			return true
		}
	}
	return false
}

// account is one in the sequential model. Locks stand until they are ended.
type account struct {
	pin, key string
	failures int
	locked   bool
	pending  [2]uint64 // attempts reserved and not settled, by number
	outdated [2]uint64 // those of them that compared with a PIN that was replaced since
	reserved int
}

func (h *history) model() porcupine.Model {
	seed := maphash.MakeSeed()
	return porcupine.Model{
		Init: func() any { return account{} },
		Step: func(from, input, output any) (bool, any) {
			a := from.(account)
			ok := a.apply(input.(step), output.(string))
			return ok, a
		},
		Hash: func(a any) uint64 { return maphash.Comparable(seed, a.(account)) },
	}
}

// apply does one step, and reports whether this answer is possible here.
func (a *account) apply(s step, out string) bool {
	usable := s.key == a.key
	word, bit := s.try/64, uint64(1)<<(s.try%64)
	switch s.what {
	case "rotate":
		a.key = s.key
		return true
	case "generate":
		return usable
	case "unlock":
		a.failures, a.locked = 0, false
		return true
	case "set":
		if out == "true" {
			ok := usable && !a.locked
			a.pin, a.outdated = s.pin, a.pending
			return ok
		}
		return a.refuses(usable, out)
	case "verify":
		return a.refuses(usable, out)
	case "reserve":
		ok := usable && !a.locked && a.failures+a.reserved < 3 && (out == "true") == (s.pin == a.pin)
		a.pending[word] |= bit
		a.reserved++
		return ok
	}
	return a.settle(word, bit, out)
}

func (a *account) refuses(usable bool, out string) bool {
	return out == "KEY_NOT_USABLE" && !usable || out == locked && a.locked
}

func (a *account) settle(word int, bit uint64, out string) bool {
	if a.pending[word]&bit == 0 {
		return false
	}
	outdated := a.outdated[word]&bit != 0
	a.pending[word] &^= bit
	a.outdated[word] &^= bit
	a.reserved--
	switch {
	case out == "false":
		a.failures++
		a.locked = a.locked || a.failures >= 3
	case !a.locked && !outdated:
		a.failures = 0
	}
	return true
}
