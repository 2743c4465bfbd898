package service

import (
	"context"
	"errors"
	"time"

	"strongroom/internal/jobs"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

const (
	flushEvery   = 500 * time.Millisecond // at most a second late
	sweepEvery   = time.Minute            // after a walk to the end
	planEvery    = 3 * time.Second        // the setting of rotation plans is read
	tendEvery    = 15 * time.Second
	pruneEvery   = 10 * time.Minute
	tieEvery     = 30 * time.Second // looked whether it is due
	clocksEvery  = 2 * time.Second
	witnessEvery = time.Second
	cutEvery     = time.Hour // looked whether it is due

	locksEvery    = time.Minute
	locksRest     = 100 // counting locks pauses at least so many times as long as it took
	unlistedFirst = time.Minute
	unlistedEvery = time.Hour
)

// Start begins the work that no request waits for. [Service.Stop] ends it.
func (s *Service) Start() {
	s.background = jobs.NewRunner(store.InBackground(context.Background()), s.report)
	s.background.Start(s.housekeeping()...)
	for _, j := range s.jobsBeside() { // a sink or a long walk holds up nothing else
		s.background.Start(j)
	}
	if s.shared() {
		s.beginBeats()
		s.background.Go(s.keepBeating)
	}
	if w := s.cfg.Webhook; w != nil && len(w.Events) > 0 {
		s.background.Go(s.sendEvents)
	}
	if s.cfg.KeyPool > 0 {
		s.background.Go(s.keyPool.Refill)
	}
}

// housekeeping is short work, of which one part runs at a time: it must not take
// connections to the store from requests.
func (s *Service) housekeeping() []jobs.Job {
	simple := jobs.Simple
	list := []jobs.Job{
		{Name: "flushing", Every: flushEvery, Do: simple(func(ctx context.Context) error { return s.tally.Flush(ctx, false) })},
		{Name: "ending keys", Every: flushEvery, Do: simple(s.EndKeys)},
		{Name: "scrubbing", Every: flushEvery, Do: simple(s.records.Scrub)},
		{Name: "expiring opened keys", Every: flushEvery, Do: simple(s.expireOpenedKeys)},
		{Name: "following the rotation plan", Every: planEvery, Do: simple(s.plans.Follow)},
		{Name: "sweeping ciphertexts", Every: sweepEvery, Do: s.SweepCiphertexts},
		{Name: "sweeping key generations", Every: sweepEvery, Do: s.SweepKeyGenerations},
		{Name: "sweeping receipts", Every: sweepEvery, Do: s.SweepReceipts},
		{Name: "tending the outbox", Every: tendEvery, Do: simple(s.tendOutbox)},
		{Name: "pruning", Every: pruneEvery, Do: simple(s.pruneMetrics)},
	}
	if s.shared() {
		list = append(list, jobs.Job{Name: "tying audit chains", Every: tieEvery, Do: simple(s.Tie)})
	}
	return list
}

// jobsBeside is work that runs beside all other work.
func (s *Service) jobsBeside() []jobs.Job {
	simple := jobs.Simple
	list := []jobs.Job{
		{Name: "watching the store and the root key", Every: watchEvery, First: watchEvery, Do: simple(s.watch)},
		{Name: "comparing the database with what was written last", Every: rollbackLook, Do: simple(s.guard.Look)},
		{Name: "following erasures", Every: erasuresEvery, Do: simple(s.followErasures())},
		{Name: "comparing clocks", Every: clocksEvery, First: clocksEvery, Do: simple(func(ctx context.Context) error { return s.clocks.Look(ctx, s.records) })},
		{Name: "writing the witness", Every: witnessEvery, First: witnessEvery, Do: simple(s.witness.Write)},
		// A guesser can leave very many locks, so these take a small share of all time.
		{Name: "counting locks", Every: locksEvery, Share: locksRest, Do: simple(s.CountLocks)},
		{Name: "listing locks", Every: unlistedEvery, First: unlistedFirst, Share: locksRest, Do: simple(s.ListLocks)},
	}
	if every := s.cfg.Checkpoints.Every; every > 0 {
		// At once: a process that ends before its interval is over would never make any.
		list = append(list, jobs.Job{Name: "writing a checkpoint of the audit trail", Every: every, Now: true, Do: simple(s.Checkpointer().Make)})
	}
	if s.cfg.AuditRetention > 0 {
		list = append(list, jobs.Job{Name: "pruning the audit trail", Every: cutEvery, First: cutEvery, Do: simple(s.PruneDue)})
	}
	return list
}

func (s *Service) expireOpenedKeys(context.Context) error {
	s.keyCache.Expire(s.cfg.Now())
	return nil
}

func (s *Service) pruneMetrics(ctx context.Context) error {
	s.records.MarkErased() // by a command beside this process, perhaps
	return s.records.Update(ctx, record.System, func(tx *record.Tx) error { return metrics.Prune(tx, tx.Now()) })
}

// sendEvents sends until ctx is done.
func (s *Service) sendEvents(ctx context.Context) {
	s.cfg.Webhook.Send(ctx, s.outbox)
	s.report("giving back the lease of the outbox", s.outbox.Release(context.WithoutCancel(ctx)))
}

// tendOutbox measures the outbox and forgets what is old.
func (s *Service) tendOutbox(ctx context.Context) error {
	is, err := s.outbox.Tend(ctx)
	if err == nil && s.outbox.Sends() {
		s.cfg.Metrics.Outbox(is.Waiting, is.Age(), is.Dead)
	}
	return err
}

// Stop ends the background work and writes what it still held. Call it after
// the last request and before closing the store.
func (s *Service) Stop(ctx context.Context) error {
	if s.background != nil {
		s.background.Stop()
	}
	err := s.tally.Flush(ctx, true) // first: a generation that nobody waits for can take long to end
	err = errors.Join(err, s.guard.EndBeats(ctx))
	s.verifying.Close()
	s.generating.Close()
	s.keyPool.Empty()
	return errors.Join(err, s.tally.Flush(ctx, true), s.witness.Write(ctx))
}
