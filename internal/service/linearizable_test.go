package service

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"strongroom/internal/domain"
)

// Whatever set, verify, rotate, generate and unlock do to one account at once
// could have been done by one after the other: no right answer for a PIN that
// was replaced before the request came, no guess past the limit, no lock that
// is lost, no verdict counted twice.
func TestHistoriesOfOneAccountAreLinearizable(t *testing.T) {
	policies := map[string]domain.AttemptPolicy{
		// Locks stand until an operator ends them.
		"locks that stand": {MaxFailures: 3, Lockouts: []time.Duration{time.Hour, time.Hour}, RollingMax: 7},
		// Locks that are over at once leave one try at a time, until the last.
		"one try at a time": {MaxFailures: 2, Lockouts: make([]time.Duration, 2), RollingMax: 100},
	}
	seen, caught := map[string]int{}, map[string]int{}
	for name, policy := range policies {
		policy.RollingWindow, policy.Lease = 24*time.Hour, 30*time.Second
		t.Run(name, func(t *testing.T) {
			var histories [][]porcupine.Operation
			for seed := range uint64(12) {
				h := record(t, policy, seed, seen)
				if !linearizable(t, sequential(policy, nothing), h) {
					t.Errorf("the history of seed %d is not linearizable", seed)
				}
				histories = append(histories, h)
			}
			tryToBreak(t, policy, histories, caught)
		})
	}
	t.Logf("answers: %v", seen)
	for _, answer := range []string{"verify true", "verify false", "verify CREDENTIAL_LOCKED", "verify KEY_NOT_USABLE",
		"set true", "set CREDENTIAL_LOCKED", "rotate", "unlock"} {
		if seen[answer] == 0 {
			t.Errorf("it never came to %q: the test has lost its grip", answer)
		}
	}
	for mistake, n := range caught {
		if n == 0 {
			t.Errorf("the check would not have noticed: %s", mistake)
		}
	}
}

