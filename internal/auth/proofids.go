package auth

import (
	"context"
	"sync"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/ratelimit"
)

// maxRecentProofs bounds each half of the memory of proofs: about 25 MB each,
// and 2,900 proofs a second.
const maxRecentProofs = 1 << 19

// Once half of that is full, an address that has maxProofsOfAddress of them gets
// no more, nor does an IPv6 /48 that has maxProofsOfSite. Otherwise one client
// could make keys and proofs of its own until all other clients are refused. One
// subscriber may have a /48, but in a mobile network many share one. The counts
// take at most 50 MB.
const (
	maxProofsOfAddress = maxRecentProofs / 8
	maxProofsOfSite    = maxRecentProofs / 4
)

// proofMemory remembers which proofs were accepted. Its zero value is ready to use. It is
// safe for concurrent use.
//
// It has two halves. A half is filled for proofWindow, kept for another, and
// then dropped as a whole. So a proof is remembered at least as long as it is
// valid, and no proof needs a time of its own.
type proofMemory struct {
	mu            sync.Mutex
	since         time.Time // when recent began
	recent, older map[[16]byte]struct{}
	senders       map[[16]byte]int // how many of recent each client address has, and each IPv6 /48
}

// use records a proof and reports whether it was not recorded before. now is the time of
// the request. A full memory refuses new proofs with OVERLOADED: forgetting old ones would
// let an attacker who has a key make room for a replay.
func (m *proofMemory) use(ctx context.Context, id [16]byte, now time.Time) (first bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if age := now.Sub(m.since); m.recent == nil || age >= proofWindow {
		m.older, m.recent, m.since = m.recent, map[[16]byte]struct{}{}, now
		m.senders = map[[16]byte]int{}
		if age >= 2*proofWindow {
			m.older = nil
		}
	}
	address := domain.CallerFrom(ctx).Address
	sender := ratelimit.AddressKey(address)
	site, hasSite := ratelimit.SiteKey(address)
	_, isRecent := m.recent[id]
	_, isOlder := m.older[id]
	switch {
	case isRecent || isOlder:
		return false, nil
	case len(m.recent) >= maxRecentProofs,
		len(m.recent) >= maxRecentProofs/2 && (m.senders[sender] >= maxProofsOfAddress || hasSite && m.senders[site] >= maxProofsOfSite):
		return false, domain.Overloaded()
	}
	m.recent[id] = struct{}{}
	m.senders[sender]++
	if hasSite {
		m.senders[site]++
	}
	return true, nil
}
