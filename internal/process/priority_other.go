//go:build !linux

package process

// LowerPriority does nothing: only on Linux can setpriority(2) change one thread.
func LowerPriority(int) {}
