package sqlite

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"

	"strongroom/internal/domain"
)

// conn is one connection with the statements prepared on it. Only the code that
// took it from its pool uses it, on one goroutine at a time. So SQLite's own
// mutexes are off (NOMUTEX).
//
// It calls the SQLite library directly, not through database/sql. A row of
// fifteen columns costs the driver and database/sql a hundred allocations and
// more time than SQLite needs to find it: a read by id took 23 µs that way, and
// takes 9 µs this way. It leaves out what this package does not use: scripts,
// named arguments, time formats, and a goroutine for each statement that watches
// its context. Statements find their rows by index, in microseconds; a
// transaction checks its context between them.
type conn struct {
	tls      *libc.TLS
	db       uintptr
	prepared map[string]*statement
	broken   bool // its state is unknown: do not use it again

	out  uintptr // room for one pointer that SQLite returns
	args arena   // the arguments of the running statement
	wal  collected
}

// openConn opens the file. It must exist, because prepareFile creates it with the
// right mode. Each pragma is a setting of the connection as `name = value`.
func openConn(path string, pragmas []string) (*conn, error) {
	c := &conn{tls: libc.NewTLS(), prepared: map[string]*statement{}}
	c.out = lib.Xsqlite3_malloc(c.tls, pointerSize)
	name, err := libc.CString(path)
	if c.out == 0 || err != nil {
		return nil, errors.Join(errNoMemory, c.close())
	}
	defer libc.Xfree(c.tls, name)
	vfs, err := registerVFS()
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	rc := lib.Xsqlite3_open_v2(c.tls, name, c.out, lib.SQLITE_OPEN_READWRITE|lib.SQLITE_OPEN_NOMUTEX|lib.SQLITE_OPEN_EXRESCODE, vfs)
	c.db = c.pointer() // set even if opening failed, because it has the message
	err = c.error(rc)
	if err == nil {
		err = c.configure()
	}
	for _, pragma := range pragmas {
		if err == nil {
			_, err = c.exec(`PRAGMA ` + pragma)
		}
	}
	if err != nil {
		_ = c.close() // the reported error is the first one
		return nil, err
	}
	return c, nil
}

// configure makes SQL fail that would corrupt the file (defensive mode), or that
// would compare with a string by mistake ("strings" in double quotes). It keeps the
// plan of a statement the same for all arguments: otherwise SQLite compiles a
// statement again each time that the argument of its LIMIT is set.
func (c *conn) configure() error {
	for op, on := range map[int32]int32{lib.SQLITE_DBCONFIG_DEFENSIVE: 1, lib.SQLITE_DBCONFIG_DQS_DDL: 0, lib.SQLITE_DBCONFIG_DQS_DML: 0,
		lib.SQLITE_DBCONFIG_ENABLE_QPSG: 1} {
		const slot = 8 // bytes of one variadic argument, on every platform
		list := lib.Xsqlite3_malloc(c.tls, 2*slot)
		if list == 0 {
			return errNoMemory
		}
		rc := lib.Xsqlite3_db_config(c.tls, c.db, op, libc.VaList(list, on, uintptr(0)))
		lib.Xsqlite3_free(c.tls, list)
		if err := c.error(rc); err != nil {
			return err
		}
	}
	lib.Xsqlite3_limit(c.tls, c.db, lib.SQLITE_LIMIT_LENGTH, maxValue)
	return nil
}

// maxValue is how many bytes a value or a row may have. Most are shorter than 64 KiB,
// the limit of a request. maxValue bounds the memory that an edited file uses.
const maxValue = 64 << 20

// close ends the connection and rolls back its transaction. Statements are
// finalized first, because SQLite keeps a connection until the last one is gone.
func (c *conn) close() error {
	for _, s := range c.prepared {
		lib.Xsqlite3_finalize(c.tls, s.p) // returns the error of its last step again
	}
	err := c.error(lib.Xsqlite3_close(c.tls, c.db))
	c.args.free(c.tls)
	lib.Xsqlite3_free(c.tls, c.wal.p)
	lib.Xsqlite3_free(c.tls, c.out)
	c.tls.Close()
	return err
}

