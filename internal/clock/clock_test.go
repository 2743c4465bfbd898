package clock

import (
	"testing"
	"time"
)

func TestSmallStepsAndDriftOfAClockAddUp(t *testing.T) {
	start := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		every, runs time.Duration // time that passes between looks, and what the clock makes of it
		looks       int
		ahead       time.Duration // in the end
	}{
		"exact":                                {time.Hour, time.Hour, 1000, 0},
		"as fast as NTP corrects, for a month": {time.Hour, time.Hour + 1800*time.Millisecond, 720, 1800 * time.Millisecond},
		"as slow, for a month":                 {time.Hour, time.Hour - 1800*time.Millisecond, 720, -1800 * time.Millisecond},
		"set in small steps, many times":       {time.Second, 11 * time.Second, 100, 1000 * time.Second},
		"suspended for a night":                {8 * time.Hour, 8 * time.Hour, 1, 0},
	} {
		var passed time.Duration
		c := steadyClock{elapsed: func() time.Duration { return passed }}
		reading := start
		_, ahead := c.compare(reading)
		for range tt.looks {
			passed += tt.every
			reading = reading.Add(tt.runs)
			_, ahead = c.compare(reading)
		}
		if (ahead - tt.ahead).Abs() > time.Second {
			t.Errorf("%s: ahead by %v, want %v", name, ahead, tt.ahead)
		}
	}
}

func TestTheDurationOfAReadingIsNotCountedAsSkew(t *testing.T) {
	before := time.Date(2026, 3, 1, 9, 0, 0, 1500, time.UTC)
	after := before.Add(3 * time.Second)
	for _, c := range []struct{ read, want time.Duration }{
		{0, 0}, {-500, 0}, {3 * time.Second, 0},
		{-time.Hour, time.Hour - 500}, {8 * time.Second, -5 * time.Second},
	} {
		if got := skew(before.Add(c.read), before, after); got != c.want {
			t.Errorf("read at %v: %v, want %v", c.read, got, c.want)
		}
	}
}

// The cost for each request.
func BenchmarkLockTime(b *testing.B) {
	c := steadyClock{elapsed: Elapsed}
	for b.Loop() {
		c.compare(time.Now())
	}
}
