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

// Check compares the store with the witness and with the checkpoints in the
// sink, before anything is served. It fails if the store lacks an entry that they
// name, or if the witness was lost, unless an operator accepts exactly this loss.
// The trail records the acceptance. It waits while the witness cannot be reached.
func (w *Witness) Check(ctx context.Context) error {
	found, err := w.find(ctx)
	if err != nil {
		return err
	}
	is, err := w.age(ctx)
	if err != nil {
		return err
	}
	noted, err := w.noted(ctx, w.declaredHere(found, is))
	if err != nil {
		return err
	}
	state := w.state(found)
	found = found.neverCounted(noted)
	known := w.expected(found, is)
	signed, err := w.checkpointHeads(w.declared(found, is))
	if err != nil {
		return err
	}
	lost, err := w.lost(ctx, append(slices.Clone(known), signed...))
	if err != nil {
		return err
	}
	lost.found, lost.state = found.content, state
	if w.unbound(found, is) {
		lost.restored = is
	}
	lost.older = found.stale || found.Since > domain.Micros(is.epoch.At)
	if found.wrong != "" && (noted.here || found.edited || found.foreign && w.cfg.SetAside == nil) {
		lost.wrong, lost.text, lost.began = found.wrong, found.text, noted.here
	}
	if err := w.acceptLoss(ctx, lost); err != nil {
		return err
	}
	if is, err = w.age(ctx); err != nil { // an accepted loss raised it
		return err
	}
	w.remember(found, is, known, lost)
	if is.restoredAfter(found.content) && w.keeps() {
		if err := w.endAgain(ctx); err != nil {
			return err
		}
	}
	return w.begin(ctx, found, noted)
}

// find reads the witness, once it answers.
func (w *Witness) find(ctx context.Context) (is found, err error) {
	if !w.keeps() {
		return is, nil
	}
	err = w.await(ctx, func(ctx context.Context) (err error) {
		if is, err = w.read(ctx); err != nil {
			return err
		}
		w.ended.known, _, err = w.readEnded(ctx)
		return err
	})
	return is, err
}

// age is the store's epoch, and the restore with which it began.
type age struct {
	epoch    record.Epoch
	declared domain.Entry // the zero value: it was never restored, or the entry was pruned
}

// restoredAfter reports whether the store was restored, and declared so, after a note
// was written.
func (a age) restoredAfter(c content) bool { return domain.Micros(a.epoch.At) > c.Since }

func (w *Witness) age(ctx context.Context) (is age, err error) {
	err = w.cfg.Records.View(ctx, func(tx *record.Tx) (err error) {
		if is.epoch, err = tx.Epoch(); err != nil {
			return err
		}
		is.declared, err = tx.LastRestore()
		return err
	})
	return is, err
}

// remember takes over what a note knew that this store contains.
func (w *Witness) remember(found found, is age, known []rollback.Head, lost loss) {
	w.epoch = is.epoch
	w.note, w.highest = content{Home: w.cfg.Home, Count: found.Count}.restored(is.epoch), found.Count
	w.note.Heads = slices.DeleteFunc(known, func(h rollback.Head) bool {
		return slices.ContainsFunc(lost.missing, func(m rollback.Head) bool { return m.Chain == h.Chain && m.Seq == h.Seq })
	})
	if found.edited {
		w.edited = found.version
	}
	w.cfg.Memory.Know(lost.home)
}

// expected are the heads that the store must contain according to the witness. A
// restore that was declared for this state of the witness explains every loss. The
// witness then remembers its epoch, so no older copy of the restored store is
// accepted later.
func (w *Witness) expected(found found, is age) []rollback.Head {
	if !is.restoredAfter(found.content) || w.unbound(found, is) {
		return found.Heads
	}
	if len(found.Heads) > 0 {
		w.cfg.Log.Warn("the database was restored from a backup, so the witness begins anew", "epoch", is.epoch.Number, "restored", is.declared.Time, "reason", is.declared.Reason)
	}
	return nil
}

// checkpointHeads are the heads that the checkpoints of this store name, unless
// the store was restored after the newest. A sink that cannot be read does not count as empty:
// it may be the only thing that shows an older database.
func (w *Witness) checkpointHeads(declared domain.Entry) (heads []rollback.Head, err error) {
	if w.cfg.Checkpoints == nil {
		return nil, nil
	}
	kept, err := w.cfg.Checkpoints(w.cfg.Home)
	if err != nil {
		return nil, fmt.Errorf("checkpoint-sink: the database cannot be compared with the checkpoints: %w; "+
			"make the file readable again, or if you know why it cannot be read, move it away: see docs/how-to/checkpoints.md", err)
	}
	if kept.Home != w.cfg.Home || kept.Time.Before(declared.Time) {
		return nil, nil
	}
	for _, h := range kept.Heads {
		heads = append(heads, rollback.Head{Chain: h.Chain, Seq: h.Seq, Hash: h.Hash})
	}
	return heads, nil
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
		l.newest = newest.Time
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
	newest   time.Time     // of that entry
	missing  []rollback.Head
	found    content // the note
	state    string  // of the witness
	restored age     // a declared restore that was not made for this state; zero: there is none
	older    bool    // the note is of a later epoch, or was put back itself
	wrong    string  // why the witness cannot be used; empty: it can
	text     []byte  // the bytes of a witness that cannot be used
	began    bool    // this database had a witness at the place
}

