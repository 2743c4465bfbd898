package sqlite

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"
)

// prepareFile creates the database file if it is missing, and returns its path
// without symbolic links: SQLite puts the WAL beside the real file. A file with
// several hard links is refused. Opened by another one, it would get a second WAL:
// each process would write pages that the other does not know.
func prepareFile(path string, mustExist bool) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("opening database %s: %v", path, err)
	}
	_, err = os.Stat(abs)
	if errors.Is(err, fs.ErrNotExist) {
		if mustExist {
			return "", fmt.Errorf("there is no database %s: check the path (--config or STRONGROOM_CONFIG gives a command the settings of the service), or start the service once to create it", path)
		}
		err = createFile(abs)
	}
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return "", fileError(path, err)
	}
	info, err := os.Stat(abs)
	if err != nil || !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a regular file", path)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Nlink > 1 {
		return "", fmt.Errorf("database %s: the file has %d hard links, and a process that opens another one would damage it: "+
			"remove the others, or use a copy made while nothing runs on it; to find them: find DIRECTORY -samefile %s "+
			"(a killed restore can leave one in a directory .strongroom-backup-*)", path, stat.Nlink, abs)
	}
	return abs, nil
}

// createFile makes an empty file that only its owner can read. SQLite gives the
// WAL and its index the same mode. The mode is set again because a umask may have
// removed too much.
//
// O_EXCL is also needed for another reason: opening and closing a file that
// SQLite has open in this process would drop SQLite's locks on it.
func createFile(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600) //nolint:gosec // G304: the operator names the file
	if errors.Is(err, fs.ErrExist) {
		return nil // another process was faster
	}
	if err != nil {
		return err
	}
	err = f.Chmod(0o600)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// fileError explains to the operator why the file cannot be created or found.
func fileError(path string, err error) error {
	dir := filepath.Dir(path)
	switch info, statErr := os.Stat(dir); {
	case errors.Is(statErr, fs.ErrNotExist):
		return fmt.Errorf("directory %s does not exist: create it, owned by the user that runs strongroom", dir)
	case statErr == nil && !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("directory %s is not writable: give it to the user that runs strongroom", dir)
	}
	return fmt.Errorf("opening database %s: %v", path, errors.Unwrap(err))
}

// files are the three files of an open database, as they were when they were
// opened: the database, its WAL, and the index of the WAL.
type files struct {
	path   string // absolute, without symbolic links
	opened []os.FileInfo
	sound  atomic.Int64 // when check last found them in place, in ns after began; 0: it did not
}

// began is the time from which sound is counted.
var began = time.Now()

var suffixes = []string{"", "-wal", "-shm"}

// remember notes which files are open. They stay the same while at least one
// connection is open: the last one to close removes the WAL.
func (f *files) remember() error {
	var opened []os.FileInfo
	for _, suffix := range suffixes {
		info, err := os.Stat(f.path + suffix)
		if err != nil {
			return fmt.Errorf("looking at the database's files: %v", errors.Unwrap(err))
		}
		opened = append(opened, info)
	}
	f.opened = opened
	return nil
}

// check refuses a database if one of its files was deleted, moved or replaced.
// SQLite would go on writing to the old file, which nobody will read again: every
// further commit would be acknowledged and lost.
func (f *files) check() error {
	for i, was := range f.opened {
		is, err := os.Stat(f.path + suffixes[i])
		if err != nil || !os.SameFile(is, was) {
			f.sound.Store(0)
			return &fault{text: "a file of the database (it, -wal or -shm) was removed or replaced while it was open: put it back or restart", seen: true}
		}
	}
	f.sound.Store(int64(time.Since(began)))
	return nil
}

// haveRoom reports whether the disk has room for 1 MiB, which is enough for about 60 verifies.
// After a commit failed for lack of space, a smaller one can still succeed. Then an attempt
// could be reserved, but its outcome could not be written.
func (f *files) haveRoom() bool {
	path := f.path + "-room"
	_ = os.Remove(path) // left by a crash
	// O_EXCL, so that nobody has the bytes written elsewhere.
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // G304: beside the database
	if err == nil {
		data := make([]byte, 1<<20)
		_, _ = rand.Read(data) // zeros could take no space
		_, err = file.Write(data)
		err = errors.Join(err, file.Close(), os.Remove(path))
	}
	// Another error says nothing about the room.
	return !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT)
}

// soundFor is how long reads rely on the last check. Until the next one, reads
// of a lost file return its old content.
const soundFor = 10 * time.Millisecond

// checkLately is check for reads. A check for each read would be a third of its
// time.
func (f *files) checkLately() error {
	if at := f.sound.Load(); at > 0 && time.Since(began)-time.Duration(at) < soundFor {
		return nil
	}
	return f.check()
}

// lossOr returns the loss of a file if that caused err, or else err.
func (f *files) lossOr(err error) error {
	if isContext(err) || errors.Is(err, errClosed) {
		return err
	}
	return cmp.Or(f.check(), err)
}
