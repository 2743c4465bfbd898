package trail

import (
	"context"
	"errors"

	"strongroom/internal/record"
	"strongroom/internal/store"
)

// PackVerdicts gives the first chain of the store a number once all running instances
// have chains with numbers. From then on, verdicts take a third of the bytes. Instances
// of 0.8.0, which would miss these entries, number no chain, and cannot start any more.
// PackVerdicts belongs to one goroutine.
func (u *Upkeep) PackVerdicts(ctx context.Context) error {
	if u.packs {
		return nil
	}
	due := false
	err := u.cfg.Records.View(ctx, func(tx *record.Tx) (err error) {
		if u.packs, err = numbered(tx, u.cfg.Home); err != nil || u.packs {
			return err
		}
		chains, err := u.cfg.Running(tx)
		if err != nil {
			return err
		}
		due = len(chains) > 0
		for _, chain := range chains {
			one, err := numbered(tx, chain)
			if err != nil {
				return err
			}
			due = due && one
		}
		return nil
	})
	if err != nil || u.packs || !due {
		return err
	}
	err = u.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error { return tx.NumberChain(u.cfg.Home) })
	if err == nil {
		u.cfg.Log.Info("all running instances read packed verdicts: from now on, verdicts are stored in that form")
	}
	return err
}

func numbered(tx *record.Tx, chain string) (bool, error) {
	_, err := tx.ChainNumber(chain)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
