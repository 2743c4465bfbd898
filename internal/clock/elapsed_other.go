//go:build !linux

package clock

import "time"

// Elapsed is the time since the process was started. On some systems it stands
// still while the machine is suspended: waking up is a step then.
func Elapsed() time.Duration { return time.Since(started) }
