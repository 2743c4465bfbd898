package postgres

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"strongroom/internal/domain"
	"strongroom/internal/store/sqltx"
)

// conn is a connection that the pool has lent. It belongs to one transaction.
//
// It speaks the wire protocol through pgconn, a level below pgx's queries. So
// several statements share a round trip, and none is described beforehand.
type conn struct {
	lent       *pgxpool.Conn
	pg         *pgconn.PgConn
	store      *Store
	from       *endpoint
	background bool // it was lent to work that no request waits for
}

// request is one statement.
type request struct {
	sql  string
	args []any
	each func(sqltx.Row) // is called with each row of the result; nil: rows are ignored
	tag  pgconn.CommandTag
	seen bool // each was called: sent again, it would see rows twice

	first func() // is called before its answer is read; nil: nothing is

	preparing *pgconn.StatementDescription // sent before it, and not confirmed yet; nil: none
}

// binaryForm is PostgreSQL's binary form of all parameters or all results. Texts
// and bytes are unchanged in it.
var binaryForm = []int16{pgtype.BinaryFormatCode}

// roundTrip sends the requests together and waits for all answers. After the
// first request that fails, the server skips the others. More than mostTogether
// requests take several round trips, each with its own time limit.
func (c *conn) roundTrip(ctx context.Context, requests ...*request) error {
	for len(requests) > mostTogether {
		if err := c.exchange(ctx, requests[:mostTogether]); err != nil {
			return err
		}
		requests = requests[mostTogether:]
	}
	return c.exchange(ctx, requests)
}

// mostTogether is a number of statements that a busy server answers within
// roundTripLimit. Only prunes send more: up to two for each chain of the trail.
const mostTogether = 1000

func (c *conn) exchange(ctx context.Context, requests []*request) error {
	limited, cancel := bounded(ctx)
	defer cancel()
	err := c.pipeline(limited, requests)
	if deadline, ok := ctx.Deadline(); err != nil && limited.Err() != nil && !(ok && time.Now().After(deadline)) {
		c.from.pool.Reset() // no answer: the connections are probably to a server that is gone
	}
	return err
}

func (c *conn) pipeline(ctx context.Context, requests []*request) error {
	c.store.stats.roundTrips.Add(1)
	names := c.named()
	defer names.forget(requests)
	p := c.pg.StartPipeline(ctx)
	for _, r := range requests {
		values, types, err := encode(r.args)
		if err != nil {
			return errors.Join(err, p.Close())
		}
		c.store.stats.statements.Add(1)
		r.queue(p, names, values, types)
	}
	err := p.Sync()
	for _, r := range requests {
		if err == nil {
			err = r.receive(p)
		}
	}
	if closing := p.Close(); err == nil {
		err = closing
	}
	return err
}

// roundTripLimit is how long one exchange waits for its answers. It is longer than the
// server works on a statement.
const roundTripLimit = statementTimeout + 2*time.Second

// bounded limits the time of a round trip. If the caller gives up, the round trip
// goes on: otherwise the connection would have to be closed, and a client that
// connects and hangs up in a loop would make the server open new sessions all the
// time. The transaction checks its context between statements.
func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	end := time.Now().Add(roundTripLimit)
	if deadline, ok := ctx.Deadline(); ok && deadline.Before(end) {
		end = deadline
	}
	return context.WithDeadline(context.WithoutCancel(ctx), end)
}

// receive reads the answer to r.
func (r *request) receive(p *pgconn.Pipeline) error {
	if r.first != nil {
		r.first()
	}
	if r.preparing != nil {
		if err := r.prepared(p); err != nil {
			return err
		}
	}
	results, err := p.GetResults()
	if err != nil {
		return err
	}
	found, ok := results.(*pgconn.ResultReader)
	if !ok {
		return errProtocol
	}
	var bad error
	for found.NextRow() {
		if r.each == nil {
			continue
		}
		r.seen = true
		row := cells{values: found.Values()}
		if r.each(&row); bad == nil {
			bad = row.bad
		}
	}
	if r.tag, err = found.Close(); err == nil {
		err = bad
	}
	return err
}

