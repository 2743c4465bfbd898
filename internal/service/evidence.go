package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/mod/sumdb/note"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
	"strongroom/internal/rotation"
)

// Checkpoints says when checkpoints of the audit trail are made, and where
// they go.
type Checkpoints struct {
	Signer note.Signer
	Every  time.Duration // 0: none is made
	Sink   audit.Sink
	// Last is the last checkpoint that the sink has and the signer signed, the
	// zero one for none; others says that it has some that the signer did not.
	// It is nil where the sink cannot tell.
	Last func() (last audit.Checkpoint, others bool, err error)
}

// makeCheckpoints returns the job that makes checkpoints.
func (s *Service) makeCheckpoints() func(context.Context) error {
	var last made
	var told notSigned
	return func(ctx context.Context) (err error) {
		last, err = s.nextCheckpoint(ctx, last)
		return s.checkpointEnded(ctx, err, &told)
	}
}

// notSigned is what was told of a trail that is not signed.
type notSigned struct {
	entered bool // in the trail
	logged  time.Time
}

// notSignedEvery is how often the log says that a trail is not signed.
const notSignedEvery = time.Minute

// checkpointEnded tells what came of a checkpoint. Of a trail that is not the
// one that was signed the log goes on telling, the meters count each time, and
// the trail has one entry, which goes out as an event. It returns the errors that
// are the job's own.
func (s *Service) checkpointEnded(ctx context.Context, err error, told *notSigned) error {
	var damaged *audit.ChainError
	var refused *sinkError
	switch {
	case ctx.Err() != nil:
	case err == nil:
		s.checkpointsGood.Store(s.cfg.Now().UnixMicro())
		*told = notSigned{}
	case errors.As(err, &damaged):
		s.cfg.Meters.CheckpointFailed(metrics.CheckpointTrail)
		s.notSigned(ctx, damaged, told)
		return nil
	case errors.As(err, &refused):
		s.cfg.Meters.CheckpointFailed(metrics.CheckpointSink)
	default:
		s.cfg.Meters.CheckpointFailed(metrics.CheckpointStore)
	}
	return err
}

func (s *Service) notSigned(ctx context.Context, damaged *audit.ChainError, told *notSigned) {
	s.cfg.Meters.Tampering(domain.RecordChain)
	record := domain.RecordChain + "/" + damaged.Chain
	if now := s.cfg.Now(); told.logged.IsZero() || now.Sub(told.logged) >= notSignedEvery {
		told.logged = now
		s.cfg.Log.Error("the audit trail is not the one that was signed: no checkpoint of it is made", "record", record, "error", damaged)
	}
	if told.entered {
		return
	}
	seen := domain.Entry{Actor: "system", Event: domain.EventTamperingSeen, Outcome: "refused", Reason: record}
	err := s.records.Enter(ctx, seen)
	told.entered = err == nil
	s.report("entering that the audit trail is not the one that was signed", err)
}

// sinkError is of the sink, and not of the trail or the store.
type sinkError struct{ error }

func (e *sinkError) Unwrap() error { return e.error }

// made is a checkpoint that was signed.
type made struct {
	audit.Checkpoint
	asked  bool   // the sink, what it has from before
	unsent []byte // its note, until the sink has it
}

// lastKept is the checkpoint that the trail must extend when this process
// begins: the sink's last, or whoever exchanged the trail would only have to
// wait for the next start.
func (s *Service) lastKept() (made, error) {
	if s.cfg.Checkpoints.Last == nil {
		return made{asked: true}, nil
	}
	last, others, err := s.cfg.Checkpoints.Last()
	if err != nil {
		return made{}, &sinkError{err}
	}
	if others {
		s.cfg.Log.Warn("no checkpoint in the file is of the key that signs: the audit trail is held against none of them")
	}
	if last.Home != "" {
		s.checkpointed.Store(domain.Micros(last.Time))
	}
	return made{Checkpoint: last, asked: true}, nil
}

