package rollback

import (
	"context"
	"strings"
	"time"

	"strongroom/internal/domain"
)

// The id of a row is never used again. So the process remembers the ids of
// erased rows, and a row with one of these ids was put back. The process
// remembers 50,000 to 100,000 ids. If it has forgotten an id, the entry of the
// erasure explains once more why the row is missing, and the process then
// remembers the id again.

var erasures = map[string]domain.Event{
	domain.RecordAttempts:   domain.EventAttemptsErased,
	domain.RecordCredential: domain.EventCredentialErased,
	domain.RecordKey:        domain.EventKeyRemoved,
}

// erasedBy returns the id of the row that an entry says was erased.
func erasedBy(e domain.Entry) (id string, ok bool) {
	kind, id, ok := strings.Cut(e.Record, "/")
	return id, ok && erasures[kind] == e.Event
}

// erase remembers that the rows of these ids were erased.
func (m *memory) erase(ids []uint64) {
	if len(ids) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clock++
	for _, id := range ids {
		if _, known := m.erased.get(id); !known {
			m.erased.put(id, m.clock)
		}
	}
}

// wasErased reports whether a row was known to be erased when a transaction
// began. began is that time by the memory's clock.
func (m *memory) wasErased(record string, began uint64) bool {
	id := m.sum(record)
	m.mu.Lock()
	defer m.mu.Unlock()
	at, gone := m.erased.get(id)
	return gone && at <= began
}

// explained reports whether an entry of the trail shows that another process
// erased the missing row, and returns the hash of that row's id. If the row is
// there, the next transaction finds that it was erased.
func (t *tx) explained(f *finding) (id uint64, explained bool, err error) {
	event, erasable := erasures[f.kind]
	r, known := t.s.memory.row(f.place)
	if !erasable || !known {
		return 0, false, nil
	}
	err = eachOf(t.Tx, event, time.Time{}, func(e domain.Entry) bool {
		id, ok := erasedBy(e)
		explained = ok && t.s.memory.sum(id) == r.id && t.s.cfg.Judge.GenuineEntry(e)
		return explained
	})
	return r.id, explained, err
}

// FollowErasures remembers the rows that other processes erased, according to
// the entries of the trail since from.
func (s *Store) FollowErasures(ctx context.Context, from time.Time) error {
	var erased []uint64
	err := s.view(ctx, func(t *tx) (err error) {
		t.Final()
		erased, err = t.erasedSince(from)
		return err
	})
	if err == nil {
		s.memory.erase(erased)
	}
	return err
}

// erasedSince returns hashes of the ids of erased rows, according to the entries of the
// trail since from.
func (t *tx) erasedSince(from time.Time) (erased []uint64, err error) {
	var reads []func() error
	for _, event := range erasures {
		reads = append(reads, func() error {
			return eachOf(t, event, from, func(e domain.Entry) bool {
				if id, ok := erasedBy(e); ok && t.s.cfg.Judge.GenuineEntry(e) {
					erased = append(erased, t.s.memory.sum(id))
				}
				return false
			})
		})
	}
	err = t.Interleave(reads...)
	return erased, err
}

// erasuresSlack is longer than a transaction, so that no erasure is missed.
const erasuresSlack = time.Minute

// followErasures reads the erasures since the last look that read them.
func (t *tx) followErasures(n *news) error {
	from := t.s.erasedTo
	if from.IsZero() {
		from = t.Now()
	}
	erased, err := t.erasedSince(from.Add(-erasuresSlack))
	n.erased, n.erasedTo = append(n.erased, erased...), t.Now()
	return err
}
