package server

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"strongroom/internal/domain"
)

// limit bounds the connections that are open at once. Past the bound a client
// is told so and its connection closed; refused is called for each, from any
// goroutine. Where tell is nil the connection is closed without a word: in TLS
// a word would take a handshake, the very work that a flood wants done.
func limit(l net.Listener, most int, tell func(net.Conn), refused func()) *limitListener {
	return &limitListener{Listener: l, slots: make(chan struct{}, most), refusals: make(chan struct{}, maxRefusals), tell: tell, refused: refused}
}

const (
	maxRefusals    = 64 // connections that are being told; past it they are closed at once
	refusalTimeout = time.Second
)

type limitListener struct {
	net.Listener
	slots    chan struct{} // holds one element for each open connection
	refusals chan struct{} // likewise for each that is being told
	tell     func(net.Conn)
	refused  func()
}

// Accept never waits for a client that is refused, nor for a slot: a client
// that waits in the kernel's queue does not learn why.
func (l *limitListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.slots <- struct{}{}:
			return &limitConn{Conn: c, release: sync.OnceFunc(func() { <-l.slots })}, nil
		default:
			l.refuse(c)
		}
	}
}

func (l *limitListener) refuse(c net.Conn) {
	l.refused()
	if l.tell == nil {
		_ = c.Close()
		return
	}
	select {
	case l.refusals <- struct{}{}:
		go func() {
			l.tell(c)
			<-l.refusals
		}()
	default:
		_ = c.Close()
	}
}

// sayOverloaded answers a request of which only the first byte is awaited, and
// closes. Before that byte clients drop an answer as one to no request; and
// closing with bytes of the request unread resets the connection, by which the
// answer may be lost, so that the client is given a moment to take it.
func sayOverloaded(c net.Conn) {
	defer func() { _ = c.Close() }() // it is being refused: there is nobody to tell
	_ = c.SetDeadline(time.Now().Add(refusalTimeout))
	_, _ = c.Read(make([]byte, 1))
	_ = c.SetDeadline(time.Now().Add(refusalTimeout))
	if _, err := io.WriteString(c, overloaded); err != nil {
		return
	}
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
	_, _ = io.Copy(io.Discard, c)
}

// overloaded is the whole answer. It has the shape of GraphQL's errors on
// every path, because the path is not known.
var overloaded = func() string {
	refusal := domain.Overloaded()
	body := graphQLErrors{Errors: make([]graphQLError, 1)}
	body.Errors[0].Message = refusal.Message
	body.Errors[0].Extensions = refusal.Extensions()
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // strings and a number
	}
	return fmt.Sprintf("HTTP/1.1 503 Service Unavailable\r\nRetry-After: %d\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n%s", refusal.RetryAfterSeconds(), len(text), text)
}()

type limitConn struct {
	net.Conn
	release func()
}

func (c *limitConn) Close() error {
	defer c.release()
	return c.Conn.Close()
}
