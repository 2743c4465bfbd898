package metrics

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

// deviceHash is a keyed hash of 16 bytes, as the service makes it.
func deviceHash(n int) []byte {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("key"), uint64(n)))
	return sum[:16]
}

func entry(chain string, at time.Time, device []byte, failed bool, took time.Duration) domain.Entry {
	return domain.Entry{Chain: chain, Time: at, Event: domain.EventCredentialVerified, Operation: domain.OpVerifyPIN,
		Device: device, Failed: failed, Duration: took, Count: 1}
}

func mustAppend(t testing.TB, m *memory, entries ...domain.Entry) {
	t.Helper()
	err := m.update(func(tx store.Tx) error {
		for _, e := range entries {
			if err := tx.InsertEntry(e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func mustFlush(t testing.TB, m *memory, r *Rollup) *Batch {
	t.Helper()
	batch := r.Take()
	if err := m.update(writing(batch)); err != nil {
		t.Fatal(err)
	}
	return batch
}

func mustSummarise(t testing.TB, m *memory, hours float64) domain.Summary {
	t.Helper()
	s, _, err := Summarise(m, hours, m.now)
	if err != nil {
		t.Fatal(err)
	}
	return untimed(t, s)
}

// untimed is a summary without percentiles, which tests of their own look at,
// of operations that are all timed.
func untimed(t testing.TB, s domain.Summary) domain.Summary {
	t.Helper()
	if s.Percentiles.Of != s.TotalOperations {
		t.Errorf("%d of %d operations are timed", s.Percentiles.Of, s.TotalOperations)
	}
	s.Percentiles = domain.Percentiles{}
	return s
}

func TestASummaryCombinesTrailEntriesAndReportedOperations(t *testing.T) {
	m, r := newMemory(noon), NewRollup("a", "a")
	if diff := cmp.Diff(domain.Summary{TimeframeHours: 24}, mustSummarise(t, m, 24)); diff != "" {
		t.Errorf("nothing happened yet (-want +got):\n%s", diff)
	}
	mustAppend(t, m,
		domain.Entry{Chain: "a", Time: noon, Event: domain.EventStoreInitialised},
		entry("a", noon, deviceHash(1), false, 10*time.Millisecond),
		entry("a", noon, deviceHash(2), true, 20*time.Millisecond),
		domain.Entry{Chain: "a", Time: noon, Event: domain.EventCredentialLocked},
		domain.Entry{Chain: "a", Time: noon, Event: domain.EventOperationsCounted, Operation: domain.OpEncrypt, Count: 7})
	r.Add(noon, nil, false, 1500*time.Microsecond)
	r.Add(noon, deviceHash(1), false, 1999*time.Nanosecond) // kept to the microsecond
	r.Add(noon, deviceHash(1), true, -time.Hour)            // a clock stepped back
	mustFlush(t, m, r)
	want := domain.Summary{TotalOperations: 5, SuccessfulOperations: 3, FailedOperations: 2, SuccessRate: 60,
		AverageDuration: 31.501 / 5, UniqueDevices: 2, TimeframeHours: 0.5}
	if diff := cmp.Diff(want, mustSummarise(t, m, 0.5)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAKillBetweenCommitAndFlushLosesNothingOfTheTrail(t *testing.T) {
	m, r := newMemory(noon), NewRollup("a", "a")
	mustAppend(t, m, entry("a", noon, deviceHash(1), false, time.Second))
	mustFlush(t, m, r)
	mustAppend(t, m, entry("a", noon, deviceHash(2), true, time.Second))

	killed := NewRollup("a", "a") // a new process: nothing in memory
	mustFlush(t, m, killed)
	mustFlush(t, m, killed)
	mustFlush(t, m, r)
	want := domain.Summary{TotalOperations: 2, SuccessfulOperations: 1, FailedOperations: 1, SuccessRate: 50,
		AverageDuration: 1000, UniqueDevices: 2, TimeframeHours: 24}
	if diff := cmp.Diff(want, mustSummarise(t, m, 24)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAFailedOrRepeatedTransactionCountsOnce(t *testing.T) {
	m, r := newMemory(noon), NewRollup("a", "a")
	mustAppend(t, m, entry("a", noon, deviceHash(1), false, time.Second))
	r.Add(noon, deviceHash(2), false, time.Second)

	failed := r.Take()
	r.Add(noon, deviceHash(3), false, time.Second) // while the transaction runs
	disk := errors.New("disk full")
	err := m.update(func(tx store.Tx) error { return errors.Join(failed.Write(tx), disk) })
	if !errors.Is(err, disk) {
		t.Fatal(err)
	}
	r.Return(failed)
	r.Return(failed) // a second time is harmless

	batch := r.Take()
	_ = m.update(func(tx store.Tx) error { return errors.Join(batch.Write(tx), errors.New("serialization failure")) })
	if err := m.update(writing(batch)); err != nil { // the engine runs it again
		t.Fatal(err)
	}
	s := mustSummarise(t, m, 24)
	if s.TotalOperations != 3 || s.UniqueDevices != 3 {
		t.Errorf("%d operations of %d devices, want 3 of 3", s.TotalOperations, s.UniqueDevices)
	}
}

func TestEachInstanceHasItsOwnRowsAndSummariesAddThemUp(t *testing.T) {
	m := newMemory(noon)
	for _, chain := range []string{"a", "b"} {
		r := NewRollup(chain, chain)
		mustAppend(t, m, entry(chain, noon, deviceHash(1), false, time.Second))
		r.Add(noon, deviceHash(2), false, time.Second)
		mustFlush(t, m, r)
		if b := m.bucket(chain, domain.Hour, noon); b.Operations != 2 {
			t.Errorf("instance %s: bucket of %d operations, want 2", chain, b.Operations)
		}
	}
	if s := mustSummarise(t, m, 1); s.TotalOperations != 4 || s.UniqueDevices != 2 {
		t.Errorf("%d operations of %d devices, want 4 of 2", s.TotalOperations, s.UniqueDevices)
	}
}

func TestAnOperationAheadOfTheDatabaseClockIsInTheNextSummary(t *testing.T) {
	now := noon.Add(30*time.Minute + 59*time.Second)
	m, r := newMemory(now), NewRollup("a", "a")
	r.Add(now.Add(2*time.Second), nil, false, 0)
	mustFlush(t, m, r)
	if s := mustSummarise(t, m, 0.01); s.TotalOperations != 1 {
		t.Errorf("%d operations, want 1", s.TotalOperations)
	}
}

func TestAWindowStartsWithTheBucketItFallsIn(t *testing.T) {
	now := time.Date(2026, 3, 10, 10, 37, 42, 1000, time.UTC)
	for _, c := range []struct {
		hours float64
		first string // the window's start, rounded down
	}{
		{1e-9, "2026-03-10T10:37:00Z"},
		{0.01, "2026-03-10T10:37:00Z"},
		{0.5, "2026-03-10T10:07:00Z"},
		{1, "2026-03-10T09:37:00Z"},
		{24, "2026-03-09T10:37:00Z"},
		{26, "2026-03-09T08:37:00Z"},
		{26.001, "2026-03-09T08:00:00Z"},
		{40 * 24, "2026-01-29T10:00:00Z"},
		{40*24 + 0.001, "2026-01-29T00:00:00Z"},
		{365 * 24, "2025-03-10T00:00:00Z"},
		{maxWindowHours, "2016-03-02T00:00:00Z"},
	} {
		first, err := time.Parse(time.RFC3339, c.first)
		if err != nil {
			t.Fatal(err)
		}
		m, r := newMemory(now), NewRollup("a", "a")
		for _, at := range []time.Time{first.Add(-time.Microsecond), first, now} {
			mustAppend(t, m, entry("a", at, nil, false, 0))
		}
		mustFlush(t, m, r)
		if s := mustSummarise(t, m, c.hours); s.TotalOperations != 2 || s.TimeframeHours != c.hours {
			t.Errorf("%v hours: %d operations, want the two from %s on; timeframe %v", c.hours, s.TotalOperations, c.first, s.TimeframeHours)
		}
	}
}

func TestWindowsOutOfRangeAreRefused(t *testing.T) {
	for _, hours := range []float64{0, math.Copysign(0, -1), -1, math.Nextafter(maxWindowHours, math.Inf(1)), math.MaxFloat64,
		math.NaN(), math.Inf(1), math.Inf(-1)} {
		_, _, err := Summarise(newMemory(noon), hours, noon)
		var refusal *domain.Error
		if !errors.As(err, &refusal) || refusal.Code != domain.CodeBadUserInput {
			t.Errorf("%v hours: %v, want %s", hours, err, domain.CodeBadUserInput)
		}
	}
	if err := CheckWindow(math.SmallestNonzeroFloat64); err != nil {
		t.Error(err)
	}
}

func TestAWindowIsCoveredWithoutGapsByFewBuckets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := noon.Add(time.Duration(rapid.Int64Range(0, int64(1000*24*time.Hour)).Draw(t, "now")))
		hours := rapid.OneOf(rapid.Float64Range(0.001, 26), rapid.Float64Range(26, 960), rapid.Float64Range(960, 10_000), rapid.Float64Range(960, maxWindowHours)).Draw(t, "hours")
		window, rows := time.Duration(hours*float64(time.Hour)), 0
		spans := cover(now, window)
		for i, s := range spans {
			if i > 0 && !s.From.Equal(spans[i-1].To) {
				t.Fatalf("gap between %v and %v", spans[i-1], s)
			}
			rows += int(s.To.Sub(s.From) / time.Duration(s.Width))
		}
		limit := 27 + maxWindowHours/24/28 + 2
		switch {
		case window <= minutesUpTo:
			limit = 59 + 23 + 2
		case window <= hoursUpTo:
			limit = 23 + 27 + 2
		case window <= 366*24*time.Hour:
			limit = 27 + 13 + 2
		}
		if last := spans[len(spans)-1].To; !last.After(now) || rows > limit {
			t.Fatalf("covered until %v by %d buckets, want past %v by at most %d", last, rows, now, limit)
		}
	})
}

func TestFullHoursDaysAndFourWeeksAreOneBucketEach(t *testing.T) {
	at := func(hour, minute int) time.Time { return time.Date(2026, 3, 10, hour, minute, 0, 0, time.UTC) }
	for _, c := range []struct {
		now    time.Time
		window time.Duration
		want   []domain.BucketSpan
	}{
		{at(12, 0), time.Hour, []domain.BucketSpan{{Width: domain.Hour, From: at(11, 0), To: at(13, 0)}}},
		{at(12, 30), time.Hour, []domain.BucketSpan{{Width: domain.Minute, From: at(11, 30), To: at(12, 0)}, {Width: domain.Hour, From: at(12, 0), To: at(13, 0)}}},
		{at(12, 30), 10 * time.Minute, []domain.BucketSpan{{Width: domain.Minute, From: at(12, 20), To: at(12, 31)}}},
		{at(0, 0), 24 * time.Hour, []domain.BucketSpan{{Width: domain.Day, From: at(-24, 0), To: at(24, 0)}}},
		{at(12, 30), 30 * 24 * time.Hour, []domain.BucketSpan{{Width: domain.Hour, From: at(12-30*24, 0), To: at(-29*24, 0)}, {Width: domain.Day, From: at(-29*24, 0), To: at(-26*24, 0)},
			{Width: domain.FourWeeks, From: at(-26*24, 0), To: at(2*24, 0)}}},
		{at(12, 30), 365 * 24 * time.Hour, []domain.BucketSpan{{Width: domain.Day, From: at(-365*24, 0), To: at(-362*24, 0)}, {Width: domain.FourWeeks, From: at(-362*24, 0), To: at(2*24, 0)}}},
	} {
		if diff := cmp.Diff(c.want, cover(c.now, c.window)); diff != "" {
			t.Errorf("%v before %v (-want +got):\n%s", c.window, c.now, diff)
		}
	}
}

// operation is what the model remembers of each operation.
type operation struct {
	at     time.Time
	device int // 0: none
	failed bool
	took   time.Duration
}

// modelSummary is the specification of a summary, written down naively.
func modelSummary(ops []operation, hours float64, now time.Time) domain.Summary {
	window := time.Duration(hours * float64(time.Hour))
	width := 24 * time.Hour
	if window <= 26*time.Hour {
		width = time.Minute
	} else if window <= 40*24*time.Hour {
		width = time.Hour
	}
	from := now.Add(-window).UnixNano()
	from -= from % int64(width)
	s, took, devices := domain.Summary{TimeframeHours: hours}, time.Duration(0), map[int]bool{}
	var all []time.Duration
	for _, op := range ops {
		if op.at.UnixNano() < from {
			continue
		}
		s.TotalOperations++
		if op.failed {
			s.FailedOperations++
		} else {
			s.SuccessfulOperations++
		}
		if op.device != 0 {
			devices[op.device] = true
		}
		took += op.took
		all = append(all, op.took)
	}
	s.Percentiles = exact(all)
	s.UniqueDevices = int64(len(devices))
	if n := float64(s.TotalOperations); n > 0 {
		s.SuccessRate = float64(s.SuccessfulOperations) / n * 100
		s.AverageDuration = took.Seconds() * 1000 / n
	}
	return s
}

func TestSummariesEqualAModelThatKeepsEveryOperation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{memory: newMemory(noon), rollups: map[string]*Rollup{}, waiting: map[string][]operation{}}
		for _, chain := range []string{"a", "b"} {
			w.rollups[chain] = NewRollup(chain, chain)
		}
		t.Repeat(map[string]func(*rapid.T){
			"entered":   w.entered,
			"added":     w.added,
			"time":      w.pass,
			"flush":     w.flush,
			"failure":   w.fail,
			"kill":      w.kill,
			"prune":     w.prune,
			"summarise": w.summarise,
		})
	})
}

// world is a store, two instances and the model.
type world struct {
	memory  *memory
	rollups map[string]*Rollup
	done    []operation            // what no kill can undo
	waiting map[string][]operation // added in memory, by chain
}

func (w *world) operation(t *rapid.T) operation {
	return operation{w.memory.now, rapid.IntRange(0, 30).Draw(t, "device"), rapid.Bool().Draw(t, "failed"),
		time.Duration(rapid.IntRange(0, 5_000_000).Draw(t, "µs")) * time.Microsecond}
}

func (w *world) chain(t *rapid.T) string {
	return rapid.SampledFrom([]string{"a", "b"}).Draw(t, "chain")
}

func (op operation) hash() []byte {
	if op.device == 0 {
		return nil
	}
	return deviceHash(op.device)
}

func (w *world) entered(t *rapid.T) {
	op, chain := w.operation(t), w.chain(t)
	_ = w.memory.update(func(tx store.Tx) error { return tx.InsertEntry(entry(chain, op.at, op.hash(), op.failed, op.took)) })
	w.done = append(w.done, op)
}

func (w *world) added(t *rapid.T) {
	op, chain := w.operation(t), w.chain(t)
	w.rollups[chain].Add(op.at, op.hash(), op.failed, op.took)
	w.waiting[chain] = append(w.waiting[chain], op)
}

func (w *world) pass(t *rapid.T) {
	unit := rapid.SampledFrom([]time.Duration{time.Microsecond, time.Second, time.Minute, time.Hour, 24 * time.Hour}).Draw(t, "unit")
	w.memory.now = w.memory.now.Add(time.Duration(rapid.IntRange(1, 70).Draw(t, "n")) * unit)
}

func (w *world) flush(t *rapid.T) {
	chain := w.chain(t)
	if err := w.memory.update(writing(w.rollups[chain].Take())); err != nil {
		t.Fatal(err)
	}
	w.done, w.waiting[chain] = append(w.done, w.waiting[chain]...), nil
}

func (w *world) fail(t *rapid.T) {
	r := w.rollups[w.chain(t)]
	batch := r.Take()
	_ = w.memory.update(func(tx store.Tx) error { return errors.Join(batch.Write(tx), errors.New("failed")) })
	r.Return(batch)
}

func (w *world) kill(t *rapid.T) {
	chain := w.chain(t)
	w.rollups[chain], w.waiting[chain] = NewRollup(chain, chain), nil
}

func (w *world) prune(t *rapid.T) {
	if err := w.memory.update(func(tx store.Tx) error { return Prune(tx, tx.Now()) }); err != nil {
		t.Fatal(err)
	}
}

func (w *world) summarise(t *rapid.T) {
	for chain, r := range w.rollups {
		if err := w.memory.update(writing(r.Take())); err != nil {
			t.Fatal(err)
		}
		w.done, w.waiting[chain] = append(w.done, w.waiting[chain]...), nil
	}
	hours := rapid.OneOf(rapid.SampledFrom([]float64{0.001, 1, 24, 26, 40 * 24, 366 * 24, maxWindowHours}),
		rapid.Float64Range(0.001, 30), rapid.Float64Range(26, 1000), rapid.Float64Range(960, maxWindowHours)).Draw(t, "hours")
	got, _, err := Summarise(w.memory, hours, w.memory.now)
	if err != nil {
		t.Fatal(err)
	}
	want := modelSummary(w.done, hours, w.memory.now)
	if near(got.Percentiles, want.Percentiles) {
		got.Percentiles = want.Percentiles
	}
	rounded := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a)) })
	if diff := cmp.Diff(want, got, rounded); diff != "" {
		t.Fatalf("%v hours before %v (-model +got):\n%s", hours, w.memory.now, diff)
	}
}

