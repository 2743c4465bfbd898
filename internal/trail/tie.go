package trail

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// Processes that share a store append to chains of their own, so that they do not
// contend for one head. Ties enter the heads of all chains into one chain, so that
// a cut chain is detected.

const (
	settingTied = "audit_tied" // when chains were last tied: microseconds since 1970, eight bytes big-endian
	tieEvery    = 5 * time.Minute
)

// Tie enters the heads of all other chains that have grown since the last tie
// into one chain of this process. One process at a time does it for all. Tie
// belongs to one goroutine.
func (u *Upkeep) Tie(ctx context.Context) error {
	var heads []domain.Entry
	err := u.cfg.Records.View(ctx, func(tx *record.Tx) error {
		heads = nil
		last, due, err := lastTie(tx)
		if err != nil || !due {
			return err
		}
		// A chain that has not grown since the last tie is in that tie. So chains of
		// processes that ended before it cost nothing.
		grown := last
		if !last.IsZero() {
			grown = last.Add(-time.Minute)
		}
		all, err := tx.Heads(grown)
		for _, head := range all {
			if u.tied[head.Chain] != head.Seq {
				heads = append(heads, head)
			}
		}
		return err
	})
	if err != nil || len(heads) == 0 {
		return err
	}
	err = u.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error {
		if _, due, err := lastTie(tx); err != nil || !due {
			return err // another process was faster
		}
		for _, head := range heads {
			if head.Chain != u.cfg.Trail.Of(tx.Writer()) { // the chain that gets the ties needs none for itself
				tx.Enter(audit.Tie(head))
			}
		}
		return tx.PutSetting(settingTied, domain.EncodeTime(tx.Now()))
	})
	if err != nil {
		return err
	}
	for _, head := range heads {
		u.tied[head.Chain] = head.Seq
	}
	return nil
}

// lastTie returns when chains were last tied, and whether a tie is due.
func lastTie(tx *record.Tx) (last time.Time, due bool, err error) {
	last, err = lastDone(tx, settingTied)
	return last, tx.Now().Sub(last) >= tieEvery, err
}

// lastDone returns the time in a setting, or zero if there is none or it is in the
// future.
func lastDone(tx *record.Tx, setting string) (last time.Time, err error) {
	value, err := tx.Setting(setting)
	if errors.Is(err, store.ErrNotFound) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	if len(value) == 8 {
		last = domain.FromMicros(int64(binary.BigEndian.Uint64(value))) //nolint:gosec // as it was written
	}
	if last.After(tx.Now()) { // a clock was set back, or someone edited it
		last = time.Time{}
	}
	return last, nil
}
