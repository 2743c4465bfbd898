package sqlite

import (
	"errors"
	"sync"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// A COMMIT appends a frame to the WAL for each page that changed: 20 frames for a new
// key. SQLite writes the header and the page of each frame with a system call each.
// Together, these calls take a quarter of the time of the commit. So the VFS collects what
// a COMMIT appends, and writes it with one call before it syncs or reads the WAL.
//
// Other connections and processes see no difference: they read a frame only after the
// index of the WAL names it, and SQLite changes the index after the sync. Nothing stays
// collected after the COMMIT, even if it failed. So no late write can overwrite the frames
// of another process.

// maxCollected is how many bytes are collected before they are written: 31 frames. A larger
// commit is written in several parts.
const maxCollected = 64 << 10

// collected is what a COMMIT has appended to the WAL and the VFS has not written yet.
type collected struct {
	p      uintptr // maxCollected bytes that SQLite allocated
	offset int64   // in the WAL
	size   int32
}

// committing has the collected of each connection that is executing a COMMIT, by its
// *libc.TLS.
var committing sync.Map

// commit commits the connection's transaction. The connection must have synchronous =
// FULL, because then SQLite syncs the WAL before it changes the index. If the commit
// fails, it rolls back.
func (c *conn) commit() error {
	if c.wal.p == 0 {
		c.wal.p = lib.Xsqlite3_malloc(c.tls, maxCollected)
	}
	if c.wal.p != 0 {
		c.wal.size = 0
		committing.Store(c.tls, &c.wal)
		defer committing.Delete(c.tls)
	}
	err := c.end(sqlCommit)
	if c.wal.size > 0 {
		c.broken = true
		return errors.Join(err, errNotWritten)
	}
	return err
}

// errNotWritten is for a connection without synchronous = FULL. Only a test has one.
var errNotWritten = errors.New("the write-ahead log was not synced")

// walMethods are the methods of an open WAL.
type walMethods struct {
	lib.Tsqlite3_io_methods
	read, write, sync uintptr // of the default VFS
}

type (
	readFunc = writeFunc
	syncFunc = func(tls *libc.TLS, file uintptr, flags int32) int32
)

// collecting are the walMethods for those of the default VFS.
func collecting(tls *libc.TLS, system lib.Tsqlite3_io_methods) uintptr {
	m := walMethods{system, system.FxRead, system.FxWrite, system.FxSync}
	m.FxRead, m.FxWrite, m.FxSync = address(readWAL), address(writeWAL), address(syncWAL)
	return keep(tls, m)
}

func walMethodsOf(file uintptr) *walMethods { return at[walMethods](*at[uintptr](file)) }

func readWAL(tls *libc.TLS, file, to uintptr, size int32, offset int64) int32 {
	if rc := writeCollected(tls, file); rc != lib.SQLITE_OK {
		return rc
	}
	return function[readFunc](walMethodsOf(file).read)(tls, file, to, size, offset)
}

func syncWAL(tls *libc.TLS, file uintptr, flags int32) int32 {
	if rc := writeCollected(tls, file); rc != lib.SQLITE_OK {
		return rc
	}
	return function[syncFunc](walMethodsOf(file).sync)(tls, file, flags)
}

func writeWAL(tls *libc.TLS, file, from uintptr, size int32, offset int64) int32 {
	v, ok := committing.Load(tls)
	if !ok || size > maxCollected {
		return function[writeFunc](walMethodsOf(file).write)(tls, file, from, size, offset)
	}
	c := v.(*collected)
	if offset != c.offset+int64(c.size) || size > maxCollected-c.size {
		if rc := writeCollected(tls, file); rc != lib.SQLITE_OK {
			return rc
		}
		c.offset = offset
	}
	copy(libc.GoBytes(c.p, maxCollected)[c.size:], libc.GoBytes(from, int(size)))
	c.size += size
	return lib.SQLITE_OK
}

// writeCollected writes what is collected, if a COMMIT is being executed.
func writeCollected(tls *libc.TLS, file uintptr) int32 {
	v, ok := committing.Load(tls)
	if !ok {
		return lib.SQLITE_OK
	}
	c := v.(*collected)
	size := c.size
	if c.size = 0; size == 0 {
		return lib.SQLITE_OK
	}
	return function[writeFunc](walMethodsOf(file).write)(tls, file, c.p, size, c.offset)
}
