package service

import (
	"context"
	"fmt"
	"io"
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

	// Progress is told how far the verification is. It may be nil.
	Progress func(audit.Progress)
}

// Pruned is what a prune did.
type Pruned struct {
	Problems  []audit.Problem // what the verification found; if anything, nothing was done
	Entries   int64           // entries that were removed, or were to be when it failed
	Carried   int             // records whose last entry was said again
	RequestID string          // by which the trail knows it
}

// pruneKeeps is the age below which nothing is pruned: whatever takes entries
// out of the trail has done so by then, or is told of it.
const pruneKeeps = 24 * time.Hour

const (
	pruneBatch = 500 // entries written or removed in one transaction
	settingCut = "audit_pruned"
)

// PruneTrail removes the oldest entries of the audit trail, for an operator. It
// is safe beside running servers. Interrupted, it leaves a trail that verifies,
// and the next one goes on.
func (s *Service) PruneTrail(ctx context.Context, what Pruning) (Pruned, error) {
	act, err := s.operatorEntry(ctx, what.Reason)
	if err != nil {
		return Pruned{}, err
	}
	return s.prune(ctx, what, act)
}

func (s *Service) prune(ctx context.Context, what Pruning, act domain.Entry) (Pruned, error) {
	act.RequestID = domain.NewRequestID(s.cfg.Now()) // of this run and no other
	done := Pruned{RequestID: act.RequestID}
	plan, err := s.planPrune(ctx, what, act)
	if err != nil {
		return done, err
	}
	done.Problems = plan.Report.Problems
	if len(done.Problems) > 0 || len(plan.Removals) == 0 {
		return done, nil
	}
	if what.Archive != "" {
		if err := s.archive(ctx, plan, what.Archive); err != nil {
			return done, err
		}
	}
	if done.Carried, err = s.state(ctx, plan); err != nil {
		return done, fmt.Errorf("entering a prune of the audit trail: %w", err)
	}
	done.Entries = plan.Count()
	for _, removal := range plan.Removals {
		if err := s.remove(ctx, removal); err != nil {
			return done, fmt.Errorf("removing entries of the audit trail, which the next prune goes on with: %w", err)
		}
	}
	return done, nil
}

func (s *Service) planPrune(ctx context.Context, what Pruning, act domain.Entry) (plan *audit.Plan, err error) {
	err = s.records.View(ctx, func(tx *record.Tx) error {
		before, now := what.Before, tx.Steady() // a clock that is ahead must not make entries old
		if before.IsZero() {
			before = now.Add(-what.OlderThan)
		}
		if now.Sub(before) < pruneKeeps {
			return domain.BadInput("before", "must be more than 24 hours ago")
		}
		folded := func(chain string) (int64, error) { return metrics.FoldedTo(tx, chain) }
		plan, err = audit.PlanPrune(records{tx, s}, s.keys, s.home, before, act, folded, what.Progress)
		return err
	})
	return plan, err
}

// archive writes what the plan removes to a new file, durably.
func (s *Service) archive(ctx context.Context, plan *audit.Plan, path string) error {
	to, err := audit.CreateArchive(path)
	if err != nil {
		return err
	}
	for _, removal := range plan.Removals {
		for last := (domain.Entry{}); last.Seq < removal.UpTo; {
			next, err := record.View(ctx, s.records, func(tx *record.Tx) ([]domain.Entry, error) {
				return removal.Next(tx, s.keys, last, exportBatch)
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

// state writes what the trail must say before anything is removed: first of the
// records, then, in one transaction that makes it count, of the chains.
func (s *Service) state(ctx context.Context, plan *audit.Plan) (carried int, err error) {
	for {
		entries, err := record.View(ctx, s.records, func(tx *record.Tx) ([]domain.Entry, error) {
			return plan.Carried(tx, carried, pruneBatch)
		})
		if err != nil {
			return carried, err
		}
		if len(entries) == 0 {
			break
		}
		err = atLeisure(ctx, func() error { return s.records.Enter(ctx, entries...) })
		if err != nil {
			return carried, err
		}
		carried += len(entries)
	}
	return carried, s.records.Enter(ctx, plan.Statements...)
}

func (s *Service) remove(ctx context.Context, removal *audit.Removal) error {
	for {
		n := 0
		err := atLeisure(ctx, func() (err error) {
			n, err = record.Update(ctx, s.records, record.System, func(tx *record.Tx) (int, error) {
				return tx.DeleteEntries(removal.Chain, removal.UpTo, pruneBatch)
			})
			return err
		})
		if err != nil || n < pruneBatch {
			return err
		}
	}
}

// atLeisure runs write, and then rests as long as that took: those who wait for
// the store come first.
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

const (
	cutLook  = time.Hour // how often a server looks whether to prune
	cutEvery = 24 * time.Hour
)

// pruneDue prunes, if this process is the first to come to it today.
func (s *Service) pruneDue(ctx context.Context) error {
	due, err := record.Update(ctx, s.records, record.System, func(tx *record.Tx) (bool, error) {
		last, err := lastDone(tx, settingCut)
		if err != nil || tx.Now().Sub(last) < cutEvery {
			return false, err
		}
		return true, tx.PutSetting(settingCut, domain.EncodeTime(tx.Now()))
	})
	if err != nil || !due {
		return err
	}
	done, err := s.prune(ctx, Pruning{OlderThan: s.cfg.AuditRetention},
		domain.Entry{Actor: "system", Outcome: "ok", Reason: "audit-retention " + s.cfg.AuditRetention.String()})
	if err != nil {
		return err
	}
	if n := len(done.Problems); n > 0 {
		return fmt.Errorf("nothing was removed, since the trail does not verify (%s): look with strongroom audit verify", done.Problems[0])
	}
	if done.Entries > 0 {
		s.cfg.Log.Info("the audit trail was pruned", "entries", done.Entries, "carried", done.Carried, "request_id", done.RequestID)
	}
	return nil
}

// CheckArchives holds files that prunes wrote, the oldest first, against the
// trail that a report is of. What is wrong is added to the report.
func (s *Service) CheckArchives(report *audit.Report, files io.Reader) error {
	return report.CheckArchive(files, s.keys)
}
