//go:build !linux

package process

// LowerPriority does nothing: only Linux gives a thread a priority of its own.
func LowerPriority(int) {}
