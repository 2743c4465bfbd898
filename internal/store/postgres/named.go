package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// The server parses and plans a statement each time it is sent, which is almost
// half of its work for a verification. So each connection prepares each statement
// once, by name. The names are state of the session, and a PgBouncer in transaction
// mode gives the session to another client between two transactions. So statements
// are named only on a connection that goes directly to the server. Behind a pooler
// that keeps them, an operator can set default_query_exec_mode=cache_statement in
// the URL: then they are always named. Any other value names none.

// naming is when statements are named.
type naming int

const (
	nameIfDirect naming = iota
	nameAlways
	nameNever
)

func namingOf(address string) naming {
	u, err := url.Parse(address)
	if err != nil {
		return nameNever
	}
	switch u.Query().Get("default_query_exec_mode") {
	case "":
		return nameIfDirect
	case "cache_statement":
		return nameAlways
	}
	return nameNever
}

// prepare decides whether the statements of a new connection are named.
func (n naming) prepare(ctx context.Context, c *pgx.Conn) error {
	name := n == nameAlways
	if n == nameIfDirect {
		var err error
		if name, err = isDirect(ctx, c.PgConn()); err != nil {
			return err
		}
	}
	if name {
		c.PgConn().CustomData()[namedKey] = &named{by: map[string]*pgconn.StatementDescription{}}
	}
	return nil
}

const sqlBackend = `SELECT pg_backend_pid()::text`

// isDirect reports whether the server's process is the one that was named when the
// connection began (BackendKeyData). A pooler names one of its own, because it has
// to find the session of a request to cancel.
func isDirect(ctx context.Context, c *pgconn.PgConn) (bool, error) {
	answer := c.ExecParams(ctx, sqlBackend, nil, nil, nil, nil).Read()
	if answer.Err != nil || len(answer.Rows) != 1 {
		return false, answer.Err
	}
	return string(answer.Rows[0][0]) == strconv.FormatUint(uint64(c.PID()), 10), nil
}

// named are the statements that a connection has prepared. There are as many as
// there are constants with statements.
type named struct {
	by   map[string]*pgconn.StatementDescription // by their text
	made int                                     // so that no name is prepared twice
}

// nameOf is the name of a statement. It depends on the text: behind a pooler that
// gives the session to another client, a name stands for the same statement or for
// none, and never for another one.
func (n *named) nameOf(sql string) string {
	sum := sha256.Sum256([]byte(sql))
	n.made++
	return "strongroom_" + hex.EncodeToString(sum[:12]) + "_" + strconv.Itoa(n.made)
}

// namedKey is where a connection that names statements keeps its named.
const namedKey = "statements"

// named returns the statements of the connection; nil: it names none.
func (c *conn) named() *named {
	n, _ := c.pg.CustomData()[namedKey].(*named)
	return n
}

// queue adds a request to a pipeline. If the connection names statements and
// does not have this one yet, queue prepares it first.
func (r *request) queue(p *pgconn.Pipeline, n *named, values [][]byte, types []uint32) {
	if n == nil || len(values) == 0 { // BEGIN and the like need no plan
		p.SendQueryParams(r.sql, values, types, binaryForm, binaryForm)
		return
	}
	s, known := n.by[r.sql]
	if !known {
		s = &pgconn.StatementDescription{Name: n.nameOf(r.sql)}
		n.by[r.sql], r.preparing = s, s
		p.SendPrepare(s.Name, r.sql, types)
	}
	if len(s.Fields) == 0 { // not known yet, or none
		p.SendQueryPrepared(s.Name, values, binaryForm, binaryForm)
		return
	}
	p.SendQueryStatement(s, values, binaryForm, binaryForm)
}

// prepared reads the answer to the preparation of r's statement.
func (r *request) prepared(p *pgconn.Pipeline) error {
	results, err := p.GetResults()
	if err != nil {
		return err
	}
	is, ok := results.(*pgconn.StatementDescription)
	if !ok {
		return errProtocol
	}
	r.preparing.Fields, r.preparing = is.Fields, nil
	return nil
}

// forget removes the statements of requests whose preparation was not confirmed.
func (n *named) forget(requests []*request) {
	for _, r := range requests {
		if r.preparing != nil {
			delete(n.by, r.sql)
			r.preparing = nil
		}
	}
}
