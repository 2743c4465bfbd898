// Package rollback detects that a database was put back to an earlier state
// while the process runs.
//
// The threat is someone who can write to the database. A MAC shows that a row
// was edited, but the MAC of an older row is valid too. An attacker who restores
// the row and the end of the audit trail after each wrong guess could guess
// without limit. So the process remembers what it has written: the newest entry
// of each of its chains, and the version and digest of the rows that it touched
// last. Each transaction that reads such a row or entry compares it. A mismatch
// is a rollback, and from then on nothing is written: see [Store].
//
// The memory contains ids, versions, digests and hashes of entries, and no
// secrets. It contains only what is known to be durable, so a power cut, a kill
// or a failover to a synchronous standby never looks like a rollback. If several
// processes write to a store, each follows the chains of the others and
// remembers what their entries say about rows.
//
// All files work on one Store and its memory, each with the methods of one topic, so
// they refer to each other.
package rollback

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
	"sync"
	"time"

	"strongroom/internal/domain"
)

const (
	// rowsOfAGeneration bounds how many rows are remembered: between this number
	// and twice this number, about 80 bytes each.
	rowsOfAGeneration = 50_000
	versionsKept      = 4  // newest versions of a row whose digests are kept
	entriesKept       = 64 // newest entries of a chain whose hashes are kept
	touchedKept       = 16 // rows that each look reads again
	touchedWhenIdle   = 4  // rows that a look reads while the process is alone and idle: each takes a statement
)

// place identifies a row: a key by its id, all others by account and type.
type place struct {
	kind    string // a domain.Record… constant
	account string
	id      string // of a key; else the credential type
}

// row is what is remembered of a row.
type row struct {
	id      uint64 // hash of the record's id; a row that is erased and created again gets a new id
	version int64
	at      uint64               // when it was remembered, by the memory's clock
	digests [versionsKept]uint64 // of the newest versions, each at its version modulo their number; 0: not known
}

// mark is one entry of a chain.
type mark struct {
	seq  int64
	hash uint64
}

// chain is what is remembered of a chain that this process appends to.
type chain struct {
	newest  domain.Entry // the newest entry that is known to be durable: number and hash
	at      uint64
	written [entriesKept]mark // by this process, durable or not yet, each at its number modulo theirs
	last    mark              // of those, the one that was written last
}

// memory is safe for concurrent use.
type memory struct {
	seed maphash.Seed

	mu      sync.Mutex
	clock   uint64 // guarded by mu, as all below: counts what was remembered
	rows    recent[row]
	erased  recent[uint64] // by record id: when it was learned that the row was erased
	chains  map[string]*chain
	touched []place // the newest last
	turn    int     // how many touchedLast has returned since a row was touched

	described  recent[described]
	versions   recent[versions]    // of attempt counters, by their ids
	counters   recent[uint64]      // ids of attempt counters, by account and credential type
	followed   map[string]followed // chains of other processes, by name; nil before the first look
	followedTo time.Time           // by the store's clock
	movedTo    time.Time           // likewise: when a look last asked which chains have moved
	movedLook  uint64              // the number of that look
	begunLook  uint64              // the number of the last look that searched for new chains
	look       uint64
}

func newMemory() *memory {
	return &memory{seed: maphash.MakeSeed(), chains: map[string]*chain{}}
}

func (m *memory) now() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.clock
}

func (m *memory) sum(text string) uint64 { return maphash.String(m.seed, text) }

func (m *memory) key(p place) uint64 { return maphash.Comparable(m.seed, p) }

// state is a row as it was read or written.
type state struct {
	place
	record  string // its id; empty: there is no row
	version int64
	digest  uint64
}

// first64 is the beginning of a MAC or hash.
func first64(mac []byte) uint64 {
	var b [8]byte
	copy(b[:], mac)
	return binary.BigEndian.Uint64(b[:])
}

// row returns what is remembered of a place, unless that row was erased.
func (m *memory) row(p place) (r row, known bool) {
	k := m.key(p)
	m.mu.Lock()
	defer m.mu.Unlock()
	if r, known = m.rows.get(k); known {
		if _, gone := m.erased.get(r.id); gone {
			return row{}, false
		}
	}
	return r, known
}

// behind reports whether a row is older than what was remembered when its
// transaction began. began is that time by the memory's clock.
func (m *memory) behind(s state, began uint64) bool {
	r, known := m.row(s.place)
	switch {
	case !known || r.at > began:
		return false // the transaction need not see this state yet
	case s.record == "" || r.id != m.sum(s.record):
		return true
	case s.version == r.version:
		return r.differs(s)
	}
	return s.version < r.version
}

// differs reports whether s is one of the newest versions and its digest is not
// the remembered one.
func (r row) differs(s state) bool {
	known := r.digests[s.version%versionsKept]
	return s.version > r.version-versionsKept && known != 0 && known != s.digest
}

// knows reports whether exactly this version of a row is remembered.
func (m *memory) knows(s state) bool {
	r, known := m.row(s.place)
	return known && r.id == m.sum(s.record) && r.version == s.version && r.digests[s.version%versionsKept] == s.digest
}

// remember remembers the rows that a durable transaction read or wrote, in their
// order. If a version of a row was written twice, the row was put back in
// between, and remember returns its state.
func (m *memory) remember(states []state) *state {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clock++
	for i, s := range states {
		if !m.rememberRow(s) {
			return &states[i]
		}
	}
	return nil
}

func (m *memory) rememberRow(s state) (sound bool) {
	k := m.key(s.place)
	r, known := m.rows.get(k)
	if s.record == "" {
		m.rows.drop(k)
		m.touched = slices.DeleteFunc(m.touched, func(p place) bool { return p == s.place })
		return true
	}
	id := m.sum(s.record)
	if known && r.id == id && s.version <= r.version {
		return !r.differs(s)
	}
	if !known || r.id != id {
		r = row{id: id, version: s.version}
	}
	for v := max(r.version+1, s.version-versionsKept+1); v < s.version; v++ {
		r.digests[v%versionsKept] = 0
	}
	r.version, r.at = s.version, m.clock
	r.digests[s.version%versionsKept] = s.digest
	m.rows.put(k, r)
	m.touch(s.place)
	return true
}

// touch makes p the row that was touched last. The caller holds mu.
func (m *memory) touch(p place) {
	m.turn = 0
	if n := len(m.touched); n > 0 && m.touched[n-1] == p {
		return
	}
	m.touched = slices.DeleteFunc(m.touched, func(q place) bool { return q == p })
	if len(m.touched) >= touchedKept {
		m.touched = m.touched[1:]
	}
	m.touched = append(m.touched, p)
}

// touchedLast returns at most n of the rows that were touched last, in turn: the newest
// first, because it is what someone puts back after a guess.
func (m *memory) touchedLast(n int) []place {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n >= len(m.touched) {
		return slices.Clone(m.touched)
	}
	places := make([]place, n)
	for i := range places {
		places[i] = m.touched[len(m.touched)-1-m.turn%len(m.touched)]
		m.turn++
	}
	return places
}
