package bench

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncData waits until the disk has what was written to f.
func syncData(f *os.File) error {
	return unix.Fdatasync(int(f.Fd()))
}
