package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/store"
)

// Set stores a passcode or PIN. It answers the policy rule that the secret
// breaks, or "" when it was set.
func (s *Service) Set(ctx context.Context, sub domain.Submission) (domain.Rule, error) {
	return do(ctx, s, operations[sub.Type].set, func(ctx context.Context, o *operation) (domain.Rule, error) {
		ticket, err := s.lanes.enter()
		if err != nil {
			return "", err
		}
		defer ticket.leave()
		in, err := s.open(ctx, o, ticket, sub, domain.ForSet)
		if err != nil {
			return "", s.seen(ctx, o, err)
		}
		defer in.secret.Wipe()
		rule, spent, err := s.checkSecret(ctx, o, ticket, in)
		if err != nil {
			return "", s.seen(ctx, o, err)
		}
		if rule != "" {
			o.failed, o.outcome = true, string(domain.CodeCredentialRejected)
			return rule, nil
		}
		return "", s.seen(ctx, o, s.replace(ctx, o, ticket, in, spent))
	})
}

// replace hashes and stores. What it cannot store has told that the secret is
// none of those before, if a try was spent on that: then the try is a failure.
func (s *Service) replace(ctx context.Context, o *operation, lane ticket, in presented, spent *try) (err error) {
	hash := lane.first
	if spent != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), verdictDeadline)
		defer cancel()
		hash = lane.next
		defer func() {
			if err != nil {
				err = cmp.Or(s.fail(ctx, o, *spent, domain.EventCredentialMismatch, "not stored"), err)
			}
		}()
	}
	encoded, err := s.hash(ctx, hash, in.secret)
	if err != nil {
		return err
	}
	defer domain.Secret(encoded).Wipe()
	return s.storeCredential(ctx, o, in, spent, encoded)
}

// storeCredential writes the credential under the key's authority, and tells
// what became of the try that was spent before.
func (s *Service) storeCredential(ctx context.Context, o *operation, in presented, spent *try, encoded []byte) error {
	err := s.retry(ctx, func(tx store.Tx) error { return s.putCredential(tx, o, in, spent, encoded) })
	if err == nil {
		o.entered = true
	}
	if spent != nil {
		if err == nil {
			s.cfg.Meters.Try(in.typ, metrics.TryGivenBack)
		}
		s.verdicts.settled(in.key.AccountID, in.typ)
	}
	return err
}

// putCredential is the transaction of a set: the credential, the ledger where
// it changes, and the entries of both.
func (s *Service) putCredential(tx store.Tx, o *operation, in presented, spent *try, encoded []byte) error {
	account, t := in.key.AccountID, in.typ
	found, err := s.attempts(tx, account, t)
	if err != nil {
		return err
	}
	ledger, _ := s.cfg.Attempts.Lapse(found, tx.Now())
	if spent != nil {
		var ok bool
		if ledger, ok = s.cfg.Attempts.GiveBack(ledger, spent.id); !ok {
			return errLate
		}
	}
	before, err := tx.Credential(account, t)
	c, first := before, errors.Is(err, store.ErrNotFound)
	if err != nil && !first {
		return err
	}
	event, fresh := domain.EventCredentialSet, first
	if first {
		c = domain.Credential{ID: domain.NewID(), AccountID: account, Type: t, CreatedAt: tx.Now()}
	} else if event, fresh, err = s.mayReplace(o.caller, in.device, before, ledger, tx.Now()); err != nil {
		return err
	}
	c.Version++
	c.UpdatedAt = tx.Now()
	if c.Sealed, err = s.keys.Seal(encoded, credentialData(c)); err != nil {
		return fmt.Errorf("sealing the verifier: %w", err)
	}
	if err := s.keepPrevious(tx, before); err != nil {
		return err
	}
	if err := tx.PutCredential(c, in.key.ID); err != nil {
		return err
	}
	entries := []domain.Entry{credentialEntry(o.entry(event, "ok", s.cfg.Now()), before, c)}
	switch {
	case fresh && ledger.Version > 0:
		ledger = s.next(ledger.Fresh())
		if err := tx.PutAttempts(ledger); err != nil {
			return err
		}
		entries = append(entries, attemptsEntry(o.note(domain.EventAttemptsReset, "ok"), found, ledger))
	case spent != nil:
		// Other tries that died are for the next verify to count and enter.
		ledger, _ = s.cfg.Attempts.GiveBack(found, spent.id)
		if err := tx.PutAttempts(s.next(ledger)); err != nil {
			return err
		}
	}
	return s.enter(tx, entries...)
}

// mayReplace says which event it is to replace a credential, and whether its
// ledger begins anew, or refuses it. While a lock stands only a caller with
// credential:reset may, which clears it. (Where nothing was set before there is
// no secret that a lock could guard: the first set starts with a fresh ledger.)
func (s *Service) mayReplace(c domain.Caller, device string, before domain.Credential, ledger domain.Attempts, now time.Time) (event domain.Event, fresh bool, err error) {
	switch {
	case !ledger.LockedFor(device, now):
		if !s.mayOverwrite(c, before, ledger, device, now) {
			return "", false, s.errNotFresh()
		}
		return domain.EventCredentialSet, false, nil
	case c.Permissions&domain.MayResetCredential == 0:
		return "", false, domain.LockedError(ledger, device, now)
	}
	return domain.EventCredentialReset, true, nil
}
