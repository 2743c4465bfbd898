package trail

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/note"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
)

// Checkpoints is when checkpoints of the audit trail are made, and where they are
// sent.
type Checkpoints struct {
	Signer note.Signer
	Every  time.Duration // 0: none is made
	Sink   audit.Sink
	// Kept combines the checkpoints in the sink that the signer signed, for the store whose
	// first chain is home. It is nil if the sink cannot be read.
	Kept func(home string) (audit.Kept, error)
}

// Checkpointer makes a checkpoint of the trail when there are new entries. It
// belongs to one goroutine.
type Checkpointer struct {
	u    *Upkeep
	last made

	// What was reported about a trail that does not extend the last checkpoint.
	entered bool // in the trail
	logged  time.Time
}

// Checkpointer returns a Checkpointer that continues after the last checkpoint
// of the sink.
func (u *Upkeep) Checkpointer() *Checkpointer { return &Checkpointer{u: u} }

// notSignedEvery is how often the log reports that a trail is not signed.
const notSignedEvery = time.Minute

// Make makes a checkpoint if there are new entries, and reports the result. If the
// trail does not extend the last checkpoint, the metrics count that each time, the
// log repeats it, and the trail gets one entry, which is sent as an event. Make
// returns all other errors.
func (c *Checkpointer) Make(ctx context.Context) error {
	err := c.Next(ctx)
	var damaged *audit.ChainError
	var refused *sinkError
	switch m := c.u.cfg.Metrics; {
	case ctx.Err() != nil:
	case err == nil:
		c.u.good.Store(c.u.cfg.Now().UnixMicro())
		c.entered, c.logged = false, time.Time{}
	case errors.As(err, &damaged):
		m.CheckpointFailed(metrics.CheckpointTrail)
		return c.notSigned(ctx, damaged)
	case errors.As(err, &refused):
		m.CheckpointFailed(metrics.CheckpointSink)
	default:
		m.CheckpointFailed(metrics.CheckpointStore)
	}
	return err
}

func (c *Checkpointer) notSigned(ctx context.Context, damaged *audit.ChainError) error {
	c.u.cfg.Metrics.Tampering(domain.RecordChain)
	record := domain.RecordChain + "/" + damaged.Chain
	if now := c.u.cfg.Now(); c.logged.IsZero() || now.Sub(c.logged) >= notSignedEvery {
		c.logged = now
		c.u.cfg.Log.Error("the audit trail differs from the last checkpoint: no checkpoint is signed", "record", record, "error", damaged)
	}
	if c.entered {
		return nil
	}
	seen := domain.Entry{Actor: "system", Event: domain.EventTamperingSeen, Outcome: "refused", Reason: record}
	if err := c.u.cfg.Records.Enter(ctx, seen); err != nil {
		return fmt.Errorf("entering that the audit trail differs from the last checkpoint: %w", err)
	}
	c.entered = true
	return nil
}

// sinkError is an error of the sink, not of the trail or the store.
type sinkError struct{ error }

func (e *sinkError) Unwrap() error { return e.error }

// made is a checkpoint that was signed.
type made struct {
	audit.Checkpoint
	asked  bool   // the last checkpoint in the sink was read
	unsent []byte // the signed note, until the sink has it
}

// lastKept returns the checkpoints in the sink as one. The trail must extend it when
// this process starts. Otherwise someone who exchanged the trail would only have
// to wait for the next start.
func (u *Upkeep) lastKept() (made, error) {
	if u.cfg.Checkpoints.Kept == nil {
		return made{asked: true}, nil
	}
	kept, err := u.cfg.Checkpoints.Kept(u.cfg.Home)
	if err != nil {
		return made{}, &sinkError{err}
	}
	if kept.Others {
		u.cfg.Log.Warn("no checkpoint in the file was signed by the configured key; the audit trail was not compared with it")
	}
	if kept.Stale {
		u.cfg.Log.Warn("the last checkpoint in the file is older than another one: someone appended it again, or the clock of the database was set back; " +
			"the audit trail was compared with the newest entry of each chain; see docs/how-to/checkpoints.md")
	}
	if kept.Home != "" {
		u.last.Store(domain.Micros(kept.Time))
	}
	return made{Checkpoint: kept.Checkpoint, asked: true}, nil
}

// Next signs a checkpoint if there are new entries, and sends the newest one if
// the sink does not have it. It does not keep older ones that the sink refused,
// because the newest covers all of their entries.
func (c *Checkpointer) Next(ctx context.Context) (err error) {
	u := c.u
	if !c.last.asked {
		if c.last, err = u.lastKept(); err != nil {
			return err
		}
	}
	var now audit.Checkpoint
	var news bool
	err = u.cfg.Records.View(ctx, func(tx *record.Tx) (err error) {
		if now, err = audit.Take(tx, u.cfg.Keys, u.cfg.Home); err == nil {
			news, err = now.Since(tx, u.cfg.Keys, c.last.Checkpoint)
		}
		return err
	})
	if err != nil {
		return err
	}
	if news {
		signed, err := u.sign(ctx, now, u.cfg.Checkpoints.Signer, domain.Entry{Actor: "system"})
		if err != nil {
			return err
		}
		c.last = made{now, true, signed}
	}
	if c.last.unsent == nil {
		return nil
	}
	if err := u.cfg.Checkpoints.Sink(ctx, c.last.unsent); err != nil {
		return &sinkError{err}
	}
	c.last.unsent = nil
	u.last.Store(domain.Micros(c.last.Time))
	return nil
}

// SignCheckpoint makes a checkpoint of the trail now. act is the start of its entry.
func (u *Upkeep) SignCheckpoint(ctx context.Context, signer note.Signer, act domain.Entry) ([]byte, error) {
	c, err := record.View(ctx, u.cfg.Records, func(tx *record.Tx) (audit.Checkpoint, error) { return audit.Take(tx, u.cfg.Keys, u.cfg.Home) })
	if err != nil {
		return nil, err
	}
	return u.sign(ctx, c, signer, act)
}

// sign signs a checkpoint and enters that into the trail, so that a missing
// checkpoint can be detected later. The checkpoint was taken in an earlier
// transaction, because one that writes would contend for the heads of other
// processes.
func (u *Upkeep) sign(ctx context.Context, c audit.Checkpoint, signer note.Signer, act domain.Entry) ([]byte, error) {
	signed, err := c.Sign(signer)
	if err != nil {
		return nil, err
	}
	act.Event, act.Outcome, act.Digest, act.Version = domain.EventCheckpoint, "ok", c.Root(), int64(len(c.Heads))
	if err := u.cfg.Records.Enter(ctx, act); err != nil {
		return nil, fmt.Errorf("entering a checkpoint: %w", err)
	}
	return signed, nil
}
