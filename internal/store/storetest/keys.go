package storetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

var settingTests = []test{
	{"a setting keeps the last value, byte for byte", settings},
	{"settings are found by the beginning of their names", settingsOfPrefix},
	{"an account is found by mode, issuer and subject, exactly", accounts},
	{"of fifty inserts of one account at once, one succeeds", oneAccount},
	{"a deleted account leaves its keys", deletedAccount},
}

func settings(w *world) {
	w.missing(func(tx store.Tx) error { _, err := tx.Setting("a"); return err })
	for _, value := range [][]byte{everyByte(), {0}, nil, []byte("last")} {
		w.must(func(tx store.Tx) error { return tx.PutSetting("a", []byte("before")) })
		w.must(func(tx store.Tx) error { return tx.PutSettingLater("a", value) })
		finds(w, "setting", value, func(tx store.Tx) ([]byte, error) { return tx.Setting("a") })
	}
	w.missing(func(tx store.Tx) error { _, err := tx.Setting("A"); return err })
}

func settingsOfPrefix(w *world) {
	of := map[string][]byte{"a/": {1}, "a/0": {2}, "a/~é": {3}}
	for name, value := range of {
		w.must(func(tx store.Tx) error { return tx.PutSetting(name, value) })
	}
	for _, name := range []string{"a", "a.", "a0", "A/0", "b/0"} {
		w.must(func(tx store.Tx) error { return tx.PutSetting(name, []byte{0}) })
	}
	want := func(what string) {
		w.Helper()
		finds(w, what, of, func(tx store.Tx) (map[string][]byte, error) { return tx.Settings("a/") })
		finds(w, what+", one after another", without(of, "a/"), func(tx store.Tx) (map[string][]byte, error) {
			each, last := map[string][]byte{}, "a/"
			return each, tx.EachSetting("a/", func(name string, value []byte) error {
				if name <= last {
					w.Errorf("%s comes after %s", name, last)
				}
				each[name], last = value, name
				return nil
			})
		})
	}
	want("settings of a prefix")
	for range 2 { // the second time there is none
		w.must(func(tx store.Tx) error { return tx.DeleteSetting("a/0") })
	}
	delete(of, "a/0")
	want("settings of a prefix, one of them deleted")
	w.must(func(tx store.Tx) (err error) {
		for i := range store.PageSize + 1 {
			name := fmt.Sprintf("a/%03d", i)
			of[name] = []byte(name)
			err = errors.Join(err, tx.PutSetting(name, of[name]))
		}
		return err
	})
	want("more than a page of settings")
}

func without(all map[string][]byte, name string) map[string][]byte {
	left := maps.Clone(all)
	delete(left, name)
	return left
}

func accounts(w *world) {
	var all []domain.Account
	for _, issuer := range []string{"", "https://issuer.example", "https://issuer.example/"} {
		for _, subject := range deviceIDs() {
			all = append(all, domain.Account{ID: domain.NewID(), Mode: domain.ModeDevice, Issuer: issuer,
				Subject: subject, CreatedAt: w.now()})
		}
	}
	all = append(all, domain.Account{ID: domain.NewID(), Mode: "jwt", Subject: "device-1"}) // zero time
	insert(w, all, store.Tx.InsertAccount)
	for _, a := range all {
		finds(w, "account", a, func(tx store.Tx) (domain.Account, error) { return tx.Account(a.Mode, a.Issuer, a.Subject) })
	}
	w.missing(func(tx store.Tx) error { _, err := tx.Account(domain.ModeDevice, "", "nobody"); return err })

	again := all[0]
	again.ID = domain.NewID()
	w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.InsertAccount(again) })
}

func oneAccount(w *world) {
	w.oneWins(together(50, func(int) error {
		a := domain.Account{ID: domain.NewID(), Mode: domain.ModeDevice, Subject: "device", CreatedAt: w.now()}
		return w.update(func(tx store.Tx) error { return tx.InsertAccount(a) })
	}))
}

