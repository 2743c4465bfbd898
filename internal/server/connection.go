package server

import (
	"container/list"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"time"
)

// The bytes that the client of a connection has sent count against the memory of
// the listener above freeBytes, which requests seldom exceed. With HTTP/2, so do the
// header fields of each request, because a field that is sent again takes one byte on
// the wire. A request that waits for its client also counts as requestBytes, for its
// goroutine: its body has not arrived in full, or its answer has begun and may not be
// read. The part of an answer that is being sent counts in full.
const (
	freeBytes    = 4 << 10
	requestBytes = 8 << 10
)

var errNoMemory = errors.New("the memory for requests that have not arrived in full is used up")

// connection is a connection that [connections] accepted. The two refer to each
// other: a connection reports the memory it holds, and its listener closes it to
// make room.
type connection struct {
	net.Conn
	from     *connections
	sources  []*source // none: exempt
	reserved bool
	got      atomic.Int64 // bytes of requests that have not ended

	// Guarded by from.mu.
	closed   bool
	held     int       // bytes
	fields   int       // bytes of header fields of requests that have not ended
	unread   int       // bytes of answers that are being sent
	requests int       // number of requests whose headers have arrived
	atWork   int       // number of requests that the service works on
	since    time.Time // if atWork is 0: when the service began to wait for the client
	waiting  *list.Element
	holder   *list.Element
	reserve  *list.Element
	own      []*list.Element // its elements in the waiting lists of its sources
}

// Read implements [net.Conn]. The bytes that it reads count until their request
// ends.
func (c *connection) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if got := c.got.Add(int64(n)); n > 0 && got > freeBytes && !c.hold() {
		return 0, errNoMemory
	}
	return n, err
}

// need returns how much of the listener's memory the connection uses now. The
// caller holds the listener's lock.
func (c *connection) need() int {
	return max(0, int(c.got.Load())-freeBytes) + c.fields + c.unread + requestBytes*(c.requests-c.atWork)
}

// hold reserves the listener's memory that the connection needs now. If too
// little is left, it closes the connections that have held memory longest. It
// returns false if that is not enough, or if the connection is greedy.
func (c *connection) hold() bool {
	c.from.mu.Lock()
	return c.holdAndUnlock()
}

