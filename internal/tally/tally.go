// Package tally collects in memory what no request waits for: operations for the
// metrics, operations and refusals that have no entry of their own, uses of keys,
// and suspicions. A flush writes them in one transaction within a second. A kill
// loses everything collected since the last flush.
package tally

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// Config configures [New]. Every field is required.
type Config struct {
	Records *record.Records
	Rollup  *metrics.Rollup // of this process and its chains
	// Shared says that other processes write to the store, each to chains of its
	// own. This process then folds the chains of processes that have ended.
	Shared  bool
	Now     func() time.Time
	Log     *slog.Logger
	Metrics *metrics.Metrics
}

// Tally collects what waits to be written. It is safe for concurrent use.
type Tally struct {
	cfg    Config
	counts audit.Counts
	uses   keyUses

	unfolded atomic.Bool // something waits for the next flush
	waiting  waiting

	entering sync.Mutex
	entries  []domain.Entry // guarded by entering

	flushing chan struct{}    // holds an element while a flush runs
	looked   time.Time        // used only by the flush that runs, like all below: when leftBehind last ran
	folded   map[string]int64 // the last entry of folded chains of ended processes

	lookedTo  time.Time // all entries before it, by the store's clock, are folded
	lookedAll time.Time // when leftBehind last read the heads of all chains
}

// New returns a Tally. Its first flush folds the entries that a killed process
// left.
func New(cfg Config) *Tally {
	t := &Tally{cfg: cfg, flushing: make(chan struct{}, 1), folded: map[string]int64{}}
	t.unfolded.Store(true)
	return t
}

// Operation is an encryption operation that has ended.
type Operation struct {
	Name    domain.Operation
	Outcome string // as in entries
	Failed  bool
	Start   time.Time
	Took    time.Duration
	Device  []byte // its keyed hash; nil: unknown
	Entered bool   // an entry of its own was committed
}

// Operation counts an operation.
func (t *Tally) Operation(o Operation) {
	end := o.Start.Add(o.Took)
	t.waiting.operations.add(end)
	if !o.Entered {
		t.counts.Operation(o.Name, o.Outcome, o.Took)
		t.waiting.counts.add(end)
		t.cfg.Rollup.Add(o.Start, o.Device, o.Failed, o.Took)
	}
	t.unfolded.Store(true)
}

// Refusal counts a request that was refused before its work, by its code and
// the keyed hash of its account, if that is known.
func (t *Tally) Refusal(code domain.Code, account []byte) {
	t.counts.Refusal(code, account, t.cfg.Now())
}

// KeyUsed notes that a key was used.
func (t *Tally) KeyUsed(k domain.DeviceKey) { t.uses.note(k, t.cfg.Now()) }

// maxEntries bounds the entries that wait while the store takes no writes.
const maxEntries = 1000

// Enter adds an entry to the next flush.
func (t *Tally) Enter(e domain.Entry) {
	t.entering.Lock()
	defer t.entering.Unlock()
	if len(t.entries) < maxEntries {
		t.entries = append(t.entries, e)
	}
}

func (t *Tally) entriesWait() bool {
	t.entering.Lock()
	defer t.entering.Unlock()
	return len(t.entries) > 0
}

func (t *Tally) takeEntries() []domain.Entry {
	t.entering.Lock()
	defer t.entering.Unlock()
	taken := t.entries
	t.entries = nil
	return taken
}

func (t *Tally) returnEntries(taken []domain.Entry) {
	t.entering.Lock()
	defer t.entering.Unlock()
	t.entries = append(taken, t.entries...)
	t.entries = t.entries[:min(len(t.entries), maxEntries)]
}

// Lags returns the ages of the oldest operation that is not in the roll-ups, and
// of the oldest count that is not in the trail.
func (t *Tally) Lags() (rollup, audit time.Duration) {
	now := t.cfg.Now()
	audit = max(t.waiting.counts.age(now), t.waiting.refusals.age(now))
	if refused := t.counts.RefusedSince(); !refused.IsZero() {
		audit = max(audit, now.Sub(refused))
	}
	return t.waiting.operations.age(now), audit
}

// Flush writes everything that waits and folds new entries of the trail into the
// roll-ups, in one transaction. With all, it also writes refusals whose minute is
// not over. It waits for earlier flushes, which can take seconds while the store is
// slow, but only until ctx ends.
func (t *Tally) Flush(ctx context.Context, all bool) error {
	select {
	case t.flushing <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-t.flushing }()
	due := t.due() || all
	left, err := t.leftBehind(ctx)
	if err != nil { // because of the chains of other processes: what this one has is written
		left, err = nil, fmt.Errorf("looking for chains left behind: %w", err)
	}
	if !due && len(left) == 0 {
		return err
	}
	return cmp.Or(t.write(ctx, all, left), err)
}

