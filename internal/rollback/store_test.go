package rollback

import (
	"context"
	"errors"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// fake is a store of one chain. Its functions say what a transaction reads.
type fake struct {
	store.Store
	last   func(writes bool) domain.Entry // the newest entry
	held   []domain.Entry                 // found by number
	events []domain.Entry                 // found by event
}

type fakeTx struct {
	store.Tx
	fake
	writes bool
}

func (f fake) View(_ context.Context, fn func(store.Tx) error) error {
	return fn(fakeTx{fake: f})
}

func (f fake) Update(_ context.Context, fn func(store.Tx) error) error {
	return fn(fakeTx{fake: f, writes: true})
}

func (t fakeTx) LastEntry(string) (domain.Entry, error) { return t.last(t.writes), nil }

func (t fakeTx) EachEntry(_ string, after int64, fn func(domain.Entry) error) error {
	for _, e := range t.held {
		if e.Seq > after {
			if err := fn(e); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t fakeTx) EntriesOfEvent(event domain.Event, _ time.Time, _ domain.EntryPosition, _ int) (found []domain.Entry, err error) {
	for _, e := range t.events {
		if e.Event == event {
			found = append(found, e)
		}
	}
	return found, nil
}

func (fakeTx) HashesAt(at []domain.EntryPosition) ([][]byte, []bool, error) {
	return make([][]byte, len(at)), make([]bool, len(at)), nil
}

func (fakeTx) EntriesFrom([]domain.EntryPosition, int) ([]domain.Entry, error) { return nil, nil }

func (fakeTx) PutSetting(string, []byte) error { return nil }

func (fakeTx) Final() {}

func (fakeTx) Interleave(fns ...func() error) error { return store.InOrder(fns) }

func (fakeTx) Now() time.Time { return time.Unix(1e9, 0) }

// believes is a judge that accepts every entry with a hash as genuine.
type believes struct{ Judge }

func (believes) GenuineEntry(e domain.Entry) bool { return e.Hash != nil }

// over is a process that appended entries 1 to 3 to the chain of f.
func over(f fake) *Store {
	s := New(Config{Store: f, Exclusive: true, Judge: believes{}, Seen: func(string, string) {}})
	s.memory = appended()
	return s
}

func always(e domain.Entry) func(bool) domain.Entry {
	return func(bool) domain.Entry { return e }
}

func lastOf(s *Store) error {
	return s.View(context.Background(), func(tx store.Tx) error {
		_, err := tx.LastEntry("chain")
		return err
	})
}

// Others have appended to the chain. What this process appended must still be
// in it, or a prune must have removed it.
func TestALongerChainMustContainTheRememberedEntry(t *testing.T) {
	pruned := domain.Entry{Event: domain.EventPruned, Record: "chain/chain", Version: 3, Hash: []byte{1}}
	forged, short, other := pruned, pruned, pruned
	forged.Hash, short.Version, other.Record = nil, 2, "chain/another"
	for what, tt := range map[string]struct {
		held   []domain.Entry
		prunes []domain.Entry
		want   error
	}{
		"it is":                               {[]domain.Entry{entry(3, 3), entry(9, 9)}, nil, nil},
		"another is in its place":             {[]domain.Entry{entry(3, 8), entry(9, 9)}, nil, ErrSeen},
		"it is gone":                          {[]domain.Entry{entry(9, 9)}, nil, ErrSeen},
		"it was pruned":                       {[]domain.Entry{entry(9, 9)}, []domain.Entry{pruned}, nil},
		"it is gone, and a prune was made up": {[]domain.Entry{entry(9, 9)}, []domain.Entry{forged}, ErrSeen},
		"it is gone, and those before were pruned": {[]domain.Entry{entry(9, 9)}, []domain.Entry{short}, ErrSeen},
		"it is gone, and another chain was pruned": {[]domain.Entry{entry(9, 9)}, []domain.Entry{other}, ErrSeen},
	} {
		s := over(fake{last: always(entry(9, 9)), held: tt.held, events: tt.prunes})
		if err := lastOf(s); !errors.Is(err, tt.want) || s.Seen() != (tt.want != nil) {
			t.Errorf("%s: %v, want %v; a rollback was seen: %v", what, err, tt.want, s.Seen())
		}
	}
}

// A function may mistake the error for that of a missing row.
func TestATransactionThatFindsARollbackFailsEvenIfItsFunctionSucceeds(t *testing.T) {
	swallows := func(tx store.Tx) error {
		_, _ = tx.LastEntry("chain")
		return nil
	}
	for what, run := range map[string]func(*Store) error{
		"View":   func(s *Store) error { return s.View(context.Background(), swallows) },
		"Update": func(s *Store) error { return s.Update(context.Background(), swallows) },
	} {
		s := over(fake{last: always(entry(2, 2))})
		if err := run(s); !errors.Is(err, ErrSeen) || !s.Seen() {
			t.Errorf("%s: %v, want %v", what, err, ErrSeen)
		}
	}
}

func TestNoUpdateSucceedsAfterARollbackIsDetected(t *testing.T) {
	s := over(fake{})
	err := s.Update(context.Background(), func(store.Tx) error {
		s.detected("chain/chain", "seen by another request meanwhile")
		return nil
	})
	if !errors.Is(err, ErrSeen) {
		t.Errorf("a running update: %v, want %v", err, ErrSeen)
	}
	err = s.Update(context.Background(), func(store.Tx) error {
		t.Error("a later update runs")
		return nil
	})
	if !errors.Is(err, ErrSeen) {
		t.Errorf("a later update: %v, want %v", err, ErrSeen)
	}
}

// Where several transactions write at a time, one of them may append to the
// chain while a finding is confirmed.
func TestAnEntryAppendedDuringConfirmationIsNoRollback(t *testing.T) {
	var s *Store
	reads := 0
	s = New(Config{
		Seen: func(record, what string) { t.Errorf("%s: %s", record, what) },
		Store: fake{last: func(writes bool) domain.Entry {
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

func TestInconsistentReadsAreUnavailableAndNoRollback(t *testing.T) {
	s := New(Config{
		Seen: func(record, what string) { t.Errorf("%s: %s", record, what) },
		Store: fake{last: func(writes bool) domain.Entry {
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

// unread is a transaction whose connection is lost.
type unread struct{ fakeTx }

func (unread) EntriesFrom([]domain.EntryPosition, int) ([]domain.Entry, error) { return nil, nil }

func (unread) EachEntry(string, int64, func(domain.Entry) error) error { return store.ErrUnavailable }

// If one interleaved read makes a finding, the reads that are stopped do not replace it.
func TestAStoppedReadDoesNotReplaceAFinding(t *testing.T) {
	s := New(Config{Own: func(string) bool { return false }, Judge: believes{}})
	of := s.begin(unread{}, false)
	again := false
	of.found = &finding{again: func(*tx) error { again = true; return nil }}
	err := of.follow([]followed{{head: Head{Chain: "other/0", Seq: 5}}}, false, false, &news{})
	if !errors.Is(err, store.ErrUnavailable) {
		t.Error(err)
	}
	if _ = of.found.again(of); !again {
		t.Error("the finding was replaced")
	}
}