// holdAndUnlock is hold for a caller that holds the listener's lock, which it
// releases.
func (c *connection) holdAndUnlock() bool {
	l := c.from
	if c.closed {
		l.mu.Unlock()
		return false
	}
	need := c.need()
	c.count(need)
	if c.greedy() {
		l.mu.Unlock()
		return false
	}
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

// count sets the memory that the connection holds. The caller holds the listener's
// lock.
func (c *connection) count(held int) {
	c.from.held += held - c.held
	for _, a := range c.sources {
		a.held += held - c.held
	}
	c.held = held
}

// greedy reports whether the connection, which is not closed to make room while the
// service works on one of its requests, is from a network that holds more memory
// than is free.
func (c *connection) greedy() bool {
	free := c.from.memory - c.from.held
	return c.waiting == nil && slices.ContainsFunc(c.sources, func(a *source) bool { return a.held > free })
}

// begin counts a request whose header has arrived, and reports whether there is
// memory for its fields and the rest of it. A handler without a listener has a nil
// connection, for which nothing is limited.
func (c *connection) begin(whole bool, fields int) bool {
	if c == nil {
		return true
	}
	c.from.mu.Lock()
	c.requests++
	c.fields += fields
	c.since = time.Now()
	c.from.mu.Unlock()
	if (!whole || fields > 0) && !c.hold() {
		return false
	}
	if whole {
		c.arrived()
	}
	return true
}

// arrived counts a request that has arrived in full. Now the service works, and does
// not wait for the client.
func (c *connection) arrived() {
	if c == nil {
		return
	}
	c.from.mu.Lock()
	defer c.from.mu.Unlock()
	c.atWork++
	c.from.unwait(c)
}

// answering counts a part of an answer that is sent next: while it is sent, the
// service waits for the client. worked: the service worked on the request until now.
// It reports whether there is memory for the part.
func (c *connection) answering(worked bool, part int) bool {
	if c == nil {
		return true
	}
	l := c.from
	l.mu.Lock()
	c.unread += part
	if worked {
		c.atWork--
	}
	if c.atWork == 0 && !c.closed {
		l.unwait(c)
		l.wait(c)
	}
	return c.holdAndUnlock()
}

// answered counts a part of an answer that was sent. If the service worked on the
// request before that, it continues.
func (c *connection) answered(worked bool, part int) {
	if c == nil {
		return
	}
	c.from.mu.Lock()
	defer c.from.mu.Unlock()
	c.unread -= part
	if worked {
		c.atWork++
		c.from.unwait(c)
	}
	c.release()
}

// counted returns how many bytes of a part of an answer count. It is at most half of
// the memory, so that the largest answer can be sent.
func (c *connection) counted(part int) int {
	if c == nil {
		return 0
	}
	return min(part, c.from.memory/2)
}

// release gives memory back that the connection does not need any more. The caller
// holds the listener's lock.
func (c *connection) release() {
	if !c.closed {
		c.count(min(c.held, c.need()))
	}
}

// end counts a request that was answered, and releases its share of the memory.
// working: the service still works on it.
func (c *connection) end(working bool, fields int) {
	if c == nil {
		return
	}
	l := c.from
	l.mu.Lock()
	defer l.mu.Unlock()
	c.got.Add(-c.got.Load() / int64(c.requests))
	c.fields -= fields
	c.requests--
	if working {
		c.atWork--
	}
	if c.closed {
		return
	}
	c.release()
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

// connectionOf returns the connection of a request; nil: not known.
func connectionOf(ctx context.Context) *connection {
	c, _ := ctx.Value(connectionKey{}).(*connection)
	return c
}

// progress reports whether the service works on a request or waits for its client.
// It is also the request's body. Only one goroutine may use it.
type progress struct {
	io.ReadCloser
	by      *connection
	fields  int  // bytes of the header fields, as far as they count
	whole   bool // the body was read in full
	working bool
}

// receive begins a request. It returns nil if there is no memory for the request.
func (c *connection) receive(r *http.Request) *progress {
	whole, fields := isWhole(r), fieldBytes(r)
	if !c.begin(whole, fields) {
		c.end(false, fields)
		return nil
	}
	return &progress{ReadCloser: r.Body, by: c, fields: fields, whole: whole, working: whole}
}

// isWhole reports whether everything of a request that a handler reads has arrived. No
// handler reads the body of a GET. With HTTP/2, the length is also 0 if the client announces
// an empty body, or an invalid length, and does not end the stream.
func isWhole(r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	return r.ContentLength == 0 && (r.ProtoMajor < 2 || r.Header["Content-Length"] == nil)
}

// What net/http needs for a name of a header field and for a value, besides their text,
// in bytes. On the wire, a field can take only 4 bytes.
const (
	nameBytes  = 96
	valueBytes = 24
)

// fieldBytes returns how many bytes the header fields of a request count. With
// HTTP/1.1, their text is not counted again: it counts as bytes that were read from the
// connection.
func fieldBytes(r *http.Request) int {
	n := -freeBytes
	for name, values := range r.Header {
		n += nameBytes + valueBytes*len(values)
		for _, value := range values {
			if r.ProtoMajor >= 2 {
				n += len(name) + len(value)
			}
		}
	}
	return max(0, n)
}

func (p *progress) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	if err != nil && !p.whole {
		p.whole, p.working = true, true
		p.by.arrived()
	}
	return n, err
}

// send calls write, which sends a part of the answer of this length. If there is no
// memory for a part longer than requestBytes, it returns false instead.
func (p *progress) send(length int, write func()) bool {
	if p == nil {
		write()
		return true
	}
	part := p.by.counted(length)
	fits := p.by.answering(p.working, part) || length <= requestBytes
	if fits {
		write()
	}
	p.by.answered(p.working, part)
	return fits
}

// finish sends what net/http has kept of an HTTP/2 answer. Otherwise net/http would
// send it after the request has ended, and a client that does not read would take memory
// that is not counted.
func (p *progress) finish(w http.ResponseWriter, r *http.Request) {
	if p != nil && r.ProtoMajor >= 2 {
		p.send(0, func() { _ = http.NewResponseController(w).Flush() })
	}
}

func (p *progress) end() { p.by.end(p.working, p.fields) }
