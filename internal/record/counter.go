package record

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Counter is an account's attempt counter of a credential type, in a
// transaction. Its changes are collected and written once, when the transaction
// ends. When it is read, attempts whose process died are counted as failures.
type Counter struct {
	tx       *Tx
	guarded  domain.Credential // read with the counter; the zero value if nothing is set
	found    domain.Attempts   // as it was read; once an entry describes the change, as it is written
	state    domain.Attempts   // as it will be written
	now      time.Time         // by [Tx.Steady]
	dirty    bool
	keyID    string // the key that must be usable for verify when it is written, "" for none
	lapsed   int    // attempts whose process died, counted when it was read
	reported bool   // the entries about lapsed attempts are collected
	locks    []domain.Event
}

// Attempt is one reserved attempt and the credential that it is compared with.
type Attempt struct {
	ID         string
	AccountID  string
	Type       domain.CredentialType
	Device     string            // as the counter knows it; "" if devices have no budget of their own
	CounterID  string            // of the counter that holds it
	Lease      time.Time         // its end, by [Tx.Steady]
	Credential domain.Credential // the zero value if nothing is set
}

// ErrLate withholds a verdict because its attempt was already counted as a failure.
var ErrLate = errors.New("the verdict came after the attempt's lease: it is withheld")

// Attempts reads a counter. A counter that it refuses as [Tampered] is returned
// with the error. A counter that does not exist yet is empty; its first change
// writes it. A transaction has one Counter of each: two would write the same
// version.
func (tx *Tx) Attempts(accountID string, t domain.CredentialType) (*Counter, error) {
	if c := tx.counter(accountID, t); c != nil {
		return c, nil
	}
	found, guarded, err := tx.tx.Guarded(accountID, t)
	if err != nil {
		return nil, err
	}
	return tx.counted(accountID, t, found, guarded)
}

// AttemptsOf reads the counters of an account, one for each of
// [domain.CredentialTypes], with the error of each that is refused.
func (tx *Tx) AttemptsOf(accountID string) (counters []*Counter, refused []error, err error) {
	n := len(domain.CredentialTypes)
	counters, refused = make([]*Counter, n), make([]error, n)
	reads := make([]func() error, n)
	for i, t := range domain.CredentialTypes {
		reads[i] = tx.readAttempts(accountID, t, &counters[i], &refused[i])
	}
	return counters, refused, tx.Interleave(reads...)
}

// readAttempts returns a function for Interleave that reads a counter, and keeps the error
// of one that is refused.
func (tx *Tx) readAttempts(accountID string, t domain.CredentialType, to **Counter, refused *error) func() error {
	return func() (err error) {
		if *to, err = tx.Attempts(accountID, t); IsTampered(err) {
			*refused, err = err, nil
		}
		return err
	}
}

// AttemptsBy is Attempts together with [Tx.KeyOf]: an attempt by this key.
func (tx *Tx) AttemptsBy(accountID string, t domain.CredentialType, keyID string) (k domain.DeviceKey, c *Counter, err error) {
	var refused error
	err = tx.Interleave(
		tx.readAttempts(accountID, t, &c, &refused), // first: Updates whose first read is the same wait for each other
		store.Into(&k, func() (domain.DeviceKey, error) { return tx.KeyOf(accountID, keyID) }))
	if err != nil {
		return k, nil, err
	}
	return k, c, refused
}

// counted is the Counter of a row that was read, or of none.
func (tx *Tx) counted(accountID string, t domain.CredentialType, found *domain.Attempts, guarded *domain.Credential) (_ *Counter, err error) {
	c := &Counter{tx: tx, found: domain.Attempts{ID: domain.NewID(), AccountID: accountID, Type: t}, now: tx.Steady()}
	if guarded != nil {
		c.guarded = *guarded
	}
	if found != nil {
		c.found, err = *found, tx.r.CheckAttempts(*found)
	}
	if tx.r.epoch.Number > 1 {
		restored, failed := tx.restored(c.found)
		if failed != nil {
			return nil, failed
		}
		c.found.Restored = restored
	}
	c.state, c.lapsed = tx.r.cfg.Attempts.Lapse(c.found, c.now)
	c.dirty = c.lapsed > 0
	if err == nil {
		tx.counters = append(tx.counters, c)
	}
	return c, err
}

