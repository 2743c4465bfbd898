package server

import (
	"container/list"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"

	"strongroom/internal/loglines"
)

// Bounds on connections beside those that a listener is given.
const (
	// maxReserve connections past the bound are taken all the same: over them
	// probes are answered, and every other request is told that there is no room.
	maxReserve = 64

	// A /48 of IPv6, which one customer may have, gets twice what a /64 gets.
	siteShare = 2
)

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
