// Package sqlite keeps Strongroom's records in one SQLite file, by a SQLite in
// pure Go.
//
// The idea: SQLite allows one writer at a time. So there is one write connection,
// lent in order of arrival, and every write transaction begins with BEGIN
// IMMEDIATE: it cannot find out at its end that another one was faster. Writes
// that wait for each other share a transaction and its fsync (see writer). Reads
// have connections of their own and see one snapshot (WAL mode), so they never
// wait for a writer. Other processes, such as a command beside the server, share
// the file through SQLite's own locks.
//
// The threats, and what is done about each:
//
//   - A power cut after an answer: with synchronous=FULL, COMMIT returns
//     after the WAL is on the disk.
//   - A stolen file: it holds sealed values only. Erased values are
//     overwritten with zeros (secure_delete), also where SQLite left a copy
//     when it moved a row (gaps.go). [Store.Scrub] removes them from the
//     WAL. Only the owner can read the files.
//   - A file that is deleted or replaced while the process runs, so that
//     commits would be lost: see files.check.
//
// Nothing else in the process may open the -shm file, not even to read or copy
// it. When a process closes any descriptor of a file, the kernel drops all locks
// of the process on that file, and the locks on this one protect the WAL.
package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// Config says which file to open and how.
type Config struct {
	// Path of the database file. Its directory must exist. If the file does not,
	// it is created, readable by its owner only. SQLite keeps two more files in
	// the same directory, with -wal and -shm appended to the name.
	Path string
	// MustExist refuses to create the file. A command that inspects or repairs a
	// store must not create an empty one from a mistyped path.
	MustExist bool
	// Served refuses a file that another process opened with Served: at most one
	// server runs on a database. Other programs may open it beside the server.
	Served bool
	// Now is the clock of [store.Tx]; nil is time.Now. Only tests set it.
	Now func() time.Time
}

// Store is the engine. Its methods keep the promises of [store.Store]; it is
// safe for concurrent use.
type Store struct {
	files  files
	faults faults
	now    func() time.Time
	writer *writer
	reader *pool

	// Its connection keeps the WAL in existence, so that files can tell which WAL
	// is this store's.
	checkpointer *checkpointer

	served *os.File // locked; nil: not [Config.Served]

	closing  sync.Once
	closeErr error
}

var _ store.Store = (*Store)(nil)

// Open opens the database and creates the file if there is none. It refuses a
// file that cannot keep the records. Each error says what the operator can do.
// Open accepts a schema that is older than this binary, or missing, so that
// [Store.Migrate] can be called; until then transactions fail and Ping returns
// [store.ErrSchemaOutdated]. A newer schema is refused with
// [store.ErrSchemaNewer].
func Open(ctx context.Context, cfg Config) (*Store, error) {
	path, err := prepareFile(cfg.Path, cfg.MustExist)
	if err != nil {
		return nil, err
	}
	s := &Store{files: files{path: path}, now: cfg.Now}
	if cfg.Served {
		if s.served, err = lockServed(path); err != nil {
			return nil, err
		}
	}
	if s.now == nil {
		s.now = time.Now
	}
	s.writer = newWriter(func() (*conn, error) { return s.openConn(path, writerPragmas) }, &s.files, s.now)
	s.reader = newPool(func() (*conn, error) { return s.openConn(path, readerPragmas) }, max(4, runtime.GOMAXPROCS(0)))
	if err := s.inspect(ctx); err != nil {
		_ = s.Close() // the reported error is the first one
		return nil, fmt.Errorf("opening database %s: %w", cfg.Path, err)
	}
	return s, nil
}

// inspect checks before the first use that the file is a Strongroom database,
// that this binary knows its schema, and that it can be written. It does not
// change another program's file: WAL mode is turned on later, by the first use of
// the write connection.
func (s *Store) inspect(ctx context.Context) error {
	have, known, err := s.SchemaVersion(ctx)
	if err != nil {
		return err
	}
	if err := store.CheckNotNewer(have, known); err != nil {
		return err
	}
	err = s.writer.update(ctx, func(t *tx) error {
		mode, err := sqltx.One(t, sqltx.Row.Text, sqlJournalMode)
		if err != nil {
			return err
		}
		if mode != "wal" {
			return errors.New("its file system cannot share memory between processes, which SQLite needs: use a local disk")
		}
		if mode, err := sqltx.One(t, sqltx.Row.Integer, sqlAutoVacuum); err != nil || mode != 0 {
			return cmp.Or(err, errAutoVacuum)
		}
		return tryWrite(t)
	})
	if !errors.Is(err, errNothingToWrite) {
		return err
	}
	return s.anchor(ctx)
}

// errAutoVacuum: such a file has pages that map other pages. A map can look like a B-tree
// page, and writeGapless would damage it.
var errAutoVacuum = errors.New("its setting auto_vacuum is on, which strongroom does not support: " +
	"stop the service, run sqlite3 FILE 'PRAGMA auto_vacuum = NONE; VACUUM', and start it again")