// mostOldKeys bounds how many keys of an account are searched for one from before a
// restore. An account with that many keys counts as older than the restore.
const mostOldKeys = 100

// restored reports whether the store may lack failures of a counter: its account is
// from before the last restore, and has given no right answer since. A counter that
// does not exist is judged in the same way, so that it does not show whether a
// credential is set. No MAC covers the time in the account's row, so the times of the
// account's keys decide too.
func (tx *Tx) restored(a domain.Attempts) (bool, error) {
	at := tx.r.epoch.At
	if a.VerifiedAt.After(at) {
		return false, nil
	}
	account, err := tx.Rows.AccountByID(a.AccountID)
	if errors.Is(err, store.ErrNotFound) {
		return true, nil
	}
	if err != nil || !account.CreatedAt.After(at) {
		return true, err
	}
	keys, err := tx.KeysOf(a.AccountID, mostOldKeys)
	return len(keys) == mostOldKeys || slices.ContainsFunc(keys, func(k domain.DeviceKey) bool { return !k.CreatedAt.After(at) }), err
}

// counter is a counter that this transaction has read, or nil.
func (tx *Tx) counter(accountID string, t domain.CredentialType) *Counter {
	for _, c := range tx.counters {
		if c.found.AccountID == accountID && c.found.Type == t {
			return c
		}
	}
	return nil
}

// CheckAttempts refuses an edited counter with [Tampered].
func (r *Records) CheckAttempts(a domain.Attempts) error {
	if !(Judge{r.cfg.Keys}).GenuineAttempts(a) {
		return &Tampered{domain.RecordAttempts, a.ID, ErrMAC}
	}
	return nil
}

// State is the counter with the changes that were collected so far.
func (c *Counter) State() domain.Attempts { return c.state }

// Exists reports whether the counter is stored.
func (c *Counter) Exists() bool { return c.found.Version > 0 }

// Locks returns the events of the locks that this transaction caused.
func (c *Counter) Locks() []domain.Event { return c.locks }

// Lapsed is the number of attempts that this transaction counts as failures
// because their process died.
func (c *Counter) Lapsed() int { return c.lapsed }

// LockedFor reports whether the counter refuses attempts and sets of a device.
func (c *Counter) LockedFor(device string) bool { return c.state.LockedFor(device, c.now) }

// Locked returns the error of the active lock of a device.
func (c *Counter) Locked(device string) error { return domain.LockedError(c.state, device, c.now) }

// Left is how many more attempts of a device would be admitted, if each is wrong
// (see [domain.AttemptPolicy.Left]).
func (c *Counter) Left(device string) int {
	return c.tx.r.cfg.Attempts.Left(c.state, device, c.now)
}

// LockFor is the active lock of a device (see [domain.Attempts.LockFor]).
func (c *Counter) LockFor(device string) (until time.Time, permanent bool) {
	return c.state.LockFor(device, c.now)
}

// Admit says whether one more attempt of a device may be reserved.
func (c *Counter) Admit(device string) domain.Admission {
	return c.tx.r.cfg.Attempts.Admit(c.state, device, c.now)
}

// attemptDigits is the length of an attempt's id: 65 bits. Ids must differ only among the
// pending attempts of one counter, and a shorter id saves write-ahead log.
const attemptDigits = 13

// Reserve reserves an attempt that was admitted. The transaction fails with
// [store.ErrKeyNotUsable] if the key may not be used for verify. The trail has no
// entry about an attempt before its verdict.
func (c *Counter) Reserve(device, keyID string) Attempt {
	a := Attempt{ID: domain.NewID()[:attemptDigits], AccountID: c.state.AccountID, Type: c.state.Type, Device: device, CounterID: c.state.ID,
		Lease: c.now.Add(c.tx.r.cfg.Attempts.Lease), Credential: c.guarded}
	c.state = c.tx.r.cfg.Attempts.Reserve(c.state, a.ID, device, c.now)
	c.dirty, c.keyID = true, keyID
	return a
}

