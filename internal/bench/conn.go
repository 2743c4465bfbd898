package bench

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"net/url"
	"strconv"
	"time"
)

// conn is one connection of one client, used for one request at a time. It
// writes a request that is ready and reads no more of the answer than it must:
// the generator shares the cores with what it measures. net/http's client takes
// three times as much CPU (see BenchmarkClient), and http.ReadResponse on this
// connection 1.5 times.
type conn struct {
	to       *url.URL
	deadline time.Time // of everything on it
	c        net.Conn
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
	host := c.to.Host
	if c.to.Port() == "" {
		host = net.JoinHostPort(c.to.Hostname(), map[string]string{"http": "80", "https": "443"}[c.to.Scheme])
	}
	if c.to.Scheme == "https" {
		c.c, err = (&tls.Dialer{NetDialer: &dialer}).DialContext(ctx, "tcp", host)
	} else {
		c.c, err = dialer.DialContext(ctx, "tcp", host)
	}
	if err != nil {
		c.c = nil
		return err
	}
	_ = c.c.SetDeadline(c.deadline) // a connection without one only waits longer
	c.r = bufio.NewReaderSize(c.c, 4<<10)
	return nil
}

func (c *conn) close() {
	if c.c != nil {
		_ = c.c.Close() // nothing was left unsent
		c.c = nil
	}
}

// do sends a request and returns status and body of its answer. The body is
// valid until the next call. After an error the next call opens a connection
// anew.
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

var errHTTP = errors.New("not an HTTP/1.1 answer")

func (c *conn) read() (status int, keep bool, err error) {
	line, err := c.r.ReadSlice('\n')
	if err != nil {
		return 0, false, err
	}
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return 0, false, errHTTP
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, false, errHTTP
	}
	length, chunked, keep := -1, false, true
	for {
		if line, err = c.r.ReadSlice('\n'); err != nil {
			return status, false, err
		}
		if line = bytes.TrimRight(line, "\r\n"); len(line) == 0 {
			break
		}
		switch name, value, _ := bytes.Cut(line, []byte(":")); {
		case is(name, "content-length"):
			length, err = strconv.Atoi(string(bytes.TrimSpace(value)))
			if err != nil || length < 0 {
				return status, false, errHTTP
			}
		case is(name, "transfer-encoding"):
			chunked = true
		case is(name, "connection"):
			keep = !is(bytes.TrimSpace(value), "close")
		}
	}
	return status, keep, c.readBody(length, chunked)
}

func is(name []byte, lower string) bool {
	return len(name) == len(lower) && bytes.EqualFold(name, []byte(lower))
}

// maxAnswer bounds what is read of one answer, in bytes: an export of a
// thousand entries has some 2 MiB at most.
const maxAnswer = 4 << 20

func (c *conn) readBody(length int, chunked bool) (err error) {
	switch {
	case chunked:
		body := bytes.NewBuffer(c.body[:0])
		_, err = body.ReadFrom(io.LimitReader(httputil.NewChunkedReader(c.r), maxAnswer))
		if c.body = body.Bytes(); err != nil {
			return err
		}
		_, err = c.r.Discard(2) // the line end behind the last chunk
		return err
	case length < 0 || length > maxAnswer:
		return fmt.Errorf("%w of a known length", errHTTP)
	}
	if cap(c.body) < length {
		c.body = make([]byte, length)
	}
	c.body = c.body[:length]
	_, err = io.ReadFull(c.r, c.body)
	return err
}
