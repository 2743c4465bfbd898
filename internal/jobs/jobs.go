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
	Every time.Duration // between the end of one run and the begin of the next
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

// Runner runs jobs, each in a goroutine of its own: a sink, a receiver or a long
// walk holds up nothing else.
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

// Start runs jobs until [Runner.Stop].
func (r *Runner) Start(jobs ...Job) {
	for _, j := range jobs {
		r.Go(func(ctx context.Context) { r.repeat(ctx, j) })
	}
}

// Go runs work that ends by itself when its context is done.
func (r *Runner) Go(fn func(context.Context)) { r.all.Go(func() { fn(r.ctx) }) }

// Stop ends all work and waits for that.
func (r *Runner) Stop() {
	r.stop()
	r.all.Wait()
}

func (r *Runner) repeat(ctx context.Context, j Job) {
	pause := j.First
	if pause == 0 && !j.Now {
		pause = min(j.Every, Soon)
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		if ctx.Err() != nil {
			return
		}
		start := time.Now()
		more, err := j.Do(ctx)
		r.report(j.Name, err)
		pause = max(j.Every, time.Duration(j.Share)*time.Since(start))
		if more && err == nil {
			pause = Soon
		}
	}
}
