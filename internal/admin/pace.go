package admin

import (
	"context"
	"time"

	"strongroom/internal/domain"
)

// pace allows one read at a time and pauses after each. So an operator who lists
// a million devices, or twenty who list at once, take little capacity from
// callers who verify a PIN. Only the next read waits for the pause, not the
// answer. It holds an element from the start of a read to the end of its pause.
type pace chan struct{}

const (
	restTimes = 9                     // as long as the read took
	restMost  = 50 * time.Millisecond // at most, for those who read page after page
)

// read waits for its turn and runs fn, unless the client goes away first.
func (p pace) read(ctx context.Context, fn func() (any, error)) (any, error) {
	select {
	case p <- struct{}{}:
	case <-ctx.Done():
		return nil, domain.Overloaded() // the client disconnected
	}
	start := time.Now()
	defer func() {
		time.AfterFunc(min(restTimes*time.Since(start), restMost), func() { <-p })
	}()
	return fn()
}
