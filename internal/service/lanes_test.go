package service

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"math"
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

// mustEnter lets in a request of a caller of its own.
func mustEnter(t *testing.T, l *lanes) *ticket {
	t.Helper()
	var caller [16]byte
	_, _ = rand.Read(caller[:])
	return mustEnterAs(t, l, caller)
}

func mustEnterAs(t *testing.T, l *lanes, caller [16]byte) *ticket {
	t.Helper()
	k, err := l.enter(caller)
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
		go (&ticket{lanes: l, turn: math.Inf(-1)}).next(context.Background(), func(*argon2.Matrix) { at.Done(); <-release })
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
		of   *ticket
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
				if err := (&ticket{lanes: l}).next(t.Context(), func(*argon2.Matrix) {}); err != nil {
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

// admit lets in requests of a caller, up to a number.
func admit(l *lanes, caller byte, most int) (admitted []*ticket) {
	for range most {
		k, err := l.enter([16]byte{caller})
		if err != nil {
			break
		}
		admitted = append(admitted, k)
	}
	return admitted
}

func TestOneCallerNeverFillsTheLanes(t *testing.T) {
	l := testLanes(t, 1, 100, &bytes.Buffer{})
	greedy := admit(l, 1, 1000)
	if n := len(greedy); n != 51 {
		t.Errorf("one caller holds %d of 100 places, want 51: no further one once it holds more than are free", n)
	}
	for caller := range byte(3) {
		greedy = append(greedy, admit(l, 10+caller, 1000)...)
		greedy = append(greedy, admit(l, 1, 1000)...)
	}
	if free := cap(l.inside) - len(l.inside); free < 5 {
		t.Errorf("four greedy callers leave %d places to others", free)
	}
	for caller := 100; len(l.inside) < cap(l.inside); caller++ {
		greedy = append(greedy, mustEnterAs(t, l, [16]byte{byte(caller)}))
	}
	if _, err := l.enter([16]byte{99}); codeOf(err) != domain.CodeOverloaded {
		t.Errorf("a request past the bound: %v", err)
	}
	for _, k := range greedy {
		k.leave()
	}
	if len(l.inside) != 0 || len(l.turns.shares) != 0 || l.turns.takers != 0 {
		t.Errorf("after all have left: %d inside, %d shares, %d takers", len(l.inside), len(l.turns.shares), l.turns.takers)
	}
}

// doneInOrder has one lane do a piece of work of each ticket, in whatever order,
// and returns the tickets in that order.
func doneInOrder(t *testing.T, l *lanes, tickets []*ticket) (order []*ticket) {
	t.Helper()
	release := make(chan struct{})
	occupy(l, release)
	var all sync.WaitGroup
	for i, k := range tickets {
		all.Go(func() {
			if err := k.next(context.Background(), func(*argon2.Matrix) { order = append(order, k) }); err != nil {
				t.Error(err)
			}
		})
		queued(l, i+1)
	}
	close(release)
	all.Wait()
	return order
}

func TestACallerWithManyRequestsDelaysNoneWithFew(t *testing.T) {
	l := testLanes(t, 1, 100, &bytes.Buffer{})
	enter := func(caller byte) *ticket {
		k := mustEnterAs(t, l, [16]byte{caller})
		k.identify(k.by.caller)
		return k
	}
	var greedy []*ticket
	for range 20 {
		greedy = append(greedy, enter(1))
	}
	for range 5 { // five of them are done
		greedy[0].leave()
		greedy = greedy[1:]
	}
	alice, bob := enter(2), enter(3) // come after all of these
	second := enter(2)
	late := enter(1)
	order := doneInOrder(t, l, append([]*ticket{late, second, bob, alice}, greedy...))
	for who, want := range map[*ticket]int{greedy[0]: 0, alice: 1, bob: 2, greedy[1]: 3, second: 4, late: 18} {
		if got := slices.Index(order, who); got != want {
			t.Errorf("request %d of caller %d was done as number %d, want %d", who.number, who.of.caller[0], got, want)
		}
	}
}

// A request that has reserved a try must have its verdict before the try's
// lease ends, however many others keep coming.
func TestNewcomersOfTheSameTurnGoBehindAndNobodyWaitsForEver(t *testing.T) {
	l := testLanes(t, 1, 100, &bytes.Buffer{})
	enter := func(caller byte) *ticket {
		k := mustEnterAs(t, l, [16]byte{caller})
		k.identify(k.by.caller)
		return k
	}
	reserved, second := enter(1), enter(1)
	behind := 0
	for caller := byte(2); ; caller++ {
		newcomer := enter(caller)
		before := func(other *ticket) bool { return queue{{ticket: newcomer}, {ticket: other}}.Less(0, 1) }
		if before(reserved) {
			t.Fatal("a newcomer goes before a request of the same turn that came earlier")
		}
		if !before(second) {
			break
		}
		newcomer.leave()
		if behind++; behind > 100 {
			t.Fatal("newcomers go before a second request for ever")
		}
	}
	if behind == 0 {
		t.Error("the second request of a caller goes before the first of another")
	}
}

// Where nobody is identified before a key was looked up, it is the key's account
// that takes its turn.
func TestWhoWorksIsTheAccountAndWhoEntersTheAddress(t *testing.T) {
	v := openVault(t, func(c *Config) { c.Lanes = 1 })
	phone, tablet := v.issue("phone"), v.issue("tablet")
	release := make(chan struct{})
	occupy(v.lanes, release)
	answers := make(chan string, 3)
	for i, k := range []domain.KeyPair{phone, phone, tablet} {
		go func() { answers <- v.verifyPIN(k, "1357") }()
		queued(v.lanes, i+1)
	}
	v.lanes.mu.Lock()
	turns := map[float64]int{}
	for _, j := range v.lanes.queue {
		turns[j.ticket.turn]++
	}
	inside := v.lanes.turns.inside([16]byte{}) // no address is known
	v.lanes.mu.Unlock()
	if inside != 3 || turns[0] != 2 || turns[1] != 1 {
		t.Errorf("of one address %d are inside; by turn there are %v", inside, turns)
	}
	close(release)
	for range 3 {
		v.expect("verify", <-answers, "false")
	}
	v.idle()
}
