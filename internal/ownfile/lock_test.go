package ownfile

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

// A process that opened the file just before its holder removed it must not get the lock of
// the removed file, because the next process locks a new one.
func TestALockIsNeverOfAFileThatItsHolderRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var locked, removed atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 3000 {
				lock, err := Lock(path)
				if err != nil {
					continue
				}
				locked.Add(1)
				if is := lock.(*os.File); !isAt(is, path) { //nolint:forcetypeassert // it is one
					removed.Add(1)
				}
				_ = os.Remove(path)
				_ = lock.Close()
			}
		})
	}
	all.Wait()
	if n := removed.Load(); n > 0 || locked.Load() == 0 {
		t.Errorf("%d of %d locks are of a removed file", n, locked.Load())
	}
}
