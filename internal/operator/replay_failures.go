package operator

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// failures are what the trail says about one attempt counter since the backup. A right
// answer forgets the failures in a row, but not those of the rolling window, and a reset
// forgets all of them. Both apply to the failures here only: a restore gives no guesses
// back, so the failures in the backup stay.
type failures struct {
	all   []failure
	right turn // of the last right answer
	reset turn // of the last reset, or of the entry that has known

	known    *domain.Attempts // as the account came with it from another database; nil: it did not, or a reset followed
	bare     bool             // it came, and the entry is of 0.16.0 or earlier, which did not say its failures
	received time.Time        // when it came with known, or zero

	of        domain.CredentialType // empty: no entry says it
	account   []byte                // its keyed hash
	accountID string                // in the backup; empty: not found
}

// failure is one failed attempt.
type failure struct {
	turn
	at time.Time
}

// turn is the place of an entry among all entries about one counter. The chains of the
// trail are read one after another, so entries come out of order. Each change raises the
// version of the counter, and all entries about one change are in one chain.
type turn struct{ version, seq int64 }

func (p turn) after(q turn) bool {
	return p.version > q.version || p.version == q.version && p.seq > q.seq
}

// mostFailures bounds the failures of one counter. No ladder of lockouts is longer.
const mostFailures = 1000

// outcomeAnswered is the outcome of an attempts.replayed entry about failures that came
// before a right answer.
const outcomeAnswered = "verified"

func (n newer) failuresOf(counter string) *failures {
	f := n.failures[counter]
	if f == nil {
		f = &failures{}
		n.failures[counter] = f
	}
	return f
}

func (f *failures) take(e domain.Entry) {
	p := turn{e.Version, e.Seq}
	switch e.Event {
	case domain.EventCredentialMismatch, domain.EventCredentialReused, domain.EventAttemptsLapsed:
		f.count(e)
	case domain.EventAccountReceived:
		f.takeReceived(p, e)
	case domain.EventAttemptsReplayed:
		if _, whole := domain.AttemptsIn(e.Reason); whole {
			f.takeReceived(p, e)
			return
		}
		if f.count(e); e.Outcome == outcomeAnswered && p.after(f.right) {
			f.right = p
		}
	case domain.EventCredentialVerified:
		if p.after(f.right) {
			f.right = p
		}
	case domain.EventAttemptsReset, domain.EventAttemptsUnlocked: // and no erasure: a move erases too
		if p.after(f.reset) {
			f.reset, f.known = p, nil
		}
		f.forget()
	}
}

// forget forgets the failures before the last reset.
func (f *failures) forget() {
	f.all = slices.DeleteFunc(f.all, func(one failure) bool { return !one.after(f.reset) })
}

// takeReceived takes an entry about a counter that has failures of another database.
func (f *failures) takeReceived(p turn, e domain.Entry) {
	is, ok := domain.AttemptsIn(e.Reason)
	f.account = e.Account
	if !ok {
		f.bare = f.received.IsZero()
		return
	}
	f.bare = false
	if e.Time.After(f.received) {
		f.received = e.Time
	}
	if p.after(f.reset) {
		f.reset, f.known, f.of = p, &is, is.Type
		f.forget()
	}
}

func (f *failures) count(e domain.Entry) {
	one := failure{turn{e.Version, e.Seq}, e.Time}
	for range min(e.Count, mostFailures) {
		if one.after(f.reset) {
			f.all = append(f.all, one)
		}
	}
	if len(f.all) > mostFailures {
		f.sort()
		f.all = slices.Clone(f.all[len(f.all)-mostFailures/2:])
	}
	if len(e.Account) > 0 {
		f.account = e.Account
	}
	switch e.Operation {
	case domain.OpSetPasscode, domain.OpVerifyPasscode:
		f.of = domain.Passcode
	case domain.OpSetPIN, domain.OpVerifyPIN:
		f.of = domain.TransactionPIN
	case domain.OpAuthorize:
		f.of = domain.CredentialType(e.Reason)
	}
}

func (f *failures) sort() {
	slices.SortStableFunc(f.all, func(x, y failure) int {
		switch {
		case x.after(y.turn):
			return 1
		case y.after(x.turn):
			return -1
		}
		return 0
	})
}

// split returns the times of the failures after the last right answer, and of those
// before it that are newer than since.
func (f *failures) split(since time.Time) (answered, inRow []time.Time) {
	f.sort()
	for _, one := range f.all {
		switch {
		case one.after(f.right):
			inRow = append(inRow, one.at)
		case one.at.After(since):
			answered = append(answered, one.at)
		}
	}
	return answered, inRow
}

