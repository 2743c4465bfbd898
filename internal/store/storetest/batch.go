package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/stack"
	"strongroom/internal/store"
)

var batchTests = []test{
	{"Guarded returns a counter and its credential, and nothing of others", guarded},
	{"the newest key of a device is the one created last", newestKey},
	{"after the final read a View has ended", finalRead},
	{"interleaved functions have the same results as functions run one after the other", interleaved},
	{"an error of an interleaved function ends the others", interleavedError},
	{"a batch is written whole, and seen by the reads behind it", batchIsSeen},
	{"a batch of which one row conflicts leaves nothing of its transaction", batchConflicts},
	{"an entry whose head was not read is appended only behind that head", headUnread},
	{"parallel units of work count every attempt and make one chain", parallelBatches},
}

func (w *world) guarded(tx store.Tx, account string, t domain.CredentialType, a *domain.Attempts, c *domain.Credential) {
	w.Helper()
	gotA, gotC, err := tx.Guarded(account, t)
	equal(w, "counter", gotA, a)
	equal(w, "credential", gotC, c)
	if err != nil {
		w.Error(err)
	}
}

func guarded(w *world) {
	k := w.issue("account", "device")
	a, c := w.newAttempts("account", domain.Passcode), w.newCredential("account", domain.Passcode)
	alone := w.newCredential("account", domain.TransactionPIN)
	check := func(passcode *domain.Attempts, verifier, pin *domain.Credential) {
		for _, run := range []func(context.Context, func(store.Tx) error) error{w.store.View, w.store.Update} {
			err := run(context.Background(), func(tx store.Tx) error {
				w.guarded(tx, "account", domain.Passcode, passcode, verifier)
				w.guarded(tx, "account", domain.TransactionPIN, nil, pin)
				w.guarded(tx, "other", domain.Passcode, nil, nil)
				return nil
			})
			if err != nil {
				w.Fatal(err)
			}
		}
	}
	check(nil, nil, nil)
	w.must(func(tx store.Tx) error { return putAttempts(tx, a) })
	check(&a, nil, nil)
	w.must(func(tx store.Tx) error { return errors.Join(tx.PutCredential(c, k.ID), tx.PutCredential(alone, k.ID)) })
	check(&a, &c, &alone)
	w.must(func(tx store.Tx) error { // each read sees what was written before it
		w.guarded(tx, "account", domain.Passcode, &a, &c)
		c.Version, c.Sealed = 2, []byte("re-hashed")
		err := tx.RehashCredential(c)
		w.guarded(tx, "account", domain.Passcode, &a, &c)
		return errors.Join(err, tx.DeleteCredential("account", domain.Passcode))
	})
	check(&a, nil, &alone)
}

func newestKey(w *world) {
	newest := func(want domain.DeviceKey) {
		w.Helper()
		finds(w, "the newest key", want, func(tx store.Tx) (domain.DeviceKey, error) { return tx.NewestKey("account", "device") })
	}
	w.issue("other", "device")
	w.missing(func(tx store.Tx) error { _, err := tx.NewestKey("account", "device"); return err })
	first := w.issue("account", "device")
	newest(first)
	first.State, first.Version, first.GraceUntil = domain.KeyInvalidated, 2, w.now().Add(time.Hour)
	w.must(func(tx store.Tx) error { return tx.UpdateKey(first) })
	newest(first)
	w.clock.advance(time.Minute)
	newest(w.issue("account", "device"))
}

func finalRead(w *world) {
	k := w.issue("account", "device")
	err := w.store.View(context.Background(), func(tx store.Tx) error {
		now := tx.Now()
		tx.Final()
		got, err := tx.Key(k.ID)
		equal(w, "the key", got, k)
		equal(w, "the time", tx.Now(), now)
		return err
	})
	if err != nil {
		w.Error(err)
	}
	w.look(func(tx store.Tx) error { // that finds nothing, and is the first step
		tx.Final()
		_, err := tx.Key("unknown")
		if !errors.Is(err, store.ErrNotFound) {
			w.Errorf("an unknown key: %v", err)
		}
		return nil
	})
	runs := 0
	w.look(func(tx store.Tx) error { // that was not the last: fn runs again, or the transaction goes on
		runs++
		tx.Final()
		_, err := tx.Key(k.ID)
		got, again := tx.Key(k.ID)
		equal(w, "the key", got.ID == k.ID || runs == 1, true)
		return errors.Join(err, again)
	})
	w.must(func(tx store.Tx) error { // of an Update it is not the end
		tx.Final()
		_, err := tx.Key(k.ID)
		return errors.Join(err, tx.PutSetting("name", nil))
	})
}

