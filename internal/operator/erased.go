package operator

import (
	"context"
	"errors"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// SweepErasedKeys removes the records of ended keys whose account was erased by
// version 0.6.0 or older, which kept them. Each call looks at some keys after those
// of the previous call, and returns true if there may be more. It must not be
// called in parallel.
func (u *access) SweepErasedKeys(ctx context.Context) (more bool, err error) {
	var without [][2]string
	var last [2]string
	err = u.cfg.Records.View(ctx, func(tx *record.Tx) (err error) {
		without, last, err = tx.KeysWithoutAccount(u.looked, erasedKeys)
		return err
	})
	u.looked = last
	more = u.looked != [2]string{}
	if err != nil || len(without) == 0 {
		return more, err
	}
	return more, u.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error {
		for _, key := range without {
			if err := removeErased(tx, key[0], key[1]); err != nil {
				return err
			}
		}
		return nil
	})
}

// removeErased removes a key whose account was erased. A key that has not ended
// stays: an erasure ends all keys, so this account was removed in another way.
func removeErased(tx *record.Tx, accountID, keyID string) error {
	switch _, err := tx.AccountByID(accountID); {
	case err == nil || record.IsTampered(err):
		return nil // the user came back
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	k, err := tx.KeyOf(accountID, keyID)
	switch {
	case errors.Is(err, store.ErrNotFound), record.IsTampered(err):
		return nil
	case err != nil:
		return err
	case k.State == domain.KeyActive, len(k.Sealed) > 0:
		return nil
	}
	e := tx.Note(domain.EventKeyRemoved, "ok")
	if e.Account, e.Device, err = tx.Whose(k); err != nil {
		return err
	}
	return tx.RemoveKey(e, k)
}
