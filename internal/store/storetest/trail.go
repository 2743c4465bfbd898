package storetest

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

var trailTests = []test{
	{"an audit entry comes back as it was stored", entryRoundTrip},
	{"a number in a chain is given once", entryNumbers},
	{"parallel appends make one chain without gaps", chainWithoutGaps},
	{"EachEntry tells a chain in order, from where it is asked to", eachEntry},
	{"Heads finds the newest entries of all chains, or of those that moved since a time", heads},
	{"what was forged under an empty name or an impossible number is walked too", forgedIsWalked},
	{"the oldest entries of a chain are removed in portions, and never its newest", deleteEntries},
}

func entryRoundTrip(w *world) {
	full := reflect.ValueOf(w.newEntry("chain", 1))
	for _, f := range reflect.VisibleFields(full.Type()) {
		if f.Name != "About" && f.Name != "Tampered" && full.FieldByIndex(f.Index).IsZero() {
			w.Errorf("newEntry does not set %s", f.Name)
		}
	}
	w.missing(func(tx store.Tx) error { _, err := tx.LastEntry("chain"); return err })
	verdict := w.newVerdict("chain", 3)
	of := w.newVerdict("chain", 4)
	of.KeyID, of.Event, of.Outcome, of.Device, of.Failed = "eu1-"+of.KeyID, domain.EventCredentialVerified, "another", nil, false
	bare := domain.Entry{Chain: "chain", Seq: 2, Hash: verdict.Hash}
	odd := w.newVerdict("chain", 5)
	odd.RequestID, odd.KeyID = strings.ToUpper(odd.RequestID), "é"
	short := w.newShortVerdict("short chain", 2)
	after := w.newShortVerdict("short chain", 3)
	after.Before, after.Prev, after.Reason = everyByte()[96:112], short.Hash, "TRANSACTION_PIN"
	w.must(func(tx store.Tx) error { return tx.InsertEntry(w.newEntry("short chain", 1)) })
	for _, e := range []domain.Entry{short, after} {
		w.must(func(tx store.Tx) error { return tx.InsertEntry(e) })
		finds(w, "last entry", e, func(tx store.Tx) (domain.Entry, error) { return tx.LastEntry("short chain") })
	}
	for i, e := range []domain.Entry{w.newEntry("chain", 1), bare, verdict, of, odd, w.newVerdict("chain", math.MaxInt32), {Chain: "chain", Seq: math.MaxInt32 + 1}} {
		if e.Seq > 5 {
			i = int(e.Seq - 1)
		}
		w.must(func(tx store.Tx) error { return tx.InsertEntry(e) })
		finds(w, "last entry", e, func(tx store.Tx) (domain.Entry, error) { return tx.LastEntry("chain") })
		w.look(func(tx store.Tx) error {
			return tx.EachEntry("chain", int64(i), func(got domain.Entry) error {
				equal(w, "entry", got, e)
				return nil
			})
		})
	}
}

func entryNumbers(w *world) {
	first := w.newEntry("chain", 1)
	w.must(func(tx store.Tx) error { return tx.InsertEntry(first) })
	w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.InsertEntry(w.newEntry("chain", 1)) })
	w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.InsertEntry(w.newVerdict("chain", 1)) })
	finds(w, "last entry", first, func(tx store.Tx) (domain.Entry, error) { return tx.LastEntry("chain") })
	w.must(func(tx store.Tx) error { return tx.InsertEntry(w.newEntry("another chain", 1)) })
	second := w.newVerdict("another chain", 2)
	w.must(func(tx store.Tx) error { return tx.InsertEntry(second) })
	w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.InsertEntry(w.newEntry("another chain", 2)) })
	w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.InsertEntry(w.newVerdict("another chain", 2)) })
	w.oneWins(together(20, func(int) error {
		e := w.newEither("chain", 2)
		return w.update(func(tx store.Tx) error { return tx.InsertEntry(e) })
	}))
}

func chainWithoutGaps(w *world) {
	const n = 40
	handles := []store.Store{w.store, w.openAnother()}
	errs := together(n, func(i int) error {
		return handles[i%2].Update(context.Background(), func(tx store.Tx) error {
			last, err := tx.LastEntry("chain")
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			return tx.InsertEntry(w.newEither("chain", last.Seq+1))
		})
	})
	if err := errors.Join(errs...); err != nil {
		w.Fatal(err)
	}
	equal(w, "numbers", w.numbers("chain", 0), upTo(1, n))
}

