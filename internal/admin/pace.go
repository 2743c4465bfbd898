package admin

import (
	"context"
	"runtime"
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
type pace struct {
	turn   chan struct{} // holds an element while a read runs or waits for its pause
	rested time.Time     // when the pauses for all reads so far are over; only the read that has the turn changes it
}

const (
	restTimes = 19                     // as long as the read took
	restMost  = 200 * time.Millisecond // for one read
	restLater = 2 * time.Second        // of pauses for which reads do not wait

	// readNice is the nice value of the threads that verify. With a higher priority, a read
	// of 50 ms would stop one of them for 50 ms. With a lower priority, the garbage
	// collection would wait for the read.
	readNice = 5
)

func newPace() *pace { return &pace{turn: make(chan struct{}, 1)} }

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
