package bench

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncData waits until what was written to f is durable on disk.
func syncData(f *os.File) error {
	return unix.Fdatasync(int(f.Fd()))
}
