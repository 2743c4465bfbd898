package storetest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

var listingTests = []test{
	{"devices come in byte order, each once, by prefix and in pages", devices},
	{"a device with hundreds of keys is one of its page", rotatedDevices},
	{"the keys of a device come newest first", keysOfDevice},
	{"active keys are counted by age and size", countActiveKeys},
	{"accounts come in byte order of issuer and subject, by prefix and in pages", listAccounts},
	{"the attempt counters with a lock are those in which one stands now", lockedAttempts},
	{"attempt counters whose locks have passed do not cut a page short", lockedAttemptsBehindMany},
	{"the trail is read newest first, by time, account and event", entriesByTime},
	{"the entries of a request are searched for as far as asked", entriesOfRequest},
}

// limits are the page sizes that a list is read in.
var limits = []int{1, 3, 200}

// pages reads a list in pages of each size, from the first, and compares all
// of it with want. page gets the last value of the page before.
func pages[T any](w *world, what string, want []T, page func(tx store.Tx, last T, limit int) ([]T, error)) {
	w.Helper()
	for _, limit := range limits {
		var all []T
		w.look(func(tx store.Tx) error {
			var last T
			for len(all) <= len(want) {
				got, err := page(tx, last, limit)
				if err != nil {
					return err
				}
				if len(got) > limit {
					w.Fatalf("%s: %d in a page of %d", what, len(got), limit)
				}
				all = append(all, got...)
				if len(got) < limit {
					return nil
				}
				last = got[len(got)-1]
			}
			return nil
		})
		equal(w, what, all, want)
	}
}

func only[T any](all []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), func(one T) bool { return !keep(one) })
}

