// Package process decides what this process asks of the kernel and of the Go
// runtime: no core dumps, a limit of memory, how often the garbage collector runs,
// and the priority of threads.
package process

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// The live heap is a few MiB. Under load, a collection each time it has doubled
// costs as much as all work for a request outside the workers. So it may grow to
// five times its size then. While the process is idle, or the heap is large, that
// would take memory that other processes could use.
//
// The heap is large while the audit trail is verified. Verifying holds a few numbers
// for each record and no pointers. The collector has as little to follow as before,
// so it may run often.
const (
	idlePercent = 50
	busyPercent = 400
	busyRoom    = 16 << 20 // bytes of garbage, unless the live heap is larger

	largeHeap    = 128 << 20 // bytes that live
	largePercent = 20

	busyCollections = 10 // in a second
	quietSeconds    = 10 // without any
)

// PaceCollector sets the garbage collector's pace by how often it runs, until
// ctx ends. An operator's GOGC stands.
func PaceCollector(ctx context.Context) {
	if os.Getenv("GOGC") != "" {
		return
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	percent, quiet := idlePercent, 0
	debug.SetGCPercent(percent)
	for last, _ := collector(); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		runs, live := collector()
		quiet++
		if runs != last {
			quiet = 0
		}
		wanted := percent
		switch {
		case live >= largeHeap:
			wanted = largePercent
		case runs-last >= busyCollections, percent != idlePercent && quiet < quietSeconds:
			wanted = int(min(busyPercent, max(100, busyRoom*100/max(live, 1))))
		case quiet >= quietSeconds:
			wanted = idlePercent
		}
		if last = runs; wanted != percent {
			percent = wanted
			debug.SetGCPercent(percent)
		}
	}
}

// collector is how often the garbage collector has run of its own accord, and
// how many bytes it found in use.
func collector() (runs, live uint64) {
	samples := []metrics.Sample{{Name: "/gc/cycles/automatic:gc-cycles"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64(), samples[1].Value.Uint64()
}
