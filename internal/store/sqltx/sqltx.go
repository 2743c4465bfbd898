// Package sqltx is the SQL that both engines share: the text of the statements,
// their arguments, and how a row is read. An engine runs the statements. It
// embeds a [Tx] in its transaction and overrides only the methods that it
// implements in another way.
//
// The text of each statement is a constant beside the method that uses it.
// Parameters are $1, $2 and so on.
package sqltx

import (
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
type facts struct{ db Engine }

// lists are read in pages: the listings for operators, and the outbox.
type lists struct {
	db    Engine
	texts *Texts
}

// New returns a Tx that runs its statements on db.
func New(db Engine, texts *Texts) Tx { return Tx{secrets{db, texts}, facts{db}, lists{db, texts}} }

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
	var first struct { // together, because Query moves them to the heap
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

// run runs a statement that may write any number of rows.
func run(db Engine, query string, args ...any) error {
	_, err := db.Exec(query, args...)
	return err
}

// written converts a number of rows for a use case.
func written(n int64, err error) (int, error) { return int(n), err }

func isTrue(r Row) bool {
	is, _ := r.Flag()
	return is
}

// micros is an integer as a duration.
func micros(r Row) time.Duration { return time.Duration(r.Integer()) * time.Microsecond }