func interleaved(w *world) {
	k := w.issue("account", "device")
	counter := w.newAttempts("account", domain.Passcode)
	w.must(func(tx store.Tx) error {
		return errors.Join(tx.ReserveAttempt(counter, k.ID), tx.PutSetting("a", []byte("1")), tx.PutSetting("b", []byte("2")))
	})
	var a, b, third []byte
	var key domain.DeviceKey
	readAll := func(tx store.Tx) error {
		setting := func(name string, to *[]byte) func() error {
			return store.Into(to, func() ([]byte, error) { return tx.Setting(name) })
		}
		return tx.Interleave(
			setting("a", &a),
			func() error {
				return tx.Interleave(setting("b", &b), func() error { return nil }, setting("a", &third))
			},
			func() error { _, err := tx.Attempts("account", domain.Passcode); return err },
			func() (err error) {
				began := tx.Now()
				if _, err = tx.Setting("none"); !errors.Is(err, store.ErrNotFound) {
					return fmt.Errorf("a setting that is not there: %w", err)
				}
				tx.Final()
				key, err = tx.Key(k.ID)
				equal(w, "the time", tx.Now(), began)
				return err
			})
	}
	check := func(wantA string) {
		w.Helper()
		equal(w, "what was read", []string{string(a), string(b), string(third), key.ID}, []string{wantA, "2", wantA, k.ID})
	}
	w.look(readAll)
	check("1")
	w.must(func(tx store.Tx) error {
		err := tx.Interleave(
			func() error { return tx.PutSetting("a", []byte("3")) },
			func() error { return errors.Join(tx.PutSettingLater("c", []byte("4")), tx.DeleteSetting("none")) })
		return errors.Join(err, readAll(tx)) // and Final does nothing
	})
	check("3")
	w.look(func(tx store.Tx) error {
		c, err := tx.Setting("c")
		equal(w, "the setting that was written later", string(c), "4")
		return err
	})
	w.look(func(tx store.Tx) error { return tx.Interleave() })
}

func interleavedError(w *world) {
	mine := errors.New("mine")
	w.look(func(tx store.Tx) error {
		var after error
		err := tx.Interleave(
			func() error { _, _ = tx.Setting("none"); return mine },
			func() error {
				for range 3 {
					_, after = tx.Setting("none")
				}
				_, again := tx.Setting("none")
				return again
			})
		equal(w, "the first error", errors.Is(err, mine), true)
		equal(w, "the other function's read still gets an answer", errors.Is(after, store.ErrNotFound), false)
		_, err = tx.Setting("none") // the transaction goes on
		equal(w, "a setting that is not there", errors.Is(err, store.ErrNotFound), true)
		return nil
	})
	w.must(func(tx store.Tx) error {
		err := tx.Interleave(
			func() error { _, _ = tx.Setting("none"); return mine },
			func() error {
				_, _ = tx.Setting("none")
				return tx.PutSettingLater("cut off", nil)
			})
		equal(w, "the first error", errors.Is(err, mine), true)
		return nil
	})
	w.missing(func(tx store.Tx) error { _, err := tx.Setting("cut off"); return err })
	defer func() {
		kind, _ := stack.Of(recover())
		equal(w, "the panic", kind, "string")
	}()
	w.look(func(tx store.Tx) error {
		return tx.Interleave(func() error { _, err := tx.Settings("none"); return err }, func() error { panic("panic") })
	})
}

// batch is one of all kinds of rows: the n-th of each.
func (w *world) batch(n int64) store.Batch {
	a := w.newAttempts("account", domain.Passcode)
	a.Version = n
	return store.Batch{Attempts: []domain.Attempts{a}, Entries: []domain.Entry{w.newEntry("chain", n)},
		Events: []domain.OutboxEvent{w.event("partition", n)}}
}

func (w *world) wrote(tx store.Tx, n int64) {
	w.Helper()
	a, err := tx.Attempts("account", domain.Passcode)
	last, entryErr := tx.LastEntry("chain")
	waiting, _, eventErr := tx.WaitingEvents(100)
	equal(w, "counter, entry and events", [3]int64{a.Version, last.Seq, waiting}, [3]int64{n, n, n})
	for _, err := range []error{err, entryErr, eventErr} {
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			w.Error(err)
		}
	}
}

func batchIsSeen(w *world) {
	w.must(func(tx store.Tx) error {
		err := tx.WriteBatch(w.batch(1))
		w.wrote(tx, 1)
		err = errors.Join(err, tx.WriteBatch(w.batch(2)), tx.WriteBatch(store.Batch{}))
		w.wrote(tx, 2)
		return errors.Join(err, tx.WriteBatch(w.batch(3))) // nothing is read after it
	})
	w.look(func(tx store.Tx) error { w.wrote(tx, 3); return nil })
	w.must(func(tx store.Tx) error { return tx.WriteBatch(w.batch(4)) }) // nothing is read before it
	w.look(func(tx store.Tx) error { w.wrote(tx, 4); return nil })
	w.fails(errBoom, func(tx store.Tx) error { return errors.Join(tx.WriteBatch(w.batch(5)), errBoom) })
	w.look(func(tx store.Tx) error { w.wrote(tx, 4); return nil })
}

