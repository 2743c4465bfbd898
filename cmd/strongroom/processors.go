package main

import (
	"runtime"
	"sync"
)

// processors gives the Go runtime a processor for each core. While a worker runs, it has one
// more for each worker that may run, those that generate key pairs too, and one for all
// the rest. The kernel shares the cores among them, by the priorities of their threads.
// Otherwise a request that needs ten microseconds would wait for a worker to be preempted.
// Without workers, more processors than cores only cost: the runtime keeps them busy with
// looking for work, and with collecting garbage.
type processors struct {
	cores int

	mu      sync.Mutex
	workers int // guarded by mu
}

// working is told of each worker that starts or has gone.
func (p *processors) working(change int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.workers += change
	n := p.cores
	if p.workers > 0 {
		n = 2*p.cores + 1
	}
	runtime.GOMAXPROCS(n) // stops the world only if the number changes
}
