package service

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
)

// testLanes are lanes that log into log.
func testLanes(t *testing.T, size, waiting int, log *bytes.Buffer) *lanes {
	l := newLanes(Config{MaxWaiting: waiting, Lanes: size, Log: slog.New(slog.NewTextHandler(log, nil)),
		Meters: metrics.New(prometheus.NewRegistry())}, 0, time.Minute, func() {})
	t.Cleanup(l.close)
	return l
}

func mustEnter(t *testing.T, l *lanes) ticket {
	t.Helper()
	k, err := l.enter()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// occupy keeps every worker at work until release is closed.
func occupy(l *lanes, release <-chan struct{}) {
	var at sync.WaitGroup
	at.Add(l.size)
	for range l.size {
		go ticket{l, 0}.next(context.Background(), func(*argon2.Matrix) { at.Done(); <-release })
	}
	at.Wait()
}

// queued waits until n jobs are in the queue.
func queued(l *lanes, n int) {
	until(func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return len(l.queue) == n
	})
}

func TestWorkIsDoneInTheOrderOfTickets(t *testing.T) {
	l := testLanes(t, 1, 10, &bytes.Buffer{})
	release := make(chan struct{})
	occupy(l, release)
	early, late := mustEnter(t, l), mustEnter(t, l)
	var order []string
	var all sync.WaitGroup
	for i, piece := range []struct {
		name string
		of   ticket
	}{{"late", late}, {"early", early}, {"early again", early}} {
		all.Go(func() {
			if err := piece.of.next(context.Background(), func(*argon2.Matrix) { order = append(order, piece.name) }); err != nil {
				t.Error(err)
			}
		})
		queued(l, i+1)
	}
	close(release)
	all.Wait()
	if slices.Index(order, "late") != 2 {
		t.Errorf("the order was %q: who came first should have had both pieces done first", order)
	}
}

func TestNoMoreWorkRunsAtOnceThanThereAreLanes(t *testing.T) {
	l := testLanes(t, 3, 100, &bytes.Buffer{})
	var mu sync.Mutex
	var running, most int
	matrices := map[*argon2.Matrix]bool{}
	var all sync.WaitGroup
	for range 100 {
		k := mustEnter(t, l)
		all.Go(func() {
			defer k.leave()
			err := k.first(context.Background(), func(m *argon2.Matrix) {
				mu.Lock()
				running++
				most = max(most, running)
				matrices[m] = true
				mu.Unlock()
				runtime.Gosched()
				mu.Lock()
				running--
				mu.Unlock()
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if most > 3 || len(matrices) > 3 {
		t.Errorf("%d pieces of work ran at once, on %d matrices; there are 3 lanes", most, len(matrices))
	}
	if len(l.inside) != 0 || len(l.queue) != 0 {
		t.Errorf("%d are inside and %d wait after all have left", len(l.inside), len(l.queue))
	}
}

func TestWhoWaitsTooLongOrHangsUpIsRefusedAndItsWorkNeverRuns(t *testing.T) {
	l := testLanes(t, 1, 10, &bytes.Buffer{})
	release := make(chan struct{})
	occupy(l, release)
	never := func(*argon2.Matrix) { t.Error("refused work was done") }
	gone, hangUp := context.WithCancel(context.Background())
	hangUp()
	k := mustEnter(t, l)
	if err := k.first(gone, never); !errors.Is(err, context.Canceled) {
		t.Errorf("a first piece whose client is gone: %v", err)
	}
	if err := k.next(gone, never); codeOf(err) != domain.CodeOverloaded {
		t.Errorf("a next piece whose deadline has passed: %v", err)
	}
	l.wait = time.Nanosecond
	if err := k.first(context.Background(), never); codeOf(err) != domain.CodeOverloaded {
		t.Errorf("a first piece that waited too long: %v", err)
	}
	queued(l, 0)
	close(release)
	done := false
	if err := k.next(context.Background(), func(*argon2.Matrix) { done = true }); err != nil || !done {
		t.Errorf("the lane is not free again: %v", err)
	}
}

func TestAPanicInALaneIsThatOfItsRequest(t *testing.T) {
	var log bytes.Buffer
	l := testLanes(t, 1, 10, &log)
	k := mustEnter(t, l)
	func() {
		defer func() {
			if got := recover(); got != "a canary value" {
				t.Errorf("the request's goroutine got %v", got)
			}
		}()
		_ = k.first(context.Background(), func(*argon2.Matrix) { panic("a canary value") })
	}()
	if err := k.next(context.Background(), func(*argon2.Matrix) {}); err != nil {
		t.Errorf("the lane is lost: %v", err)
	}
	if !strings.Contains(log.String(), "lanes_test.go") || strings.Contains(log.String(), "canary") {
		t.Errorf("the log should tell where it was and not what it said:\n%s", &log)
	}
}

func TestALaneWithoutWorkGivesItsThreadAndMemoryBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var rested atomic.Int64
		l := newLanes(Config{MaxWaiting: 10, Lanes: 2, Meters: metrics.New(prometheus.NewRegistry())}, 0, time.Minute,
			func() { rested.Add(1) })
		for round := range 2 {
			for range 2 {
				if err := (ticket{l, 1}).next(t.Context(), func(*argon2.Matrix) {}); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(restAfter - time.Second)
			synctest.Wait()
			if l.atRest() {
				t.Fatal("a worker left early")
			}
			time.Sleep(2 * time.Second)
			synctest.Wait()
			if n := rested.Load(); !l.atRest() || n != int64(round+1) {
				t.Errorf("at rest: %v; told of it %d times", l.atRest(), n)
			}
		}
	})
}
