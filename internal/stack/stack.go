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

// moved is the value of a panic that continues in another goroutine, and where it began.
type moved struct {
	value any
	where string
}

// Move is deferred in a coroutine. A panic in a coroutine continues in the goroutine that
// runs it, whose stack does not show where the panic began. Move keeps that place for [Of].
func Move() {
	switch v := recover().(type) {
	case nil:
	case *moved:
		panic(v)
	default:
		panic(&moved{v, above(3)})
	}
}

// Of returns the type of a panic's value, and where the panic began. Call it in the
// deferred function that recovers.
func Of(v any) (kind, where string) {
	if m, ok := v.(*moved); ok {
		return fmt.Sprintf("%T", m.value), m.where
	}
	return fmt.Sprintf("%T", v), above(3)
}

// above is the stack of the calling goroutine without its innermost frames, as many as
// skip says (see [runtime.Callers]).
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
