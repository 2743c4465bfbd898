package operator

import (
	"context"
	"errors"
	"math"
	"slices"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// RevokeKey ends a key at once, even if it is in grace. A key whose record was edited
// can be revoked even if it has ended: its device then gets a new one.
func (u Inventory) RevokeKey(ctx context.Context, keyID string, act domain.Act) (domain.ActResult, error) {
	return u.act(ctx, request{act, "revoke key", [][]byte{[]byte(keyID)}}, func(tx *record.Tx, e domain.Entry) error {
		k, err := tx.Key(keyID)
		edited := record.IsTampered(err)
		if err != nil && !edited {
			return notFound("key", err)
		}
		if k.State != domain.KeyActive && len(k.Sealed) == 0 && !edited {
			return domain.Conflict("The key has ended already: nothing was changed.")
		}
		e.Event = domain.EventKeyRevoked
		if e.Account, e.Device, err = tx.Whose(k); err != nil {
			return err
		}
		if edited {
			return tx.RevokeEdited(e, k)
		}
		return tx.EndKey(e, k, domain.KeyRevoked, 0)
	})
}

// UnbindKey ends the binding of a key, active or ended, to the key of its device.
// The device's owner can then bind it anew with another key.
func (u Inventory) UnbindKey(ctx context.Context, keyID string, act domain.Act) (domain.ActResult, error) {
	return u.act(ctx, request{act, "unbind key", [][]byte{[]byte(keyID)}}, func(tx *record.Tx, e domain.Entry) error {
		k, err := tx.Key(keyID)
		switch {
		case record.IsTampered(err):
			return domain.Conflict("The record of the key was edited: nothing was changed. Revoke the key.")
		case err != nil:
			return notFound("key", err)
		case k.Thumbprint == "":
			return domain.Conflict("The key is not bound: nothing was changed.")
		}
		e.Event = domain.EventKeyUnbound
		if e.Account, e.Device, err = tx.Whose(k); err != nil {
			return err
		}
		_, err = tx.BindKey(e, k, "")
		return err
	})
}

// Unlock ends the locks of a credential and of its devices, and clears its
// failures.
func (u Inventory) Unlock(ctx context.Context, accountID string, t domain.CredentialType, act domain.Act) (domain.ActResult, error) {
	if !slices.Contains(domain.CredentialTypes, t) {
		return domain.ActResult{}, domain.BadInput("type", "must be PASSCODE or TRANSACTION_PIN")
	}
	return u.act(ctx, request{act, "unlock", [][]byte{[]byte(accountID), []byte(t)}}, func(tx *record.Tx, e domain.Entry) error {
		account, err := tx.AccountByID(accountID)
		if err != nil {
			return notFound("account", err)
		}
		counter, err := tx.Attempts(account.ID, t)
		switch {
		case record.IsTampered(err):
			counter.Replace()
		case err != nil:
			return err
		case !counter.Exists():
			return notFound("attempt at this credential", store.ErrNotFound)
		}
		e.Event = domain.EventAttemptsUnlocked
		e.Account, _ = u.cfg.Records.Hashes(account, "")
		counter.Reset(e)
		return nil
	})
}

// RequireChange marks a credential. A successful verify then says that its secret must
// be changed, until a set replaces it.
func (u Inventory) RequireChange(ctx context.Context, accountID string, t domain.CredentialType, act domain.Act) (domain.ActResult, error) {
	if !slices.Contains(domain.CredentialTypes, t) {
		return domain.ActResult{}, domain.BadInput("type", "must be PASSCODE or TRANSACTION_PIN")
	}
	return u.act(ctx, request{act, "require change", [][]byte{[]byte(accountID), []byte(t)}}, func(tx *record.Tx, e domain.Entry) error {
		account, err := tx.AccountByID(accountID)
		if err != nil {
			return notFound("account", err)
		}
		c, err := tx.Credential(account.ID, t)
		switch {
		case err != nil:
			return err
		case c.Version == 0:
			return notFound("credential that is set", store.ErrNotFound)
		}
		e.Event = domain.EventCredentialMarked
		e.Account, _ = u.cfg.Records.Hashes(account, "")
		marked, err := tx.RequireChange(e, c)
		if err == nil && !marked {
			return domain.Conflict("The credential must be changed already: nothing was changed.")
		}
		return err
	})
}

const (
	erasedKeys   = 200    // keys ended or removed in one transaction, so that no request waits long
	mostPortions = 10_000 // then all remaining keys are erased at once, in case a client gets new keys as fast as these end
)

// EraseAccount removes an account: its keys, verifiers and attempt counters. The
// trail stays, which contains only keyed hashes of its name and of its devices.
// Its keys go first, in portions: an interrupted erasure leaves an account with
// fewer keys, and a repeat does the rest. If the account's name was edited, the
// erasure repairs that, and its entries name the account only if that is still known.
func (u Inventory) EraseAccount(ctx context.Context, accountID string, act domain.Act) (domain.ActResult, error) {
	portions := 0
	return u.act(ctx, request{act, "erase account", [][]byte{[]byte(accountID)}}, func(tx *record.Tx, e domain.Entry) error {
		account, err := u.erasable(tx, accountID)
		if err != nil {
			return err
		}
		if account.Subject != "" {
			e.Account, _ = u.cfg.Records.Hashes(account, "")
		}
		e.About.Account = account // its row no longer exists when the last entries are made
		limit := erasedKeys
		if portions++; portions > mostPortions {
			limit = math.MaxInt32 - 1
		}
		if err := u.endKeysOf(tx, account, e, limit); err != nil {
			return err
		}
		if err := u.removeKeysOf(tx, account, e, limit); err != nil {
			return err
		}
		return errors.Join(tx.EraseAccount(e, account), u.cfg.Outbox.Forget(tx, account.ID))
	})
}

// erasable returns an account that is erased. If its name was edited, the account is
// returned without it. In device mode, the name is found in the account's keys.
func (u Inventory) erasable(tx *record.Tx, id string) (domain.Account, error) {
	account, err := tx.AccountByID(id)
	if !record.IsTampered(err) {
		return account, notFound("account", err)
	}
	keys, err := tx.KeysOf(id, 1)
	device := ""
	if len(keys) > 0 {
		device = keys[0].DeviceID
	}
	return u.shown(nil, id, device), err
}

// endKeysOf ends at most limit keys of an account. If there are more, it
// returns errPortion.
func (u Inventory) endKeysOf(tx *record.Tx, account domain.Account, e domain.Entry, limit int) error {
	keys, err := tx.LiveKeysOf(account.ID, limit+1)
	e.Event = domain.EventKeyRevoked
	return u.eachKey(keys, err, account, e, limit, func(e domain.Entry, k domain.DeviceKey) error {
		return tx.EndKey(e, k, domain.KeyRevoked, 0)
	})
}

// removeKeysOf removes the records of at most limit ended keys of an account,
// like endKeysOf.
func (u Inventory) removeKeysOf(tx *record.Tx, account domain.Account, e domain.Entry, limit int) error {
	keys, err := tx.KeysOf(account.ID, limit+1)
	return u.eachKey(keys, err, account, e, limit, tx.RemoveKey)
}

func (u Inventory) eachKey(keys []domain.DeviceKey, err error, account domain.Account, e domain.Entry, limit int, do func(domain.Entry, domain.DeviceKey) error) error {
	if err != nil {
		return err
	}
	for _, k := range keys[:min(len(keys), limit)] {
		if account.Subject != "" {
			_, e.Device = u.cfg.Records.Hashes(account, k.DeviceID)
		}
		if err := do(e, k); err != nil {
			return err
		}
	}
	if len(keys) > limit {
		return errPortion
	}
	return nil
}
