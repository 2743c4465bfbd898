//go:build unix

package process

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestTheLimitOfOpenFilesIsRead(t *testing.T) {
	var was unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 200, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Setrlimit(unix.RLIMIT_NOFILE, &was) }()
	if n := MaxFiles(); n != 200 {
		t.Errorf("the limit is %d, want 200", n)
	}
}
