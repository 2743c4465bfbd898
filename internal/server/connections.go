package server

import (
	"container/list"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"strongroom/internal/loglines"
)

// Bounds on connections beside those that a listener is given.
const (
	// maxReserve connections past the bound are taken all the same: over them
	// probes are answered, and every other request is told that there is no room.
	maxReserve = 64

	// What a connection's client has sent counts against the memory of the
	// listener past freeBytes, which requests seldom exceed; a request whose body
	// is still to come counts as requestBytes, for its goroutine.
	freeBytes    = 4 << 10
	requestBytes = 8 << 10

	// A /48 of IPv6, which one customer may have, gets twice what a /64 gets.
	siteShare = 2
)

var errNoMemory = errors.New("the memory for requests that are still arriving is used up")

// connections is a listener that bounds how many connections are open, in all
// and for each client address, and how much memory requests take that have not
// arrived in full.
//
// Past a bound it closes the connection whose client has been silent longest,
// to let a new one in: one that keeps connections and sends nothing, or slowly,
// thereby loses them, and nobody else is refused. Only connections whose
// requests are at work are never closed. When all are, the reserve is left.
type connections struct {
	net.Listener
	most, perAddress int // perAddress 0: any number
	memory           int // bytes
	exempt           proxies
	refused          func() // of each connection that is closed without an answer
	logger           *slog.Logger
	shed             loglines.Limit

	mu      sync.Mutex
	open    int
	held    int       // bytes
	waiting list.List // of *connection: those whose client is to send something, the longest first
	holders list.List // those among them that hold memory, the longest first
	reserve list.List // those past the bound
	sources map[netip.Prefix]*source
}

// source is what one network of clients has open.
type source struct {
	prefix  netip.Prefix
	most    int
	open    int
	waiting list.List
}

// connection is one that was let in.
type connection struct {
	net.Conn
	from     *connections
	sources  []*source // none: exempt
	reserved bool
	got      atomic.Int64 // bytes of requests that have not ended

	// Guarded by from.mu.
	closed   bool
	held     int // bytes
	requests int // that have begun
	atWork   int // of these, those that have arrived in full
	waiting  *list.Element
	holder   *list.Element
	reserve  *list.Element
	own      []*list.Element // in the lists of the addresses
}

// Accept implements [net.Listener]. It never waits for a client.
func (l *connections) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if admitted := l.admit(c); admitted != nil {
			return admitted, nil
		}
		l.refused()
		_ = c.Close()
	}
}

// admit lets a connection in, nil: there is no room.
func (l *connections) admit(raw net.Conn) *connection {
	c := &connection{Conn: raw, from: l}
	l.mu.Lock()
	c.sources = l.sourcesOf(raw.RemoteAddr())
	var victims []*connection
	for _, a := range c.sources {
		if a.open >= a.most {
			victims = append(victims, l.drop(a.waiting.Front()))
		}
	}
	if l.open >= l.most {
		victims = append(victims, l.drop(l.waiting.Front()))
	}
	for _, a := range c.sources {
		c.reserved = c.reserved || a.open >= a.most
	}
	c.reserved = c.reserved || l.open >= l.most
	if c.reserved && l.reserve.Len() >= maxReserve {
		oldest := l.waitingReserve()
		if oldest == nil {
			l.forgetSources(c)
			l.mu.Unlock()
			return nil
		}
		l.remove(oldest)
		victims = append(victims, oldest)
	}
	l.add(c)
	l.mu.Unlock()
	l.closeAll(victims)
	return c
}

// sourcesOf are the networks that a client counts for.
func (l *connections) sourcesOf(remote net.Addr) []*source {
	if l.perAddress == 0 {
		return nil
	}
	from, err := netip.ParseAddrPort(remote.String())
	ip := from.Addr().Unmap().WithZone("")
	if err != nil || l.exempt.trust(ip) {
		return nil
	}
	if ip.Is4() {
		return []*source{l.source(ip, 32, l.perAddress)}
	}
	return []*source{l.source(ip, 64, l.perAddress), l.source(ip, 48, siteShare*l.perAddress)}
}

func (l *connections) source(ip netip.Addr, bits, most int) *source {
	prefix, err := ip.Prefix(bits)
	if err != nil { // unreachable: the bits are within the address
		panic(err)
	}
	a := l.sources[prefix]
	if a == nil {
		a = &source{prefix: prefix, most: most}
		l.sources[prefix] = a
	}
	return a
}

// add notes a connection that was let in, waiting for its first request.
func (l *connections) add(c *connection) {
	if c.reserved {
		c.reserve = l.reserve.PushBack(c)
		c.sources = l.forgetSources(c)
		return
	}
	l.open++
	for _, a := range c.sources {
		a.open++
		l.sources[a.prefix] = a // where the last of it was closed to make room
	}
	l.wait(c)
}

// forgetSources lets go of addresses of which nothing is open.
func (l *connections) forgetSources(c *connection) []*source {
	for _, a := range c.sources {
		if a.open == 0 {
			delete(l.sources, a.prefix)
		}
	}
	return nil
}

// wait puts a connection behind all that have waited longer.
func (l *connections) wait(c *connection) {
	if c.reserved {
		return
	}
	c.waiting = l.waiting.PushBack(c)
	for _, a := range c.sources {
		c.own = append(c.own, a.waiting.PushBack(c))
	}
}

