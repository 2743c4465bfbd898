package ownfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const (
	service = 65532 // a user that is not root
	other   = 4242
)

// written makes a file; the mode is set apart from the umask.
func written(t *testing.T, path string, uid int, mode fs.FileMode) string {
	t.Helper()
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	own(t, path, uid, mode)
	return path
}

func own(t *testing.T, path string, uid int, mode fs.FileMode) {
	t.Helper()
	if uid != os.Geteuid() {
		if os.Geteuid() != 0 {
			t.Skip("SKIPPED: only root can give files away")
		}
		if err := os.Chown(path, uid, uid); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// says checks that an error is as wanted: nil for an empty text.
func says(t *testing.T, what string, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("%s: %v", what, err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("%s: %v, want %q in it", what, err, want)
	}
}

func TestASecretFileAccessibleToOthersIsRefused(t *testing.T) {
	for _, c := range []struct {
		owner, self int
		mode        fs.FileMode
		want        string
	}{
		{0, 0, 0o600, ""},
		{0, 0, 0o400, ""},
		{0, 0, 0o440, "otherwise run this command as the user of the service"},
		{0, 0, 0o644, "permissions 0644 allow other users to read it; run chmod 600"},
		{0, 0, 0o620, "permissions 0620 allow other users to change it; run chmod 600"},
		{0, 0, 0o602, "allow other users to change it"},
		{service, service, 0o600, ""},
		{service, service, 0o640, "allow other users to read it"},
		{service, service, 0o604, "allow other users to read it"},
		{0, service, 0o440, ""}, // as Kubernetes mounts it for a pod with an fsGroup
		{0, service, 0o640, ""},
		{0, service, 0o444, "permissions 0444 allow other users to read it; run chmod 440"},
		{0, service, 0o660, "allow other users to change it"},
		{other, service, 0o600, "user 4242 owns it and can change it; run chown 65532"},
		{other, 0, 0o600, "user 4242 owns it and can change it; run chown 0"},
	} {
		path := written(t, filepath.Join(t.TempDir(), "secret"), c.owner, c.mode)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		says(t, info.Mode().String(), secret(path, info, c.self), c.want)
	}
}

func TestASettingsFileThatOthersCanChangeIsRefused(t *testing.T) {
	for _, c := range []struct {
		owner, self int
		mode        fs.FileMode
		want        string
	}{
		{0, 0, 0o644, ""},
		{0, service, 0o444, ""},
		{other, service, 0o644, ""}, // such as a certificate that another service renews
		{other, 0, 0o644, "user 4242 owns it and can change it, and this process runs as root; run chown root"},
		{0, 0, 0o664, "permissions 0664 allow other users to change it; run chmod go-w"},
		{service, service, 0o646, "allow other users to change it"},
	} {
		path := written(t, filepath.Join(t.TempDir(), "settings"), c.owner, c.mode)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		says(t, info.Mode().String(), unchanged(path, info, c.self), c.want)
	}
}

func TestADataDirectoryThatOthersCanWriteIsRefused(t *testing.T) {
	for _, c := range []struct {
		owner, self int
		mode        fs.FileMode
		want        string
	}{
		{0, 0, 0o700, ""},
		{0, 0, 0o755, ""},
		{0, 0, 0o775, "permissions 0775 allow other users to replace the files in it; run chmod 700"},
		{0, 0, 0o777 | fs.ModeSticky, "allow other users to replace"},
		{0, service, 0o775 | fs.ModeSetgid, ""}, // a volume of Kubernetes with an fsGroup
		{0, service, 0o777, "allow other users to replace"},
		{service, service, 0o700, ""},
		{other, service, 0o770, "user 4242 owns it"},
		{other, 0, 0o700, "user 4242 owns it and can replace the files in it; run chown 0"},
	} {
		path := t.TempDir()
		own(t, path, c.owner, c.mode)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		says(t, info.Mode().String(), directory(path, info, c.self), c.want)
		own(t, path, os.Geteuid(), 0o700)
	}
}

func TestADirectoryWhereOthersCanReplaceFilesIsRefused(t *testing.T) {
	for _, c := range []struct {
		owner, self int
		mode        fs.FileMode
		want        string
	}{
		{0, 0, 0o755, ""},
		{0, service, 0o777 | fs.ModeSticky, ""}, // such as /tmp
		{0, 0, 0o777 | fs.ModeSticky, ""},
		{other, service, 0o777 | fs.ModeSticky, "user 4242 owns it"},
		{0, service, 0o777, "allow other users to replace"},
		{service, service, 0o775, ""},
		{other, 0, 0o700, "user 4242 owns it and can replace the files in it; run chown 0"},
	} {
		path := t.TempDir()
		own(t, path, c.owner, c.mode)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		says(t, info.Mode().String(), holder(path, info, c.self), c.want)
		own(t, path, os.Geteuid(), 0o700)
	}
	says(t, "the directory of a file", CheckDirOf(filepath.Join(t.TempDir(), "file")), "")
}

func TestForRootEveryDirectoryAndLinkOfAPathIsChecked(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: the path is checked for root only")
	}
	dir := func(path string, uid int, mode fs.FileMode) string {
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		own(t, path, uid, mode)
		return path
	}
	link := func(target, path string) string {
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	base := t.TempDir()
	foreign, open, sticky, good := dir(base+"/foreign", other, 0o755), dir(base+"/open", 0, 0o777), dir(base+"/sticky", 0, 0o777|fs.ModeSticky), dir(base+"/good", 0, 0o755)
	for _, d := range []string{foreign, open, sticky, good} {
		written(t, d+"/key", 0, 0o600)
		dir(d+"/below", 0, 0o700)
		written(t, d+"/below/key", 0, 0o600)
	}
	theirs := link(good+"/key", sticky+"/theirs")
	if err := os.Lchown(theirs, other, other); err != nil {
		t.Fatal(err)
	}
	// As Kubernetes mounts a secret: a link to a link to a directory.
	dir(good+"/..2026", 0, 0o755)
	written(t, good+"/..2026/mounted", 0, 0o400)
	link("..2026", good+"/..data")
	link("..data/mounted", good+"/mounted")
	for path, want := range map[string]string{
		good + "/key":                                "",
		good + "/mounted":                            "",
		sticky + "/key":                              "",
		foreign + "/key":                             "in " + foreign + ": user 4242 owns this directory",
		foreign + "/below/key":                       "in " + foreign + ": user 4242 owns this directory",
		open + "/key":                                "in " + open + ": permissions 0777 of this directory allow other users to replace what is in it; run chmod go-w " + open,
		open + "/below/key":                          "in " + open + ": permissions 0777 of this directory",
		link(foreign+"/key", good+"/to-foreign"):     "in " + foreign + ": user 4242 owns this directory",
		link("../open/key", good+"/to-open"):         "in " + open + ": permissions 0777 of this directory",
		link(good+"/key", open+"/from-open"):         "in " + open + ": permissions 0777 of this directory",
		theirs:                                       theirs + ": user 4242 owns this symbolic link",
		link(good+"/around", good+"/around"):         "too many symbolic links",
		link(good+"/nowhere", good+"/to-nowhere"):    "no such file",
		good + "/key/below":                          "not a directory",
		link(base+"/./good//key", base+"/dotted"):    "",
		link(open+"/below", good+"/way") + "/../key": "in " + open + ": permissions 0777 of this directory",
		filepath.Join(good, "..", "open") + "/key":   "in " + open + ": permissions 0777 of this directory",
	} {
		f, _, err := OpenSecret(path)
		says(t, path, err, want)
		if err == nil {
			_ = f.Close()
		}
	}
	says(t, "a directory below a foreign one", CheckDir(foreign+"/below"), "in "+foreign+": user 4242 owns this directory")
	says(t, "a directory", CheckDir(good), "")

	t.Chdir(open)
	if _, _, err := OpenSecret("hunter2"); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a secret in the place of a path: %v", err)
	}

	TrustOwnerOf(foreign)
	defer owner.Store(0)
	f, _, err := OpenSecret(foreign + "/key")
	says(t, "what a command of root looks after", err, "")
	_ = f.Close()
	says(t, "another directory", CheckDir(open), "allow other users")
}

func TestDirectoriesAndPipesAreRefused(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, pipe} {
		_, _, err := OpenSecret(path)
		says(t, path, err, "not a regular file")
		_, _, err = Open(path)
		says(t, path, err, "not a regular file")
	}
}
