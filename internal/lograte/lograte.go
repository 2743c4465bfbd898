// Package lograte limits how many log lines of one kind are written.
//
// The threat is a client that causes a log line with each request, often without
// authentication. Its lines would fill the disk, bury other lines, and cost more
// than the requests themselves.
package lograte

import (
	"sync"
	"time"
)

// PerSecond is how many lines of one kind are written in a second.
const PerSecond = 10

// Limit limits the lines of one kind. Its zero value is ready to use. It is safe
// for concurrent use.
type Limit struct {
	mu      sync.Mutex
	second  int64 // the Unix time that written counts for
	written int
	omitted int // since the last written line
}

// Next reports whether a line may be written at now, and how many lines were
// omitted since the last one. The caller should log that number.
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
