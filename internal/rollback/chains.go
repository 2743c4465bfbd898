package rollback

import (
	"bytes"
	"errors"
	"maps"
	"slices"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Head is the newest entry of a chain that this process knows to be durable.
type Head struct {
	Chain string `json:"chain"`
	Seq   int64  `json:"seq"`
	Hash  []byte `json:"hash"`
}

// verdict is the result of comparing the newest entry of a chain with memory.
type verdict int

const (
	sound   verdict = iota
	further         // others have appended to the chain: the remembered entry must still be in it
	lost            // the remembered entry is missing, or another one has its number
)

// head compares the newest entry of a chain with memory. began is when the
// transaction that read it began, by the memory's clock. It also returns the
// remembered head.
func (m *memory) head(e domain.Entry, name string, began uint64) (v verdict, of Head) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.chains[name]
	if c == nil || c.newest.Seq == 0 || c.at > began {
		return sound, Head{}
	}
	of = Head{name, c.newest.Seq, c.newest.Hash}
	switch {
	case e.Seq < c.newest.Seq:
		return lost, of
	case e.Seq == c.newest.Seq && bytes.Equal(e.Hash, c.newest.Hash):
		return sound, of
	case e.Seq == c.newest.Seq:
		return lost, of
	case c.written[e.Seq%entriesKept] == mark{e.Seq, first64(e.Hash)}:
		return sound, of // written by this process, on top of what it remembers
	}
	return further, of
}

// wrote remembers an entry that this process appends, before it is committed.
func (m *memory) wrote(e domain.Entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.chains[e.Chain]
	if c == nil {
		c = &chain{}
		m.chains[e.Chain] = c
	}
	c.last = mark{e.Seq, first64(e.Hash)}
	c.written[e.Seq%entriesKept] = c.last
}

// committed remembers the newest durable entry of each chain. If this process
// has since written another entry with the same number, the first one was cut
// off in between, and committed returns it.
func (m *memory) committed(entries map[string]domain.Entry) *Head {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clock++
	for name, e := range entries {
		c := m.chains[name]
		at := c.written[e.Seq%entriesKept]
		if at.seq == e.Seq && at.hash != first64(e.Hash) || c.newest.Seq == e.Seq && !bytes.Equal(c.newest.Hash, e.Hash) {
			return &Head{name, e.Seq, e.Hash}
		}
		if e.Seq > c.newest.Seq {
			c.newest, c.at = domain.Entry{Chain: name, Seq: e.Seq, Hash: e.Hash}, m.clock
		}
	}
	return nil
}

// newest returns the newest durable entry of a chain that this process appends
// to: its number and hash. It is not known while the outcome of a later entry is
// not: that transaction may have committed already and not be remembered yet.
func (m *memory) newest(chain string) (domain.Entry, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := m.chains[chain]; c != nil && c.newest.Seq > 0 && c.last == (mark{c.newest.Seq, first64(c.newest.Hash)}) {
		return c.newest, true
	}
	return domain.Entry{}, false
}

// appended returns a number that grows with each durable entry of this process.
func (m *memory) appended() (sum int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.chains {
		sum += c.newest.Seq
	}
	return sum
}

// heads returns the newest durable entry of each chain that this process has
// appended to, in order of the chains' names.
func (m *memory) heads() (all []Head) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(m.chains)) {
		if e := m.chains[name].newest; e.Seq > 0 {
			all = append(all, Head{name, e.Seq, e.Hash})
		}
	}
	return all
}

// lookAtHeads compares the heads of this process's chains and of some others, in a few
// statements. It returns the other chains whose head is no longer in the trail or no longer
// the newest entry. The caller must follow them.
func (t *tx) lookAtHeads(own []Head, others []followed) (changed []followed, err error) {
	at := make([]domain.EntryPosition, 0, len(own)+len(others))
	for _, h := range own {
		at = append(at, domain.EntryPosition{Chain: h.Chain, Seq: h.Seq})
	}
	for _, f := range others {
		at = append(at, domain.EntryPosition{Chain: f.head.Chain, Seq: f.head.Seq})
	}
	hashes, newer, err := t.HashesAt(at)
	if err != nil {
		return nil, err
	}
	for i, h := range own {
		if bytes.Equal(hashes[i], h.Hash) {
			continue
		}
		if _, err := t.LastEntry(h.Chain); err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
	}
	for i, f := range others {
		i += len(own)
		if f.head.Seq == 0 || newer[i] || !bytes.Equal(hashes[i], f.head.Hash) {
			changed = append(changed, f)
		}
	}
	return changed, nil
}
