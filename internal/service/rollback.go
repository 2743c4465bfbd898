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

// guardStore wraps the store, so that reads are compared with what this process
// remembers.
func (s *Service) guardStore() {
	s.guard = rollback.New(rollback.Config{Store: s.cfg.Store, Exclusive: !s.shared(), Judge: judge{s}, Seen: s.rolledBack,
		Own: func(chain string) bool { return strings.HasPrefix(chain, s.trail.Chain+"/") }})
	s.cfg.Store = s.guard
}

// judge reports which rows and entries have a valid MAC.
type judge struct{ s *Service }

func (j judge) GenuineAttempts(a domain.Attempts) bool { return j.s.checkAttempts(a) == nil }

func (j judge) GenuineCredential(c domain.Credential) bool {
	encoded, err := j.s.keys.Open(c.Sealed, credentialData(c))
	domain.Secret(encoded).Wipe()
	return err == nil
}

func (j judge) GenuineKey(k domain.DeviceKey) bool { return j.s.checkKey(k) == nil }

func (j judge) GenuineEntry(e domain.Entry) bool { return audit.Genuine(j.s.keys, e) }

// rolledBack reports a rollback that was detected at this record. The service
// already refuses everything.
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
	rollbackTold  = 10 * time.Second // the longest time to write the entry about a rollback
	rollbackLook  = 500 * time.Millisecond
	erasuresEvery = 10 * time.Second
	erasuresSlack = time.Minute // more than clocks differ, plus the length of a transaction
)

// watchForRollbacks compares what was written and read last, even while no
// requests read it.
func (s *Service) watchForRollbacks(ctx context.Context) {
	followed := time.Now().Add(-erasuresEvery) // the first look follows too
	every(ctx, rollbackLook, func() {
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
	})
}

// beatLabel is the label of the MAC of beats.
const beatLabel = "beat v1"

// beginBeats makes this process an instance that others wait for.
func (s *Service) beginBeats() {
	s.guard.BeginBeats(rollback.Beats{Instance: s.trail.Chain, Elapsed: s.cfg.Elapsed,
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

// tellOnceAcknowledged returns the answer to a wrong guess after all other
// instances have read its entry. Meanwhile the request holds no connection, no
// lane and no place in the queue. A client that hangs up gets no answer. There
// is no trace span for the wait, because it would reveal the verdict.
func tellOnceAcknowledged[T any](ctx context.Context, s *Service, v T, err error) (T, error) {
	if withheld := s.guard.Acknowledged(ctx); withheld != nil {
		return *new(T), withheld
	}
	return v, err
}
