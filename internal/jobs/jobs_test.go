package jobs

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestAJobRunsOnScheduleUntilItIsStopped(t *testing.T) {
	for name, c := range map[string]struct {
		job  Job
		took time.Duration
		more int // runs that leave work
		want []time.Duration
	}{
		"at intervals":            {Job{Every: time.Minute}, 0, 0, []time.Duration{Soon, Soon + time.Minute, Soon + 2*time.Minute}},
		"often":                   {Job{Every: 100 * time.Millisecond}, 0, 0, []time.Duration{100 * time.Millisecond, 200 * time.Millisecond}},
		"at once":                 {Job{Every: time.Minute, Now: true}, 0, 0, []time.Duration{0, time.Minute}},
		"first later":             {Job{Every: time.Minute, First: time.Hour}, 0, 0, []time.Duration{time.Hour, time.Hour + time.Minute}},
		"in portions":             {Job{Every: time.Minute, Now: true}, 0, 2, []time.Duration{0, Soon, 2 * Soon, 2*Soon + time.Minute}},
		"for a share of time":     {Job{Every: time.Minute, Share: 100, Now: true}, 2 * time.Second, 0, []time.Duration{0, 202 * time.Second}},
		"in portions for a share": {Job{Every: time.Minute, Share: 1, Now: true}, 2 * time.Second, 1, []time.Duration{0, 4 * time.Second, 66 * time.Second}},
		"from an end to a start":  {Job{Every: time.Minute, Now: true}, 2 * time.Second, 0, []time.Duration{0, 62 * time.Second}},
		"without work at once":    {Job{Every: time.Minute, First: time.Minute}, 0, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				var at []time.Duration
				reports, failure := 0, errors.New("failed")
				c.job.Name = "testing"
				c.job.Do = func(context.Context) (bool, error) {
					at = append(at, time.Since(begin))
					time.Sleep(c.took)
					return len(at) <= c.more, failure
				}
				if c.more > 0 {
					failure = nil
				}
				r := NewRunner(t.Context(), func(name string, err error) {
					if reports++; name != "testing" || !errors.Is(err, failure) {
						t.Errorf("reported %q, %v", name, err)
					}
				})
				r.Start(c.job)
				until := 30 * time.Second
				if n := len(c.want); n > 0 {
					until = c.want[n-1] + c.took + time.Millisecond
				}
				time.Sleep(until)
				r.Stop(t.Context())
				time.Sleep(24 * time.Hour)
				if !slices.Equal(at, c.want) || reports != len(at) {
					t.Errorf("it ran at %v and reported %d times, want %v", at, reports, c.want)
				}
			})
		})
	}
}

func TestStopWaitsForRunningWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := false
		r := NewRunner(t.Context(), func(string, error) {})
		r.Go("waiting", func(ctx context.Context) {
			<-ctx.Done()
			time.Sleep(time.Minute)
			ended = true
		})
		if stuck := r.Stop(t.Context()); !ended || stuck != nil {
			t.Errorf("Stop came back before the work had ended: %q", stuck)
		}
	})
}

// A write to a pipe that nobody reads cannot be interrupted.
func TestStopLeavesStuckWorkBehindAndNamesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reader := make(chan struct{})
		r := NewRunner(t.Context(), func(string, error) {})
		r.Start(Job{Name: "flushing", Every: time.Second, Do: Simple(func(context.Context) error { return nil })},
			Job{Name: "writing", Every: time.Second, Do: Simple(func(context.Context) error { <-reader; return nil })})
		r.Go("sending", func(ctx context.Context) { <-ctx.Done() })
		r.Go("sweeping", func(context.Context) { <-reader })
		r.Go("", func(context.Context) { <-reader })
		time.Sleep(time.Minute)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		begin := time.Now()
		if stuck := r.Stop(ctx); !slices.Equal(stuck, []string{"sweeping", "writing"}) || time.Since(begin) != 5*time.Second {
			t.Errorf("stuck after %v: %q", time.Since(begin), stuck)
		}
		close(reader)
		if stuck := r.Stop(t.Context()); stuck != nil {
			t.Errorf("after it ended: %q", stuck)
		}
	})
}

func TestJobsStartedTogetherRunOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		running, runs := 0, 0
		job := Job{Every: time.Second, Do: func(context.Context) (bool, error) {
			running++
			if runs++; running > 1 {
				t.Error("two run at once")
			}
			time.Sleep(time.Minute)
			running--
			return false, nil
		}}
		r := NewRunner(t.Context(), func(string, error) {})
		r.Start(job, job, job)
		time.Sleep(time.Hour)
		r.Stop(t.Context())
		if runs < 55 {
			t.Errorf("they ran %d times in an hour", runs)
		}
	})
}
