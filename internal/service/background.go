package service

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"strongroom/internal/jobs"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

const (
	flushEvery   = 500 * time.Millisecond // so that counts are written within a second
	sweepEvery   = time.Minute            // after a sweep that reached the end
	erasedEvery  = 24 * time.Hour         // after a look at all keys
	signingEvery = 15 * time.Second       // how often signing keys are read
	tendEvery    = 15 * time.Second
	pruneEvery   = 10 * time.Minute
	tieEvery     = 30 * time.Second // how often it is checked whether a tie is due
	clocksEvery  = 10 * time.Second
	witnessEvery = time.Second
	endedEvery   = 10 * time.Second // ended keys at the witness
	cutEvery     = time.Hour        // how often it is checked whether a prune is due

	lastWrite = 5 * time.Second // the most that a write takes when the service stops

	locksEvery    = time.Minute
	locksRest     = 100 // counting locks pauses at least 100 times as long as it took
	unlistedFirst = time.Minute
	scrubRest     = 300 // a reader that never ends, such as Litestream, lets each scrub delay writers by 100 ms, for nothing
	outdatedEvery = time.Hour
	unlistedEvery = time.Hour

	// Pauses between two runs of jobs that read in rounds. Requests rely on the data
	// keys for 5 s after a read, so keysEvery plus the wait for a round must stay below
	// that.
	keysEvery = 500 * time.Millisecond
	planEvery = time.Second
	endEvery  = time.Second
)

// Start starts the background work. [Service.Stop] ends it.
func (s *Service) Start() {
	s.background = jobs.NewRunner(store.InBackground(context.Background()), s.report)
	s.background.Start(s.housekeeping()...)
	for _, j := range s.jobsBeside() { // each by itself: a slow sink or a long walk delays no other job
		s.background.Start(j)
	}
	if s.shared() {
		s.beginBeats()
		s.background.Go("exchanging beats with other instances", s.keepBeating)
	}
	if w := s.cfg.Webhook; w != nil && len(w.Events) > 0 {
		s.background.Go("sending events", s.sendEvents)
	}
	s.custody.Serve()
	s.background.Go("rewrapping", s.custody.Rewrap)
	if s.cfg.KeyPool > 0 {
		s.background.Go("", s.keyPool.Refill) // a generation takes long on a busy machine, and ends
	}
}

// housekeeping returns short jobs that run one at a time, so that they leave the
// store's connections to requests.
func (s *Service) housekeeping() []jobs.Job {
	simple := jobs.Simple
	list := []jobs.Job{
		{Name: "flushing", Every: flushEvery, Do: simple(func(ctx context.Context) error { return s.tally.Flush(ctx, false) })},
		{Name: "scrubbing", Every: flushEvery, Share: scrubRest, Do: simple(s.scrub)},
		{Name: "expiring opened keys", Every: flushEvery, Do: simple(s.expireOpenedKeys)},
		{Name: "tending the signing keys", Every: signingEvery, Do: simple(s.TendSigningKeys)},
		{Name: "sweeping ciphertexts", Every: sweepEvery, Do: s.SweepCiphertexts},
		{Name: "sweeping key generations", Every: sweepEvery, Do: s.SweepKeyGenerations},
		{Name: "sweeping redemptions", Every: sweepEvery, Do: s.SweepRedemptions},
		{Name: "sweeping results of acts", Every: sweepEvery, Do: s.SweepActResults},
		{Name: "removing keys of erased accounts", Every: erasedEvery, Do: s.SweepErasedKeys},
		{Name: "pruning", Every: pruneEvery, Do: simple(s.pruneMetrics)},
	}
	if s.shared() {
		list = append(list, jobs.Job{Name: "tying audit chains", Every: tieEvery, Do: simple(s.Tie)},
			jobs.Job{Name: "switching to short verdicts", Every: tieEvery, Do: simple(s.UseShortVerdicts)})
	}
	return list
}

