package sqlite

import (
	"encoding/binary"
	"errors"
	"math"
	"sync"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// secure_delete overwrites deleted rows. But when SQLite moves a row to another
// page, it can leave a copy in the gap of the old page: the unused bytes between
// the cell pointers and the cells. Deleting the row later does not overwrite that
// copy. So each database file is opened with this VFS, which clears the gap of every
// page that SQLite writes into the file. Otherwise it is the default VFS, except for the
// WAL: see walwrites.go.
//
// Pages in the WAL have checksums, so they stay as SQLite made them. Scrub
// truncates the WAL.

// registerVFS registers the VFS, once, and returns its name as a C string.
var registerVFS = sync.OnceValues(func() (name uintptr, err error) {
	tls := libc.NewTLS()
	defer tls.Close()
	name, err = libc.CString("strongroom")
	system := lib.Xsqlite3_vfs_find(tls, 0) // the default VFS
	if system == 0 || err != nil {
		return 0, errNoVFS
	}
	ours := *at[lib.Tsqlite3_vfs](system)
	openSystem = function[openFunc](ours.FxOpen)
	ours.FzName, ours.FxOpen = name, address(openFile)
	if p := keep(tls, ours); p == 0 || lib.Xsqlite3_vfs_register(tls, p, 0) != lib.SQLITE_OK {
		return 0, errNoVFS
	}
	return name, nil
})

var errNoVFS = errors.New("registering the VFS with SQLite failed")

type (
	openFunc  = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, flagsOut uintptr) int32
	writeFunc = func(tls *libc.TLS, file, page uintptr, size int32, offset int64) int32
	sizeFunc  = func(tls *libc.TLS, file, size uintptr) int32
)

var openSystem openFunc // of the default VFS

// gaplessMethods are the methods of an open file.
type gaplessMethods struct {
	lib.Tsqlite3_io_methods
	write uintptr // writeFunc of the default VFS
}

// gapless are the gaplessMethods for those of the default VFS.
func gapless(tls *libc.TLS, system lib.Tsqlite3_io_methods) uintptr {
	m := gaplessMethods{system, system.FxWrite}
	m.FxWrite = address(writeGapless)
	return keep(tls, m)
}

// methods are our methods for those of the default VFS, both by address.
var (
	methodsMu sync.Mutex
	methods   = map[methodsKey]uintptr{}
)

type methodsKey struct {
	system uintptr
	wal    bool
}

// openFile opens a file. A database gets the gaplessMethods, and a WAL the walMethods.
func openFile(tls *libc.TLS, vfs, name, file uintptr, flags int32, flagsOut uintptr) int32 {
	rc := openSystem(tls, vfs, name, file, flags, flagsOut)
	if rc != lib.SQLITE_OK || flags&(lib.SQLITE_OPEN_MAIN_DB|lib.SQLITE_OPEN_WAL) == 0 {
		return rc
	}
	methodsMu.Lock()
	defer methodsMu.Unlock()
	used := at[uintptr](file) // a file begins with the address of its methods
	key, ours := methodsKey{*used, flags&lib.SQLITE_OPEN_WAL != 0}, gapless
	if key.wal {
		ours = collecting
	}
	if methods[key] == 0 {
		if methods[key] = ours(tls, *at[lib.Tsqlite3_io_methods](*used)); methods[key] == 0 {
			return lib.SQLITE_NOMEM // SQLite closes the file
		}
	}
	*used = methods[key]
	return rc
}

// writeGapless clears the gap of a page and writes the page. The page may be one
// of SQLite's cache: SQLite does not read gaps.
func writeGapless(tls *libc.TLS, file, page uintptr, size int32, offset int64) int32 {
	m := at[gaplessMethods](*at[uintptr](file))
	g := gap(libc.GoBytes(page, int(size)), offset)
	if len(g) > 0 && m.fileSize(tls, file) < maxGapless*int64(size) {
		clear(g)
	}
	return function[writeFunc](m.write)(tls, file, page, size, offset)
}

// maxGapless limits clearing to files with fewer pages: 32 GiB, or 64 with pages of
// 4 KiB. A page outside the B-trees begins with the number of another page. In a file of
// 2^25 pages, such a page can look like a B-tree page. The limit is half of that, because
// a checkpoint writes such a number before it extends the file.
const maxGapless = 1 << 24

// gap is the part of a B-tree page between the cell pointers and the cells, as
// https://www.sqlite.org/fileformat2.html describes it. It is empty for other pages.
func gap(page []byte, offset int64) []byte {
	begin := 0
	if offset == 0 {
		begin = 100 // the header of the file comes first
	}
	if len(page) < begin+12 {
		return nil
	}
	header := page[begin:]
	switch header[0] {
	case 2, 5: // interior pages
		begin += 12
	case 10, 13: // leaves
		begin += 8
	default:
		return nil
	}
	begin += 2 * int(binary.BigEndian.Uint16(header[3:])) // a pointer for each cell
	end := int(binary.BigEndian.Uint16(header[5:])-1) + 1 // 0 is 65536
	if begin > end || end > len(page) {
		return nil
	}
	return page[begin:end]
}

// fileSize is the size of the file, or math.MaxInt64 if it is not known.
func (m *gaplessMethods) fileSize(tls *libc.TLS, file uintptr) int64 {
	p := tls.Alloc(8)
	defer tls.Free(8)
	if function[sizeFunc](m.FxFileSize)(tls, file, p) != lib.SQLITE_OK {
		return math.MaxInt64
	}
	return *at[int64](p)
}

// keep copies a value into the memory of SQLite, for as long as the process runs.
// It returns 0 if there is no memory.
func keep[T any](tls *libc.TLS, v T) uintptr {
	p := lib.Xsqlite3_malloc64(tls, uint64(unsafe.Sizeof(v)))
	if p != 0 {
		*at[T](p) = v
	}
	return p
}

// at points to a value in the memory of SQLite.
func at[T any](p uintptr) *T {
	size := int(unsafe.Sizeof(*new(T)))
	return (*T)(unsafe.Pointer(unsafe.SliceData(libc.GoBytes(p, size)))) //nolint:gosec // G103: SQLite has a T there
}

// address is the address of a function, as SQLite stores it. f must not be a closure:
// its memory could be freed.
func address[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) } //nolint:gosec // G103: a function is one word

// function is the function at an address.
func function[F any](p uintptr) F { return *(*F)(unsafe.Pointer(&p)) } //nolint:gosec // G103: the other direction
