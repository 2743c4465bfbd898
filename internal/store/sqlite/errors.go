package sqlite

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	lib "modernc.org/sqlite/lib"

	"strongroom/internal/store"
)

// ErrForeignSchema: someone who can write to the file put a trigger, a view or another
// part into it that SQLite could run. The error that wraps it names the part.
var ErrForeignSchema = errors.New("somebody else has written to the file; find out who, drop it, and run strongroom audit verify")

// errNothingToWrite ends a write transaction that is only a test, so that it is
// rolled back.
var errNothingToWrite = errors.New("nothing to write")

var errTxDone = errors.New("transaction has ended")

// explain returns the meaning of an error of SQLite, for the operator. It keeps
// SQLite's own text only for errors that it does not know: that text may name
// tables and columns, but no value. Errors of the context are returned unchanged.
func explain(err error) error {
	if err == nil || isContext(err) {
		return err
	}
	code, ok := sqliteCode(err)
	if !ok {
		return fmt.Errorf("database: %v", err)
	}
	switch code & 0xff {
	case lib.SQLITE_FULL:
		return errFull
	case lib.SQLITE_NOTADB:
		return &fault{text: "the file is not a Strongroom database: check the path", stays: true}
	case lib.SQLITE_TOOBIG:
		return &fault{text: fmt.Sprintf("the database holds or computes a value of more than %d MiB, which strongroom never writes: "+
			"somebody else has written to the file; restore a backup", maxValue>>20), stays: true}
	case lib.SQLITE_CORRUPT:
		return &fault{text: "the database is damaged: stop the service and restore a backup", stays: true}
	case lib.SQLITE_READONLY, lib.SQLITE_PERM:
		return &fault{text: "the database is read-only: make the file and its directory writable for the user that runs strongroom"}
	case lib.SQLITE_CANTOPEN:
		return &fault{text: "the database cannot be opened: its file and its directory must be readable and writable for the user that runs strongroom"}
	case lib.SQLITE_BUSY:
		return &fault{text: fmt.Sprintf("the database is locked: another process has been writing to it for more than %v", busyWait), seen: true}
	case lib.SQLITE_IOERR:
		if code == lib.SQLITE_IOERR_SHMSIZE || code == lib.SQLITE_IOERR_WRITE {
			return &fault{text: fmt.Sprintf("the disk is full or failed: free some space for the database, or replace the disk (SQLite code %d)", code), disk: true}
		}
		return &fault{text: fmt.Sprintf("the disk failed to read or write the database (SQLite code %d)", code), disk: true} // also a quota that is used up
	}
	return fmt.Errorf("database: %v", err)
}

var errFull = &fault{text: "the disk is full: free some space for the database", disk: true}

// fault is an error of the disk or the file. Most of them are temporary.
type fault struct {
	text  string
	seen  bool // a probe always meets it too
	disk  bool // the disk failed a read or write, perhaps because it was full
	stays bool // the database is damaged: an operator must restore it, and a retry fails again
}

func (f *fault) Error() string { return f.text }

// Is makes a temporary fault a [store.ErrUnavailable].
func (f *fault) Is(target error) bool { return target == store.ErrUnavailable && !f.stays }

// faultCalm is how long after its last fault the store still counts as failing. A
// probe's own read or write proves nothing: it may succeed with a page in memory,
// or with free space in a page.
const faultCalm = 3 * time.Second

// faults remembers the last fault of a transaction. It ignores faults that a
// probe always meets itself.
type faults struct {
	last atomic.Pointer[seenFault]
}

type seenFault struct {
	*fault
	at time.Time
}

// note remembers err if it is a fault, and returns it.
func (f *faults) note(err error) error {
	var met *fault
	if errors.As(err, &met) && !met.seen {
		if last := f.last.Load(); last == nil || !last.stays {
			f.last.Store(&seenFault{met, time.Now()})
		}
	}
	return err
}

// standing returns the fault that readiness reports, or nil. A damaged database
// stays a fault until a restart.
func (f *faults) standing() error {
	if last := f.last.Load(); last != nil && (last.stays || time.Since(last.at) < faultCalm) {
		return last.fault
	}
	return nil
}

func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// sqliteCode is the extended result code of an error of SQLite.
func sqliteCode(err error) (int, bool) {
	e, ok := errors.AsType[*sqliteError](err)
	if !ok {
		return 0, false
	}
	return e.code, true
}

func isBusy(err error) bool {
	code, ok := sqliteCode(err)
	return ok && code&0xff == lib.SQLITE_BUSY
}

// isDuplicate reports whether a unique index refused the statement, which
// leaves the transaction as it was before the statement.
func isDuplicate(err error) bool {
	code, _ := sqliteCode(err)
	return code == lib.SQLITE_CONSTRAINT_UNIQUE || code == lib.SQLITE_CONSTRAINT_PRIMARYKEY
}
