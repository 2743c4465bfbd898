// Package sqlite keeps Strongroom's records in one SQLite file, by a SQLite in
// pure Go.
//
// The idea: SQLite allows one writer at a time, so there is one write
// connection, lent in the order of arrival, and every write transaction begins
// with BEGIN IMMEDIATE: it never finds out at its end that somebody else was
// faster. Writes that wait for each other share a transaction and its fsync
// (see writer). Reads have connections of their own and see one snapshot (WAL
// mode), so they never wait for a writer. Other processes (a command beside the
// server) share the file through SQLite's own locks.
//
// The threats: a power cut after an answer was given (synchronous=FULL: COMMIT
// returns once the WAL is on the disk); a stolen file (nothing but sealed
// values is stored, erased values are overwritten with zeros by
// secure_delete, [Store.Scrub] does the same for the WAL, and every file is
// readable by its owner only); and a file that is deleted or replaced under a
// running process, whose commits would go nowhere (see files.check).
//
// Nothing else in the process may open the -shm file, to read it or copy it:
// the kernel drops every lock that a process holds on a file as soon as the
// process closes any descriptor of it, and those are the locks of the WAL.
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// Config says which file to open and how.
type Config struct {
	// Path of the database file. Its directory must exist; the file is
	// created, readable by its owner only, when it does not. SQLite keeps two
	// more files beside it, with -wal and -shm behind the name.
	Path string
	// MustExist refuses to create the file: a command that only inspects or
	// repairs a store must not make an empty one out of a mistyped path.
	MustExist bool
	// Served refuses a file that another process has opened so: one server at
	// most runs on a database. Others may open it beside the server.
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

	// Its connection keeps the WAL in being while others come and go, so that
	// files can say which WAL is ours.
	checkpointer *checkpointer

	served *os.File // locked; nil: not [Config.Served]

	closing  sync.Once
	closeErr error
}

var _ store.Store = (*Store)(nil)

// Open opens the database, creating the file when there is none, and refuses
// what it could not keep records in: each error says what the operator can do
// about it. A schema that is older than this binary (a new file among them) is
// opened, so that [Store.Migrate] can be called; until then transactions fail
// and Ping says [store.ErrSchemaOutdated]. A newer one is refused with
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
		_ = s.Close() // the reason to give up is the one to report
		return nil, fmt.Errorf("opening database %s: %w", cfg.Path, err)
	}
	return s, nil
}

// inspect finds out before the first use whether the file is a database of
// ours, that this binary knows its schema, and that it can be written. What is
// not ours is left as it was: only then is WAL mode turned on, by the first
// use of the write connection.
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
		return tryWrite(t)
	})
	if !errors.Is(err, errNothingToWrite) {
		return err
	}
	return s.anchor(ctx)
}

// tryWrite changes a page in memory, which is where a read-only database is
// found out, and returns errNothingToWrite.
func tryWrite(t *tx) error {
	if _, err := t.Exec(sqlTouch); err != nil {
		return err
	}
	return errNothingToWrite
}

// anchor opens the connection that keeps the WAL in being.
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

// Every pragma is a setting of the connection, but for the journal mode, which
// the file remembers.
var (
	sharedPragmas = []string{
		"synchronous = FULL", // NORMAL may lose acknowledged commits in a power cut
		"foreign_keys = ON",
		"temp_store = MEMORY",  // no row may spill into a temporary file elsewhere on the disk
		"trusted_schema = OFF", // a doctored schema cannot call functions
	}
	writerPragmas = append([]string{
		"busy_timeout = 0", // retryBusy waits, and looks whether the caller still wants to
		"journal_mode = WAL",
		"wal_autocheckpoint = 16000",    // checkpointer comes before; it is for the day on which it cannot
		"secure_delete = ON",            // what is erased is overwritten with zeros
		"journal_size_limit = 67108864", // a WAL that one long read made grow shrinks again
	}, sharedPragmas...)
	readerPragmas = append([]string{
		// KiB. Whatever is read by a random id is read from the system's cache: more
		// of it here did not make reads faster, for each of several connections.
		"cache_size = -512",
		// A read waits for nobody in WAL mode, except for another process that
		// repairs the WAL after a crash.
		"busy_timeout = 5000",
		"query_only = ON",
	}, sharedPragmas...)
)

// Close ends all connections, and folds the WAL into the database file when
// this process was the last to use it. Transactions under way fail at their
// next step; Close waits for them, so it must not be called inside one.
func (s *Store) Close() error {
	s.closing.Do(func() {
		errs := []error{s.writer.close(), s.reader.close()}
		if s.checkpointer != nil { // the last to go, because of the WAL
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

// Ping reports whether the store can serve reads and take writes now: the file
// is where it was, a snapshot can be read, the schema is the one this binary
// knows, no transaction met a fault of the disk lately, and the write lock is to
// be had. After a write that failed it also
// makes one and commits it, which is how it notices that a full disk has room
// again. It waits for its turn like any write: bound it with ctx.
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
	// sqlTouch writes the file's first page again as it is.
	sqlTouch = `PRAGMA application_id = 1400140370`
)

// openConn opens a further connection, unless a file was lost: it would make a
// new one in its place.
func (s *Store) openConn(path string, pragmas []string) (*conn, error) {
	if err := s.files.check(); err != nil {
		return nil, err
	}
	return openConn(path, pragmas)
}
