package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Refuse makes the server refuse the n-th statement of the next transaction, from 1,
// as it does because of another transaction. refused reports whether it did.
type Refuse func(n int) (refused func() bool)

// RunRefused runs operations, each once for each of its statements, the commit
// included, which the server refuses. The operation must succeed, and nothing of it
// may be lost or be done twice. direct opens the database without refusals.
func RunRefused(t *testing.T, direct, through Opener, refuse Refuse) {
	w := newWorld(t, direct)
	refused := through(w.clock.Now)
	w.Cleanup(func() { _ = refused.Close() })
	w.prepareRefused()
	for name, change := range w.changes() {
		before := w.tallied()
		w.must(change) // without a refusal
		one := w.tallied().minus(before)
		eachRefusal(w, name, refuse, func() {
			before := w.tallied()
			if err := refused.Update(t.Context(), change); err != nil {
				w.Errorf("%s: %v", name, err)
			}
			equal(w, name+" did", w.tallied().minus(before), one)
		})
	}
	for name, read := range w.reads() {
		var want any
		w.look(func(tx store.Tx) (err error) { want, err = read(tx); return err })
		eachRefusal(w, name, refuse, func() {
			var got any
			err := refused.View(t.Context(), func(tx store.Tx) (err error) { got, err = read(tx); return err })
			if err != nil {
				w.Errorf("%s: %v", name, err)
			}
			equal(w, name, got, want)
		})
	}
}

// eachRefusal calls do once for each statement that is refused, until there is none.
func eachRefusal(w *world, name string, refuse Refuse, do func()) {
	for n := 1; ; n++ {
		refused := refuse(n)
		do()
		if !refused() {
			if n < 3 { // the settings, and a statement
				w.Errorf("%s: only %d statements were refused", name, n-1)
			}
			return
		}
	}
}

// tally counts what the changes wrote.
type tally map[string]int64

func (t tally) minus(other tally) tally {
	left := tally{}
	for name, n := range t {
		left[name] = n - other[name]
	}
	return left
}

const refusedChain = "refused/0"

