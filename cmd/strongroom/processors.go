package main

import (
	"runtime"
	"sync"
)

// processors gives the Go runtime a processor for each core, and one more for each
// worker that runs. The kernel shares the cores among them, by the priorities of their
// threads. Without it a request that needs ten microseconds waits for a worker to be
// preempted. Without workers, more processors than cores only cost: the runtime keeps
// them busy with looking for work, and with collecting garbage.
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
	runtime.GOMAXPROCS(min(p.cores+p.workers, 2*p.cores+1)) // stops the world only if the number changes
}
