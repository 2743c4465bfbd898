package service

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// instance is what a process is beside others on the same store. It has a name
// that lasts as long as it runs, and chains of the audit trail of its own, so
// that none contends with another for the head of one. It needs no list of
// the others: what one leaves behind, whoever finds it takes up.
//
// On an engine that lets one transaction write at a time, over all processes,
// there is one chain and nothing of this.
type instance struct {
	looked time.Time        // when chains of others were last looked for
	over   map[string]int64 // chains that nobody appends to any more and that are folded, by their last entry
	tied   map[string]int64 // the last entry of each chain that was tied
}

const settingTied = "audit_tied" // when chains were tied last: microseconds since 1970, eight bytes big-endian

const (
	lookEvery = 30 * time.Second // for chains whose process ended before it folded all of them
	ownerGone = 10 * time.Second // after its last entry; a running process folds within a second
	tieEvery  = 5 * time.Minute
)

func (s *Service) enterInstance() {
	s.trail = audit.Trail{Chain: s.home, Key: s.keys}
	chains := []string{s.home}
	if s.shared() {
		s.trail.Chain, s.trail.Shared, chains = domain.NewID(), true, nil
		for writer := range s.cfg.Writers {
			chains = append(chains, s.trail.Of(writer))
		}
	}
	s.rollup = metrics.NewRollup(s.trail.Chain, chains...)
	s.instance.over, s.instance.tied = map[string]int64{}, map[string]int64{}
}

func (s *Service) shared() bool { return s.cfg.Writers > 1 }

// leftBehind finds the chains of processes that ended before they had folded
// all of them into the metrics.
func (s *Service) leftBehind(ctx context.Context) ([]string, error) {
	if !s.lookDue() {
		return nil, nil
	}
	now := s.cfg.Now()
	var left []string
	err := s.records.View(ctx, func(tx *record.Tx) error {
		left = nil
		heads, err := s.heads(tx, false)
		for _, head := range heads {
			if s.instance.over[head.Chain] == head.Seq || tx.Now().Sub(head.Time) < ownerGone {
				continue
			}
			done, err := metrics.Folded(tx, head)
			if err != nil {
				return err
			}
			if done {
				s.instance.over[head.Chain] = head.Seq
			} else {
				left = append(left, head.Chain)
			}
		}
		return err
	})
	if err == nil {
		s.instance.looked = now
	}
	return left, err
}

func (s *Service) lookDue() bool {
	return s.shared() && s.cfg.Now().Sub(s.instance.looked) >= lookEvery
}

// heads are the last entries of the chains of others, or of all.
func (s *Service) heads(tx *record.Tx, all bool) ([]domain.Entry, error) {
	chains, err := tx.Chains()
	if err != nil {
		return nil, err
	}
	own := map[string]bool{}
	for writer := range s.cfg.Writers {
		own[s.trail.Of(writer)] = true
	}
	var heads []domain.Entry
	for _, chain := range chains {
		if own[chain] && !all {
			continue
		}
		head, err := tx.LastEntry(chain)
		if err != nil {
			return nil, err
		}
		heads = append(heads, head)
	}
	return heads, nil
}

// tie enters the heads of all other chains, those that have moved since, into
// one chain of this process. One process at a time does it for all.
func (s *Service) tie(ctx context.Context) error {
	var heads []domain.Entry
	err := s.records.View(ctx, func(tx *record.Tx) error {
		heads = nil
		last, due, err := lastTie(tx)
		if err != nil || !due {
			return err
		}
		all, err := s.heads(tx, true)
		for _, head := range all {
			// What has not moved since the last ties is in those. Without this each
			// new process would enter the heads of all that ever were.
			if head.Time.After(last.Add(-time.Minute)) && s.instance.tied[head.Chain] != head.Seq {
				heads = append(heads, head)
			}
		}
		return err
	})
	if err != nil || len(heads) == 0 {
		return err
	}
	err = s.records.Update(ctx, record.System, func(tx *record.Tx) error {
		if _, due, err := lastTie(tx); err != nil || !due {
			return err // another process was faster
		}
		for _, head := range heads {
			if head.Chain != s.trail.Of(tx.Writer()) { // a chain shows by itself what stands before its own entries
				tx.Enter(audit.Tie(head))
			}
		}
		return tx.PutSetting(settingTied, domain.EncodeTime(tx.Now()))
	})
	if err != nil {
		return err
	}
	for _, head := range heads {
		s.instance.tied[head.Chain] = head.Seq
	}
	return nil
}

// lastTie is when chains were tied last, and whether they are to be tied now.
func lastTie(tx *record.Tx) (last time.Time, due bool, err error) {
	last, err = lastDone(tx, settingTied)
	return last, tx.Now().Sub(last) >= tieEvery, err
}

// lastDone is the time that a setting holds; the zero time where it holds none
// that has passed.
func lastDone(tx *record.Tx, setting string) (last time.Time, err error) {
	value, err := tx.Setting(setting)
	if errors.Is(err, store.ErrNotFound) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	if len(value) == 8 {
		last = domain.FromMicros(int64(binary.BigEndian.Uint64(value))) //nolint:gosec // as it was written
	}
	if last.After(tx.Now()) { // a clock was set back, or somebody wrote here
		last = time.Time{}
	}
	return last, nil
}
