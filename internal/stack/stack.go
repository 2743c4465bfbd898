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
func Here() string { return above(3) }

// moved is the value of a panic that goes on in another goroutine, and where it was.
type moved struct {
	value any
	where string
}

// Move is deferred in a coroutine. A panic there goes on in the goroutine that runs the
// coroutine, and would lose its place: Move keeps it for [Of].
func Move() {
	switch v := recover().(type) {
	case nil:
	case *moved:
		panic(v)
	default:
		panic(&moved{v, above(3)})
	}
}

// Of is the type of a panic's value, and where the panic was, if it is called like
// [Here].
func Of(v any) (kind, where string) {
	if m, ok := v.(*moved); ok {
		return fmt.Sprintf("%T", m.value), m.where
	}
	return fmt.Sprintf("%T", v), above(3)
}

// above is the stack of the caller, without so many functions at its top.
func above(skip int) string {
	var pcs [maxDepth]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(skip, pcs[:])])
	var b strings.Builder
	for {
		frame, more := frames.Next()
		fmt.Fprintf(&b, "%s %s:%d\n", frame.Function, frame.File, frame.Line)
		if !more {
			return b.String()
		}
	}
}
