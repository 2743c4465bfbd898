// Package ownfile opens the files that this process trusts, such as keys,
// tokens, secrets and settings, and replaces them. Only this package decides
// whether another user of the machine could have changed or read such a file.
//
// The threat: a service that reads a key, a token or its settings from a file
// does what the file says. Anyone who can change or replace the file controls the
// service, and is root if the service runs as root.
//
// The rule for all files is the same as for PostgreSQL's ssl_key_file. Root or the
// user of this process must own the file. No other user may read a secret. If root
// owns a secret and the service runs as another user, its group may read it, as when
// Kubernetes mounts it for a pod with an fsGroup. If this process runs as root,
// every directory of the path is checked too.
package ownfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
)

// OpenSecret opens a file that only this process and root may read. It follows
// symbolic links and checks the file that it opened. Errors name the file, what is
// wrong, and the command that corrects it.
func OpenSecret(path string) (*os.File, fs.FileInfo, error) { return open(path, secret) }

// Open opens a file that anyone may read, such as settings or a certificate,
// as long as nobody else can change it.
func Open(path string) (*os.File, fs.FileInfo, error) { return open(path, unchanged) }

// OpenRegular opens a file whose owner does not matter, because its content is checked. It
// refuses a pipe, on which a read could wait forever, and a device, which may have no end.
func OpenRegular(path string) (*os.File, error) {
	f, _, err := openAs(path, regular)
	return f, err
}

// ReadRegular reads a file as [OpenRegular] opens it.
func ReadRegular(path string) ([]byte, error) {
	f, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(f)
	return text, errors.Join(err, f.Close())
}

// CheckDir refuses a directory in which other users can replace files.
func CheckDir(path string) error { return checkDir(path, directory) }

// CheckDirOf refuses the directory of a file if other users can replace the
// file. Unlike [CheckDir] it accepts a sticky directory such as /tmp.
func CheckDirOf(file string) error { return checkDir(filepath.Dir(file), holder) }

func checkDir(path string, judge judge) error {
	if err := checkWay(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return judge(path, info, os.Geteuid())
}

// judge checks the owner and mode of a file or directory. self is the user of the
// process.
type judge func(path string, info fs.FileInfo, self int) error

// owner is one more user whose files are trusted, besides root and the user of
// this process. The value is the user's id plus 1; 0: none.
var owner atomic.Int64

// TrustOwnerOf trusts the files of the user who owns a directory. It is for
// commands that root runs on the data directory of a service of another user. A
// server never calls it. A directory of root does not replace the user of another one.
func TrustOwnerOf(path string) {
	if info, err := os.Stat(path); err == nil && ownerOf(info) != 0 {
		owner.Store(int64(ownerOf(info)) + 1)
	}
}

// IsOwner reports whether a user owns the file or directory. If that cannot be found out,
// it is false.
func IsOwner(path string, uid int) bool {
	info, err := os.Stat(path)
	return err == nil && ownerOf(info) == uid
}

func trusted(uid, self int) bool {
	return uid == 0 || uid == self || int64(uid)+1 == owner.Load()
}

func ownerOf(info fs.FileInfo) int {
	return int(info.Sys().(*syscall.Stat_t).Uid) //nolint:forcetypeassert // always, on the systems on which this builds
}

func open(path string, judge judge) (*os.File, fs.FileInfo, error) {
	if err := checkWay(path); err != nil {
		return nil, nil, err
	}
	return openAs(path, judge)
}

func openAs(path string, judge judge) (*os.File, fs.FileInfo, error) {
	// Without O_NONBLOCK, opening a named pipe would wait for a writer.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat() // of the opened file: the path may already name another one
	if err == nil {
		err = judge(path, info, os.Geteuid())
	}
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

func regular(path string, info fs.FileInfo, _ int) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file; name a file", path)
	}
	return nil
}

func secret(path string, info fs.FileInfo, self int) error {
	uid, mode := ownerOf(info), info.Mode()
	switch {
	case !mode.IsRegular():
		return fmt.Errorf("%s is not a regular file; name a file", path)
	case !trusted(uid, self):
		return fmt.Errorf("%s: user %d owns it and can change it; run chown %d %s", path, uid, self, path)
	case mode.Perm()&0o022 != 0:
		return fmt.Errorf("%s: permissions %04o allow other users to change it; run chmod 600 %s", path, mode.Perm(), path)
	case uid == 0 && self != 0 && mode.Perm()&0o007 == 0: // its group is one of ours, otherwise it could not be opened
		return nil
	case uid == 0 && self != 0 && mode.Perm()&0o007 != 0: // with 0600, this process could not read it either
		return fmt.Errorf("%s: permissions %04o allow other users to read it; run chmod 440 %s and give it a group of this process with chgrp, or mount it with mode 0400", path, mode.Perm(), path)
	case uid == 0 && mode.Perm()&0o007 == 0 && mode.Perm()&0o040 != 0: // after chmod 600, a service of this group could not read it
		return fmt.Errorf("%s: permissions %04o allow other users to read it; run chmod 600 %s if the service runs as root, "+
			"otherwise run this command as the user of the service", path, mode.Perm(), path)
	case mode.Perm()&0o077 != 0:
		return fmt.Errorf("%s: permissions %04o allow other users to read it; run chmod 600 %s, or mount it with mode 0400", path, mode.Perm(), path)
	}
	return nil
}

// unchanged checks a file that anyone may read. A service that does not run as
// root may use another user's file, so that this user can renew its certificates
// and settings.
func unchanged(path string, info fs.FileInfo, self int) error {
	uid, mode := ownerOf(info), info.Mode()
	switch {
	case !mode.IsRegular():
		return fmt.Errorf("%s is not a regular file; name a file", path)
	case self == 0 && !trusted(uid, self):
		return fmt.Errorf("%s: user %d owns it and can change it, and this process runs as root; run chown root %s", path, uid, path)
	case mode.Perm()&0o022 != 0:
		return fmt.Errorf("%s: permissions %04o allow other users to change it; run chmod go-w %s", path, mode.Perm(), path)
	}
	return nil
}

// directory checks the data directory. On Kubernetes, root owns a volume and the
// group of the pod can write to it. So the group may write to the directory unless
// the service runs as root.
func directory(path string, info fs.FileInfo, self int) error {
	uid, mode := ownerOf(info), info.Mode().Perm()
	switch {
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", path)
	case !trusted(uid, self):
		return fmt.Errorf("%s: user %d owns it and can replace the files in it; run chown %d %s", path, uid, self, path)
	case mode&0o002 != 0, mode&0o020 != 0 && self == 0:
		return fmt.Errorf("%s: permissions %04o allow other users to replace the files in it; run chmod 700 %s, or name a directory below it, which will be made", path, mode, path)
	}
	return nil
}

// holder checks the directory of a file outside the data directory.
func holder(path string, info fs.FileInfo, self int) error {
	if info.IsDir() && info.Mode()&fs.ModeSticky != 0 && trusted(ownerOf(info), self) {
		return nil // only the owner of a file can replace it there
	}
	return directory(path, info, self)
}
