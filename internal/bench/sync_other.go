//go:build !linux

package bench

import "os"

// syncData waits until what was written to f is durable on disk.
func syncData(f *os.File) error { return f.Sync() }