func (l loss) nothing() bool { return !l.putBack() && !l.elsewhere() && l.wrong == "" }

// elsewhere reports whether the database was restored, and not for this witness as it is.
func (l loss) elsewhere() bool { return l.restored.epoch.Number > 0 }

// putBack reports whether the database is an earlier state of itself. Otherwise
// only the witness was lost.
func (l loss) putBack() bool { return len(l.missing) > 0 || l.older }

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
	if l.older {
		fields = append(fields, []byte("epoch"), domain.EncodeInt(l.found.Since))
	}
	if l.elsewhere() {
		fields = append(fields, []byte("restored"), domain.EncodeInt(domain.Micros(l.restored.epoch.At)), []byte(l.state))
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
	if err := w.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error { return lost.enter(tx, accept) }); err != nil {
		return fmt.Errorf("entering that a restored database is accepted: %w", err)
	}
	return w.cfg.Records.LearnEpoch(ctx)
}

// enter records that a loss is accepted. A database that was put back begins a new
// epoch, in which its attempt counters are not trusted. A restored one has begun it.
// Either way the epoch is bound to the witness as it is. So if this process dies before it
// writes the witness, the next start needs no other acceptance.
func (l loss) enter(tx *record.Tx, accept string) error {
	e := domain.Entry{Actor: "system", Event: domain.EventStoreRestored, Outcome: "accepted", Reason: accept}
	switch {
	case l.elsewhere():
		tx.Enter(e)
		return tx.BindEpoch(l.state)
	case !l.putBack():
		tx.Enter(e)
		return nil
	}
	at := tx.Now()
	for _, before := range []time.Time{l.newest, domain.FromMicros(l.found.Since)} {
		if !at.After(before) { // the clock is behind
			at = before.Add(time.Microsecond)
		}
	}
	_, err := tx.RaiseEpoch(e, at, l.state)
	return err
}

func (w *Witness) refuseLoss(lost loss) error {
	var what, condition string
	switch {
	case lost.elsewhere():
		what, condition = w.restoredElsewhere(lost), "this database is to replace the one that the witness names"
	case lost.putBack():
		what = fmt.Sprintf("the database is older than before: %s. "+
			"It was restored from a backup, or it was copied to another database (then start on that one), or someone put it back to get more guesses", w.older(lost))
		condition = "you restored it"
	case lost.began:
		what = fmt.Sprintf("the witness %s %s, and this database was started with a witness there before. It was lost, or someone removed or edited it to hide "+
			"that this is an older copy of the database. Put it back, or compare the database with a checkpoint (strongroom audit verify --checkpoint)",
			w.cfg.Place, lost.wrong)
		condition = "the database is the newest one"
	default:
		what = fmt.Sprintf("the witness %s %s, and this database had no witness there before. Check that the volume of the database is mounted, "+
			"and that --database and --witness are right. If this is a new database, move the old witness and its .keys file away, and start again",
			w.cfg.Place, lost.wrong)
		condition = "no other database needs the old witness"
	}
	if w.cfg.Accept != "" {
		what += ". The given value " + w.cfg.Accept + " does not name this loss"
	}
	return &domain.SettingError{Err: fmt.Errorf("%s. If %s, start once with --accept-restored %s; see docs/how-to/witness.md", what, condition, lost.name())}
}

// older says what shows that the database was put back.
func (w *Witness) older(lost loss) string {
	switch {
	case lost.found.Since == 0 && lost.older:
		return fmt.Sprintf("the witness %s %s. Both were put back together", w.cfg.Place, lost.wrong)
	case len(lost.missing) == 0:
		return fmt.Sprintf("the witness %s names epoch %d, which began at %s, and the database is from before that restore", w.cfg.Place, lost.found.Epoch, domain.FromMicros(lost.found.Since).Format(time.RFC3339))
	}
	first := fmt.Sprintf("it lacks entry %d of chain %s of the audit trail", lost.missing[0].Seq, lost.missing[0].Chain)
	if others := len(lost.missing) - 1; others > 0 {
		first += fmt.Sprintf(" and the newest entries of %d other chains", others)
	}
	if w.cfg.Place != nil && lost.wrong == "" {
		return fmt.Sprintf("%s, which the witness %s names", first, w.cfg.Place)
	}
	return first + ", which a checkpoint names"
}
