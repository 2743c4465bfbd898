// Package trail keeps the audit trail in order: it makes checkpoints, ties the
// chains of several processes together, verifies, exports and prunes.
//
// Package audit defines the format of the trail and when an entry is genuine.
// This package runs the transactions on a store that is in use.
package trail

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"golang.org/x/mod/sumdb/note"

	"strongroom/internal/audit"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
)

// Config configures [New]. Every field is required unless it says otherwise.
type Config struct {
	Records     *record.Records
	Keys        *seal.Keyset
	Plans       Plans
	Trail       audit.Trail // of this process
	Home        string      // the first chain of the store
	Checkpoints Checkpoints
	Running     func(tx *record.Tx) (chains []string, err error) // the chains of the processes that run
	Retention   time.Duration                                    // how long entries are kept; 0: for ever
	Now         func() time.Time
	Log         *slog.Logger
	Metrics     *metrics.Metrics
}

// Plans are the rotation plans of the store: [rotation.Plans].
type Plans interface {
	// Kept returns the plans, the newest first. It refuses an edited setting.
	Kept(tx *record.Tx) ([]domain.RotationPlan, error)
}

// Upkeep keeps the trail of one store in order. It is safe for concurrent use,
// except the methods that belong to one goroutine.
type Upkeep struct {
	cfg           Config
	shortVerdicts bool             // by [Upkeep.UseShortVerdicts]: the first chain has them
	tied          map[string]int64 // by [Upkeep.Tie]: the last entry of each chain that was tied

	last atomic.Int64 // when the last checkpoint in the sink was made: microseconds since 1970; 0: none
	good atomic.Int64 // when a checkpoint was last made or not necessary, or New was called: likewise
}

// New returns the upkeep of a trail. It starts nothing.
func New(cfg Config) *Upkeep {
	u := &Upkeep{cfg: cfg, tied: map[string]int64{}}
	if cfg.Checkpoints.Every > 0 {
		u.good.Store(cfg.Now().UnixMicro())
		cfg.Metrics.WatchCheckpoints(func() time.Duration { return cfg.Now().Sub(time.UnixMicro(u.good.Load())) })
	}
	return u
}

// LastCheckpoint returns when the last checkpoint in the sink was made, or zero.
func (u *Upkeep) LastCheckpoint() time.Time { return domain.FromMicros(u.last.Load()) }

// VerifyTrail checks the audit trail, compares every record with it, and checks
// the MAC of the rotation plans, on one snapshot of the store. It writes nothing.
// progress is called as it advances. It returns an error if it cannot read the
// store. Problems of the trail are in the report.
func (u *Upkeep) VerifyTrail(ctx context.Context, progress func(audit.Progress)) (report audit.Report, err error) {
	return u.verifyHeld(ctx, &audit.Held{}, progress)
}

// VerifyTrailHeld is [Upkeep.VerifyTrail] that also compares the trail with
// the checkpoints in a file that the verifier's key signed.
func (u *Upkeep) VerifyTrailHeld(ctx context.Context, file io.Reader, by note.Verifier, progress func(audit.Progress)) (report audit.Report, held *audit.Held, err error) {
	if held, err = audit.ReadCheckpoints(file, u.cfg.Home, by); err != nil {
		return report, nil, err
	}
	report, err = u.verifyHeld(ctx, held, progress)
	return report, held, err
}

// records are the rows of a store that the trail records.
type records struct {
	*record.Tx
	plans Plans
}

// EachPlan calls fn for the running rotation plan. If the setting was edited, it
// calls fn for none, and the comparison with the trail finds that the plan is
// missing.
func (r records) EachPlan(fn func(domain.RotationPlan) error) error {
	all, err := r.plans.Kept(r.Tx)
	if record.IsTampered(err) {
		return nil
	}
	if err != nil || len(all) == 0 || !all[0].StoppedAt.IsZero() {
		return err
	}
	return fn(all[0])
}

func (u *Upkeep) verifyHeld(ctx context.Context, held *audit.Held, progress func(audit.Progress)) (report audit.Report, err error) {
	err = u.cfg.Records.View(ctx, func(tx *record.Tx) (err error) {
		if report, err = audit.VerifyHeld(records{tx, u.cfg.Plans}, u.cfg.Keys, u.cfg.Home, held, progress); err != nil {
			return err
		}
		_, err = u.cfg.Plans.Kept(tx)
		if t := (*record.Tampered)(nil); errors.As(err, &t) {
			report.Edited(t.Record())
			return nil
		}
		return err
	})
	return report, err
}

// exportBatch is how many entries one transaction reads. It is bounded, because a
// long snapshot keeps the engine from cleaning up.
const exportBatch = 5000

const exportPoll = time.Second

// ExportTrail writes the entries that the export does not have yet. With follow it
// continues until ctx is done and then returns nil.
func (u *Upkeep) ExportTrail(ctx context.Context, to *audit.Export, follow bool) error {
	for {
		next, err := record.View(ctx, u.cfg.Records, func(tx *record.Tx) ([]domain.Entry, error) { return to.Next(tx, u.cfg.Home, exportBatch) })
		if err == nil {
			err = to.Put(u.cfg.Home, next)
		}
		switch {
		case err != nil && follow && ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		case len(next) == exportBatch:
			continue
		case !follow:
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(exportPoll):
		}
	}
}

// CheckArchives compares the archives of prunes, the oldest first, with the trail
// of a report. It adds the problems to the report.
func (u *Upkeep) CheckArchives(report *audit.Report, files io.Reader) error {
	return report.CheckArchive(files, u.cfg.Keys)
}
