package rollback

import (
	"bytes"
	"cmp"
	"errors"
	"hash/maphash"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// tx compares what it reads of rows and heads, and notes what it reads and
// writes.
type tx struct {
	store.Tx
	s                 *Store
	writes            bool
	began, headsBegan uint64 // the transaction need not see what was remembered after this time

	found     *finding // nil: nothing older than remembered was read
	wrote     bool
	states    []state
	entries   map[string]domain.Entry // the newest of each chain that was appended to
	erased    []uint64                // ids of the rows that it erased
	described []description           // rows that its appended entries describe; only if other processes write too
	counters  []description           // attempt counters that it wrote; only if other processes write too
}

// finding is something that is older than remembered.
type finding struct {
	place
	record, what string
	again        func(*tx) error // reads it again
}

func (t *tx) find(p place, record, what string, again func(*tx) error) error {
	t.found = &finding{p, record, what, again}
	return errFound
}

// outcome is the error of the transaction whose function returned err.
func (t *tx) outcome(err error) error {
	if t.found != nil {
		return errFound // whatever error the function returned
	}
	return err
}

// read reads the row, so that the transaction compares it.
func (p place) read(t *tx) (err error) {
	switch p.kind {
	case domain.RecordAttempts:
		_, err = t.Attempts(p.account, domain.CredentialType(p.id))
	case domain.RecordCredential:
		_, err = t.Credential(p.account, domain.CredentialType(p.id))
	default:
		_, err = t.Key(p.id)
	}
	return err
}

// reread is read, but the row may be gone.
func (p place) reread(t *tx) error {
	if err := p.read(t); !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return nil
}

// compare compares a row that was read, or its absence, with memory. genuine
// reports whether the row has a valid MAC. An edited row is not compared: the caller
// refuses it.
func (t *tx) compare(s state, canonical func() []byte, genuine func() bool) error {
	if t.s.Seen() {
		return nil
	}
	erased := s.record != "" && t.s.memory.wasErased(s.record, t.began)
	if erased || t.s.memory.behind(s, t.began) {
		if s.record != "" && !genuine() {
			return nil
		}
		what := "an older version of the row is back"
		switch {
		case erased:
			what = "the row was erased and is back"
		case s.record == "":
			what = "the row is gone"
		}
		return t.find(s.place, s.kind+"/"+s.record, what, func(t *tx) error { return s.read(t) })
	}
	digest := func() []byte { return audit.Digest(canonical()) }
	if s.record != "" && t.s.memory.contradictsEntry(s, digest, t.began) && genuine() {
		return t.find(s.place, s.kind+"/"+s.record, "the row is older than the version that another process wrote, or differs from it",
			func(t *tx) error { return s.read(t) })
	}
	if t.writes && s.record != "" && !t.s.memory.knows(s) && genuine() {
		t.states = append(t.states, s)
	}
	return nil
}

func (t *tx) note(err error, s state) error {
	if err == nil {
		t.wrote = true
		t.states = append(t.states, s)
		if s.kind == domain.RecordAttempts && s.record != "" && !t.s.cfg.Exclusive {
			t.counters = append(t.counters, description{row: place{kind: s.kind, id: s.record}, version: s.version})
		}
	}
	return err
}

func attemptsState(a domain.Attempts) state {
	return state{place{domain.RecordAttempts, a.AccountID, string(a.Type)}, a.ID, a.Version, first64(a.MAC)}
}

func (t *tx) credentialState(c domain.Credential) state {
	return state{place{domain.RecordCredential, c.AccountID, string(c.Type)}, c.ID, c.Version, maphash.Bytes(t.s.memory.seed, c.Sealed)}
}

func keyState(k domain.DeviceKey) state {
	return state{place{kind: domain.RecordKey, id: k.ID}, k.ID, k.Version, first64(k.MAC)}
}

func (t *tx) Attempts(accountID string, ct domain.CredentialType) (domain.Attempts, error) {
	a, err := t.Tx.Attempts(accountID, ct)
	if err == nil {
		return a, t.compareAttempts(a)
	}
	return a, t.missing(err, place{domain.RecordAttempts, accountID, string(ct)})
}

func (t *tx) compareAttempts(a domain.Attempts) error {
	return t.compare(attemptsState(a), a.Canonical, func() bool { return t.s.cfg.Judge.GenuineAttempts(a) })
}

func (t *tx) Credential(accountID string, ct domain.CredentialType) (domain.Credential, error) {
	c, err := t.Tx.Credential(accountID, ct)
	if err == nil {
		return c, t.compareCredential(c)
	}
	return c, t.missing(err, place{domain.RecordCredential, accountID, string(ct)})
}

func (t *tx) compareCredential(c domain.Credential) error {
	return t.compare(t.credentialState(c), c.Canonical, func() bool { return t.s.cfg.Judge.GenuineCredential(c) })
}

func (t *tx) Guarded(accountID string, ct domain.CredentialType) (*domain.Attempts, *domain.Credential, error) {
	a, c, err := t.Tx.Guarded(accountID, ct)
	return a, c, t.compareGuarded(accountID, ct, a, c, err)
}

// compareGuarded compares a counter and its credential, or their absence, with
// memory, unless err is an earlier error.
func (t *tx) compareGuarded(accountID string, ct domain.CredentialType, a *domain.Attempts, c *domain.Credential, err error) error {
	switch {
	case err != nil:
	case a != nil:
		err = t.compareAttempts(*a)
	default:
		err = t.compareAbsence(place{domain.RecordAttempts, accountID, string(ct)})
	}
	switch {
	case err != nil:
	case c != nil:
		err = t.compareCredential(*c)
	default:
		err = t.compareAbsence(place{domain.RecordCredential, accountID, string(ct)})
	}
	return err
}

func (t *tx) compareAbsence(p place) error { return t.compare(state{place: p}, nil, nil) }

// missing compares the absence of a row with memory.
func (t *tx) missing(err error, p place) error {
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if found := t.compareAbsence(p); found != nil {
		return found
	}
	return err
}

func (t *tx) key(k domain.DeviceKey, err error) (domain.DeviceKey, error) {
	if err == nil {
		err = t.compare(keyState(k), k.Canonical, func() bool { return t.s.cfg.Judge.GenuineKey(k) })
	}
	return k, err
}

func (t *tx) Key(id string) (domain.DeviceKey, error) { return t.key(t.Tx.Key(id)) }

func (t *tx) KeyOf(accountID, id string) (domain.DeviceKey, error) {
	return t.key(t.Tx.KeyOf(accountID, id))
}

func (t *tx) ActiveKey(accountID, deviceID string) (domain.DeviceKey, error) {
	return t.key(t.Tx.ActiveKey(accountID, deviceID))
}

func (t *tx) NewestKey(accountID, deviceID string) (domain.DeviceKey, error) {
	return t.key(t.Tx.NewestKey(accountID, deviceID))
}

func (t *tx) InsertKey(k domain.DeviceKey) error { return t.note(t.Tx.InsertKey(k), keyState(k)) }

func (t *tx) UpdateKey(k domain.DeviceKey) error { return t.note(t.Tx.UpdateKey(k), keyState(k)) }

func (t *tx) DeleteKey(accountID, id string) error {
	return t.note(t.Tx.DeleteKey(accountID, id), state{place: place{kind: domain.RecordKey, id: id}})
}

func (t *tx) PutCredential(c domain.Credential, keyID string) error {
	return t.note(t.Tx.PutCredential(c, keyID), t.credentialState(c))
}

func (t *tx) AddCredential(c domain.Credential) error {
	return t.note(t.Tx.AddCredential(c), t.credentialState(c))
}

func (t *tx) RehashCredential(c domain.Credential) error {
	return t.note(t.Tx.RehashCredential(c), t.credentialState(c))
}

func (t *tx) DeleteCredential(accountID string, ct domain.CredentialType) error {
	return t.note(t.Tx.DeleteCredential(accountID, ct), state{place: place{domain.RecordCredential, accountID, string(ct)}})
}

func (t *tx) ReserveAttempt(a domain.Attempts, keyID string) error {
	return t.note(t.Tx.ReserveAttempt(a, keyID), attemptsState(a))
}

func (t *tx) WriteBatch(b store.Batch) error {
	for _, e := range b.Entries {
		t.s.memory.wrote(e)
	}
	err := t.Tx.WriteBatch(b)
	if err != nil {
		return err
	}
	for _, a := range b.Attempts {
		_ = t.note(nil, attemptsState(a))
	}
	for _, e := range b.Entries {
		t.noteEntry(e)
	}
	return nil
}

func (t *tx) DeleteAttempts(accountID string, ct domain.CredentialType) error {
	return t.note(t.Tx.DeleteAttempts(accountID, ct), state{place: place{domain.RecordAttempts, accountID, string(ct)}})
}

func (t *tx) LastEntry(chain string) (domain.Entry, error) {
	e, err := t.Tx.LastEntry(chain)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return e, err
	}
	return e, cmp.Or(t.compareHead(e, chain), err)
}

