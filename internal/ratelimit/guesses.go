package ratelimit

import (
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Guesses detects sources, such as client addresses, that give wrong answers for
// many accounts: one PIN tried on many accounts locks none of them. It refuses
// nothing. It is in memory, and each instance has its own. Safe for concurrent
// use.
//
// It remembers the sources that were seen last, and for each source the accounts
// of the last hour, at most MaxGuessedAccounts: about 250 bytes for a source and 40
// for each account. An attacker with very many addresses can fill it. It then
// drops the sources that have been idle longest.
type Guesses struct {
	mu      sync.Mutex
	sources *simplelru.LRU[[16]byte, *guesser] // guarded by mu
	from    int                                // a source with this many accounts is suspected
}

const (
	// MaxGuessedAccounts bounds the accounts that are counted for a source.
	MaxGuessedAccounts = 64
	// SuspectedAccounts is the number of accounts at which a source is suspected: in
	// a household with one address, fewer people forget their PIN in one hour.
	SuspectedAccounts = 10
	// SuspectedOfSite is the same for a /48 of IPv6.
	SuspectedOfSite = 4 * SuspectedAccounts
	// GuessWindow is how long a wrong answer counts.
	GuessWindow = time.Hour
	// GuessQuiet is how long after its last wrong answer a source is no longer
	// suspected. A source that goes on is reported again this often.
	GuessQuiet = 5 * time.Minute
)

// Guessed is what a source did. Each account counts from its first wrong answer after
// GuessWindow without one.
type Guessed struct {
	Source   [16]byte
	Accounts int       // with a wrong answer within GuessWindow, up to MaxGuessedAccounts
	Failures int64     // of these accounts; some may be older than GuessWindow
	First    time.Time // of these failures
	Last     time.Time
}

type guesser struct {
	accounts []guessedAccount
	told     time.Time
}

type guessedAccount struct {
	account     [16]byte
	failures    int64
	first, last time.Time
}

// NewGuesses returns a watch for at most this many sources (at least one). A source
// with wrong answers for from accounts, or more, is suspected.
func NewGuesses(sources, from int) *Guesses {
	lru, _ := simplelru.NewLRU[[16]byte, *guesser](max(1, sources), nil) // fails for sizes below 1 only
	return &Guesses{sources: lru, from: from}
}

// Wrong counts a wrong answer for an account. suspected is true if the source has
// just become suspected, or still is and GuessQuiet has passed since suspected was
// last true for it.
func (g *Guesses) Wrong(source, account [16]byte, now time.Time) (seen Guessed, suspected bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s, known := g.sources.Get(source)
	if !known {
		s = &guesser{}
		g.sources.Add(source, s)
	}
	s.count(account, now)
	seen = s.seen(source, now)
	if seen.Accounts < g.from || !s.told.IsZero() && now.Sub(s.told) < GuessQuiet {
		return seen, false
	}
	s.told = now
	return seen, true
}

// recent reports whether a time is in the window. If the clock was set back, it may
// be in the future, which counts as recent.
func recent(at, now time.Time) bool { return now.Sub(at) < GuessWindow }

// count notes the account. If there is no room, it replaces the account whose last
// wrong answer is the oldest.
func (s *guesser) count(account [16]byte, now time.Time) {
	if i := slices.IndexFunc(s.accounts, func(a guessedAccount) bool { return a.account == account }); i >= 0 {
		a := &s.accounts[i]
		if !recent(a.last, now) {
			a.first, a.failures = now, 0
		}
		a.last = now
		a.failures++
		return
	}
	fresh := guessedAccount{account, 1, now, now}
	oldest := -1
	for i, a := range s.accounts {
		if oldest < 0 || a.last.Before(s.accounts[oldest].last) {
			oldest = i
		}
	}
	if oldest >= 0 && (len(s.accounts) >= MaxGuessedAccounts || !recent(s.accounts[oldest].last, now)) {
		s.accounts[oldest] = fresh
		return
	}
	s.accounts = append(s.accounts, fresh)
}

func (s *guesser) seen(source [16]byte, now time.Time) Guessed {
	out := Guessed{Source: source}
	for _, a := range s.accounts {
		if !recent(a.last, now) {
			continue
		}
		out.Accounts++
		out.Failures += a.failures
		if out.First.IsZero() || a.first.Before(out.First) {
			out.First = a.first
		}
		if a.last.After(out.Last) {
			out.Last = a.last
		}
	}
	return out
}

// Suspected returns the sources that are suspected at time now.
func (g *Guesses) Suspected(now time.Time) []Guessed {
	g.mu.Lock()
	defer g.mu.Unlock()
	var all []Guessed
	for _, source := range g.sources.Keys() {
		s, _ := g.sources.Peek(source)
		if len(s.accounts) < g.from {
			continue
		}
		if seen := s.seen(source, now); seen.Accounts >= g.from && now.Sub(seen.Last) < GuessQuiet {
			all = append(all, seen)
		}
	}
	return all
}
