package witness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/rollback"
	"strongroom/internal/witness/place"
)

const (
	keepTimeout = 10 * time.Second // of one exchange with the place
	endTimeout  = 5 * time.Second  // of the last exchanges of a process, which delay its end
	mostRuns    = 4                // of one exchange, if other instances write too

	// reported is how many failures in a row there must be before they are logged. A
	// short network failure causes fewer, and so does another instance that already
	// signs with a newer data key.
	reported = 3

	firstWait, lastWait = time.Second, 30 * time.Second // of a start whose place is away
)

// health is when the place last had everything that this process knows.
type health struct{ at atomic.Pointer[time.Time] }

func (h *health) good() { now := time.Now(); h.at.Store(&now) }

func (h *health) age() (age time.Duration, known bool) {
	at := h.at.Load()
	if at == nil {
		return 0, false
	}
	return time.Since(*at), true
}

// await runs do, and again while the place is away.
func (w *Witness) await(ctx context.Context, do func(context.Context) error) error {
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		err := w.once(ctx, do)
		if !place.IsAway(err) || ctx.Err() != nil {
			return err
		}
		w.cfg.Log.Warn("waiting for the witness: the service starts when it answers; --witness none starts without it", "witness", w.cfg.Place.String(), "error", err, "next_try", wait)
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

func (w *Witness) once(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, keepTimeout)
	defer cancel()
	return do(ctx)
}

// Keep brings the note up to date. If other instances write to the place too, it first
// compares the store with what they wrote. A failure is logged and measured, and is no
// error: requests go on without the witness. After a rollback, Keep still adds the entries
// that this process remembers, so that a restart does not accept the older store. If a
// note proved the rollback, Keep writes nothing more: that note is the newer one.
func (w *Witness) Keep(ctx context.Context) error { return w.keepAnd(ctx, false) }

// End is the last Keep of this process. It counts the note if the place counts.
func (w *Witness) End(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, endTimeout)
	defer cancel()
	_ = w.KeepEnded(ctx, w.cfg.Records.View)
	return w.keepAnd(ctx, true)
}

func (w *Witness) keepAnd(ctx context.Context, count bool) error {
	if !w.keeps() {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.contradicted {
		return nil
	}
	err := w.once(ctx, func(ctx context.Context) error { return w.keep(ctx, count) })
	switch {
	case errors.Is(err, rollback.ErrSeen), errors.Is(err, context.Canceled):
		return nil
	case w.reportFell(err):
		w.cfg.Metrics.WitnessFailed()
		return nil
	case err != nil && count:
		return err
	case err == nil && w.streak >= reported:
		w.cfg.Log.Info("the witness is up to date again", "witness", w.cfg.Place.String())
	}
	if err == nil {
		w.kept.good()
		w.streak = 0
		return nil
	}
	w.cfg.Metrics.WitnessFailed()
	w.streak++
	var gone *goneError
	if errors.As(err, &gone) && w.streak == 1 {
		w.cfg.Log.Error("the witness lost what was written there, and it was written again: find out whether someone put an older state back", "witness", w.cfg.Place.String(), "error", err)
	}
	if w.streak == reported {
		w.cfg.Log.Error("the witness cannot be kept: requests go on, and a restart would not detect that entries written since are lost",
			"witness", w.cfg.Place.String(), "error", err)
	}
	return nil
}

// errFell means that the count of the place is lower than it was.
var errFell = errors.New("the counter of the TPM fell")

// reportFell logs that the counter fell, once, and reports whether this is the failure.
// The caller holds mu.
func (w *Witness) reportFell(err error) bool {
	if !errors.Is(err, errFell) {
		w.fell = w.fell && err != nil
		return false
	}
	if !w.fell {
		w.fell = true
		w.cfg.Log.Error("the witness is not counted any more, because someone deleted the counter, or cleared or replaced the TPM: requests go on, and the next start is refused. "+
			"Find out who did it, and compare the database with a checkpoint. Then restart with the --accept-restored that the refused start prints",
			"witness", w.cfg.Place.String(), "error", err)
	}
	return true
}

func (w *Witness) failing() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.streak > 0
}

func (w *Witness) keep(ctx context.Context, count bool) (err error) {
	for range mostRuns {
		if err = w.exchange(ctx, count); !errors.Is(err, place.ErrChanged) {
			return err
		}
	}
	return err
}

// exchange reads the note if others write it too, and writes it if there is anything
// new. The caller holds mu.
func (w *Witness) exchange(ctx context.Context, count bool) error {
	was, version, gone := w.note, "", ""
	if w.cfg.Place.Shared() {
		is, err := w.read(ctx)
		if err == nil && is.edited && bytes.Equal(is.text, w.last.text) { // its data key was destroyed since
			is.content, is.wrong, is.edited = w.last.content, "", false
		}
		if err != nil {
			return err
		}
		if is.edited && (w.edited == "" || is.version != w.edited) {
			return fmt.Errorf("the note at the witness %s", is.wrong)
		}
		if is.wrong == "" {
			if err := w.compare(ctx, is.content); err != nil {
				w.contradicted = errors.Is(err, rollback.ErrSeen)
				return err
			}
		}
		was, version = is.content, is.version
		switch gone = w.gone(is); {
		case gone != "":
			was = w.last.and(is.content)
		case is.wrong == "":
			w.last = is
		}
	}
	c := w.merged(was)
	if err := w.put(ctx, was, c, version); err != nil {
		return err
	}
	w.note.Heads = c.Heads
	if gone != "" {
		return &goneError{gone}
	}
	return w.count(ctx, count)
}