func (t *tx) Heads(since time.Time) ([]domain.Entry, error) {
	heads, err := t.Tx.Heads(since)
	for _, e := range heads {
		err = cmp.Or(err, t.compareHead(e, e.Chain))
	}
	return heads, err
}

// compareHead compares the newest entry of a chain with memory. A chain without
// entries has the zero entry.
func (t *tx) compareHead(e domain.Entry, chain string) error {
	if t.s.Seen() {
		return nil
	}
	again := func(t *tx) error {
		_, err := t.LastEntry(chain)
		return err
	}
	record := domain.RecordChain + "/" + chain
	switch v, of := t.s.memory.head(e, chain, t.headsBegan); v {
	case lost:
		return t.find(place{kind: domain.RecordChain, id: chain}, record, "its newest entries are missing", again)
	case further:
		still, err := Holds(t.Tx, of, t.s.cfg.Judge)
		if err != nil {
			return err
		}
		if !still {
			return t.find(place{kind: domain.RecordChain, id: chain}, record, "an entry that this process has seen was replaced by another one", again)
		}
	}
	return nil
}

func (t *tx) InsertEntry(e domain.Entry) error {
	t.s.memory.wrote(e)
	err := t.Tx.InsertEntry(e)
	if err == nil {
		t.noteEntry(e)
	}
	return err
}

