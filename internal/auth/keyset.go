package auth

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2"
)

// keySet holds the public keys of one issuer.
//
// The idea: requests never make the provider work. Keys are refreshed in the
// background, and what a request knows is what is in memory. One exception: a
// key that is not known may be a new one, so it is worth a refresh, but at most
// one in source.patience, whoever asks, or a stranger could make us call the
// provider with each made-up token. While the provider is down, the last good
// keys stay.
type keySet struct {
	issuer string
	source source
	log    *slog.Logger
	now    func() time.Time
	after  func(time.Duration) <-chan time.Time

	keys  atomic.Pointer[publicKeys] // nil: there never were any; written with mu held
	fresh atomic.Int64               // when they were last fetched, in nanoseconds since 1970; 0: never

	waiting atomic.Int32 // requests that wait for a refresh

	ctx     context.Context // of all refreshes
	stop    context.CancelFunc
	running sync.WaitGroup

	mu      sync.Mutex
	current *refresh                      // under way; nil: none
	asked   time.Time                     // when the last refresh began that an unknown key asked for
	unknown *lru.Cache[string, time.Time] // key ids that the last refresh did not bring, and since when
	trouble string                        // what the last refresh failed by, so that it is logged once
}

// refresh is one attempt to get the keys anew, for all who wait for it.
type refresh struct {
	done chan struct{} // closed at the end
	err  error         // read after done
}

const (
	maxUnknown  = 1024
	maxWaiting  = 64 // requests for one refresh; a provider that hangs must not hold all our connections
	unknownFor  = time.Minute
	firstRetry  = time.Second // then twice as long each time
	longestWait = 30 * time.Second
)

// errNoKeys means that no token of an issuer can be verified now.
var errNoKeys = errors.New("its key set was never fetched, or is empty")

func newKeySet(issuer string, from source, log *slog.Logger) *keySet {
	unknown, err := lru.New[string, time.Time](maxUnknown)
	if err != nil {
		panic(err) // only for a size below one
	}
	s := &keySet{issuer: issuer, source: from, log: log, now: time.Now, after: time.After, unknown: unknown}
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s
}

// start begins refreshing in the background, at once.
func (s *keySet) start() { s.running.Go(s.keepFresh) }

// close ends all refreshes and waits for them.
func (s *keySet) close() {
	s.mu.Lock() // so that none begins after it
	s.stop()
	s.mu.Unlock()
	s.running.Wait()
}

// keepFresh refreshes until close: regularly, and sooner after a failure.
func (s *keySet) keepFresh() {
	failures := 0
	for s.ctx.Err() == nil {
		r := s.refresh()
		<-r.done
		pause := jitter(s.source.interval)
		if failures++; r.err == nil {
			failures = 0
		} else {
			pause = jitter(min(s.source.interval, longestWait, firstRetry<<min(failures-1, 10)))
		}
		select {
		case <-s.ctx.Done():
		case <-s.after(pause):
		}
	}
}

// jitter is d, more or less by a tenth, so that instances that were started
// together do not call together for ever.
func jitter(d time.Duration) time.Duration {
	var b [8]byte
	rand.Read(b[:]) // never fails: crypto/rand ends the process instead
	part := float64(binary.BigEndian.Uint64(b[:])) / (1 << 64)
	return time.Duration(float64(d) * (0.9 + 0.2*part))
}

// find returns the keys that a token may be signed by. A reason refuses the
// token; any other error means that no token of the issuer can be verified.
func (s *keySet) find(ctx context.Context, keyID, algorithm string) ([]publicKey, error) {
	found, err := s.lookUp(ctx, keyID, algorithm)
	if errors.Is(err, errNoKeys) {
		return nil, fmt.Errorf("%s: %w", s.issuer, err)
	}
	return found, err
}

func (s *keySet) lookUp(ctx context.Context, keyID, algorithm string) ([]publicKey, error) {
	known := s.keys.Load()
	found, err := known.find(keyID, algorithm)
	if !errors.Is(err, unknownKey) && !errors.Is(err, errNoKeys) {
		return found, err
	}
	r := s.ask(keyID, known)
	if r == nil {
		return nil, err
	}
	if s.waiting.Add(1) > maxWaiting {
		s.waiting.Add(-1)
		return nil, err
	}
	defer s.waiting.Add(-1)
	select {
	case <-r.done:
	case <-ctx.Done(): // the client has gone
		return nil, unknownKey
	}
	found, err = s.keys.Load().find(keyID, algorithm)
	if r.err == nil && errors.Is(err, unknownKey) {
		s.unknown.Add(keyID, s.now())
	}
	return found, err
}

func (k *publicKeys) find(keyID, algorithm string) ([]publicKey, error) {
	if k == nil || len(k.list) == 0 {
		return nil, errNoKeys
	}
	return k.match(keyID, algorithm)
}

// ask returns a refresh that may bring what is not among the known keys, or
// nil. All who ask at the same time get the same one. Where there are no keys
// at all it begins none: the background does not give up.
func (s *keySet) ask(keyID string, known *publicKeys) *refresh {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys.Load() != known { // one has just ended
		ended := &refresh{done: make(chan struct{})}
		close(ended.done)
		return ended
	}
	now := s.now()
	if since, ok := s.unknown.Get(keyID); ok && now.Sub(since) < unknownFor {
		return nil
	}
	switch {
	case s.current != nil:
		return s.current
	case known == nil, now.Sub(s.asked) < s.source.patience:
		return nil
	}
	s.asked = now
	return s.begin()
}

// refresh begins a refresh, unless one is under way already.
func (s *keySet) refresh() *refresh {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil {
		return s.current
	}
	return s.begin()
}

// begin is called with mu held and no refresh under way.
func (s *keySet) begin() *refresh {
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
		s.end(r, data, err)
	})
	return r
}

// end puts what a refresh brought into place.
func (s *keySet) end(r *refresh, data []byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var set *publicKeys
	var unusable map[int]string
	if err == nil {
		set, unusable, err = parseKeySet(data)
	}
	if err != nil {
		r.err = fmt.Errorf("key set of %s: %w", s.issuer, err)
		s.warn(r.err)
	} else {
		s.trouble = ""
		s.fresh.Store(s.now().UnixNano())
		s.unknown.Purge()
		s.replace(set, unusable)
	}
	s.current = nil
	close(r.done)
}

func (s *keySet) warn(err error) {
	if s.ctx.Err() == nil && err.Error() != s.trouble {
		s.trouble = err.Error()
		inUse := 0
		if last := s.keys.Load(); last != nil {
			inUse = len(last.list)
		}
		s.log.Warn("a key set cannot be refreshed", "error", err, "keys_still_used", inUse)
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
