package storetest

import (
	"errors"
	"time"

	"strongroom/internal/store"
)

var keyNoteTests = []test{
	{"the latest use of a key is kept", keyUses},
	{"a standing key-generation window can be looked at", lookAtKeyGeneration},
}

func keyUses(w *world) {
	note := func(account, key string, at time.Time) {
		w.Helper()
		w.must(func(tx store.Tx) error { return tx.NoteKeyUse(account, key, at) })
	}
	used := func(account, key string, want time.Time) {
		w.Helper()
		finds(w, "last uses", []time.Time{want, {}}, func(tx store.Tx) ([]time.Time, error) { return tx.KeysUsed(account, []string{key, "no key"}) })
	}
	unused := func(account, key string) {
		w.Helper()
		used(account, key, time.Time{})
	}
	now := w.now()
	unused("account", "key")
	note("account", "key", now)
	note("account", "another key", now.Add(time.Hour))
	note("another account", "key", now.Add(2*time.Hour))
	note("account", "key", now.Add(-time.Microsecond))
	used("account", "key", now)
	note("account", "key", now.Add(time.Microsecond))
	used("account", "key", now.Add(time.Microsecond))
	unused("account", "Key")
	w.must(func(tx store.Tx) error { return tx.DeleteKeyUses("account") })
	unused("account", "key")
	unused("account", "another key")
	used("another account", "key", now.Add(2*time.Hour))
	w.must(func(tx store.Tx) error { return tx.DeleteKeyUses("account") }) // none is no error
}

func lookAtKeyGeneration(w *world) {
	stands := func(device []byte, count int64, reset time.Time) {
		w.Helper()
		w.look(func(tx store.Tx) error {
			gotCount, gotReset, err := tx.KeyGeneration(device)
			equal(w, "count", gotCount, count)
			equal(w, "reset", gotReset, reset)
			all, allErr := tx.KeyGenerationsOf([][]byte{digest(99), device})
			equal(w, "all", all, []store.KeyWindow{{}, {Count: count, Reset: reset}})
			return errors.Join(err, allErr)
		})
	}
	ended := func(device []byte) {
		w.Helper()
		w.missing(func(tx store.Tx) error { _, _, err := tx.KeyGeneration(device); return err })
	}
	ended(digest(0))
	reset := w.now().Add(generationWindow)
	w.generated(digest(0), 2, true, reset)
	stands(digest(0), 1, reset)
	w.generated(digest(0), 2, true, reset)
	w.generated(digest(0), 2, false, reset)
	stands(digest(0), 2, reset)
	ended(digest(1))
	w.clock.advance(generationWindow) // the last instant of the window
	stands(digest(0), 2, reset)
	w.clock.advance(time.Microsecond)
	ended(digest(0))
}
