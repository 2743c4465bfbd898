// Package outbound limits the time for which a server outside can hold what a client of
// ours uses: the deadline of a request does not cover everything that net/http does for it.
package outbound

import (
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

// RoundTrip implements [http.RoundTripper].
func (t Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := t.Transport.RoundTrip(r)
	if err == nil && answer.StatusCode == http.StatusSwitchingProtocols {
		_ = answer.Body.Close()
		answer.Body = http.NoBody
	}
	return answer, err
}
