package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// put is one of the two writes that need a key, for version v of a fresh row.
type put struct {
	name string
	use  domain.Use
	run  func(tx store.Tx, account string, v int64, keyID string) error
}

var puts = []put{
	{"PutCredential", domain.ForSet, func(tx store.Tx, account string, v int64, keyID string) error {
		return tx.PutCredential(domain.Credential{ID: "id", AccountID: account, Type: domain.Passcode, Version: v}, keyID)
	}},
	{"ReserveAttempt", domain.ForVerify, func(tx store.Tx, account string, v int64, keyID string) error {
		return tx.ReserveAttempt(domain.Attempts{ID: "id", AccountID: account, Type: domain.Passcode, Version: v}, keyID)
	}},
}

// version is the version of what put wrote, or 0.
func (p put) version(tx store.Tx, account string) (int64, error) {
	var v int64
	var err error
	if p.use == domain.ForSet {
		var c domain.Credential
		c, err = tx.Credential(account, domain.Passcode)
		v = c.Version
	} else {
		var a domain.Attempts
		a, err = tx.Attempts(account, domain.Passcode)
		v = a.Version
	}
	if errors.Is(err, store.ErrNotFound) {
		return 0, nil
	}
	return v, err
}

var useTests = []test{
	{"a write under a key's authority needs a usable key, in every state and at every time", usability},
	{"a key has no authority over another account", foreignKey},
	{"a write under a key's authority compares and swaps", putsCompareAndSwap},
	{"of fifty writes of one version at once, one succeeds", onePut},
	{"no write under a key's authority commits after the key's end did", noUseAfterRotation},
}

// usability compares the engine's condition with the domain's, for every
// combination of state, private key, expiry and end of grace.
func usability(w *world) {
	now := w.now()
	times := []time.Time{{}, now, now.Add(time.Microsecond)}
	n := 0
	for _, state := range []domain.KeyState{domain.KeyActive, domain.KeyInvalidated, domain.KeyExpired, domain.KeyRevoked} {
		for _, sealed := range [][]byte{nil, []byte("sealed")} {
			for _, expires := range times {
				for _, grace := range times {
					n++
					k := w.newKey(sized("account", n), "device")
					k.ExpiresAt = expires
					w.must(func(tx store.Tx) error {
						if err := tx.InsertKey(k); err != nil {
							return err
						}
						k.State, k.Sealed, k.GraceUntil, k.Version = state, sealed, grace, 2
						return tx.UpdateKey(k)
					})
					w.usableAsTheDomainSays(k)
				}
			}
		}
	}
}

func (w *world) usableAsTheDomainSays(k domain.DeviceKey) {
	w.Helper()
	helper := w.issue(k.AccountID, "another device of the account")
	for _, p := range puts {
		usable := k.Usable(p.use, w.now())
		for v := int64(1); v <= 2; v++ {
			err := w.update(func(tx store.Tx) error { return p.run(tx, k.AccountID, v, k.ID) })
			if (err == nil) != usable || (err != nil && !errors.Is(err, store.ErrKeyNotUsable)) {
				w.Fatalf("%s of version %d with a key that is usable: %v gave %v; the key: %+v", p.name, v, usable, err, k)
			}
			if !usable { // the row that the next version needs
				w.must(func(tx store.Tx) error { return p.run(tx, k.AccountID, v, helper.ID) })
			}
		}
	}
}

func foreignKey(w *world) {
	w.issue("mine", "device")
	theirs := w.issue("theirs", "device")
	for _, p := range puts {
		for _, key := range []string{theirs.ID, "unknown", ""} {
			w.fails(store.ErrKeyNotUsable, func(tx store.Tx) error { return p.run(tx, "mine", 1, key) })
		}
		w.versionIs(p, "mine", 0)
	}
}

func (w *world) versionIs(p put, account string, want int64) {
	w.Helper()
	finds(w, "version after "+p.name, want, func(tx store.Tx) (int64, error) { return p.version(tx, account) })
}

func putsCompareAndSwap(w *world) {
	k := w.issue("account", "device")
	for _, p := range puts {
		write := func(v int64) func(store.Tx) error {
			return func(tx store.Tx) error { return p.run(tx, "account", v, k.ID) }
		}
		w.fails(store.ErrConflict, write(2)) // no row yet
		w.must(write(1))
		w.fails(store.ErrConflict, write(1)) // a row already
		w.fails(store.ErrConflict, write(3))
		w.versionIs(p, "account", 1)
		w.must(write(2))
		w.fails(store.ErrConflict, write(2))
		w.fails(store.ErrConflict, write(0))
		w.versionIs(p, "account", 2)
	}
}

