package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The figures are of a server with default settings. They are reported and
// never judged.

// BenchmarkStart reports the median time from the start of the process to its
// word that it is ready, of 20 starts: on no data directory, on one that a
// stopped server left, and on one that a killed server left.
func BenchmarkStart(b *testing.B) {
	median := func(b *testing.B, prepare func() *instance, end func(*instance)) {
		for b.Loop() {
			var took []time.Duration
			for range 20 {
				i := prepare()
				begun := time.Now()
				i.run()
				took = append(took, time.Since(begun))
				end(i)
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms/start(median)")
		}
		b.ReportMetric(0, "ns/op") // of 20 starts and stops: says nothing
	}
	kill := (*instance).kill
	b.Run("fresh", func(b *testing.B) {
		median(b, func() *instance {
			return &instance{t: b, dataDir: filepath.Join(b.TempDir(), "data"), log: &lockedBuffer{}}
		}, kill)
	})
	used := func(b *testing.B) func() *instance {
		i := start(b, "--rsa-bits", "3072") // as by default
		i.withPIN("device", "493817")
		i.stop()
		return func() *instance { return i }
	}
	b.Run("existing", func(b *testing.B) { median(b, used(b), func(i *instance) { i.stop() }) })
	b.Run("killed", func(b *testing.B) { median(b, used(b), kill) })
}

// BenchmarkMemory reports the resident memory of a server that is ready and
// answered a query, and of one that answered 200 verifies of 8 clients; and
// the peak of both.
func BenchmarkMemory(b *testing.B) {
	const mebi = 1 << 10 // in KiB
	for b.Loop() {
		i := start(b, "--rsa-bits", "3072") // as by default
		i.summary(24)
		b.ReportMetric(i.memory("VmRSS")/mebi, "MiB-before-first-hash")
		devices := i.guarded(8)
		var left atomic.Int64
		left.Store(200)
		i.verifyAll(devices, func() bool { return left.Add(-1) >= 0 })
		b.ReportMetric(i.memory("VmRSS")/mebi, "MiB-after-200-verifies")
		b.ReportMetric(i.memory("VmHWM")/mebi, "MiB-peak")
		i.kill()
	}
	b.ReportMetric(0, "ns/op") // of a start, 8 keys and 200 verifies: says nothing
}

// BenchmarkVerifyThroughput reports how many right PINs 8 clients, each with a
// device of its own, get verified in a second, over 5 seconds. They run on the
// same machine, but encrypt beforehand.
func BenchmarkVerifyThroughput(b *testing.B) {
	i := start(b, "--rsa-bits", "3072") // as by default
	devices := i.guarded(8)
	for b.Loop() {
		begun := time.Now()
		n := i.verifyAll(devices, func() bool { return time.Since(begun) < 5*time.Second })
		b.ReportMetric(float64(n)/time.Since(begun).Seconds(), "verifies/s")
	}
	b.ReportMetric(0, "ns/op") // of 5 seconds: says nothing
}

// guard is what a client needs to verify its PIN over and over.
type guard struct{ keyID, ciphertext string }

// guarded makes devices with a PIN.
func (i *instance) guarded(n int) []guard {
	i.t.Helper()
	devices := make([]guard, n)
	for d := range devices {
		k := i.withPIN(fmt.Sprintf("device %d", d), "493817")
		devices[d] = guard{k.ID, encrypt(i.t, k, "493817")}
	}
	return devices
}

// verifyAll lets each device verify while more says so, all in parallel, and
// returns how many verifies that were.
func (i *instance) verifyAll(devices []guard, more func() bool) int64 {
	i.t.Helper()
	var done atomic.Int64
	var clients sync.WaitGroup
	for _, d := range devices {
		clients.Go(func() {
			for more() {
				a, err := i.submit(verifyPIN, d.keyID, d.ciphertext)
				i.expect("verify", word(verifyPIN, a, err), "true")
				done.Add(1)
			}
		})
	}
	clients.Wait()
	return done.Load()
}

// memory is a line of the process's status, in KiB.
func (i *instance) memory(line string) float64 {
	i.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", i.cmd.Process.Pid))
	if os.IsNotExist(err) {
		i.t.Skip("SKIPPED: memory is read from /proc, which only Linux has")
	}
	found := regexp.MustCompile(line + `:\s+(\d+) kB`).FindSubmatch(status)
	if err != nil || found == nil {
		i.t.Fatalf("the status of the process lacks %s: %v", line, err)
	}
	kib, _ := strconv.ParseFloat(string(found[1]), 64) // digits
	return kib
}
