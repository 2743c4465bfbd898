package workpool

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/domain"
	"strongroom/internal/stack"
)

func testPool(t *testing.T, size, waiting int) *Pool {
	l := New(Config{MaxWaiting: waiting, Size: size, Wait: time.Minute, Waiting: func(int) {}, Idle: func() {}})
	t.Cleanup(l.Close)
	return l
}

// mustEnter admits a request of a new caller.
func mustEnter(t *testing.T, l *Pool) *Ticket {
	t.Helper()
	var caller [16]byte
	_, _ = rand.Read(caller[:])
	return mustEnterAs(t, l, caller)
}

func mustEnterAs(t *testing.T, l *Pool, caller [16]byte) *Ticket {
	t.Helper()
	k, err := l.Enter(caller)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// occupy keeps every worker at work until release is closed.
func occupy(l *Pool, release <-chan struct{}) {
	var at sync.WaitGroup
	at.Add(l.Size)
	for range l.Size {
		go (&Ticket{pool: l, turn: math.Inf(-1)}).Next(context.Background(), func(*argon2.Matrix) { at.Done(); <-release })
	}
	at.Wait()
}

func overloaded(err error) bool {
	var refusal *domain.Error
	return errors.As(err, &refusal) && refusal.Code == domain.CodeOverloaded
}

// until waits for what another goroutine is about to do.
func until(is func() bool) {
	for !is() {
		runtime.Gosched()
	}
}

// queued waits until n jobs are in the queue.
func queued(l *Pool, n int) {
	until(func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return len(l.queue) == n
	})
}

func TestWorkIsDoneInTheOrderOfTickets(t *testing.T) {
	l := testPool(t, 1, 10)
	release := make(chan struct{})
	occupy(l, release)
	early, late := mustEnter(t, l), mustEnter(t, l)
	var order []string
	var all sync.WaitGroup
	for i, piece := range []struct {
		name string
		of   *Ticket
	}{{"late", late}, {"early", early}, {"early again", early}} {
		all.Go(func() {
			if err := piece.of.Next(context.Background(), func(*argon2.Matrix) { order = append(order, piece.name) }); err != nil {
				t.Error(err)
			}
		})
		queued(l, i+1)
	}
	close(release)
	all.Wait()
	if slices.Index(order, "late") != 2 {
		t.Errorf("the order was %q: both pieces of the earlier ticket should have been done first", order)
	}
}