// unwait takes a connection out of the lists of those that may be closed.
func (l *connections) unwait(c *connection) {
	if c.holder != nil {
		l.holders.Remove(c.holder)
		c.holder = nil
	}
	if c.waiting == nil {
		return
	}
	l.waiting.Remove(c.waiting)
	for i, a := range c.sources {
		a.waiting.Remove(c.own[i])
	}
	c.waiting, c.own = nil, c.own[:0]
}

// drop removes the connection of an element; nil: there is none.
func (l *connections) drop(e *list.Element) *connection {
	if e == nil {
		return nil
	}
	c := e.Value.(*connection)
	l.remove(c)
	return c
}

// remove forgets a connection, once.
func (l *connections) remove(c *connection) {
	if c.closed {
		return
	}
	c.closed = true
	l.unwait(c)
	l.held -= c.held
	c.held = 0
	if c.reserve != nil {
		l.reserve.Remove(c.reserve)
		return
	}
	l.open--
	for _, a := range c.sources {
		a.open--
	}
	c.sources = l.forgetSources(c)
}

func (l *connections) waitingReserve() *connection {
	for e := l.reserve.Front(); e != nil; e = e.Next() {
		if c := e.Value.(*connection); c.atWork == 0 {
			return c
		}
	}
	return nil
}

// closeAll ends connections that were removed to make room.
func (l *connections) closeAll(victims []*connection) {
	for _, c := range victims {
		if c == nil {
			continue
		}
		if c.reserved {
			l.refused()
		}
		_ = c.Conn.Close()
		if write, omitted := l.shed.Next(time.Now()); write {
			l.logger.Warn("connection closed to make room: its client has been silent longest", "omitted", omitted)
		}
	}
}

// count is how many connections are open, beside the reserve.
func (l *connections) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open
}

// Read implements [net.Conn]. What it reads counts until its request ends.
func (c *connection) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if got := c.got.Add(int64(n)); n > 0 && got > freeBytes && !c.hold() {
		return 0, errNoMemory
	}
	return n, err
}

// hold takes as much of the listener's memory as the connection needs now. It
// closes those that have held some longest, and fails where that does not do.
func (c *connection) hold() bool {
	l := c.from
	l.mu.Lock()
	if c.closed {
		l.mu.Unlock()
		return false
	}
	need := max(0, int(c.got.Load())-freeBytes) + requestBytes*(c.requests-c.atWork)
	l.held += need - c.held
	c.held = need
	if c.holder == nil && c.waiting != nil && need > 0 {
		c.holder = l.holders.PushBack(c)
	}
	var victims []*connection
	for l.held > l.memory && l.holders.Len() > 0 {
		victims = append(victims, l.drop(l.holders.Front()))
	}
	fits := l.held <= l.memory && !c.closed
	l.mu.Unlock()
	l.closeAll(victims)
	return fits
}

// begin notes a request whose header has arrived, and says whether there is
// memory for what is still to come. A nil connection, of a handler without a
// listener, bounds nothing.
func (c *connection) begin(whole bool) bool {
	if c == nil {
		return true
	}
	c.from.mu.Lock()
	c.requests++
	c.from.mu.Unlock()
	if whole {
		c.arrived()
		return true
	}
	return c.hold()
}

// arrived notes that a request is there in full: now it is our turn.
func (c *connection) arrived() {
	if c == nil {
		return
	}
	c.from.mu.Lock()
	defer c.from.mu.Unlock()
	c.atWork++
	c.from.unwait(c)
}

// end notes that a request was answered, and gives its share of the memory back.
func (c *connection) end(arrived bool) {
	if c == nil {
		return
	}
	l := c.from
	l.mu.Lock()
	defer l.mu.Unlock()
	c.got.Add(-c.got.Load() / int64(c.requests))
	c.requests--
	if arrived {
		c.atWork--
	}
	if c.closed {
		return
	}
	need := min(c.held, max(0, int(c.got.Load())-freeBytes)+requestBytes*(c.requests-c.atWork))
	l.held -= c.held - need
	c.held = need
	if c.atWork == 0 {
		l.unwait(c)
		l.wait(c)
		if c.held > 0 && !c.reserved {
			c.holder = l.holders.PushBack(c)
		}
	}
}

// Close implements [net.Conn].
func (c *connection) Close() error {
	c.from.mu.Lock()
	c.from.remove(c)
	c.from.mu.Unlock()
	return c.Conn.Close()
}

type connectionKey struct{}

// withConnection is for [http.Server.ConnContext].
func withConnection(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	return context.WithValue(ctx, connectionKey{}, c)
}

// connectionOf is the connection that a request came by; nil: not known.
func connectionOf(ctx context.Context) *connection {
	c, _ := ctx.Value(connectionKey{}).(*connection)
	return c
}

// arriving is the body of a request that tells when it has been read in full.
type arriving struct {
	io.ReadCloser
	by    *connection
	whole bool
}

// receive begins a request and returns its body, nil: there is no memory for it.
func (c *connection) receive(r *http.Request) *arriving {
	a := &arriving{ReadCloser: r.Body, by: c, whole: r.ContentLength == 0}
	if !c.begin(a.whole) {
		c.end(false)
		return nil
	}
	return a
}

func (a *arriving) Read(b []byte) (int, error) {
	n, err := a.ReadCloser.Read(b)
	if err != nil && !a.whole {
		a.whole = true
		a.by.arrived()
	}
	return n, err
}
