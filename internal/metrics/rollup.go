package metrics

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Rollup counts the operations of one instance in its buckets. It is safe for
// concurrent use, except that one flush must end before the next begins:
//
//	batch := rollup.Take()
//	err := st.Update(ctx, batch.Write) // or among other writes
//	if err != nil {
//		rollup.Return(batch)
//	}
type Rollup struct {
	instance string
	chains   []string // the chains of the trail that it folds

	mu      sync.Mutex
	pending tallies // guarded by mu
}

// NewRollup returns the roll-up of an instance, which folds the instance's own
// chains of the audit trail. instance becomes [domain.Bucket.Instance], so no
// two running instances may have the same.
func NewRollup(instance string, chains ...string) *Rollup {
	return &Rollup{instance: instance, chains: chains, pending: tallies{}}
}

// Add counts an operation without an audit entry of its own, at the next flush.
// Do not add an operation whose entry has a [domain.Operation]: the flush finds
// it in the trail. device is the 16-byte keyed hash of the device, or nil if it
// is not known. failed: the operation returned an error, or a set returned
// false. took is its service time.
func (r *Rollup) Add(at time.Time, device []byte, failed bool, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pending.add(at, device, failed, took)
	r.pending.bound()
}

// Batch is what one flush writes: the operations that were added since the last
// flush, and the entries of the audit trail that are not folded yet.
type Batch struct {
	instance string
	chains   []string
	added    tallies
	damaged  int
	unplaced []string
}

// Take returns all operations added so far, as a batch. chains are more chains
// to fold, of instances that ended before they had folded them. Either commit
// [Batch.Write] or pass the batch to [Rollup.Return]: otherwise its operations
// are lost.
func (r *Rollup) Take(chains ...string) *Batch {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := &Batch{instance: r.instance, chains: slices.Concat(r.chains, chains), added: r.pending}
	r.pending = tallies{}
	return b
}

// Return takes back a batch whose transaction failed, for the next flush. The
// position in the trail was rolled back with the transaction.
func (r *Rollup) Return(b *Batch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for minute, t := range b.added {
		r.pending.at(minute).merge(t)
	}
	r.pending.bound()
	b.added = nil
}

// Write adds the batch and the new entries of the trail to this instance's
// buckets. Call it inside [store.Store.Update]. It changes only the
// transaction, so the engine may run it again. It includes entries that were
// appended earlier in the same transaction.
func (b *Batch) Write(tx Tx) error {
	b.damaged = 0
	sums := tallies{}
	var err error
	if b.unplaced, err = foldTrail(tx, b.chains, sums); err != nil {
		return err
	}
	now := startOf(domain.Minute, tx.Now())
	for minute, t := range b.added {
		if minute.After(now) {
			// The caller's clock is ahead of the engine's. A summary ends at the
			// engine's now, and would miss the operation until then.
			minute = now
		}
		sums.at(minute).merge(t)
	}
	buckets, err := b.get(tx, slices.Collect(maps.Keys(sums)))
	if err != nil {
		return err
	}
	for minute, t := range sums {
		for _, width := range widths {
			buckets[domain.BucketPosition{Width: width, Start: startOf(width, minute)}].merge(t)
		}
	}
	return b.put(tx, buckets)
}

// Damaged returns how many stored buckets the last Write found with unreadable
// devices or durations. It replaced these by empty ones; the buckets' other
// numbers are kept. Log it as tampering.
func (b *Batch) Damaged() int { return b.damaged }

// Unplaced returns the chains whose stored position the last Write found
// unreadable. It moved the position to the end of the chain: the operations since
// the flush before are not counted. Log it as tampering.
func (b *Batch) Unplaced() []string { return b.unplaced }

// get reads the buckets of each width that cover minutes.
func (b *Batch) get(tx Tx, minutes []time.Time) (map[domain.BucketPosition]*tally, error) {
	buckets := map[domain.BucketPosition]*tally{}
	for _, minute := range minutes {
		for _, width := range widths {
			buckets[domain.BucketPosition{Width: width, Start: startOf(width, minute)}] = &tally{}
		}
	}
	at := slices.Collect(maps.Keys(buckets))
	stored, err := tx.Buckets(b.instance, at)
	if err != nil {
		return nil, fmt.Errorf("reading metrics buckets: %w", err)
	}
	for i, found := range stored {
		if found != nil {
			b.load(buckets[at[i]], found)
		}
	}
	return buckets, nil
}

// load reads a stored bucket into an empty tally.
func (b *Batch) load(t *tally, stored *domain.Bucket) {
	t.operations, t.failures, t.duration = stored.Operations, stored.Failures, stored.Duration
	unseen, untimed := t.devices.mergeStored(stored.Devices), mergeDurations(&t.durations, stored.Durations)
	if unseen != nil || untimed != nil {
		// An error here would stop all later flushes, and so the count of all
		// operations, because of the devices of one bucket.
		b.damaged++
	}
}

func (b *Batch) put(tx Tx, buckets map[domain.BucketPosition]*tally) error {
	for id, t := range buckets {
		err := tx.PutBucket(domain.Bucket{Instance: b.instance, Width: id.Width, Start: id.Start,
			Operations: t.operations, Failures: t.failures, Duration: t.duration,
			Devices: t.devices.encode(), Durations: encodeDurations(&t.durations)})
		if err != nil {
			return fmt.Errorf("writing metrics bucket: %w", err)
		}
	}
	return nil
}