func deletedAccount(w *world) {
	a := domain.Account{ID: domain.NewID(), Mode: domain.ModeDevice, Subject: "device", CreatedAt: w.now()}
	w.must(func(tx store.Tx) error { return tx.InsertAccount(a) })
	k := w.issue(a.ID, "device")
	w.must(func(tx store.Tx) error { return tx.DeleteAccount(a.ID) })
	w.missing(func(tx store.Tx) error { _, err := tx.Account(a.Mode, a.Issuer, a.Subject); return err })
	finds(w, "key", k, func(tx store.Tx) (domain.DeviceKey, error) { return tx.Key(k.ID) })
	w.must(func(tx store.Tx) error { return tx.InsertAccount(a) })
}

var keyTests = []test{
	{"a key comes back as it was stored", keyRoundTrip},
	{"KeyOf finds a key for its own account only, in any state", keyOf},
	{"device ids are compared byte for byte", deviceIDsAreExact},
	{"a device has at most one active key", oneActiveKey},
	{"of fifty first keys of a device at once, one is stored", oneFirstKey},
	{"a key id is taken for good, whatever the account", keyIDsAreUnique},
	{"UpdateKey writes the changing fields of the version before, and no others", updateKey},
	{"of twenty updates of one key version at once, one succeeds", oneKeyUpdate},
	{"parallel rotations leave one active key", rotations},
	{"LiveKeysOf finds the keys of an account that are left to end, in portions", liveKeysOf},
	{"HasActiveKeys counts the active keys of an account", hasActiveKeys},
	{"KeysToEnd finds exactly the keys whose time is up", keysToEnd},
	{"KeysToEnd keeps to its limit", keysToEndLimit},
	{"EachKey visits every key, and its function may use the transaction", eachKey},
}

func keyRoundTrip(w *world) {
	full := w.newKey("account", "full")
	full.ExpiresAt = w.now().Add(365 * 24 * time.Hour)
	bare := domain.DeviceKey{ID: domain.NewID(), AccountID: "account", DeviceID: "bare", State: domain.KeyActive, Version: 1}
	w.must(func(tx store.Tx) error { return errors.Join(tx.InsertKey(full), tx.InsertKey(bare)) })
	for _, k := range []domain.DeviceKey{full, bare} {
		w.sameKey(k)
		finds(w, "active key", k, func(tx store.Tx) (domain.DeviceKey, error) { return tx.ActiveKey(k.AccountID, k.DeviceID) })
	}
	w.missing(func(tx store.Tx) error { _, err := tx.Key("unknown"); return err })
	w.missing(func(tx store.Tx) error { _, err := tx.Key(strings.ToUpper(full.ID)); return err })
	w.missing(func(tx store.Tx) error { _, err := tx.ActiveKey("account", "unknown"); return err })
	w.missing(func(tx store.Tx) error { _, err := tx.ActiveKey("unknown", "full"); return err })
}

func (w *world) sameKey(want domain.DeviceKey) {
	w.Helper()
	finds(w, "key", want, func(tx store.Tx) (domain.DeviceKey, error) { return tx.Key(want.ID) })
}

func keyOf(w *world) {
	w.issue("another account", "device")
	k := w.issue("account", "device")
	find := func(account, id string) func(store.Tx) error {
		return func(tx store.Tx) error {
			got, err := tx.KeyOf(account, id)
			equal(w, "key of "+account, got, k)
			return err
		}
	}
	w.look(find("account", k.ID))
	k = w.end(k, erase)
	w.look(find("account", k.ID))
	k = domain.DeviceKey{} // what those get who find none
	id := w.issue("account", "another device").ID
	for _, who := range [][2]string{{"another account", id}, {"", id}, {"Account", id}, {"account", strings.ToUpper(id)}, {"account", "unknown"}, {"account", ""}} {
		w.missing(find(who[0], who[1]))
	}
}

func deviceIDsAreExact(w *world) {
	byDevice := map[string]domain.DeviceKey{}
	for _, id := range deviceIDs() {
		byDevice[id] = w.issue("account", id)
	}
	for id, k := range byDevice {
		finds(w, "key of "+id, k, func(tx store.Tx) (domain.DeviceKey, error) { return tx.ActiveKey("account", id) })
	}
}

