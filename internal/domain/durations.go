package domain

import (
	"math"
	"slices"
	"time"
)

// Durations is an exponential histogram of durations, like OpenTelemetry's at
// scale 3. Step i counts durations above 2^((i-1)/8) µs, up to 2^(i/8) µs. The
// first step counts all up to 1 µs, the last all above one hour. So a step is less
// than 10 % wide at any duration, and merging histograms, of minutes or of
// instances, loses no further precision (Masson, Rim, Lee: DDSketch,
// arXiv:1908.10693). The zero value is empty. Not safe for concurrent use.
type Durations [durationSteps]int64

// The last of 256 steps ends at 65 minutes.
const (
	durationSteps    = 256
	stepsInADoubling = 8
)

// stepEnds are the longest durations of each step, in whole microseconds. Some of
// the shortest steps contain no whole microsecond.
var stepEnds = func() (ends [durationSteps]int64) {
	for i := range ends {
		ends[i] = int64(math.Ldexp(math.Exp2(float64(i%stepsInADoubling)/stepsInADoubling), i/stepsInADoubling))
	}
	return ends
}()

// DurationStep is the step that a duration falls into, rounded up to the
// microsecond. It takes some nanoseconds.
func DurationStep(took time.Duration) int {
	micros := took.Microseconds()
	if took%time.Microsecond > 0 {
		micros++
	}
	step, _ := slices.BinarySearch(stepEnds[:], micros)
	return min(step, durationSteps-1)
}

// Add counts one duration.
func (d *Durations) Add(took time.Duration) { d[DurationStep(took)]++ }

// Merge adds what o counted.
func (d *Durations) Merge(o *Durations) {
	for i, n := range o {
		d[i] += n
	}
}

// Percentiles are durations that 50, 95 and 99 % of all durations did not exceed.
// Each is the end of its step: never too short, and less than 10 % too long. In the
// last step, which has no bound, it can be too short.
type Percentiles struct {
	Of            int64 // how many durations were counted; 0: the percentiles are 0
	P50, P95, P99 time.Duration
}

// Percentiles are those of all durations that were counted.
func (d *Durations) Percentiles() (p Percentiles) {
	for _, n := range d {
		p.Of += n
	}
	if p.Of > 0 {
		p.P50, p.P95, p.P99 = d.percentile(p.Of, 50), d.percentile(p.Of, 95), d.percentile(p.Of, 99)
	}
	return p
}

func (d *Durations) percentile(all, p int64) time.Duration {
	rank := all/100*p + (all%100*p+99)/100
	step := 0
	for n := d[0]; n < rank && step < durationSteps-1; n += d[step] {
		step++
	}
	return time.Duration(stepEnds[step]) * time.Microsecond
}
