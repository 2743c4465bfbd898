package metrics

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// exact are the percentiles of durations that were all kept.
func exact(all []time.Duration) (p domain.Percentiles) {
	slices.Sort(all)
	if n := len(all); n > 0 {
		p = domain.Percentiles{Of: int64(n), P50: all[(n*50+99)/100-1], P95: all[(n*95+99)/100-1], P99: all[(n*99+99)/100-1]}
	}
	return p
}

// near reports whether percentiles are as good as promised: never below the
// exact ones, and less than a tenth above them, except in the first
// microsecond.
func near(got, exact domain.Percentiles) bool {
	good := func(got, exact time.Duration) bool {
		return got >= exact && (got < exact*11/10 || got <= time.Microsecond)
	}
	return got.Of == exact.Of && good(got.P50, exact.P50) && good(got.P95, exact.P95) && good(got.P99, exact.P99)
}

// TestPercentilesOfAllOperationsAreWithinTenPercent compares them with the sorted
// durations, over buckets of every width and of three instances.
func TestPercentilesOfAllOperationsAreWithinTenPercent(t *testing.T) {
	if testing.Short() {
		t.Skip("it has one goroutine, and takes long under the race detector")
	}
	random := rand.New(rand.NewPCG(1, 2))
	for name, draw := range map[string]func() float64{ // milliseconds
		"of one length": func() float64 { return 41.7 },
		"even":          func() float64 { return 300 * random.Float64() },
		"with a tail":   func() float64 { return 12 * math.Exp(1.2*random.NormFloat64()) },
		"of two kinds":  func() float64 { return []float64{0.08, 0.08, 0.08, 900}[random.IntN(4)] * (1 + random.Float64()) },
	} {
		m := newMemory(noon.Add(37 * time.Minute))
		took := map[time.Time][]time.Duration{}
		for _, chain := range []string{"a", "b", "c"} {
			r := NewRollup(chain, chain)
			var entries []domain.Entry
			for i := range 1500 {
				at := m.now.Add(-time.Duration(random.ExpFloat64() * float64(20*time.Hour)))
				d := time.Duration(1000*draw()) * time.Microsecond
				took[startOf(domain.Minute, at)] = append(took[startOf(domain.Minute, at)], d)
				if i%2 == 0 {
					r.Add(at, nil, false, d)
				} else {
					entries = append(entries, entry(chain, at, nil, false, d))
				}
				if i%50 == 49 { // fewer minutes than may wait in memory
					mustAppend(t, m, entries...)
					mustFlush(t, m, r)
					entries = nil
				}
			}
		}
		for _, hours := range []float64{0.5, 3, 24, 30 * 24, 90 * 24} {
			s, _, err := Summarise(m, hours, m.now)
			if err != nil {
				t.Fatal(err)
			}
			from := cover(m.now, time.Duration(hours*float64(time.Hour)))[0].From
			for _, step := range []time.Duration{0, 24 * time.Hour} {
				width, series, err := Series(m, hours, step, m.now)
				if err != nil || step > 0 && (width != step || len(series) > 12) {
					t.Fatalf("%v wide, %d, %v", width, len(series), err)
				}
				for _, b := range series {
					same(t, name, b.Percentiles, within(took, latest(from, b.Start), b.Start.Add(width)))
				}
			}
			same(t, name, s.Percentiles, within(took, from, m.now.Add(1)))
		}
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func within(took map[time.Time][]time.Duration, from, to time.Time) (all []time.Duration) {
	for at, some := range took {
		if !at.Before(from) && at.Before(to) {
			all = append(all, some...)
		}
	}
	return all
}

func same(t *testing.T, name string, got domain.Percentiles, all []time.Duration) {
	t.Helper()
	if want := exact(all); want.Of == 0 || !near(got, want) {
		t.Errorf("%s: %+v, want %+v", name, got, want)
	}
}

func TestCountsOfAnOlderVersionHaveNoDurations(t *testing.T) {
	m, r := newMemory(noon), NewRollup("a", "a")
	before := func(instance string) {
		for _, width := range widths {
			b := domain.Bucket{Instance: instance, Width: width, Start: startOf(width, noon), Operations: 10, Duration: time.Second}
			if err := m.PutBucket(b); err != nil {
				t.Fatal(err)
			}
		}
	}
	before("a") // this instance's own, before its upgrade
	before("b") // another one's, which still runs
	r.Add(noon, nil, false, 7*time.Millisecond)
	mustFlush(t, m, r)
	_, series, err := Series(m, 1, 0, noon)
	if err != nil || len(series) != 1 || series[0].Operations != 21 || series[0].AverageDuration != 2007*time.Millisecond/21 {
		t.Fatalf("%+v, %v", series, err)
	}
	same(t, "the series", series[0].Percentiles, []time.Duration{7 * time.Millisecond})
	s, _, err := Summarise(m, 24, noon)
	if err != nil || s.TotalOperations != 21 {
		t.Errorf("%+v, %v", s, err)
	}
	same(t, "the summary", s.Percentiles, []time.Duration{7 * time.Millisecond})
}

func TestDamagedDurationsAreIgnoredAndRestarted(t *testing.T) {
	m, r := newMemory(noon), NewRollup("a", "a")
	r.Add(noon, deviceHash(1), false, time.Millisecond)
	mustFlush(t, m, r)
	for _, width := range widths {
		b := m.bucket("a", width, startOf(width, noon))
		b.Durations = []byte{99}
		_ = m.PutBucket(b)
	}
	if s, _, err := Summarise(m, 1, noon); err != nil || s.TotalOperations != 1 || s.Percentiles != (domain.Percentiles{}) {
		t.Errorf("%+v, %v", s, err)
	}
	if _, series, err := Series(m, 1, 0, noon); err != nil || len(series) != 1 || series[0].Percentiles.Of != 0 {
		t.Errorf("%+v, %v", series, err)
	}
	r.Add(noon, deviceHash(2), false, time.Millisecond)
	batch := r.Take()
	_ = m.update(func(tx store.Tx) error { return errors.Join(batch.Write(tx), errors.New("serialization failure")) })
	if err := m.update(writing(batch)); err != nil || batch.Damaged() != len(widths) {
		t.Errorf("flush reports %d damaged buckets, %v", batch.Damaged(), err)
	}
	if s, _, err := Summarise(m, 1, noon); err != nil || s.TotalOperations != 2 || s.Percentiles.Of != 1 || s.UniqueDevices != 2 {
		t.Errorf("after the flush: %+v, %v", s, err)
	}
}

func stepsOf(pairs ...uint64) []byte {
	out := []byte{formSteps}
	for _, n := range pairs {
		out = binary.AppendUvarint(out, n)
	}
	return out
}

// Someone edited the counts, and their sum overflows.
func TestEditedCountsStopNoSeries(t *testing.T) {
	m := newMemory(noon)
	for i, operations := range []int64{math.MaxInt64, math.MaxInt64, 2} {
		start := noon.Add(time.Duration(i) * time.Minute)
		if err := m.PutBucket(domain.Bucket{Width: domain.Minute, Start: start, Operations: operations}); err != nil {
			t.Fatal(err)
		}
	}
	if _, series, err := Series(m, 1, time.Hour, noon.Add(59*time.Minute)); err != nil || len(series) == 0 {
		t.Errorf("%v, %v", series, err)
	}
}

// The clock has the precision of the columns.
func TestASeriesHasTheMinuteThatBeginsNow(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "strongroom.db"), noon)
	r := NewRollup("a", "a")
	r.Add(noon, nil, false, time.Millisecond)
	mustUpdate(t, s, writing(r.Take()))
	err := s.View(t.Context(), func(tx store.Tx) error {
		_, series, err := Series(tx, 1, 0, tx.Now())
		if len(series) != 1 || series[0].Operations != 1 {
			t.Errorf("the series is %v, want the operation of now", series)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestStoredDurationsAreReadStrictly(t *testing.T) {
	for name, b := range map[string][]byte{
		"no step":             {formSteps},
		"another form":        {2, 0, 1},
		"a step cut off":      stepsOf(3),
		"a number cut off":    {formSteps, 3, 0x80},
		"none in a step":      stepsOf(3, 0),
		"a step too far":      stepsOf(256, 1),
		"a step after all":    stepsOf(255, 1, 0, 1),
		"a step that wraps":   stepsOf(9, 1, math.MaxUint64-9, 1),
		"more than can be":    stepsOf(3, maxTimed, 0, 1),
		"a number too great":  stepsOf(3, math.MaxUint64),
		"a longer spelling":   {formSteps, 3, 0x81, 0x00},
		"a number of 11 byte": append([]byte{formSteps, 3}, bytes.Repeat([]byte{0xff}, 11)...),
	} {
		d := domain.Durations{5: 1}
		if err := mergeDurations(&d, b); !errors.Is(err, errDurations) || d != (domain.Durations{5: 1}) {
			t.Errorf("%s: %v, %v", name, err, d)
		}
	}
}

func FuzzStoredDurations(f *testing.F) {
	f.Add([]byte{})
	f.Add(stepsOf(96, 12, 0, 40, 3, 1))
	f.Add(stepsOf(0, 1, 254, maxTimed-1))
	f.Fuzz(func(t *testing.T, b []byte) {
		var d domain.Durations
		if err := mergeDurations(&d, b); err != nil {
			return
		}
		if got := encodeDurations(&d); !bytes.Equal(got, b) {
			t.Fatalf("%x was read, and is written %x", b, got)
		}
		d.Percentiles()
	})
}

// someDurations have a long tail, like those of a vault that verifies. One in
// four is from a faster operation.
func someDurations(n int) *domain.Durations {
	random := rand.New(rand.NewPCG(3, 4))
	var d domain.Durations
	for range n {
		ms := 45 * math.Exp(0.4*random.NormFloat64())
		if random.IntN(4) == 0 {
			ms = 0.3 * math.Exp(0.8*random.NormFloat64())
		}
		d.Add(time.Duration(ms * float64(time.Millisecond)))
	}
	return &d
}

// TestStoredDurationsAreSmall says how much a bucket grows.
func TestStoredDurationsAreSmall(t *testing.T) {
	for _, n := range []int{10, 100, 1000, 10_000, 1_000_000} {
		size := len(encodeDurations(someDurations(n)))
		t.Logf("%7d operations: %d bytes", n, size)
		if size > 400 {
			t.Errorf("%d operations take %d bytes", n, size)
		}
	}
}
