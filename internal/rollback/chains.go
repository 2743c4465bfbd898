package rollback

import (
	"bytes"
	"maps"
	"slices"

	"strongroom/internal/domain"
)

// Head is the newest entry of a chain that this process knows to be durable.
type Head struct {
	Chain string `json:"chain"`
	Seq   int64  `json:"seq"`
	Hash  []byte `json:"hash"`
}

// verdict is what memory says of the newest entry of a chain.
type verdict int

const (
	sound   verdict = iota
	further         // others have appended to the chain: the remembered entry must still be in it
	lost            // the remembered entry is gone, or another one stands in its place
)

// head judges the newest entry of a chain, as a transaction begun at this time
// of the clock read it. It also returns what is remembered.
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

// wrote notes an entry that this process appends, before it is committed.
func (m *memory) wrote(e domain.Entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.chains[e.Chain]
	if c == nil {
		c = &chain{}
		m.chains[e.Chain] = c
	}
	c.written[e.Seq%entriesKept] = mark{e.Seq, first64(e.Hash)}
}

// committed notes entries that are known to be durable, the newest of each
// chain. It returns one in whose place this process has written another since,
// which shows that it was cut off in between.
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

// heads are the newest durable entries of the chains that this process has
// appended to, in order of their names.
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