func oneActiveKey(w *world) {
	first := w.issue("account", "device")
	second := w.newKey("account", "device")
	w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.InsertKey(second) })
	w.missing(func(tx store.Tx) error { _, err := tx.Key(second.ID); return err })
	w.issue("another account", "device")
	w.issue("account", "another device")

	w.must(func(tx store.Tx) error {
		first.State, first.Version = domain.KeyInvalidated, 2
		if err := tx.UpdateKey(first); err != nil {
			return err
		}
		return tx.InsertKey(second)
	})
	finds(w, "active key", second, func(tx store.Tx) (domain.DeviceKey, error) { return tx.ActiveKey("account", "device") })
	w.end(second, func(k *domain.DeviceKey) { k.State = domain.KeyRevoked })
	w.missing(func(tx store.Tx) error { _, err := tx.ActiveKey("account", "device"); return err })
}

func oneFirstKey(w *world) {
	handles := []store.Store{w.store, w.openAnother()}
	w.oneWins(together(50, func(i int) error {
		k := w.newKey("account", "device")
		return handles[i%2].Update(context.Background(), func(tx store.Tx) error { return tx.InsertKey(k) })
	}))
	w.look(func(tx store.Tx) error {
		keys, err := keysOf(tx, "account")
		equal(w, "number of keys", len(keys), 1)
		return err
	})
}

func keyIDsAreUnique(w *world) {
	first := w.issue("account", "device")
	for _, again := range []domain.DeviceKey{w.newKey("account", "other device"), w.newKey("other account", "device")} {
		again.ID = first.ID
		w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.InsertKey(again) })
		w.missing(func(tx store.Tx) error { _, err := tx.ActiveKey(again.AccountID, again.DeviceID); return err })
	}
	w.sameKey(first)
}

func updateKey(w *world) {
	k := w.newKey("account", "device")
	k.ExpiresAt = w.now().Add(time.Hour)
	w.must(func(tx store.Tx) error { return tx.InsertKey(k) })

	w.clock.advance(time.Minute)
	want := k
	want.Sealed, want.AppVersion, want.State, want.Version = nil, "2.0", domain.KeyInvalidated, 2
	want.EndedAt, want.GraceUntil, want.Thumbprint = w.now(), w.now().Add(time.Minute), "another thumbprint"
	change := want
	change.DeviceID, change.Algorithm, change.Bits, change.PublicKey = "other", "other", 1, []byte("other")
	change.CreatedAt, change.ExpiresAt = w.now(), time.Time{}
	w.must(func(tx store.Tx) error { return tx.UpdateKey(change) })
	w.sameKey(want)

	for name, stale := range map[string]domain.DeviceKey{
		"the same version again": change,
		"a version left out":     func() domain.DeviceKey { k := want; k.Version = 4; return k }(),
		"an unknown key":         func() domain.DeviceKey { k := want; k.ID, k.Version = "unknown", 3; return k }(),
		"another account's key":  func() domain.DeviceKey { k := want; k.AccountID, k.Version = "other", 3; return k }(),
	} {
		w.Run(name, func(t *testing.T) {
			if err := w.update(func(tx store.Tx) error { return tx.UpdateKey(stale) }); !errors.Is(err, store.ErrConflict) {
				t.Fatalf("%v, want %v", err, store.ErrConflict)
			}
		})
	}
	w.sameKey(want)
}

func oneKeyUpdate(w *world) {
	k := w.issue("account", "device")
	w.oneWins(together(20, func(i int) error {
		k := k
		k.AppVersion, k.Version = sized("v", i), 2
		return w.update(func(tx store.Tx) error { return tx.UpdateKey(k) })
	}))
}