// tryToBreak counts in which histories the check sees what it is for. A
// service that did as one of these models says would give histories that
// differ from ours, so not all of ours may pass under it.
func tryToBreak(t *testing.T, policy domain.AttemptPolicy, histories [][]porcupine.Operation, caught map[string]int) {
	right := sequential(policy, nothing)
	fewer, more := policy, policy
	fewer.MaxFailures--
	more.MaxFailures++
	broken := map[string]porcupine.Model{
		"one guess fewer":               sequential(fewer, nothing),
		"one guess more":                sequential(more, nothing),
		"a set clears a lock":           sequential(policy, setClearsLock),
		"a rotated key stays usable":    sequential(policy, rotateForgets),
		"a right answer resets nothing": sequential(policy, matchForgets),
	}
	for _, h := range histories {
		for mistake, model := range broken {
			caught[mistake] += oneIf(!linearizable(t, model, h))
		}
		// Where the guess that is made up ran beside the one that locked, it
		// may have come before it.
		h, ok := withOneGuessMore(h)
		caught["a guess past a lock"] += oneIf(ok && !linearizable(t, right, h))
	}
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// withOneGuessMore is a history in which the last guess that met a lock was
// compared instead, when nobody had unlocked any more.
func withOneGuessMore(h []porcupine.Operation) ([]porcupine.Operation, bool) {
	unlocked := int64(0)
	for _, op := range h {
		if op.Input.(step).what == "unlock" {
			unlocked = max(unlocked, op.Return)
		}
	}
	for i, op := range slices.Backward(h) {
		s := op.Input.(step)
		if s.what != "verify" || op.Output != string(domain.CodeCredentialLocked) || op.Call < unlocked {
			continue
		}
		forged := slices.Delete(slices.Clone(h), i, i+1)
		s.try, s.pin, op.Output = 2*64-1, "4444", "false"
		for _, s.what = range []string{"reserve", "settle"} {
			op.Input = s
			forged = append(forged, op)
		}
		return forged, true
	}
	return nil, false
}

func linearizable(t *testing.T, m porcupine.Model, h []porcupine.Operation) bool {
	t.Helper()
	switch porcupine.CheckOperationsTimeout(m, h, time.Minute) {
	case porcupine.Ok:
		return true
	case porcupine.Unknown:
		t.Fatal("the history is too tangled to be checked in a minute")
	}
	return false
}

// step is one operation of a history as the model takes it. A verify is two:
// it reserves a try and compares at one point, and counts the verdict at a
// later one. Others may come between, which one step could not allow.
type step struct {
	what string // "set", "reserve", "settle", "locked verify", …
	try  int    // of reserve and settle: which
	pin  string
	key  string
}

const (
	workers  = 6
	requests = 12 // of each worker
)

// record lets workers loose on one account and returns what they saw.
func record(t *testing.T, policy domain.AttemptPolicy, seed uint64, seen map[string]int) []porcupine.Operation {
	v := openVault(t, func(c *Config) { c.Attempts = policy })
	defer v.store.Close()
	h := &history{began: time.Now(), seen: seen}
	h.keys = append(h.keys, v.issue("phone"))
	h.add("rotate", 0, step{what: "rotate", key: h.keys[0].KeyID}, "true")
	var wg sync.WaitGroup
	for w := range workers {
		random := rand.New(rand.NewPCG(seed, uint64(w)))
		wg.Go(func() {
			for range requests {
				h.request(v, random)
			}
		})
	}
	wg.Wait()
	for _, p := range v.problems() {
		t.Errorf("seed %d: audit: %s", seed, p)
	}
	return h.operations
}

// history is what several workers saw.
type history struct {
	began time.Time

	mu         sync.Mutex
	operations []porcupine.Operation
	keys       []domain.KeyPair
	tries      int
	seen       map[string]int
}

func (h *history) now() int64 { return int64(time.Since(h.began)) }

// add adds an operation that began at call and ends now.
func (h *history) add(answer string, call int64, s step, out string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen[answer]++
	h.operations = append(h.operations, porcupine.Operation{Input: s, Output: out, Call: call, Return: h.now()})
}

// addVerdict adds a verify that gave a verdict: reserve and settle, each
// somewhere between its beginning and its end.
func (h *history) addVerdict(call int64, s step, out string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen["verify "+out]++
	s.try, h.tries = h.tries, h.tries+1
	end := h.now()
	for _, s.what = range []string{"reserve", "settle"} {
		h.operations = append(h.operations, porcupine.Operation{Input: s, Output: out, Call: call, Return: end})
	}
}

// key is a key that some worker was given, mostly of the latest.
func (h *history) key(random *rand.Rand) domain.KeyPair {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.keys[max(0, len(h.keys)-1-int(random.ExpFloat64()))]
}

func (h *history) request(v *vault, random *rand.Rand) {
	// Some hang up, at any moment.
	ctx, cancel := context.WithCancel(v.ctx)
	defer cancel()
	if random.IntN(10) == 0 {
		defer time.AfterFunc(time.Duration(random.IntN(int(10*time.Millisecond))), cancel).Stop()
	}
	key, pin := h.key(random), []string{"1111", "2222", "3333"}[random.IntN(3)]
	s := step{pin: pin, key: key.KeyID}
	sub := submission(v.t, key, domain.TransactionPIN, pin)
	call := h.now()
	switch n := random.IntN(20); {
	case n < 13:
		ok, err := v.Verify(ctx, sub)
		h.verified(ctx, v, call, s, word(ok, err), err)
	case n < 16:
		rule, err := v.Set(ctx, sub)
		if h.answered(ctx, v, "set", err) {
			s.what = "set"
			h.add("set "+word(rule == "", err), call, s, word(rule == "", err))
		}
	case n < 17:
		if k, err := v.RotateKey(ctx, domain.Identity{DeviceID: "phone"}); h.answered(ctx, v, "rotate", err) {
			h.add("rotate", call, step{what: "rotate", key: k.KeyID}, "true")
			h.mu.Lock()
			h.keys = append(h.keys, k)
			h.mu.Unlock()
		}
	case n < 18:
		if k, err := v.GenerateKey(ctx, domain.Identity{DeviceID: "phone"}); h.answered(ctx, v, "generate", err) {
			h.add("generate", call, step{what: "generate", key: k.KeyID}, "true")
		}
	default:
		if err := v.Unlock(ctx, "", "phone", domain.TransactionPIN, "reason"); !errors.Is(err, ErrUnknown) && h.answered(ctx, v, "unlock", err) {
			h.add("unlock", call, step{what: "unlock"}, "true")
		}
	}
}

func (h *history) verified(ctx context.Context, v *vault, call int64, s step, out string, err error) {
	switch {
	case !h.answered(ctx, v, "verify", err):
	case err == nil:
		h.addVerdict(call, s, out)
	default:
		s.what = "verify"
		h.add("verify "+out, call, s, out)
	}
}

// answered reports whether a request belongs into the history. One that was
// refused for want of room, or ended because its client hung up, promises
// that it changed nothing: the history must be linearizable without it. No
// other error may occur.
func (h *history) answered(ctx context.Context, v *vault, what string, err error) bool {
	switch code := codeOf(err); {
	case code == domain.CodeTooManyRequests, code == domain.CodeInternal && ctx.Err() != nil:
		h.mu.Lock()
		defer h.mu.Unlock()
		h.seen[what+" without effect"]++
		return false
	case code == domain.CodeInternal:
		v.t.Errorf("%s: %v", what, err)
		return false
	}
	return true
}

// state is an account in the sequential model.
type state struct {
	pin      string // "" none
	key      string // the current one
	failures int
	recent   int
	locked   bool
	pending  [2]uint64 // tries reserved and not settled, by number
	reserved int       // how many they are
	outdated [2]uint64 // those of them that compared with a PIN that a set replaced
}

// flaw is a mistake that a model makes on purpose.
type flaw int

const (
	nothing flaw = iota
	setClearsLock
	rotateForgets
	matchForgets
)

// sequential is the account that serves one request after the other. No clock
// runs in it: locks of some length stand until an operator ends them.
func sequential(p domain.AttemptPolicy, wrong flaw) porcupine.Model {
	seed := maphash.MakeSeed()
	return porcupine.Model{
		Init: func() any { return state{} },
		Step: func(from, input, output any) (bool, any) {
			s, in, out := from.(state), input.(step), output.(string)
			ok := s.apply(p, wrong, in, out)
			return ok, s
		},
		Hash: func(s any) uint64 { return maphash.Comparable(seed, s.(state)) },
		DescribeOperation: func(in, out any) string {
			return fmt.Sprintf("%+v: %v", in, out)
		},
	}
}

// apply does one step, and reports whether this answer is possible here.
func (s *state) apply(p domain.AttemptPolicy, wrong flaw, in step, out string) bool {
	usable := in.key == s.key
	switch in.what {
	case "rotate":
		if wrong != rotateForgets || s.key == "" {
			s.key = in.key
		}
		return true
	case "generate":
		return usable
	case "unlock":
		s.failures, s.recent, s.locked = 0, 0, false
		return true
	case "set":
		return s.set(usable, wrong, in, out)
	case "verify": // refused
		return out == string(domain.CodeKeyNotUsable) && !usable ||
			out == string(domain.CodeCredentialLocked) && s.locked // whose key may have ended while it waited
	case "reserve":
		return usable && s.reserve(p, in, out)
	case "settle":
		return s.settle(p, wrong, in, out)
	}
	return false
}

func (s *state) set(usable bool, wrong flaw, in step, out string) bool {
	locked := s.locked && s.pin != "" && wrong != setClearsLock
	switch out {
	case string(domain.CodeKeyNotUsable):
		return !usable
	case string(domain.CodeCredentialLocked):
		return locked
	case "true":
		if s.pin == "" || wrong == setClearsLock {
			s.failures, s.recent, s.locked = 0, 0, false
		}
		s.pin, s.outdated = in.pin, s.pending
		return usable && !locked
	}
	return false
}

func (s *state) reserve(p domain.AttemptPolicy, in step, out string) bool {
	room := s.failures+s.reserved < p.MaxFailures || s.failures >= p.MaxFailures && s.reserved == 0
	room = room && s.recent+s.reserved < p.RollingMax
	s.pending[in.try/64] |= 1 << (in.try % 64)
	s.reserved++
	return room && !s.locked && (out == "true") == (in.pin == s.pin)
}

func (s *state) settle(p domain.AttemptPolicy, wrong flaw, in step, out string) bool {
	word, bit := in.try/64, uint64(1)<<(in.try%64)
	if s.pending[word]&bit == 0 {
		return false
	}
	outdated := s.outdated[word]&bit != 0
	s.pending[word] &^= bit
	s.outdated[word] &^= bit
	s.reserved--
	switch {
	case out == "false":
		s.failures++
		s.recent++
		over := s.failures - p.MaxFailures
		s.locked = s.locked || s.recent >= p.RollingMax ||
			over >= 0 && (over >= len(p.Lockouts) || p.Lockouts[over] > 0)
	case !s.locked && !outdated && wrong != matchForgets:
		s.failures = 0
	}
	return true
}
