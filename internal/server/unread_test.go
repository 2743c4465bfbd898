package server

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// encrypted starts a server with TLS. h2 is for connections to it over HTTP/2.
func encrypted(t *testing.T, cfg Config) (r *running, h2 *tls.Config) {
	t.Helper()
	ca := newAuthority(t, "ca")
	cfg.TLS = &newFiles(t, ca.issue(nil)).TLS
	return start(t, cfg).trusting(&tls.Config{RootCAs: ca.pool()}), &tls.Config{RootCAs: ca.pool(), ServerName: "localhost", NextProtos: []string{"h2"}}
}

// unread opens an HTTP/2 connection from an address, sends GET path 100 times, and
// allows the server to send no byte of an answer's body.
func (r *running) unread(config *tls.Config, address, path string) net.Conn {
	return r.hundred(config, address, "\x01\x05", "\x82\x87\x04"+string(rune(len(path)))+path+"\x01\x01x") // END_STREAM, END_HEADERS
}

// hundred opens an HTTP/2 connection like unread. frame is the type of the frame that
// begins each request, and its flags; header is its content.
func (r *running) hundred(config *tls.Config, address, frame, header string) net.Conn {
	r.t.Helper()
	c := tls.Client(r.dialFrom(address), config)
	preface, _, _ := strings.Cut(http2Preface, "\x00")
	text := []byte(preface + "\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x00") // SETTINGS_INITIAL_WINDOW_SIZE is 0 (RFC 9113, 6.5.2)
	for stream := uint32(1); stream < 200; stream += 2 {
		text = append(text, "\x00\x00"+string(rune(len(header)))+frame...)
		text = append(binary.BigEndian.AppendUint32(text, stream), header...)
	}
	if _, err := c.Write(text); err != nil {
		r.t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, c) }()
	return c
}

func TestUnreadAnswersLeaveRoomForOtherRequests(t *testing.T) {
	r, trust := encrypted(t, Config{SDL: strings.Repeat("#", 16<<10)})
	for range maxConnections/100 + 2 {
		defer r.unread(trust, "127.0.0.2", "/schema.graphql").Close()
	}
	for last, since := -1, time.Now(); time.Since(since) < time.Second; time.Sleep(10 * time.Millisecond) {
		if api, _ := r.load(); api.Requests != last {
			last, since = api.Requests, time.Now()
		}
	}
	if got := r.do("POST", r.api+"/graphql"); got.Status != 200 {
		api, _ := r.load()
		t.Errorf("with %d of %d requests in progress, another client got %d %s", api.Requests, api.MaxRequests, got.Status, got.Body)
	}
}

func TestAFullListenerClosesTheConnectionWhoseAnswerIsUnreadForLongest(t *testing.T) {
	r := start(t, Config{MaxConnections: 2, GraphQL: endless})
	var silent []net.Conn
	for i := range 2 {
		silent = append(silent, r.dialFrom("127.0.0.1"))
		_, _ = io.WriteString(silent[i], "GET /graphql HTTP/1.1\r\nHost: x\r\n\r\n")
		r.open.untilStuck(t, i+1)
	}
	if got := r.do("GET", r.api+"/other"); got.Status != 404 {
		t.Errorf("a request on a new connection got %d %s", got.Status, got.Body)
	}
	ended(t, silent[0])
	r.open.until(t, "only the other answer", func() bool { return r.open.held == requestBytes+partBytes })
}

// endless answers more than the buffers of a connection hold, in parts.
var endless = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
	part := bytes.Repeat([]byte{'x'}, partBytes)
	for range (64 << 20) / partBytes {
		if _, err := w.Write(part); err != nil {
			return
		}
	}
})

const partBytes = 128 << 10

// untilStuck waits until this number of connections are open and the buffers of each
// are full of an endless answer: a part that is sent would begin the wait anew.
func (l *connections) untilStuck(t *testing.T, number int) {
	t.Helper()
	l.until(t, "full buffers", func() bool {
		last := l.waiting.Back()
		return l.open == number && l.held == number*(requestBytes+partBytes) && last != nil && time.Since(last.Value.(*connection).since) > time.Second/2
	})
}

func TestUnreadAnswersTakeBoundedMemory(t *testing.T) {
	const room = 3
	r := start(t, Config{memory: room*(requestBytes+partBytes) + 1, GraphQL: endless})
	for range 4 * room {
		_, _ = io.WriteString(r.dialFrom("127.0.0.1"), "GET /graphql HTTP/1.1\r\nHost: x\r\n\r\n")
	}
	r.open.untilStuck(t, room)
	if got := r.do("GET", r.api+"/other"); got.Status != 404 {
		t.Errorf("another client got %d %s", got.Status, got.Body)
	}
}

// net/http sends the last bytes of an answer after the handler has returned.
func TestUnreadShortAnswersTakeBoundedMemory(t *testing.T) {
	const room = 2
	r, trust := encrypted(t, Config{memory: (room*100 + 50) * requestBytes})
	for range 4 * room {
		defer r.unread(trust, "127.0.0.2", "/healthz").Close()
	}
	r.open.until(t, "the bound", func() bool { return r.open.open == room && r.open.held >= room*100*requestBytes })
	if got := r.do("GET", r.api+"/healthz"); got.Status != 200 {
		t.Errorf("another client got %d %s", got.Status, got.Body)
	}
}

