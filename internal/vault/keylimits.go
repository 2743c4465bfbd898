package vault

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/ratelimit"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// countInMemory runs answer and counts it against the limit of its device, if
// that limit is counted in memory. It counts first, so that parallel requests
// cannot exceed the limit.
func (v *Keys) countInMemory(o *operation, answer func() error) error {
	if v.cfg.KeyCounterInStore {
		return answer() // see countInStore
	}
	now := v.cfg.Now()
	if limit := v.cfg.Generations.Count([16]byte(o.device), now, v.cfg.EnforceKeyGenerationLimit); limit != nil {
		return limit
	}
	err := answer()
	if err != nil && !errors.Is(err, store.ErrUnknown) { // then the key may be stored
		v.cfg.Generations.GiveBack([16]byte(o.device), now)
	}
	return err
}

// countInStore counts a request in the transaction that answers it, if the limit
// is counted in the store.
func (v *Keys) countInStore(tx *record.Tx, o *operation) error {
	if !v.cfg.KeyCounterInStore {
		return nil // see countInMemory
	}
	most := int64(math.MaxInt64)
	if v.cfg.EnforceKeyGenerationLimit {
		most = ratelimit.MaxKeyGenPerDevice
	}
	reset, counted, err := tx.CountKeyGeneration(o.device, ratelimit.KeyGenWindow, most)
	if err != nil {
		return fmt.Errorf("counting a request for a key: %w", err)
	}
	if !counted {
		return &domain.KeyGenerationLimitError{ResetIn: reset.Sub(tx.Now())}
	}
	return nil
}

// mayIssue refuses early what replaceKey would refuse, to save generating the
// key pair.
func (v *Keys) mayIssue(tx *record.Tx, o *operation, deviceID string) error {
	if v.cfg.KeyCounterInStore && v.cfg.EnforceKeyGenerationLimit {
		count, reset, err := tx.KeyGeneration(o.device)
		left := reset.Sub(tx.Now())
		switch {
		case errors.Is(err, store.ErrNotFound):
		case err != nil:
			return err
		case count >= ratelimit.MaxKeyGenPerDevice && left <= 2*ratelimit.KeyGenWindow:
			return &domain.KeyGenerationLimitError{ResetIn: left}
		}
	}
	if v.maxDevices() == 0 {
		return nil
	}
	account := v.cfg.Records.AccountID(accountName(o.caller, deviceID))
	if _, err := tx.ActiveKey(account, deviceID); !errors.Is(err, store.ErrNotFound) {
		return err // it has a key, which the new one replaces
	}
	return v.roomForDevice(tx, account)
}

// looksBeforeIssue reports whether mayIssue reads anything.
func (v *Keys) looksBeforeIssue() bool {
	return v.cfg.KeyCounterInStore && v.cfg.EnforceKeyGenerationLimit || v.maxDevices() > 0
}

// maxDevices is how many devices with an active key an account may have; 0 means
// unlimited. In device mode each account is one device.
func (v *Keys) maxDevices() int {
	if v.cfg.Mode == domain.ModeDevice {
		return 0
	}
	return v.cfg.MaxDevices
}

// roomForDevice refuses another device for an account that is at the limit. One
// token with invented deviceIds must not fill the database.
func (v *Keys) roomForDevice(tx *record.Tx, accountID string) error {
	most := v.maxDevices()
	if most == 0 {
		return nil
	}
	full, err := tx.HasActiveKeys(accountID, most)
	if err != nil || !full {
		return err
	}
	return &domain.Error{Code: domain.CodeForbidden, Reason: domain.ReasonTooManyDevices, Message: fmt.Sprintf("This account has reached its limit of devices with an active key: "+
		"%d (setting max-devices-per-account). An operator can revoke the key of a device that is no longer used.", most)}
}

// SweepKeyGenerations deletes counts whose window has ended, and the oldest
// counts above the bound. Each call deletes one portion, and returns true if
// there may be more. It also runs if the counter is in memory, to remove the
// counts that an earlier setting left.
func (v *Keys) SweepKeyGenerations(ctx context.Context) (more bool, err error) {
	beyond, err := record.View(ctx, v.cfg.Records, func(tx *record.Tx) (time.Time, error) {
		return tx.OldKeyGeneration(v.cfg.KeyCounterEntries)
	})
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return false, err
	}
	deleted, err := record.Update(ctx, v.cfg.Records, record.System, func(tx *record.Tx) (int, error) {
		return tx.DeleteKeyGenerations(beyond, sweptGenerations)
	})
	return deleted == sweptGenerations, err
}

const sweptGenerations = 1000 // counts deleted in one transaction, so that no request waits long
