package auth

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2"
)

// keySet holds the public keys of one issuer.
//
// The idea: requests use the keys in memory, and a background loop refreshes them. One
// exception: a token may be signed by a new key if its key id is unknown, or if it has no
// key id and no known key fits its signature. Such a token starts a refresh, but at most
// one in source.unknownKeyInterval. Without this limit anyone could make us call the
// provider with made-up tokens. So a made-up token can delay the first use of a new key by
// up to this interval. While the provider is down, or publishes no usable key, the last
// keys stay in use.
type keySet struct {
	issuer string
	source source
	log    *slog.Logger
	now    func() time.Time
	after  func(time.Duration) <-chan time.Time

	keys      atomic.Pointer[publicKeys] // nil: never fetched; written with mu held
	fetchedAt atomic.Int64               // Unix time in nanoseconds; 0: never

	waiting    atomic.Int32 // requests that wait for a refresh
	maxWaiting int          // of these, so that a provider that hangs does not hold all connections

	ctx     context.Context // of all refreshes
	stop    context.CancelFunc
	running sync.WaitGroup

	mu           sync.Mutex
	current      *refresh                      // nil: none is running
	onDemandAt   time.Time                     // start of the last refresh for an unknown key
	unknown      *lru.Cache[string, time.Time] // key ids that the last refresh did not bring, and since when
	lastErrorLog string                        // so that a repeated error is logged once
}

// refresh is one attempt to fetch the keys. Every request that waits shares it.
type refresh struct {
	done chan struct{} // closed at the end
	err  error         // read after done
}

const (
	maxUnknownKeys = 1024
	minRetryDelay  = time.Second // doubled after each failure
	maxRetryDelay  = 30 * time.Second

	// For each issuer, an eighth of the connections of a listener. After a change of the provider's
	// key, many callers wait together for the new one. Few operators do.
	maxWaitingCallers   = 512
	maxWaitingOperators = 8
)

func newKeySet(issuer string, from source, maxWaiting int, log *slog.Logger) *keySet {
	s := &keySet{issuer: issuer, source: from, maxWaiting: maxWaiting, log: log, now: time.Now, after: time.After, unknown: newLRU[string, time.Time](maxUnknownKeys)}
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s
}

func newLRU[K comparable, V any](size int) *lru.Cache[K, V] {
	cache, err := lru.New[K, V](size)
	if err != nil {
		panic(err) // only for a size below one
	}
	return cache
}

// start starts the background loop, which refreshes immediately.
func (s *keySet) start() { s.running.Go(s.keepFresh) }

// close ends all refreshes and waits for them.
func (s *keySet) close() {
	s.mu.Lock() // so that no refresh starts afterwards
	s.stop()
	s.mu.Unlock()
	s.running.Wait()
}

// keepFresh refreshes until close: at intervals, and sooner after a failure.
func (s *keySet) keepFresh() {
	failures := 0
	for s.ctx.Err() == nil {
		r := s.refresh()
		<-r.done
		pause := s.source.interval
		if failures++; r.err == nil {
			failures = 0
		} else {
			pause = min(pause, maxRetryDelay, minRetryDelay<<min(failures-1, 10))
		}
		select {
		case <-s.ctx.Done():
		case <-s.after(jitter(pause)):
		}
	}
}

// jitter changes d by up to 10 %, so that instances that start together do not
// call the provider together.
func jitter(d time.Duration) time.Duration {
	var b [8]byte
	rand.Read(b[:]) // never fails: crypto/rand ends the process instead
	part := float64(binary.BigEndian.Uint64(b[:])) / (1 << 64)
	return time.Duration(float64(d) * (0.9 + 0.2*part))
}

// signerOf returns the key that signed a token. If the key may be new, it waits for a
// refresh, unless too many requests do. The error is a reason, or errNoKeys.
func (s *keySet) signerOf(ctx context.Context, text string, t *token) (publicKey, error) {
	known := s.keys.Load()
	key, err := known.signerOf(text, t)
	if !mayBeNew(err, t.keyID) {
		return key, err
	}
	r := s.refreshFor(t.keyID, known)
	if r == nil {
		return publicKey{}, err
	}
	defer s.waiting.Add(-1)
	if int(s.waiting.Add(1)) > s.maxWaiting {
		return publicKey{}, err
	}
	select {
	case <-r.done:
	case <-ctx.Done(): // the client disconnected
		return publicKey{}, unknownKey
	}
	if next := s.keys.Load(); next != known {
		key, err = next.signerOf(text, t)
	}
	if r.err == nil && errors.Is(err, unknownKey) {
		s.unknown.Add(t.keyID, s.now())
	}
	return key, err
}

