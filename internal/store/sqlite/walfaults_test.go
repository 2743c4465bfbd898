package sqlite

import (
	"context"
	"fmt"
	"maps"
	"testing"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"

	"strongroom/internal/store"
)

// walFault makes one call of the default VFS for a WAL fail.
var walFault struct {
	write writeFunc // of the default VFS
	sync  syncFunc

	kind string // of the call that fails; "": none
	left int    // how many calls of this kind succeed before
	hit  bool
}

// fails reports whether a call fails.
func fails(kinds ...string) bool {
	f := &walFault
	for _, kind := range kinds {
		if f.kind == kind && !f.hit {
			f.left--
			f.hit = f.left < 0
			return f.hit
		}
	}
	return false
}

func faultyWrite(tls *libc.TLS, file, from uintptr, size int32, offset int64) int32 {
	switch f := &walFault; {
	case !fails("write", "short write"):
		return f.write(tls, file, from, size, offset)
	case f.kind == "short write": // as on a full disk
		_ = f.write(tls, file, from, size/2, offset)
		return lib.SQLITE_FULL
	}
	return lib.SQLITE_IOERR_WRITE
}

func faultySync(tls *libc.TLS, file uintptr, flags int32) int32 {
	if fails("sync") {
		return lib.SQLITE_IOERR_FSYNC
	}
	return walFault.sync(tls, file, flags)
}

// If any write or sync of the WAL fails, the commit fails and no reader sees its values.
// Earlier and later commits are not lost.
func TestAWALFaultLosesNoOtherCommit(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	s, other := migrated(t, path), opened(t, path)
	var m *walMethods
	for key, p := range methods {
		if key.wal {
			m = at[walMethods](p)
		}
	}
	write, sync := m.write, m.sync
	walFault.write, walFault.sync = function[writeFunc](write), function[syncFunc](sync)
	m.write, m.sync = address(faultyWrite), address(faultySync)
	defer func() { m.write, m.sync = write, sync }()
	values, hits := map[string][]byte{}, 0
	try := func(pragma, kind string, settings, left int) {
		setWriter(t, s, pragma)
		next := maps.Clone(values)
		walFault.kind, walFault.left, walFault.hit = kind, left, false
		err := s.Update(ctx, func(tx store.Tx) error { return putTwice(tx, settings, next) })
		walFault.kind = ""
		where := fmt.Sprintf("%s, %d settings, %s %d", pragma, settings, kind, left)
		if walFault.hit != (err != nil) {
			t.Errorf("%s: there was a fault: %v, but the commit ended with %v", where, walFault.hit, err)
		}
		if err == nil {
			values = next
		} else {
			hits++
		}
		s.writer.full.Store(false)
		for _, at := range []*Store{other, s} {
			wantValues(t, where, at, values)
			values["later"] = []byte(where)
			put(t, at, "later", values["later"])
		}
		wantValues(t, where+", a copy", afterPowerCut(t, path), values)
	}
	for _, pragma := range []string{"PRAGMA cache_size = -65536", "PRAGMA cache_size = 10"} {
		for _, kind := range []string{"write", "short write", "sync"} {
			for _, settings := range []int{1, 10, 40} {
				for _, left := range []int{0, 1, 3, 10} {
					try(pragma, kind, settings, left)
				}
				if err := s.Scrub(ctx); err != nil { // the WAL begins again
					t.Fatal(err)
				}
			}
		}
	}
	if hits < 20 {
		t.Errorf("only %d faults", hits)
	}
}
