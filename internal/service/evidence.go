package service

import (
	"context"
	"fmt"
	"io"
	"time"

	"golang.org/x/mod/sumdb/note"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Checkpoints says when checkpoints of the audit trail are made, and where
// they go.
type Checkpoints struct {
	Signer note.Signer
	Every  time.Duration // 0: none is made
	Sink   audit.Sink
}

// checkpointing makes checkpoints until ctx is done, beside the other work in
// the background: a sink may take long. It returns the function that waits for
// its end.
func (s *Service) checkpointing(ctx context.Context) (wait func()) {
	done := make(chan struct{})
	if s.cfg.Checkpoints.Every == 0 {
		close(done)
	} else {
		go func() {
			defer close(done)
			s.checkpointAtIntervals(ctx)
		}()
	}
	return func() { <-done }
}

// checkpointAtIntervals makes the first one at once, or a process that ends
// before its interval is over would never make any.
func (s *Service) checkpointAtIntervals(ctx context.Context) {
	tick := time.NewTicker(s.cfg.Checkpoints.Every)
	defer tick.Stop()
	var last made
	for {
		var err error
		last, err = s.nextCheckpoint(ctx, last)
		s.report("writing a checkpoint of the audit trail", err)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// made is a checkpoint that was signed.
type made struct {
	audit.Checkpoint
	unsent []byte // its note, until the sink has it
}

// nextCheckpoint signs a checkpoint if there is anything new, and sends the
// newest if the sink does not have it. Older ones that it did not take are not
// kept: the newest holds all that they would have.
func (s *Service) nextCheckpoint(ctx context.Context, last made) (made, error) {
	var c audit.Checkpoint
	var news bool
	err := s.cfg.Store.View(ctx, func(tx store.Tx) (err error) {
		if c, err = audit.Take(tx, s.keys, s.home); err == nil {
			news, err = c.Since(tx, last.Checkpoint)
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
		last = made{c, signed}
	}
	if last.unsent == nil {
		return last, nil
	}
	if err := s.cfg.Checkpoints.Sink(ctx, last.unsent); err != nil {
		return last, err
	}
	last.unsent = nil
	return last, nil
}

// Checkpoint makes a checkpoint of the audit trail now, for an operator.
func (s *Service) Checkpoint(ctx context.Context, signer note.Signer) ([]byte, error) {
	act, err := s.operatorEntry(ctx, "")
	if err != nil {
		return nil, err
	}
	var c audit.Checkpoint
	err = s.cfg.Store.View(ctx, func(tx store.Tx) (err error) {
		c, err = audit.Take(tx, s.keys, s.home)
		return err
	})
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
	err = s.write(ctx, func(tx store.Tx) error { return s.trail.Append(tx, act) })
	if err != nil {
		return nil, fmt.Errorf("entering a checkpoint: %w", err)
	}
	s.checkpointed.Store(s.cfg.Now().UnixMicro())
	return signed, nil
}

// VerifyTrailHeld is [Service.VerifyTrail] that also holds the trail against
// the checkpoints in a file, which the verifier's key signed.
func (s *Service) VerifyTrailHeld(ctx context.Context, file io.Reader, by note.Verifier, progress func(entries int64)) (report audit.Report, held *audit.Held, err error) {
	if held, err = audit.ReadCheckpoints(file, s.home, by); err != nil {
		return report, nil, err
	}
	err = s.cfg.Store.View(ctx, func(tx store.Tx) (err error) {
		report, err = audit.VerifyHeld(tx, s.keys, s.home, held, progress)
		return err
	})
	return report, held, err
}

// exportBatch is how many entries one transaction reads: a snapshot that lasts
// for as long as somebody else's pipe would keep the engine from tidying up.
const exportBatch = 5000

const exportPoll = time.Second

// ExportTrail writes the entries after those that the export has already, and
// with follow goes on until ctx is done, which is no error then.
func (s *Service) ExportTrail(ctx context.Context, to *audit.Export, follow bool) error {
	for {
		var next []domain.Entry
		err := s.cfg.Store.View(ctx, func(tx store.Tx) (err error) {
			next, err = to.Next(tx, s.home, exportBatch)
			return err
		})
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