func TestNoMoreWorkRunsAtOnceThanThereAreWorkers(t *testing.T) {
	l := testPool(t, 3, 100)
	var mu sync.Mutex
	var running, most int
	matrices := map[*argon2.Matrix]bool{}
	var all sync.WaitGroup
	for range 100 {
		k := mustEnter(t, l)
		all.Go(func() {
			defer k.Leave()
			err := k.First(context.Background(), func(m *argon2.Matrix) {
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
		t.Errorf("%d pieces of work ran at once, on %d matrices; there are 3 workers", most, len(matrices))
	}
	if len(l.inside) != 0 || len(l.queue) != 0 {
		t.Errorf("%d are inside and %d wait after all have left", len(l.inside), len(l.queue))
	}
}

func TestWorkOfAClientThatWaitsTooLongOrHangsUpNeverRuns(t *testing.T) {
	l := testPool(t, 1, 10)
	release := make(chan struct{})
	occupy(l, release)
	never := func(*argon2.Matrix) { t.Error("refused work was done") }
	gone, hangUp := context.WithCancel(context.Background())
	hangUp()
	k := mustEnter(t, l)
	if err := k.First(gone, never); !errors.Is(err, context.Canceled) {
		t.Errorf("a first piece whose client is gone: %v", err)
	}
	if err := k.Next(gone, never); !overloaded(err) {
		t.Errorf("a next piece whose deadline has passed: %v", err)
	}
	l.Wait = time.Nanosecond
	if err := k.First(context.Background(), never); !overloaded(err) {
		t.Errorf("a first piece that waited too long: %v", err)
	}
	queued(l, 0)
	close(release)
	done := false
	if err := k.Next(context.Background(), func(*argon2.Matrix) { done = true }); err != nil || !done {
		t.Errorf("the worker is not free again: %v", err)
	}
}

func TestAPanicInAWorkerReachesItsRequest(t *testing.T) {
	l := testPool(t, 1, 10)
	k := mustEnter(t, l)
	func() {
		defer func() {
			v := recover()
			kind, where := stack.Of(v)
			if kind != "string" || !strings.Contains(where, "workpool.fault ") {
				t.Errorf("the request's goroutine recovered a %s of\n%s", kind, where)
			}
			if text := fmt.Sprint(v, where); strings.Contains(text, "canary") || !strings.Contains(text, "workpool.fault ") {
				t.Errorf("an uncaught panic would print\n%s", text)
			}
		}()
		_ = k.First(context.Background(), fault)
	}()
	if err := k.Next(context.Background(), func(*argon2.Matrix) {}); err != nil {
		t.Errorf("the worker is lost: %v", err)
	}
}

//go:noinline
func fault(*argon2.Matrix) { panic("a canary value") }

// A hash leaves blocks that depend on its secret. The next hash overwrites them,
// so they are wiped only when none waits.
func TestAWorkerWipesItsMatrixWhenNoWorkWaits(t *testing.T) {
	l := testPool(t, 1, 10)
	release := make(chan struct{})
	occupy(l, release)
	hash := func(m *argon2.Matrix) { m.IDKey([]byte("4711"), []byte("0123456789abcdef"), 1, 64, 1, 32) }
	var matrix *argon2.Matrix
	wiped := []bool{}
	var done sync.WaitGroup
	for range 3 {
		k := mustEnter(t, l)
		done.Go(func() {
			defer k.Leave()
			if err := k.Next(t.Context(), func(m *argon2.Matrix) {
				matrix, wiped = m, append(wiped, m.Wiped())
				hash(m)
			}); err != nil {
				t.Error(err)
			}
		})
	}
	queued(l, 3)
	close(release)
	done.Wait()
	if want := []bool{true, false, false}; !slices.Equal(wiped, want) {
		t.Errorf("wiped before each of three hashes that waited: %v, want %v", wiped, want)
	}
	until(func() bool { return l.State().Busy == 0 })
	if !matrix.Wiped() {
		t.Error("the worker has no work, and has not wiped its matrix")
	}
}

// Work that does not hash overwrites nothing, so a queue of it must not keep the blocks.
func TestAWorkerWipesItsMatrixBesideOtherWork(t *testing.T) {
	l := testPool(t, 1, 20)
	release := make(chan struct{})
	occupy(l, release)
	wiped := []bool{}
	var done sync.WaitGroup
	for n := range 7 {
		k := mustEnter(t, l)
		done.Go(func() {
			defer k.Leave()
			if err := k.Next(t.Context(), func(m *argon2.Matrix) {
				wiped = append(wiped, m.Wiped())
				if n == 0 {
					m.IDKey([]byte("4711"), []byte("0123456789abcdef"), 1, 64, 1, 32)
				}
			}); err != nil {
				t.Error(err)
			}
		})
		queued(l, n+1)
	}
	close(release)
	done.Wait()
	if want := []bool{true, false, false, false, false, true, true}; !slices.Equal(wiped, want) {
		t.Errorf("wiped before a hash and each of six other pieces of work: %v, want %v", wiped, want)
	}
}

func TestIdleWorkersRestAndReportItOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var rested atomic.Int64
		l := New(Config{MaxWaiting: 10, Size: 2, Wait: time.Minute, Waiting: func(int) {}, Idle: func() { rested.Add(1) }})
		for round := range 2 {
			for range 2 {
				if err := (&Ticket{pool: l}).Next(t.Context(), func(*argon2.Matrix) {}); err != nil {
					t.Fatal(err)
				}
				synctest.Wait() // until the worker is free again: the next piece needs no second one
			}
			time.Sleep(restAfter - time.Second)
			synctest.Wait()
			if l.AtRest() {
				t.Fatal("a worker ended too early")
			}
			time.Sleep(2 * time.Second)
			synctest.Wait()
			if n := rested.Load(); !l.AtRest() || n != int64(round+1) {
				t.Errorf("at rest: %v; told of it %d times", l.AtRest(), n)
			}
		}
	})
}

// admit admits requests of a caller, up to a number.
func admit(l *Pool, caller byte, most int) (admitted []*Ticket) {
	for range most {
		k, err := l.Enter([16]byte{caller})
		if err != nil {
			break
		}
		admitted = append(admitted, k)
	}
	return admitted
}

func TestOneCallerNeverFillsThePool(t *testing.T) {
	l := testPool(t, 1, 100)
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
	if _, err := l.Enter([16]byte{99}); !overloaded(err) {
		t.Errorf("a request past the bound: %v", err)
	}
	for _, k := range greedy {
		k.Leave()
	}
	if len(l.inside) != 0 || len(l.turns.shares) != 0 || l.turns.takers != 0 {
		t.Errorf("after all have left: %d inside, %d shares, %d takers", len(l.inside), len(l.turns.shares), l.turns.takers)
	}
}

// doneInOrder lets one worker do one piece of work for each ticket, and returns the
// tickets in the order in which that was done.
func doneInOrder(t *testing.T, l *Pool, tickets []*Ticket) (order []*Ticket) {
	t.Helper()
	release := make(chan struct{})
	occupy(l, release)
	var all sync.WaitGroup
	for i, k := range tickets {
		all.Go(func() {
			if err := k.Next(context.Background(), func(*argon2.Matrix) { order = append(order, k) }); err != nil {
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
	l := testPool(t, 1, 100)
	enter := func(caller byte) *Ticket {
		k := mustEnterAs(t, l, [16]byte{caller})
		k.Identify(k.by.caller)
		return k
	}
	var greedy []*Ticket
	for range 20 {
		greedy = append(greedy, enter(1))
	}
	for range 5 { // five of them are done
		greedy[0].Leave()
		greedy = greedy[1:]
	}
	alice, bob := enter(2), enter(3) // come after all of these
	second := enter(2)
	late := enter(1)
	order := doneInOrder(t, l, append([]*Ticket{late, second, bob, alice}, greedy...))
	for who, want := range map[*Ticket]int{greedy[0]: 0, alice: 1, bob: 2, greedy[1]: 3, second: 4, late: 18} {
		if got := slices.Index(order, who); got != want {
			t.Errorf("request %d of caller %d was done as number %d, want %d", who.number, who.of.caller[0], got, want)
		}
	}
}

// A request that has reserved an attempt must have its verdict before the attempt's
// lease ends, even if others keep coming.
func TestNewcomersGoBehindEarlierRequestsAndNoRequestStarves(t *testing.T) {
	l := testPool(t, 1, 100)
	enter := func(caller byte) *Ticket {
		k := mustEnterAs(t, l, [16]byte{caller})
		k.Identify(k.by.caller)
		return k
	}
	reserved, second := enter(1), enter(1)
	behind := 0
	for caller := byte(2); ; caller++ {
		newcomer := enter(caller)
		before := func(other *Ticket) bool { return queue{{ticket: newcomer}, {ticket: other}}.Less(0, 1) }
		if before(reserved) {
			t.Fatal("a newcomer goes before an earlier request of the same turn")
		}
		if !before(second) {
			break
		}
		newcomer.Leave()
		if behind++; behind > 100 {
			t.Fatal("newcomers always go before a second request")
		}
	}
	if behind == 0 {
		t.Error("the second request of a caller goes before the first of another")
	}
}
