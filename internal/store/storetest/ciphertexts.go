package storetest

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

var ciphertextTests = []test{
	{"a ciphertext is noted once for each key", noteCiphertext},
	{"of fifty notes of one ciphertext at once, one succeeds", oneNote},
	{"of two notes at once of each of 70 ciphertexts, one succeeds", notesBetweenOthers},
	{"a thousand digests of a key are all found", manyNotes},
	{"a note that is not committed leaves no trace", noteRolledBack},
	{"the digests of each key are found and removed in portions", sweepCiphertexts},
}

func spent(i int) domain.CiphertextDigest { return domain.CiphertextDigest(digest(i)) }

func note(account, key string, d domain.CiphertextDigest) func(store.Tx) error {
	return func(tx store.Tx) error { return tx.NoteCiphertext(account, key, d) }
}

func (w *world) noted(account, key string, d domain.CiphertextDigest, want bool) {
	w.Helper()
	finds(w, "noted", want, func(tx store.Tx) (bool, error) { return tx.CiphertextNoted(account, key, d) })
}

func noteCiphertext(w *world) {
	d := spent(0)
	w.noted("account", "key", d, false)
	w.must(note("account", "key", d))
	w.noted("account", "key", d, true)
	w.fails(store.ErrCiphertextReused, note("account", "key", d))
	w.noted("account", "key", d, true)
	for _, other := range []struct {
		account, key string
		digest       domain.CiphertextDigest
	}{{"account", "Key", d}, {"Account", "key", d}, {"account", "key", spent(1)}, {"account", "key", domain.CiphertextDigest{}}} {
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
		return handles[i%2].Update(context.Background(), note("account", "key", spent(0)))
	}), store.ErrCiphertextReused)
}

// Digests of several requests go into the same chunk, and from one into the next.
func notesBetweenOthers(w *world) {
	handles := []store.Store{w.store, w.openAnother()}
	// In waves, because a transaction waits for its turn only for a limited time.
	const each, many, wave = 2, 70, 14 * 2
	var errs []error
	for first := 0; first < many*each; first += wave {
		errs = append(errs, together(wave, func(i int) error {
			return handles[i%2].Update(context.Background(), note("account", "key", numbered((first+i)/each)))
		})...)
	}
	for i := range many {
		w.oneWinsOver(errs[i*each:(i+1)*each], store.ErrCiphertextReused)
		w.noted("account", "key", numbered(i), true)
	}
	w.noted("account", "key", numbered(many), false)
}

func numbered(i int) domain.CiphertextDigest {
	eight := binary.BigEndian.AppendUint64(nil, 0x9e3779b97f4a7c15*uint64(i+1))
	return domain.CiphertextDigest(append(eight, eight...))
}

func manyNotes(w *world) {
	const many = 1000
	w.must(func(tx store.Tx) (err error) {
		for i := range many {
			err = errors.Join(err, tx.NoteCiphertext("account", "key", numbered(i)))
		}
		return err
	})
	w.must(func(tx store.Tx) error {
		for i := range many {
			if err := tx.NoteCiphertext("account", "key", numbered(i)); !errors.Is(err, store.ErrCiphertextReused) {
				w.Errorf("digest %d again: %v", i, err)
			}
		}
		return tx.NoteCiphertext("account", "key", numbered(many))
	})
	w.noted("account", "key", numbered(0), true)
	w.noted("account", "key", numbered(many), true)
	w.noted("account", "key", numbered(many+1), false)
	// Seven chunks go, the newest first. The next note finds room after the others.
	gives(w, "chunks removed", 7, func(tx store.Tx) (int, error) { return tx.DeleteCiphertexts("account", "key", 7) })
	left := 0
	w.look(func(tx store.Tx) error {
		for left = 0; ; left++ {
			if noted, err := tx.CiphertextNoted("account", "key", numbered(left)); err != nil || !noted {
				return err
			}
		}
	})
	if left < many/2 || left >= many {
		w.Errorf("%d digests are left of %d", left, many+1)
	}
	w.noted("account", "key", numbered(left+1), false)
	w.must(note("account", "key", numbered(left)))
	w.noted("account", "key", numbered(left-1), true)
	w.noted("account", "key", numbered(left), true)
}