// mayBeNew reports whether a token that was refused with err may be signed by a key that is
// not among the known ones. Without a key id, only the signature can tell.
func mayBeNew(err error, keyID string) bool {
	if keyID == "" && (errors.Is(err, wrongSignature) || errors.Is(err, ambiguousKey)) {
		return true
	}
	return errors.Is(err, unknownKey) || errors.Is(err, errNoKeys)
}

// refreshFor returns a refresh that may bring a key that is not among the known
// ones; nil: none may be started now. keyID can be empty. Simultaneous requests
// share a refresh. If no keys were ever fetched, only the background loop starts
// refreshes.
func (s *keySet) refreshFor(keyID string, known *publicKeys) *refresh {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys.Load() != known { // a refresh has just ended
		ended := &refresh{done: make(chan struct{})}
		close(ended.done)
		return ended
	}
	now, interval := s.now(), s.source.unknownKeyInterval
	if since, ok := s.unknown.Get(keyID); ok && now.Sub(since) < interval {
		return nil
	}
	switch {
	case s.current != nil:
		return s.current
	case known == nil, now.Sub(s.onDemandAt) < interval:
		return nil
	}
	s.onDemandAt = now
	return s.startRefresh()
}

// refresh starts a refresh, or returns the one that is running.
func (s *keySet) refresh() *refresh {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil {
		return s.current
	}
	return s.startRefresh()
}

// startRefresh needs mu, and that no refresh is running.
func (s *keySet) startRefresh() *refresh {
	r := &refresh{done: make(chan struct{})}
	if s.ctx.Err() != nil {
		r.err = s.ctx.Err()
		close(r.done)
		return r
	}
	s.current = r
	s.running.Go(func() {
		ctx, cancel := context.WithTimeout(s.ctx, fetchTimeout)
		defer cancel()
		data, err := s.source.fetch(ctx)
		s.finishRefresh(r, data, err)
	})
	return r
}

func (s *keySet) finishRefresh(r *refresh, data []byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var set *publicKeys
	var unusable map[int]string
	if err == nil {
		set, unusable, err = parseKeySet(data)
	}
	if err == nil && len(set.list) == 0 { // more likely a fault of the provider than the end of all its tokens
		err = noUsableKey(unusable)
	}
	if err != nil {
		r.err = fmt.Errorf("key set of %s: %w", s.issuer, err)
		s.logFailure(r.err)
	} else {
		s.lastErrorLog = ""
		s.fetchedAt.Store(s.now().UnixNano())
		s.unknown.Purge()
		s.replace(set, unusable)
	}
	s.current = nil
	close(r.done)
}

// noUsableKey returns the error for a key set without a usable key. unusable is as in
// [parseKeySet].
func noUsableKey(unusable map[int]string) error {
	if places := slices.Sorted(maps.Keys(unusable)); len(places) > 0 {
		return fmt.Errorf("it has no usable key; key %d: %s", places[0]+1, unusable[places[0]])
	}
	return errors.New("it has no usable key")
}

func (s *keySet) logFailure(err error) {
	if s.ctx.Err() == nil && err.Error() != s.lastErrorLog {
		s.lastErrorLog = err.Error()
		s.log.Warn("a key set cannot be refreshed", "error", err, "keys_still_used", s.state().Keys)
	}
}

func (s *keySet) replace(set *publicKeys, unusable map[int]string) {
	if old := s.keys.Load(); old != nil && old.digest == set.digest {
		return
	}
	s.keys.Store(set)
	for place, why := range unusable {
		s.log.Warn("a key of a key set is not used", "issuer", s.issuer, "place", place+1, "reason", why)
	}
	s.log.Info("the key set of an issuer is new", "issuer", s.issuer, "keys", len(set.list))
}

// KeySetState is the state of one issuer's key set.
type KeySetState struct {
	Issuer string
	Keys   int           // usable ones
	Age    time.Duration // since the last fetch; negative: never fetched
}

func (s *keySet) state() KeySetState {
	state := KeySetState{Issuer: s.issuer, Age: -1}
	if keys := s.keys.Load(); keys != nil {
		state.Keys = len(keys.list)
	}
	if at := s.fetchedAt.Load(); at != 0 {
		state.Age = max(0, s.now().Sub(time.Unix(0, at)))
	}
	return state
}