const pointerSize = 8 // at least, on every platform

// pointer is the pointer that SQLite wrote to c.out.
func (c *conn) pointer() uintptr {
	b := libc.GoBytes(c.out, pointerSize)
	if math.MaxUint == math.MaxUint32 {
		return uintptr(binary.NativeEndian.Uint32(b))
	}
	return uintptr(binary.NativeEndian.Uint64(b))
}

var errNoMemory = errors.New("out of memory")

// sqliteError is an error of SQLite. Its text may name tables and columns, but no
// value.
type sqliteError struct {
	code int // extended
	text string
}

func (e *sqliteError) Error() string { return fmt.Sprintf("%s (SQLite code %d)", e.text, e.code) }

func (c *conn) error(rc int32) error {
	switch rc {
	case lib.SQLITE_OK, lib.SQLITE_ROW, lib.SQLITE_DONE:
		return nil
	}
	return &sqliteError{int(rc), libc.GoString(lib.Xsqlite3_errmsg(c.tls, c.db))}
}

// inTransaction reports whether the connection is in a transaction. After some
// errors SQLite ends it without being asked.
func (c *conn) inTransaction() bool { return lib.Xsqlite3_get_autocommit(c.tls, c.db) == 0 }

// exec runs a statement and returns the number of rows it wrote.
func (c *conn) exec(query string, args ...any) (int64, error) {
	s, err := c.run(query, args)
	if err != nil {
		return 0, err
	}
	defer s.reset()
	for more := true; more; {
		if more, err = s.next(); err != nil {
			return 0, err
		}
	}
	return lib.Xsqlite3_changes64(c.tls, c.db), nil
}

// script runs the statements of a migration.
func (c *conn) script(text string) error {
	p, err := libc.CString(text)
	if err != nil {
		return errNoMemory
	}
	defer libc.Xfree(c.tls, p)
	return c.error(lib.Xsqlite3_exec(c.tls, c.db, p, 0, 0, 0))
}

// end ends the connection's transaction, by COMMIT or ROLLBACK. After a failed
// COMMIT it rolls back.
func (c *conn) end(query string) error {
	_, err := c.exec(query)
	if err != nil && c.inTransaction() {
		_, _ = c.exec(sqlRollback) // the reported error is its cause
	}
	c.broken = c.broken || c.inTransaction()
	return err
}

// run prepares a statement, or finds it prepared, and binds its arguments. The
// caller steps through its rows with next, and resets it before it runs another
// statement.
func (c *conn) run(query string, args []any) (*statement, error) {
	s, err := c.prepare(query)
	if err != nil {
		return nil, err
	}
	return s, s.bind(args)
}

// prepare prepares a statement once. SQLite takes $1 as a name, and numbers names
// in order of appearance, so it gets ?1 instead.
func (c *conn) prepare(query string) (*statement, error) {
	if s, ok := c.prepared[query]; ok {
		return s, nil
	}
	text, err := libc.CString(strings.ReplaceAll(query, "$", "?"))
	if err != nil {
		return nil, errNoMemory
	}
	defer libc.Xfree(c.tls, text)
	rc := lib.Xsqlite3_prepare_v3(c.tls, c.db, text, -1, lib.SQLITE_PREPARE_PERSISTENT, c.out, 0)
	if err := c.error(rc); err != nil {
		return nil, err
	}
	s := &statement{c: c, p: c.pointer()}
	c.prepared[query] = s
	return s, nil
}

// statement is a prepared statement and, while it runs, its current row. The
// columns are read in order, each once.
type statement struct {
	c      *conn
	p      uintptr
	column int32 // the next one to be read
}

