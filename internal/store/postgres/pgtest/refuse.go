package pgtest

import (
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
)

// Statement is a statement of a transaction that a client sends.
type Statement struct {
	Transaction int // of all clients, from 1
	Position    int // in its transaction, from 1; BEGIN is not counted
	SQL         string
}

// Refusing is a server in front of the one of the URL that refuses statements with
// 40001, as a server does because of another transaction. refuse is called with
// each statement of a transaction, one at a time, and decides. Statements of the
// simple protocol, such as COPY, pass. Refusing returns the URL of that server.
//
// The real server refuses too: an Execute becomes one of a portal that does not
// exist, and a COMMIT becomes a ROLLBACK. So the transaction has ended there as it
// has for the client.
func Refusing(t testing.TB, address string, refuse func(Statement) bool) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &refusing{server: u.Host, refuse: refuse}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { r.serve(client) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		r.close()
		all.Wait()
	})
	u.Host = net.JoinHostPort("127.0.0.1", strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
	return u.String()
}

type refusing struct {
	server string
	refuse func(Statement) bool

	mu           sync.Mutex
	transactions int
	conns        []net.Conn
	closed       bool
}

// asks decides about one statement.
func (r *refusing) asks(s Statement) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.refuse(s)
}

func (r *refusing) begin() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.transactions++
	return r.transactions
}

// keep notes connections, for close. It reports whether they may be used.
func (r *refusing) keep(conns ...net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.conns = append(r.conns, conns...)
	return !r.closed
}

func (r *refusing) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for _, c := range r.conns {
		_ = c.Close()
	}
}

func (r *refusing) serve(client net.Conn) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial("tcp", r.server)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	if !r.keep(client, server) {
		return
	}
	s := &refusedSession{all: r, client: pgproto3.NewBackend(client, client), server: pgproto3.NewFrontend(server, server), prepared: map[string]string{}}
	startup, err := s.client.ReceiveStartupMessage()
	if err != nil {
		return
	}
	s.server.Send(startup)
	if s.server.Flush() != nil {
		return
	}
	var answers sync.WaitGroup
	answers.Go(func() {
		defer func() { _ = client.Close() }()
		s.answers()
	})
	s.statements()
	_ = server.Close()
	answers.Wait()
}

// refusedSession is one connection of a client, and the connection to the server
// that belongs to it.
type refusedSession struct {
	all    *refusing
	client *pgproto3.Backend
	server *pgproto3.Frontend

	// Used only by statements.
	prepared map[string]string // by name
	bound    string            // what the next Execute runs
	at       Statement         // the last one of the transaction

	mu      sync.Mutex
	commits bool // guarded by mu: the next ROLLBACK is a COMMIT that is refused
}

// noPortal is a portal that nobody made.
const noPortal = "refused"

// statements passes on what the client sends.
func (s *refusedSession) statements() {
	for {
		m, err := s.client.Receive()
		if err != nil {
			return
		}
		switch m := m.(type) {
		case *pgproto3.Parse:
			s.prepared[m.Name] = m.Query
			if m.Query == "COMMIT" && s.refuses(m.Query) {
				s.refuseCommit(true)
				m.Query = "ROLLBACK"
			}
		case *pgproto3.Bind:
			s.bound = s.prepared[m.PreparedStatement]
		case *pgproto3.Execute:
			switch {
			case strings.HasPrefix(s.bound, "BEGIN"):
				s.at = Statement{Transaction: s.all.begin()}
			case s.bound == "COMMIT", s.bound == "ROLLBACK":
				s.at = Statement{}
			case s.refuses(s.bound):
				m.Portal = noPortal
			}
		}
		s.server.Send(m)
		if s.server.Flush() != nil {
			return
		}
	}
}

// refuses decides about the next statement of a transaction.
func (s *refusedSession) refuses(sql string) bool {
	if s.at.Transaction == 0 {
		return false
	}
	s.at.Position++
	s.at.SQL = sql
	return s.all.asks(s.at)
}

func (s *refusedSession) refuseCommit(is bool) (was bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	was, s.commits = s.commits, is
	return was
}

// answers passes on what the server sends.
func (s *refusedSession) answers() {
	for {
		m, err := s.server.Receive()
		if err != nil {
			return
		}
		switch is := m.(type) {
		case *pgproto3.ErrorResponse:
			if is.Code == "34000" {
				m = conflict()
			}
		case *pgproto3.CommandComplete:
			if string(is.CommandTag) == "ROLLBACK" && s.refuseCommit(false) {
				m = conflict()
			}
		case *pgproto3.ReadyForQuery:
			s.refuseCommit(false) // a statement before it failed
		}
		s.client.Send(m)
		if s.client.Flush() != nil {
			return
		}
	}
}

func conflict() *pgproto3.ErrorResponse {
	return &pgproto3.ErrorResponse{Severity: "ERROR", SeverityUnlocalized: "ERROR", Code: "40001", Message: "restart transaction"}
}
