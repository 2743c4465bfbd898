//go:build !linux

package bench

import "os"

// syncData waits until the disk has what was written to f.
func syncData(f *os.File) error { return f.Sync() }
