// Package workpool runs the work that keeps a processor busy for long: RSA, Argon2id
// and PBKDF2. It has a fixed number of workers, each with an operating-system thread
// and an Argon2id matrix of its own.
//
// A request enters once for all of its work, and gets a ticket. Above the bound it
// is refused before it has cost anything, because an unbounded queue would only turn
// overload into time-outs. Work is done in the order of tickets, not of arrival in
// the queue. A request has two pieces of work, decrypting and comparing, and one
// that has reserved an attempt must not wait behind requests that have just come.
//
// Callers share the workers fairly (see turns): a caller that sends many requests
// at once delays only its own.
//
// Plain goroutines would do the same work at the same rate. But the runtime
// preempts a goroutine only every 10 ms, and while all its processors are busy
// nothing else runs: a request that reads a key would wait behind several hashes.
// The workers' threads have a lower priority than all others, so the kernel lets
// short work run first. No worker waits for the disk.
package workpool

import (
	"container/heap"
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/process"
	"strongroom/internal/stack"
	"strongroom/internal/trace"
)

// Config configures a [Pool]. Every field is required unless it says otherwise.
type Config struct {
	MaxWaiting int               // most requests inside at once, waiting or running
	Size       int               // most workers
	Nice       int               // the nice value of their threads (setpriority(2)): a higher one has a lower priority
	Wait       time.Duration     // how long the first piece of a request's work waits for a worker
	Waiting    func(change int)  // called with 1 or -1 when a request enters or leaves
	Metrics    *metrics.WorkPool // nil: none
	Idle       func()            // called when a worker has ended
}

// Pool is the workers and what waits for them. It is safe for concurrent use.
type Pool struct {
	Config               // not changed after the first request
	inside chan struct{} // holds an element for each request that was admitted

	mu      sync.Mutex
	tickets uint64
	turns   turns       // of callers
	queue   queue       // of pieces of work that no worker has taken
	free    []chan *job // of workers that wait for one
	workers int
	closed  bool
	running sync.WaitGroup // of workers
}

// Ticket is a request's place in the order of work: by its turn, and within a
// turn by its number.
type Ticket struct {
	pool   *Pool
	number uint64
	turn   float64
	by, of *share // the caller whose place it takes, and the one whose turn it takes; nil: none yet
}

// job is one piece of work.
type job struct {
	ctx      context.Context // of the request, for its trace
	ticket   *Ticket
	fn       func(*argon2.Matrix)
	since    time.Time // when it was submitted
	place    int       // in the queue; taken once a worker has it
	done     chan struct{}
	panicked any // what fn panicked with
}

const taken = -1

// restAfter is how long a worker without work keeps its thread and its matrix.
const restAfter = 30 * time.Second

// wipeAfter is after how many pieces of work in a row without a hash a worker wipes its
// matrix. Each request has one such piece before its hash, so under load a wipe after each
// piece would mean one wipe for each hash.
const wipeAfter = 4

// New returns a pool without a worker: the first work starts one.
func New(cfg Config) *Pool {
	return &Pool{Config: cfg, inside: make(chan struct{}, cfg.MaxWaiting)}
}

// Last is a ticket for work that no request waits for. It comes after those of all
// requests. Call only Next on it: it takes no place and has no caller.
func (p *Pool) Last() *Ticket { return &Ticket{pool: p, turn: math.Inf(1)} }

// Enter admits a request of a caller, or refuses it at once with OVERLOADED. Call
// Leave when it is done. A caller that holds more places than are free gets no
// further one: a single caller gets about half of them, and the last places go to
// callers that hold few.
func (p *Pool) Enter(caller [16]byte) (*Ticket, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	free := cap(p.inside) - len(p.inside)
	if free == 0 || p.turns.inside(caller) > free {
		p.Metrics.Full()
		return nil, domain.Overloaded()
	}
	p.inside <- struct{}{} // never blocks: elements are added only here, under mu
	p.Waiting(1)
	p.tickets++
	by := p.turns.share(caller)
	by.inside++
	return &Ticket{pool: p, number: p.tickets, by: by}, nil
}

// Leave ends the request.
func (t *Ticket) Leave() {
	p := t.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turns.leave(t)
	<-p.inside
	p.Waiting(-1)
}

// Identify sets the caller whose turn the request takes, once its key has shown
// that. Only the first call has an effect. Without it, that is the caller that
// entered.
func (t *Ticket) Identify(caller [16]byte) {
	if t.of != nil {
		return
	}
	t.pool.mu.Lock()
	defer t.pool.mu.Unlock()
	t.pool.turns.take(t, caller)
}

// First runs fn on a worker, or refuses with OVERLOADED if none is free within
// Config.Wait.
func (t *Ticket) First(ctx context.Context, fn func(*argon2.Matrix)) error {
	t.Identify(t.by.caller)
	timer := time.NewTimer(t.pool.Wait)
	defer timer.Stop()
	return t.run(ctx, timer.C, fn)
}

// Next runs fn on a worker as soon as one is free, and fails with OVERLOADED only if
// ctx ends first: an attempt is already reserved, and must then be given back.
func (t *Ticket) Next(ctx context.Context, fn func(*argon2.Matrix)) error {
	if t.run(ctx, nil, fn) != nil {
		t.pool.Metrics.Late()
		return domain.Overloaded()
	}
	return nil
}

