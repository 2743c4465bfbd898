package process

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Harden keeps secrets in memory out of reach of a core dump and of
// another process of the same user with a debugger. A kernel that refuses does
// not stop the start.
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
