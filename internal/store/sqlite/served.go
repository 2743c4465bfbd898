package sqlite

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// lockServed locks the database file against another server, whatever path or
// data directory that one uses. The lock (flock) is on the file itself, so that
// symbolic and hard links lead to the same lock. It does not affect SQLite, whose
// locks are of another kind, or commands beside the server.
//
// Close the file after SQLite's last connection, because closing it drops
// SQLite's locks on it.
func lockServed(path string) (*os.File, error) {
	f, err := os.Open(path) //nolint:gosec // G304: the operator names the file
	if err != nil {
		return nil, fileError(path, err)
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		return f, nil
	}
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = fmt.Errorf("database %s: another serve runs on it%s; stop that one or choose another with --database", path, holder(f))
	} else {
		err = fmt.Errorf("database %s: locking it: %w", path, err)
	}
	return nil, errors.Join(err, f.Close())
}

// holder names the process that has a lock on f, as the kernel reports it; "" if
// it does not.
func holder(f *os.File) string {
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	locks, err := os.Open("/proc/locks")
	if err != nil || !ok {
		return ""
	}
	defer locks.Close()
	inode := fmt.Sprintf(":%d", stat.Ino)
	for lines := bufio.NewScanner(locks); lines.Scan(); {
		// 1: FLOCK ADVISORY WRITE 4711 08:01:1234567 0 EOF
		is := strings.Fields(lines.Text())
		if len(is) > 5 && is[1] == "FLOCK" && strings.HasSuffix(is[5], inode) && is[4] != "0" && !strings.HasPrefix(is[4], "-") {
			return ", process " + is[4]
		}
	}
	return ""
}
