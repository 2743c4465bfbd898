package service

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/rootkey"
	"strongroom/internal/store"
)

// If the store takes no writes, the age of unwritten work grows until a flush succeeds.
// Refusals always wait for their minute.
func TestTheLagMetricsShowUnwrittenWork(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	v := openVault(t, func(c *Config) { c.Now = func() time.Time { return now } })
	flush := func() error { return v.tally.Flush(v.ctx, false) }
	pass := func(d time.Duration) { now = now.Add(d) }
	check := func(when string, rollup, audit time.Duration) {
		t.Helper()
		if r, a := v.tally.Lags(); r != rollup || a != audit {
			t.Errorf("%s: the roll-ups are %v behind and the trail %v, want %v and %v", when, r, a, rollup, audit)
		}
	}
	v.issue("phone")
	v.issue("phone") // changes nothing: a count
	pass(time.Second)
	check("before a flush", time.Second, time.Second)
	gone, cancel := context.WithCancel(v.ctx)
	cancel()
	for range 2 {
		if err := v.tally.Flush(gone, false); err == nil {
			t.Fatal("a flush without a store succeeded")
		}
		pass(time.Minute)
	}
	check("after flushes that failed", 2*time.Minute+time.Second, 2*time.Minute+time.Second)
	if err := flush(); err != nil {
		t.Fatal(err)
	}
	check("after one that did not", 0, 0)

	v.Refused(v.ctx, domain.CodeUnauthenticated)
	pass(30 * time.Second)
	v.issue("phone")
	if err := flush(); err != nil {
		t.Fatal(err)
	}
	check("while a refusal waits for its minute", 0, 30*time.Second)
	pass(30 * time.Second)
	if err := v.tally.Flush(gone, false); err == nil {
		t.Fatal("a flush without a store succeeded")
	}
	pass(10 * time.Second)
	check("after its minute, unwritten", 0, 70*time.Second)
	if err := v.tally.Flush(v.ctx, true); err != nil {
		t.Fatal(err)
	}
	check("after it was written", 0, 0)
}

// A check of a disk that hangs does not end in time. The metric must not wait for it,
// and its late end must not hide a newer result.
func TestACheckOfTheStoreThatHangsIsReported(t *testing.T) {
	registry := prometheus.NewRegistry()
	checking := &hangingCheck{began: make(chan struct{}), end: make(chan struct{})}
	v := openVault(t, func(c *Config) {
		c.Metrics = metrics.New(registry)
		checking.Store = c.Store
		c.Store = checking
	})
	up := func() float64 { return counted(t, registry, "strongroom_store_up") }
	result := make(chan error)
	go func() { result <- v.Ready(v.ctx) }()
	<-checking.began
	if up() != 1 {
		t.Error("not up during a check that has time left")
	}
	until(func() bool { return up() == 0 })
	gone, cancel := context.WithCancel(v.ctx)
	cancel()
	if err := v.Ready(gone); err != nil || up() != 1 {
		t.Errorf("the next check, by a client that is gone: %v, strongroom_store_up %v", err, up())
	}
	close(checking.end)
	if err := <-result; err == nil || up() != 1 {
		t.Errorf("the check that ended too late: %v, strongroom_store_up %v", err, up())
	}
}

// hangingCheck hangs in its first check, whatever its context.
type hangingCheck struct {
	store.Store
	checks     atomic.Int32
	began, end chan struct{}
}

func (h *hangingCheck) Ping(ctx context.Context) error {
	if h.checks.Add(1) == 1 {
		close(h.began)
		<-h.end
		return nil
	}
	return ctx.Err()
}

