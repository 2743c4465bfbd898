package rollback

import (
	"cmp"
	"context"
	"slices"

	"strongroom/internal/domain"
)

// Know remembers a head that a process before this one has written, so that this
// process detects its loss before it has written anything itself. It has an effect
// only if the store is Exclusive: other stores are followed from their first look on.
func (s *Store) Know(h Head) {
	if s.cfg.Exclusive && h.Seq > 0 {
		s.memory.know(h)
	}
}

func (m *memory) know(h Head) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.chains[h.Chain] == nil {
		m.chains[h.Chain] = &chain{newest: domain.Entry{Chain: h.Chain, Seq: h.Seq, Hash: h.Hash}, at: m.clock}
	}
}

// Compare compares the store with heads that were read outside it. It fails with
// [ErrSeen] if the store lacks one: the store was put back.
func (s *Store) Compare(ctx context.Context, heads []Head) error {
	return s.view(ctx, func(t *tx) error { return t.compareHeads(heads) })
}

func (t *tx) compareHeads(heads []Head) error {
	for _, h := range heads {
		held, err := Holds(t.Tx, h, t.s.cfg.Judge)
		if err != nil {
			return err
		}
		if !held {
			return t.find(place{kind: domain.RecordChain, id: h.Chain}, domain.RecordChain+"/"+h.Chain, "an entry that the witness names is missing",
				func(t *tx) error { return t.compareHeads([]Head{h}) })
		}
	}
	return nil
}

// Contradicted refuses everything from now on, because something outside the store
// proves that it was put back.
func (s *Store) Contradicted(record, what string) { s.detected(record, what) }

// Followed returns the newest entries of the chains of other processes that have
// moved since this process began to follow them, those that moved last at the end.
func (s *Store) Followed() []Head { return s.memory.followedHeads() }

func (m *memory) followedHeads() (all []Head) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var moved []followed
	for _, f := range m.followed {
		if f.grown && f.head.Seq > 0 {
			moved = append(moved, f)
		}
	}
	slices.SortFunc(moved, func(a, b followed) int {
		return cmp.Or(cmp.Compare(a.moved, b.moved), cmp.Compare(a.head.Chain, b.head.Chain))
	})
	for _, f := range moved {
		all = append(all, f.head)
	}
	return all
}
