package service

import (
	"context"
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

// The results of parallel set, verify, rotate, generate and unlock of one account
// are possible if they run one after the other: no right answer for a PIN that
// was replaced before the request came, no guess past the limit, no lock that
// is lost, no verdict counted twice.
func TestHistoriesOfOneAccountAreLinearizable(t *testing.T) {
	policies := map[string]domain.AttemptPolicy{
		// Locks last until an operator ends them.
		"locks that only an operator ends": {MaxFailures: 3, Lockouts: []time.Duration{time.Hour, time.Hour}, RollingMax: 7},
		// Locks that end at once leave one attempt at a time, until the last.
		"one attempt at a time": {MaxFailures: 2, Lockouts: make([]time.Duration, 2), RollingMax: 100},
	}
	seen := map[string]int{}
	missing := func() []string {
		return slices.DeleteFunc([]string{"verify true", "verify false", "verify CREDENTIAL_LOCKED", "verify KEY_NOT_USABLE",
			"set true", "set CREDENTIAL_LOCKED", "rotate", "unlock"}, func(answer string) bool { return seen[answer] > 0 })
	}
	check := func(t *testing.T, policy domain.AttemptPolicy, seed uint64) {
		policy.RollingWindow, policy.Lease = 24*time.Hour, 30*time.Second
		if h := recorded(t, policy, seed, seen); !linearizable(t, sequential(policy, nothing), h) {
			t.Errorf("the history of seed %d is not linearizable", seed)
		}
	}
	histories := uint64(fewer(t, 12, 4))
	for name, policy := range policies {
		t.Run(name, func(t *testing.T) {
			for seed := range histories {
				check(t, policy, seed)
			}
		})
	}
	// The goroutines meet by chance, so some answers may need a few more histories.
	for seed := histories; seed < 20*histories && len(missing()) > 0; seed++ {
		check(t, policies["locks that only an operator ends"], seed)
	}
	t.Logf("answers: %v", seen)
	if is := missing(); len(is) > 0 {
		t.Errorf("no history has the answers %q, so this test no longer covers them", is)
	}
}

// The check detects mistakes: a correct history does not fit a model with one mistake.
func TestTheLinearizabilityCheckCanFail(t *testing.T) {
	policy := domain.AttemptPolicy{MaxFailures: 3, Lockouts: []time.Duration{time.Hour}, RollingMax: 100,
		RollingWindow: 24 * time.Hour, Lease: 30 * time.Second}
	v := openVault(t, func(c *Config) { c.Attempts = policy })
	h := newHistory(v)
	old := h.keys[0]
	h.set(v.ctx, v, old, "1111")
	for _, pin := range []string{"0000", "0000", "1111", "0000", "0000", "0000", "1111"} {
		h.verify(v.ctx, v, old, pin)
	}
	h.set(v.ctx, v, old, "2222")
	h.unlock(v.ctx, v)
	h.rotate(v.ctx, v)
	h.verify(v.ctx, v, old, "1111")
	current := h.keys[1]
	for range 4 {
		h.verify(v.ctx, v, current, "0000")
	}

	right, fewer, more := sequential(policy, nothing), policy, policy
	fewer.MaxFailures--
	more.MaxFailures++
	if !linearizable(t, right, h.operations) {
		t.Error("the history is not linearizable as it is")
	}
	for mistake, model := range map[string]porcupine.Model{
		"one guess fewer":               sequential(fewer, nothing),
		"one guess more":                sequential(more, nothing),
		"a set clears a lock":           sequential(policy, setClearsLock),
		"a rotated key stays usable":    sequential(policy, rotateForgets),
		"a right answer resets nothing": sequential(policy, matchForgets),
	} {
		if linearizable(t, model, h.operations) {
			t.Errorf("the check does not notice: %s", mistake)
		}
	}
	if linearizable(t, right, withOneGuessMore(t, h.operations)) {
		t.Error("the check does not notice a guess past the lock")
	}
}

// withOneGuessMore is a history in which the last guess, which met a lock, was
// compared instead.
func withOneGuessMore(t *testing.T, h []porcupine.Operation) []porcupine.Operation {
	t.Helper()
	op := h[len(h)-1]
	s := op.Input.(step)
	if s.what != "verify" || op.Output != string(domain.CodeCredentialLocked) {
		t.Fatalf("the last guess was answered %v", op.Output)
	}
	forged := slices.Clone(h[:len(h)-1])
	s.attempt, op.Output = len(h), "false"
	for _, s.what = range []string{"reserve", "settle"} {
		op.Input = s
		forged = append(forged, op)
	}
	return forged
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
// it reserves an attempt and compares at one point, and counts the verdict at a
// later one. Others may come between, which one step could not allow.
type step struct {
	what    string // "reserve" and "settle", "verify" for one that was refused, "set", "rotate", "generate", "unlock"
	attempt int    // of reserve and settle: its number
	pin     string
	key     string
}

const (
	workers  = 6
	requests = 12 // of each worker
)

// recorded runs workers on one account and returns their history.
func recorded(t *testing.T, policy domain.AttemptPolicy, seed uint64, seen map[string]int) []porcupine.Operation {
	v := openVault(t, func(c *Config) { c.Attempts = policy })
	defer v.store.Close()
	h := newHistory(v)
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
	for answer, n := range h.seen {
		seen[answer] += n
	}
	return h.operations
}

// history is what several workers saw.
type history struct {
	began time.Time

	mu         sync.Mutex
	operations []porcupine.Operation
	keys       []domain.KeyPair
	attempts   int
	seen       map[string]int
}

// newHistory begins with the account's first key.
func newHistory(v *instance) *history {
	h := &history{began: time.Now(), seen: map[string]int{}}
	h.rotate(v.ctx, v)
	return h
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
	s.attempt, h.attempts = h.attempts, h.attempts+1
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

func (h *history) request(v *instance, random *rand.Rand) {
	// Some hang up, at any moment.
	ctx, cancel := context.WithCancel(v.ctx)
	defer cancel()
	if random.IntN(10) == 0 {
		defer time.AfterFunc(time.Duration(random.IntN(int(10*time.Millisecond))), cancel).Stop()
	}
	pin := []string{"1111", "2222", "3333"}[random.IntN(3)]
	switch n := random.IntN(20); {
	case n < 13:
		h.verify(ctx, v, h.key(random), pin)
	case n < 16:
		h.set(ctx, v, h.key(random), pin)
	case n < 17:
		h.rotate(ctx, v)
	case n < 18:
		h.generate(ctx, v)
	default:
		h.unlock(ctx, v)
	}
}

func (h *history) verify(ctx context.Context, v *instance, key domain.KeyPair, pin string) {
	sub := submission(v.t, key, domain.TransactionPIN, pin)
	call := h.now()
	ok, err := v.matches(ctx, sub)
	s, out := step{what: "verify", pin: pin, key: key.KeyID}, word(ok, err)
	switch {
	case !h.answered(ctx, v, "verify", err):
	case err == nil:
		h.addVerdict(call, s, out)
	default:
		h.add("verify "+out, call, s, out)
	}
}

func (h *history) set(ctx context.Context, v *instance, key domain.KeyPair, pin string) {
	sub := submission(v.t, key, domain.TransactionPIN, pin)
	call := h.now()
	rule, err := v.Set(ctx, sub)
	if out := word(rule == "", err); h.answered(ctx, v, "set", err) {
		h.add("set "+out, call, step{what: "set", pin: pin, key: key.KeyID}, out)
	}
}

func (h *history) rotate(ctx context.Context, v *instance) {
	call := h.now()
	k, err := v.RotateKey(ctx, domain.Identity{DeviceID: "phone"})
	if h.answered(ctx, v, "rotate", err) {
		h.add("rotate", call, step{what: "rotate", key: k.KeyID}, "true")
		h.mu.Lock()
		h.keys = append(h.keys, k)
		h.mu.Unlock()
	}
}

func (h *history) generate(ctx context.Context, v *instance) {
	call := h.now()
	k, err := v.GenerateKey(ctx, domain.Identity{DeviceID: "phone"})
	if h.answered(ctx, v, "generate", err) {
		h.add("generate", call, step{what: "generate", key: k.KeyID}, "true")
	}
}

func (h *history) unlock(ctx context.Context, v *instance) {
	call := h.now()
	err := v.unlock(ctx, "phone", domain.TransactionPIN, "reason")
	if domain.CodeOf(err) != domain.CodeNotFound && h.answered(ctx, v, "unlock", err) {
		h.add("unlock", call, step{what: "unlock"}, "true")
	}
}

// answered reports whether a request belongs in the history. A request that was
// refused because of overload, or ended because its client hung up, promises
// that it changed nothing: the history must be linearizable without it. No
// other error may occur.
func (h *history) answered(ctx context.Context, v *instance, what string, err error) bool {
	switch code := domain.CodeOf(err); {
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
	pending  [2]uint64 // attempts that are reserved and not settled, by number
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
	s.pending[in.attempt/64] |= 1 << (in.attempt % 64)
	s.reserved++
	return room && !s.locked && (out == "true") == (in.pin == s.pin)
}

func (s *state) settle(p domain.AttemptPolicy, wrong flaw, in step, out string) bool {
	word, bit := in.attempt/64, uint64(1)<<(in.attempt%64)
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
