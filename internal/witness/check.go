package witness

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

// Check compares the store with the witness and with the last checkpoint in the
// sink, before anything is served. It fails if the store lacks an entry that they
// name, or if the witness was lost, unless an operator accepts exactly this loss.
// The trail records the acceptance.
func (w *Witness) Check(ctx context.Context) error {
	found, err := w.read()
	if err != nil {
		return err
	}
	declared, err := w.declared(ctx)
	if err != nil {
		return err
	}
	noted, err := w.noted(ctx, declared)
	if err != nil {
		return err
	}
	known := w.expected(found, declared)
	lost, err := w.lost(ctx, append(slices.Clone(known), w.checkpointHeads(declared)...))
	if err != nil {
		return err
	}
	if found.wrong != "" && (noted.here || found.edited) {
		lost.wrong, lost.text = found.wrong, found.text
	}
	if err := w.acceptLoss(ctx, lost); err != nil {
		return err
	}
	w.epoch = declared.Version
	w.heads = slices.DeleteFunc(known, func(h rollback.Head) bool {
		return slices.ContainsFunc(lost.missing, func(m rollback.Head) bool { return m.Chain == h.Chain && m.Seq == h.Seq })
	})
	return w.begin(ctx, found, noted)
}

// declared is the entry of the last restore that strongroom restore made; the zero
// value: there is none.
func (w *Witness) declared(ctx context.Context) (domain.Entry, error) {
	return record.View(ctx, w.cfg.Records, func(tx *record.Tx) (domain.Entry, error) { return tx.LastRestore() })
}

// expected are the heads that the store must contain by the witness. A declared
// restore that the witness does not know yet explains every loss. The witness then
// remembers its epoch, so no older copy of the restored store is accepted later.
func (w *Witness) expected(found found, declared domain.Entry) []rollback.Head {
	if declared.Version <= found.Epoch {
		return found.Heads
	}
	if len(found.Heads) > 0 {
		w.cfg.Log.Warn("the database was restored from a backup, so the witness begins anew", "epoch", declared.Version, "restored", declared.Time, "reason", declared.Reason)
	}
	return nil
}

// checkpointHeads are the heads that the last checkpoint of this store names, unless
// the store was restored after it.
func (w *Witness) checkpointHeads(declared domain.Entry) (heads []rollback.Head) {
	if w.cfg.LastCheckpoint == nil {
		return nil
	}
	signed, _, err := w.cfg.LastCheckpoint()
	if err != nil { // the next checkpoint reports it again
		w.cfg.Log.Error("background work failed", "work", "reading the last checkpoint", "error", err)
	}
	if signed.Home != w.cfg.Home || signed.Time.Before(declared.Time) {
		return nil
	}
	for _, h := range signed.Heads {
		heads = append(heads, rollback.Head{Chain: h.Chain, Seq: h.Seq, Hash: h.Hash})
	}
	return heads
}

// lost finds the heads that the store does not contain.
func (w *Witness) lost(ctx context.Context, heads []rollback.Head) (l loss, err error) {
	err = w.cfg.Records.View(ctx, func(tx *record.Tx) error {
		l = loss{}
		newest, err := tx.LastEntry(w.cfg.Home)
		if err != nil {
			return err
		}
		l.home = rollback.Head{Chain: w.cfg.Home, Seq: newest.Seq, Hash: newest.Hash}
		accepted, err := tx.EntriesOfEvent(domain.EventStoreRestored, time.Time{}, domain.EntryPosition{}, 1)
		if err != nil {
			return err
		}
		for _, e := range accepted {
			l.accepted = e.Hash
		}
		for _, h := range heads {
			held, err := rollback.Holds(tx, h, record.Judge{Keys: w.cfg.Keys})
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

// loss is what the store lacks, and why a witness cannot be compared.
type loss struct {
	home     rollback.Head // the newest entry of the first chain in the store
	accepted []byte        // the hash of the newest entry that accepted a loss; nil: none
	missing  []rollback.Head
	wrong    string // why the witness cannot be used; empty: it can
	text     []byte // the bytes of a witness that cannot be used
}

func (l loss) nothing() bool { return len(l.missing) == 0 && l.wrong == "" }

// name identifies exactly this loss: an entry, and a digest of the whole loss and
// of the state of the database. So a name that stays in the settings does not
// accept a later loss.
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

// acceptLoss writes the entry store.restored if an operator accepts this loss, and
// otherwise fails.
func (w *Witness) acceptLoss(ctx context.Context, lost loss) error {
	accept := w.cfg.Accept
	switch {
	case lost.nothing() && accept == "":
		return nil
	case lost.nothing():
		return &domain.SettingError{Err: fmt.Errorf("accept-restored: %s was given, and nothing is missing now. The setting is for one start only: remove it", accept)}
	case accept != lost.name():
		return w.refuseLoss(lost)
	}
	w.cfg.Log.Warn("this start accepts the loss of audit trail entries or of the witness, because --accept-restored names it", "accepted", accept,
		"missing", len(lost.missing), "witness", lost.wrong)
	restored := domain.Entry{Actor: "system", Event: domain.EventStoreRestored, Outcome: "accepted", Reason: accept}
	if err := w.cfg.Records.Enter(ctx, restored); err != nil {
		return fmt.Errorf("entering that a restored database is accepted: %w", err)
	}
	return nil
}

func (w *Witness) refuseLoss(lost loss) error {
	what := fmt.Sprintf("the witness %s %s, and this database was started with a witness there before. It was lost, or someone removed or edited it to hide "+
		"that this is an older copy of the database. Put it back, or compare the database with a checkpoint (strongroom audit verify --checkpoint)",
		w.cfg.Path, lost.wrong)
	condition := "the database is the newest one"
	if len(lost.missing) > 0 {
		what = fmt.Sprintf("the database is older than before: it lacks %s, which %s names. "+
			"It was restored from a backup, or someone put it back to get more guesses", lost.entries(), w.source(lost))
		condition = "you restored it"
	}
	if w.cfg.Accept != "" {
		what += ". The given value " + w.cfg.Accept + " does not name this loss"
	}
	return &domain.SettingError{Err: fmt.Errorf("%s. If %s, start once with --accept-restored %s; see docs/how-to/witness.md", what, condition, lost.name())}
}

func (l loss) entries() string {
	first := fmt.Sprintf("entry %d of chain %s of the audit trail", l.missing[0].Seq, l.missing[0].Chain)
	if others := len(l.missing) - 1; others > 0 {
		first += fmt.Sprintf(" and the newest entries of %d other chains", others)
	}
	return first
}

func (w *Witness) source(lost loss) string {
	if w.cfg.Path != "" && lost.wrong == "" {
		return "the witness " + w.cfg.Path
	}
	return "the last checkpoint"
}