func onePut(w *world) {
	k := w.issue("account", "device")
	handles := []store.Store{w.store, w.openAnother()}
	for _, p := range puts {
		for v := int64(1); v <= 2; v++ {
			w.oneWins(together(50, func(i int) error {
				return handles[i%2].Update(context.Background(), func(tx store.Tx) error {
					return p.run(tx, "account", v, k.ID)
				})
			}))
			w.versionIs(p, "account", v)
		}
	}
}

// noUseAfterRotation lets writers run against a rotation. A write that began
// after the rotation was acknowledged must be refused, and none may find the
// key ended in the very transaction that used it.
func noUseAfterRotation(w *world) {
	for _, p := range puts {
		for round := range 10 {
			account := fmt.Sprint(p.name, round)
			k := w.issue(account, "device")
			var rotated atomic.Bool
			errs := together(6, func(i int) error {
				if i == 0 {
					k := k
					k.State, k.Sealed, k.Version = domain.KeyInvalidated, nil, 2
					err := w.update(func(tx store.Tx) error { return tx.UpdateKey(k) })
					rotated.Store(true)
					return err
				}
				return w.useUntilRefused(p, account, k.ID, &rotated)
			})
			if err := errors.Join(errs...); err != nil {
				w.Fatal(err)
			}
		}
	}
}

func (w *world) useUntilRefused(p put, account, keyID string, rotated *atomic.Bool) error {
	for {
		before := rotated.Load()
		err := w.update(func(tx store.Tx) error {
			v, err := p.version(tx, account)
			if err != nil {
				return err
			}
			if err := p.run(tx, account, v+1, keyID); err != nil {
				return err
			}
			if k, err := tx.Key(keyID); err != nil || k.State != domain.KeyActive {
				return fmt.Errorf("%s succeeded with a key in state %s (%v)", p.name, k.State, err)
			}
			return nil
		})
		switch {
		case errors.Is(err, store.ErrKeyNotUsable):
			return nil
		case errors.Is(err, store.ErrConflict):
		case err != nil:
			return err
		case before:
			return fmt.Errorf("%s succeeded after the rotation was acknowledged", p.name)
		}
	}
}

var credentialTests = []test{
	{"a credential comes back as it was stored, each type apart", credentialRoundTrip},
	{"AddCredential adds a record of any version, and overwrites none", addCredential},
	{"a re-hash replaces the verifier of the version before", rehash},
	{"an attempt counter comes back as it was stored, each type apart", attemptsRoundTrip},
	{"WriteBatch compares and swaps attempt counters, and needs no key", advanceAttempts},
	{"erasing a credential or an attempt counter is final and may be repeated", deletes},
	{"replaced credentials come back newest first, and the older ones go", previous},
	{"replaced credentials are each account's and type's own", previousApart},
	{"EachCredential and EachAttempts visit every row", eachCredential},
}

func (w *world) sameCredential(want domain.Credential) {
	w.Helper()
	finds(w, "credential", want, func(tx store.Tx) (domain.Credential, error) { return tx.Credential(want.AccountID, want.Type) })
}

func credentialRoundTrip(w *world) {
	k := w.issue("account", "device")
	w.missing(func(tx store.Tx) error { _, err := tx.Credential("account", domain.Passcode); return err })
	passcode := w.newCredential("account", domain.Passcode)
	pin := domain.Credential{ID: domain.NewID(), AccountID: "account", Type: domain.TransactionPIN, Version: 1}
	w.must(func(tx store.Tx) error { return tx.PutCredential(passcode, k.ID) })
	w.missing(func(tx store.Tx) error { _, err := tx.Credential("account", domain.TransactionPIN); return err })
	w.must(func(tx store.Tx) error { return tx.PutCredential(pin, k.ID) })
	w.sameCredential(passcode)
	w.sameCredential(pin)

	w.clock.advance(time.Hour)
	next := w.newCredential("account", domain.Passcode) // every field may change, the id among them
	next.Sealed, next.Version = []byte("next"), 2
	w.must(func(tx store.Tx) error { return tx.PutCredential(next, k.ID) })
	w.sameCredential(next)
	w.sameCredential(pin)
}

func addCredential(w *world) {
	c := w.newCredential("account", domain.Passcode)
	c.Version = 7
	w.must(func(tx store.Tx) error { return tx.AddCredential(c) })
	w.sameCredential(c)
	again := w.newCredential("account", domain.Passcode)
	again.Version = 8
	w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.AddCredential(again) })
	w.sameCredential(c)
	c.Version, c.Sealed = 8, []byte("re-hashed")
	w.must(func(tx store.Tx) error { return tx.RehashCredential(c) })
	w.sameCredential(c)
}