// names are texts that an engine would confuse or put in another order if it
// did not compare byte by byte, and the last text of all.
func names() []string {
	return append(deviceIDs(), "a", "a%", "a%b", "a_", "a_b", `a\`, `a\%`, "aa", "ab", "A", "a\x01", "a\u007f", "a\u0080", "a\u00ff",
		"a\u0100", "a\ud7ff", "a\ue000", "a\uffff", "a\U00010000", "a\U0010ffff", "a\U0010ffffb", "b", "\U0010ffff", "\U0010ffff\U0010ffff")
}

// prefixes are beginnings of names, and some with which no name begins.
func prefixes() []string {
	return append(names(), "", "dev", "device-", "xxx", "nothing", "a\U0010ffff\U0010ffff", "日", "📱")
}

func devices(w *world) {
	var all []domain.DevicePosition
	for i, name := range names() {
		for _, account := range []string{"b", "a", "B"} {
			all = append(all, domain.DevicePosition{DeviceID: name, AccountID: account})
			k := w.newKey(account, name)
			w.must(func(tx store.Tx) error { return tx.InsertKey(k) })
			if i%3 == 0 { // it has no active key any more, or one more
				w.end(k, erase)
			}
			if i%6 == 0 {
				w.issue(account, name)
			}
		}
	}
	slices.SortFunc(all, func(a, b domain.DevicePosition) int {
		return cmp.Or(strings.Compare(a.DeviceID, b.DeviceID), strings.Compare(a.AccountID, b.AccountID))
	})
	for _, prefix := range prefixes() {
		want := only(all, func(d domain.DevicePosition) bool { return strings.HasPrefix(d.DeviceID, prefix) })
		pages(w, "devices that begin with "+prefix, want, func(tx store.Tx, last domain.DevicePosition, limit int) ([]domain.DevicePosition, error) {
			return tx.Devices(prefix, last, limit)
		})
	}
	// From positions that no device has, before, within and after the prefix.
	for _, at := range []domain.DevicePosition{{DeviceID: "A"}, {DeviceID: "a%"}, {DeviceID: "a%", AccountID: "aa"}, {DeviceID: "a%a"}, {DeviceID: "aa"}} {
		want := only(all, func(d domain.DevicePosition) bool {
			return strings.HasPrefix(d.DeviceID, "a%") && (d.DeviceID > at.DeviceID || d.DeviceID == at.DeviceID && d.AccountID > at.AccountID)
		})
		finds(w, "devices from a position", want, func(tx store.Tx) ([]domain.DevicePosition, error) { return tx.Devices("a%", at, 200) })
	}
	want := sorted(names())
	pages(w, "devices of an account", want, func(tx store.Tx, last string, limit int) ([]string, error) {
		return tx.DevicesOf("b", last, limit)
	})
	pages(w, "devices of an unknown account", nil, func(tx store.Tx, last string, limit int) ([]string, error) {
		return tx.DevicesOf("nobody", last, limit)
	})
}

func rotatedDevices(w *world) {
	want := []domain.DevicePosition{{DeviceID: "a", AccountID: "account"}, {DeviceID: "b", AccountID: "account"}, {DeviceID: "c", AccountID: "account"}}
	w.must(func(tx store.Tx) error {
		for i := range 600 {
			k := w.newKey("account", []string{"a", "b", "c"}[i%3])
			if err := tx.InsertKey(k); err != nil {
				return err
			}
			if k.State, k.Version, k.Sealed = domain.KeyInvalidated, 2, nil; i < 597 {
				if err := tx.UpdateKey(k); err != nil {
					return err
				}
			}
		}
		return nil
	})
	pages(w, "devices", want, func(tx store.Tx, last domain.DevicePosition, limit int) ([]domain.DevicePosition, error) {
		return tx.Devices("", last, limit)
	})
	pages(w, "devices of the account", []string{"a", "b", "c"}, func(tx store.Tx, last string, limit int) ([]string, error) {
		return tx.DevicesOf("account", last, limit)
	})
	finds(w, "the first devices of the account", []string{"a", "b"}, func(tx store.Tx) ([]string, error) {
		return tx.DevicesOf("account", "", 2)
	})
}

func keysOfDevice(w *world) {
	others := [][2]string{{"another account", "device"}, {"account", "another device"}, {"account", "Device"}}
	var other domain.DeviceKey
	for i, o := range others {
		if k := w.issue(o[0], o[1]); i == 0 {
			other = k
		}
	}
	var all []domain.DeviceKey
	for range 5 {
		w.clock.advance(time.Microsecond)
		k := w.issue("account", "device")
		all = append(all, w.end(k, erase))
	}
	w.clock.advance(time.Microsecond)
	all = append(all, w.issue("account", "device"))
	slices.Reverse(all)
	account := domain.Account{ID: "account", Mode: domain.ModeDevice, Subject: "device", CreatedAt: w.now()}
	w.must(func(tx store.Tx) error {
		return errors.Join(tx.InsertAccount(account), tx.NoteKeyUse("account", all[1].ID, w.now()), tx.NoteKeyUse("another account", all[0].ID, w.now()))
	})
	at := []domain.DevicePosition{{DeviceID: "device", AccountID: "account"}, {DeviceID: "device", AccountID: "another account"}, {DeviceID: "none", AccountID: "account"}}
	used := make([]time.Time, len(all))
	used[1] = w.now()
	for limit := 1; limit <= len(all)+1; limit++ {
		n := min(limit, len(all))
		want := []store.ShownDevice{{Account: &account, Keys: all[:n], Used: used[:n]}, {Keys: []domain.DeviceKey{other}, Used: []time.Time{{}}}, {Account: &account}}
		finds(w, "devices", want, func(tx store.Tx) ([]store.ShownDevice, error) { return tx.ShowDevices(at, "", limit) })
	}
	want := []store.ShownDevice{{Account: &account, Keys: all[1:2], Used: used[1:2]}}
	finds(w, "one key", want, func(tx store.Tx) ([]store.ShownDevice, error) { return tx.ShowDevices(at[:1], all[1].ID, 1) })
}

func countActiveKeys(w *world) {
	start := w.now()
	for i := range 6 {
		k := w.newKey("account", sized("device", i))
		k.Bits = []int{2048, 3072, 4096}[i%3]
		w.must(func(tx store.Tx) error { return tx.InsertKey(k) })
		if i == 4 { // of 3072 bits
			w.end(k, erase)
		}
		w.clock.advance(time.Minute)
	}
	for _, c := range []struct {
		before time.Duration
		bits   int
		want   int64
	}{
		{0, 0, 0}, {time.Microsecond, 0, 1}, {3 * time.Minute, 0, 3}, {3*time.Minute + 1000, 0, 4}, {time.Hour, 0, 5},
		{time.Hour, 2048, 2}, {time.Hour, 3072, 1}, {3 * time.Minute, 2048, 1}, {time.Hour, 1024, 0},
	} {
		finds(w, "active keys", c.want, func(tx store.Tx) (int64, error) { return tx.CountActiveKeys(start.Add(c.before), c.bits, 1000) })
		for most := range c.want {
			finds(w, "active keys, but at most so many", most, func(tx store.Tx) (int64, error) { return tx.CountActiveKeys(start.Add(c.before), c.bits, most) })
		}
	}
}

func listAccounts(w *world) {
	var all []domain.Account
	issuers := []string{"", "https://a", "https://a/", "https://b", "\U0010ffff"}
	for _, mode := range []domain.Mode{domain.ModeDevice, "jwt"} {
		for _, issuer := range issuers {
			for _, name := range names() {
				all = append(all, domain.Account{ID: domain.NewID(), Mode: mode, Issuer: issuer, Subject: name, CreatedAt: w.now()})
			}
		}
	}
	insert(w, all, store.Tx.InsertAccount)
	for _, a := range all[:3] {
		finds(w, "account", a, func(tx store.Tx) (domain.Account, error) { return tx.AccountByID(a.ID) })
	}
	w.missing(func(tx store.Tx) error { _, err := tx.AccountByID("unknown"); return err })
	finds(w, "accounts", []*domain.Account{&all[1], nil, &all[0]}, func(tx store.Tx) ([]*domain.Account, error) {
		return tx.AccountsByID([]string{all[1].ID, "unknown", all[0].ID})
	})

	slices.SortFunc(all, func(a, b domain.Account) int {
		return cmp.Or(strings.Compare(a.Issuer, b.Issuer), strings.Compare(a.Subject, b.Subject))
	})
	selected := func(mode domain.Mode, f domain.AccountFilter) {
		w.Helper()
		want := only(all, func(a domain.Account) bool {
			return a.Mode == mode && (f.Issuer == "" || a.Issuer == f.Issuer) && strings.HasPrefix(a.Subject, f.Prefix) &&
				(f.Subject == "" || a.Subject == f.Subject)
		})
		pages(w, fmt.Sprintf("accounts %+v", f), want, func(tx store.Tx, last domain.Account, limit int) ([]domain.Account, error) {
			return tx.Accounts(mode, f, last, limit)
		})
	}
	list := func(mode domain.Mode, issuer, prefix string) {
		w.Helper()
		selected(mode, domain.AccountFilter{Issuer: issuer, Prefix: prefix})
	}
	for _, prefix := range prefixes() {
		list("jwt", "https://a", prefix)
		list("jwt", "", prefix)
	}
	for _, name := range append(names(), "xxx") {
		selected("jwt", domain.AccountFilter{Subject: name})
		selected("jwt", domain.AccountFilter{Issuer: "https://b", Subject: name})
	}
	for _, issuer := range append(issuers, "https://nobody") {
		list(domain.ModeDevice, issuer, "")
		list("jwt", issuer, "a%")
	}
	finds(w, "accounts of an issuer before the position", nil, func(tx store.Tx) ([]domain.Account, error) {
		return tx.Accounts("jwt", domain.AccountFilter{Issuer: "https://a"}, domain.Account{Issuer: "https://b"}, 10)
	})
	want := only(all, func(a domain.Account) bool { return a.Mode == "jwt" && a.Issuer == "https://b" })
	finds(w, "accounts of an issuer after the position", want, func(tx store.Tx) ([]domain.Account, error) {
		return tx.Accounts("jwt", domain.AccountFilter{Issuer: "https://b"}, domain.Account{Issuer: "https://a", Subject: "b"}, 200)
	})
}

// lockedAttempts compares the list with the attempt counters that were put, by both
// of the writes that put one, as time passes.
func lockedAttempts(w *world) {
	now := w.now()
	at := func(minutes int) time.Time { return now.Add(time.Duration(minutes) * time.Minute) }
	device := func(d domain.DeviceAttempts) []domain.DeviceAttempts {
		d.Device = domain.NewID()
		return []domain.DeviceAttempts{{Device: domain.NewID(), Failures: 1}, d}
	}
	var all []domain.Attempts
	for i, a := range []domain.Attempts{
		{},
		{Failures: 3, Devices: []domain.DeviceAttempts{{Device: domain.NewID(), Failures: 1}}},
		{LockedUntil: at(1)},
		{LockedUntil: at(2), Devices: device(domain.DeviceAttempts{LockedUntil: at(1)})},
		{LockedUntil: at(-1), Devices: device(domain.DeviceAttempts{LockedUntil: at(3)})},
		{Devices: device(domain.DeviceAttempts{LockedUntil: at(1)})},
		{Devices: device(domain.DeviceAttempts{Permanent: true})},
		{Permanent: true, LockedUntil: at(1)},
		{LockedUntil: at(-1)},
		{LockedUntil: at(0)},
	} {
		account := sized("account", i)
		k := w.issue(account, "device")
		for _, t := range []domain.CredentialType{domain.Passcode, domain.TransactionPIN} {
			a.ID, a.AccountID, a.Type, a.Version, a.MAC = domain.NewID(), account, t, 1, everyByte()
			w.must(func(tx store.Tx) error {
				return putAttempts(tx, domain.Attempts{ID: a.ID, AccountID: account, Type: t, Version: 1})
			})
			a.Version = 2
			if t == domain.Passcode {
				w.must(func(tx store.Tx) error { return putAttempts(tx, a) })
			} else {
				w.must(func(tx store.Tx) error { return tx.ReserveAttempt(a, k.ID) })
			}
			all = append(all, a)
		}
	}
	check := func() {
		w.Helper()
		want := only(all, func(a domain.Attempts) bool {
			return a.LockedAt(w.now()) || slices.ContainsFunc(a.Devices, func(d domain.DeviceAttempts) bool { return a.LockedFor(d.Device, w.now()) })
		})
		pages(w, "locked attempt counters", inOrderOfEnd(want), lockedPage)
	}
	check()
	for i := range all { // the first write of an attempt counter can have a lock too
		all[i].Version = 1
		w.must(func(tx store.Tx) error {
			if err := tx.DeleteAttempts(all[i].AccountID, all[i].Type); err != nil {
				return err
			}
			return putAttempts(tx, all[i])
		})
	}
	check()
	for range 4 {
		w.clock.advance(time.Minute)
		check()
	}
	for i := range all {
		all[i] = all[i].Fresh()
		all[i].Version++
		w.must(func(tx store.Tx) error { return putAttempts(tx, all[i]) })
	}
	check()
}

// inOrderOfEnd puts attempt counters in the order of the list of locks.
func inOrderOfEnd(all []domain.Attempts) []domain.ListedLock {
	listed := make([]domain.ListedLock, len(all))
	for i, a := range all {
		listed[i] = domain.ListedLock{At: domain.LockPosition{Until: a.LockStandsUntil(), AccountID: a.AccountID, Type: a.Type}, Counter: a}
	}
	slices.SortFunc(listed, func(x, y domain.ListedLock) int {
		return cmp.Or(cmp.Compare(x.At.Until, y.At.Until), cmp.Compare(x.At.AccountID, y.At.AccountID), cmp.Compare(x.At.Type, y.At.Type))
	})
	return listed
}

func lockedPage(tx store.Tx, last domain.ListedLock, limit int) ([]domain.ListedLock, error) {
	return tx.LockedAttempts(tx.Now(), last.At, limit)
}

func lockedAttemptsBehindMany(w *world) {
	lock := domain.Attempts{ID: "id", AccountID: "z", Type: domain.Passcode, Version: 1, Permanent: true}
	w.must(func(tx store.Tx) error {
		for i := range 50 {
			a := domain.Attempts{ID: "id", AccountID: sized("account", i), Type: domain.Passcode, Version: 1, LockedUntil: w.now()}
			if err := putAttempts(tx, a); err != nil {
				return err
			}
		}
		return putAttempts(tx, lock)
	})
	pages(w, "locked attempt counters", inOrderOfEnd([]domain.Attempts{lock}), lockedPage)
}

func entriesByTime(w *world) {
	start := w.now()
	accounts := [][]byte{nil, digest(0), digest(16)}
	events := []domain.Event{domain.EventCredentialMismatch, domain.EventCredentialLocked, domain.EventKeyRevoked, domain.EventOperationsCounted}
	var all []domain.Entry
	for i := range 60 {
		e := w.newEither([]string{"a", "b", "ab"}[i%3], int64(i/3+1))
		// Some of one time, in one chain and in several, and some that step back.
		e.Time = start.Add(time.Duration([]int{0, 0, 1, 1, 3, 2}[i%6]+i/12) * time.Second)
		e.Account, e.Event = accounts[i%7%3], events[i%5%4]
		all = append(all, e)
	}
	insert(w, all, store.Tx.InsertEntry)
	slices.SortFunc(all, func(a, b domain.Entry) int {
		return cmp.Or(b.Time.Compare(a.Time), strings.Compare(b.Chain, a.Chain), cmp.Compare(b.Seq, a.Seq))
	})
	for _, from := range []time.Time{{}, start, start.Add(time.Second), start.Add(time.Second + time.Microsecond), start.Add(time.Hour)} {
		since := only(all, func(e domain.Entry) bool { return !e.Time.Before(from) })
		pages(w, "entries", since, func(tx store.Tx, last domain.Entry, limit int) ([]domain.Entry, error) {
			return tx.Entries(from, last.Position(), limit)
		})
		for _, account := range [][]byte{digest(0), digest(16), digest(32)} {
			want := only(since, func(e domain.Entry) bool { return bytes.Equal(e.Account, account) })
			pages(w, "entries of an account", want, func(tx store.Tx, last domain.Entry, limit int) ([]domain.Entry, error) {
				return tx.EntriesOfAccount(account, from, last.Position(), limit)
			})
		}
		for _, event := range []domain.Event{domain.EventCredentialLocked, domain.EventKeyRevoked, "of a later version"} {
			want := only(since, func(e domain.Entry) bool { return e.Event == event })
			pages(w, "entries of an event", want, func(tx store.Tx, last domain.Entry, limit int) ([]domain.Entry, error) {
				return tx.EntriesOfEvent(event, from, last.Position(), limit)
			})
		}
	}
	newest := func(event domain.Event) []domain.Entry {
		of := only(all, func(e domain.Entry) bool { return e.Event == event })
		return of[:min(len(of), 2)]
	}
	finds(w, "the newest of events", append(newest(domain.EventKeyRevoked), newest(domain.EventCredentialLocked)...), func(tx store.Tx) ([]domain.Entry, error) {
		return tx.NewestOfEvents([]domain.Event{domain.EventKeyRevoked, domain.EventDeviceLocked, domain.EventCredentialLocked}, 2)
	})
	before := only(all, func(e domain.Entry) bool { return e.Time.Before(start.Add(time.Second)) })
	finds(w, "entries before a time", before, func(tx store.Tx) ([]domain.Entry, error) { // no entry has this position
		return tx.Entries(time.Time{}, domain.EntryPosition{Time: start.Add(time.Second)}, 200)
	})
	for _, event := range domain.FrequentEvents {
		err := w.store.View(context.Background(), func(tx store.Tx) error {
			_, err := tx.EntriesOfEvent(event, time.Time{}, domain.EntryPosition{}, 1)
			return err
		})
		if err == nil {
			w.Errorf("entries of the frequent event %s were looked for", event)
		}
	}
}

// entriesOfRequest searches in steps of every size and adds up what they find.
func entriesOfRequest(w *world) {
	start, ids := w.now(), []string{domain.NewID(), domain.NewID(), domain.NewID()}
	var all []domain.Entry
	for i := range 60 {
		e := w.newEither([]string{"a", "b", "ab"}[i%3], int64(i/3+1))
		e.Time, e.RequestID = start.Add(time.Duration(i/4)*time.Second), ids[i%7%3]
		all = append(all, e)
	}
	insert(w, all, store.Tx.InsertEntry)
	slices.SortFunc(all, func(a, b domain.Entry) int {
		return cmp.Or(b.Time.Compare(a.Time), strings.Compare(b.Chain, a.Chain), cmp.Compare(b.Seq, a.Seq))
	})
	for _, id := range append(ids, "unknown") {
		for _, from := range []time.Time{{}, start.Add(5 * time.Second), start.Add(time.Hour)} {
			want := only(all, func(e domain.Entry) bool { return e.RequestID == id && !e.Time.Before(from) })
			for _, c := range []struct{ examine, limit int }{{1, 1}, {7, 1}, {7, 200}, {60, 3}, {61, 3}, {1000, 200}} {
				var got []domain.Entry
				var below domain.EntryPosition
				w.look(func(tx store.Tx) error {
					for range 2 * len(all) {
						found, last, err := tx.EntriesOfRequest(id, from, below, c.examine, c.limit)
						if err != nil {
							return err
						}
						if got = append(got, found...); len(found) > c.limit {
							w.Fatalf("%d entries, not %d", len(found), c.limit)
						}
						if below = last; last == (domain.EntryPosition{}) {
							return nil
						}
					}
					w.Fatalf("a search in steps of %d does not end", c.examine)
					return nil
				})
				equal(w, "entries of a request", got, want)
			}
		}
	}
}