func rotations(w *world) {
	w.issue("account", "device")
	rotate := func(tx store.Tx) error {
		old, err := tx.ActiveKey("account", "device")
		if err != nil {
			return err
		}
		old.State, old.Sealed, old.EndedAt, old.Version = domain.KeyInvalidated, nil, tx.Now(), old.Version+1
		if err := tx.UpdateKey(old); err != nil {
			return err
		}
		return tx.InsertKey(w.newKey("account", "device"))
	}
	const n = 20
	if err := errors.Join(together(n, func(int) error { return w.update(rotate) })...); err != nil {
		w.Fatal(err)
	}
	w.look(func(tx store.Tx) error {
		keys, err := keysOf(tx, "account")
		active := 0
		for _, k := range keys {
			if k.State == domain.KeyActive {
				active++
			}
		}
		equal(w, "keys and active keys", [2]int{len(keys), active}, [2]int{n + 1, 1})
		return err
	})
}

func liveKeysOf(w *world) {
	var live []domain.DeviceKey
	for i := range 5 {
		k := w.issue("account", sized("device", i))
		switch i {
		case 1: // in grace
			k = w.end(k, func(*domain.DeviceKey) {})
		case 2, 3:
			w.end(k, erase)
			continue
		}
		live = append(live, k)
	}
	other := w.issue("other account", "device")
	slices.SortFunc(live, func(x, y domain.DeviceKey) int { return strings.Compare(x.ID, y.ID) })
	for limit := 1; limit <= len(live)+1; limit++ {
		finds(w, "live keys", live[:min(limit, len(live))], func(tx store.Tx) ([]domain.DeviceKey, error) { return tx.LiveKeysOf("account", limit) })
	}
	all := func(limit, want int) (found []domain.DeviceKey) {
		w.Helper()
		w.look(func(tx store.Tx) (err error) { found, err = tx.KeysOf("account", limit); return err })
		equal(w, "keys of the account", len(found), want)
		return found
	}
	all(3, 3)
	removed := all(9, 5)
	w.must(func(tx store.Tx) error {
		return errors.Join(tx.DeleteKey("account", removed[0].ID), tx.DeleteKey("account", removed[1].ID), tx.DeleteKey("account", other.ID))
	})
	for _, k := range removed[:2] {
		w.missing(func(tx store.Tx) error { _, err := tx.Key(k.ID); return err })
		w.missing(func(tx store.Tx) error { _, err := tx.KeyOf("account", k.ID); return err })
	}
	equal(w, "keys that are left", all(9, 3), removed[2:])
	finds(w, "the key of another account", other, func(tx store.Tx) (domain.DeviceKey, error) { return tx.Key(other.ID) })
	w.must(func(tx store.Tx) error { return tx.DeleteKey("account", removed[0].ID) }) // none is no error
	w.keysWithoutAccount(removed[2:], other)
}

// keysWithoutAccount erases the account of all keys but one.
func (w *world) keysWithoutAccount(of []domain.DeviceKey, other domain.DeviceKey) {
	w.Helper()
	w.must(func(tx store.Tx) error {
		return errors.Join(tx.DeleteAccount(of[0].AccountID), tx.InsertAccount(domain.Account{ID: other.AccountID, Mode: domain.ModeDevice, Subject: "other"}))
	})
	var want [][2]string
	for _, k := range of {
		want = append(want, [2]string{k.AccountID, k.ID})
	}
	for limit := 1; limit <= len(of)+2; limit++ {
		var found [][2]string
		w.look(func(tx store.Tx) error {
			for last := ([2]string{}); ; {
				without, next, err := tx.KeysWithoutAccount(last, limit)
				if found = append(found, without...); err != nil || next == [2]string{} {
					return err
				}
				last = next
			}
		})
		equal(w, "keys without an account", found, want)
	}
}

func hasActiveKeys(w *world) {
	for i := range 5 {
		k := w.issue("account", sized("device", i))
		switch i {
		case 1:
			w.end(k, func(*domain.DeviceKey) {})
		case 2:
			w.end(k, erase)
		}
	}
	w.issue("other account", "device")
	for account, have := range map[string]int{"account": 3, "other account": 1, "nobody": 0} {
		for n := 1; n <= 4; n++ {
			finds(w, "active keys of "+account, have >= n, func(tx store.Tx) (bool, error) { return tx.HasActiveKeys(account, n) })
		}
	}
}