// A request that is refused after its ciphertext was noted may send it again,
// and one whose ciphertext was refused leaves its transaction usable.
func noteRolledBack(w *world) {
	w.fails(errBoom, func(tx store.Tx) error { return errors.Join(tx.NoteCiphertext("account", "key", spent(0)), errBoom) })
	w.noted("account", "key", spent(0), false)
	w.must(func(tx store.Tx) error {
		if err := tx.NoteCiphertext("account", "key", spent(0)); err != nil {
			return err
		}
		if err := tx.NoteCiphertext("account", "key", spent(0)); !errors.Is(err, store.ErrCiphertextReused) {
			w.Errorf("the second note in one transaction: %v", err)
		}
		return tx.NoteCiphertext("account", "key", spent(1))
	})
	w.noted("account", "key", spent(0), true)
	w.noted("account", "key", spent(1), true)
}

func sweepCiphertexts(w *world) {
	const each = 7 * 64
	keys := [][2]string{{"a", "1"}, {"a", "2"}, {"a1", "1"}, {"b", "0"}}
	w.must(func(tx store.Tx) error {
		for i := range each {
			for _, k := range keys {
				if err := tx.NoteCiphertext(k[0], k[1], numbered(i)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	equal(w, "keys with digests", w.ciphertextKeys(), keys)

	remove := func() (n int) {
		w.must(func(tx store.Tx) (err error) { n, err = tx.DeleteCiphertexts("a", "2", 3); return err })
		return n
	}
	for _, portion := range []string{"first", "second"} {
		if n := remove(); n != 3 {
			w.Errorf("the %s portion has %d chunks, want 3", portion, n)
		}
		equal(w, "keys with digests", w.ciphertextKeys(), keys)
	}
	for remove() > 0 {
	}
	equal(w, "keys with digests", w.ciphertextKeys(), [][2]string{keys[0], keys[2], keys[3]})
	for i := 0; i < each; i += 63 {
		w.noted("a", "2", numbered(i), false)
		w.noted("a", "1", numbered(i), true)
		w.noted("a1", "1", numbered(i), true)
	}
	w.must(note("a", "2", spent(0)))
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

// migrating is a store with an older schema.
type migrating interface {
	store.Store
	Migrate(context.Context) error
}

// WantUsedAfterUpgrade migrates a store of version 0.6.0, whose instances add a row
// to the table ciphertext for each digest, as insert does, before and after the
// migration. It fails if a digest is lost, or not removed with the others.
func WantUsedAfterUpgrade(t *testing.T, s migrating, insert func(accountID, keyID string, digest []byte)) {
	t.Helper()
	digest := func(key string, i int) domain.CiphertextDigest { // in no order, with NUL and all other bytes
		sum := sha256.Sum256(fmt.Append(nil, key, i))
		sum[i%16] = 0
		return domain.CiphertextDigest(sum[:16])
	}
	const each = 20
	for i := range each {
		d := digest("both", i)
		insert("account", "both", d[:])
	}
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range each {
		d := digest("old", i)
		insert("account", "old", d[:])
	}
	w := &world{T: t, store: s}
	w.must(func(tx store.Tx) (err error) {
		for i := range 70 {
			err = errors.Join(err, tx.NoteCiphertext("account", "both", digest("both", each+i)), tx.NoteCiphertext("account", "new", digest("new", i)))
		}
		return err
	})
	for key, n := range map[string]int{"both": each + 70, "old": each, "new": 70} {
		for i := range n {
			w.noted("account", key, digest(key, i), true)
			w.fails(store.ErrCiphertextReused, note("account", key, digest(key, i)))
		}
		w.noted("account", key, digest(key, n), false)
	}
	equal(w, "keys with digests", w.ciphertextKeys(), [][2]string{{"account", "both"}, {"account", "new"}, {"account", "old"}})
	for _, want := range []int{10, 10, 2, 0} { // two chunks and 20 old ones
		gives(w, "removed", want, func(tx store.Tx) (int, error) { return tx.DeleteCiphertexts("account", "both", 10) })
	}
	equal(w, "keys with digests", w.ciphertextKeys(), [][2]string{{"account", "new"}, {"account", "old"}})
	for i := range each + 70 {
		w.noted("account", "both", digest("both", i), false)
	}
}
