//go:build unix

package process

import (
	"math"

	"golang.org/x/sys/unix"
)

// MaxFiles returns how many files, sockets among them, this process may have open at a
// time. The Go runtime raises the limit at the start of the process as far as it may.
func MaxFiles() int {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return math.MaxInt32
	}
	return int(min(limit.Cur, math.MaxInt32))
}
