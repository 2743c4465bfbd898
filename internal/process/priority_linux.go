package process

import "golang.org/x/sys/unix"

// LowerPriority sets the nice value of the calling thread, see setpriority(2). If the
// kernel or a sandbox refuses, only latency suffers.
func LowerPriority(nice int) {
	_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), nice)
}
