package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// The real binary too: the commit is built in two clones, for this machine's architecture.
func TestTwoClonesGiveTheSameRelease(t *testing.T) {
	if os.Getenv("E2E_RELEASE") == "" {
		t.Skip("SKIPPED: builds a release twice; make soak sets E2E_RELEASE")
	}
	text, err := os.ReadFile(filepath.Join(repository, "cmd/strongroom/version.go"))
	if err != nil {
		t.Fatal(err)
	}
	version := string(versionInSource.FindSubmatch(text)[1])
	var sums []string
	for _, inside := range []string{"a", "another/place"} {
		dir := filepath.Join(t.TempDir(), inside)
		if _, err := command(".", nil, "git", "clone", "-q", repository, dir); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, "dist")
		if err := run(options{version: version, commit: "HEAD", repository: dir, out: out, platforms: []platform{{runtime.GOOS, runtime.GOARCH}}}); err != nil {
			t.Fatal(err)
		}
		sums = append(sums, string(read(t, out, sumsFile)))
	}
	if sums[0] != sums[1] {
		t.Errorf("one release\n%s\nand the other\n%s", sums[0], sums[1])
	}
}
