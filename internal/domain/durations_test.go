package domain

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestDurationStepsAreLessThanTenPercentWide(t *testing.T) {
	if e := stepEnds; e[0] != 1 || e[8] != 2 || e[80] != 1024 || e[durationSteps-1] < 3_600_000_000 {
		t.Fatalf("steps end at %v", e)
	}
	rapid.Check(t, func(t *rapid.T) {
		took := time.Duration(math.Exp(rapid.Float64Range(0, math.Log(float64(time.Hour))).Draw(t, "ln")))
		took += time.Duration(rapid.IntRange(0, 3).Draw(t, "ns"))
		var d Durations
		d.Add(took)
		p := d.Percentiles()
		if p.Of != 1 || p.P50 != p.P99 || p.P50 < took || float64(p.P50) > 1.0906*float64(took)+1000 {
			t.Fatalf("%v is %+v", took, p)
		}
	})
}

func TestExtremeDurationsFallIntoAStep(t *testing.T) {
	for took, step := range map[time.Duration]int{math.MinInt64: 0, -1: 0, 0: 0, 1: 0, 1000: 0, 1001: 8, time.Hour: 254, 65 * time.Minute: 255, math.MaxInt64: 255} {
		if got := DurationStep(took); got != step {
			t.Errorf("%v is in step %d, want %d", took, got, step)
		}
	}
	if p := (&Durations{}).Percentiles(); p != (Percentiles{}) {
		t.Errorf("of nothing: %+v", p)
	}
	if p := (&Durations{40: math.MaxInt64 - 1, 80: 1}).Percentiles(); p.P99 != 32*time.Microsecond {
		t.Errorf("of very many: %+v", p)
	}
}

func BenchmarkDurationStep(b *testing.B) {
	for took := time.Duration(0); b.Loop(); took = (took + 7919*time.Microsecond) % time.Second {
		DurationStep(took)
	}
}
