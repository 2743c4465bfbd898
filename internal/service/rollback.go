package service

import (
	"context"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/rollback"
)

// guardStore wraps the store, so that reads are compared with what this process
// remembers. The keyset must be open.
func (s *Service) guardStore() {
	s.guard = rollback.New(rollback.Config{Store: s.cfg.Store, Exclusive: !s.shared(), Spread: s.distributed(), Judge: record.Judge{Keys: s.keys}, Seen: s.rolledBack,
		Own: func(chain string) bool { return strings.HasPrefix(chain, s.chains.Chain+"/") }})
	s.cfg.Store = s.guard
}

// rolledBack reports a rollback that was detected at this row ("kind/id"). At this
// point the guard already refuses everything.
func (s *Service) rolledBack(row, what string) {
	s.cfg.Log.Error("the database was put back to an earlier state: everything is refused until an operator restarts the service; "+
		"see docs/runbook.md#strongroomtampering", "record", row, "error", what)
	s.cfg.Metrics.Tampering(row)
	s.cfg.Metrics.StoreUp(false)
	seen := domain.Entry{Actor: "system", Event: domain.EventTamperingSeen, Outcome: "rolled back", Reason: row}
	ctx, cancel := context.WithTimeout(context.Background(), rollbackEntry)
	defer cancel()
	s.report("entering that the database was put back", s.records.UpdateAnyway(ctx, record.System, func(tx *record.Tx) error {
		tx.Enter(seen)
		return nil
	}))
}

const (
	rollbackEntry = 10 * time.Second // the longest time to write the entry about a rollback
	rollbackLook  = 500 * time.Millisecond
)

// beatLabel is the label of the MAC of beats.
const beatLabel = "beat v1"

// beginBeats makes this process an instance whose beats the others wait for.
func (s *Service) beginBeats() {
	s.guard.BeginBeats(rollback.Beats{Instance: s.chains.Chain, Elapsed: s.cfg.Elapsed,
		MAC:     func(beat []byte) []byte { return s.keys.MAC(beatLabel, beat) },
		Genuine: func(beat, mac []byte) bool { return s.keys.VerifyMAC(beatLabel, beat, mac) }})
}

// keepBeating exchanges beats with other instances until ctx is done (see
// [rollback.Store.Beat]).
func (s *Service) keepBeating(ctx context.Context) {
	for {
		s.report("exchanging beats with other instances", s.guard.Beat(ctx))
		select {
		case <-ctx.Done():
			return
		case <-time.After(s.guard.BeatAfter()):
		}
	}
}

// counted logs and counts locks that have just arisen, and attempts that count as
// failures because their process died.
func (s *Service) counted(ctx context.Context, keyID string, c *record.Counter) {
	s.cfg.Metrics.AttemptsLapsed(c.Lapsed())
	for _, event := range c.Locks() {
		t := c.State().Type
		if event == domain.EventDeviceLocked {
			s.cfg.Metrics.DeviceLocked(t)
			s.cfg.Log.WarnContext(ctx, "device locked", "type", t, "key", keyID)
			continue
		}
		s.cfg.Metrics.Locked(t)
		s.cfg.Log.WarnContext(ctx, "credential locked", "type", t, "key", keyID)
	}
}