func batchConflicts(w *world) {
	w.must(func(tx store.Tx) error { return errors.Join(tx.WriteBatch(w.batch(1)), tx.WriteBatch(w.batch(2))) })
	old, next := w.batch(2), w.batch(3)
	ahead, of := w.batch(4).Attempts, w.newAttempts("other", domain.Passcode)
	of.Version = 2
	for name, b := range map[string]store.Batch{
		"a counter of an old version":  {Attempts: old.Attempts, Entries: next.Entries, Events: next.Events},
		"a counter of a later version": {Attempts: ahead, Entries: next.Entries, Events: next.Events},
		"a counter that is not there":  {Attempts: append(next.Attempts, of), Entries: next.Entries, Events: next.Events},
		"an entry of an old number":    {Attempts: next.Attempts, Entries: old.Entries, Events: next.Events},
		"an event of an old number":    {Attempts: next.Attempts, Entries: next.Entries, Events: old.Events},
	} {
		for _, then := range []func(store.Tx) error{
			func(store.Tx) error { return nil },
			func(tx store.Tx) error { return tx.PutSetting("name", nil) },
		} {
			err := w.update(func(tx store.Tx) error {
				w.wrote(tx, 2)
				if err := tx.WriteBatch(b); err != nil {
					return err
				}
				return then(tx)
			})
			if !errors.Is(err, store.ErrConflict) {
				w.Errorf("%s: %v, want %v", name, err, store.ErrConflict)
			}
			w.look(func(tx store.Tx) error { w.wrote(tx, 2); return nil })
		}
	}
	w.missing(func(tx store.Tx) error { _, err := tx.Setting("name"); return err })
}

func headUnread(w *world) {
	follow := func(n int64, after domain.Entry) store.Batch {
		b := w.batch(n)
		b.HeadUnread, b.Entries[0].Prev, b.Entries[0].Hash = true, after.Hash, []byte{byte(n)}
		return b
	}
	first := w.batch(1)
	w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.WriteBatch(follow(1, domain.Entry{Hash: []byte("no entry")})) })
	w.must(func(tx store.Tx) error { return tx.WriteBatch(first) })
	second := follow(2, first.Entries[0])
	third := w.newEntry("chain", 3)
	third.Hash = []byte{3}
	second.Entries = append(second.Entries, third) // only the first follows a head
	w.must(func(tx store.Tx) error { return tx.WriteBatch(second) })
	for name, after := range map[string]domain.Entry{"an older entry": first.Entries[0], "an entry of another trail": {Hash: []byte("other")}} {
		b := follow(3, after)
		b.Entries[0].Seq, b.Events = 4, nil
		if err := w.update(func(tx store.Tx) error { return tx.WriteBatch(b) }); !errors.Is(err, store.ErrConflict) {
			w.Errorf("behind %s: %v, want %v", name, err, store.ErrConflict)
		}
	}
	equal(w, "numbers", w.numbers("chain", 0), upTo(1, 3))
	w.look(func(tx store.Tx) error {
		a, err := tx.Attempts("account", domain.Passcode)
		equal(w, "version of the counter", a.Version, 2)
		return err
	})
}

// parallelBatches does what verifications of one account do, from two
// processes. After a conflict it decides again, as they do.
func parallelBatches(w *world) {
	const n = 40
	handles := []store.Store{w.store, w.openAnother()}
	errs := together(n, func(i int) (err error) {
		for range n {
			err = handles[i%2].Update(context.Background(), func(tx store.Tx) error {
				a, _, err := tx.Guarded("account", domain.Passcode)
				if err != nil {
					return err
				}
				if a == nil {
					a = &domain.Attempts{}
				}
				last, err := tx.LastEntry("chain")
				if err != nil && !errors.Is(err, store.ErrNotFound) {
					return err
				}
				b := w.batch(a.Version + 1)
				b.Events, b.Entries[0].Seq = nil, last.Seq+1
				return tx.WriteBatch(b)
			})
			if !errors.Is(err, store.ErrConflict) {
				break
			}
		}
		return err
	})
	if err := errors.Join(errs...); err != nil {
		w.Fatal(err)
	}
	equal(w, "numbers", w.numbers("chain", 0), upTo(1, n))
	w.look(func(tx store.Tx) error {
		a, err := tx.Attempts("account", domain.Passcode)
		equal(w, "version", a.Version, n)
		return err
	})
}
