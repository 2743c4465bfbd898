package service

import (
	"context"
	"errors"
	"math"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// RevokeKey ends a key at once, in grace or not.
func (s *Service) RevokeKey(ctx context.Context, keyID string, act domain.Act) (domain.Receipt, error) {
	return s.act(ctx, request{act, "revoke key", [][]byte{[]byte(keyID)}}, func(tx store.Tx, e domain.Entry) ([]domain.Entry, error) {
		k, err := s.keyByID(tx, keyID)
		if err != nil {
			return nil, notFound("key", err)
		}
		if k.State != domain.KeyActive && len(k.Sealed) == 0 {
			return nil, conflict("The key has ended already: nothing was changed.")
		}
		ended, err := s.endKey(tx, k, domain.KeyRevoked, 0)
		if err != nil {
			return nil, err
		}
		e.Event = domain.EventKeyRevoked
		e.Account, e.Device, err = s.whose(tx, k)
		return []domain.Entry{keyEntry(e, k, ended)}, err
	})
}

// Unlock ends the lock of a credential and of its devices, and forgets its
// failures.
func (s *Service) Unlock(ctx context.Context, accountID string, t domain.CredentialType, act domain.Act) (domain.Receipt, error) {
	if _, known := operations[t]; !known {
		return domain.Receipt{}, domain.BadInput("type", "must be PASSCODE or TRANSACTION_PIN")
	}
	return s.act(ctx, request{act, "unlock", [][]byte{[]byte(accountID), []byte(t)}}, func(tx store.Tx, e domain.Entry) ([]domain.Entry, error) {
		account, err := s.accountByID(tx, accountID)
		if err != nil {
			return nil, notFound("account", err)
		}
		found, err := tx.Attempts(account.ID, t)
		if err != nil {
			return nil, notFound("try at this credential", err)
		}
		ledger := found
		// An edited ledger may be replaced here, and here only: the operator
		// has read of it in the log and decided. Its pending tries may be made
		// up, with leases that never end.
		if s.checkAttempts(ledger) != nil {
			ledger.Pending = nil
		}
		// Tries that died before now are forgiven too. Left pending, they would
		// count, and lock again, after the unlock.
		ledger, _ = s.cfg.Attempts.Lapse(ledger, s.steadyNow(tx))
		ledger = s.next(ledger.Fresh())
		e.Event = domain.EventAttemptsUnlocked
		e.Account, _ = s.hashesOf(account, "")
		return []domain.Entry{attemptsEntry(e, found, ledger)}, tx.PutAttempts(ledger)
	})
}

const (
	endedKeys    = 200    // ended in one transaction, so that no request waits long
	mostPortions = 10_000 // past which an erasure ends what is left at once: somebody gets keys as fast as it ends them
)

// EraseAccount removes an account: its private keys, verifiers and ledgers.
// What stays is the trail, which names it by keyed hash only, and the records
// of its ended keys. Where it has many keys they are ended in portions, before
// all else: an erasure that was interrupted leaves an account with fewer keys,
// and a repeat does the rest.
func (s *Service) EraseAccount(ctx context.Context, accountID string, act domain.Act) (domain.Receipt, error) {
	portions := 0
	return s.act(ctx, request{act, "erase account", [][]byte{[]byte(accountID)}}, func(tx store.Tx, e domain.Entry) ([]domain.Entry, error) {
		account, err := s.accountByID(tx, accountID)
		if err != nil {
			return nil, notFound("account", err)
		}
		e.Account, _ = s.hashesOf(account, "")
		e.About.Account = account // its row is gone when the last entries are made
		limit := endedKeys
		if portions++; portions > mostPortions {
			limit = math.MaxInt32
		}
		entries, more, err := s.endKeysOf(tx, account, e, limit)
		if err != nil {
			return nil, err
		}
		if more {
			return entries, errPortion
		}
		erased, err := s.erase(tx, account, e)
		return append(entries, erased...), err
	})
}

// endKeysOf ends at most limit keys of an account, and says whether there are
// more.
func (s *Service) endKeysOf(tx store.Tx, account domain.Account, act domain.Entry, limit int) (entries []domain.Entry, more bool, err error) {
	keys, err := tx.LiveKeysOf(account.ID, limit+1)
	if err != nil {
		return nil, false, err
	}
	more = len(keys) > limit
	for _, k := range keys[:min(len(keys), limit)] {
		ended, err := s.endKey(tx, k, domain.KeyRevoked, 0)
		if err != nil {
			return nil, false, err
		}
		e := act
		e.Event = domain.EventKeyRevoked
		_, e.Device = s.hashesOf(account, k.DeviceID)
		entries = append(entries, keyEntry(e, k, ended))
	}
	return entries, more, nil
}

func (s *Service) erase(tx store.Tx, account domain.Account, act domain.Entry) ([]domain.Entry, error) {
	var entries []domain.Entry
	enter := func(event domain.Event, tell func(domain.Entry) domain.Entry) {
		e := act
		e.Event = event
		entries = append(entries, tell(e))
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
	enter(domain.EventAccountErased, func(e domain.Entry) domain.Entry {
		e.Record = domain.RecordAccount + "/" + account.ID
		return e
	})
	s.erased.Store(true)
	return entries, errors.Join(tx.DeleteKeyUses(account.ID), s.forgetEvents(tx, account.ID), tx.DeleteAccount(account.ID))
}
