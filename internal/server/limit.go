package server

import (
	"net"
	"sync"
)

// limit bounds the connections that are open at once. Past the bound a new one
// waits in the kernel's queue until another closes.
func limit(l net.Listener, most int) net.Listener {
	return &limitListener{Listener: l, slots: make(chan struct{}, most), closed: make(chan struct{})}
}

type limitListener struct {
	net.Listener
	slots  chan struct{} // holds one element for each open connection
	once   sync.Once
	closed chan struct{} // so that Close ends an Accept that waits for a slot
}

func (l *limitListener) Accept() (net.Conn, error) {
	select {
	case l.slots <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.slots
		return nil, err
	}
	return &limitConn{Conn: c, release: sync.OnceFunc(func() { <-l.slots })}, nil
}

func (l *limitListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type limitConn struct {
	net.Conn
	release func()
}

func (c *limitConn) Close() error {
	defer c.release()
	return c.Conn.Close()
}
