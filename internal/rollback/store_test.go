package rollback

import (
	"context"
	"errors"
	"testing"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// chains is a store that holds the newest entry of one chain. What is read of
// it in each transaction comes from the function.
type chains struct {
	store.Store
	last func(writes bool) domain.Entry
}

type chainsTx struct {
	store.Tx
	c      chains
	writes bool
}

func (c chains) View(_ context.Context, fn func(store.Tx) error) error {
	return fn(chainsTx{c: c})
}

func (c chains) Update(_ context.Context, fn func(store.Tx) error) error {
	return fn(chainsTx{c: c, writes: true})
}

func (t chainsTx) LastEntry(string) (domain.Entry, error) { return t.c.last(t.writes), nil }

func lastOf(s *Store) error {
	return s.View(context.Background(), func(tx store.Tx) error {
		_, err := tx.LastEntry("chain")
		return err
	})
}

// Where several transactions write at a time, one of them may append to the
// chain while a finding is confirmed.
func TestAnEntryThatIsAppendedWhileAFindingIsConfirmedIsNoRollback(t *testing.T) {
	var s *Store
	reads := 0
	s = New(Config{
		Seen: func(record, what string) { t.Errorf("%s: %s", record, what) },
		Store: chains{last: func(writes bool) domain.Entry {
			reads++
			if reads == 1 {
				return entry(2, 2) // a connection to a server that was replaced
			}
			if writes { // after this statement's snapshot, entry 4 is committed
				s.memory.wrote(entry(4, 4))
				s.memory.committed(map[string]domain.Entry{"chain": entry(4, 4)})
				return entry(3, 3)
			}
			return entry(4, 4)
		}},
	})
	s.memory = appended()
	if err := lastOf(s); err != nil || s.Seen() {
		t.Errorf("%v, a rollback was seen: %v", err, s.Seen())
	}
	if reads != 3 {
		t.Errorf("%d reads, want 3: one that finds, one that confirms, one more", reads)
	}
}

func TestALookThatNeverFindsTheSameIsRefusedForNow(t *testing.T) {
	s := New(Config{
		Seen: func(record, what string) { t.Errorf("%s: %s", record, what) },
		Store: chains{last: func(writes bool) domain.Entry {
			if writes {
				return entry(3, 3)
			}
			return entry(2, 2)
		}},
	})
	s.memory = appended()
	if err := lastOf(s); !errors.Is(err, store.ErrUnavailable) || s.Seen() {
		t.Errorf("%v, a rollback was seen: %v", err, s.Seen())
	}
}
