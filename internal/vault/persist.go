package vault

import (
	"context"
	"errors"
	"fmt"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// attempt is one reserved attempt and what it is compared with.
type attempt struct {
	decrypted
	record.Attempt
	until time.Time // its lease's end by this process's clock, or a little earlier
}

// verdict is the result of an attempt, and the event and outcome of its entry.
type verdict struct {
	match   bool
	event   domain.Event
	outcome string
	receipt *wantedReceipt // entered with the verdict; nil: none
}

// label is the outcome of the attempt in the metrics.
func (answer verdict) label() string {
	if answer.match {
		return metrics.AttemptMatch
	}
	return metrics.AttemptMismatch
}

// The shortest and the longest pause of persist before it retries.
const firstAgain, lastAgain = 20 * time.Millisecond, time.Second

// persist writes the outcome of a reserved attempt. While the store cannot serve, it
// repeats the write until the attempt's lease ends, even if the client hangs up. A
// right answer must not count as a failure because the store was slow or had no
// free connection.
//
// If the outcome of a commit is unknown, fn runs once more, unless the attempt shows
// that the commit was done.
func (v *Credentials) persist(ctx context.Context, o *operation, t attempt, fn func(tx *record.Tx) error) error {
	ctx, cancel := context.WithDeadline(context.WithoutCancel(ctx), t.until)
	defer cancel()
	uncertain := false
	for again := firstAgain; ; again = min(2*again, lastAgain) {
		err := keyError(v.cfg.Records.Update(ctx, o.note("", ""), func(tx *record.Tx) error {
			if uncertain {
				if done, err := v.ended(tx, t); done || err != nil {
					return err
				}
			}
			return fn(tx)
		}))
		if err == nil || !passes(err) {
			return err
		}
		uncertain = uncertain || errors.Is(err, store.ErrUnknown)
		if write, omitted := v.unwritten.Next(v.cfg.Now()); write {
			v.cfg.Log.WarnContext(ctx, "writing the outcome of an attempt failed", "error", err, "omitted", omitted)
		}
		select {
		case <-time.After(again/2 + time.Duration(time.Now().UnixNano())%again): // jitter spreads the writes of parallel requests
		case <-ctx.Done():
			// Not %w: OVERLOADED would say that nothing was counted, which is not known.
			return fmt.Errorf("the outcome of an attempt could not be written before its lease expired: %v", err)
		}
	}
}

// passes reports whether a transaction failed for a temporary reason.
func passes(err error) bool {
	return errors.Is(err, store.ErrUnavailable) || errors.Is(err, store.ErrUnknown) ||
		errors.Is(err, store.ErrConflict) || errors.Is(err, context.DeadlineExceeded)
}

// ended reports whether this process has ended an attempt. Within the lease only this
// process ends it, an erasure of the whole attempt counter, or a restore, which counts it as
// a failure. If it has, ended writes the attempt counter again, so that this commit confirms
// the earlier one, which can still be lost if no standby has it.
func (v *Credentials) ended(tx *record.Tx, t attempt) (bool, error) {
	counter, err := tx.Attempts(t.AccountID, t.Type)
	if err != nil || counter.State().ID != t.CounterID || tx.Steady().After(t.Lease) || counter.Holds(t.Attempt) {
		return false, err
	}
	counter.WriteAgain()
	return true, nil
}

// giveBack gives back an attempt whose comparison never ran because of cause, and
// returns the error to answer. If it fails, the lease expires and the attempt counts
// as a failure, which is the safe side. Then the answer must not say that no
// guess was counted.
func (v *Credentials) giveBack(ctx context.Context, o *operation, t attempt, cause error) error {
	err := v.persist(ctx, o, t, func(tx *record.Tx) error { return takeOut(tx, t, false) })
	if err != nil {
		v.cfg.Log.ErrorContext(ctx, "giving back an attempt failed", "error", err)
		if code := domain.CodeOf(cause); code == domain.CodeOverloaded || code == "" {
			return err
		}
		return cause
	}
	v.cfg.Metrics.Attempt(t.Type, metrics.AttemptGivenBack)
	return cause
}

// notReserved gives back an attempt if it is unknown whether it was reserved. The
// attempt is the zero value if the transaction wanted to reserve none.
func (v *Credentials) notReserved(ctx context.Context, o *operation, t attempt) error {
	if t.ID == "" {
		return errNotReserved
	}
	err := v.persist(ctx, o, t, func(tx *record.Tx) error { return takeOut(tx, t, true) })
	if err != nil {
		return err
	}
	return errNotReserved
}

// errNotReserved is answered as OVERLOADED: nothing was counted.
var errNotReserved = fmt.Errorf("%w: no attempt is reserved, because the outcome of the commit was unknown", store.ErrUnavailable)

// takeOut removes a pending attempt from its counter. If the commit that reserves it
// may still be under way, the counter is written in any case, so that this
// transaction and that one cannot both succeed.
func takeOut(tx *record.Tx, t attempt, underWay bool) error {
	counter, err := tx.Attempts(t.AccountID, t.Type)
	if err != nil {
		return err
	}
	switch {
	case counter.GiveBack(t.Attempt):
	case tx.Steady().After(t.Lease):
		return record.ErrLate
	case underWay:
		counter.WriteAgain()
	} // otherwise the account was erased
	return nil
}
