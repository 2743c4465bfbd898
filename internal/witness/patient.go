package witness

import (
	"context"
	"fmt"

	"strongroom/internal/witness/place"
)

// patient is a place whose calls end when their context is done. A file system can hang
// in a way that nothing interrupts. Then one goroutine is left until it answers, and other
// calls wait for it.
type patient struct {
	Place
	turn chan struct{} // held by the one call that uses Place
}

// Read implements [Place].
func (p patient) Read(ctx context.Context, k place.Key) (text []byte, version string, err error) {
	is := p.call(ctx, func() (is answer) {
		is.text, is.version, is.err = p.Place.Read(ctx, k)
		return is
	})
	return is.text, is.version, is.err
}

// Write implements [Place].
func (p patient) Write(ctx context.Context, k place.Key, text []byte, version string) error {
	return p.call(ctx, func() answer { return answer{err: p.Place.Write(ctx, k, text, version)} }).err
}

type answer struct {
	text    []byte
	version string
	err     error
}

func (p patient) call(ctx context.Context, do func() answer) answer {
	hangs := func() answer {
		return answer{err: &place.AwayError{Err: fmt.Errorf("%s did not answer in time: %w", p.Place, ctx.Err())}}
	}
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return hangs()
	}
	done := make(chan answer, 1)
	go func() {
		defer func() { <-p.turn }()
		done <- do()
	}()
	select {
	case is := <-done:
		return is
	case <-ctx.Done():
	}
	select {
	case is := <-done: // an answer says more
		return is
	default:
		return hangs()
	}
}
