// Package stack says where a panic happened, in words that may be logged.
//
// The threat: debug.Stack prints the arguments of each call, and a panic's own
// value can quote what it choked on. A log is read by more people than a
// secret should be.
package stack

import (
	"fmt"
	"runtime"
	"strings"
)

// maxDepth bounds the lines; the innermost come first.
const maxDepth = 64

// Here is the functions and lines of the calling goroutine, one to a line,
// from the caller of Here outwards, without their arguments. Called in a
// deferred function that recovers, it tells where the panic was.
func Here() string {
	var pcs [maxDepth]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	var b strings.Builder
	for {
		frame, more := frames.Next()
		fmt.Fprintf(&b, "%s %s:%d\n", frame.Function, frame.File, frame.Line)
		if !more {
			return b.String()
		}
	}
}
