//go:build !linux

package workpool

// lowerPriority does nothing: only Linux gives a thread a priority of its own.
func lowerPriority(int) {}
