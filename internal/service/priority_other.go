//go:build !linux

package service

// lowerPriority does nothing: only Linux gives a thread a priority of its own.
func lowerPriority(int) {}
