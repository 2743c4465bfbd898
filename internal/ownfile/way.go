package ownfile

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is how many symbolic links Linux follows on the way to a file.
const maxLinks = 40

// checkWay checks the directories of a path if this process runs as root. It
// refuses a directory in which another user can replace files: that user owns it,
// or others may write to it and it is not sticky. It checks the targets of symbolic
// links too. It does not fail if the path does not exist, because the caller gets that
// error when it opens the path. Errors name the directory and not the path, because
// some operators pass the secret itself as the path.
func checkWay(path string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	return walk(path)
}

func walk(path string) error {
	// Not filepath.Abs: the kernel resolves .. from the target of a symbolic link.
	if !filepath.IsAbs(path) {
		here, err := os.Getwd()
		if err != nil {
			return err
		}
		path = here + "/" + path
	}
	at, rest := "/", strings.Split(path, "/")[1:]
	for links := 0; ; {
		info, err := os.Lstat(at)
		if err != nil {
			return nil //nolint:nilerr // the caller that opens the path gets the error
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(at)
			if err != nil {
				return err
			}
			if uid := ownerOf(info); !trusted(uid, 0) {
				return fmt.Errorf("%s: user %d owns this symbolic link and can change it, and this process runs as root; run chown -h root %s", at, uid, at)
			}
			if links++; links > maxLinks {
				return fmt.Errorf("%s: too many symbolic links; name the file itself", at)
			}
			if at = filepath.Dir(at); filepath.IsAbs(target) {
				at = "/"
			}
			rest = append(strings.Split(target, "/"), rest...)
		} else if len(rest) > 0 {
			if err := passable(at, info); err != nil {
				return err
			}
		}
		if len(rest) == 0 {
			return nil
		}
		at, rest = filepath.Join(at, rest[0]), rest[1:]
	}
}

func passable(dir string, info fs.FileInfo) error {
	uid, mode := ownerOf(info), info.Mode()
	switch {
	case !trusted(uid, 0):
		return fmt.Errorf("in %s: user %d owns this directory and can replace what is in it, and this process runs as root; run chown root %s, or run as that user", dir, uid, dir)
	case mode.Perm()&0o022 != 0 && mode&fs.ModeSticky == 0:
		return fmt.Errorf("in %s: permissions %04o of this directory allow other users to replace what is in it; run chmod go-w %s", dir, mode.Perm(), dir)
	}
	return nil
}