// jobsBeside returns jobs that run in parallel with all other work.
func (s *Service) jobsBeside() []jobs.Job {
	simple := jobs.Simple
	list := []jobs.Job{
		{Name: "watching the store", Every: watchEvery, First: watchEvery, Do: simple(s.watch())},
		{Name: "checking the root keys", Every: rootKeyEvery, Now: true, Do: simple(s.custody.Check)},
		{Name: "comparing the database with what was written last", Every: rollbackLook, Do: simple(s.lookAround)},
		{Name: "following the data keys", Every: keysEvery, Do: simple(func(ctx context.Context) error { return s.custody.Glance(ctx, s.round.View) })},
		{Name: "following the rotation plan", Every: planEvery, Do: simple(func(ctx context.Context) error { return s.plans.Follow(ctx, s.round.View) })},
		{Name: "ending keys", Every: s.sparsely(endEvery), Do: func(ctx context.Context) (bool, error) { return s.EndKeys(ctx, s.round.View) }},
		{Name: "tending the outbox", Every: tendEvery, Do: simple(func(ctx context.Context) error { return s.tendOutbox(ctx, s.round.View) })},
		{Name: "comparing clocks", Every: clocksEvery, First: clocksEvery, Do: simple(func(ctx context.Context) error { return s.clocks.Look(ctx, s.records) })},
		{Name: "keeping the witness", Every: witnessEvery, First: witnessEvery, Do: simple(s.witness.Keep)},
		{Name: "keeping the ended keys at the witness", Every: endedEvery, Do: simple(func(ctx context.Context) error { return s.witness.KeepEnded(ctx, s.round.View) })},
		// An attacker can cause very many locks, so these use a small share of the time.
		{Name: "counting locks", Every: locksEvery, Share: locksRest, Do: simple(s.CountLocks)},
		{Name: "listing locks", Every: unlistedEvery, First: unlistedFirst, Share: locksRest, Do: simple(s.ListLocks)},
		{Name: "counting outdated credentials", Every: outdatedEvery, Now: true, Share: 1, Do: s.CountVerifiers},
	}
	if s.distributed() {
		list = append(list, jobs.Job{Name: "looking at the nodes of the database", Every: watchEvery, Now: true, Do: simple(s.lookAtNodes)})
	}
	if every := s.cfg.Checkpoints.Every; every > 0 {
		// At once: a process that ends before its first interval would make none.
		list = append(list, jobs.Job{Name: "writing a checkpoint of the audit trail", Every: every, Now: true, Do: simple(s.Checkpointer().Make)})
	}
	if s.cfg.AuditRetention > 0 {
		list = append(list, jobs.Job{Name: "pruning the audit trail", Every: cutEvery, First: cutEvery, Do: simple(s.PruneDue)})
	}
	return list
}

// distributed reports whether the store is spread over several servers.
func (s *Service) distributed() bool { return s.cfg.DeadNodes != nil }

// sparsely is the interval of a job that reads all parts of a table. If the store is
// distributed, each part costs a statement, and the job runs a quarter as often.
func (s *Service) sparsely(every time.Duration) time.Duration {
	if s.distributed() {
		return 4 * every
	}
	return every
}

func (s *Service) lookAround(ctx context.Context) error { return s.round.Look(ctx, s.guard.Glance) }

// scrub does not fail if a reader of the database is in the way: the next run tries again.
func (s *Service) scrub(ctx context.Context) error {
	if err := s.records.Scrub(ctx); !errors.Is(err, store.ErrScrubLater) {
		return err
	}
	return nil
}

func (s *Service) expireOpenedKeys(context.Context) error {
	s.keyCache.Expire(s.cfg.Now())
	return nil
}

// pruneMetrics follows [record.Tx.Steady], so that a clock that is set forward deletes
// no bucket early.
func (s *Service) pruneMetrics(ctx context.Context) error {
	s.records.MarkErased() // a command in another process may have erased something
	return s.records.Update(ctx, record.System, func(tx *record.Tx) error { return metrics.Prune(tx, tx.Steady()) })
}

// sendEvents sends until ctx is done.
func (s *Service) sendEvents(ctx context.Context) {
	s.cfg.Webhook.Send(ctx, s.outbox)
	s.report("giving back the lease of the outbox", s.outbox.Release(context.WithoutCancel(ctx)))
}

// tendOutbox measures the outbox and deletes old events.
func (s *Service) tendOutbox(ctx context.Context, view record.Viewer) error {
	is, err := s.outbox.Tend(ctx, view)
	if err == nil && s.outbox.Sends() {
		s.cfg.Metrics.Outbox(is.Waiting, is.Age(), is.Dead)
	}
	return err
}

// Stop ends the background work and writes what is still in memory. Call it after
// the last request and before closing the store. It does not wait for background work
// after ctx is done: that is an error, and everything else is written all the same. Each
// of these writes gets at most lastWrite, so that none of them waits for one that hangs.
func (s *Service) Stop(ctx context.Context) error {
	err := s.stopBackground(ctx)
	write := func(fn func(context.Context) error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWrite)
		defer cancel()
		err = errors.Join(err, fn(ctx))
	}
	flush := func(ctx context.Context) error { return s.tally.Flush(ctx, true) }
	write(flush) // first, because an abandoned key generation can take long to end
	write(s.guard.EndBeats)
	s.verifying.Close()
	s.generating.Close()
	s.keyPool.Empty()
	write(flush)
	write(s.witness.End)
	return err
}

var errNotEnded = errors.New("it did not end when the service stopped: what it writes to or waits for hangs")

func (s *Service) stopBackground(ctx context.Context) error {
	if s.background == nil {
		return nil
	}
	stuck := s.background.Stop(ctx)
	for _, work := range stuck {
		s.report(work, errNotEnded)
	}
	if stuck != nil {
		return fmt.Errorf("stopping: background work was cut off: %s", strings.Join(stuck, ", "))
	}
	return nil
}