// tryWrite changes a page in memory, which fails on a read-only database, and
// returns errNothingToWrite.
func tryWrite(t *tx) error {
	if _, err := t.Exec(sqlTouch); err != nil {
		return err
	}
	return errNothingToWrite
}

// anchor opens the connection that keeps the WAL in existence.
func (s *Store) anchor(ctx context.Context) error {
	c, err := open(ctx, s.reader.open)
	if err != nil {
		return err
	}
	if _, err := c.exec(sqlTables); err != nil { // the first read opens the WAL
		return errors.Join(explain(err), c.close())
	}
	if s.checkpointer, err = startCheckpointer(c, s.writer, s.files.path); err != nil {
		return errors.Join(err, c.close())
	}
	return s.files.remember()
}

// Every pragma is a setting of the connection, except the journal mode, which is
// kept in the file.
var (
	sharedPragmas = []string{
		// Of new files and of backups. A verdict changes one row in each of four pages,
		// and a commit writes whole pages. With 1024, the row of a key would need several.
		"page_size = 2048",
		"synchronous = FULL", // NORMAL may lose acknowledged commits in a power cut
		"foreign_keys = ON",
		"temp_store = MEMORY",  // no row may spill into a temporary file elsewhere on the disk
		"trusted_schema = OFF", // an edited schema cannot call functions
	}
	writerPragmas = append(slices.Clone(sharedPragmas),
		"busy_timeout = 0", // retryBusy waits, and checks whether the caller gave up
		"journal_mode = WAL",
		"wal_autocheckpoint = 32000",    // a limit; checkpointer usually comes before
		"secure_delete = ON",            // erased values are overwritten with zeros
		"journal_size_limit = 67108864", // the WAL shrinks again after a long read made it grow
	)
	readerPragmas = append([]string{
		// KiB. Pages that are read by a random id come from the cache of the
		// operating system. A larger cache here did not make reads faster, and
		// each connection has its own.
		"cache_size = -512",
		// In WAL mode a read waits only for another process that repairs the WAL
		// after a crash.
		"busy_timeout = 5000",
		"query_only = ON",
	}, sharedPragmas...)
)

// Close ends all connections. If no other process uses the file, the WAL is
// folded into it. Transactions in progress fail at their next step. Close waits
// for them, so do not call it inside one.
func (s *Store) Close() error {
	s.closing.Do(func() {
		errs := []error{s.writer.close(), s.reader.close()}
		if s.checkpointer != nil { // the last connection, because of the WAL
			errs = append(errs, s.checkpointer.close())
		}
		if s.served != nil {
			defer s.served.Close()
		}
		if err := errors.Join(errs...); err != nil {
			s.closeErr = fmt.Errorf("closing the database: %w", explain(err))
		}
	})
	return s.closeErr
}

// Path is that of the database file: absolute, without symbolic links.
func (s *Store) Path() string { return s.files.path }

// Ping reports whether the store can serve reads and take writes now: it checks
// that the file is in its place, that a snapshot can be read, that the schema is
// the one that this binary knows, that no transaction met a fault of the disk
// recently, and that the write lock is available. After a write that failed it
// also writes and commits, to notice that a full disk has room again. It waits
// for its turn like any write, so limit it with ctx.
func (s *Store) Ping(ctx context.Context) error {
	have, known, err := s.SchemaVersion(ctx)
	if err != nil {
		return err
	}
	if err := store.CheckNotNewer(have, known); err != nil {
		return err
	}
	if err := store.CheckNotOutdated(have, known); err != nil {
		return err
	}
	if err := s.faults.standing(); err != nil {
		return err
	}
	err = s.writer.update(ctx, func(t *tx) error {
		err := tryWrite(t)
		if errors.Is(err, errNothingToWrite) && s.writer.failing.Load() {
			return nil
		}
		return err
	})
	if errors.Is(err, errNothingToWrite) {
		return nil
	}
	return err
}

// Statements about the connection or the file as a whole.
const (
	sqlBegin          = `BEGIN`
	sqlBeginImmediate = `BEGIN IMMEDIATE`
	sqlCommit         = `COMMIT`
	sqlRollback       = `ROLLBACK`
	sqlJournalMode    = `PRAGMA journal_mode`
	sqlAutoVacuum     = `PRAGMA auto_vacuum`
	// sqlTouch writes the file's first page again, unchanged: the number is applicationID.
	sqlTouch = `PRAGMA application_id = 1400140370`
)

// openConn opens a further connection. If a file was lost it fails, because
// SQLite would create a new one in its place.
func (s *Store) openConn(path string, pragmas []string) (*conn, error) {
	if err := s.files.check(); err != nil {
		return nil, err
	}
	return openConn(path, pragmas)
}
