package stack

import (
	"iter"
	"strings"
	"testing"
)

func TestThePlaceOfAPanicIsNamedAndNotItsValue(t *testing.T) {
	var where string
	func() {
		defer func() { _, where = Of(recover()) }()
		fall("canary")
	}()
	if !strings.Contains(where, "stack.fall ") || !strings.Contains(where, "stack_test.go:") {
		t.Errorf("it does not name the function and line that panicked:\n%s", where)
	}
	if strings.Contains(where, "canary") || strings.Contains(where, "0x") {
		t.Errorf("it shows arguments:\n%s", where)
	}
}

func TestAPanicThatCrossesCoroutinesKeepsItsPlace(t *testing.T) {
	var kind, where string
	func() {
		defer func() { kind, where = Of(recover()) }()
		for range within(func() { // two coroutines deep
			for range within(func() { fall("canary") }) {
			}
		}) {
		}
	}()
	if kind != "string" || !strings.Contains(where, "stack.fall ") || strings.Contains(where, "canary") {
		t.Errorf("a %s at:\n%s", kind, where)
	}
}

// within runs fn in a coroutine.
func within(fn func()) iter.Seq[int] {
	return func(func(int) bool) {
		next, stop := iter.Pull(func(func(int) bool) {
			defer Move()
			fn()
		})
		defer stop()
		next()
	}
}

//go:noinline
func fall(what string) { panic(what) }