func rehash(w *world) {
	k := w.issue("account", "device")
	c := w.newCredential("account", domain.Passcode)
	first := c
	first.Version = 2
	w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.RehashCredential(first) }) // no row
	w.must(func(tx store.Tx) error { return tx.PutCredential(c, k.ID) })
	w.end(k, erase) // a re-hash asks for no key

	c.Sealed, c.UpdatedAt, c.Version = []byte("re-hashed"), w.now().Add(time.Hour), 2
	w.must(func(tx store.Tx) error { return tx.RehashCredential(c) })
	w.sameCredential(c)

	stale := c
	stale.Sealed = []byte("stale")
	w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.RehashCredential(stale) })
	w.sameCredential(c)
}

func (w *world) sameAttempts(want domain.Attempts) {
	w.Helper()
	finds(w, "attempts", want, func(tx store.Tx) (domain.Attempts, error) { return tx.Attempts(want.AccountID, want.Type) })
}

func attemptsRoundTrip(w *world) {
	k := w.issue("account", "device")
	w.missing(func(tx store.Tx) error { _, err := tx.Attempts("account", domain.Passcode); return err })
	full := w.newAttempts("account", domain.Passcode)
	bare := domain.Attempts{ID: domain.NewID(), AccountID: "account", Type: domain.TransactionPIN, Version: 1}
	w.must(func(tx store.Tx) error { return tx.ReserveAttempt(full, k.ID) })
	w.missing(func(tx store.Tx) error { _, err := tx.Attempts("account", domain.TransactionPIN); return err })
	w.must(func(tx store.Tx) error { return putAttempts(tx, bare) })
	w.sameAttempts(full)
	w.sameAttempts(bare)

	// Each write takes over every field.
	full.Version, bare.Version = 2, 2
	full.Type, bare.Type = bare.Type, full.Type
	w.must(func(tx store.Tx) error { return errors.Join(tx.ReserveAttempt(full, k.ID), putAttempts(tx, bare)) })
	w.sameAttempts(full)
	w.sameAttempts(bare)
	full.Version, bare.Version = 3, 3
	full.Type, bare.Type = bare.Type, full.Type
	w.must(func(tx store.Tx) error { return errors.Join(tx.ReserveAttempt(bare, k.ID), putAttempts(tx, full)) })
	w.sameAttempts(full)
	w.sameAttempts(bare)
}

func advanceAttempts(w *world) {
	a := w.newAttempts("account", domain.Passcode)
	write := func(v int64) func(store.Tx) error {
		return func(tx store.Tx) error { a := a; a.Version = v; return putAttempts(tx, a) }
	}
	w.fails(store.ErrConflict, write(2))
	w.must(write(1))
	w.fails(store.ErrConflict, write(1))
	w.fails(store.ErrConflict, write(3))
	w.must(write(2))
	a.Version = 2
	w.sameAttempts(a)
	w.oneWins(together(50, func(int) error { return w.update(write(3)) }))
}

func deletes(w *world) {
	k := w.issue("account", "device")
	c, a := w.newCredential("account", domain.Passcode), w.newAttempts("account", domain.Passcode)
	pin, pinAttempts := w.newCredential("account", domain.TransactionPIN), w.newAttempts("account", domain.TransactionPIN)
	w.must(func(tx store.Tx) error {
		return errors.Join(tx.PutCredential(c, k.ID), putAttempts(tx, a), tx.PutCredential(pin, k.ID), putAttempts(tx, pinAttempts))
	})
	for range 2 {
		w.must(func(tx store.Tx) error {
			return errors.Join(tx.DeleteCredential("account", domain.Passcode), tx.DeleteAttempts("account", domain.Passcode))
		})
		w.missing(func(tx store.Tx) error { _, err := tx.Credential("account", domain.Passcode); return err })
		w.missing(func(tx store.Tx) error { _, err := tx.Attempts("account", domain.Passcode); return err })
		w.sameCredential(pin)
		w.sameAttempts(pinAttempts)
	}
	w.must(func(tx store.Tx) error { return errors.Join(tx.PutCredential(c, k.ID), putAttempts(tx, a)) })
}

// replaced is version v of a credential.
func (w *world) replaced(account string, t domain.CredentialType, v int64) domain.Credential {
	c := w.newCredential(account, t)
	c.Version = v
	return c
}

