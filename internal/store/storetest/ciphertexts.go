package storetest

import (
	"context"
	"errors"

	"strongroom/internal/store"
)

var ciphertextTests = []test{
	{"a ciphertext is noted once for each key", noteCiphertext},
	{"of fifty notes of one ciphertext at once, one succeeds", oneNote},
	{"a note that is not committed leaves no trace", noteRolledBack},
	{"the digests of each key are found and removed in portions", sweepCiphertexts},
}

func note(account, key string, d []byte) func(store.Tx) error {
	return func(tx store.Tx) error { return tx.NoteCiphertext(account, key, d) }
}

func (w *world) noted(account, key string, d []byte, want bool) {
	w.Helper()
	finds(w, "noted", want, func(tx store.Tx) (bool, error) { return tx.CiphertextNoted(account, key, d) })
}

func noteCiphertext(w *world) {
	d := digest(0)
	w.noted("account", "key", d, false)
	w.must(note("account", "key", d))
	w.noted("account", "key", d, true)
	w.fails(store.ErrCiphertextReused, note("account", "key", d))
	w.noted("account", "key", d, true)
	for _, other := range []struct {
		account, key string
		digest       []byte
	}{{"account", "Key", d}, {"Account", "key", d}, {"account", "key", digest(1)}, {"account", "key", d[:15]}} {
		w.noted(other.account, other.key, other.digest, false)
		w.must(note(other.account, other.key, other.digest))
		w.noted(other.account, other.key, other.digest, true)
	}
	w.reopen()
	w.fails(store.ErrCiphertextReused, note("account", "key", d))
}

func oneNote(w *world) {
	handles := []store.Store{w.store, w.openAnother()}
	w.oneWinsOver(together(50, func(i int) error {
		return handles[i%2].Update(context.Background(), note("account", "key", digest(0)))
	}), store.ErrCiphertextReused)
}

// A request that is refused after its ciphertext was noted may send it again,
// and one whose ciphertext was refused leaves its transaction usable.
func noteRolledBack(w *world) {
	w.fails(errBoom, func(tx store.Tx) error { return errors.Join(tx.NoteCiphertext("account", "key", digest(0)), errBoom) })
	w.noted("account", "key", digest(0), false)
	w.must(func(tx store.Tx) error {
		if err := tx.NoteCiphertext("account", "key", digest(0)); err != nil {
			return err
		}
		if err := tx.NoteCiphertext("account", "key", digest(0)); !errors.Is(err, store.ErrCiphertextReused) {
			w.Errorf("the second note in one transaction: %v", err)
		}
		return tx.NoteCiphertext("account", "key", digest(1))
	})
	w.noted("account", "key", digest(0), true)
	w.noted("account", "key", digest(1), true)
}

func sweepCiphertexts(w *world) {
	const each = 7
	keys := [][2]string{{"a", "1"}, {"a", "2"}, {"a1", "1"}, {"b", "0"}}
	w.must(func(tx store.Tx) error {
		for i := range each {
			for _, k := range keys {
				if err := tx.NoteCiphertext(k[0], k[1], digest(i)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	equal(w, "keys with digests", w.ciphertextKeys(), keys)

	remove := func(want int) {
		w.Helper()
		gives(w, "digests removed", want, func(tx store.Tx) (int, error) { return tx.DeleteCiphertexts("a", "2", 3) })
	}
	remove(3)
	equal(w, "keys with digests", w.ciphertextKeys(), keys)
	remove(3)
	remove(1)
	remove(0)
	equal(w, "keys with digests", w.ciphertextKeys(), [][2]string{keys[0], keys[2], keys[3]})
	for i := range each {
		w.noted("a", "2", digest(i), false)
		w.noted("a", "1", digest(i), true)
		w.noted("a1", "1", digest(i), true)
	}
	w.must(note("a", "2", digest(0)))
}

// ciphertextKeys is a walk over the keys that have digests.
func (w *world) ciphertextKeys() (keys [][2]string) {
	w.Helper()
	w.look(func(tx store.Tx) error {
		var at [2]string
		for {
			account, key, err := tx.NextCiphertextKey(at[0], at[1])
			if errors.Is(err, store.ErrNotFound) {
				return nil
			}
			if err != nil {
				return err
			}
			at = [2]string{account, key}
			keys = append(keys, at)
		}
	})
	return keys
}
