package e2e

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// BenchmarkRewrapUnderLoad compares how long verify takes while the rewrap of a
// database is under way with how long it takes while the rewrap is paused: stretches
// of load at one rate, in turn. The results are ratios of the 99th percentile and of
// the median over all stretches. REWRAP_DEVICES is the size of the database.
func BenchmarkRewrapUnderLoad(b *testing.B) {
	const stretches, stretch, perSecond = 12, 6 * time.Second, 20
	dir := filepath.Join(b.TempDir(), "data")
	if out, code := strongroom(b, nil, "bench", "fill", dir, "--devices", cmp.Or(os.Getenv("REWRAP_DEVICES"), "100000"), "--rsa-bits", "2048"); code != 0 {
		b.Fatal(out)
	}
	i := &instance{t: b, dataDir: dir, log: &lockedBuffer{}}
	i.run()
	b.Cleanup(i.kill)
	devices := i.guarded(16)
	rewrap := func(arguments ...string) {
		if out, code := i.command(append([]string{"data-key"}, arguments...)...); code != 0 {
			b.Fatal(out)
		}
	}
	rewrap("rotate")
	i.verifiesFor(devices, perSecond, stretch) // warm
	var took [2][]time.Duration
	for n := range stretches {
		for _, paused := range []int{n % 2, 1 - n%2} {
			rewrap([]string{"resume", "pause"}[paused])
			took[paused] = append(took[paused], i.verifiesFor(devices, perSecond, stretch)...)
		}
	}
	if out, _ := i.command("data-key", "list"); strings.Contains(out, "done") {
		b.Fatalf("the rewrap ended before the measurement did: set REWRAP_DEVICES higher\n%s", out)
	}
	slices.Sort(took[0])
	slices.Sort(took[1])
	at := func(of []time.Duration, percent int) float64 { return float64(of[len(of)*percent/100]) }
	b.ReportMetric(at(took[0], 99)/at(took[1], 99), "p99_ratio")
	b.ReportMetric(at(took[0], 50)/at(took[1], 50), "p50_ratio")
	b.ReportMetric(at(took[1], 99)/1e6, "paused_p99_ms")
	b.ReportMetric(at(took[0], 99)/1e6, "rewrapping_p99_ms")
	b.ReportMetric(0, "ns/op")
}

// verifiesFor sends verifies at a rate, whether or not earlier ones are answered, and
// returns how long each took.
func (i *instance) verifiesFor(devices []guard, perSecond int, length time.Duration) []time.Duration {
	i.t.Helper()
	var mu sync.Mutex
	var took []time.Duration
	var sent sync.WaitGroup
	tick := time.NewTicker(time.Second / time.Duration(perSecond))
	defer tick.Stop()
	for n := range int(length.Seconds() * float64(perSecond)) {
		<-tick.C
		d := devices[n%len(devices)]
		sent.Go(func() {
			began := time.Now()
			a, err := i.submit(verifyPIN, d.keyID, d.ciphertext)
			i.expect("verify", word(verifyPIN, a, err), "true")
			mu.Lock()
			defer mu.Unlock()
			took = append(took, time.Since(began))
		})
	}
	sent.Wait()
	return took
}