func TestPruningDoesNotChangeSummaries(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel")
	}
	m := newMemory(noon)
	for _, chain := range []string{"a", "b"} {
		var entries []domain.Entry
		for age := time.Duration(0); age < 50*24*time.Hour; age += 30 * time.Minute {
			entries = append(entries, entry(chain, noon.Add(-age), nil, false, 0))
		}
		mustAppend(t, m, entries...)
		mustFlush(t, m, NewRollup(chain, chain))
	}
	windows := []float64{1, 26, 40 * 24, 365 * 24}
	var before, after []domain.Summary
	for _, h := range windows {
		before = append(before, mustSummarise(t, m, h))
	}
	count := func() map[domain.BucketWidth]int {
		rows := map[domain.BucketWidth]int{}
		for id := range m.buckets {
			rows[id.width]++
		}
		return rows
	}
	rows := count()
	for calls := 0; ; calls++ {
		if err := m.update(func(tx store.Tx) error { return Prune(tx, noon) }); err != nil {
			t.Fatal(err)
		}
		left := count()
		if maps.Equal(rows, left) {
			break
		}
		gone := rows[domain.Minute] - left[domain.Minute]
		if calls == 0 && gone != 2*maxPruned || gone > 2*maxPruned || rows[domain.Hour]-left[domain.Hour] > 2*maxPruned {
			t.Fatalf("one call deleted %d buckets of a minute and %d of an hour", gone, rows[domain.Hour]-left[domain.Hour])
		}
		rows = left
	}
	for _, h := range windows {
		after = append(after, mustSummarise(t, m, h))
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("summaries after pruning (-before +after):\n%s", diff)
	}
	want := map[domain.BucketWidth]int{domain.Minute: 2 * (2*27 + 1), domain.Hour: 2 * (41*24 + 1), domain.Day: 2 * 51, domain.FourWeeks: 2 * 2}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("rows left (-want +got):\n%s", diff)
	}
}