func (w *world) keep(n int, replaced ...domain.Credential) {
	w.Helper()
	w.must(func(tx store.Tx) error {
		for _, c := range replaced {
			if err := tx.KeepPrevious(c, n); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *world) previousAre(account string, t domain.CredentialType, limit int, want ...domain.Credential) {
	w.Helper()
	finds(w, "replaced credentials", want, func(tx store.Tx) ([]domain.Credential, error) { return tx.PreviousCredentials(account, t, limit) })
}

func previous(w *world) {
	c := make([]domain.Credential, 13)
	for v := range c {
		c[v] = w.replaced("account", domain.Passcode, int64(v))
	}
	w.previousAre("account", domain.Passcode, 10)
	w.keep(3, c[1], c[2])
	w.previousAre("account", domain.Passcode, 10, c[2], c[1])
	w.keep(3, c[9], c[10], c[11]) // versions are numbers, and may leave gaps
	w.previousAre("account", domain.Passcode, 10, c[11], c[10], c[9])
	w.previousAre("account", domain.Passcode, 2, c[11], c[10])

	again := w.replaced("account", domain.Passcode, 10)
	w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.KeepPrevious(again, 3) })
	w.previousAre("account", domain.Passcode, 10, c[11], c[10], c[9])

	w.keep(1, c[12]) // fewer than before
	w.previousAre("account", domain.Passcode, 10, c[12])
	w.keep(0, c[12]) // adds none, so the version does not matter
	w.previousAre("account", domain.Passcode, 10)
	w.keep(1, c[1]) // as after an erasure, when versions begin anew
	w.previousAre("account", domain.Passcode, 10, c[1])
}

func previousApart(w *world) {
	k := w.issue("account", "device")
	present := w.newCredential("account", domain.Passcode)
	w.must(func(tx store.Tx) error { return tx.PutCredential(present, k.ID) })
	passcode := w.replaced("account", domain.Passcode, 1)
	pin := w.replaced("account", domain.TransactionPIN, 1)
	other := w.replaced("another account", domain.Passcode, 1)
	w.keep(1, passcode, pin, other)
	next := w.replaced("account", domain.Passcode, 2)
	w.keep(1, next)
	w.previousAre("account", domain.Passcode, 10, next)
	for range 2 {
		w.must(func(tx store.Tx) error { return tx.DeletePrevious("account", domain.Passcode) })
		w.previousAre("account", domain.Passcode, 10)
	}
	w.keep(0, next)
	w.previousAre("account", domain.TransactionPIN, 10, pin)
	w.previousAre("another account", domain.Passcode, 10, other)
	w.sameCredential(present)

	w.must(func(tx store.Tx) error { return tx.DeleteCredential("account", domain.TransactionPIN) })
	w.previousAre("account", domain.TransactionPIN, 10, pin)
}

func eachCredential(w *world) {
	const n = 130
	creds, counters := map[string]domain.Credential{}, map[string]domain.Attempts{}
	w.must(func(tx store.Tx) error {
		for i := range n {
			k := w.newKey(sized("account", i), "device")
			if err := tx.InsertKey(k); err != nil {
				return err
			}
			for _, t := range []domain.CredentialType{domain.Passcode, domain.TransactionPIN} {
				c, a := w.newCredential(k.AccountID, t), w.newAttempts(k.AccountID, t)
				creds[c.ID], counters[a.ID] = c, a
				if err := errors.Join(tx.PutCredential(c, k.ID), putAttempts(tx, a)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	w.look(func(tx store.Tx) error {
		err := tx.EachCredential(func(c domain.Credential) error {
			equal(w, "credential", c, creds[c.ID])
			delete(creds, c.ID)
			_, err := tx.Attempts(c.AccountID, c.Type)
			return err
		})
		return errors.Join(err, tx.EachAttempts(func(l domain.ListedLock) error {
			a := l.Counter
			equal(w, "attempts", a, counters[a.ID])
			equal(w, "place in the list of locks", l.At, domain.LockPosition{Until: a.LockStandsUntil(), AccountID: a.AccountID, Type: a.Type})
			delete(counters, a.ID)
			return nil
		}))
	})
	equal(w, "rows not visited", [2]int{len(creds), len(counters)}, [2]int{})
	w.eachStops(func(tx store.Tx, fail error) error {
		return tx.EachCredential(func(domain.Credential) error { return fail })
	})
	w.eachStops(func(tx store.Tx, fail error) error {
		return tx.EachAttempts(func(domain.ListedLock) error { return fail })
	})
}
