package trail

import (
	"context"
	"errors"

	"strongroom/internal/record"
	"strongroom/internal/store"
)

// ShortenVerdicts gives the first chain of the store the newest form of verdicts once the
// chains of all running instances have it. From then on, verdicts take fewer bytes.
// Instances of earlier versions do not read that form, and cannot start any more.
// ShortenVerdicts belongs to one goroutine.
func (u *Upkeep) ShortenVerdicts(ctx context.Context) error {
	if u.shortens {
		return nil
	}
	due := false
	err := u.cfg.Records.View(ctx, func(tx *record.Tx) (err error) {
		if u.shortens, err = short(tx, u.cfg.Home); err != nil || u.shortens {
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
	if err != nil || u.shortens || !due {
		return err
	}
	err = u.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error { return tx.NumberChain(u.cfg.Home) })
	if err == nil {
		u.cfg.Log.Info("all running instances read short verdicts: from now on, verdicts are stored in that form")
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
