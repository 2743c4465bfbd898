package service

import (
	"context"
	"errors"
	"fmt"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// ErrUnknown: the operator named an account, credential or key that is not
// there.
var ErrUnknown = errors.New("nothing of that name is in the store")

// ErrEnded: the operator named a key that ended earlier. Nothing was changed
// and nothing entered.
var ErrEnded = errors.New("the key has ended already: nothing was changed")

// Mode is that of the store's accounts.
func (s *Service) Mode() domain.Mode { return s.cfg.Mode }

// Unlock ends the lock of a credential and forgets its failures. The audit
// keeps the reason, as of every act of an operator.
func (s *Service) Unlock(ctx context.Context, issuer, subject string, t domain.CredentialType, reason string) error {
	return s.operate(ctx, issuer, subject, reason, func(tx store.Tx, account domain.Account, act domain.Entry) ([]domain.Entry, error) {
		found, err := tx.Attempts(account.ID, t)
		if err != nil {
			return nil, err
		}
		ledger := found
		// An edited ledger may be replaced here, and here only: the operator
		// has read of it in the log and decided. Its pending tries may be made
		// up, with leases that never end.
		if !s.keys.VerifyMAC(audit.AttemptsLabel, ledger.Authenticated(), ledger.MAC) {
			ledger.Pending = nil
		}
		// Tries that died before now are forgiven too. Left pending, they would
		// count, and lock again, after the unlock.
		ledger, _ = s.cfg.Attempts.Lapse(ledger, tx.Now())
		ledger = s.next(ledger.Fresh())
		act.Event = domain.EventAttemptsUnlocked
		return []domain.Entry{attemptsEntry(act, found, ledger)}, tx.PutAttempts(ledger)
	})
}

// Erase removes an account: its private keys, verifiers and ledgers. What
// stays is the trail, which names it by keyed hash only, and the records of
// its ended keys.
func (s *Service) Erase(ctx context.Context, issuer, subject, reason string) error {
	return s.operate(ctx, issuer, subject, reason, s.erase)
}

func (s *Service) erase(tx store.Tx, account domain.Account, act domain.Entry) ([]domain.Entry, error) {
	var entries []domain.Entry
	enter := func(event domain.Event, tell func(domain.Entry) domain.Entry) {
		e := act
		e.Event = event
		entries = append(entries, tell(e))
	}
	keys, err := tx.KeysOf(account.ID)
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		if k.State != domain.KeyActive && len(k.Sealed) == 0 {
			continue
		}
		ended, err := s.endKey(tx, k, domain.KeyRevoked, 0)
		if err != nil {
			return nil, err
		}
		enter(domain.EventKeyRevoked, func(e domain.Entry) domain.Entry { return keyEntry(e, k, ended) })
	}
	for _, t := range []domain.CredentialType{domain.Passcode, domain.TransactionPIN} {
		if c, err := tx.Credential(account.ID, t); err == nil {
			enter(domain.EventCredentialErased, func(e domain.Entry) domain.Entry { return credentialEntry(e, c, domain.Credential{}) })
		} else if !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		if a, err := tx.Attempts(account.ID, t); err == nil {
			enter(domain.EventAttemptsErased, func(e domain.Entry) domain.Entry { return attemptsEntry(e, a, domain.Attempts{}) })
		} else if !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		err := errors.Join(tx.DeleteCredential(account.ID, t), tx.DeletePrevious(account.ID, t), tx.DeleteAttempts(account.ID, t))
		if err != nil {
			return nil, err
		}
	}
	enter(domain.EventAccountErased, func(e domain.Entry) domain.Entry { return e })
	s.erased.Store(true)
	return entries, tx.DeleteAccount(account.ID)
}

// Revoke ends a key at once, in grace or not.
func (s *Service) Revoke(ctx context.Context, keyID, reason string) error {
	return s.act(ctx, func(tx store.Tx) error {
		k, err := tx.Key(keyID)
		if err != nil {
			return err
		}
		if k.State != domain.KeyActive && len(k.Sealed) == 0 {
			return ErrEnded
		}
		ended, err := s.endKey(tx, k, domain.KeyRevoked, 0)
		if err != nil {
			return err
		}
		act := s.operatorEntry(ctx, reason)
		act.Event = domain.EventKeyRevoked
		return s.trail.Append(tx, keyEntry(act, k, ended))
	})
}

func (s *Service) operate(ctx context.Context, issuer, subject, reason string, fn func(store.Tx, domain.Account, domain.Entry) ([]domain.Entry, error)) error {
	return s.act(ctx, func(tx store.Tx) error {
		caller := domain.Caller{Mode: s.cfg.Mode, Issuer: issuer, Subject: subject}
		account, err := s.accountOf(tx, caller, subject)
		if err != nil {
			return err
		}
		act := s.operatorEntry(ctx, reason)
		act.Account, _ = s.hashes(caller, subject)
		entries, err := fn(tx, account, act)
		if err != nil {
			return err
		}
		return s.trail.Append(tx, entries...)
	})
}

func (s *Service) operatorEntry(ctx context.Context, reason string) domain.Entry {
	return domain.Entry{RequestID: domain.CallerFrom(ctx).RequestID, Actor: "operator", Outcome: "ok", Reason: reason}
}

// act runs an operator's transaction and makes its erasures physical.
func (s *Service) act(ctx context.Context, fn func(store.Tx) error) error {
	err := s.update(ctx, fn)
	if errors.Is(err, store.ErrNotFound) {
		return ErrUnknown
	}
	if err == nil && s.erased.Swap(false) {
		// The act is done. Who hangs up now must not read that it failed.
		if err := s.scrub(context.WithoutCancel(ctx)); err != nil {
			return fmt.Errorf("it is done, but what was erased may be left in the database's log: %w", err)
		}
	}
	return err
}

// VerifyTrail checks the audit trail and holds every record against it, on one
// snapshot of the store. progress is told the number of entries checked so
// far. The error is of reading; what is wrong is in the report.
func (s *Service) VerifyTrail(ctx context.Context, progress func(entries int64)) (report audit.Report, err error) {
	err = s.cfg.Store.View(ctx, func(tx store.Tx) (err error) {
		report, err = audit.Verify(tx, s.keys, s.home, progress)
		return err
	})
	return report, err
}