func (t *tx) noteEntry(e domain.Entry) {
	t.wrote = true
	if t.entries == nil {
		t.entries = map[string]domain.Entry{}
	}
	t.entries[e.Chain] = domain.Entry{Seq: e.Seq, Hash: e.Hash}
	if id, ok := erasedBy(e); ok {
		t.erased = append(t.erased, t.s.memory.sum(id))
	}
	if described, ok := describedBy(e); ok && !t.s.cfg.Exclusive {
		t.described = append(t.described, described)
	}
}

// Reader reads entries of the trail.
type Reader interface {
	LastEntry(chain string) (domain.Entry, error)
	EachEntry(chain string, after int64, fn func(domain.Entry) error) error
	EntriesOfEvent(event domain.Event, from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error)
}

var errStop = errors.New("stop")

// Holds reports whether the store contains the entry that a head names, or
// contained it until a prune removed it.
func Holds(r Reader, h Head, judge Judge) (bool, error) {
	var at domain.Entry
	err := r.EachEntry(h.Chain, h.Seq-1, func(e domain.Entry) error {
		at = e
		return errStop
	})
	switch {
	case err != nil && !errors.Is(err, errStop):
		return false, err
	case at.Seq == h.Seq:
		return bytes.Equal(at.Hash, h.Hash), nil
	case at.Seq < h.Seq:
		return false, nil // the chain ends before it
	}
	pruned := false
	err = eachOf(r, domain.EventPruned, time.Time{}, func(e domain.Entry) bool {
		pruned = e.Record == domain.RecordChain+"/"+h.Chain && e.Version >= h.Seq && judge.GenuineEntry(e)
		return pruned
	})
	return pruned, err
}

const (
	eventsPage = 500
	mostEvents = 100_000
)

// eachOf calls fn for the entries of a rare event, newest first, until fn
// returns true.
func eachOf(r Reader, event domain.Event, from time.Time, fn func(domain.Entry) bool) error {
	var below domain.EntryPosition
	for range mostEvents / eventsPage {
		page, err := r.EntriesOfEvent(event, from, below, eventsPage)
		if err != nil {
			return err
		}
		for _, e := range page {
			if fn(e) {
				return nil
			}
			below = e.Position()
		}
		if len(page) < eventsPage {
			return nil
		}
	}
	return nil
}
