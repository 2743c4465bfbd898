package service

import (
	"context"
	"errors"
	"sync"
	"time"

	"strongroom/internal/rollback"
)

// failureEvery is how often the same failure of background work is logged. Some work
// runs several times a second, and an outage would bury everything else in the log.
const failureEvery = 10 * time.Second

// failures are the failures of background work that were logged last, by work. Its
// zero value is ready to use. It is safe for concurrent use.
type failures struct {
	mu   sync.Mutex
	last map[string]failure
}

type failure struct {
	text    string
	at      time.Time
	omitted int // since then
}

// next reports whether a failure is logged now, and how many of the work were omitted
// before it.
func (f *failures) next(work, text string, now time.Time) (write bool, omitted int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	last, known := f.last[work]
	if known && last.text == text && now.Sub(last.at) < failureEvery {
		last.omitted++
		f.last[work] = last
		return false, 0
	}
	if f.last == nil {
		f.last = map[string]failure{}
	}
	f.last[work] = failure{text: text, at: now}
	return true, last.omitted
}

// report logs a failure of background work.
func (s *Service) report(work string, err error) {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, rollback.ErrSeen) {
		return
	}
	if write, omitted := s.failures.next(work, err.Error(), time.Now()); write {
		s.cfg.Log.Error("background work failed", "work", work, "error", err, "omitted", omitted)
	}
}