// bind sets the arguments. Texts and blobs are copied once, into memory that Go's
// garbage collector does not move. SQLite reads them there until the statement is
// reset.
func (s *statement) bind(args []any) error {
	size := 0
	for _, arg := range args {
		switch arg := arg.(type) {
		case string:
			size += len(arg)
		case []byte:
			size += len(arg)
		}
	}
	a, tls := &s.c.args, s.c.tls
	if err := a.begin(tls, size); err != nil {
		return err
	}
	var failed int32
	for i, arg := range args {
		var rc int32
		n := int32(i + 1)
		switch arg := arg.(type) {
		case string:
			rc = lib.Xsqlite3_bind_text(tls, s.p, n, place(a, arg), int32(len(arg)), static) //nolint:gosec // G115: see arena
		case []byte:
			rc = lib.Xsqlite3_bind_blob(tls, s.p, n, place(a, arg), int32(len(arg)), static) //nolint:gosec // G115: see arena
		case int64:
			rc = lib.Xsqlite3_bind_int64(tls, s.p, n, arg)
		case int:
			rc = lib.Xsqlite3_bind_int64(tls, s.p, n, int64(arg))
		case bool:
			var flag int64
			if arg {
				flag = 1
			}
			rc = lib.Xsqlite3_bind_int64(tls, s.p, n, flag)
		default:
			return fmt.Errorf("argument %d is a %T", n, arg)
		}
		failed = cmp.Or(failed, rc)
	}
	return s.c.error(failed)
}

const static = 0 // SQLITE_STATIC: the value stays where it is for as long as SQLite needs it

// next steps to the next row, and reports whether there is one.
func (s *statement) next() (bool, error) {
	s.column = 0
	rc := lib.Xsqlite3_step(s.c.tls, s.p)
	return rc == lib.SQLITE_ROW, s.c.error(rc)
}

// reset ends the statement, so that it can run again. It does not report an error
// of the last step again.
func (s *statement) reset() { lib.Xsqlite3_reset(s.c.tls, s.p) }

// Text is the column as text.
func (s *statement) Text() string { return string(s.bytes()) }

// Blob is a copy of the column; an empty one is nil.
func (s *statement) Blob() []byte { return append([]byte(nil), s.bytes()...) }

// bytes is the column in SQLite's memory. It is valid until the next step.
func (s *statement) bytes() []byte {
	p := lib.Xsqlite3_column_blob(s.c.tls, s.p, s.column)
	n := lib.Xsqlite3_column_bytes(s.c.tls, s.p, s.column)
	s.column++
	if n == 0 {
		return nil
	}
	return libc.GoBytes(p, int(n))
}

// Integer is the column as an integer.
func (s *statement) Integer() int64 {
	v := lib.Xsqlite3_column_int64(s.c.tls, s.p, s.column)
	s.column++
	return v
}

// Time is an integer as a time.
func (s *statement) Time() time.Time { return domain.FromMicros(s.Integer()) }

// Flag is an integer as a boolean. It is valid if it is 0 or 1.
func (s *statement) Flag() (is, valid bool) {
	v := s.Integer()
	return v != 0, v == 0 || v == 1
}

// arena is memory that SQLite may keep pointers to. It holds the arguments of one
// statement at a time.
type arena struct {
	p          uintptr
	size, used int
}

const (
	minArena = 4 << 10
	maxArena = 1 << 30 // SQLite takes no longer value
)

// begin empties the arena and makes room for size bytes.
func (a *arena) begin(tls *libc.TLS, size int) error {
	a.used = 0
	if size <= a.size && a.size > 0 {
		return nil
	}
	a.free(tls)
	if size > maxArena {
		return errNoMemory
	}
	size = max(size, minArena)
	if a.p = lib.Xsqlite3_malloc(tls, int32(size)); a.p == 0 {
		return errNoMemory
	}
	a.size = size
	return nil
}

func (a *arena) free(tls *libc.TLS) {
	lib.Xsqlite3_free(tls, a.p)
	*a = arena{}
}

// place copies v into the arena and returns its address: never 0, which SQLite
// would take as NULL.
func place[T string | []byte](a *arena, v T) uintptr {
	p := a.p + uintptr(a.used)
	a.used += copy(libc.GoBytes(a.p, a.size)[a.used:], v)
	return p
}
