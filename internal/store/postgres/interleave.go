package postgres

import (
	"iter"

	"strongroom/internal/stack"
)

// mostInterleaved bounds the coroutines of one Interleave, each of which has a stack.
const mostInterleaved = 256

// step is a function that Interleave runs as a coroutine. Only one step runs at a time, so
// steps need no lock.
type step struct {
	next func() ([]*request, bool) // runs it until it sends; false: it has returned
	stop func()
	err  error
}

// Interleave runs each step until it sends statements, and sends those of all steps in
// one round trip. They share its time limit. More than mostInterleaved steps run in groups.
func (t *tx) Interleave(steps ...func() error) error {
	for len(steps) > mostInterleaved {
		t.final = false
		if err := t.interleave(steps[:mostInterleaved]); err != nil {
			return err
		}
		steps = steps[mostInterleaved:]
	}
	if len(steps) == 1 {
		return steps[0]()
	}
	return t.interleave(steps)
}

func (t *tx) interleave(functions []func() error) error {
	running := make([]*step, len(functions))
	for i, do := range functions {
		running[i] = t.step(do)
	}
	outer, final, ends := t.yield, t.final, t.stopping
	defer func(all []*step) {
		t.stopping = true
		for _, s := range all {
			s.stop()
		}
		t.yield, t.final, t.stopping = outer, false, ends
	}(running)
	for {
		requests, still, last, err := t.advance(running, final)
		if err != nil || len(still) == 0 {
			return err
		}
		t.yield, t.final = outer, last
		if err := t.send(requests...); err != nil {
			return err
		}
		running, final = still, false
	}
}

// advance runs each step until it sends, or to its end. It returns what they send, the
// steps that have not returned, and whether each of them is at its final read. final says
// that the next read of each is its final one.
func (t *tx) advance(running []*step, final bool) (requests []*request, still []*step, last bool, err error) {
	last = true
	for _, s := range running {
		t.final = final
		more, runs := s.next()
		switch {
		case runs:
			requests, still, last = append(requests, more...), append(still, s), last && t.final
		case s.err != nil:
			return nil, nil, false, s.err
		}
	}
	return requests, still, last, nil
}

func (t *tx) step(do func() error) *step {
	s := &step{}
	s.next, s.stop = iter.Pull(func(yield func([]*request) bool) {
		defer stack.Move()
		t.yield = yield
		s.err = do()
	})
	return s
}

// sendWithOthers sends the statements of a step. The step that runs next sets yield to
// its own.
func (t *tx) sendWithOthers(requests []*request) error {
	yield := t.yield
	sent := yield(requests)
	t.yield = yield
	if !sent {
		return errTxDone // another step failed
	}
	return t.err
}