func keysToEnd(w *world) {
	now := w.now()
	var want []string
	ends := map[string]time.Time{
		"never": {}, "past": now.Add(-time.Hour), "now": now,
		"next": now.Add(time.Microsecond), "later": now.Add(time.Hour),
	}
	for name, at := range ends {
		k := w.newKey("account", "active "+name)
		k.ExpiresAt = at
		w.must(func(tx store.Tx) error { return tx.InsertKey(k) })
		if name == "past" || name == "now" {
			want = append(want, k.ID)
		}
		graced := w.end(w.issue("account", "graced "+name), func(k *domain.DeviceKey) { k.GraceUntil = at })
		if name != "next" && name != "later" {
			want = append(want, graced.ID)
		}
		w.end(w.issue("account", "erased "+name), func(k *domain.DeviceKey) { k.GraceUntil, k.Sealed = at, nil })
	}
	for _, state := range []domain.KeyState{domain.KeyExpired, domain.KeyRevoked} {
		k := w.end(w.issue("account", string(state)), func(k *domain.DeviceKey) { k.State = state })
		want = append(want, k.ID)
	}
	equal(w, "keys to end", w.idsToEnd(100), sorted(want))
	equal(w, "keys to end, of whose only some are asked for", len(w.idsToEnd(3)), 3)
}

func (w *world) idsToEnd(limit int) []string {
	w.Helper()
	var ids []string
	w.look(func(tx store.Tx) error {
		keys, err := tx.KeysToEnd(tx.Now(), limit)
		for _, k := range keys {
			equal(w, "a whole record", k.PublicKey, w.newKey("", "").PublicKey)
			ids = append(ids, k.ID)
		}
		return err
	})
	return sorted(ids)
}

// keysToEndLimit works off a backlog of both kinds in small portions, as the
// service does: none may be left out for ever.
func keysToEndLimit(w *world) {
	for i := range 7 {
		k := w.newKey("account", sized("expiring", i))
		k.ExpiresAt = w.now()
		w.must(func(tx store.Tx) error { return tx.InsertKey(k) })
		w.end(w.issue("account", sized("ended", i)), func(*domain.DeviceKey) {})
	}
	for range 5 {
		w.must(func(tx store.Tx) error {
			keys, err := tx.KeysToEnd(tx.Now(), 3)
			if err != nil {
				return err
			}
			if len(keys) == 0 || len(keys) > 3 {
				w.Fatalf("%d keys, want 1 to 3", len(keys))
			}
			for _, k := range keys {
				k.State, k.Sealed, k.Version = domain.KeyExpired, nil, k.Version+1
				if err := tx.UpdateKey(k); err != nil {
					return err
				}
			}
			return nil
		})
	}
	equal(w, "keys left to end", w.idsToEnd(3), nil)
}

func eachKey(w *world) {
	const n = 250
	want := map[string]bool{}
	w.must(func(tx store.Tx) error {
		for i := range n {
			k := w.newKey(sized("account", i%40), sized("device", i))
			want[k.ID] = true
			if err := tx.InsertKey(k); err != nil {
				return err
			}
		}
		return nil
	})
	w.must(func(tx store.Tx) error {
		return tx.EachKey(func(k domain.DeviceKey) error {
			if !want[k.ID] {
				w.Errorf("key %s was visited twice", k.ID)
			}
			delete(want, k.ID)
			k.AppVersion, k.Version = "visited", k.Version+1
			return tx.UpdateKey(k)
		})
	})
	equal(w, "keys not visited", want, nil)
	visits := 0
	err := w.store.View(context.Background(), func(tx store.Tx) error {
		return tx.EachKey(func(k domain.DeviceKey) error {
			equal(w, "app version", k.AppVersion, "visited")
			visits++
			return errBoom
		})
	})
	if !errors.Is(err, errBoom) || visits != 1 {
		w.Fatalf("a walk whose function failed: %v after %d visits, want %v after 1", err, visits, errBoom)
	}
}
