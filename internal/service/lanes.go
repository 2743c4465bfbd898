package service

import (
	"container/heap"
	"context"
	"log/slog"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/stack"
	"strongroom/internal/trace"
)

// lanes does the RSA and Argon2id work: a fixed number of workers, each with
// an operating-system thread and an Argon2id matrix of its own.
//
// A request enters once, for all of its work, and gets a ticket; past the
// bound it is refused before it has cost anything, since a queue without an
// end would only turn overload into time-outs. Work is done in the order of
// tickets, not of arrival in the queue: a request comes twice, to decrypt and
// to compare, and who has reserved a try must not stand behind those who have
// just come.
//
// Callers share the lanes fairly, see turns: one that sends many requests at once
// delays its own, not those of others.
//
// Plain goroutines would do the same work at the same rate. But the runtime
// preempts one only every 10 ms, and while all its processors are at work
// nothing else runs: who reads a key waited behind several hashes. With
// threads of their own, of a lower priority than all others, it is the kernel
// that lets the short work pass. No lane waits for the disk.
type lanes struct {
	inside chan struct{} // holds an element for each request that was admitted
	size   int           // workers at most
	nice   int           // how far their threads stand behind all others
	wait   time.Duration // for the first piece of a request's work
	log    *slog.Logger
	gauge  func(change int) // told of each request that enters or leaves
	meters *metrics.Lanes   // nil: none
	rested func()           // called when a worker has gone

	mu      sync.Mutex
	tickets uint64
	turns   turns       // of callers
	queue   queue       // of pieces of work that no worker has taken
	free    []chan *job // of workers that wait for one
	workers int
	closed  bool
	running sync.WaitGroup // of workers
}

// ticket is a request's place in the order of work: by its turn, and within a
// turn by its number.
type ticket struct {
	lanes  *lanes
	number uint64
	turn   float64
	by, of *share // whose place inside it has, and in whose turn it works; nil: nobody's yet
}

// job is one piece of work.
type job struct {
	ctx      context.Context // of the request: whose time it is
	ticket   *ticket
	fn       func(*argon2.Matrix)
	since    time.Time // when it was submitted
	place    int       // in the queue; taken once a worker has it
	done     chan struct{}
	panicked any // what fn panicked with
}

const taken = -1

// restAfter is how long a worker without work keeps its thread and its matrix.
const restAfter = 30 * time.Second

func newLanes(cfg Config, nice int, wait time.Duration, rested func()) *lanes {
	return &lanes{inside: make(chan struct{}, cfg.MaxWaiting), size: cfg.Lanes, nice: nice, wait: wait,
		log: cfg.Log, gauge: cfg.Meters.Waiting, rested: rested}
}

// enter admits a request of a caller, or refuses it at once. Call leave when it
// is done. A caller that holds more places than are free gets no further one:
// alone it gets half of them, and the last ones go to those that hold few.
func (l *lanes) enter(caller [16]byte) (*ticket, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	free := cap(l.inside) - len(l.inside)
	if free == 0 || l.turns.inside(caller) > free {
		l.meters.Full()
		return nil, domain.Overloaded()
	}
	l.inside <- struct{}{} // never blocks: only here, under mu, any are put in
	l.gauge(1)
	l.tickets++
	by := l.turns.share(caller)
	by.inside++
	return &ticket{lanes: l, number: l.tickets, by: by}, nil
}

func (t *ticket) leave() {
	l := t.lanes
	l.mu.Lock()
	defer l.mu.Unlock()
	l.turns.leave(t)
	<-l.inside
	l.gauge(-1)
}

// identify says in whose turn the request works, once a key that was looked up
// has told. Without it that is the caller that entered.
func (t *ticket) identify(caller [16]byte) {
	if t.of != nil {
		return
	}
	t.lanes.mu.Lock()
	defer t.lanes.mu.Unlock()
	t.lanes.turns.take(t, caller)
}

// first runs fn in a lane, or refuses when none comes free soon enough.
func (t *ticket) first(ctx context.Context, fn func(*argon2.Matrix)) error {
	t.identify(t.by.caller)
	timer := time.NewTimer(t.lanes.wait)
	defer timer.Stop()
	return t.run(ctx, timer.C, fn)
}

// next runs fn in a lane once one comes free, and fails only when ctx ends
// before: a try is reserved already, and has to be given back then.
func (t *ticket) next(ctx context.Context, fn func(*argon2.Matrix)) error {
	if t.run(ctx, nil, fn) != nil {
		t.lanes.meters.Late()
		return domain.Overloaded()
	}
	return nil
}

