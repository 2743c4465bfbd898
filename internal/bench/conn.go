package bench

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// conn is one connection of one client, used for one request at a time. It only
// writes prepared requests: the generator shares the cores with the server, and
// net/http's client takes twice as much CPU (see BenchmarkClient).
type conn struct {
	to       *url.URL
	deadline time.Time // for all reads and writes; zero: none
	c        net.Conn
	unwatch  func() bool // stops waiting for the end of the context
	r        *bufio.Reader
	body     []byte
}

// answerTimeout is how long an answer may take.
const answerTimeout = time.Minute

var dialer net.Dialer

func (c *conn) open(ctx context.Context) (err error) {
	if c.c != nil {
		return nil
	}
	var opened net.Conn
	if c.to.Scheme == "https" {
		opened, err = (&tls.Dialer{NetDialer: &dialer}).DialContext(ctx, "tcp", hostPort(c.to))
	} else {
		opened, err = dialer.DialContext(ctx, "tcp", hostPort(c.to))
	}
	if err != nil {
		return err
	}
	_ = opened.SetDeadline(c.deadline)                                // a connection without one only waits longer
	c.unwatch = context.AfterFunc(ctx, func() { _ = opened.Close() }) // otherwise a server that hangs would delay the end
	c.c = opened
	c.r = bufio.NewReaderSize(c.c, 4<<10)
	return nil
}

// hostPort is the address that a URL names.
func hostPort(u *url.URL) string {
	return net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme]))
}

func (c *conn) close() {
	if c.c != nil {
		c.unwatch()
		_ = c.c.Close() // nothing was left unsent
		c.c = nil
	}
}

// do sends a request and returns status and body of its answer. The body is
// valid until the next call. After an error, the next call opens a new
// connection.
func (c *conn) do(ctx context.Context, request []byte) (status int, body []byte, err error) {
	if err := c.open(ctx); err != nil {
		return 0, nil, err
	}
	_, err = c.c.Write(request)
	keep := false
	if err == nil {
		status, keep, err = c.read()
	}
	if err != nil || !keep {
		c.close()
	}
	return status, c.body, err
}

// maxAnswer bounds what is read of one answer, in bytes. An export of 1,000
// entries has at most about 2 MiB.
const maxAnswer = 4 << 20

func (c *conn) read() (status int, keep bool, err error) {
	res, err := http.ReadResponse(c.r, nil) //nolint:bodyclose // it is the connection, which stays open
	if err != nil {
		return 0, false, err
	}
	body := bytes.NewBuffer(c.body[:0])
	_, err = body.ReadFrom(io.LimitReader(res.Body, maxAnswer))
	if c.body = body.Bytes(); err == nil && len(c.body) == maxAnswer {
		err = errors.New("the answer is too long")
	}
	return res.StatusCode, !res.Close, err
}