func eachEntry(w *world) {
	const n = 250
	finds(w, "chains of an empty trail", nil, func(tx store.Tx) ([]string, error) { return tx.Chains() })
	w.must(func(tx store.Tx) error {
		for i := int64(n); i >= 1; i-- { // the order of writing must not matter
			for _, chain := range []string{"a", "b", "ab"} {
				if err := tx.InsertEntry(w.newEither(chain, i)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	for _, after := range []int64{0, 1, 99, 100, 249, 250, 1000} {
		equal(w, "numbers", w.numbers("b", after), upTo(after+1, n))
	}
	equal(w, "numbers of an unknown chain", w.numbers("unknown", 0), nil)
	w.look(func(tx store.Tx) error {
		found, err := tx.EntriesFrom([]domain.EntryPosition{{Chain: "b", Seq: 249}, {Chain: "unknown", Seq: 1}, {Chain: "ab", Seq: 5}}, 2)
		numbers := map[string][]int64{}
		for _, e := range found {
			numbers[e.Chain] = append(numbers[e.Chain], e.Seq)
		}
		equal(w, "entries from", numbers, map[string][]int64{"b": {249, 250}, "ab": {5, 6}})
		if found, err := tx.EntriesFrom(nil, 2); len(found) > 0 || err != nil {
			w.Errorf("entries from nowhere: %v, %v", found, err)
		}
		return err
	})
	w.look(func(tx store.Tx) error {
		var at []domain.EntryPosition
		var want [][]byte
		var newer []bool
		for _, seq := range []int64{1, 2, 3, 100, 250, 251, 7, 8, 9, 10, 249} { // more than one statement reads
			e, err := tx.EntriesFrom([]domain.EntryPosition{{Chain: "b", Seq: seq}}, 1)
			if err != nil {
				return err
			}
			at, want = append(at, domain.EntryPosition{Chain: "b", Seq: seq}), append(want, nil)
			newer = append(newer, seq < 250)
			if len(e) > 0 {
				want[len(want)-1] = e[0].Hash
			}
		}
		// Before the first entry is a gap.
		hashes, after, err := tx.HashesAt(append(at, domain.EntryPosition{Chain: "unknown", Seq: 1}, domain.EntryPosition{Chain: "b", Seq: -5}))
		equal(w, "hashes", hashes, append(want, nil, nil))
		equal(w, "newer entries", after, append(newer, false, true))
		if err != nil {
			return err
		}
		if hashes, _, err := tx.HashesAt(nil); len(hashes) > 0 || err != nil {
			w.Errorf("hashes at no position: %v, %v", hashes, err)
		}
		return err
	})
	w.look(func(tx store.Tx) error {
		chains, err := tx.Chains()
		equal(w, "chains", sorted(chains), []string{"a", "ab", "b"})
		return err
	})
	w.eachStops(func(tx store.Tx, fail error) error {
		return tx.EachEntry("a", 0, func(domain.Entry) error { return fail })
	})
}

// The newest entry is the one with the highest number, whatever times there are.
func heads(w *world) {
	w.missing(func(tx store.Tx) error { _, err := tx.Oldest(); return err })
	at := w.now()
	append3 := func(chain string, times ...time.Duration) error {
		return w.store.Update(context.Background(), func(tx store.Tx) error {
			for i, after := range times {
				e := w.newEither(chain, int64(i)+1)
				e.Time = at.Add(after)
				if err := tx.InsertEntry(e); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := errors.Join(append3("b", 0, time.Hour, 2*time.Hour), append3("a", 0, 0), append3("", 3*time.Hour, time.Hour), append3("ab", time.Hour)); err != nil {
		w.Fatal(err)
	}
	finds(w, "the oldest", at, func(tx store.Tx) (time.Time, error) { return tx.Oldest() })
	for since, want := range map[time.Time][]string{
		{}:                           {"/2", "a/2", "ab/1", "b/3"},
		at:                           {"/2", "a/2", "ab/1", "b/3"},
		at.Add(time.Microsecond):     {"/2", "ab/1", "b/3"},
		at.Add(2 * time.Hour):        {"b/3"},
		at.Add(3 * time.Hour):        nil,
		at.Add(-1000000 * time.Hour): {"/2", "a/2", "ab/1", "b/3"},
	} {
		finds(w, "heads", want, func(tx store.Tx) (found []string, err error) {
			heads, err := tx.Heads(since)
			for _, e := range heads {
				found = append(found, e.Chain+"/"+strconv.FormatInt(e.Seq, 10))
			}
			return found, err
		})
	}
	w.look(func(tx store.Tx) error {
		heads, err := tx.Heads(time.Time{})
		for _, e := range heads {
			last, err := tx.LastEntry(e.Chain)
			if err != nil {
				return err
			}
			equal(w, "head", e, last)
		}
		return err
	})
}

func forgedIsWalked(w *world) {
	numbers := []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64}
	w.must(func(tx store.Tx) error {
		for _, chain := range []string{"", "chain"} {
			for _, n := range numbers {
				if err := tx.InsertEntry(w.newEntry(chain, n)); err != nil {
					return err
				}
			}
		}
		k := w.newKey("", "device")
		k.ID = ""
		return errors.Join(tx.InsertKey(k), tx.PutCredential(w.newCredential("", ""), k.ID), putAttempts(tx, w.newAttempts("", "")))
	})
	finds(w, "chains", []string{"", "chain"}, func(tx store.Tx) ([]string, error) { return tx.Chains() })
	for _, chain := range []string{"", "chain"} {
		equal(w, "numbers", w.numbers(chain, math.MinInt64), numbers)
		equal(w, "numbers", w.numbers(chain, math.MinInt64+1), numbers[2:])
		equal(w, "numbers", w.numbers(chain, 0), numbers[4:])
		equal(w, "numbers", w.numbers(chain, math.MaxInt64), nil)
	}
	forged := w.newEntry("~", 1)
	forged.Time = domain.FromMicros(math.MaxInt64)
	w.must(func(tx store.Tx) error { return tx.InsertEntry(forged) })
	finds(w, "newest entry", []domain.Entry{forged}, func(tx store.Tx) ([]domain.Entry, error) {
		return tx.Entries(time.Time{}, domain.EntryPosition{}, 1)
	})
	var walked []string
	w.look(func(tx store.Tx) error {
		return errors.Join(
			tx.EachKey(func(k domain.DeviceKey) error { walked = append(walked, "key/"+k.ID); return nil }),
			tx.EachCredential(func(c domain.Credential) error { walked = append(walked, "credential/"+c.AccountID); return nil }),
			tx.EachAttempts(func(l domain.ListedLock) error { walked = append(walked, "attempts/"+l.Counter.AccountID); return nil }))
	})
	equal(w, "rows", walked, []string{"key/", "credential/", "attempts/"})
}

func deleteEntries(w *world) {
	all := map[string][]domain.Entry{}
	w.must(func(tx store.Tx) error {
		clear(all) // it may run again
		for i := int64(1); i <= 10; i++ {
			for _, chain := range []string{"chain", "another"} {
				e := w.newEither(chain, i)
				all[chain] = append(all[chain], e)
				if err := tx.InsertEntry(e); err != nil {
					return err
				}
			}
		}
		return nil
	})
	remove := func(chain string, upTo int64, limit, want int, left []int64) {
		w.Helper()
		gives(w, "removed", want, func(tx store.Tx) (int, error) { return tx.DeleteEntries(chain, upTo, limit) })
		equal(w, "numbers that are left", w.numbers(chain, 0), left)
		w.look(func(tx store.Tx) error {
			return tx.EachEntry(chain, 0, func(e domain.Entry) error {
				equal(w, "entry that is left", e, all[chain][e.Seq-1])
				return nil
			})
		})
	}
	remove("chain", 0, 5, 0, upTo(1, 10))
	remove("chain", 5, 3, 3, upTo(4, 10)) // the oldest first
	remove("chain", 5, 3, 2, upTo(6, 10))
	remove("chain", 5, 3, 0, upTo(6, 10))
	remove("unknown", 5, 3, 0, nil)
	remove("chain", 1000, 1000, 4, upTo(10, 10))
	remove("chain", 1000, 1000, 0, upTo(10, 10))
	equal(w, "numbers of the other chain", w.numbers("another", 0), upTo(1, 10))
	w.must(func(tx store.Tx) error {
		last, err := tx.LastEntry("chain")
		if err != nil {
			return err
		}
		return tx.InsertEntry(w.newEither("chain", last.Seq+1))
	})
	equal(w, "numbers after one more", w.numbers("chain", 0), upTo(10, 11))
}
