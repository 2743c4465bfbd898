package e2e

import (
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"strongroom/internal/store/postgres/pgtest"
)

// relay is a network between instances and their database that can be bad.
type relay struct {
	to       string
	listener net.Listener
	delay    atomic.Int64 // of every piece, in nanoseconds
	gate     sync.RWMutex // locked while nothing passes

	mu    sync.Mutex
	conns map[net.Conn]bool // guarded by mu
}

func newRelay(t *testing.T, to string) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{to: to, listener: l, conns: map[net.Conn]bool{}}
	go r.accept()
	t.Cleanup(func() {
		l.Close()
		r.cut()
	})
	return r
}

// url is that of the server's database by way of the relay.
func (r *relay) url(s *pgtest.Server) string {
	u, err := url.Parse(s.URL("postgres"))
	if err != nil {
		panic(err)
	}
	u.Host = r.listener.Addr().String()
	return u.String()
}

func (r *relay) accept() {
	for {
		client, err := r.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", r.to)
		if err != nil {
			client.Close()
			continue
		}
		r.mu.Lock()
		r.conns[client], r.conns[server] = true, true
		r.mu.Unlock()
		go r.pass(client, server)
		go r.pass(server, client)
	}
}

func (r *relay) pass(from, to net.Conn) {
	defer r.drop(from)
	defer r.drop(to)
	piece := make([]byte, 32<<10)
	for {
		n, err := from.Read(piece)
		time.Sleep(time.Duration(r.delay.Load()))
		r.gate.RLock()
		r.gate.RUnlock() //nolint:staticcheck // SA2001: it is a gate
		if n > 0 {
			if _, err := to.Write(piece[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (r *relay) drop(c net.Conn) {
	c.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.conns, c)
}

// cut breaks every connection.
func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.conns {
		c.Close()
	}
}

// hold lets nothing pass until let is called.
func (r *relay) hold() { r.gate.Lock() }
func (r *relay) let()  { r.gate.Unlock() }
