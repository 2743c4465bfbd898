package admin

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/process"
	"strongroom/internal/stack"
)

// pace allows one read at a time, with the priority of the threads that verify, and adds
// a pause for each read. So an operator who lists a million devices, or 20 who list at
// the same time, take little capacity from callers that verify a PIN. The first reads
// after a quiet time do not wait, so a person who looks up something notices no pause. It
// is safe for concurrent use.
//
// This side has few connections, and those of reads that wait are not closed. So few
// reads may wait: otherwise a viewer could keep operators from revoking a key.
type pace struct {
	turn   chan struct{} // holds an element while a read runs or waits for its pause
	rested time.Time     // when the pauses for all reads so far are over; only the read that has the turn changes it

	mu  sync.Mutex
	all int            // reads that run or wait
	of  map[string]int // those of each operator
}

const (
	restTimes = 19                     // as long as the read took
	restMost  = 200 * time.Millisecond // for one read
	restLater = 2 * time.Second        // of pauses for which reads do not wait

	maxReads           = 32 // that run or wait: half of the connections of this side
	maxReadsOfOperator = 8  // of these: enough for a token that several people and scripts share

	// readNice is the nice value of the threads that verify. With a higher priority, a read
	// of 50 ms would stop one of them for 50 ms. With a lower priority, the garbage
	// collection would wait for the read.
	readNice = 5
)

func newPace() *pace { return &pace{turn: make(chan struct{}, 1), of: map[string]int{}} }

// enter counts a read of an operator until leave is called, or refuses it.
func (p *pace) enter(operator string) (leave func(), refusal *domain.Error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.of[operator] >= maxReadsOfOperator:
		return nil, domain.TooManyRequests(domain.ReasonReadsInProgress, fmt.Sprintf("%d other reads of this operator are already in progress. "+
			"Repeat this one when they are answered.", maxReadsOfOperator), time.Second)
	case p.all >= maxReads:
		return nil, domain.Overloaded()
	}
	p.all++
	p.of[operator]++
	return func() { p.leave(operator) }, nil
}

func (p *pace) leave(operator string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all--
	if p.of[operator]--; p.of[operator] == 0 {
		delete(p.of, operator)
	}
}

// read waits for its turn and runs fn, unless the client disconnects first.
func (p *pace) read(ctx context.Context, fn func() (any, error)) (any, error) {
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, domain.Overloaded() // the client disconnected
	}
	defer func() { <-p.turn }()
	select {
	case <-time.After(time.Until(p.rested.Add(-restLater))):
	case <-ctx.Done():
		return nil, domain.Overloaded()
	}
	start := time.Now()
	defer func() {
		now := time.Now()
		if p.rested.Before(now) {
			p.rested = now
		}
		p.rested = p.rested.Add(min(restTimes*now.Sub(start), restMost))
	}()
	return beside(fn)
}

// beside runs fn on a thread of its own, with the priority of the threads that verify.
func beside(fn func() (any, error)) (answer any, err error) {
	done := make(chan any)
	go func() {
		defer func() { done <- recover() }()
		defer stack.Move()
		runtime.LockOSThread() // never unlocked: the thread ends with the read
		process.LowerPriority(readNice)
		answer, err = fn()
	}()
	if panicked := <-done; panicked != nil {
		panic(panicked)
	}
	return answer, err
}
