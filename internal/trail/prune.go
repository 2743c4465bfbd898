package trail

import (
	"context"
	"fmt"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
)

// Pruning says which entries of the audit trail are to be removed.
type Pruning struct {
	Before    time.Time     // entries from before it; zero: OlderThan decides
	OlderThan time.Duration // entries of this age by the store's clock
	Reason    string        // why, for the trail
	Archive   string        // file to make, into which they are written first; empty: none

	// Progress is called as the verification advances. It may be nil.
	Progress func(audit.Progress)
}

// Pruned is what a prune did.
type Pruned struct {
	Problems  []audit.Problem // what the verification found; if any, nothing was removed
	Entries   int64           // entries that were removed, or were to be removed when it failed
	Carried   int             // records whose last entry was written again
	RequestID string          // of its entries
}

// pruneKeeps is the age below which nothing is pruned. Whatever reads entries
// from the trail has read them by then.
const pruneKeeps = 24 * time.Hour

const (
	pruneBatch = 500 // entries written or removed in one transaction
	settingCut = "audit_pruned"
)

// Prune removes the oldest entries of the audit trail. act is the start of its
// entries. It is safe beside running servers. If it is interrupted, it leaves a
// trail that verifies, and the next prune continues.
func (u *Upkeep) Prune(ctx context.Context, what Pruning, act domain.Entry) (Pruned, error) {
	act.RequestID = domain.NewRequestID(u.cfg.Now()) // of this run and no other
	done := Pruned{RequestID: act.RequestID}
	plan, err := u.planPrune(ctx, what, act)
	if err != nil {
		return done, err
	}
	done.Problems = plan.Report.Problems
	if len(done.Problems) > 0 || len(plan.Removals) == 0 {
		return done, nil
	}
	if what.Archive != "" {
		if err := u.archive(ctx, plan, what.Archive); err != nil {
			return done, err
		}
	}
	if done.Carried, err = u.state(ctx, plan); err != nil {
		return done, fmt.Errorf("entering a prune of the audit trail: %w", err)
	}
	done.Entries = plan.Count()
	for _, removal := range plan.Removals {
		if err := u.remove(ctx, removal); err != nil {
			return done, fmt.Errorf("removing entries of the audit trail, which the next prune goes on with: %w", err)
		}
	}
	return done, nil
}

func (u *Upkeep) planPrune(ctx context.Context, what Pruning, act domain.Entry) (plan *audit.Plan, err error) {
	err = u.cfg.Records.View(ctx, func(tx *record.Tx) error {
		before, now := what.Before, tx.Steady() // a clock that is ahead must not make entries old
		if before.IsZero() {
			before = now.Add(-what.OlderThan)
		}
		if now.Sub(before) < pruneKeeps {
			return domain.BadInput("before", "must be more than 24 hours ago")
		}
		folded := func(chain string) (int64, error) { return metrics.FoldedTo(tx, chain) }
		plan, err = audit.PlanPrune(records{tx, u.cfg.Plans}, u.cfg.Keys, u.cfg.Home, before, act, folded, what.Progress)
		return err
	})
	return plan, err
}

// archive writes what the plan removes to a new file, durably.
func (u *Upkeep) archive(ctx context.Context, plan *audit.Plan, path string) error {
	to, err := audit.CreateArchive(path)
	if err != nil {
		return err
	}
	for _, removal := range plan.Removals {
		for last := (domain.Entry{}); last.Seq < removal.UpTo; {
			next, err := record.View(ctx, u.cfg.Records, func(tx *record.Tx) ([]domain.Entry, error) {
				return removal.Next(tx, u.cfg.Keys, last, exportBatch)
			})
			if err == nil && len(next) == 0 {
				err = fmt.Errorf("entries of chain %s are gone: another prune removed them; look with strongroom audit verify", removal.Chain)
			}
			if err == nil {
				err = to.Add(next)
			}
			if err != nil {
				_ = to.Close()
				return fmt.Errorf("nothing was removed, and the archive is of no use: %w", err)
			}
			last = next[len(next)-1]
		}
	}
	return to.Close()
}

// state enters what must be in the trail before anything is removed: first about
// the records, then, in one transaction that makes the prune valid, about the
// chains.
func (u *Upkeep) state(ctx context.Context, plan *audit.Plan) (carried int, err error) {
	for {
		entries, err := record.View(ctx, u.cfg.Records, func(tx *record.Tx) ([]domain.Entry, error) {
			return plan.Carried(tx, carried, pruneBatch)
		})
		if err != nil {
			return carried, err
		}
		if len(entries) == 0 {
			break
		}
		err = atLeisure(ctx, func() error { return u.cfg.Records.Enter(ctx, entries...) })
		if err != nil {
			return carried, err
		}
		carried += len(entries)
	}
	return carried, u.cfg.Records.Enter(ctx, plan.Statements...)
}

func (u *Upkeep) remove(ctx context.Context, removal *audit.Removal) error {
	for {
		n := 0
		err := atLeisure(ctx, func() (err error) {
			n, err = record.Update(ctx, u.cfg.Records, record.System, func(tx *record.Tx) (int, error) {
				return tx.DeleteEntries(removal.Chain, removal.UpTo, pruneBatch)
			})
			return err
		})
		if err != nil || n < pruneBatch {
			return err
		}
	}
}

// atLeisure runs write and then pauses as long as that took, so that requests
// get to the store first.
func atLeisure(ctx context.Context, write func() error) error {
	start := time.Now()
	if err := write(); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Since(start)):
		return nil
	}
}

const cutEvery = 24 * time.Hour

// PruneDue prunes what is older than the retention, if no process has done so in
// the last 24 hours.
func (u *Upkeep) PruneDue(ctx context.Context) error {
	due, err := record.Update(ctx, u.cfg.Records, record.System, func(tx *record.Tx) (bool, error) {
		last, err := lastDone(tx, settingCut)
		if err != nil || tx.Now().Sub(last) < cutEvery {
			return false, err
		}
		return true, tx.PutSetting(settingCut, domain.EncodeTime(tx.Now()))
	})
	if err != nil || !due {
		return err
	}
	done, err := u.Prune(ctx, Pruning{OlderThan: u.cfg.Retention},
		domain.Entry{Actor: "system", Outcome: "ok", Reason: "audit-retention " + u.cfg.Retention.String()})
	if err != nil {
		return err
	}
	if n := len(done.Problems); n > 0 {
		return fmt.Errorf("nothing was removed, since the trail does not verify (%s): look with strongroom audit verify", done.Problems[0])
	}
	if done.Entries > 0 {
		u.cfg.Log.Info("the audit trail was pruned", "entries", done.Entries, "carried", done.Carried, "request_id", done.RequestID)
	}
	return nil
}