// release gives the connection back. The pool discards one that may still be in a
// transaction. A closed one leaves the pool at once: if the server does not answer, pgx
// needs 15 s to end it, and the pool would count it until then.
func (c *conn) release() {
	if c.pg.IsClosed() {
		c.lent.Hijack()
	} else {
		c.lent.Release()
	}
	c.from.room.leave(c.background)
}

// encode converts arguments to PostgreSQL's binary form.
func encode(args []any) (values [][]byte, types []uint32, err error) {
	values, types = make([][]byte, len(args)), make([]uint32, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			values[i], types[i] = []byte(arg), pgtype.TextOID
		case []byte:
			values[i], types[i] = append([]byte{}, arg...), pgtype.ByteaOID // never nil, which would be NULL
		case int64:
			values[i], types[i] = binary.BigEndian.AppendUint64(nil, uint64(arg)), pgtype.Int8OID //nolint:gosec // G115: two's complement is the form
		case int:
			values[i], types[i] = binary.BigEndian.AppendUint64(nil, uint64(arg)), pgtype.Int8OID //nolint:gosec // G115: as above
		case []string:
			values[i], types[i] = encodeArray(pgtype.TextOID, arg, func(s string) []byte { return []byte(s) }), pgtype.TextArrayOID
		case []int64:
			values[i], types[i] = encodeArray(pgtype.Int8OID, arg, func(n int64) []byte {
				return binary.BigEndian.AppendUint64(nil, uint64(n)) //nolint:gosec // G115: as above
			}), pgtype.Int8ArrayOID
		case bool:
			values[i], types[i] = []byte{0}, pgtype.BoolOID
			if arg {
				values[i][0] = 1
			}
		default:
			return nil, nil, fmt.Errorf("argument %d is a %T", i+1, arg)
		}
	}
	return values, types, nil
}

// encodeArray is the binary form of an array: one dimension, no nulls, the type and number
// of its elements, the first index, and each element after its size.
func encodeArray[T any](element uint32, all []T, encode func(T) []byte) []byte {
	var out []byte
	for _, n := range []uint32{1, 0, element, uint32(len(all)), 1} { //nolint:gosec // G115: few
		out = binary.BigEndian.AppendUint32(out, n)
	}
	for _, one := range all {
		b := encode(one)
		out = append(binary.BigEndian.AppendUint32(out, uint32(len(b))), b...) //nolint:gosec // G115: names and numbers
	}
	return out
}

// cells are the columns of one row of a result. They are read in order, each
// once.
type cells struct {
	values [][]byte
	bad    error // a column had another type than it was read as
}

var errProtocol = errors.New("the database server sent an unexpected answer")

// next is the next column, which must have this many bytes; -1: any number.
func (r *cells) next(size int) []byte {
	if len(r.values) == 0 || r.values[0] == nil || size >= 0 && len(r.values[0]) != size {
		r.bad = errProtocol
		return make([]byte, max(size, 0))
	}
	v := r.values[0]
	r.values = r.values[1:]
	return v
}

// Text is the column as text.
func (r *cells) Text() string { return string(r.next(-1)) }

// Blob is a copy of the column; an empty one is nil.
func (r *cells) Blob() []byte { return append([]byte(nil), r.next(-1)...) }

// Flag is a boolean, which is always valid.
func (r *cells) Flag() (is, valid bool) { return r.next(1)[0] != 0, true }

// Integer is the column as an integer.
func (r *cells) Integer() int64 { return int64(binary.BigEndian.Uint64(r.next(8))) } //nolint:gosec // G115: two's complement is the form

// Time is an integer as a time.
func (r *cells) Time() time.Time { return domain.FromMicros(r.Integer()) }
