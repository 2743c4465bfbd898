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

// keyLimits bounds how many keys a device and an account get.
type keyLimits struct{ *gate }

// countInMemory runs answer and counts it against the limit of its device, if
// that limit is counted in memory. It counts first, so that parallel requests
// cannot exceed the limit.
func (l *keyLimits) countInMemory(o *operation, answer func() error) error {
	if l.cfg.KeyCounterInStore {
		return answer() // see countInStore
	}
	now := l.cfg.Now()
	if limit := l.cfg.Generations.Count([16]byte(o.device), now, l.cfg.EnforceKeyGenerationLimit); limit != nil {
		return limit
	}
	err := answer()
	if err != nil && !errors.Is(err, store.ErrUnknown) { // then the key may be stored
		l.cfg.Generations.GiveBack([16]byte(o.device), now)
	}
	return err
}

// countInStore counts a request in the transaction that answers it, if the limit
// is counted in the store.
func (l *keyLimits) countInStore(tx *record.Tx, o *operation) error {
	if !l.cfg.KeyCounterInStore {
		return nil // see countInMemory
	}
	most := int64(math.MaxInt64)
	if l.cfg.EnforceKeyGenerationLimit {
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
func (l *keyLimits) mayIssue(tx *record.Tx, o *operation, deviceID string) error {
	if l.cfg.KeyCounterInStore && l.cfg.EnforceKeyGenerationLimit {
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
	if l.maxDevices() == 0 {
		return nil
	}
	account := l.cfg.Records.AccountID(accountName(o.caller, deviceID))
	if _, err := tx.ActiveKey(account, deviceID); !errors.Is(err, store.ErrNotFound) {
		return err // it has a key, which the new one replaces
	}
	return l.roomForDevice(tx, account)
}

// looksBeforeIssue reports whether mayIssue reads anything.
func (l *keyLimits) looksBeforeIssue() bool {
	return l.cfg.KeyCounterInStore && l.cfg.EnforceKeyGenerationLimit || l.maxDevices() > 0
}

// maxDevices is how many devices with an active key an account may have; 0 means
// unlimited. In device mode each account is one device.
func (l *keyLimits) maxDevices() int {
	if l.cfg.Mode == domain.ModeDevice {
		return 0
	}
	return l.cfg.MaxDevices
}

// roomForDevice refuses another device for an account that is at the limit. One
// token with invented deviceIds must not fill the database.
func (l *keyLimits) roomForDevice(tx *record.Tx, accountID string) error {
	most := l.maxDevices()
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
func (l *keyLimits) SweepKeyGenerations(ctx context.Context) (more bool, err error) {
	beyond, err := record.View(ctx, l.cfg.Records, func(tx *record.Tx) (time.Time, error) {
		return tx.OldKeyGeneration(l.cfg.KeyCounterEntries)
	})
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return false, err
	}
	deleted, err := record.Update(ctx, l.cfg.Records, record.System, func(tx *record.Tx) (int, error) {
		return tx.DeleteKeyGenerations(beyond, sweptGenerations)
	})
	return deleted == sweptGenerations, err
}

const sweptGenerations = 1000 // counts deleted in one transaction, so that no request waits long