// Settle records the verdict of an attempt with the entry e. It fails with
// [ErrLate] if the attempt is no longer pending. If a set has replaced the
// credential meanwhile, a match only gives the attempt back. It forgets no
// failures, because those since the set were guesses at the new credential.
func (c *Counter) Settle(e domain.Entry, a Attempt, match bool) error {
	c.reportLapsed()
	before, policy := c.state, c.tx.r.cfg.Attempts
	stale := match && c.guarded.Version != a.Credential.Version
	var pending bool
	if stale {
		c.state, pending = c.state.GiveBack(a.ID)
	} else {
		c.state, pending = policy.Settle(c.state, a.ID, match, c.now)
	}
	if !pending {
		return ErrLate
	}
	if match && !stale {
		c.state = c.state.Verified(a.Device, c.tx.Now())
	}
	c.enter(e)
	c.reportLocks(before, a.Device, e.Outcome)
	return nil
}

// GiveBack removes an attempt whose comparison never ran, and reports whether
// it was pending. It writes no entry.
func (c *Counter) GiveBack(a Attempt) (pending bool) {
	c.state, pending = c.state.GiveBack(a.ID)
	c.dirty = c.dirty || pending
	return pending
}

// Holds reports whether an attempt is pending.
func (c *Counter) Holds(a Attempt) bool { return c.state.ID == a.CounterID && c.state.IsPending(a.ID) }

// WriteAgain writes the counter even if nothing changed, so that this
// transaction conflicts with every other that writes it.
func (c *Counter) WriteAgain() { c.dirty = true }

// Reset forgets failures and locks, and records that with the entry e. It also
// forgets attempts whose process died, unless an entry about them is collected.
func (c *Counter) Reset(e domain.Entry) {
	if !c.reported {
		c.lapsed = 0
	}
	c.state = c.state.Fresh()
	c.enter(e)
}

// Replay counts failures that the store lacks after a restore, the oldest first, and
// records that with the entry e. inRow is false if a right answer came after them.
func (c *Counter) Replay(e domain.Entry, failures []time.Time, inRow bool) {
	before := c.state
	c.state = c.tx.r.cfg.Attempts.Replay(c.state, failures, inRow)
	c.enter(e)
	c.reportLocks(before, "", e.Outcome)
}

// Join adds the failures and locks that another state of the counter has, and records with
// the entry e how it is then. It reports how many failures it added, and whether it changed
// anything. A restore needs it if the account was in another store meanwhile.
func (c *Counter) Join(e domain.Entry, with domain.Attempts) (added int, changed bool) {
	before := c.state
	c.state = c.tx.r.cfg.Attempts.Join(c.state, with)
	if bytes.Equal(before.Canonical(), c.state.Canonical()) {
		return 0, false
	}
	added = max(0, c.state.Failures-before.Failures, len(c.state.Recent)-len(before.Recent))
	e.Count, e.Reason = int64(max(1, added)), e.Reason+c.state.Detail()
	c.enter(e)
	c.reportLocks(before, "", e.Outcome)
	return added, true
}

// Replace lets a counter that was refused as [Tampered] be written. It drops the
// pending attempts, because they may be forged with leases that never end. Only
// an operator who has seen the finding in the log may decide this.
func (c *Counter) Replace() {
	c.state.Pending = nil
	c.tx.counters = append(c.tx.counters, c)
}

// enter collects an entry about the counter.
func (c *Counter) enter(e domain.Entry) {
	c.dirty = true
	c.tx.entries = append(c.tx.entries, entry{Entry: e, of: c})
}

