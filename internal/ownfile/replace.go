package ownfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Draft is what [Replace] appends to a path for the name of its draft.
const Draft = ".new"

// Replace replaces a file durably: after a power cut the path has the complete old
// file or the complete new one. Replace writes the draft path.new first, and
// removes a draft that a crash left behind. The new file gets the mode and owner of
// like, or mode 0600 if like is nil.
func Replace(path string, text []byte, like fs.FileInfo) error {
	draft := path + Draft
	_ = os.Remove(draft)
	f, err := os.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // next to the file that the operator names
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil && like != nil {
		err = bequeath(f, like)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(draft, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(draft))
	}
	return SyncDir(filepath.Dir(path))
}

// bequeath gives f the owner, group and mode of the old file. If root runs the
// command, the service must still be able to read the new file, and no other group.
func bequeath(f *os.File, before fs.FileInfo) error {
	made, err := f.Stat()
	if err != nil {
		return err
	}
	old, okOld := before.Sys().(*syscall.Stat_t)
	now, okNow := made.Sys().(*syscall.Stat_t)
	if okOld && okNow && (old.Uid != now.Uid || old.Gid != now.Gid) {
		if err := f.Chown(int(old.Uid), int(old.Gid)); err != nil {
			return err
		}
	}
	return f.Chmod(before.Mode().Perm())
}

// SyncDir makes the names of new and renamed files in a directory durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir) //nolint:gosec // the operator names the file
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// CheckWritable writes a file into a directory and removes it, and fails if
// that is not possible.
func CheckWritable(dir string) error {
	f, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		if path, ok := errors.AsType[*os.PathError](err); ok {
			err = &os.PathError{Op: "write to", Path: dir, Err: path.Err} // without the name of the probe
		}
		return err
	}
	_, err = f.Write([]byte{0})
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}
