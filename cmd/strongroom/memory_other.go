//go:build !linux

package main

import "runtime/debug"

// giveMemoryBack gives back to the system what an idle service does not need.
func giveMemoryBack() { debug.FreeOSMemory() }
