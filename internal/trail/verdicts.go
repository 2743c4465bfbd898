package trail

import (
	"context"
	"errors"

	"strongroom/internal/record"
	"strongroom/internal/store"
)

// UseShortVerdicts sets the first chain of the store to short verdicts once the chains of
// all running instances have them. From then on, new verdicts take fewer bytes. Instances of
// earlier versions do not read short verdicts, and can no longer start. UseShortVerdicts
// belongs to one goroutine.
func (u *Upkeep) UseShortVerdicts(ctx context.Context) error {
	if u.shortVerdicts {
		return nil
	}
	due := false
	err := u.cfg.Records.View(ctx, func(tx *record.Tx) (err error) {
		if u.shortVerdicts, err = short(tx, u.cfg.Home); err != nil || u.shortVerdicts {
			return err
		}
		chains, err := u.cfg.Running(tx)
		if err != nil {
			return err
		}
		due = len(chains) > 0
		for _, chain := range chains {
			one, err := short(tx, chain)
			if err != nil {
				return err
			}
			due = due && one
		}
		return nil
	})
	if err != nil || u.shortVerdicts || !due {
		return err
	}
	err = u.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error { return tx.NumberChain(u.cfg.Home) })
	if err == nil {
		u.cfg.Log.Info("all running instances read short verdicts: new verdicts are stored as short verdicts from now on")
	}
	return err
}

func short(tx *record.Tx, chain string) (bool, error) {
	form, err := tx.ChainForm(chain)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return form >= store.ShortForm, err
}
