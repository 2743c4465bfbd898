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

// Which bucket width a window starts on, and so how long each is kept.
const (
	minutesUpTo = 26 * time.Hour
	hoursUpTo   = 40 * 24 * time.Hour
)

// MaxWindowHours is the longest window that [Summarise] takes: ten years.
const MaxWindowHours = 87840

// maxPending bounds how many minutes of operations wait in memory while the
// store takes no writes. At most 66 KiB each, so 4 MiB.
const maxPending = 60

// Rollup folds the operations of one instance into its buckets. It is safe for
// concurrent use, except that one flush must end before the next begins:
//
//	batch := rollup.Take()
//	err := st.Update(ctx, batch.Write) // or among other writes
//	if err != nil {
//		rollup.Return(batch)
//	}
type Rollup struct {
	instance string
	chains   []string // of the trail, that it folds

	mu      sync.Mutex
	pending tallies // guarded by mu
}

// NewRollup returns the roll-up of an instance, which folds its own chains of
// the audit trail. Its name is its buckets' [domain.Bucket.Instance], so no two
// running instances may share one.
func NewRollup(instance string, chains ...string) *Rollup {
	return &Rollup{instance: instance, chains: chains, pending: tallies{}}
}

// Add counts an operation that has no audit entry of its own, with the next
// flush. One whose entry names its [domain.Operation] must not be added: the
// flush finds it in the trail. device is the 16-byte keyed hash of its device,
// or nil where none is known; failed says that it ended in an error or that
// set answered false; took is its service time.
func (r *Rollup) Add(at time.Time, device []byte, failed bool, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pending.add(at, device, failed, took)
	r.pending.bound()
}

// Batch is what one flush writes: the operations added since the last one,
// and whatever the audit trail holds that is not folded yet.
type Batch struct {
	instance string
	chains   []string
	added    tallies
	damaged  int
}

// Take hands over all operations added so far; chains are further ones to fold,
// of instances that have ended before they folded all of it. Either [Batch.Write] gets
// committed, or the batch goes to [Rollup.Return]; they are lost otherwise.
func (r *Rollup) Take(chains ...string) *Batch {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := &Batch{instance: r.instance, chains: slices.Concat(r.chains, chains), added: r.pending}
	r.pending = tallies{}
	return b
}

// Return takes back a batch whose transaction failed, for the next flush. The
// trail needs no taking back: how far it is folded was undone as well.
func (r *Rollup) Return(b *Batch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for minute, t := range b.added {
		r.pending.at(minute).merge(t)
	}
	r.pending.bound()
	b.added = nil
}

