package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// release is the release that is being made.
type release struct {
	version string
	commit  string    // the full hash
	date    time.Time // of the commit
	goVers  string
	source  string // directory with the files of the commit
	stage   string // directory of intermediate files
	out     string

	platforms []platform
}

var versionForm = regexp.MustCompile(`^([0-9]+\.[0-9]+\.[0-9]+)(-[0-9A-Za-z.-]+)?$`)

// checkout extracts the files of the commit with git archive. So cmd/strongroom/commit.txt
// has the commit, and only files of the commit are built.
func checkout(o options, work string) (*release, error) {
	r := &release{version: o.version, platforms: o.platforms, source: filepath.Join(work, "source"), stage: filepath.Join(work, "stage")}
	var err error
	if r.out, err = filepath.Abs(o.out); err != nil {
		return nil, err
	}
	if err := r.readCommit(o); err != nil {
		return nil, err
	}
	archive, err := command(o.repository, nil, "git", "archive", r.commit)
	if err != nil {
		return nil, err
	}
	for _, dir := range []string{r.source, r.stage} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	tar := exec.Command("tar", "-x", "-C", r.source)
	tar.Stdin = bytes.NewReader(archive)
	if out, err := tar.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("tar: %w: %s", err, out)
	}
	if err := r.checkVersion(); err != nil {
		return nil, err
	}
	return r, r.useToolchain()
}

var toolchainInSource = regexp.MustCompile(`(?m)^toolchain (go\S+)$`)

// useToolchain makes all later go commands use the Go that go.mod names, so that the bytes
// do not depend on the machine's Go. They download it if the machine has another. If go.mod
// names none, they use the machine's Go.
func (r *release) useToolchain() error {
	text, err := os.ReadFile(filepath.Join(r.source, "go.mod"))
	if err != nil {
		return err
	}
	if line := toolchainInSource.FindSubmatch(text); line != nil {
		if err := os.Setenv("GOTOOLCHAIN", string(line[1])); err != nil {
			return err
		}
	}
	r.goVers, err = r.text("go", "env", "GOVERSION")
	return err
}

func (r *release) readCommit(o options) error {
	text, err := command(o.repository, nil, "git", "show", "-s", "--format=%H %ct", o.commit)
	if err != nil {
		return err
	}
	var seconds int64
	if _, err := fmt.Sscanf(string(text), "%s %d", &r.commit, &seconds); err != nil {
		return err
	}
	if given := os.Getenv("SOURCE_DATE_EPOCH"); given != "" {
		if seconds, err = strconv.ParseInt(given, 10, 64); err != nil {
			return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
		}
	}
	r.date = time.Unix(seconds, 0).UTC()
	changed, err := command(o.repository, nil, "git", "status", "--porcelain")
	if err == nil && len(changed) > 0 {
		fmt.Println("release: the working tree has uncommitted changes, which are not part of the release")
	}
	return err
}

var versionInSource = regexp.MustCompile(`(?m)^(?:const|var) version = "([^"]+)"`)

// checkVersion refuses a version that is not the one in the source.
func (r *release) checkVersion() error {
	text, err := os.ReadFile(filepath.Join(r.source, "cmd/strongroom/version.go"))
	if err != nil {
		return err
	}
	claimed := ""
	if m := versionInSource.FindSubmatch(text); m != nil {
		claimed = string(m[1])
	}
	given := versionForm.FindStringSubmatch(r.version)
	switch {
	case given == nil:
		return fmt.Errorf("version %q: must have a form such as 0.9.0 or 0.9.0-rc.1; set it with make release VERSION=…", r.version)
	case claimed != given[1]:
		return fmt.Errorf("version %s: cmd/strongroom/version.go of commit %s has %q; change it there and in CHANGELOG.md, and commit", r.version, r.commit[:12], claimed)
	}
	return nil
}

// command runs a program and returns what it prints.
func command(dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, &problem)
	}
	return out, nil
}

// text runs a program in the source directory and returns its output without surrounding
// white space.
func (r *release) text(name string, args ...string) (string, error) {
	out, err := command(r.source, nil, name, args...)
	return strings.TrimSpace(string(out)), err
}