// goneError means that a shared place no longer had what this process last read or wrote
// there. It has it again.
type goneError struct{ what string }

func (e *goneError) Error() string {
	return "the note at the witness " + e.what + ", and this process has seen a newer one there"
}

// gone says why a note cannot follow the one that this process last read or wrote at the
// place; empty: it can. A full note can lack chains, because others were added.
func (w *Witness) gone(is found) string {
	switch {
	case w.last.text == nil || is.edited || is.wrong == "" && is.Since > w.last.Since:
		return ""
	case is.wrong != "":
		return is.wrong
	case is.Since < w.last.Since:
		return "is from before a restore"
	}
	for _, h := range w.last.Heads {
		i := slices.IndexFunc(is.Heads, func(b rollback.Head) bool { return b.Chain == h.Chain })
		if i < 0 && len(is.Heads) < mostHeads || i >= 0 && is.Heads[i].Seq < h.Seq {
			return "is an older one"
		}
	}
	return ""
}

// and returns what f and an older note of the same epoch know together, unsigned.
func (f found) and(o content) content {
	if o.Since != f.Since {
		o.Heads = nil
	}
	return content{Since: f.Since, Heads: newestHeads(o.Heads, f.Heads)}
}

// compare compares the store with the note of another instance: with its epoch, and
// with the heads that this process does not know yet.
func (w *Witness) compare(ctx context.Context, c content) error {
	switch mine := domain.Micros(w.epoch.At); {
	case c.Since > mine:
		w.cfg.Memory.Contradicted(domain.RecordSetting+"/epoch", fmt.Sprintf("the witness names epoch %d of the database, and this is epoch %d: it was restored from a backup, and this process serves the state before", c.Epoch, w.epoch.Number))
		return rollback.ErrSeen
	case c.Since < mine, w.cfg.Memory.Seen():
		return nil // from before a restore that this process knows, or the store is known to be older
	}
	known := newestHeads(newestHeads(w.note.Heads, w.cfg.Memory.Followed()), w.cfg.Memory.Heads())
	unknown := slices.DeleteFunc(slices.Clone(c.Heads), func(h rollback.Head) bool {
		return slices.ContainsFunc(known, func(k rollback.Head) bool {
			return k.Chain == h.Chain && (k.Seq > h.Seq || k.Seq == h.Seq && bytes.Equal(k.Hash, h.Hash))
		})
	})
	return w.cfg.Memory.Compare(ctx, unknown)
}

// merged is the note with everything that this process knows.
func (w *Witness) merged(was content) content {
	heads := w.note.Heads
	if was.Since == domain.Micros(w.epoch.At) {
		heads = newestHeads(was.Heads, heads)
	}
	heads = newestHeads(heads, slices.Concat(w.cfg.Memory.Followed(), w.cfg.Memory.Heads()))
	return content{Home: w.cfg.Home, Count: w.note.Count, Heads: heads}.restored(w.epoch)
}

// put writes a note, unless the place has it.
func (w *Witness) put(ctx context.Context, was, c content, version string) error {
	c = w.sign(c)
	if bytes.Equal(c.MAC, was.MAC) {
		return nil
	}
	text, err := json.Marshal(c)
	text = append(text, '\n')
	if err == nil {
		err = w.cfg.Place.Write(ctx, w.key(place.Heads), text, version)
	}
	if err != nil {
		return fmt.Errorf("witness: %w", err)
	}
	w.note.MAC, w.last = c.MAC, found{content: c, text: text}
	return nil
}

// count counts the note, if the place counts and it is time, or at the end. The note
// names the next count before the count is raised, so that a crash between the two
// leaves a note that is accepted, even if the answer to the raising was lost. A counter
// that is gone is not created again: that would hide that someone deleted it.
func (w *Witness) count(ctx context.Context, now bool) error {
	counts, ok := w.counter()
	if !ok || !now && !w.counted.IsZero() && time.Since(w.counted) < w.cfg.CountEvery {
		return nil
	}
	at, err := counts.Count(ctx)
	if err != nil {
		return fmt.Errorf("witness: %w", err)
	}
	if at < w.highest {
		return fmt.Errorf("%w: it was at %d, and is at %d", errFell, w.highest, at)
	}
	c := w.note
	c.Home, c.Count = w.cfg.Home, at+1
	if at == 0 {
		c.Count = firstCount
	}
	if err := w.put(ctx, w.note, c, ""); err != nil {
		return err
	}
	w.note.Count = c.Count
	count, err := counts.Raise(ctx)
	if err != nil {
		return fmt.Errorf("witness: %w", err)
	}
	w.counted, w.highest = time.Now(), count
	if w.note.Count = count; count == c.Count {
		return nil
	}
	c.Count = count // the first one, which the TPM chose above all that it had
	return w.put(ctx, w.note, c, "")
}
