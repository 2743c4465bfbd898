package clock

import (
	"time"

	"golang.org/x/sys/unix"
)

// Elapsed is the time since the machine was booted. Unlike Go's monotonic clock it
// continues while the machine is suspended, so that resuming is not a step.
func Elapsed() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &t); err != nil {
		return time.Since(started)
	}
	return time.Duration(t.Nano())
}
