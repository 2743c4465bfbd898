package sqlite

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// shared runs the updates in one transaction, as far as they let it: it holds
// the turn until all of them wait for it, in this order. It returns what each
// of them returned, and how many transactions were committed.
func shared(t *testing.T, s *Store, updates ...func(*tx) error) (errs []error, commits int) {
	t.Helper()
	before := s.writer.commits.Load()
	errs = make([]error, len(updates))
	var wg sync.WaitGroup
	err := s.writer.alone(t.Context(), func(*conn) error {
		for i, update := range updates {
			wg.Go(func() {
				defer func() {
					if v := recover(); v != nil {
						errs[i] = v.(error)
					}
				}()
				errs[i] = s.writer.update(t.Context(), update)
			})
			synctest.Wait() // until it has queued
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	return errs, int(s.writer.commits.Load() - before)
}

// inBubble runs fn in a bubble of synctest: its clock advances only while all
// goroutines wait.
func inBubble(t *testing.T, fn func(t *testing.T, s *Store)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { fn(t, migrated(t, newPath(t))) })
}

func putting(name string) func(*tx) error {
	return func(tx *tx) error { return tx.PutSetting(name, nil) }
}

// wantSettings checks which of the settings 0, 1, 2, … are there.
func wantSettings(t *testing.T, s *Store, want ...bool) {
	t.Helper()
	got := make([]bool, len(want))
	for i := range want {
		err := s.View(t.Context(), func(tx store.Tx) error { _, err := tx.Setting(fmt.Sprint(i)); return err })
		if got[i] = err == nil; err != nil && !errors.Is(err, store.ErrNotFound) {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings that are there (-want +got):\n%s", diff)
	}
	put(t, s, "after", nil) // and it works on
}

func TestUpdatesThatWaitShareOneCommit(t *testing.T) {
	inBubble(t, func(t *testing.T, s *Store) {
		var updates []func(*tx) error
		for i := range maxBatch {
			updates = append(updates, putting(fmt.Sprint(i)))
		}
		errs, commits := shared(t, s, updates...)
		if err := errors.Join(errs...); err != nil || commits != 1 {
			t.Errorf("%d commits (%v), want 1", commits, err)
		}
		errs, commits = shared(t, s, append(updates, putting("one more"))...)
		if err := errors.Join(errs...); err != nil || commits != 2 {
			t.Errorf("%d commits of one more than fits (%v), want 2", commits, err)
		}
	})
}

func TestASingleUpdateCommitsImmediately(t *testing.T) {
	inBubble(t, func(t *testing.T, s *Store) {
		start := time.Now()
		if _, commits := shared(t, s, putting("0")); commits != 1 || !time.Now().Equal(start) {
			t.Errorf("%d commits after waiting for %v", commits, time.Since(start))
		}
	})
}

func TestALongSharedTransactionTakesNoMoreUpdates(t *testing.T) {
	inBubble(t, func(t *testing.T, s *Store) {
		slow := func(tx *tx) error {
			time.Sleep(maxBatchTime)
			return tx.PutSetting("1", nil)
		}
		errs, commits := shared(t, s, putting("0"), slow, putting("2"), putting("3"))
		if err := errors.Join(errs...); err != nil || commits != 2 {
			t.Errorf("%d commits (%v), want 2", commits, err)
		}
	})
}

// If an update fails in any way, only that update is undone, whether it is the
// first, in the middle or the last.
func TestAFailedUpdateUndoesNoUpdateThatSharesItsCommit(t *testing.T) {
	errBoom := errors.New("boom")
	for _, tt := range []struct {
		name string
		fail func(*tx) error
		want error
		most int // commits: those before an update that panics commit without it, and those after it too
	}{
		{"an error", func(*tx) error { return errBoom }, errBoom, 1},
		{"a panic", func(*tx) error { panic(errBoom) }, errBoom, 2},
		{"a conflict", func(tx *tx) error { return tx.InsertEntry(domain.Entry{Chain: "chain", Seq: 1}) }, store.ErrConflict, 1},
	} {
		for at := range 4 {
			t.Run(fmt.Sprint(tt.name, " at ", at), func(t *testing.T) {
				inBubble(t, func(t *testing.T, s *Store) {
					run(t, s, `INSERT INTO bucket VALUES ('', 0, 0, '', 0, 0, 0, x'', x'')`)
					err := s.writer.update(t.Context(), func(tx *tx) error { return tx.InsertEntry(domain.Entry{Chain: "chain", Seq: 1}) })
					if err != nil {
						t.Fatal(err)
					}
					updates, want := make([]func(*tx) error, 4), []bool{true, true, true, true}
					for i := range updates {
						updates[i] = putting(fmt.Sprint(i))
					}
					want[at] = false
					updates[at] = func(tx *tx) error {
						if err := tx.PutSetting(fmt.Sprint(at), nil); err != nil {
							return err
						}
						return tt.fail(tx)
					}
					errs, commits := shared(t, s, updates...)
					for i, err := range errs {
						if i == at && !errors.Is(err, tt.want) || i != at && err != nil {
							t.Errorf("update %d: %v", i, err)
						}
					}
					if commits < 1 || commits > tt.most {
						t.Errorf("%d commits, want at most %d", commits, tt.most)
					}
					wantSettings(t, s, want...)
				})
			})
		}
	}
}

// After a panic the state of SQLite is unknown: the connection is not used
// again, and must not commit.
func TestAPanicInASharedTransactionReplacesTheConnection(t *testing.T) {
	inBubble(t, func(t *testing.T, s *Store) {
		before := s.writer.conn
		errBoom := errors.New("boom")
		errs, _ := shared(t, s, putting("0"), putting("1"), func(*tx) error { panic(errBoom) })
		if !errors.Is(errs[2], errBoom) || errs[0] != nil || errs[1] != nil {
			t.Errorf("the updates returned %v", errs)
		}
		if s.writer.conn == before {
			t.Error("the connection is the same as before")
		}
	})
}

// SQLite gives up the whole transaction when it finds no room, and after some
// errors of the disk. The other updates lose nothing.
func TestAnUpdateThatRollsBackATransactionFailsAlone(t *testing.T) {
	for name, lose := range map[string]func(*tx) error{
		"a full disk": func(tx *tx) error { return tx.PutSetting("at", make([]byte, 1<<20)) },
		"a rollback by SQLite": func(tx *tx) error {
			if _, err := tx.Exec(sqlRollback); err != nil {
				return err
			}
			return errors.New("it was rolled back")
		},
		"a rollback that it ignores": func(tx *tx) error {
			_, err := tx.Exec(sqlRollback)
			return err
		},
	} {
		for at := range 4 {
			t.Run(fmt.Sprint(name, " at ", at), func(t *testing.T) {
				inBubble(t, func(t *testing.T, s *Store) {
					setWriter(t, s, "PRAGMA max_page_count = 60")
					updates, want := make([]func(*tx) error, 4), []bool{true, true, true, true}
					for i := range updates {
						updates[i] = putting(fmt.Sprint(i))
					}
					updates[at], want[at] = lose, false
					errs, _ := shared(t, s, updates...)
					for i, err := range errs {
						if (err != nil) != (i == at) {
							t.Errorf("update %d: %v", i, err)
						}
					}
					wantSettings(t, s, want...)
				})
			})
		}
	}
}

// An update that ends its goroutine, as a failing test does, may end the
// goroutine of another update. All other updates are still done.
func TestAnUpdateThatEndsItsGoroutineLeavesNothingBehind(t *testing.T) {
	inBubble(t, func(t *testing.T, s *Store) {
		exit := func(tx *tx) error {
			if err := tx.PutSetting("1", nil); err != nil {
				return err
			}
			runtime.Goexit()
			return nil
		}
		shared(t, s, putting("0"), exit, putting("2"), putting("3"))
		wantSettings(t, s, false, false, true, true)
	})
}

func TestAFailedCommitFailsEveryUpdateThatSharesIt(t *testing.T) {
	inBubble(t, func(t *testing.T, s *Store) {
		orphan := func(tx *tx) error {
			if _, err := tx.Exec("PRAGMA defer_foreign_keys = ON"); err != nil {
				return err
			}
			return sqltx.ExecOne(tx, insertKeyAccount, domain.Tenant, "orphan", "nobody")
		}
		// The third has failed already because of a write of the first, which was
		// then undone.
		errs, commits := shared(t, s, putting("0"), orphan, func(tx *tx) error {
			if _, err := tx.Setting("0"); err != nil {
				t.Error(err)
			}
			return store.ErrConflict
		}, putting("3"))
		for _, err := range errs {
			wantError(t, err, "committing: ")
		}
		if commits != 0 {
			t.Errorf("%d commits", commits)
		}
		wantSettings(t, s, false, false, false, false)
	})
}

func TestNothingIsAnsweredBeforeTheCommit(t *testing.T) {
	inBubble(t, func(t *testing.T, s *Store) {
		answered := make(chan error, 2)
		saw := func(tx *tx) error { _, err := tx.Setting("nothing"); return err }
		var wg sync.WaitGroup
		err := s.writer.alone(t.Context(), func(*conn) error {
			for _, fn := range []func(*tx) error{putting("0"), saw} {
				wg.Go(func() { answered <- s.writer.update(t.Context(), fn) })
				synctest.Wait()
			}
			wg.Go(func() {
				err := s.writer.update(t.Context(), func(tx *tx) error {
					synctest.Wait() // everybody else has done what can be done
					if len(answered) != 0 {
						t.Error("an update was answered before its commit")
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		if err := errors.Join(<-answered, <-answered); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("answers: %v, want one %v", err, store.ErrNotFound)
		}
	})
}

func TestAnUpdateThatLeavesTheQueueNeverRuns(t *testing.T) {
	inBubble(t, func(t *testing.T, s *Store) {
		ctx, cancel := context.WithCancel(t.Context())
		first := func(*tx) error { cancel(); return nil }
		var wg sync.WaitGroup
		err := s.writer.alone(t.Context(), func(*conn) error {
			for _, fn := range []func(*tx) error{first, putting("0")} {
				wg.Go(func() {
					if err := s.writer.update(t.Context(), fn); err != nil {
						t.Error(err)
					}
				})
				synctest.Wait()
			}
			wg.Go(func() {
				err := s.writer.update(ctx, func(*tx) error { t.Error("it ran"); return nil })
				if !errors.Is(err, context.Canceled) {
					t.Errorf("got %v, want %v", err, context.Canceled)
				}
			})
			synctest.Wait()
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		wantSettings(t, s, true)
	})
}

// Some waiters get their turn at the moment at which they leave. No turn may
// be lost.
func TestUpdatesThatLeaveTheQueueLoseNoTurn(t *testing.T) {
	s := migrated(t, newPath(t))
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 50 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration((i*n)%7)*100*time.Microsecond)
				defer cancel()
				err := s.writer.update(ctx, putting(fmt.Sprint(i)))
				if err != nil && !isContext(err) {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	put(t, s, "after", nil)
	s.writer.mu.Lock()
	defer s.writer.mu.Unlock()
	if s.writer.taken || len(s.writer.queue) > 0 || s.writer.conn.inTransaction() {
		t.Errorf("left behind: %+v", s.writer)
	}
}

func TestAScrubAmongUpdatesRunsBetweenTransactions(t *testing.T) {
	inBubble(t, func(t *testing.T, s *Store) {
		var wg sync.WaitGroup
		before := s.writer.commits.Load()
		err := s.writer.alone(t.Context(), func(*conn) error {
			for i := range 5 {
				wg.Go(func() {
					var err error
					if i == 2 {
						err = s.Scrub(t.Context())
					} else {
						err = s.writer.update(t.Context(), putting(fmt.Sprint(i)))
					}
					if err != nil {
						t.Error(err)
					}
				})
				synctest.Wait()
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		if commits := s.writer.commits.Load() - before; commits != 2 {
			t.Errorf("%d commits, want 2", commits)
		}
		wantSettings(t, s, true, true, false, true, true)
	})
}

func TestCloseFailsRunningAndWaitingUpdates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := newPath(t)
		s := migrated(t, path)
		var wg sync.WaitGroup
		err := s.writer.update(t.Context(), func(*tx) error {
			for range 3 {
				wg.Go(func() {
					if err := s.writer.update(t.Context(), putting("0")); !errors.Is(err, errClosed) {
						t.Errorf("got %v, want %v", err, errClosed)
					}
				})
			}
			synctest.Wait()
			wg.Go(func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
			return nil
		})
		if !errors.Is(err, errClosed) {
			t.Errorf("the transaction under way: %v, want %v", err, errClosed)
		}
		wg.Wait()
		if err := s.writer.update(t.Context(), putting("0")); !errors.Is(err, errClosed) {
			t.Errorf("afterwards: %v, want %v", err, errClosed)
		}
		wantSettings(t, migrated(t, path), false)
	})
}

// Otherwise it would use the connection of the transaction under way, and Close would free that
// connection.
func TestCloseFailsAWaitingScrub(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := migrated(t, newPath(t))
		var wg sync.WaitGroup
		err := s.writer.update(t.Context(), func(*tx) error {
			wg.Go(func() {
				if err := s.Scrub(t.Context()); !errors.Is(err, errClosed) {
					t.Errorf("the scrub: %v, want %v", err, errClosed)
				}
			})
			synctest.Wait()
			closed := false
			wg.Go(func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
				closed = true
			})
			synctest.Wait()
			if closed {
				t.Error("Close did not wait for the transaction under way")
			}
			return nil
		})
		if !errors.Is(err, errClosed) {
			t.Errorf("the transaction under way: %v, want %v", err, errClosed)
		}
		wg.Wait()
	})
}

// A writer that always has work releases the lock for long enough that other
// processes can get it.
func TestABusyWriterPausesForOtherProcesses(t *testing.T) {
	inBubble(t, func(t *testing.T, s *Store) {
		longest := time.Duration(0)
		last := time.Now()
		work := func(tx *tx) error {
			longest = max(longest, time.Since(last))
			time.Sleep(maxBatchTime)
			last = time.Now()
			return tx.PutSetting("0", []byte(fmt.Sprint(last)))
		}
		var updates []func(*tx) error
		for range 2 * int(yieldAfter/maxBatchTime) {
			updates = append(updates, work)
		}
		if errs, _ := shared(t, s, updates...); errors.Join(errs...) != nil {
			t.Fatal(errs)
		}
		if longest < yieldPause {
			t.Errorf("the longest pause was %v, want %v", longest, yieldPause)
		}
	})
}
