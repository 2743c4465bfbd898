package storetest

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"strongroom/internal/store"
)

// Opener opens the one database of a test, migrated, on the given clock. Every
// call opens the same records: again after Close, or by a second handle beside
// the first, as a second process would.
type Opener func(now func() time.Time) store.Store

// test is one promise. Its name is a sentence.
type test struct {
	name string
	run  func(*world)
}

// world is what one test runs in: a store and its clock.
type world struct {
	*testing.T
	open  Opener
	clock *clock
	store store.Store
}

func newWorld(t *testing.T, open Opener) *world {
	// Not a whole microsecond, and not in UTC: an engine must cut and convert.
	start := time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.FixedZone("", 3600))
	w := &world{T: t, open: open, clock: &clock{now: start}}
	w.store = w.openAnother()
	return w
}

// openAnother opens one more handle on the same records.
func (w *world) openAnother() store.Store {
	s := w.open(w.clock.Now)
	w.Cleanup(func() { _ = s.Close() }) // a test that is about closing has closed it before
	return s
}

// reopen closes the store and opens it again, as a restart does.
func (w *world) reopen() {
	w.Helper()
	if err := w.store.Close(); err != nil {
		w.Fatalf("closing: %v", err)
	}
	w.store = w.openAnother()
}

// update runs fn in an Update and returns what came of it.
func (w *world) update(fn func(store.Tx) error) error {
	return w.store.Update(context.Background(), fn)
}

// must runs fn in an Update that has to succeed.
func (w *world) must(fn func(store.Tx) error) {
	w.Helper()
	if err := w.update(fn); err != nil {
		w.Fatalf("update: %v", err)
	}
}

// insert writes records in one Update.
func insert[T any](w *world, all []T, write func(store.Tx, T) error) {
	w.Helper()
	w.must(func(tx store.Tx) error {
		for _, one := range all {
			if err := write(tx, one); err != nil {
				return err
			}
		}
		return nil
	})
}

// fails runs fn in an Update that has to fail with want.
func (w *world) fails(want error, fn func(store.Tx) error) {
	w.Helper()
	if err := w.update(fn); !errors.Is(err, want) {
		w.Fatalf("update: %v, want %v", err, want)
	}
}

// look runs fn in a View that has to succeed.
func (w *world) look(fn func(store.Tx) error) {
	w.Helper()
	if err := w.store.View(context.Background(), fn); err != nil {
		w.Fatalf("view: %v", err)
	}
}

// finds reads in a View, which has to succeed and to give want.
func finds[T any](w *world, what string, want T, read func(store.Tx) (T, error)) {
	w.Helper()
	w.look(func(tx store.Tx) error {
		got, err := read(tx)
		equal(w, what, got, want)
		return err
	})
}

// gives is [finds] in an Update.
func gives[T any](w *world, what string, want T, change func(store.Tx) (T, error)) {
	w.Helper()
	w.must(func(tx store.Tx) error {
		got, err := change(tx)
		equal(w, what, got, want)
		return err
	})
}

// missing runs fn in a View that has to fail with ErrNotFound.
func (w *world) missing(fn func(store.Tx) error) {
	w.Helper()
	if err := w.store.View(context.Background(), fn); !errors.Is(err, store.ErrNotFound) {
		w.Fatalf("view: %v, want %v", err, store.ErrNotFound)
	}
}

// now is the clock in the form in which a store keeps times.
func (w *world) now() time.Time { return w.clock.Now().UTC().Truncate(time.Microsecond) }

// equal compares records. An absent list or value may come back empty.
func equal[T any](t failer, what string, got, want T) {
	t.Helper()
	if reflect.DeepEqual(got, want) {
		return // the common case, a hundred times faster
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

// failer is what [testing.T] and rapid's T have in common.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// clock is the time of a world. It moves only when told to.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// together calls fn n times at once and returns the errors.
func together(n int, fn func(i int) error) []error {
	errs := make([]error, n)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-start
			errs[i] = fn(i)
		})
	}
	close(start)
	wg.Wait()
	return errs
}

// oneWins checks that exactly one of the errors is nil and all others are
// ErrConflict.
func (w *world) oneWins(errs []error) {
	w.Helper()
	w.oneWinsOver(errs, store.ErrConflict)
}

// oneWinsOver checks that exactly one of the errors is nil and all others are
// what a loser gets.
func (w *world) oneWinsOver(errs []error, loser error) {
	w.Helper()
	won := 0
	for _, err := range errs {
		switch {
		case err == nil:
			won++
		case !errors.Is(err, loser):
			w.Errorf("a loser failed with %v, want %v", err, loser)
		}
	}
	if won != 1 {
		w.Fatalf("%d of %d succeeded, want 1", won, len(errs))
	}
}

var errBoom = errors.New("boom")

// eachStops checks that a walk ends with its function's error.
func (w *world) eachStops(walk func(tx store.Tx, fail error) error) {
	w.Helper()
	err := w.store.View(context.Background(), func(tx store.Tx) error { return walk(tx, errBoom) })
	if !errors.Is(err, errBoom) {
		w.Fatalf("a walk whose function failed: %v, want %v", err, errBoom)
	}
}