// reportLapsed collects the entries about attempts that were counted as failures because
// their process died, or because a restore ended them.
func (c *Counter) reportLapsed() {
	if c.reported || c.lapsed == 0 {
		return
	}
	c.reported = true
	e := c.tx.Note(domain.EventAttemptsLapsed, "failure")
	e.Count = int64(c.lapsed)
	c.enter(e)
	c.reportLocks(c.found, "", "lapsed")
}

// lapseAll counts all pending attempts as failures, and collects the entries about that.
// They were reserved before a restore, so they do not use up the one attempt of a restored
// counter.
func (c *Counter) lapseAll() {
	c.found.Restored = false
	c.state, c.lapsed = c.tx.r.cfg.Attempts.LapseAll(c.found)
	c.reportLapsed()
}

// reportLocks collects the entries about locks that are new since before. device
// is the device that may be locked, as the counter knows it; "" if unknown.
func (c *Counter) reportLocks(before domain.Attempts, device, outcome string) {
	for _, event := range newLocks(before, c.state, c.now) {
		c.locks = append(c.locks, event)
		e := c.tx.Note(event, outcome)
		e.About.Type = c.found.Type // a restore is about no account
		e.About.Of(c.found.AccountID)
		if event == domain.EventDeviceLocked && device == "" {
			e.About.DeviceID = ""
		}
		c.tx.entries = append(c.tx.entries, entry{Entry: e, of: c, lock: true, device: device})
	}
}

// newLocks returns the events of the locks that a change of a counter caused: a
// lock of the account, or else locks of single devices.
func newLocks(before, after domain.Attempts, now time.Time) (locks []domain.Event) {
	switch {
	case before.LockedAt(now):
	case after.LockedAt(now):
		locks = append(locks, domain.EventCredentialLocked)
	default:
		for _, d := range after.Devices {
			if after.LockedFor(d.Device, now) && !before.LockedFor(d.Device, now) {
				locks = append(locks, domain.EventDeviceLocked)
			}
		}
	}
	return locks
}

// write collects the counter with its next version, if it changed. A counter
// with a new attempt is written at once: that fails if the key is not usable.
func (c *Counter) write() error {
	c.reportLapsed()
	if !c.dirty {
		return nil
	}
	c.state.Version++
	c.state.MAC = c.tx.r.cfg.Keys.MAC(audit.AttemptsLabel, c.state.Authenticated())
	c.dirty = false
	if len(c.locks) > 0 || c.reported {
		c.tx.OnCommit(func(ctx context.Context) { c.tx.r.cfg.Counted(ctx, c.tx.who.KeyID, c) })
	}
	if c.keyID != "" {
		return c.tx.tx.ReserveAttempt(c.state, c.keyID)
	}
	c.tx.batch.Attempts = append(c.tx.batch.Attempts, c.state)
	return nil
}

// complete fills in what is known only once the counter is written. If there are
// several entries about one change, the first one describes it. The others
// describe the row after it.
func (e entry) complete() domain.Entry {
	switch c := e.of; {
	case c == nil:
	case e.lock:
		e.aboutLock(c.state)
	default:
		e.Entry = counterEntry(e.Entry, c.found, c.state)
		c.found = c.state
	}
	return e.Entry
}

func (e *entry) aboutLock(a domain.Attempts) {
	if e.Event == domain.EventCredentialLocked {
		e.About.Locked(a.LockedUntil, a.Permanent)
		return
	}
	for _, d := range a.Devices {
		if d.Device == e.device {
			e.About.Locked(d.LockedUntil, d.Permanent)
		}
	}
}

// Unchanged returns an entry about the counter in its present state.
func (c *Counter) Unchanged(e domain.Entry) domain.Entry { return counterEntry(e, c.state, c.state) }

func counterEntry(e domain.Entry, before, after domain.Attempts) domain.Entry {
	e.About.Of(cmp.Or(after.AccountID, before.AccountID))
	e.About.Type = cmp.Or(after.Type, before.Type)
	return digested(e, domain.RecordAttempts+"/"+cmp.Or(after.ID, before.ID), before.Version, before.Canonical, after.Version, after.Canonical)
}
