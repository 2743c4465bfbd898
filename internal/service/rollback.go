package service

import (
	"context"
	"strings"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/rollback"
	"strongroom/internal/store"
)

// guardStore has the store compared with what this process remembers of it.
func (s *Service) guardStore() {
	s.guard = rollback.New(rollback.Config{Store: s.cfg.Store, Exclusive: !s.shared(), Judge: judge{s}, Seen: s.rolledBack,
		Own: func(chain string) bool { return strings.HasPrefix(chain, s.trail.Chain+"/") }})
	s.cfg.Store = s.guard
}

// judge tells which rows and entries carry a good MAC.
type judge struct{ s *Service }

func (j judge) GenuineAttempts(a domain.Attempts) bool { return j.s.checkAttempts(a) == nil }

func (j judge) GenuineCredential(c domain.Credential) bool {
	encoded, err := j.s.keys.Open(c.Sealed, credentialData(c))
	domain.Secret(encoded).Wipe()
	return err == nil
}

func (j judge) GenuineKey(k domain.DeviceKey) bool { return j.s.checkKey(k) == nil }

func (j judge) GenuineEntry(e domain.Entry) bool { return audit.Genuine(j.s.keys, e) }

// rolledBack tells of a rollback that was seen of this record. The service
// refuses everything by now.
func (s *Service) rolledBack(record, what string) {
	s.cfg.Log.Error("the database was put back to an earlier state: everything is refused until an operator restarts the service; "+
		"see docs/runbook.md#strongroomtampering", "record", record, "error", what)
	s.cfg.Meters.Tampering(record)
	s.cfg.Meters.StoreUp(false)
	seen := domain.Entry{Actor: "system", Event: domain.EventTamperingSeen, Outcome: "rolled back", Reason: record}
	ctx, cancel := context.WithTimeout(context.Background(), rollbackTold)
	defer cancel()
	err := s.guard.UpdateAnyway(ctx, func(tx store.Tx) error {
		if s.shared() && !s.instance.joined.Load() { // it has only read so far
			if err := s.joinIn(tx); err != nil {
				return err
			}
		}
		return s.enter(tx, seen)
	})
	s.report("entering that the database was put back", err)
	s.outgoing.wake()
}

const (
	rollbackTold  = 10 * time.Second // for the entry that tells of a rollback
	rollbackLook  = 500 * time.Millisecond
	erasuresEvery = 10 * time.Second
	erasuresSlack = time.Minute // beyond the clock of another machine, and a transaction's length
)

// watchForRollbacks looks at what was written and read last, also while nobody
// asks for it.
func (s *Service) watchForRollbacks(ctx context.Context) {
	tick := time.NewTicker(rollbackLook)
	defer tick.Stop()
	followed := time.Now().Add(-erasuresEvery) // the first look follows too
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		s.report("comparing the database with what was written last", s.guard.Look(ctx))
		if now := time.Now(); now.Sub(followed) >= erasuresEvery {
			err := s.guard.FollowErasures(ctx, followed.Add(-erasuresSlack))
			if s.report("following erasures", err); err == nil {
				followed = now
			}
			if s.guard.Seen() {
				s.cfg.Meters.Tampering(domain.RecordChain) // an alert on its increase stays
			}
		}
	}
}

// beatLabel is for the MAC of what instances tell each other.
const beatLabel = "beat v1"

// beginBeats makes this process one that other instances wait for.
func (s *Service) beginBeats() {
	s.guard.BeginBeats(rollback.Beats{Instance: s.trail.Chain, Elapsed: s.cfg.Elapsed,
		MAC:     func(beat []byte) []byte { return s.keys.MAC(beatLabel, beat) },
		Genuine: func(beat, mac []byte) bool { return s.keys.VerifyMAC(beatLabel, beat, mac) }})
}

// keepBeating tells other instances what this one has read of them, and reads
// what they tell.
func (s *Service) keepBeating(ctx context.Context) {
	for {
		s.report("telling other instances what was read of them", s.guard.Beat(ctx))
		select {
		case <-ctx.Done():
			return
		case <-time.After(s.guard.BeatAfter()):
		}
	}
}

// tellOnceAcknowledged passes on the answer to a wrong guess once all other
// instances know of it. It needs no connection, lane or place in the queue
// meanwhile. A client that hangs up is told nothing. There is no span of it,
// which would tell the verdict.
func tellOnceAcknowledged[T any](ctx context.Context, s *Service, v T, err error) (T, error) {
	if withheld := s.guard.Acknowledged(ctx); withheld != nil {
		return *new(T), withheld
	}
	return v, err
}