// replayFailures counts the failures that the backup lacks.
func (u Restores) replayFailures(ctx context.Context, n newer, act domain.Act, is *domain.Replayed) error {
	if err := u.findCounters(ctx, n.failures); err != nil {
		return err
	}
	dropSuperseded(n.failures)
	bare := map[string]bool{}
	for _, f := range n.failures {
		if f.bare && n.moves[f.accountID].Event == domain.EventAccountReceived {
			bare[f.accountID] = true
		}
	}
	is.Bare = len(bare)
	return u.inParts(ctx, maps.Keys(n.failures), act, is, func(tx *record.Tx, e domain.Entry, id string, is *domain.Replayed) error {
		f := n.failures[id]
		if n.moves[f.accountID].Event == domain.EventAccountMoved { // they moved with it
			return nil
		}
		counted, locks, err := u.replayCounter(tx, e, f)
		switch {
		case errors.Is(err, store.ErrNotFound), record.IsTampered(err): // an edited record is refused at each use anyway
			is.Uncounted += len(f.all)
		case err != nil:
			return err
		case locks:
			is.Locked++
		}
		is.Failures += counted
		return nil
	})
}

// dropSuperseded removes the earlier counters of an account and type if a later one came
// from another database: it has all failures that the earlier ones had then.
func dropSuperseded(all map[string]*failures) {
	latest := map[[2]string]time.Time{}
	name := func(f *failures) [2]string { return [2]string{f.accountID, string(f.of)} }
	for _, f := range all {
		if f.accountID != "" && f.received.After(latest[name(f)]) {
			latest[name(f)] = f.received
		}
	}
	maps.DeleteFunc(all, func(_ string, f *failures) bool { return !f.bare && f.received.Before(latest[name(f)]) })
}

// findCounters finds the accounts of counters in the store: by the id of the counter, or
// by the keyed hash of the account if the store does not have the counter. It does not
// use the keys of the attempts, because they may have been issued after the backup.
func (u Restores) findCounters(ctx context.Context, all map[string]*failures) error {
	err := u.cfg.Records.View(ctx, func(tx *record.Tx) error {
		return tx.EachAttempts(func(l domain.ListedLock) error {
			if f := all[l.Counter.ID]; f != nil {
				f.accountID, f.of = l.Counter.AccountID, l.Counter.Type
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	ids, err := u.accountIDs(ctx, func(yield func([]byte) bool) {
		for _, f := range all {
			if f.accountID == "" && len(f.account) > 0 && !yield(f.account) {
				return
			}
		}
	})
	for _, f := range all {
		f.accountID = cmp.Or(f.accountID, ids[string(f.account)])
	}
	return err
}

// accountIDs returns the ids of the accounts with these keyed hashes, by hash, as far as
// the store has them. It reads all accounts, because no index has the hash.
func (u Restores) accountIDs(ctx context.Context, hashes iter.Seq[[]byte]) (ids map[string]string, err error) {
	ids = map[string]string{}
	for hash := range hashes {
		ids[string(hash)] = ""
	}
	if len(ids) == 0 {
		return ids, nil
	}
	return ids, u.cfg.Records.View(ctx, func(tx *record.Tx) error {
		return u.eachAccount(tx, func(a domain.Account) {
			hash, _ := u.cfg.Records.Hashes(a, "")
			if _, wanted := ids[string(hash)]; wanted {
				ids[string(hash)] = a.ID
			}
		})
	})
}

// accountsPart is how many accounts one statement reads.
const accountsPart = 1000

// eachAccount calls fn for each account whose name was not edited.
func (u Restores) eachAccount(tx *record.Tx, fn func(domain.Account)) error {
	var last domain.Account
	for part := accountsPart; part == accountsPart; {
		accounts, err := tx.Accounts(u.cfg.Mode, domain.AccountFilter{}, last, accountsPart)
		if err != nil {
			return err
		}
		for _, a := range accounts {
			if a.ID == u.cfg.Records.AccountID(a) {
				fn(a)
			}
			last = a
		}
		part = len(accounts)
	}
	return nil
}

// replayCounter counts the failures of one counter, and reports whether they lock it.
func (u Restores) replayCounter(tx *record.Tx, e domain.Entry, f *failures) (counted int, locks bool, err error) {
	answered, inRow := f.split(tx.Now().Add(-u.cfg.Attempts.RollingWindow))
	if len(answered)+len(inRow) == 0 && f.known == nil {
		return 0, false, nil
	}
	if f.accountID == "" || f.of == "" {
		return 0, false, store.ErrNotFound
	}
	switch m, err := tx.MoveOf(f.accountID); {
	case err != nil:
		return 0, false, err
	case m.Away: // its file can be received again, but not over a counter
		return 0, false, store.ErrNotFound
	}
	c, err := tx.Attempts(f.accountID, f.of)
	if err != nil {
		return 0, false, err
	}
	before := c.State().LockStandsUntil()
	e.Event, e.Account = domain.EventAttemptsReplayed, f.account
	if f.known != nil {
		is := *f.known
		if f.right.after(f.reset) {
			is.Failures, is.LockedUntil = 0, time.Time{}
		}
		counted, _ = c.Join(e, is)
	}
	if len(answered) > 0 { // first: the order of the entries is that of the failures
		first := e
		first.Outcome, first.Count = outcomeAnswered, int64(len(answered))
		c.Replay(first, answered, false)
	}
	if len(inRow) > 0 {
		e.Count = int64(len(inRow))
		c.Replay(e, inRow, true)
	}
	return counted + len(answered) + len(inRow), c.State().LockStandsUntil() > max(before, domain.Micros(tx.Now())), nil
}
