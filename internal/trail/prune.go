package trail

import (
	"context"
	"errors"
	"fmt"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
)

// Pruning says which entries of the audit trail are to be removed.
type Pruning struct {
	Before    time.Time     // remove entries before this time; zero: use OlderThan
	OlderThan time.Duration // remove entries older than this by the store's clock
	Reason    string        // the reason that the trail records
	Archive   string        // new file to which the entries are written first; empty: none
	// Together keeps entries up to 31 days longer, until their whole partition of the trail
	// can be dropped.
	Together bool

	// Progress is called as the verification advances. It may be nil.
	Progress func(audit.Progress)
}

// Pruned is what a prune did.
type Pruned struct {
	Problems  []audit.Problem // found by the verification; if there are any, nothing was removed
	Entries   int64           // removed entries, or entries to remove if it failed
	Carried   int             // records with a record.carried entry in place of their last entry
	Dropped   int             // partitions that were dropped whole
	RequestID string          // of the entries about this prune
}

// pruneKeeps is the age below which nothing is pruned. Everything that reads new
// entries has read them by then.
const pruneKeeps = 24 * time.Hour

const (
	pruneBatch = 500 // entries written or removed in one transaction
	settingCut = "audit_pruned"
)

// Prune removes the oldest entries of the audit trail. act is the start of the
// entries about it. Servers may run meanwhile. An interrupted prune leaves a trail
// that verifies, and the next prune continues.
func (u *Upkeep) Prune(ctx context.Context, what Pruning, act domain.Entry) (Pruned, error) {
	act.RequestID = domain.NewRequestID(u.cfg.Now()) // identifies this run
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
	err = u.carryOut(ctx, plan, &done)
	if err != nil && what.Archive != "" { // also if the outcome of a commit is unknown
		err = fmt.Errorf("%w; keep the archive %s: it may have the only copy of entries that were removed, or that the next prune removes", err, what.Archive)
	}
	return done, err
}

// carryOut writes the entries about the removals of the plan, and then removes.
func (u *Upkeep) carryOut(ctx context.Context, plan *audit.Plan, done *Pruned) (err error) {
	if done.Carried, err = u.state(ctx, plan); err != nil {
		return fmt.Errorf("writing the entries about a prune of the audit trail: %w", err)
	}
	done.Entries = plan.Count()
	if done.Dropped, err = u.dropPartitions(ctx, plan.Removals); err != nil {
		return fmt.Errorf("removing a partition of the audit trail (the next prune continues): %w", err)
	}
	for _, removal := range plan.Removals {
		if err := u.remove(ctx, removal); err != nil {
			return fmt.Errorf("removing entries of the audit trail (the next prune continues): %w", err)
		}
	}
	return nil
}

func (u *Upkeep) planPrune(ctx context.Context, what Pruning, act domain.Entry) (plan *audit.Plan, err error) {
	err = u.cfg.Records.View(ctx, func(tx *record.Tx) error {
		if err := u.sameTime(tx); err != nil {
			return err
		}
		before, now := what.Before, tx.Steady() // a clock that is set forward meanwhile makes no entries old
		if before.IsZero() {
			before = now.Add(-what.OlderThan)
		}
		if now.Sub(before) < pruneKeeps {
			return domain.BadInput("before", "must be more than 24 hours ago")
		}
		oldest, err := u.oldestKept(tx, what.Together, before)
		if err != nil {
			return err
		}
		folded := func(chain string) (int64, error) {
			to, err := metrics.FoldedTo(tx, chain)
			if errors.Is(err, metrics.ErrPosition) {
				return 0, nil // keeps this chain until a flush has reset its position
			}
			return to, err
		}
		plan, err = audit.PlanPrune(records{tx, u.cfg.Plans}, u.cfg.Keys, u.cfg.Home, oldest, act, folded, what.Progress)
		return err
	})
	return plan, err
}

// mostSkew is how far the clocks of this machine and of the database may differ for a prune.
const mostSkew = time.Minute

// sameTime refuses a prune if the store's clock differs from this machine's: one of them
// is wrong, and a clock that is ahead makes every entry old.
func (u *Upkeep) sameTime(tx *record.Tx) error {
	store, machine := tx.Now(), u.cfg.Now()
	if store.IsZero() || store.Sub(machine).Abs() <= mostSkew { // zero: the transaction has failed
		return nil
	}
	return fmt.Errorf("nothing was removed: the clock of the database shows %s, and the clock of this machine %s; synchronise both with NTP, then prune again",
		store.UTC().Format(time.RFC3339), machine.UTC().Format(time.RFC3339))
}

// archive writes the entries that the plan removes to a new file, durably.
func (u *Upkeep) archive(ctx context.Context, plan *audit.Plan, path string) error {
	to, err := audit.CreateArchive(path)
	if err != nil {
		return fmt.Errorf("nothing was removed: %w", err)
	}
	incomplete := func(err error) error {
		return fmt.Errorf("nothing was removed, and the archive is incomplete; delete it: %w", err)
	}
	for _, removal := range plan.Removals {
		for last := (domain.Entry{Seq: removal.From - 1}); last.Seq < removal.UpTo; {
			next, err := record.View(ctx, u.cfg.Records, func(tx *record.Tx) ([]domain.Entry, error) {
				return removal.Next(tx, u.cfg.Keys, last, exportBatch)
			})
			if err == nil && len(next) == 0 {
				err = fmt.Errorf("entries of chain %s are missing: another prune may have removed them; run strongroom audit verify", removal.Chain)
			}
			if err == nil {
				err = to.Add(next)
			}
			if err != nil {
				_ = to.Close()
				return incomplete(err)
			}
			last = next[len(next)-1]
		}
	}
	if err := to.Close(); err != nil { // the disk may be full only now
		return incomplete(err)
	}
	return nil
}

// state writes the entries that must be in the trail before anything is removed:
// first those about records, then those about chains, in one transaction that
// makes the prune valid.
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

// atLeisure runs write and then pauses for the same time, so that requests get to
// the store.
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

// PruneDue prunes entries older than the retention, if no process has begun to do so
// in the last 24 hours. A failed prune too is repeated only after that time.
func (u *Upkeep) PruneDue(ctx context.Context) error {
	due, err := record.Update(ctx, u.cfg.Records, record.System, func(tx *record.Tx) (bool, error) {
		value, err := tx.MaybeSetting(settingCut)
		if err != nil || tx.Now().Sub(past(tx, value)) < cutEvery {
			return false, err
		}
		return true, tx.PutSetting(settingCut, domain.EncodeTime(tx.Now()))
	})
	if err != nil || !due {
		return err
	}
	done, err := u.Prune(ctx, Pruning{OlderThan: u.cfg.Retention, Together: true},
		domain.Entry{Actor: "system", Outcome: "ok", Reason: "audit-retention " + u.cfg.Retention.String()})
	if err != nil {
		return err
	}
	if n := len(done.Problems); n > 0 {
		return fmt.Errorf("nothing was removed, because the trail does not verify (%s); run strongroom audit verify", done.Problems[0])
	}
	if done.Entries > 0 {
		u.cfg.Log.Info("the audit trail was pruned", "entries", done.Entries, "carried", done.Carried, "partitions", done.Dropped, "request_id", done.RequestID)
	}
	return nil
}
