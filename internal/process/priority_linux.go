package process

import "golang.org/x/sys/unix"

// LowerPriority puts the calling thread behind the others by nice steps, see
// setpriority(2). A kernel or sandbox that refuses costs latency, no more.
func LowerPriority(nice int) {
	_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), nice)
}
