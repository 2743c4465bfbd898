//go:build !linux

package service

import "time"

// elapsed is the time since the process was started. On some systems it stands
// still while the machine is suspended: waking up is a step then.
func elapsed() time.Duration { return time.Since(started) }
