package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// Source is a database that is read whole, to be copied into another engine. It
// has the file to itself, because a server on it would make changes that the copy
// lacks. It is not safe for concurrent use.
type Source struct {
	conn *conn
	tx   *tx
	buf  []byte
}

var _ store.CopySource = (*Source)(nil)

// OpenSource opens the database in the file. The schema must be the one that this
// binary knows. It refuses a file that another process has open. Until Close, no
// other process can open it.
func OpenSource(ctx context.Context, path string) (*Source, error) {
	file, err := prepareFile(path, true)
	if err != nil {
		return nil, err
	}
	c, err := openConn(file, sourcePragmas)
	switch {
	case isBusy(err):
		return nil, fmt.Errorf("another process has %s open: stop the server, and wait for commands on it to end", path)
	case err != nil:
		return nil, fmt.Errorf("opening database %s: %w", path, explain(err))
	}
	s := &Source{conn: c, tx: newTx(ctx, c, nil, time.Now())}
	if err := s.begin(ctx); err != nil {
		_ = c.close() // the reported error is the first one
		return nil, fmt.Errorf("opening database %s: %w", path, err)
	}
	return s, nil
}

// In this locking mode the first read, which is the last of these statements,
// locks the file against all other connections. In WAL mode that fails while
// there are any, even idle ones.
var sourcePragmas = slices.Concat([]string{"busy_timeout = 0", "locking_mode = EXCLUSIVE", "cache_size = -8192"}, sharedPragmas,
	[]string{"query_only = ON", "schema_version"})

// begin begins the one transaction, and checks the schema.
func (s *Source) begin(ctx context.Context) error {
	if err := begin(ctx, s.conn, sqlBegin); err != nil {
		return err
	}
	have, err := schemaVersion(s.tx)
	if err != nil {
		return err
	}
	known, err := knownSchema()
	if err != nil {
		return err
	}
	if err := store.CheckNotNewer(have, known); err != nil {
		return err
	}
	if err := store.CheckNotOutdated(have, known); err != nil {
		return err
	}
	return checkSchema(s.tx, have)
}

// Close releases the file.
func (s *Source) Close() error {
	s.tx.end()
	return errors.Join(explain(s.conn.end(sqlRollback)), explain(s.conn.close()))
}

// Setting returns a value, or store.ErrNotFound.
func (s *Source) Setting(name string) ([]byte, error) { return s.tx.Setting(name) }

// LastEntry returns the newest entry of a chain of the trail, or
// store.ErrNotFound.
func (s *Source) LastEntry(chain string) (domain.Entry, error) { return s.tx.LastEntry(chain) }

// EachRow is that of [store.CopySource].
func (s *Source) EachRow(ctx context.Context, t store.Table, after store.Row, fn func(store.Row) error) error {
	if err := s.tx.alive(); err != nil {
		return err
	}
	found, err := s.conn.run(sqltx.SelectTable(t, after), t.Values(after))
	if err != nil {
		return explain(err)
	}
	defer found.reset()
	row := make(store.Row, len(t.Columns))
	for {
		more, err := found.next()
		if err != nil || !more {
			return explain(err)
		}
		s.scan(found, t, row)
		if err := fn(row); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// scan reads the current row of a statement. If SQLite holds another value in
// place of a flag, it stays an integer, and the copy refuses it.
func (s *Source) scan(r *statement, t store.Table, into store.Row) {
	s.buf = s.buf[:0]
	if cap(s.buf) < 9*len(t.Columns) {
		s.buf = make([]byte, 0, 9*len(t.Columns)) // so that what points into it stays
	}
	for i, c := range t.Columns {
		if c.Kind == store.Text || c.Kind == store.Bytes {
			into[i] = r.bytes()
			if t.Name == "device_key" && c.Name == "public_key" { // earlier versions on PostgreSQL cannot read a modulus
				into[i] = sqltx.UnpackPublicKey(into[i])
			}
			continue
		}
		v, start := r.Integer(), len(s.buf)
		if c.Kind == store.Flag && (v == 0 || v == 1) {
			s.buf = append(s.buf, byte(v))
		} else if c.Kind == store.Small && v == int64(int32(v)) { //nolint:gosec // G115: compared
			s.buf = binary.BigEndian.AppendUint32(s.buf, uint32(v)) //nolint:gosec // G115: two's complement is the form
		} else {
			s.buf = binary.BigEndian.AppendUint64(s.buf, uint64(v)) //nolint:gosec // G115: two's complement is the form
		}
		into[i] = s.buf[start:]
	}
}
