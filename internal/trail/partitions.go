package trail

import (
	"context"
	"errors"
	"slices"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// An engine may keep the verdicts of the processes that began in one month in one
// partition. Dropping it costs the database almost nothing. Removing its entries one by
// one costs about as much as writing them did. So retention waits until the newest entry
// of a partition is old enough. It does not wait for a partition with a running process.

// togetherWithin limits how much longer than the retention entries stay for that. Entries
// that are more than this older than the newest one of their partition are removed one by
// one.
const togetherWithin = 31 * 24 * time.Hour

// oldestKept returns, for each chain, the time before which entries are removed.
func (u *Upkeep) oldestKept(tx *record.Tx, together bool, before time.Time) (func(chain string) time.Time, error) {
	late := map[string]bool{}
	if together {
		partitions, err := u.ended(tx)
		if err != nil {
			return nil, err
		}
		for _, p := range partitions {
			isOld := func(chain string) (bool, error) {
				head, err := tx.LastEntry(chain)
				return err == nil && head.Time.Before(before), err
			}
			old, err := all(p.Chains, isOld)
			if err != nil {
				return nil, err
			}
			for _, chain := range p.Chains {
				late[chain] = !old
			}
		}
	}
	return func(chain string) time.Time {
		if late[chain] {
			return before.Add(-togetherWithin)
		}
		return before
	}, nil
}

// all reports whether the condition is holds for every chain. It ignores chains without
// entries.
func all(chains []string, is func(chain string) (bool, error)) (bool, error) {
	for _, chain := range chains {
		one, err := is(chain)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return false, err
		}
		if err == nil && !one {
			return false, nil
		}
	}
	return true, nil
}

// ended returns the partitions without a chain of a running process.
func (u *Upkeep) ended(tx *record.Tx) ([]store.Partition, error) {
	partitions, err := tx.Partitions()
	if err != nil || len(partitions) == 0 {
		return nil, err
	}
	running, err := u.cfg.Running(tx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(partitions, func(p store.Partition) bool {
		return slices.ContainsFunc(running, func(chain string) bool { return slices.Contains(p.Chains, chain) })
	}), nil
}

// dropPartitions drops the partitions from which no verdict must stay. Call it after the
// statements about the removals were written.
func (u *Upkeep) dropPartitions(ctx context.Context, removals []*audit.Removal) (dropped int, err error) {
	end, upTo := time.Now().Add(dropWithin), map[string]int64{}
	for _, r := range removals {
		upTo[r.Chain] = r.UpTo
	}
	partitions, err := record.View(ctx, u.cfg.Records, u.ended)
	if err != nil {
		return 0, err
	}
	for _, p := range partitions {
		one, err := u.drop(ctx, p, upTo, end)
		if err != nil {
			return dropped, err
		}
		if one {
			dropped++
		}
	}
	return dropped, nil
}

// How long the partitions wait for transactions that began earlier, and how often a drop
// is attempted.
const (
	dropWithin = time.Minute
	dropEvery  = time.Second
)

// drop reports whether it dropped the partition. If others use the table all the time, or
// the database refuses the drop, its entries are removed one by one.
func (u *Upkeep) drop(ctx context.Context, p store.Partition, upTo map[string]int64, end time.Time) (bool, error) {
	ready, err := record.Update(ctx, u.cfg.Records, record.System, func(tx *record.Tx) (bool, error) { return tx.MoveNext(p, upTo) })
	if err != nil || !ready {
		return false, err
	}
	moved := time.Now()
	for {
		dropped, err := record.Update(ctx, u.cfg.Records, record.System, func(tx *record.Tx) (bool, error) {
			return tx.DropPartition(p, upTo, time.Since(moved))
		})
		switch {
		case err == nil, ctx.Err() != nil:
			return dropped, err
		case !errors.Is(err, store.ErrUnavailable): // a view may depend on the partition; if the database has failed, so does the removal
			u.cfg.Log.WarnContext(ctx, "a partition of the audit trail was not dropped: its entries are deleted one by one", "partition", p.Name, "error", err)
			return false, nil
		}
		if time.Now().After(end) {
			return false, nil
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(dropEvery):
		}
	}
}
