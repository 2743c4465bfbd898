// Command release makes all published files of a version from a commit of the
// repository, in one directory: binaries, packages, images, and the files to verify
// them without a network.
//
// It builds only the files of the commit, in a directory of its own. No file depends on
// the machine or on the time of the build. So anyone can build the same bytes again and
// compare. All times in the files are that of the commit.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	var o options
	flag.StringVar(&o.version, "version", "", "version to release: that of cmd/strongroom/version.go, or a pre-release of it such as 0.9.0-rc.1")
	flag.StringVar(&o.commit, "commit", "HEAD", "commit to release")
	flag.StringVar(&o.repository, "repository", ".", "directory of the Git repository")
	flag.StringVar(&o.out, "out", "dist", "directory to write to; an earlier release in it is removed")
	flag.StringVar(&o.key, "key", "", "minisign secret key that signs SHA256SUMS; empty: unsigned")
	flag.StringVar(&o.passwordFile, "password-file", "", "file of the key's password (one line); empty: the key has none")
	only := flag.String("only", "", "build only this platform, such as linux_amd64, to test the build")
	flag.Parse()
	o.platforms = slices.DeleteFunc(slices.Clone(platforms), func(p platform) bool { return *only != "" && p.String() != *only })
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

type options struct {
	version, commit, repository, out, key, passwordFile string
	platforms                                           []platform
}

// run makes the release. It reads the key first, so that a wrong password does not fail
// the release at the end.
func run(o options) error {
	key, err := readKey(o.key, o.passwordFile)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "strongroom-release-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	r, err := checkout(o, work)
	if err != nil {
		return err
	}
	if err := emptyDir(r.out); err != nil {
		return err
	}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"binaries", r.build},
		{"man pages and completions", r.writePages},
		{"licences", r.writeLicences},
		{"bills of materials", r.writeSBOMs},
		{"archives", r.writeArchives},
		{"packages", r.writePackages},
		{"images", r.writeImages},
		{"chart", r.writeChart},
		{"provenance", r.writeProvenance},
		{"checksums", func() error { return r.writeSums(key) }},
	} {
		fmt.Println("release:", step.name)
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	if key == nil {
		fmt.Println("release: UNSIGNED: SHA256SUMS has no signature. To sign, give a minisign key: make release VERSION=… KEY=FILE")
	}
	fmt.Printf("release: %s of commit %s is in %s\n", r.version, r.commit, r.out)
	return nil
}

// emptyDir removes an earlier release, and nothing else: a directory with other files
// is refused.
func emptyDir(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "strongroom") && e.Name() != sumsFile && e.Name() != sumsFile+".minisig" {
			return fmt.Errorf("%s contains %s, which no release has written: choose another directory", dir, e.Name())
		}
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return os.MkdirAll(dir, 0o755)
}
