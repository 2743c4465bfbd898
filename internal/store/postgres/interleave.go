package postgres

import "iter"

// step is a function that Interleave runs as a coroutine. It is never run at the same
// time as another one, so they need no lock.
type step struct {
	next func() ([]*request, bool) // runs it until it sends; false: it has returned
	stop func()
	err  error
}

// Interleave runs each step until it sends statements, and sends those of all steps in
// one round trip.
func (t *tx) Interleave(steps ...func() error) error {
	if len(steps) == 1 {
		return steps[0]()
	}
	outer, final := t.yield, t.final
	defer func() { t.yield = outer }()
	running := make([]*step, len(steps))
	for i, do := range steps {
		running[i] = t.step(do)
		defer running[i].stop()
	}
	for {
		var requests []*request
		var still []*step
		ends := true
		for _, s := range running {
			t.final = final // what was said before is of all steps
			more, runs := s.next()
			switch {
			case runs:
				requests, still, ends = append(requests, more...), append(still, s), ends && t.final
			case s.err != nil:
				t.final = false
				return s.err
			}
		}
		final, t.final, t.yield, running = false, ends, outer, still
		if len(still) == 0 {
			t.final = false
			return nil
		}
		if err := t.send(requests...); err != nil {
			return err
		}
	}
}

func (t *tx) step(do func() error) *step {
	s := &step{}
	s.next, s.stop = iter.Pull(func(yield func([]*request) bool) {
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
