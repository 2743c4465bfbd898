package main

import (
	"runtime"
	"testing"
)

func TestTheRuntimeHasMoreProcessorsWhileAWorkerRuns(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	p := processors{cores: 2}
	for _, step := range []struct{ change, want int }{{1, 5}, {1, 5}, {-1, 5}, {-1, 2}, {1, 5}, {-1, 2}} {
		if p.working(step.change); runtime.GOMAXPROCS(0) != step.want {
			t.Errorf("%d workers: %d processors, want %d", p.workers, runtime.GOMAXPROCS(0), step.want)
		}
	}
}
