package storetest

import (
	"errors"
	"time"

	"pgregory.net/rapid"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

var modelTests = []test{
	{"any sequence of writes gives what a model of maps gives", func(w *world) {
		rapid.Check(w, func(t *rapid.T) {
			m := newModel(w, t)
			t.Repeat(map[string]func(*rapid.T){
				"":                         m.check,
				"time passes":              m.timePasses,
				"issue a key":              m.issue,
				"end a key":                m.end,
				"reserve an attempt":       m.reserve,
				"put an attempt counter":   m.putAttempts,
				"set":                      m.set,
				"re-hash":                  m.rehash,
				"erase an attempt counter": m.erase,
			})
		})
	}},
}

// model says what two accounts' rows must be. Each run of it has accounts of
// its own, so that all runs share one store.
type model struct {
	w           *world
	accounts    []string
	keys        map[string]domain.DeviceKey
	keyIDs      []string
	counters    map[string]domain.Attempts   // by account
	credentials map[string]domain.Credential // by account
}

func newModel(w *world, _ *rapid.T) *model {
	return &model{
		w: w, accounts: []string{domain.NewID(), domain.NewID()}, keyIDs: []string{"unknown"},
		keys: map[string]domain.DeviceKey{}, counters: map[string]domain.Attempts{}, credentials: map[string]domain.Credential{},
	}
}

func (m *model) account(t *rapid.T) string { return rapid.SampledFrom(m.accounts).Draw(t, "account") }

func (m *model) key(t *rapid.T) (domain.DeviceKey, bool) {
	k, ok := m.keys[rapid.SampledFrom(m.keyIDs).Draw(t, "key")]
	return k, ok
}

// version draws the version of a write: mostly the next one.
func (m *model) version(t *rapid.T, stored int64) int64 {
	return stored + rapid.SampledFrom([]int64{1, 1, 1, 1, 0, 2}).Draw(t, "version step")
}

// want compares the outcome of a write with the reasons why it had to fail. If
// there are several, any of them will do. If there is none, the write had to
// succeed, and then the model follows.
func (m *model) want(t *rapid.T, err error, reasons map[error]bool, follow func()) {
	t.Helper()
	must := false
	for reason, given := range reasons {
		if !given {
			continue
		}
		must = true
		if errors.Is(err, reason) {
			return
		}
	}
	if must || err != nil {
		t.Fatalf("got %v, reasons to fail: %v", err, reasons)
	}
	follow()
}

func (m *model) timePasses(t *rapid.T) {
	m.w.clock.advance(time.Duration(rapid.IntRange(0, 3).Draw(t, "seconds")) * time.Second)
}

func (m *model) issue(t *rapid.T) {
	k := m.w.newKey(m.account(t), rapid.SampledFrom([]string{"device", "Device"}).Draw(t, "device"))
	if ttl := rapid.IntRange(0, 4).Draw(t, "validity in seconds"); ttl > 0 {
		k.ExpiresAt = m.w.now().Add(time.Duration(ttl) * time.Second)
	}
	taken := false
	for _, other := range m.keys {
		taken = taken || other.State == domain.KeyActive && other.AccountID == k.AccountID && other.DeviceID == k.DeviceID
	}
	err := m.w.update(func(tx store.Tx) error { return tx.InsertKey(k) })
	m.want(t, err, map[error]bool{store.ErrConflict: taken}, func() {
		m.keys[k.ID], m.keyIDs = k, append(m.keyIDs, k.ID)
	})
}

func (m *model) end(t *rapid.T) {
	k, ok := m.key(t)
	if !ok || k.State != domain.KeyActive {
		return
	}
	stored := k.Version
	k.State = rapid.SampledFrom([]domain.KeyState{domain.KeyInvalidated, domain.KeyExpired, domain.KeyRevoked}).Draw(t, "state")
	k.Version, k.EndedAt = m.version(t, k.Version), m.w.now()
	if grace := rapid.IntRange(0, 3).Draw(t, "grace in seconds"); grace > 0 {
		k.GraceUntil = m.w.now().Add(time.Duration(grace) * time.Second)
	} else {
		k.Sealed = nil
	}
	err := m.w.update(func(tx store.Tx) error { return tx.UpdateKey(k) })
	m.want(t, err, map[error]bool{store.ErrConflict: k.Version != stored+1}, func() { m.keys[k.ID] = k })
}

func (m *model) counter(t *rapid.T) domain.Attempts {
	account := m.account(t)
	a := m.w.newAttempts(account, domain.Passcode)
	a.Version = m.version(t, m.counters[account].Version)
	a.Failures = rapid.IntRange(0, 9).Draw(t, "failures")
	a.Pending = a.Pending[:rapid.IntRange(0, 2).Draw(t, "pending")]
	return a
}

func (m *model) reserve(t *rapid.T) {
	a := m.counter(t)
	k, _ := m.key(t)
	err := m.w.update(func(tx store.Tx) error { return tx.ReserveAttempt(a, k.ID) })
	m.want(t, err, map[error]bool{
		store.ErrKeyNotUsable: k.AccountID != a.AccountID || !k.Usable(domain.ForVerify, m.w.now()),
		store.ErrConflict:     a.Version != m.counters[a.AccountID].Version+1,
	}, func() { m.counters[a.AccountID] = a })
}

func (m *model) putAttempts(t *rapid.T) {
	a := m.counter(t)
	err := m.w.update(func(tx store.Tx) error { return putAttempts(tx, a) })
	m.want(t, err, map[error]bool{store.ErrConflict: a.Version != m.counters[a.AccountID].Version+1},
		func() { m.counters[a.AccountID] = a })
}

func (m *model) erase(t *rapid.T) {
	account := m.account(t)
	err := m.w.update(func(tx store.Tx) error { return tx.DeleteAttempts(account, domain.Passcode) })
	m.want(t, err, nil, func() { delete(m.counters, account) })
}

func (m *model) set(t *rapid.T) {
	c := m.w.newCredential(m.account(t), domain.Passcode)
	c.Version = m.version(t, m.credentials[c.AccountID].Version)
	k, _ := m.key(t)
	err := m.w.update(func(tx store.Tx) error { return tx.PutCredential(c, k.ID) })
	m.want(t, err, map[error]bool{
		store.ErrKeyNotUsable: k.AccountID != c.AccountID || !k.Usable(domain.ForSet, m.w.now()),
		store.ErrConflict:     c.Version != m.credentials[c.AccountID].Version+1,
	}, func() { m.credentials[c.AccountID] = c })
}

func (m *model) rehash(t *rapid.T) {
	account := m.account(t)
	stored, set := m.credentials[account]
	c := stored
	c.AccountID, c.Type, c.Version = account, domain.Passcode, m.version(t, stored.Version)
	c.Sealed, c.UpdatedAt = []byte(domain.NewID()), m.w.now()
	err := m.w.update(func(tx store.Tx) error { return tx.RehashCredential(c) })
	m.want(t, err, map[error]bool{store.ErrConflict: !set || c.Version != stored.Version+1},
		func() { m.credentials[account] = c })
}

// check compares every row of the model with the store.
func (m *model) check(t *rapid.T) {
	keys, counters, credentials := map[string]domain.DeviceKey{}, map[string]domain.Attempts{}, map[string]domain.Credential{}
	m.w.look(func(tx store.Tx) error {
		for _, account := range m.accounts {
			found, err := keysOf(tx, account)
			if err != nil {
				return err
			}
			for _, k := range found {
				keys[k.ID] = k
			}
			if a, err := tx.Attempts(account, domain.Passcode); err == nil {
				counters[account] = a
			} else if !errors.Is(err, store.ErrNotFound) {
				return err
			}
			if c, err := tx.Credential(account, domain.Passcode); err == nil {
				credentials[account] = c
			} else if !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		return nil
	})
	equal(t, "keys", keys, m.keys)
	equal(t, "attempt counters", counters, m.counters)
	equal(t, "credentials", credentials, m.credentials)
}
