// Package jobs runs background work at intervals until it is stopped.
package jobs

import (
	"context"
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
	// Do does the work. If it returns more, it runs again after Soon.
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
}

// NewRunner returns a runner without jobs. It calls report after each run; err
// is nil if the run succeeded. ctx is the parent context of all work.
func NewRunner(ctx context.Context, report func(name string, err error)) *Runner {
	r := &Runner{report: report}
	r.ctx, r.stop = context.WithCancel(ctx)
	return r
}

// Start runs jobs one at a time until [Runner.Stop]. Jobs of different calls run
// in parallel.
func (r *Runner) Start(jobs ...Job) {
	r.Go(func(ctx context.Context) { r.repeat(ctx, jobs) })
}

// Go runs fn in a goroutine. fn must return when its context is done.
func (r *Runner) Go(fn func(context.Context)) { r.all.Go(func() { fn(r.ctx) }) }

// Stop cancels all work and waits until it has ended.
func (r *Runner) Stop() {
	r.stop()
	r.all.Wait()
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
	more, err := j.Do(ctx)
	r.report(j.Name, err)
	if more && err == nil {
		return Soon
	}
	return max(j.Every, time.Duration(j.Share)*time.Since(start))
}