// Write folds the batch and the trail into this instance's buckets. It belongs
// inside [store.Store.Update], and changes nothing but the transaction, so
// that an engine may run it again. Entries appended earlier in the same
// transaction are folded with it.
func (b *Batch) Write(tx Tx) error {
	b.damaged = 0
	sums := tallies{}
	for _, chain := range b.chains {
		if err := foldTrail(tx, chain, sums); err != nil {
			return err
		}
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
	buckets := map[bucketID]*tally{}
	for minute, t := range sums {
		if err := b.fold(tx, buckets, minute, t); err != nil {
			return err
		}
	}
	return b.put(tx, buckets)
}

// Damaged says how many stored buckets the last Write found with a device
// sketch or durations that it could not read, and so began anew. Their
// operations still count, their devices or durations are gone: log it as
// tampering.
func (b *Batch) Damaged() int { return b.damaged }

// bucketID names one of this instance's buckets.
type bucketID struct {
	width domain.BucketWidth
	start time.Time
}

// fold adds one minute's tally to its bucket of each width in buckets, which
// it reads from the store when first needed.
func (b *Batch) fold(tx Tx, buckets map[bucketID]*tally, minute time.Time, t *tally) error {
	for _, width := range widths {
		id := bucketID{width, startOf(width, minute)}
		if buckets[id] == nil {
			stored, err := b.get(tx, id)
			if err != nil {
				return err
			}
			buckets[id] = stored
		}
		buckets[id].merge(t)
	}
	return nil
}

func (b *Batch) get(tx Tx, id bucketID) (*tally, error) {
	stored, err := tx.Bucket(b.instance, id.width, id.start)
	if errors.Is(err, store.ErrNotFound) {
		return &tally{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading metrics bucket: %w", err)
	}
	t := &tally{operations: stored.Operations, failures: stored.Failures, duration: stored.Duration}
	unseen, untimed := t.devices.mergeStored(stored.Devices), mergeDurations(&t.durations, stored.Durations)
	if unseen != nil || untimed != nil {
		// To fail here would stop every later flush, and with it the count of
		// all operations, for the sake of the devices of one bucket.
		b.damaged++
	}
	if unseen != nil {
		t.devices = devices{}
	}
	return t, nil
}

func (b *Batch) put(tx Tx, buckets map[bucketID]*tally) error {
	for id, t := range buckets {
		err := tx.PutBucket(domain.Bucket{Instance: b.instance, Width: id.width, Start: id.start,
			Operations: t.operations, Failures: t.failures, Duration: t.duration,
			Devices: t.devices.encode(), Durations: encodeDurations(&t.durations)})
		if err != nil {
			return fmt.Errorf("writing metrics bucket: %w", err)
		}
	}
	return nil
}

// position is the number of the last entry that was folded, from the setting
// of this name: eight bytes, big-endian; no setting: none was.
func position(tx Tx, name string) (int64, error) {
	value, err := tx.Setting(name)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("reading folded position: %w", err)
	case len(value) != 8 || value[0]&0x80 != 0:
		// Guessing a position would count entries twice or not at all.
		return 0, fmt.Errorf("reading folded position: setting %s is damaged", name)
	}
	return int64(binary.BigEndian.Uint64(value)), nil //nolint:gosec // its sign bit was looked at
}

// folded is the name of the setting that says how far a chain is folded.
func folded(chain string) string { return "metrics.folded/" + chain }

// Folded reports whether all of a chain that ends with head is folded.
func Folded(tx Tx, head domain.Entry) (bool, error) {
	last, err := FoldedTo(tx, head.Chain)
	return last >= head.Seq, err
}

// FoldedTo is the number of the last entry of a chain that is folded, 0 for
// none.
func FoldedTo(tx Tx, chain string) (int64, error) { return position(tx, folded(chain)) }

// foldTrail adds the chain's operations that were not folded before to found,
// by minute.
func foldTrail(tx Tx, chain string, found tallies) error {
	after, err := position(tx, folded(chain))
	if err != nil {
		return err
	}
	last := after
	err = tx.EachEntry(chain, after, func(e domain.Entry) error {
		last = e.Seq
		// An aggregate stands for operations that were added in memory, even
		// where it names which operation they were.
		if e.Operation != "" && e.Event != domain.EventOperationsCounted && e.Event != domain.EventRefusalsCounted {
			found.add(e.Time, e.Device, e.Failed, e.Duration)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading audit trail: %w", err)
	}
	if last == after {
		return nil
	}
	if err := tx.PutSetting(folded(chain), domain.EncodeInt(last)); err != nil {
		return fmt.Errorf("writing folded position: %w", err)
	}
	return nil
}

// CheckWindow refuses a window outside (0, MaxWindowHours], NaN among them,
// with [domain.BadInput].
func CheckWindow(hours float64) error {
	if hours > 0 && hours <= MaxWindowHours {
		return nil
	}
	return domain.BadInput("timeframeHours", fmt.Sprintf("must be a number greater than 0 and at most %d", MaxWindowHours))
}

// Summarise answers for the operations of all instances in the last hours
// before now, which should be tx.Now(). The window's start is rounded down: to
// the minute for windows up to 26 hours, to the hour up to 40 days, to the UTC
// day beyond. It refuses what [CheckWindow] refuses. Stored durations that it
// cannot read count as not known: what they say is for operators only, and the
// summary is not.
func Summarise(tx Tx, hours float64, now time.Time) (domain.Summary, error) {
	if err := CheckWindow(hours); err != nil {
		return domain.Summary{}, err
	}
	var total tally
	for _, s := range cover(now, time.Duration(hours*float64(time.Hour))) {
		err := tx.EachBucket(s.width, s.from, s.to, func(b domain.Bucket) error {
			total.operations += b.Operations
			total.failures += b.Failures
			total.duration += b.Duration
			_ = mergeDurations(&total.durations, b.Durations)
			return total.devices.mergeStored(b.Devices)
		})
		if err != nil {
			return domain.Summary{}, fmt.Errorf("reading metrics buckets: %w", err)
		}
	}
	return total.summary(hours), nil
}

// Prune deletes buckets that no window starts on any more, the oldest first.
// Those of a day and of four weeks stay for ever. It deletes no more than some
// hundred, as nothing else is written meanwhile: call it at least once an hour.
// After a long stop it takes several calls, which nobody waits for.
func Prune(tx Tx, now time.Time) error {
	// One wider bucket of slack: a summary whose now is a moment earlier must
	// still find its first bucket.
	if err := prune(tx, domain.Minute, now.Add(-minutesUpTo-time.Hour)); err != nil {
		return fmt.Errorf("deleting minute buckets: %w", err)
	}
	if err := prune(tx, domain.Hour, now.Add(-hoursUpTo-24*time.Hour)); err != nil {
		return fmt.Errorf("deleting hour buckets: %w", err)
	}
	return nil
}

// maxPruned is how many starts of buckets one call of Prune deletes, of each
// width. An hour makes 60.
const maxPruned = 80

var errEnough = errors.New("enough")

func prune(tx Tx, width domain.BucketWidth, before time.Time) error {
	before = startOf(width, before)
	starts, last := 0, time.Time{}
	err := tx.EachBucket(width, time.Time{}, before, func(b domain.Bucket) error {
		if b.Start.Equal(last) {
			return nil
		}
		if starts == maxPruned {
			before = b.Start
			return errEnough
		}
		starts, last = starts+1, b.Start
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	return tx.DeleteBuckets(width, before)
}

// span is a run of buckets of one width, with from <= Start < to.
type span struct {
	width    domain.BucketWidth
	from, to time.Time
}

// widths are the widths of buckets, the finest first.
var widths = []domain.BucketWidth{domain.Minute, domain.Hour, domain.Day, domain.FourWeeks}

// cover names the fewest buckets that together are the window: fine ones up to
// where the next wider begins, and so on. So a window of up to 26 hours takes
// at most 84 buckets of each instance, a year 42 and ten years 159.
func cover(now time.Time, window time.Duration) []span {
	finest := 2
	switch {
	case window <= minutesUpTo:
		finest = 0
	case window <= hoursUpTo:
		finest = 1
	}
	var spans []span
	width, from := widths[finest], startOf(widths[finest], now.Add(-window))
	for _, wider := range widths[finest+1:] {
		full := startOf(wider, from.Add(time.Duration(wider)-1))
		if full.After(now) {
			break
		}
		if from.Before(full) {
			spans = append(spans, span{width, from, full})
		}
		width, from = wider, full
	}
	return append(spans, span{width, from, startOf(width, now).Add(time.Duration(width))})
}

// startOf is the start of the bucket that t falls in, in UTC and without a
// monotonic reading, so that it can be compared and be a map's key.
// [time.Time.Truncate] would not do: it counts four weeks from the year 1.
func startOf(w domain.BucketWidth, t time.Time) time.Time {
	width := int64(time.Duration(w) / time.Second)
	return time.Unix(t.Unix()/width*width, 0).UTC()
}

// tally sums up operations. The zero value has none.
type tally struct {
	operations int64
	failures   int64
	duration   time.Duration
	devices    devices
	durations  domain.Durations
}

// merge adds o and leaves o as it is.
func (t *tally) merge(o *tally) {
	t.operations += o.operations
	t.failures += o.failures
	t.duration += o.duration
	t.devices.merge(&o.devices)
	t.durations.Merge(&o.durations)
}

func (t *tally) summary(hours float64) domain.Summary {
	s := domain.Summary{
		TotalOperations:      t.operations,
		SuccessfulOperations: t.operations - t.failures,
		FailedOperations:     t.failures,
		UniqueDevices:        t.devices.count(),
		TimeframeHours:       hours,
		Percentiles:          t.durations.Percentiles(),
	}
	if t.operations > 0 {
		s.SuccessRate = 100 * float64(s.SuccessfulOperations) / float64(t.operations)
		s.AverageDuration = float64(t.duration) / float64(t.operations) / float64(time.Millisecond)
	}
	return s
}

// tallies are sums by the start of the minute.
type tallies map[time.Time]*tally

func (ts tallies) at(minute time.Time) *tally {
	t := ts[minute]
	if t == nil {
		t = &tally{}
		ts[minute] = t
	}
	return t
}

func (ts tallies) add(at time.Time, device []byte, failed bool, took time.Duration) {
	t := ts.at(startOf(domain.Minute, at))
	t.operations++
	if failed {
		t.failures++
	}
	// Whole microseconds, the precision of the trail and the store: a sum that
	// is read and written every second would drift by its fractions.
	took = max(0, took.Truncate(time.Microsecond))
	t.duration += took
	t.durations.Add(took)
	if len(device) >= 8 {
		t.devices.insert(binary.BigEndian.Uint64(device))
	}
}

// bound merges the oldest minute into the one after it while there are too
// many, which can only be when the store has taken no write for an hour: an
// operation moved by a minute is better than one lost.
func (ts tallies) bound() {
	if len(ts) <= maxPending {
		return
	}
	minutes := slices.SortedFunc(maps.Keys(ts), time.Time.Compare)
	for i := range len(minutes) - maxPending {
		ts[minutes[i+1]].merge(ts[minutes[i]])
		delete(ts, minutes[i])
	}
}
