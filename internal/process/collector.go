// Package process configures this process in the kernel and in the Go runtime: no core
// dumps, a memory limit, how often the garbage collector runs, and the priority of
// threads.
package process

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// The live heap is a few MiB. Under load, a collection each time it has doubled
// would cost as much as all work for requests outside the workers. So it may grow to
// 5 times its size then. While the process is idle, or the heap is large, that would
// take memory that other processes could use.
//
// The heap is large while the audit trail is verified. Verification keeps a few numbers
// for each record, without pointers. So each collection stays cheap, and it may run
// often.
const (
	idlePercent = 50
	busyPercent = 400
	busyRoom    = 16 << 20 // bytes of garbage, unless the live heap is larger

	largeHeap    = 128 << 20 // bytes of live heap
	largePercent = 20

	busyCollections = 10 // per second
	quietSeconds    = 10 // without a collection
)

// PaceCollector adjusts the garbage collector's GOGC to how often it runs, until ctx is
// done, and then restores it. If the environment sets GOGC, PaceCollector does nothing.
func PaceCollector(ctx context.Context) {
	if os.Getenv("GOGC") != "" {
		return
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	percent, quiet := idlePercent, 0
	defer debug.SetGCPercent(debug.SetGCPercent(percent))
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

// collector returns how often the garbage collector has run by itself, and how many
// bytes it found in use.
func collector() (runs, live uint64) {
	samples := []metrics.Sample{{Name: "/gc/cycles/automatic:gc-cycles"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64(), samples[1].Value.Uint64()
}
