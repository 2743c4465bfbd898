package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

func TestCommitOf(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
	from := func(value, modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "-trimpath", Value: "true"}, {Key: "vcs.revision", Value: value}, {Key: "vcs.modified", Value: modified}}
	}
	for _, c := range []struct {
		what     string
		build    []debug.BuildSetting
		archived string
		want     string
	}{
		{"a clone", from(commit, "false"), "$Format:%H$\n", "0123456789ab"},
		{"a changed clone", from(commit, "true"), "$Format:%H$\n", "0123456789ab-dirty"},
		{"a source archive", nil, commit + "\n", "0123456789ab"},
		{"an archive in another repository", from("fedcba9876543210", "false"), commit, "fedcba987654"},
		{"neither", nil, "$Format:%H$\n", "unknown"},
		{"something else", nil, "main\n", "unknown"},
	} {
		if got := commitOf(c.build, c.archived); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// A build in a clone and a build of a source archive both know their commit, even if
// GOFLAGS turns that off.
func TestABuildKnowsItsCommit(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the binary twice")
	}
	for _, program := range []string{"git", "make", "tar"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatalf("%s is not installed", program)
			}
			t.Skipf("SKIPPED: %s is not installed", program)
		}
	}
	clone, archive := t.TempDir(), t.TempDir()
	for _, name := range []string{"cmd", "docs", "internal"} {
		if err := os.CopyFS(filepath.Join(clone, name), os.DirFS(filepath.Join("../..", name))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum", "Makefile", "documents.go", "README.md", "CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md", ".gitattributes", ".gitignore"} {
		text, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(clone, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sh := func(script string) string {
		t.Helper()
		cmd := exec.Command("sh", "-ec", script)
		// Without a C compiler, make build leaves out the helper for HSMs. Symbols take most of the time.
		cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false -ldflags=-s", "CC=none", "CLONE="+clone, "ARCHIVE="+archive,
			"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
		return string(out)
	}
	sh(`cd "$CLONE"; git init -q; git add .; git commit -qm first; make build`)
	want := "(commit " + sh(`cd "$CLONE"; git rev-parse HEAD`)[:12] + ", go"
	if got := sh(`"$CLONE/bin/strongroom" version`); !strings.HasPrefix(got, "strongroom "+version+" "+want) {
		t.Errorf("built in a clone it says %q, want %q in it", got, want)
	}
	sh(`cd "$CLONE"; git archive HEAD | tar -x -C "$ARCHIVE"; cd "$ARCHIVE"; make build`)
	if got := sh(`"$ARCHIVE/bin/strongroom" version`); !strings.Contains(got, want) {
		t.Errorf("built from a source archive it says %q, want %q in it", got, want)
	}
}

// The Helm chart has the version of the binary, which is the default tag of its image.
func TestTheChartHasTheVersionOfTheBinary(t *testing.T) {
	for _, line := range []string{"\nversion: " + version + "\n", "\nappVersion: " + version + "\n"} {
		if !strings.Contains(document(t, "deploy/helm/strongroom/Chart.yaml"), line) {
			t.Errorf("deploy/helm/strongroom/Chart.yaml lacks %q", line)
		}
	}
}
