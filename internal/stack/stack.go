// Package stack says where a panic happened, in a form that may be logged.
//
// The threat: debug.Stack prints the arguments of each call, and the value of a panic
// can quote its input. Both can contain secrets, and many people can read logs.
package stack

import (
	"fmt"
	"runtime"
	"strings"
)

// maxDepth bounds the number of frames. The innermost come first.
const maxDepth = 64

// Here returns the stack of the calling goroutine from the caller of Here outwards: one
// function with its file and line number per line, without arguments. Called in a
// deferred function that recovers, it shows where the panic was.
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

// above returns the stack of the calling goroutine without its skip innermost frames (see
// [runtime.Callers]).
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