func (w *world) tallied() tally {
	w.Helper()
	t := tally{}
	w.look(func(tx store.Tx) error {
		a, _, err := tx.Guarded("counted", domain.Passcode)
		if a != nil {
			t["attempts"] = a.Version
		}
		c, credentialErr := tx.Credential("counted", domain.Passcode)
		t["credential"] = c.Version
		previous, previousErr := tx.PreviousCredentials("counted", domain.Passcode, 1000)
		t["previous"] = int64(len(previous))
		keys, keysErr := tx.KeysOf("counted", 1000)
		for _, k := range keys {
			t["keys"]++
			t["versions of keys"] += k.Version
		}
		last, lastErr := tx.LastEntry(refusedChain)
		t["newest entry"] = last.Seq
		entries := tx.EachEntry(refusedChain, 0, func(domain.Entry) error { t["entries"]++; return nil })
		events, eventsErr := tx.EventsOf("counted", 0, 1000)
		t["events"] = int64(len(events))
		for _, e := range events {
			t["numbers of events"] = e.Seq
		}
		windows, windowsErr := tx.KeyGenerationsOf([][]byte{digest(0)})
		t["key generations"] = windows[0].Count
		value, settingErr := tx.Setting("counted")
		t["setting"] = int64(len(value))
		signing, signingErr := tx.SigningKeys()
		t["signing keys"] = int64(len(signing))
		buckets, bucketErr := tx.Buckets("counted", []domain.BucketPosition{{Width: domain.Minute, Start: w.now().Truncate(time.Minute)}})
		if len(buckets) == 1 && buckets[0] != nil {
			t["operations"] = buckets[0].Operations
		}
		for _, err := range []error{err, credentialErr, previousErr, keysErr, lastErr, entries, eventsErr, windowsErr, settingErr, signingErr, bucketErr} {
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		return nil
	})
	return t
}

// prepareRefused writes the rows that changes and reads begin with.
func (w *world) prepareRefused() {
	k := w.newKey("counted", "device")
	k.ID = "usable"
	a, c := w.newAttempts("counted", domain.Passcode), w.newCredential("counted", domain.Passcode)
	w.must(func(tx store.Tx) error {
		return errors.Join(tx.InsertKey(k), tx.PutSetting("counted", nil), putAttempts(tx, a), tx.PutCredential(c, k.ID),
			tx.InsertAccount(domain.Account{ID: "counted", Mode: domain.ModeJWT, Issuer: "issuer", Subject: "subject", CreatedAt: w.now()}),
			tx.WriteBatch(store.Batch{Entries: []domain.Entry{w.newEntry(refusedChain, 1)}}))
	})
}

// changes are Updates by name. Each adds the same to what is tallied, however often
// it was made before.
func (w *world) changes() map[string]func(store.Tx) error {
	n := 0 // a name for each run
	name := func() string { n++; return fmt.Sprint(n) }
	return map[string]func(store.Tx) error{
		"a reservation":          w.refusedReservation,
		"a verdict":              func(tx store.Tx) error { return w.refusedVerdict(tx, false) },
		"a verdict, head unread": func(tx store.Tx) error { return w.refusedVerdict(tx, true) },
		"a set":                  w.refusedSet,
		"a first key": func(tx store.Tx) error {
			if _, err := tx.ActiveKey("counted", "device "+name()); !errors.Is(err, store.ErrNotFound) {
				return err
			}
			return errors.Join(tx.InsertKey(w.newKey("counted", "device "+name())), w.refusedEntry(tx))
		},
		"a use of a key and a ciphertext": func(tx store.Tx) error {
			n++
			return errors.Join(tx.NoteCiphertext("counted", "usable", numbered(n)), tx.NoteKeyUse("counted", "usable", tx.Now()), w.refusedEntry(tx))
		},
		"a request for a key": func(tx store.Tx) error {
			_, counted, err := tx.CountKeyGeneration(digest(0), generationWindow, 1000)
			equal(w, "counted", counted, err == nil)
			return err
		},
		"a setting that is read": func(tx store.Tx) error {
			value, err := tx.Setting("counted")
			if err != nil {
				return err
			}
			return tx.PutSetting("counted", append(value, 'x'))
		},
		"a signing key and a redemption": func(tx store.Tx) error {
			all, err := tx.SigningKeys()
			if err != nil {
				return err
			}
			return errors.Join(tx.InsertSigningKey(w.signingKey(int64(len(all)+1))), tx.Redeem(domain.Redemption{ID: name(), ExpiresAt: w.now()}))
		},
		"a bucket": func(tx store.Tx) error {
			b := domain.Bucket{Instance: "counted", Width: domain.Minute, Start: w.now().Truncate(time.Minute)}
			found, err := tx.Buckets(b.Instance, []domain.BucketPosition{{Width: b.Width, Start: b.Start}})
			if err != nil {
				return err
			}
			if found[0] != nil {
				b = *found[0]
			}
			b.Operations++
			return tx.PutBucket(b)
		},
	}
}

func (w *world) refusedCounter(tx store.Tx) (domain.Attempts, error) {
	found, _, err := tx.Guarded("counted", domain.Passcode)
	if err != nil {
		return domain.Attempts{}, err
	}
	found.Version++
	return *found, nil
}

func (w *world) refusedReservation(tx store.Tx) error {
	a, err := w.refusedCounter(tx)
	if err != nil {
		return err
	}
	return tx.ReserveAttempt(a, "usable")
}

func (w *world) refusedVerdict(tx store.Tx, unread bool) error {
	a, err := w.refusedCounter(tx)
	if err != nil {
		return err
	}
	last, err := tx.LastEntry(refusedChain)
	if err != nil {
		return err
	}
	seq, err := tx.NumberEvents("counted", 1)
	if err != nil {
		return err
	}
	e := w.newEntry(refusedChain, last.Seq+1)
	e.Prev, e.Hash = last.Hash, []byte(domain.NewID())
	return tx.WriteBatch(store.Batch{Attempts: []domain.Attempts{a}, Entries: []domain.Entry{e}, HeadUnread: unread,
		Events: []domain.OutboxEvent{w.event("counted", seq)}})
}

func (w *world) refusedEntry(tx store.Tx) error {
	last, err := tx.LastEntry(refusedChain)
	if err != nil {
		return err
	}
	e := w.newEntry(refusedChain, last.Seq+1)
	e.Prev, e.Hash = last.Hash, []byte(domain.NewID())
	return tx.WriteBatch(store.Batch{Entries: []domain.Entry{e}})
}

func (w *world) refusedSet(tx store.Tx) error {
	c, err := tx.Credential("counted", domain.Passcode)
	if err != nil {
		return err
	}
	replaced := c
	c.Version++
	return errors.Join(tx.KeepPrevious(replaced, 1000), tx.PutCredential(c, "usable"), w.refusedEntry(tx))
}

// reads are Views by name. Each returns the same until something is changed.
func (w *world) reads() map[string]func(store.Tx) (any, error) {
	return map[string]func(store.Tx) (any, error){
		"a key":           func(tx store.Tx) (any, error) { return tx.Key("usable") },
		"a key, at last":  func(tx store.Tx) (any, error) { tx.Final(); return tx.Key("usable") },
		"a counter":       func(tx store.Tx) (any, error) { return tx.Attempts("counted", domain.Passcode) },
		"settings":        func(tx store.Tx) (any, error) { return tx.Settings("count") },
		"the chains":      func(tx store.Tx) (any, error) { return tx.Chains() },
		"the heads":       func(tx store.Tx) (any, error) { return tx.Heads(time.Time{}) },
		"the clock alone": func(tx store.Tx) (any, error) { now := tx.Now(); _, err := tx.Setting("counted"); return now, err },
		"what a verification reads": func(tx store.Tx) (any, error) {
			var k domain.DeviceKey
			var a *domain.Attempts
			var c *domain.Credential
			err := tx.Interleave(
				func() (err error) { a, c, err = tx.Guarded("counted", domain.Passcode); return err },
				func() (err error) { k, err = tx.KeyOf("counted", "usable"); return err })
			return []any{k, a, c}, err
		},
		"a walk, and reads within": func(tx store.Tx) (any, error) {
			var found []domain.DeviceKey // anew in each run
			err := tx.EachKey(func(k domain.DeviceKey) error {
				k, err := tx.KeyOf(k.AccountID, k.ID)
				found = append(found, k)
				return err
			})
			slices.SortFunc(found, func(a, b domain.DeviceKey) int { return a.CreatedAt.Compare(b.CreatedAt) })
			return len(found), err
		},
	}
}
