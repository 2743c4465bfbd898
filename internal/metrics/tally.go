package metrics

import (
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"strongroom/internal/domain"
)

// maxPending limits how many minutes of operations wait in memory while the
// store accepts no writes: at most 66 KiB each, so 4 MiB.
const maxPending = 60

// tally has sums of operations. The zero value has none.
type tally struct {
	operations int64
	failures   int64
	duration   time.Duration
	devices    devices
	durations  domain.Durations
}

// merge adds o. It does not change o.
func (t *tally) merge(o *tally) {
	t.operations += o.operations
	t.failures += o.failures
	t.duration += o.duration
	t.devices.merge(&o.devices)
	t.durations.Merge(&o.durations)
}

// addStored adds the counts of a bucket. Durations that are unreadable count as unknown.
func (t *tally) addStored(b domain.Bucket) {
	t.operations += b.Operations
	t.failures += b.Failures
	t.duration += b.Duration
	_ = mergeDurations(&t.durations, b.Durations)
}

// tallies are tallies by the start of their minute.
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
	// Whole microseconds, the precision of the trail and the store: a sum that is
	// read and written every second would otherwise drift.
	took = max(0, took.Truncate(time.Microsecond))
	t.duration += took
	t.durations.Add(took)
	if len(device) >= 8 {
		t.devices.insert(binary.BigEndian.Uint64(device))
	}
}

// bound merges the oldest minute into the next one while there are too many.
// That happens only if the store has accepted no writes for an hour. An
// operation moved by a minute is better than a lost one.
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