// ErrPosition is the error of a stored position that is damaged.
var ErrPosition = errors.New("the setting is damaged")

// decodePosition returns the number of the last entry that was folded, from the
// setting with this name: 8 bytes, big-endian.
func decodePosition(name string, value []byte) (int64, error) {
	if len(value) != 8 || value[0]&0x80 != 0 {
		return 0, fmt.Errorf("reading folded position %s: %w", name, ErrPosition)
	}
	return int64(binary.BigEndian.Uint64(value)), nil //nolint:gosec // its sign bit was looked at
}

// folded returns the name of the setting with the position up to which a chain
// is folded.
func folded(chain string) string { return "metrics.folded/" + chain }

// FoldedTo returns the number of the last entry of a chain that is folded, or 0
// if none is.
func FoldedTo(tx Tx, chain string) (int64, error) {
	to, err := FoldedToEach(tx, []string{chain})
	if err != nil {
		return 0, err
	}
	return to(chain)
}

// FoldedToEach is FoldedTo for these chains. It reads all of them at once.
func FoldedToEach(tx Tx, chains []string) (func(chain string) (int64, error), error) {
	all, reads := map[string][]byte{}, make([]func() error, len(chains))
	for i, chain := range chains {
		reads[i] = func() error {
			value, err := tx.Setting(folded(chain))
			if errors.Is(err, store.ErrNotFound) {
				return nil
			}
			all[folded(chain)] = value
			return err
		}
	}
	err := tx.Interleave(reads...)
	return foldedTo(all), readingFolded(err)
}

// FoldedToOfAll is FoldedTo for any chain. It reads all settings once.
func FoldedToOfAll(tx store.Settings) (func(chain string) (int64, error), error) {
	all, err := tx.Settings(folded(""))
	return foldedTo(all), readingFolded(err)
}

func foldedTo(all map[string][]byte) func(chain string) (int64, error) {
	return func(chain string) (int64, error) {
		value, found := all[folded(chain)]
		if !found {
			return 0, nil
		}
		return decodePosition(folded(chain), value)
	}
}

func readingFolded(err error) error {
	if err != nil {
		return fmt.Errorf("reading folded positions: %w", err)
	}
	return nil
}

// foldTrail adds the operations in entries that are not folded yet to found, by
// minute. Few entries wait in each chain, so one round trip reads them all. It
// returns the chains whose position was damaged.
func foldTrail(tx Tx, chains []string, found tallies) (unplaced []string, err error) {
	from, unplaced, err := unfolded(tx, chains)
	if err != nil {
		return nil, err
	}
	last, read := map[string]int64{}, map[string]int{}
	fold := func(e domain.Entry) error {
		last[e.Chain] = e.Seq
		read[e.Chain]++
		// An aggregate counts operations that were added in memory, even if it names
		// the operation.
		if e.Operation != "" && e.Event != domain.EventOperationsCounted && e.Event != domain.EventRefusalsCounted {
			found.add(e.Time, e.Device, e.Failed, e.Duration)
		}
		return nil
	}
	entries, err := tx.EntriesFrom(from, store.PageSize)
	if err != nil {
		return nil, fmt.Errorf("reading audit trail: %w", err)
	}
	for _, e := range entries {
		_ = fold(e)
	}
	for _, f := range from {
		if read[f.Chain] == store.PageSize {
			if err := tx.EachEntry(f.Chain, last[f.Chain], fold); err != nil {
				return nil, fmt.Errorf("reading audit trail: %w", err)
			}
		}
		if read[f.Chain] == 0 {
			continue
		}
		if err := tx.PutSettingLater(folded(f.Chain), domain.EncodeInt(last[f.Chain])); err != nil {
			return nil, fmt.Errorf("writing folded position: %w", err)
		}
	}
	return unplaced, nil
}

// unfolded returns the first entry of each chain that is not folded yet, and the chains
// whose position is damaged. These continue after their newest entry: an error would
// stop all later flushes, of all instances.
func unfolded(tx Tx, chains []string) (from []domain.EntryPosition, unplaced []string, err error) {
	to, err := FoldedToEach(tx, chains)
	if err != nil {
		return nil, nil, err
	}
	from = make([]domain.EntryPosition, 0, len(chains))
	for _, chain := range chains {
		last, err := to(chain)
		switch {
		case errors.Is(err, ErrPosition):
			if err := skipToEnd(tx, chain); err != nil {
				return nil, nil, err
			}
			unplaced = append(unplaced, chain)
		case err != nil:
			return nil, nil, err
		default:
			from = append(from, domain.EntryPosition{Chain: chain, Seq: last + 1})
		}
	}
	return from, unplaced, nil
}

// skipToEnd sets the position of a chain to its newest entry. Any earlier position
// could count operations twice.
func skipToEnd(tx Tx, chain string) error {
	newest, err := tx.LastEntry(chain)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("reading audit trail: %w", err)
	}
	if err := tx.PutSettingLater(folded(chain), domain.EncodeInt(newest.Seq)); err != nil {
		return fmt.Errorf("writing folded position: %w", err)
	}
	return nil
}
