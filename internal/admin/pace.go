package admin

import (
	"context"
	"time"

	"strongroom/internal/domain"
)

// pace lets one read happen at a time and rests after each, so that whoever
// looks through a million devices without pause, or twenty at once, takes little
// from those who verify a PIN meanwhile. An answer does not wait for the rest,
// only the next read does. It holds an element from the begin of a read to the
// end of its rest.
type pace chan struct{}

const (
	restTimes = 9 // as long as the read took: a tenth of a processor at most
	restMost  = 50 * time.Millisecond
)

// read waits for its turn and runs fn, unless the client goes away first.
func (p pace) read(ctx context.Context, fn func() (any, error)) (any, error) {
	select {
	case p <- struct{}{}:
	case <-ctx.Done():
		return nil, domain.Overloaded() // which nobody reads
	}
	start := time.Now()
	defer func() {
		time.AfterFunc(min(restTimes*time.Since(start), restMost), func() { <-p })
	}()
	return fn()
}