// A prune needs only the times of buckets. Their sketches are most of what they have.
func TestPruningReadsNoSketches(t *testing.T) {
	m := newMemory(noon)
	if err := Prune(withoutSketches{m}, noon); err != nil {
		t.Error(err)
	}
}

type withoutSketches struct{ *memory }

func (withoutSketches) EachBucket([]domain.BucketSpan, func(domain.Bucket) error) error {
	return errors.New("sketches were read")
}

func TestADamagedSketchStopsNoSummaryAndNoFlush(t *testing.T) {
	m, r := newMemory(noon), NewRollup("a", "a")
	mustAppend(t, m, entry("a", noon, deviceHash(1), false, 0))
	mustFlush(t, m, r)
	b := m.bucket("a", domain.Hour, noon)
	b.Devices = []byte{99}
	_ = m.PutBucket(b)
	sum, unread, err := Summarise(m, 1, noon.Add(30*time.Minute))
	if err != nil || sum.TotalOperations != 1 || sum.UniqueDevices != 0 || !slices.Equal(unread, []domain.BucketPosition{{Width: domain.Hour, Start: noon}}) {
		t.Errorf("summary over a damaged sketch: %+v, without %v, %v", sum, unread, err)
	}
	mustAppend(t, m, entry("a", noon, deviceHash(2), false, 0))
	batch := r.Take()
	_ = m.update(func(tx store.Tx) error { return errors.Join(batch.Write(tx), errors.New("serialization failure")) })
	if err := m.update(writing(batch)); err != nil || batch.Damaged() != 1 {
		t.Errorf("flush reports %d damaged buckets, %v; want 1", batch.Damaged(), err)
	}
	if n := mustFlush(t, m, r).Damaged(); n != 0 {
		t.Errorf("next flush reports %d damaged buckets, want 0", n)
	}
	if s := mustSummarise(t, m, 1); s.TotalOperations != 2 || s.UniqueDevices != 1 {
		t.Errorf("%d operations of %d devices, want 2 of the 1 seen since", s.TotalOperations, s.UniqueDevices)
	}
}

