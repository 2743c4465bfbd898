package sqlite

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"strongroom/internal/store"
)

// An observer of commits is called for each commit, with the number of
// updates that shared it, and not for one that failed.
func TestACommitObserverIsCalledForEachCommit(t *testing.T) {
	s, err := Open(t.Context(), Config{Path: filepath.Join(t.TempDir(), "strongroom.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	transactions, updates := s.Commits()
	var told, shared uint64
	var took time.Duration
	s.WatchCommits(func(n int, d time.Duration) { // by the goroutine that has the turn, one at a time
		told, shared, took = told+1, shared+uint64(n), took+d
	})
	var all sync.WaitGroup
	for range 40 {
		all.Go(func() {
			if err := s.Update(t.Context(), func(tx store.Tx) error { return tx.PutSetting("name", []byte("value")) }); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	_ = s.Update(t.Context(), func(store.Tx) error { return store.ErrConflict })
	now, nowUpdates := s.Commits()
	if told != now-transactions || shared != nowUpdates-updates || shared != 40 {
		t.Errorf("observed %d commits with %d updates; there were %d with %d", told, shared, now-transactions, nowUpdates-updates)
	}
	if took <= 0 {
		t.Errorf("they took %v", took)
	}
}
