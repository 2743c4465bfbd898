//go:build unix

package argon2

import (
	"slices"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"
	"golang.org/x/sys/unix"
)

// The default cost of package verifier.
const benchTime, benchMemory, benchLanes = 2, 19456, 1

var benchSecret, benchSalt = []byte("4711"), []byte("0123456789abcdef")

// contender is one implementation in a comparison.
type contender struct {
	name string
	call func() time.Duration // computes one tag
}

func ours(b *testing.B) (all []contender) {
	for i := range kernels {
		if !kernels[i].supported {
			b.Logf("SKIPPED: this processor lacks %s", kernels[i].name)
			continue
		}
		m := &Matrix{kernel: &kernels[i]}
		b.Cleanup(m.Release)
		all = append(all, contender{kernels[i].name, timed(func() {
			m.IDKey(benchSecret, benchSalt, benchTime, benchMemory, benchLanes, 32)
		})})
	}
	return append(all, contender{"x/crypto", timed(func() {
		argon2.IDKey(benchSecret, benchSalt, benchTime, benchMemory, benchLanes, 32)
	})})
}

// timed measures f in processor time of this process, so that other work of the machine
// counts less. The work of Go's garbage collector counts too.
func timed(f func()) func() time.Duration {
	return func() time.Duration {
		start := processorTime()
		f()
		return processorTime() - start
	}
}

func processorTime() time.Duration {
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// callsPerTurn follow each other, as a worker under load computes them: the
// first finds the data of others in the cache.
const callsPerTurn = 10

// compare runs all in turns, so that a disturbance affects all of them. It reports the
// shortest time of a call, and the time of the others relative to the first: the median
// over all turns.
func compare(b *testing.B, all []contender) {
	times := make([][]float64, len(all)) // of turns, in milliseconds for a call
	least := make([]float64, len(all))
	for b.Loop() {
		for i, c := range all {
			var turn float64
			for range callsPerTurn {
				call := c.call().Seconds() * 1e3
				turn += call / callsPerTurn
				if least[i] == 0 || call < least[i] {
					least[i] = call
				}
			}
			times[i] = append(times[i], turn)
		}
	}
	for i, c := range all {
		b.ReportMetric(least[i], c.name+"-ms")
		if i > 0 {
			ratios := make([]float64, len(times[i]))
			for j := range ratios {
				ratios[j] = times[i][j] / times[0][j]
			}
			b.ReportMetric(median(ratios), c.name+"/"+all[0].name)
		}
	}
	b.ReportMetric(0, "ns/op") // a round of all means nothing
}

func median(s []float64) float64 {
	slices.Sort(s)
	return s[len(s)/2]
}

// BenchmarkIDKey compares the paths with each other and with x/crypto.
func BenchmarkIDKey(b *testing.B) {
	compare(b, ours(b))
}
