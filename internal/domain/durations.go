package domain

import (
	"math"
	"slices"
	"time"
)

// Durations are how many durations fell into each step: an exponential
// histogram, as OpenTelemetry has it at scale 3. Step i is of those above
// 2^((i-1)/8) µs up to 2^(i/8) µs, the first of all up to 1 µs, the last of all
// above an hour. So a step is less than a tenth wide, whatever the duration,
// and histograms are merged, of minutes or of instances, without losing more
// (Masson, Rim, Lee: DDSketch, arXiv:1908.10693). The zero value has none. Not
// safe for concurrent use.
type Durations [durationSteps]int64

// Of 256 steps the last ends at 65 minutes.
const (
	durationSteps    = 256
	stepsInADoubling = 8
)

// stepEnds are the longest durations of each step, in whole microseconds. Of
// the shortest steps some have none.
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

// Percentiles are durations that so many in a hundred did not exceed. They are
// the ends of their steps: never too short, and less than a tenth too long, but
// for the last step, of which that is not known.
type Percentiles struct {
	Of            int64 // how many durations they are taken of; 0: they are all 0
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
