package process

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Harden protects secrets in memory from core dumps and from debuggers of the same user.
// It returns what the kernel refused. That need not stop the start.
func Harden() []error {
	var failed []error
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		failed = append(failed, fmt.Errorf("making the process non-dumpable: %w", err))
	}
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		failed = append(failed, fmt.Errorf("disabling core dumps: %w", err))
	}
	return failed
}