// The length says that there is no body, and the stream stays open for one.
func TestARequestWhoseStreamStaysOpenHasNotArrived(t *testing.T) {
	r, trust := encrypted(t, Config{GraphQL: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })})
	header := "\x83\x87\x04\x08/graphql\x01\x01x\x0f\x0d\x010" // POST, content-length: 0
	defer r.hundred(trust, "127.0.0.2", "\x01\x04", header).Close()
	r.open.until(t, "the requests", func() bool { return r.open.waiting.Len() == 1 && r.open.held >= 100*requestBytes })
}

func TestHeaderFieldsCountWhatTheyTake(t *testing.T) {
	r := start(t, Config{GraphQL: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })})
	var text strings.Builder
	text.WriteString("POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n")
	const fields = 400 // Go 1.27 refuses more than 500
	for i := range fields {
		_, _ = fmt.Fprintf(&text, "%x:\r\n", i+1)
	}
	text.WriteString("\r\n")
	_, _ = io.WriteString(r.dialFrom("127.0.0.1"), text.String())
	r.open.until(t, "the fields", func() bool { return r.open.held > requestBytes+fields*100 })
}

func TestAnAnswerLargerThanTheMemoryIsSent(t *testing.T) {
	r := start(t, Config{memory: partBytes, GraphQL: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(make([]byte, 8*partBytes))
	})})
	if got := r.do("GET", r.api+"/graphql"); len(got.Body) != 8*partBytes {
		t.Errorf("an answer of %d bytes arrived as %d", 8*partBytes, len(got.Body))
	}
}

func TestAnAnswerForWhichThereIsNoMemoryIsCutOff(t *testing.T) {
	working, finish := make(chan struct{}, 1), make(chan struct{})
	var cut atomic.Int32
	r, trust := encrypted(t, Config{memory: 1 << 20, MaxConnectionsPerAddress: 1024, GraphQL: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		select {
		case working <- struct{}{}:
			<-finish // so the connection is not closed to make room
		default:
			defer func() {
				v := recover()
				cut.Add(1)
				panic(v)
			}()
			_, _ = w.Write(make([]byte, partBytes))
		}
	})})
	defer r.unread(trust, "127.0.0.2", "/graphql").Close()
	defer close(finish)
	const room = (1 << 20) / 2 / (requestBytes + partBytes) // one address may hold half
	r.open.until(t, "the end of the others", func() bool {
		if r.open.held > r.open.memory {
			t.Errorf("%d bytes are held", r.open.held)
		}
		return cut.Load() == 99-room
	})
}

func TestAFullListenerKeepsAConnectionThatWorksOnTheRestOfAnAnswer(t *testing.T) {
	began, finish := make(chan struct{}), make(chan struct{})
	r := start(t, Config{MaxConnections: 1, GraphQL: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "the begin, ")
		_ = http.NewResponseController(w).Flush()
		close(began)
		<-finish
		_, _ = io.WriteString(w, "and the rest")
	})})
	result := make(chan string, 1)
	go func() {
		res, err := r.client.Get(r.api + "/graphql")
		if err != nil {
			result <- err.Error()
			return
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		result <- string(body)
	}()
	<-began
	stands(t, r.dialFrom("127.0.0.2")) // in the reserve
	close(finish)
	if got := <-result; got != "the begin, and the rest" {
		t.Errorf("the answer is %q", got)
	}
}

func TestAConnectionAtWorkLeavesMemoryToOtherAddresses(t *testing.T) {
	finish := make(chan struct{})
	r, trust := encrypted(t, Config{memory: 400_000, MaxConnectionsPerAddress: 1024, GraphQL: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			<-finish // the service works
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
	})})
	c := tls.Client(r.dialFrom("127.0.0.2"), trust)
	defer c.Close()
	defer close(finish)
	_, _ = io.WriteString(c, firstRequest("/graphql"))
	go func() { _, _ = io.Copy(io.Discard, c) }()
	r.open.until(t, "the work", func() bool { return r.open.open == 1 && r.open.waiting.Len() == 0 })
	for stream := uint32(3); stream < 200; stream += 2 { // POST without a body
		if _, err := c.Write(append(binary.BigEndian.AppendUint32([]byte("\x00\x00\x0f\x01\x04"), stream), "\x83\x87\x04\x08/graphql\x01\x01x"...)); err != nil {
			t.Fatal(err)
		}
	}
	res, err := ask(r.client.Post(r.api+"/graphql", "application/json", strings.NewReader("{}")))
	for since := time.Now(); err == nil && res.StatusCode == 200 && time.Since(since) < time.Second; {
		res, err = ask(r.client.Post(r.api+"/graphql", "application/json", strings.NewReader("{}")))
	}
	if err != nil || res.StatusCode != 200 {
		t.Errorf("a request from another address: %v %v", res, err)
	}
}
