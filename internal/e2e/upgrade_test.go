package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"strongroom/internal/store/postgres/pgtest"
)

// Two instances of the last release become two of today's, under load, by way of an
// upgrade that is broken off half way. No request fails.
func TestARollingUpgradeFailsNoRequest(t *testing.T) {
	t.Parallel()
	release, before := lastRelease(t)
	t.Logf("from %s", release)
	server := pgtest.Start(t)
	c := clusterOf(t, before, server, server.URL("postgres"), 2, roomy("--drain-delay", "1s")...)
	w := newCrowd(c)
	first, second := c.instances[0], c.instances[1]
	w.during(6, func() {
		w.troubled(false) // there is none: an error fails the test
		upgraded := w.exchange(first, "")
		w.served(10)
		w.withdraw(upgraded) // the operator has doubts: the old instance goes on alone
		w.served(10)
		w.add(startProgram(t, "", upgraded.dataDir, upgraded.args))
		w.served(10)
		w.exchange(second, "")
	})
	if n := w.errors(); n > 0 {
		t.Errorf("%d requests failed", n)
	}
	for _, i := range w.all() {
		if strings.Contains(i.log.String(), "level=ERROR") {
			t.Errorf("an instance logs errors:\n%s", tail(i.log.String(), 2<<10))
		}
	}
}

// exchange stops an instance as a balancer and an operator do, and starts another
// program on its data directory.
func (c *cluster) exchange(old *instance, program string) *instance {
	c.t.Helper()
	c.withdraw(old)
	next := startProgram(c.t, program, old.dataDir, old.args)
	c.add(next)
	return next
}

// withdraw gives an instance no more requests, and stops it. It answers those that it has.
func (c *cluster) withdraw(i *instance) {
	c.t.Helper()
	c.mu.Lock()
	c.instances = slices.DeleteFunc(c.instances, func(other *instance) bool { return other == i })
	c.mu.Unlock()
	if code := i.stop(); code != 0 {
		c.t.Errorf("exit code %d:\n%s", code, tail(i.log.String(), 4<<10))
	}
}

func (c *cluster) add(i *instance) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.instances = append(c.instances, i)
}

// lastRelease builds the program of the newest release before this tree. Its commit is
// found by its subject: a clone of one branch may have no tags.
func lastRelease(t *testing.T) (name, path string) {
	t.Helper()
	need(t, "git")
	releases, err := exec.Command("git", "log", "--format=%H %s", "--grep=^changelog: release ").Output()
	if err != nil || len(releases) == 0 {
		t.Skip("needs the repository with its history (git fetch --unshallow)")
	}
	var commit string
	for line := range strings.Lines(string(releases)) {
		commit, name, _ = strings.Cut(strings.TrimSpace(line), " ")
		// Right after a release, its own commit is no earlier version.
		if exec.Command("git", "diff", "--quiet", commit, "--", "../../cmd", "../../internal", "../../go.mod").Run() != nil {
			break
		}
	}
	tree := t.TempDir()
	if out, err := exec.Command("sh", "-c", `git -C "$(git rev-parse --show-toplevel)" archive "$0" | tar -x -C "$1"`, commit, tree).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	path = filepath.Join(tree, "bin", "strongroom")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s", "-o", path, "./cmd/strongroom") // the next run finds the packages in the cache
	build.Dir, build.Env = tree, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", name, err, out)
	}
	return name, path
}