// A root key that was moved away or exchanged under a running service is reported
// while there is time to bring it back.
func TestAMissingRootKeyIsReported(t *testing.T) {
	registry := prometheus.NewRegistry()
	m := metrics.New(registry)
	v := openVault(t, func(c *Config) { c.Metrics = m })
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(v.rootKey+from, v.rootKey+to); err != nil {
			t.Fatal(err)
		}
	}
	check := func(what, want string) {
		t.Helper()
		if err := v.custody.Check(v.ctx); err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
		if !strings.Contains(w.Body.String(), "\nstrongroom_root_key_up "+want+"\n") {
			t.Errorf("strongroom_root_key_up is not %s %s", want, what)
		}
	}
	check("with the key", "1")
	move("", ".away")
	check("without it", "0")
	if err := rootkey.CreateFile(v.rootKey); err != nil {
		t.Fatal(err)
	}
	check("with another one", "0")
	move(".away", "")
	check("with the key again", "1")
}

// The metrics show busy workers, waiting work and refused work at the time of the scrape.
func TestTheMetricsShowTheStateOfTheWorkerPool(t *testing.T) {
	registry := prometheus.NewRegistry()
	m := metrics.New(registry)
	v := openVault(t, func(c *Config) { c.Metrics, c.Workers, c.MaxWaiting = m, 1, 2 })
	v.verifying.Wait = time.Millisecond
	working, waiting := mustEnter(t, v.verifying), mustEnter(t, v.verifying)
	release := make(chan struct{})
	occupy(v.verifying, release)
	if _, err := v.verifying.Enter([16]byte{}); err == nil {
		t.Error("a third request was admitted")
	}
	if err := waiting.First(v.ctx, func(*argon2.Matrix) {}); err == nil {
		t.Error("work was done while the only worker was busy")
	}
	var queuedWork sync.WaitGroup
	queuedWork.Go(func() { _ = waiting.Next(t.Context(), func(*argon2.Matrix) {}) })
	queued(v.verifying, 1)
	want := metrics.WorkPoolState{Workers: 1, Busy: 1, Queued: 1, Requests: 2, MaxRequests: 2}
	if got := v.verifying.State(); got != want {
		t.Errorf("the worker pool reports %+v, want %+v", got, want)
	}
	close(release)
	queuedWork.Wait()
	working.Leave()
	waiting.Leave()
	until(func() bool { return v.verifying.State() == metrics.WorkPoolState{Workers: 1, MaxRequests: 2} })
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for _, want := range []string{
		`strongroom_lane_shed_total{lanes="credentials",reason="full"} 1`,
		`strongroom_lane_shed_total{lanes="credentials",reason="late"} 1`,
		`strongroom_lane_wait_seconds_count{lanes="credentials"} 1`, // not the one that was withdrawn, and not work that no request waits for
	} {
		if !strings.Contains(w.Body.String(), "\n"+want+"\n") {
			t.Errorf("no %s", want)
		}
	}
}

func TestDeadNodesOfTheDatabaseAreLoggedOnceAndNamed(t *testing.T) {
	var log strings.Builder
	var dead []string
	var unreachable error
	v := openVault(t, func(c *Config) {
		c.Log = slog.New(slog.NewTextHandler(&log, nil))
		c.DeadNodes = func(context.Context) ([]string, error) { return dead, unreachable }
	})
	look := func(lines int, want ...string) {
		t.Helper()
		log.Reset()
		if err := v.lookAtNodes(v.ctx); err != nil {
			t.Error(err)
		}
		if n := strings.Count(log.String(), "\n"); n != lines {
			t.Errorf("%d lines, want %d: %s", n, lines, log.String())
		}
		if got := v.DeadNodes(); !slices.Equal(got, want) {
			t.Errorf("dead: %v, want %v", got, want)
		}
	}
	look(0)
	dead = []string{"10.0.0.7:5432"}
	look(1, "10.0.0.7:5432")
	look(0, "10.0.0.7:5432")
	dead, unreachable = nil, context.DeadlineExceeded // the coordinator: nothing is known of the nodes
	look(0, "10.0.0.7:5432")
	unreachable = nil
	look(1)
	look(0)
}
