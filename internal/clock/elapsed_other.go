//go:build !linux

package clock

import "time"

// Elapsed is the time since the process was started. On some systems it stops
// while the machine is suspended, and then resuming is a step.
func Elapsed() time.Duration { return time.Since(started) }
