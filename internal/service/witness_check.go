package service

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/rollback"
)

// CheckWitness compares the store with the witness and with the last checkpoint
// of the sink, before anything is served. It fails if an entry that they name is
// missing, or if the witness was lost, unless an operator accepts exactly that
// loss. The trail records what was accepted.
func (s *Service) CheckWitness(ctx context.Context) error {
	found, err := s.readWitness()
	if err != nil {
		return err
	}
	noted, err := s.notedWitness(ctx)
	if err != nil {
		return err
	}
	lost, err := s.lost(ctx, append(slices.Clone(found.Heads), s.checkpointHeads()...))
	if err != nil {
		return err
	}
	if found.wrong != "" && (noted.here || found.edited) {
		lost.wrong, lost.text = found.wrong, found.text
	}
	if err := s.acceptLoss(ctx, lost); err != nil {
		return err
	}
	s.witnessed = slices.DeleteFunc(found.Heads, func(h rollback.Head) bool {
		return slices.ContainsFunc(lost.missing, func(m rollback.Head) bool { return m.Chain == h.Chain && m.Seq == h.Seq })
	})
	return s.beginWitness(ctx, found, noted)
}

// checkpointHeads are the heads that the last checkpoint of this store names.
func (s *Service) checkpointHeads() (heads []rollback.Head) {
	if s.cfg.Checkpoints.Last == nil {
		return nil
	}
	signed, _, err := s.cfg.Checkpoints.Last()
	s.report("reading the last checkpoint", err) // the next checkpoint reports it again
	if signed.Home != s.home {
		return nil
	}
	for _, h := range signed.Heads {
		heads = append(heads, rollback.Head{Chain: h.Chain, Seq: h.Seq, Hash: h.Hash})
	}
	return heads
}

// lost finds the heads that the store does not contain.
func (s *Service) lost(ctx context.Context, heads []rollback.Head) (l loss, err error) {
	err = s.records.View(ctx, func(tx *record.Tx) error {
		l = loss{}
		newest, err := tx.LastEntry(s.home)
		if err != nil {
			return err
		}
		l.home = rollback.Head{Chain: s.home, Seq: newest.Seq, Hash: newest.Hash}
		accepted, err := tx.EntriesOfEvent(domain.EventStoreRestored, time.Time{}, domain.EntryPosition{}, 1)
		if err != nil {
			return err
		}
		for _, e := range accepted {
			l.accepted = e.Hash
		}
		for _, h := range heads {
			held, err := rollback.Holds(tx, h, record.Judge{Keys: s.keys})
			if err != nil {
				return err
			}
			if !held {
				l.missing = append(l.missing, h)
			}
		}
		return nil
	})
	if err != nil {
		return l, fmt.Errorf("comparing the database with its witness: %w", err)
	}
	return l, nil
}

// loss is what a start does not find in the store or cannot compare.
type loss struct {
	home     rollback.Head // the newest entry of the first chain in the store
	accepted []byte        // the hash of the newest entry that accepted a loss; nil: none
	missing  []rollback.Head
	wrong    string // why the witness cannot be used; empty: it can
	text     []byte // the bytes of a witness that cannot be used
}

func (l loss) nothing() bool { return len(l.missing) == 0 && l.wrong == "" }

// name identifies exactly this loss: an entry, and a digest of everything that
// is lost and of the state of the database. So a name that stays in the settings
// accepts no later loss.
func (l loss) name() string {
	about, fields := l.home, [][]byte{l.accepted, []byte(l.wrong), l.text}
	if len(l.missing) > 0 {
		about = l.missing[0]
	}
	for _, h := range append([]rollback.Head{l.home}, l.missing...) {
		fields = append(fields, []byte(h.Chain), domain.EncodeInt(h.Seq), h.Hash)
	}
	digest := sha256.Sum256(domain.Encode(fields...))
	return fmt.Sprintf("%s:%d:%x", about.Chain, about.Seq, digest[:8])
}

// acceptLoss writes the entry store.restored if an operator accepts this loss,
// and fails if not.
func (s *Service) acceptLoss(ctx context.Context, lost loss) error {
	accept := s.cfg.Witness.Accept
	switch {
	case lost.nothing() && accept == "":
		return nil
	case lost.nothing():
		return &SettingError{fmt.Errorf("accept-restored: %s was given, and nothing is missing now. The setting is for one start only: remove it", accept)}
	case accept != lost.name():
		return s.refuseLoss(lost)
	}
	s.cfg.Log.Warn("this start accepts the loss of audit trail entries or of the witness, because --accept-restored names it", "accepted", accept,
		"missing", len(lost.missing), "witness", lost.wrong)
	restored := domain.Entry{Actor: "system", Event: domain.EventStoreRestored, Outcome: "accepted", Reason: accept}
	if err := s.records.Enter(ctx, restored); err != nil {
		return fmt.Errorf("entering that a restored database is accepted: %w", err)
	}
	return nil
}

func (s *Service) refuseLoss(lost loss) error {
	what := fmt.Sprintf("the witness %s %s, and this database was started with a witness there before. It was lost, or someone removed or edited it to hide "+
		"that this is an older copy of the database. Put it back, or compare the database with a checkpoint (strongroom audit verify --checkpoint)",
		s.cfg.Witness.Path, lost.wrong)
	condition := "the database is the newest one"
	if len(lost.missing) > 0 {
		what = fmt.Sprintf("the database is older than before: it lacks %s, which %s names. "+
			"It was restored from a backup, or someone put it back to get more guesses", lost.entries(), s.witnessName(lost))
		condition = "you restored it"
	}
	if s.cfg.Witness.Accept != "" {
		what += ". The given value " + s.cfg.Witness.Accept + " does not name this loss"
	}
	return &SettingError{fmt.Errorf("%s. If %s, start once with --accept-restored %s; see docs/how-to/witness.md", what, condition, lost.name())}
}

func (l loss) entries() string {
	first := fmt.Sprintf("entry %d of chain %s of the audit trail", l.missing[0].Seq, l.missing[0].Chain)
	if others := len(l.missing) - 1; others > 0 {
		first += fmt.Sprintf(" and the newest entries of %d other chains", others)
	}
	return first
}

func (s *Service) witnessName(lost loss) string {
	if s.cfg.Witness.Path != "" && lost.wrong == "" {
		return "the witness " + s.cfg.Witness.Path
	}
	return "the last checkpoint"
}
