// Package sqltx is the SQL that both engines share: the text of the statements,
// their arguments, and how a row is read. An engine runs the statements. It
// embeds a [Tx] in its transaction and overrides only the methods that it
// implements in another way.
//
// The text of each statement is a constant beside the method that uses it.
// Parameters are $1, $2 and so on.
package sqltx

import (
	"errors"
	"time"

	"strongroom/internal/store"
)

// Engine runs the statements of one transaction. An argument is a string,
// []byte, int64, int or bool.
type Engine interface {
	// Now is that of [store.Tx].
	Now() time.Time
	// Exec runs a statement and returns the number of rows it wrote.
	Exec(query string, args ...any) (written int64, err error)
	// Query runs a query and calls each with every row. each must not run a
	// statement.
	Query(each func(Row), query string, args ...any) error
}

// Row is one row of a result. Its columns are read in order, each once.
type Row interface {
	Text() string
	// Blob is a copy of the column. An empty one is nil.
	Blob() []byte
	Integer() int64
	// Time is an integer as a time: microseconds of Unix time.
	Time() time.Time
	// Flag is a boolean. valid is false if the column holds another value, which
	// Strongroom never writes.
	Flag() (is, valid bool)
}

// Texts are the statements that differ between the engines. Their arguments and
// results are the same.
type Texts struct {
	NoteCiphertext   string // writes no row if the digest $5, or its first 8 bytes $4, are there already
	CiphertextNoted  string // true or false, with the same arguments
	LockedAttempts   string // AttemptsColumns and locked_to
	CountEvents      string // up to $2, or a few more
	CountDeadLetters string // likewise
}

// Tx has the methods of [store.Tx], except those of [store.Clock].
type Tx struct {
	secrets
	facts
	lists
}

// secrets are device keys, credentials, and the limits of their use.
type secrets struct {
	db    Engine
	texts *Texts
}

// facts are settings, accounts, and the records of operations: uses of keys,
// results, the audit trail, roll-ups.
type facts struct {
	db       Engine
	verdicts Verdicts
}

// lists are read in pages: the listings for operators, and the outbox.
type lists struct {
	db       Engine
	texts    *Texts
	verdicts Verdicts
}

// New returns a Tx that runs its statements on db.
func New(db Engine, texts *Texts, v Verdicts) Tx {
	return Tx{secrets{db, texts}, facts{db, v}, lists{db, texts, v}}
}

// Read is a query that is sent together with others. Each is called with every row.
type Read struct {
	Each  func(Row)
	Query string
	Args  []any
}

// Together is an engine that sends several reads at once. Otherwise they run one
// after the other.
type Together interface{ Together(reads ...Read) error }

func together(db Engine, reads ...Read) error {
	if engine, ok := db.(Together); ok && len(reads) > 0 {
		return engine.Together(reads...)
	}
	for _, r := range reads {
		if err := db.Query(r.Each, r.Query, r.Args...); err != nil {
			return err
		}
	}
	return nil
}

// first is a function for [Read.Each] that keeps a row in to.
func first[T any](to **T, scan func(Row) T) func(Row) {
	return func(r Row) { *to = new(scan(r)) }
}

// All runs a query and reads all its rows before it returns, so that the caller
// can run statements for each row.
func All[T any](db Engine, scan func(Row) T, query string, args ...any) ([]T, error) {
	var all []T
	err := db.Query(func(r Row) { all = append(all, scan(r)) }, query, args...)
	return all, err
}

// One runs a query for at most one row. If there is none, it returns
// store.ErrNotFound.
func One[T any](db Engine, scan func(Row) T, query string, args ...any) (T, error) {
	var first struct { // one allocation: the closure moves it to the heap
		row   T
		found bool
	}
	err := db.Query(func(r Row) {
		if !first.found {
			first.row, first.found = scan(r), true
		}
	}, query, args...)
	if err == nil && !first.found {
		err = store.ErrNotFound
	}
	return first.row, err
}

// ExecOne runs a statement that writes one row. If it writes none, because the
// row is not as expected, ExecOne fails with store.ErrConflict.
func ExecOne(db Engine, query string, args ...any) error {
	n, err := db.Exec(query, args...)
	if err == nil && n == 0 {
		return store.ErrConflict
	}
	return err
}

// Write is a statement that writes one row, or with Any set any number of rows.
type Write struct {
	Query   string
	Guarded string // the same statement, which fails with a division by zero if it writes no row
	Args    []any
	// Usable tells whether the key that the first four arguments name may be used.
	// If not, that is why no row was written. Empty: the statement needs no key.
	Usable string
	Any    bool // no row need be written: Guarded is empty
}

// Later is an engine that keeps writes until the next statement or the commit,
// and then sends them together. If one of them writes no row, the transaction
// fails with the error that [write] would have returned.
type Later interface{ Write(w Write) error }

// The beginning and the end of [Write.Guarded].
const (
	guard   = `WITH written AS (`
	guarded = ` RETURNING 1) SELECT 1 / count(*) FROM written`
)

// write runs a statement, or leaves that to the engine. If it writes no row,
// write finds out the reason: the key may not be used ([store.ErrKeyNotUsable]), or
// the row is not as expected ([store.ErrConflict]).
func write(db Engine, w Write) error {
	if later, ok := db.(Later); ok {
		return later.Write(w)
	}
	if w.Any {
		return run(db, w.Query, w.Args...)
	}
	err := ExecOne(db, w.Query, w.Args...)
	if w.Usable == "" || !errors.Is(err, store.ErrConflict) {
		return err
	}
	return whyNotWritten(db, w)
}

// whyNotWritten returns why w, which needs a key, wrote no row.
func whyNotWritten(db Engine, w Write) error {
	usable, err := One(db, IsTrue, w.Usable, w.Args[:4]...)
	switch {
	case err != nil:
		return err
	case !usable:
		return store.ErrKeyNotUsable
	}
	return store.ErrConflict
}

// run runs a statement that may write any number of rows.
func run(db Engine, query string, args ...any) error {
	_, err := db.Exec(query, args...)
	return err
}

// written converts a number of rows for a use case.
func written(n int64, err error) (int, error) { return int(n), err }

// IsTrue reads a boolean that a query computed.
func IsTrue(r Row) bool {
	is, _ := r.Flag()
	return is
}

// micros is an integer as a duration.
func micros(r Row) time.Duration { return time.Duration(r.Integer()) * time.Microsecond }