func TestADamagedPositionStopsNoFlush(t *testing.T) {
	for _, value := range [][]byte{{}, {1}, {0xff, 0, 0, 0, 0, 0, 0, 0}, make([]byte, 9)} {
		m, r := newMemory(noon), NewRollup("a", "a", "b", "empty")
		mustAppend(t, m, entry("a", noon, deviceHash(1), false, 0), entry("b", noon, deviceHash(2), false, 0))
		mustFlush(t, m, r)
		m.settings["metrics.folded/a"], m.settings["metrics.folded/empty"] = value, value
		mustAppend(t, m, entry("a", noon, deviceHash(3), false, 0), entry("b", noon, deviceHash(4), false, 0))
		if got := mustFlush(t, m, r).Unplaced(); !slices.Equal(got, []string{"a", "empty"}) {
			t.Errorf("position %x: unplaced chains %q", value, got)
		}
		mustAppend(t, m, entry("a", noon, deviceHash(5), false, 0), entry("empty", noon, deviceHash(6), false, 0))
		if got := mustFlush(t, m, r).Unplaced(); got != nil {
			t.Errorf("position %x: unplaced chains %q in the next flush", value, got)
		}
		// All but the third, which no position includes.
		if s := mustSummarise(t, m, 1); s.TotalOperations != 5 || s.UniqueDevices != 5 {
			t.Errorf("position %x: %d operations of %d devices, want 5", value, s.TotalOperations, s.UniqueDevices)
		}
	}
}

