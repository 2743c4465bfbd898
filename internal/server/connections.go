package server

import (
	"container/list"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"

	"strongroom/internal/lograte"
)

// Limits on connections in addition to those that a listener is given.
const (
	// maxReserve connections are accepted above the limit. On them, probes are
	// answered and all other requests get OVERLOADED.
	maxReserve = 64

	// A /48 of IPv6, which one customer may have, gets twice what a /64 gets.
	siteShare = 2
)

// connections is a listener that limits how many connections are open, in total
// and for each client address. It also limits how much memory is used by requests
// that wait for their client: they have not arrived in full, or their answers are not
// read.
//
// Above a limit it closes the connection whose client has been silent longest, to
// accept a new one. So a client that keeps connections open and sends nothing, sends
// slowly or does not read its answers loses them, and no other client is refused. It
// never closes a connection while the service works on one of its requests. If that is
// the case on all connections, new ones are accepted only into the reserve.
type connections struct {
	net.Listener
	most, perAddress int // perAddress 0: any number
	memory           int // bytes
	exempt           proxies
	refused          func() // called for each connection that is closed without an answer
	logger           *slog.Logger
	shed             lograte.Limit

	mu      sync.Mutex
	open    int
	held    int       // bytes
	waiting list.List // *connection: the client has to send something; the longest wait first
	holders list.List // *connection: waiting, and holds memory; the longest wait first
	reserve list.List // *connection: accepted above the limit
	sources map[netip.Prefix]*source
}

// source counts the open connections of one client network, and their memory.
type source struct {
	prefix  netip.Prefix
	most    int
	open    int
	held    int // bytes
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

// admit accepts a connection. It returns nil if there is no room.
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

// sourcesOf returns the networks whose limits a client counts against.
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

// add counts an accepted connection, which waits for its first request.
func (l *connections) add(c *connection) {
	if c.reserved {
		c.reserve = l.reserve.PushBack(c)
		l.forgetSources(c)
		return
	}
	l.open++
	for _, a := range c.sources {
		a.open++
		l.sources[a.prefix] = a // again, if its last connection was closed to make room
	}
	l.wait(c)
}

// forgetSources takes a connection off its sources, and removes those that have no open
// connection.
func (l *connections) forgetSources(c *connection) {
	for _, a := range c.sources {
		if a.open == 0 {
			delete(l.sources, a.prefix)
		}
	}
	c.sources = nil
}

// wait appends a connection to the waiting lists.
func (l *connections) wait(c *connection) {
	c.since = time.Now()
	if c.reserved {
		return
	}
	c.waiting = l.waiting.PushBack(c)
	for _, a := range c.sources {
		c.own = append(c.own, a.waiting.PushBack(c))
	}
}

// unwait removes a connection from the lists of connections that may be closed.
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

// drop removes the connection of a list element. It returns nil for a nil element.
func (l *connections) drop(e *list.Element) *connection {
	if e == nil {
		return nil
	}
	c := e.Value.(*connection)
	l.remove(c)
	return c
}

// remove stops counting a connection. A second call does nothing.
func (l *connections) remove(c *connection) {
	if c.closed {
		return
	}
	c.closed = true
	l.unwait(c)
	c.count(0)
	if c.reserve != nil {
		l.reserve.Remove(c.reserve)
		return
	}
	l.open--
	for _, a := range c.sources {
		a.open--
	}
	l.forgetSources(c)
}

func (l *connections) waitingReserve() *connection {
	for e := l.reserve.Front(); e != nil; e = e.Next() {
		if c := e.Value.(*connection); c.atWork == 0 {
			return c
		}
	}
	return nil
}

// closeAll closes connections that were removed to make room.
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

// closeSilent closes, during a drain, the connections whose client has kept the service
// waiting since this time or longer. Most of these clients have not read their answer.
func (l *connections) closeSilent(since time.Time) {
	l.mu.Lock()
	var silent []*connection
	for _, all := range []*list.List{&l.waiting, &l.reserve} {
		for e := all.Front(); e != nil; e = e.Next() {
			if c := e.Value.(*connection); c.atWork == 0 && !c.since.After(since) {
				silent = append(silent, c)
			}
		}
	}
	for _, c := range silent {
		l.remove(c)
	}
	l.mu.Unlock()
	for _, c := range silent {
		_ = c.Conn.Close()
	}
	if len(silent) > 0 {
		l.logger.Warn("connections closed by the stop: their clients were silent for too long", "connections", len(silent))
	}
}

// count returns how many connections are open, without the reserve.
func (l *connections) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open
}