// run runs fn in a lane, unless it gets late or ctx ends before one is free.
func (t *ticket) run(ctx context.Context, late <-chan time.Time, fn func(*argon2.Matrix)) error {
	j := t.lanes.submit(ctx, t, fn)
	select {
	case <-j.done:
	case <-late:
		if t.lanes.withdraw(j) {
			trace.Since(ctx, trace.LaneWait, j.since)
			t.lanes.meters.Late()
			return domain.Overloaded()
		}
	case <-ctx.Done():
		if t.lanes.withdraw(j) {
			trace.Since(ctx, trace.LaneWait, j.since)
			return ctx.Err()
		}
	}
	j.finish()
	return nil
}

// finish waits for a job that a worker has taken. A panic in it goes on here,
// in the goroutine of the request.
func (j *job) finish() {
	<-j.done
	if j.panicked != nil {
		panic(j.panicked)
	}
}

// submit hands a job to a worker, or queues it until one is free.
func (l *lanes) submit(ctx context.Context, t *ticket, fn func(*argon2.Matrix)) *job {
	j := &job{ctx: ctx, ticket: t, fn: fn, since: time.Now(), place: taken, done: make(chan struct{})}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch n := len(l.free); {
	case n > 0: // the last to come free: its matrix is warm
		l.free[n-1] <- j
		l.free = l.free[:n-1]
	case l.workers < l.size:
		l.workers++
		l.running.Add(1)
		go l.work(j)
	default:
		heap.Push(&l.queue, j)
	}
	return j
}

// withdraw takes a job out of the queue. It reports false when a worker has
// taken it.
func (l *lanes) withdraw(j *job) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if j.place == taken {
		return false
	}
	heap.Remove(&l.queue, j.place)
	return true
}

// work is one worker.
func (l *lanes) work(j *job) {
	defer l.running.Done()
	// Never unlocked: the thread ends with the worker, and its priority with it.
	runtime.LockOSThread()
	lowerPriority(l.nice)
	var matrix argon2.Matrix
	mine := make(chan *job, 1)
	for j != nil {
		l.do(j, &matrix)
		j = l.await(mine)
	}
	matrix.Release()
	l.rested()
}

// atRest reports whether there is no worker.
func (l *lanes) atRest() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.workers == 0
}

// state is what the lanes are doing.
func (l *lanes) state() metrics.LaneState {
	l.mu.Lock()
	defer l.mu.Unlock()
	return metrics.LaneState{Lanes: l.size, Busy: l.workers - len(l.free), Queued: len(l.queue),
		Requests: len(l.inside), MaxRequests: cap(l.inside)}
}

func (l *lanes) do(j *job, matrix *argon2.Matrix) {
	waited := time.Since(j.since)
	if !math.IsInf(j.ticket.turn, 1) { // nobody waits for those of the refill
		l.meters.Waited(waited)
	}
	trace.Did(j.ctx, trace.LaneWait, j.since, waited)
	defer close(j.done)
	defer func() {
		if j.panicked = recover(); j.panicked != nil {
			l.log.Error("panic in a lane", "stack", stack.Here())
		}
	}()
	j.fn(matrix)
}

// await is a worker's next job, or nil when it shall go.
func (l *lanes) await(mine chan *job) *job {
	l.mu.Lock()
	if len(l.queue) > 0 {
		defer l.mu.Unlock()
		return heap.Pop(&l.queue).(*job)
	}
	if l.closed {
		defer l.mu.Unlock()
		l.workers--
		return nil
	}
	l.free = append(l.free, mine)
	l.mu.Unlock()
	rest := time.NewTimer(restAfter)
	defer rest.Stop()
	select {
	case j := <-mine:
		return j
	case <-rest.C:
		return l.retire(mine)
	}
}

// retire takes a worker off the list of the free ones, unless a job for it is
// on its way.
func (l *lanes) retire(mine chan *job) *job {
	l.mu.Lock()
	i := slices.Index(l.free, mine)
	if i < 0 {
		l.mu.Unlock()
		return <-mine
	}
	defer l.mu.Unlock()
	l.free = slices.Delete(l.free, i, i+1)
	l.workers--
	return nil
}

// close sends the workers home once the queue is empty, and waits for them.
func (l *lanes) close() {
	l.mu.Lock()
	l.closed = true
	for _, mine := range l.free {
		l.workers--
		mine <- nil
	}
	l.free = nil
	l.mu.Unlock()
	l.running.Wait()
}

// queue is a heap of jobs, the one whose turn is first at the top.
type queue []*job

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, k int) bool {
	a, b := q[i].ticket, q[k].ticket
	return a.turn < b.turn || a.turn == b.turn && a.number < b.number
}

func (q queue) Swap(i, k int) {
	q[i], q[k] = q[k], q[i]
	q[i].place, q[k].place = i, k
}

func (q *queue) Push(x any) {
	j := x.(*job)
	j.place = len(*q)
	*q = append(*q, j)
}

func (q *queue) Pop() any {
	last := len(*q) - 1
	j := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	j.place = taken
	return j
}
