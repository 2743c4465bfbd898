// Package outbound limits what a server outside can do to a client of ours: the time for
// which it holds a connection, because the deadline of a request does not cover everything
// that net/http does for it, and the size of an answer.
package outbound

import (
	"fmt"
	"io"
	"net/http"
	"time"
)

// Transport ends all work for a request a short time after the request's own deadline.
// Without it:
//
//   - A server that accepts a connection and does not finish the TLS handshake keeps the
//     connection and a goroutine forever, because a dial does not end with its request.
//   - An HTTP/2 connection over which nothing arrives any more is used for each further
//     request.
//   - The body of an answer with status 101 is the connection itself, and a read of it
//     has no deadline. No client of ours asks for another protocol, so the connection is
//     closed, and the answer has an empty body.
//
// It is safe for concurrent use.
type Transport struct{ *http.Transport }

// New changes t and returns it as a Transport. wait is the deadline of requests, or another
// time after which a server counts as silent. A silent connection is closed after twice
// that time.
func New(t *http.Transport, wait time.Duration) Transport {
	t.TLSHandshakeTimeout = wait
	t.HTTP2 = &http.HTTP2Config{SendPingTimeout: wait, PingTimeout: wait}
	return Transport{t}
}

// Standard returns a copy of net/http's default transport, which reads HTTPS_PROXY, for a
// client to change and to give to New.
func Standard() *http.Transport {
	return http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // it is that
}

// NoRedirect is for [http.Client.CheckRedirect]: a redirect is the answer. Following it
// could send what a request carries to another server.
func NoRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// RoundTrip implements [http.RoundTripper].
func (t Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := t.Transport.RoundTrip(r)
	if err == nil && answer.StatusCode == http.StatusSwitchingProtocols {
		_ = answer.Body.Close()
		answer.Body = http.NoBody
	}
	return answer, err
}

// Bounded is a transport whose answers are limited as by [LimitBody].
type Bounded struct {
	http.RoundTripper
	Bytes int
}

// RoundTrip implements [http.RoundTripper].
func (b Bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		answer.Body = LimitBody(answer.Body, b.Bytes)
	}
	return answer, err
}

// LimitBody returns the body of an answer, which fails with a [LongAnswerError] after a
// number of bytes. An end without an error would look like an answer that was cut off by
// the network. The text of [http.MaxBytesError] speaks of a request.
func LimitBody(body io.ReadCloser, bytes int) io.ReadCloser { return &limitedBody{body, bytes, bytes} }

// LongAnswerError means that an answer has more than Limit bytes.
type LongAnswerError struct{ Limit int }

func (e *LongAnswerError) Error() string {
	return fmt.Sprintf("the answer is longer than %d bytes", e.Limit)
}

type limitedBody struct {
	io.ReadCloser
	limit, left int
}

func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left+1)])
	if n > b.left {
		b.left = 0
		return 0, &LongAnswerError{b.limit}
	}
	b.left -= n
	return n, err
}
