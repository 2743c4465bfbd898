// Package jobs runs background work at intervals until it is stopped.
package jobs

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// Job is work that runs at intervals.
type Job struct {
	Name  string        // for the log, as in "flushing"
	Every time.Duration // between the end of one run and the start of the next
	First time.Duration // before the first run; 0: the shorter of Every and Soon
	Now   bool          // if First is 0, the first run starts immediately
	Share int           // the pause is at least this many times as long as the run took
	// Do does the work. If it returns more, it runs again after Soon instead of Every.
	Do func(ctx context.Context) (more bool, err error)
}

// Soon is the pause before the next portion of work.
const Soon = 500 * time.Millisecond

// Simple adapts work that is done in one run to [Job.Do].
func Simple(fn func(context.Context) error) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) { return false, fn(ctx) }
}

// Runner runs jobs. Create it with [NewRunner].
type Runner struct {
	report func(name string, err error)
	stop   context.CancelFunc
	ctx    context.Context //nolint:containedctx // of all jobs, which Stop ends
	all    sync.WaitGroup

	mu      sync.Mutex
	running map[string]int // guarded by mu: the work that runs now, by its name
}

// NewRunner returns a runner without jobs. It calls report after each run; err
// is nil if the run succeeded. ctx is the parent context of all work.
func NewRunner(ctx context.Context, report func(name string, err error)) *Runner {
	r := &Runner{report: report, running: map[string]int{}}
	r.ctx, r.stop = context.WithCancel(ctx)
	return r
}

// Start runs jobs one at a time until [Runner.Stop]. Jobs of different calls run
// in parallel.
func (r *Runner) Start(jobs ...Job) {
	r.all.Go(func() { r.repeat(r.ctx, jobs) })
}

// Go runs fn in a goroutine. fn must return when its context is done. The name is as in
// [Job]; empty: fn may end late, and [Runner.Stop] does not name it.
func (r *Runner) Go(name string, fn func(context.Context)) {
	r.all.Go(func() {
		if name != "" {
			defer r.note(name)()
		}
		fn(r.ctx)
	})
}

// note notes that work runs, until done is called.
func (r *Runner) note(name string) (done func()) {
	r.add(name, 1)
	return func() { r.add(name, -1) }
}

func (r *Runner) add(name string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running[name] += n; r.running[name] == 0 {
		delete(r.running, name)
	}
}

// Stop cancels all work and waits until it has ended, or until ctx is done. It returns
// the names of the work that has not ended: a file system or a pipe can hang in a way
// that nothing interrupts.
func (r *Runner) Stop(ctx context.Context) (stuck []string) {
	r.stop()
	ended := make(chan struct{})
	go func() {
		r.all.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Keys(r.running))
}

func (r *Runner) repeat(ctx context.Context, jobs []Job) {
	next := make([]time.Time, len(jobs)) // when each is due
	for i, j := range jobs {
		next[i] = time.Now().Add(j.first())
	}
	for {
		due := 0
		for i := range next {
			if next[i].Before(next[due]) {
				due = i
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Until(next[due])):
		}
		if ctx.Err() != nil {
			return
		}
		pause := r.run(ctx, jobs[due])
		next[due] = time.Now().Add(pause)
	}
}

// first is the pause before the first run.
func (j Job) first() time.Duration {
	if j.First == 0 && !j.Now {
		return min(j.Every, Soon)
	}
	return j.First
}

// run does a job once and returns the pause before its next run.
func (r *Runner) run(ctx context.Context, j Job) time.Duration {
	start := time.Now()
	done := r.note(j.Name)
	more, err := j.Do(ctx)
	done()
	r.report(j.Name, err)
	pause := j.Every
	if more && err == nil {
		pause = Soon
	}
	return max(pause, time.Duration(j.Share)*time.Since(start))
}
