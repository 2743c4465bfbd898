package postgres

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
)

// The server parses and plans a statement each time it is sent, which is almost
// half of its work for a verification. With default_query_exec_mode=cache_statement
// in the URL each connection prepares each statement once, by name. The names are
// state of the session: a PgBouncer in transaction mode keeps them only from
// version 1.21, with max_prepared_statements. So it is not the default.

// namesStatements reports whether the operator asked for named statements.
func namesStatements(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Query().Get("default_query_exec_mode") == "cache_statement"
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

// namedKey is where a connection keeps its named.
const namedKey = "statements"

// named returns the statements of the connection; nil: it names none.
func (c *conn) named() *named {
	if !c.store.named {
		return nil
	}
	n, ok := c.pg.CustomData()[namedKey].(*named)
	if !ok {
		n = &named{by: map[string]*pgconn.StatementDescription{}}
		c.pg.CustomData()[namedKey] = n
	}
	return n
}

// queue adds a request to a pipeline, and prepares its statement before if the
// connection names statements and has not this one.
func (r *request) queue(p *pgconn.Pipeline, n *named, values [][]byte, types []uint32) {
	if n == nil {
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