func TestALongOutageLosesNoOperation(t *testing.T) {
	m, r := newMemory(noon.Add(24*time.Hour)), NewRollup("a", "a")
	for i := range 3 * maxPending {
		r.Add(noon.Add(time.Duration(i)*time.Minute), deviceHash(i), false, 0)
		r.Return(r.Take()) // the store takes no writes
	}
	late := r.Take()
	for i := range maxPending {
		r.Add(noon.Add(-time.Duration(i)*time.Minute), nil, false, 0) // while that transaction fails
	}
	r.Return(late)
	if n := len(r.pending); n > maxPending {
		t.Errorf("%d minutes wait in memory, want at most %d", n, maxPending)
	}
	mustFlush(t, m, r)
	if s := mustSummarise(t, m, 25); s.TotalOperations != 4*maxPending || s.UniqueDevices != 3*maxPending {
		t.Errorf("%d operations of %d devices, want %d of %d", s.TotalOperations, s.UniqueDevices, 4*maxPending, 3*maxPending)
	}
}

func TestOperationsAddedDuringFlushesAreCountedOnce(t *testing.T) {
	m, r := newMemory(noon), NewRollup("a", "a")
	var adders sync.WaitGroup
	for range 4 {
		adders.Go(func() {
			for i := range 500 {
				r.Add(noon, deviceHash(i), i%2 == 0, time.Microsecond)
			}
		})
	}
	added := make(chan struct{})
	go func() { adders.Wait(); close(added) }()
	for i, running := 0, true; running; i++ {
		select {
		case <-added:
			running = false
		default:
		}
		if i%2 == 0 {
			r.Return(r.Take())
			continue
		}
		mustFlush(t, m, r)
	}
	mustFlush(t, m, r)
	want := domain.Summary{TotalOperations: 2000, SuccessfulOperations: 1000, FailedOperations: 1000, SuccessRate: 50,
		AverageDuration: 0.001, UniqueDevices: 500, TimeframeHours: 1}
	if diff := cmp.Diff(want, mustSummarise(t, m, 1)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUniqueDevicesAreExactUpTo1000AndApproximateBeyond(t *testing.T) {
	if testing.Short() {
		t.Skip("it has one goroutine, and takes long under the race detector")
	}
	for _, n := range []int{1000, 10_000, 100_000} {
		m, r := newMemory(noon), NewRollup("a", "a")
		for i, h := range hashes(7, n) {
			// Spread over two days, each device seen on both, flushed in parts.
			hash := binary.BigEndian.AppendUint64(nil, h)
			r.Add(noon.Add(-time.Duration(i%20)*time.Hour), hash, false, 0)
			r.Add(noon.Add(-24*time.Hour), hash, false, 0)
			if i%997 == 0 {
				mustFlush(t, m, r)
			}
		}
		mustFlush(t, m, r)
		got := mustSummarise(t, m, 26).UniqueDevices
		off := math.Abs(float64(got)/float64(n) - 1)
		t.Logf("%d devices: counted %d, off by %.2f %%", n, got, 100*off)
		if n <= 1000 && got != int64(n) || off > 0.02 {
			t.Errorf("%d devices: counted %d", n, got)
		}
	}
}
