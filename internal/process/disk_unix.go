//go:build unix

package process

import "golang.org/x/sys/unix"

// Disk returns the free space for this process and the size of the file system that a
// path is on, in bytes.
func Disk(path string) (free, size uint64, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return 0, 0, err
	}
	block := uint64(s.Bsize) //nolint:gosec // of another type on other systems, never negative
	return s.Bavail * block, s.Blocks * block, nil
}
