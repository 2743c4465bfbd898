package vault

import (
	"context"
	"errors"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
	"strongroom/internal/store"
	"strongroom/internal/trace"
)

const (
	verdictWait     = time.Second            // how long a request waits for pending attempts
	verdictPoll     = 100 * time.Millisecond // how often it checks for verdicts of other processes
	verdictDeadline = 25 * time.Second       // for the comparison; shorter than the lease of an attempt
)

// reserve reserves one attempt durably. It waits while only pending attempts
// fill the limit, so that right answers in parallel do not lock the credential.
// ctx belongs to a session: the connection of the transaction that reserves is
// kept for the verdict.
func (v *Credentials) reserve(ctx context.Context, o *operation, in decrypted) (attempt, error) {
	got, full, err := v.reserveOnce(ctx, o, in)
	if err != nil || !full {
		return got, err
	}
	deadline := time.NewTimer(verdictWait)
	defer deadline.Stop()
	poll := time.NewTicker(verdictPoll)
	defer poll.Stop()
	for {
		settled, leave := v.verdicts.wait(in.key.AccountID, in.typ)
		if got, full, err = v.reserveOnce(ctx, o, in); err == nil && full {
			store.SessionFrom(ctx).End() // the pending attempts may need the connection
			since := time.Now()
			select {
			case <-settled:
			case <-poll.C:
			case <-ctx.Done():
				err = ctx.Err()
			case <-deadline.C:
				v.cfg.Metrics.Limited(metrics.LimitAttempts)
				err = domain.TooManyRequests(domain.ReasonVerifiesInProgress, "Too many verifications of this credential are under way. "+
					"Try again after retryAfterSeconds.", time.Second)
			}
			trace.Since(ctx, trace.TryWait, since)
		}
		leave()
		if err != nil || !full {
			return got, err
		}
	}
}

// reserveOnce is one transaction: it asks the policy, reserves, and reads the
// verifier. If it returns full, the caller waits and calls it again.
func (v *Credentials) reserveOnce(ctx context.Context, o *operation, in decrypted) (got attempt, full bool, err error) {
	var admission domain.Admission
	var locked error
	got = attempt{until: time.Now().Add(v.cfg.Attempts.Lease)}
	got.Attempt, err = record.Update(ctx, v.cfg.Records, o.note("", ""), func(tx *record.Tx) (record.Attempt, error) {
		counter, err := v.present(tx, o, &in, domain.ForVerify)
		if err != nil {
			return record.Attempt{}, err
		}
		switch admission = counter.Admit(in.device); admission {
		case domain.Admitted:
			return counter.Reserve(in.device, in.key.ID), nil
		case domain.Locked:
			locked = counter.Locked(in.device)
		}
		return record.Attempt{}, nil
	})
	got.decrypted = in
	if errors.Is(err, store.ErrUnknown) {
		err = v.notReserved(ctx, o, got)
	}
	if err != nil {
		return attempt{}, false, v.unusable(o, in, err)
	}
	if in.before != nil {
		v.cfg.Tally.KeyUsed(in.key)
	}
	if admission == domain.Locked {
		return attempt{}, false, locked
	}
	return got, admission == domain.Full, nil
}

// settle writes a verdict, and returns how many attempts the device of the attempt
// has left. The answer waits until the verdict is durable.
func (v *Credentials) settle(ctx context.Context, o *operation, t attempt, answer verdict, rehashed domain.Secret) (left int, err error) {
	err = v.persist(ctx, o, t, func(tx *record.Tx) error {
		counter, err := tx.Attempts(t.AccountID, t.Type)
		if err != nil {
			return err
		}
		e := o.entry(answer.event, answer.outcome, v.cfg.Now())
		if o.name == domain.OpAuthorize {
			e.Reason = string(t.Type) // its name does not say which credential was guessed at
		}
		err = counter.Settle(e, t.Attempt, answer.match)
		if left = counter.Left(t.device); err != nil {
			return err
		}
		if answer.match {
			if err := v.bind(tx, o, t.key); err != nil {
				return err
			}
		}
		if answer.receipt != nil {
			v.enterReceipt(tx, o, t, answer.receipt)
		}
		if rehashed == nil {
			return nil
		}
		return tx.Rehash(o.note(domain.EventCredentialRehashed, "ok"), t.Credential, rehashed)
	})
	if err != nil {
		return 0, err
	}
	o.entered, o.outcome, o.wrong = true, answer.outcome, !answer.match
	if !answer.match {
		v.countWrong(ctx, o, t.key)
	}
	v.cfg.Metrics.Attempt(t.Type, answer.label())
	return left, nil
}

// countWrong counts a wrong answer of a source. In device mode it names no
// device, because each device is an account of its own.
func (v *Credentials) countWrong(ctx context.Context, o *operation, k domain.DeviceKey) {
	if len(o.account) != 16 {
		return
	}
	device := k.DeviceID
	if v.cfg.Mode == domain.ModeDevice {
		device = ""
	}
	v.cfg.Guessing.Wrong(ctx, [16]byte(o.account), o.caller.Address, device)
}
