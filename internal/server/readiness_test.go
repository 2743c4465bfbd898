package server

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestReadinessIsCachedAndThenFollowsTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lost error
		checks := 0
		p := &readiness{logger: slog.New(slog.DiscardHandler), check: func(context.Context) error { checks++; return lost }}
		ask := func() error { return p.ask(t.Context()) }

		if err := ask(); err != nil {
			t.Fatal(err)
		}
		lost = errors.New("store lost")
		time.Sleep(readyCache - time.Millisecond)
		if err := ask(); err != nil || checks != 1 {
			t.Errorf("within the cache's lifetime: %v after %d checks", err, checks)
		}
		time.Sleep(time.Millisecond)
		if err := ask(); !errors.Is(err, lost) || checks != 2 {
			t.Errorf("after the cache's lifetime: %v after %d checks", err, checks)
		}
		lost = nil
		time.Sleep(readyCache)
		if err := ask(); err != nil {
			t.Errorf("after the store came back: %v", err)
		}
	})
}

func TestAHangingReadinessCheckFailsAllProbesAndRunsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var checks atomic.Int32
		p := &readiness{logger: slog.New(slog.DiscardHandler), check: func(context.Context) error { checks.Add(1); <-release; return nil }}

		start := time.Now()
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if err := p.ask(t.Context()); !errors.Is(err, errNoAnswer) {
					t.Errorf("got %v", err)
				}
			})
		}
		all.Wait()
		if took := time.Since(start); took != readyDeadline || checks.Load() != 1 {
			t.Errorf("%d checks, answered after %v", checks.Load(), took)
		}
		close(release)
		synctest.Wait()
		if err := p.ask(t.Context()); err != nil || checks.Load() != 1 {
			t.Errorf("after the check ended: %v after %d checks", err, checks.Load())
		}
	})
}

// While a disk hangs, its system calls do not return, so the check does not end at its
// deadline.
func TestAHangingReadinessCheckIsLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log buffer
		release := make(chan struct{})
		p := &readiness{logger: slog.New(slog.NewTextHandler(&log, nil)), check: func(context.Context) error { <-release; return nil }}
		for range 5 {
			if err := p.ask(t.Context()); !errors.Is(err, errNoAnswer) {
				t.Errorf("got %v", err)
			}
		}
		if strings.Count(log.String(), "\n") != 1 || !strings.Contains(log.String(), "not ready") || !strings.Contains(log.String(), errNoAnswer.Error()) {
			t.Errorf("while it hangs:\n%s", &log)
		}
		close(release)
		synctest.Wait()
		if err := p.ask(t.Context()); err != nil || strings.Count(log.String(), "\n") != 2 || !strings.Contains(log.String(), "ready again") {
			t.Errorf("after it ended: %v\n%s", err, &log)
		}
	})
}

// A liveness probe that fails would restart all instances while their database fails
// over.
func TestReadinessProbesThatWaitForTheStoreDoNotFailLiveness(t *testing.T) {
	hanging, release := make(chan struct{}), make(chan struct{})
	hangs := sync.OnceFunc(func() { close(hanging) })
	r := start(t, Config{Ready: func(context.Context) error { hangs(); <-release; return nil }})
	var all sync.WaitGroup
	for range maxProbes {
		all.Go(func() { _, _ = ask(r.client.Get(r.api + "/readyz")) })
	}
	<-hanging
	for since := time.Now(); time.Since(since) < readyDeadline/2; time.Sleep(10 * time.Millisecond) {
		if got := r.do("GET", r.api+"/healthz"); got.Status != 200 {
			t.Errorf("liveness: %d %s", got.Status, got.Body)
			break
		}
	}
	close(release)
	all.Wait()
}

func TestACancelledProbeFailsNoOtherProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		p := &readiness{logger: slog.New(slog.DiscardHandler), check: func(ctx context.Context) error { <-release; return ctx.Err() }}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if err := p.ask(gone); err == nil {
			t.Error("a cancelled probe was answered as ready")
		}
		close(release)
		if err := p.ask(t.Context()); err != nil {
			t.Errorf("the next probe: %v", err)
		}
	})
}

func TestACheckThatFailsDuringAStopIsNotLogged(t *testing.T) {
	var log buffer
	p := readiness{check: func(context.Context) error { return errors.New("the store is closed") }, logger: slog.New(slog.NewTextHandler(&log, nil))}
	p.draining.Store(true)
	if p.ask(t.Context()) == nil || log.String() != "" {
		t.Errorf("logged:\n%s", &log)
	}
}
