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
	tieMemory   = 30 * time.Minute // how long a process goes by its own last ties
)

// Tie enters the heads of all other chains that have grown since the last tie
// into one chain of this process. One process at a time does it for all. Tie
// belongs to one goroutine.
func (u *Upkeep) Tie(ctx context.Context) error {
	var heads []domain.Entry
	var at time.Time
	err := u.cfg.Records.View(ctx, func(tx *record.Tx) error {
		heads, at = nil, tx.Now()
		last, due, err := lastTie(tx)
		if err != nil || !due {
			return err
		}
		all, err := tx.Heads(u.notTiedSince(last, at))
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
	entered := false
	err = u.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error {
		_, due, err := lastTie(tx)
		if entered = due; err != nil || !due {
			return err // another process was faster
		}
		for _, head := range heads {
			if head.Chain != u.cfg.Trail.Of(tx.Writer()) { // the chain that gets the ties needs none for itself
				tx.Enter(audit.Tie(head))
			}
		}
		return tx.PutSetting(settingTied, domain.EncodeTime(tx.Now()))
	})
	if err != nil || !entered {
		return err
	}
	u.tiedTo = at
	for _, head := range heads {
		u.tied[head.Chain] = head.Seq
	}
	return nil
}

// notTiedSince returns from when on chains may have grown without a tie. Chains of
// processes that ended before cost nothing. Anyone who can write to the database can set
// the time of the last tie forward, so a process that tied lately takes its own word. Not
// longer ago: then it would read many entries that others have tied.
func (u *Upkeep) notTiedSince(last, now time.Time) time.Time {
	if !u.tiedTo.IsZero() && u.tiedTo.Before(last) && now.Sub(u.tiedTo) <= tieMemory {
		last = u.tiedTo
	}
	if last.IsZero() {
		return last // nothing was ever tied
	}
	return last.Add(-time.Minute)
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
