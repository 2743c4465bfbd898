package stack

import (
	"strings"
	"testing"
)

func TestItTellsWhereAPanicWasAndNotWhatItSaid(t *testing.T) {
	var where string
	func() {
		defer func() {
			recover()
			where = Here()
		}()
		fall("canary")
	}()
	if !strings.Contains(where, "stack.fall ") || !strings.Contains(where, "stack_test.go:") {
		t.Errorf("it does not name the function and line that panicked:\n%s", where)
	}
	if strings.Contains(where, "canary") || strings.Contains(where, "0x") {
		t.Errorf("it tells arguments:\n%s", where)
	}
}

//go:noinline
func fall(what string) { panic(what) }
