package lograte

import (
	"testing"
	"time"
)

func TestTheSameFailureOfAJobIsLoggedEveryTenSeconds(t *testing.T) {
	var r Repeats
	now := time.Now()
	for n, step := range []struct {
		after        time.Duration
		job, failure string
		write        bool
		omitted      int
	}{
		{0, "flushing", "lost", true, 0},
		{time.Second, "flushing", "lost", false, 0},
		{2 * time.Second, "pruning", "lost", true, 0}, // another job
		{3 * time.Second, "flushing", "lost", false, 0},
		{4 * time.Second, "flushing", "full", true, 2}, // another error
		{13 * time.Second, "flushing", "full", false, 0},
		{14 * time.Second, "flushing", "full", true, 1},
		{24 * time.Second, "flushing", "full", true, 0},
		{25 * time.Second, "flushing", "lost", true, 0}, // the two alternate
		{26 * time.Second, "flushing", "full", false, 0},
		{27 * time.Second, "flushing", "lost", false, 0},
		{28 * time.Second, "flushing", "port 40001", true, 2}, // and then every text differs
		{29 * time.Second, "flushing", "port 40002", false, 0},
		{30 * time.Second, "flushing", "port 40003", false, 0},
		{34 * time.Second, "flushing", "port 40004", true, 2},
	} {
		if write, omitted := r.Next(step.job, step.failure, now.Add(step.after)); write != step.write || omitted != step.omitted {
			t.Errorf("step %d: logged %t, %d omitted, want %t and %d", n, write, omitted, step.write, step.omitted)
		}
	}
}