// run runs fn on a worker, unless late fires or ctx ends before one is free.
func (t *Ticket) run(ctx context.Context, late <-chan time.Time, fn func(*argon2.Matrix)) error {
	j := t.pool.submit(ctx, t, fn)
	select {
	case <-j.done:
	case <-late:
		if t.pool.withdraw(j) {
			trace.Since(ctx, trace.SlotWait, j.since)
			t.pool.Metrics.Late()
			return domain.Overloaded()
		}
	case <-ctx.Done():
		if t.pool.withdraw(j) {
			trace.Since(ctx, trace.SlotWait, j.since)
			return ctx.Err()
		}
	}
	j.finish()
	return nil
}

// finish waits for a job that a worker has taken. A panic in the job continues here,
// in the goroutine of the request.
func (j *job) finish() {
	<-j.done
	if j.panicked != nil {
		panic(j.panicked)
	}
}

// submit hands a job to a worker, or queues it until one is free.
func (p *Pool) submit(ctx context.Context, t *Ticket, fn func(*argon2.Matrix)) *job {
	j := &job{ctx: ctx, ticket: t, fn: fn, since: time.Now(), place: taken, done: make(chan struct{})}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch n := len(p.free); {
	case n > 0: // the worker that became free last: its matrix is warm
		p.free[n-1] <- j
		p.free = p.free[:n-1]
	case p.workers < p.Size:
		p.workers++
		p.running.Add(1)
		go p.work(j)
	default:
		heap.Push(&p.queue, j)
	}
	return j
}

// withdraw takes a job out of the queue. It reports false if a worker has already
// taken it.
func (p *Pool) withdraw(j *job) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if j.place == taken {
		return false
	}
	heap.Remove(&p.queue, j.place)
	return true
}

// work is one worker.
func (p *Pool) work(j *job) {
	defer p.running.Done()
	// Never unlocked: the thread ends with the worker, and its priority with it.
	runtime.LockOSThread()
	process.LowerPriority(p.Nice)
	var matrix argon2.Matrix
	mine := make(chan *job, 1)
	for others := 0; j != nil; {
		filled := matrix.Filled()
		p.do(j, &matrix)
		if others++; matrix.Filled() != filled {
			others = 0
		}
		if j = p.queued(); j == nil || others >= wipeAfter {
			matrix.Wipe() // what the last hash left is not overwritten by another one soon
		}
		if j == nil {
			j = p.await(mine)
		}
	}
	matrix.Release()
	p.Idle()
}

// AtRest reports whether there is no worker.
func (p *Pool) AtRest() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.workers == 0
}

// Callers is how many callers have requests inside, and how many take turns.
func (p *Pool) Callers() (inside, turns int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.turns.shares {
		if s.inside > 0 {
			inside++
		}
	}
	return inside, p.turns.takers
}

// State is what the workers are doing.
func (p *Pool) State() metrics.WorkPoolState {
	p.mu.Lock()
	defer p.mu.Unlock()
	return metrics.WorkPoolState{Workers: p.Size, Busy: p.workers - len(p.free), Queued: len(p.queue),
		Requests: len(p.inside), MaxRequests: cap(p.inside)}
}

func (p *Pool) do(j *job, matrix *argon2.Matrix) {
	waited := time.Since(j.since)
	if !math.IsInf(j.ticket.turn, 1) { // nobody waits for work of the refill
		p.Metrics.Waited(waited)
	}
	trace.Did(j.ctx, trace.SlotWait, j.since, waited)
	defer close(j.done)
	defer func() { j.panicked = stack.Moved(recover()) }()
	j.fn(matrix)
}

// queued takes the next job that waits for a worker, or returns nil.
func (p *Pool) queued() *job {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.queue.next()
}

// await returns a worker's next job, or nil if the worker must end.
func (p *Pool) await(mine chan *job) *job {
	p.mu.Lock()
	if j := p.queue.next(); j != nil { // queued since the caller looked
		defer p.mu.Unlock()
		return j
	}
	if p.closed {
		defer p.mu.Unlock()
		p.workers--
		return nil
	}
	p.free = append(p.free, mine)
	p.mu.Unlock()
	rest := time.NewTimer(restAfter)
	defer rest.Stop()
	select {
	case j := <-mine:
		return j
	case <-rest.C:
		return p.retire(mine)
	}
}

// retire removes a worker from the free ones, and returns nil. If a job is already on
// its way to the worker, it returns the job.
func (p *Pool) retire(mine chan *job) *job {
	p.mu.Lock()
	i := slices.Index(p.free, mine)
	if i < 0 {
		p.mu.Unlock()
		return <-mine
	}
	defer p.mu.Unlock()
	p.free = slices.Delete(p.free, i, i+1)
	p.workers--
	return nil
}

// Close ends the workers once the queue is empty, and waits for them.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	for _, mine := range p.free {
		p.workers--
		mine <- nil
	}
	p.free = nil
	p.mu.Unlock()
	p.running.Wait()
}

// queue is a heap of jobs, the one whose turn is first at the top.
type queue []*job

// next takes the job at the top, if there is one.
func (q *queue) next() *job {
	if len(*q) == 0 {
		return nil
	}
	return heap.Pop(q).(*job)
}

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