// write writes everything that waits, and folds its own chains and those left behind.
func (t *Tally) write(ctx context.Context, all bool, left []string) error {
	start := time.Now()
	t.waiting.take(t.counts.RefusedSince())
	counts, batch := t.counts.Take(t.cfg.Now(), all), t.cfg.Rollup.Take(left...)
	uses, entries := t.uses.take(), t.takeEntries()
	err := t.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error {
		tx.Enter(append(counts.Entries(), entries...)...)
		if err := tx.Write(); err != nil { // the batch folds these entries too
			return err
		}
		if err := writeKeyUses(tx, uses); err != nil {
			return err
		}
		return batch.Write(tx)
	})
	t.cfg.Metrics.Flushed(time.Since(start))
	if errors.Is(err, store.ErrUnknown) {
		// Probably committed. Writing it again would count it twice, and while a
		// standby is away once more with each flush. If not, its entries are still to be
		// folded: the next flush sees that by the position.
		t.unfolded.Store(true)
		return fmt.Errorf("writing metrics and counts: %w", err)
	}
	if err != nil {
		t.counts.Return(counts, t.cfg.Now())
		t.cfg.Rollup.Return(batch)
		t.uses.giveBack(uses)
		t.returnEntries(entries)
		t.unfolded.Store(true)
		return fmt.Errorf("writing metrics and counts: %w", err)
	}
	t.waiting.written(t.counts.RefusedSince())
	if n := batch.Damaged(); n > 0 {
		t.cfg.Log.Error("device sketches or durations of stored metrics were unreadable and were reset", "buckets", n)
		t.cfg.Metrics.Tampering(metrics.RecordBucket)
	}
	if chains := batch.Unplaced(); len(chains) > 0 {
		t.cfg.Log.Error("stored positions of the metrics summary in the audit trail were unreadable and were reset", "chains", chains)
		t.cfg.Metrics.Tampering(domain.RecordSetting)
	}
	return nil
}

// due reports whether anything waits for a flush.
func (t *Tally) due() bool {
	return t.unfolded.Swap(false) || t.counts.Due(t.cfg.Now()) || t.uses.waiting() || t.entriesWait()
}

const (
	lookEvery = 30 * time.Second // how often leftBehind runs
	ownerGone = 10 * time.Second // after the last entry of a chain; a running process folds within a second

	lookSlack    = time.Minute // longer than a transaction and ownerGone, so that no entry is missed
	lookAllEvery = time.Hour   // for entries that a database clock that was set back has dated before the last look
)

func (t *Tally) lookDue() bool { return t.cfg.Shared && t.cfg.Now().Sub(t.looked) >= lookEvery }

// leftBehind returns the chains that an ended process has not folded completely. It
// reads the chains with entries since the last look. Only the first look, and one
// each hour, reads the heads of all chains.
func (t *Tally) leftBehind(ctx context.Context) (left []string, err error) {
	if !t.lookDue() {
		return nil, nil
	}
	now, at := t.cfg.Now(), time.Time{}
	since, lookedAll := t.lookedTo.Add(-lookSlack), t.lookedAll
	if now.Sub(lookedAll) >= lookAllEvery {
		since, lookedAll = time.Time{}, now
	}
	err = t.cfg.Records.View(ctx, func(tx *record.Tx) error {
		at = tx.Now()
		left, err = t.unfoldedSince(tx, since)
		return err
	})
	if err == nil {
		t.looked = now
	}
	if err == nil && len(left) == 0 { // otherwise the next look finds whether they were folded
		t.lookedTo, t.lookedAll = at, lookedAll
	}
	return left, err
}

func (t *Tally) unfoldedSince(tx *record.Tx, since time.Time) (left []string, err error) {
	heads, err := tx.Heads(since)
	if err != nil {
		return nil, err
	}
	folded, err := foldedTo(tx, heads, since.IsZero())
	if err != nil {
		return nil, err
	}
	for _, head := range heads {
		if t.cfg.Records.OwnsChain(head.Chain) || t.folded[head.Chain] == head.Seq || tx.Now().Sub(head.Time) < ownerGone {
			continue
		}
		last, err := folded(head.Chain)
		switch {
		case err != nil && !errors.Is(err, metrics.ErrPosition):
			return nil, err
		case err != nil, last < head.Seq: // the flush resets a damaged position
			left = append(left, head.Chain)
		default:
			t.folded[head.Chain] = head.Seq
		}
	}
	return left, nil
}

func foldedTo(tx *record.Tx, heads []domain.Entry, all bool) (func(chain string) (int64, error), error) {
	if all {
		return metrics.FoldedToOfAll(tx)
	}
	chains := make([]string, len(heads))
	for i, head := range heads {
		chains[i] = head.Chain
	}
	return metrics.FoldedToEach(tx, chains)
}