// nextCheckpoint signs a checkpoint if there is anything new, and sends the
// newest if the sink does not have it. Older ones that it did not take are not
// kept: the newest holds all that they would have.
func (s *Service) nextCheckpoint(ctx context.Context, last made) (made, error) {
	if !last.asked {
		var err error
		if last, err = s.lastKept(); err != nil {
			return last, err
		}
	}
	var c audit.Checkpoint
	var news bool
	err := s.records.View(ctx, func(tx *record.Tx) (err error) {
		if c, err = audit.Take(tx, s.keys, s.home); err == nil {
			news, err = c.Since(tx, s.keys, last.Checkpoint)
		}
		return err
	})
	if err != nil {
		return last, err
	}
	if news {
		signed, err := s.sign(ctx, c, s.cfg.Checkpoints.Signer, domain.Entry{Actor: "system"})
		if err != nil {
			return last, err
		}
		last = made{c, true, signed}
	}
	if last.unsent == nil {
		return last, nil
	}
	if err := s.cfg.Checkpoints.Sink(ctx, last.unsent); err != nil {
		return last, &sinkError{err}
	}
	last.unsent = nil
	s.checkpointed.Store(domain.Micros(last.Time))
	return last, nil
}

// Checkpoint makes a checkpoint of the audit trail now, for an operator.
func (s *Service) Checkpoint(ctx context.Context, signer note.Signer) ([]byte, error) {
	act, err := s.operatorEntry(ctx, "")
	if err != nil {
		return nil, err
	}
	c, err := record.View(ctx, s.records, func(tx *record.Tx) (audit.Checkpoint, error) { return audit.Take(tx, s.keys, s.home) })
	if err != nil {
		return nil, err
	}
	return s.sign(ctx, c, signer, act)
}

// sign signs a checkpoint and enters into the trail that it was: a checkpoint
// that nobody has is missed then. It was taken in an earlier transaction: read
// in the one that writes, the heads of other processes would be contended for.
func (s *Service) sign(ctx context.Context, c audit.Checkpoint, signer note.Signer, act domain.Entry) ([]byte, error) {
	signed, err := c.Sign(signer)
	if err != nil {
		return nil, err
	}
	act.Event, act.Outcome, act.Digest, act.Version = domain.EventCheckpoint, "ok", c.Root(), int64(len(c.Heads))
	if err := s.records.Enter(ctx, act); err != nil {
		return nil, fmt.Errorf("entering a checkpoint: %w", err)
	}
	return signed, nil
}

// VerifyTrail checks the audit trail, holds every record against it, and looks
// at the MAC of the setting that has one, on one snapshot of the store. It
// writes nothing. progress is told how far it is. The
// error is of reading; what is wrong is in the report.
func (s *Service) VerifyTrail(ctx context.Context, progress func(audit.Progress)) (report audit.Report, err error) {
	return s.verifyHeld(ctx, &audit.Held{}, progress)
}

// VerifyTrailHeld is [Service.VerifyTrail] that also holds the trail against
// the checkpoints in a file, which the verifier's key signed.
func (s *Service) VerifyTrailHeld(ctx context.Context, file io.Reader, by note.Verifier, progress func(audit.Progress)) (report audit.Report, held *audit.Held, err error) {
	if held, err = audit.ReadCheckpoints(file, s.home, by); err != nil {
		return report, nil, err
	}
	report, err = s.verifyHeld(ctx, held, progress)
	return report, held, err
}

// records are the rows of a store that the trail tells of.
type records struct {
	*record.Tx
	s *Service
}

// EachPlan calls fn for the rotation plan that runs. Of a setting that was
// edited there is none, so that the trail misses it.
func (r records) EachPlan(fn func(domain.RotationPlan) error) error {
	all, err := r.s.plans.Kept(r.Tx)
	p := rotation.Running(all)
	if record.IsTampered(err) || err == nil && p == nil {
		return nil
	}
	if err != nil {
		return err
	}
	return fn(*p)
}

func (s *Service) verifyHeld(ctx context.Context, held *audit.Held, progress func(audit.Progress)) (report audit.Report, err error) {
	err = s.records.View(ctx, func(tx *record.Tx) (err error) {
		if report, err = audit.VerifyHeld(records{tx, s}, s.keys, s.home, held, progress); err != nil {
			return err
		}
		_, err = s.plans.Kept(tx)
		if t := (*record.Tampered)(nil); errors.As(err, &t) {
			report.Edited(t.Record())
			return nil
		}
		return err
	})
	return report, err
}

// exportBatch is how many entries one transaction reads: a snapshot that lasts
// for as long as somebody else's pipe would keep the engine from tidying up.
const exportBatch = 5000

const exportPoll = time.Second

// ExportTrail writes the entries after those that the export has already, and
// with follow goes on until ctx is done, which is no error then.
func (s *Service) ExportTrail(ctx context.Context, to *audit.Export, follow bool) error {
	for {
		next, err := record.View(ctx, s.records, func(tx *record.Tx) ([]domain.Entry, error) { return to.Next(tx, s.home, exportBatch) })
		if err == nil {
			err = to.Put(s.home, next)
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
