// Package loglines bounds how many lines of one kind a log gets.
//
// The threat is whoever can bring a line about as often as he likes: without
// authentication, that is anybody. His lines would fill the disk, bury the
// others, and cost more than the requests that they tell of.
package loglines

import (
	"sync"
	"time"
)

// PerSecond is how many lines of a kind are written in a second.
const PerSecond = 10

// Limit lets some lines of a kind through each second. Its zero value is ready
// to use. It is safe for concurrent use.
type Limit struct {
	mu      sync.Mutex
	second  int64 // the Unix time that written is about
	written int
	omitted int // since the last line that was written
}

// Next says whether a line may be written at now, and how many were omitted
// since the one before: the line that is written tells of them.
func (l *Limit) Next(now time.Time) (write bool, omitted int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if second := now.Unix(); second != l.second {
		l.second, l.written = second, 0
	}
	if l.written == PerSecond {
		l.omitted++
		return false, 0
	}
	l.written++
	omitted, l.omitted = l.omitted, 0
	return true, omitted
}
