// Package stack says where a panic happened, in a form that may be logged.
//
// The threat: debug.Stack prints the arguments of each call, and the value of a panic
// can quote its input. Both can contain secrets, and many people can read logs.
package stack

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

// maxDepth bounds the number of frames. The innermost come first.
const maxDepth = 64

// moved is the value of a panic that continues in another goroutine, and where it began.
// It is an error, because singleflight wraps a value and shows only errors.
type moved struct {
	value any
	where string
}

// Error is what the runtime prints if nothing recovers the panic.
func (m *moved) Error() string { return fmt.Sprintf("a value of type %T at\n%s", m.value, m.where) }

// Moved returns the value with which a panic continues in another goroutine, whose stack
// does not show where the panic began. It keeps that place for [Of]. Call it in the
// deferred function that recovers.
func Moved(v any) any {
	if v == nil || begin(v) != nil {
		return v
	}
	return &moved{v, above(3)}
}

// Move is deferred in a coroutine, whose panics continue in the goroutine that runs it. It
// keeps the place as [Moved] does.
func Move() {
	if v := Moved(recover()); v != nil {
		panic(v)
	}
}

// Of returns the type of a panic's value, and where the panic began. Call it in the
// deferred function that recovers.
func Of(v any) (kind, where string) {
	if m := begin(v); m != nil {
		return fmt.Sprintf("%T", m.value), m.where
	}
	return fmt.Sprintf("%T", v), above(3)
}

// begin returns what [Moved] kept of a panic, or nil.
func begin(v any) *moved {
	err, _ := v.(error)
	m, _ := errors.AsType[*moved](err)
	return m
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
