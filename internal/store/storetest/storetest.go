// Package storetest is the contract suite of package store. Every promise
// there has a test here that fails without it; an engine is done when the
// suite passes on it. The suite knows no engine and no SQL.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Opener opens the one database of a test, migrated, on the given clock. Every
// call opens the same records: again after Close, or by a second handle beside
// the first, as a second process would.
type Opener func(now func() time.Time) store.Store

// Run runs the suite. fresh makes an empty database for one test and returns
// its opener; stores are closed by the suite.
func Run(t *testing.T, fresh func(t *testing.T) Opener) {
	for _, group := range [][]test{transactionTests, settingTests, keyTests, useTests, keyGenerationTests, ciphertextTests, credentialTests, batchTests, trailTests, rollupTests, listingTests, keyNoteTests, receiptTests, outboxTests, modelTests} {
		for _, tt := range group {
			t.Run(tt.name, func(t *testing.T) {
				t.Parallel() // most of the time is spent waiting for the disk
				tt.run(newWorld(t, fresh(t)))
			})
		}
	}
}

// test is one promise. Its name is a sentence.
type test struct {
	name string
	run  func(*world)
}

// world is what one test plays in: a store and its clock.
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

// everyByte is a value that no text column survives.
func everyByte() []byte {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

// deviceIDs are ids that must come back byte for byte and be told apart.
func deviceIDs() []string {
	return []string{
		"device-1", "Device-1", "DEVICE-1", " device-1", "device-1 ", "0", "00", "1e3", "-1", "null", "NULL",
		"O'Brien", `"quoted"`, "`tick`", "a;DROP TABLE device_key;--", "%", "_", "*", "?1", "$1", ":name",
		"../../etc/passwd", `C:\Windows\system32`, "<script>alert(1)</script>", "a&amp;b", "{\"json\":[]}",
		"📱🔐", "👩‍👩‍👧", "é", "e\u0301", "ß", "ẞ", "\u202eabc", "\ufeffbom", "日本語", "2026-03-01 12:00:00",
		strings.Repeat("x", domain.MaxDeviceIDBytes), strings.Repeat("x", domain.MaxDeviceIDBytes-1),
	}
}

// newKey is an active key whose every field says something of its own.
func (w *world) newKey(account, device string) domain.DeviceKey {
	return domain.DeviceKey{
		ID: domain.NewID(), AccountID: account, DeviceID: device, Algorithm: domain.AlgorithmRSAOAEP256, Bits: 3072,
		PublicKey: append([]byte("public "), everyByte()...), Sealed: append([]byte("sealed "), everyByte()...),
		AppVersion: "1.2.3-β", State: domain.KeyActive, Version: 1, CreatedAt: w.now(),
	}
}

// issue stores a new active key.
func (w *world) issue(account, device string) domain.DeviceKey {
	w.Helper()
	k := w.newKey(account, device)
	w.must(func(tx store.Tx) error { return tx.InsertKey(k) })
	return k
}

// end stores an end of the key, made by change, and returns the key so ended.
func (w *world) end(k domain.DeviceKey, change func(*domain.DeviceKey)) domain.DeviceKey {
	w.Helper()
	k.State, k.EndedAt = domain.KeyInvalidated, w.now()
	change(&k)
	k.Version++
	w.must(func(tx store.Tx) error { return tx.UpdateKey(k) })
	return k
}

func erase(k *domain.DeviceKey) { k.Sealed = nil }

// sized is a name that sorts like its number.
func sized(prefix string, i int) string { return fmt.Sprintf("%s%05d", prefix, i) }
