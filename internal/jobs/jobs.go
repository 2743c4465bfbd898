// Package jobs runs work in the background, at intervals, until it is stopped.
package jobs

import (
	"context"
	"sync"
	"time"
)

// Job is work that is done at intervals.
type Job struct {
	Name  string        // for the log: what is done, as in "flushing"
	Every time.Duration // between the end of one run and the start of the next
	First time.Duration // before the first run; 0: Every, or Soon if that is shorter
	Now   bool          // the first run is at once
	Share int           // it rests at least so many times as long as a run took
	// Do does the work. With more there is work left: it runs again after Soon.
	Do func(ctx context.Context) (more bool, err error)
}

// Soon is the pause before the next portion of work.
const Soon = 500 * time.Millisecond

// Simple makes work that comes in one portion fit for [Job.Do].
func Simple(fn func(context.Context) error) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) { return false, fn(ctx) }
}

// Runner runs jobs.
type Runner struct {
	report func(name string, err error)
	stop   context.CancelFunc
	ctx    context.Context //nolint:containedctx // of all jobs, which Stop ends
	all    sync.WaitGroup
}

// NewRunner returns a runner without jobs. report is told what came of each run.
// ctx is the context of all work.
func NewRunner(ctx context.Context, report func(name string, err error)) *Runner {
	r := &Runner{report: report}
	r.ctx, r.stop = context.WithCancel(ctx)
	return r
}

// Start runs jobs until [Runner.Stop], one after the other. Those of different
// calls run beside each other.
func (r *Runner) Start(jobs ...Job) {
	r.Go(func(ctx context.Context) { r.repeat(ctx, jobs) })
}

// Go runs work that ends by itself when its context is done.
func (r *Runner) Go(fn func(context.Context)) { r.all.Go(func() { fn(r.ctx) }) }

// Stop ends all work and waits for that.
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

// run does a job once, and returns the pause after it.
func (r *Runner) run(ctx context.Context, j Job) time.Duration {
	start := time.Now()
	more, err := j.Do(ctx)
	r.report(j.Name, err)
	if more && err == nil {
		return Soon
	}
	return max(j.Every, time.Duration(j.Share)*time.Since(start))
}
