package server

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"strongroom/internal/strictjson"
)

// pipes is a listener without a network.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if c, open := <-p; open {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) Close() error { close(p); return nil }

func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p pipes) dial() net.Conn {
	ours, theirs := net.Pipe()
	p <- theirs
	return ours
}

// dialFrom connects to the API from an address of this machine.
func (r *running) dialFrom(address string) net.Conn {
	r.t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	_, to, _ := strings.Cut(r.api, "://")
	c, err := dialer.Dial("tcp", to)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = c.Close() })
	return c
}

// ended waits until the server has closed c.
func ended(t *testing.T, c net.Conn) {
	t.Helper()
	_ = c.SetReadDeadline(time.Now().Add(5 * time.Second)) // below readHeaderTimeout, by which it would end anyway
	if _, err := io.Copy(io.Discard, c); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection is still open")
	}
}

// stands checks that c still works.
func stands(t *testing.T, c net.Conn) {
	t.Helper()
	_, _ = io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
	_ = c.SetReadDeadline(time.Now().Add(5 * time.Second))
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil || res.StatusCode != 200 {
		t.Errorf("answer %v: %v", res, err)
		return
	}
	_, _ = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
}

// ask reads an answer to its end.
func ask(res *http.Response, err error) (*http.Response, error) {
	if err == nil {
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
	}
	return res, err
}

// until waits until the listener is in a state.
func (l *connections) until(t *testing.T, what string, state func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		l.mu.Lock()
		is := state()
		l.mu.Unlock()
		if is {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func TestAFullListenerClosesTheConnectionSilentForLongest(t *testing.T) {
	r := start(t, Config{MaxConnections: 3})
	var silent []net.Conn
	for i := range 3 {
		silent = append(silent, r.dialFrom("127.0.0.1"))
		r.open.until(t, "the connection", func() bool { return r.open.open == i+1 })
	}
	stands(t, silent[0]) // and it has now been silent for the shortest time
	r.open.until(t, "its end", func() bool { return r.open.waiting.Len() == 3 })
	_, _ = io.WriteString(silent[2], "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
	stands(t, r.dialFrom("127.0.0.2"))
	ended(t, silent[1])
	stands(t, r.dialFrom("127.0.0.3"))
	ended(t, silent[2])
	stands(t, silent[0])
}

func TestAFullListenerClosesAConnectionAfterAPanic(t *testing.T) {
	r := start(t, Config{MaxConnections: 1, REST: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("x") })})
	c := r.dialFrom("127.0.0.1")
	_, _ = io.WriteString(c, "POST /api/encryption/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
	if res, err := ask(http.ReadResponse(bufio.NewReader(c), nil)); err != nil || res.StatusCode != 500 {
		t.Fatalf("%v %v", res, err)
	}
	r.open.until(t, "the connection's next request", func() bool { return r.open.waiting.Len() == 1 })
	stands(t, r.dialFrom("127.0.0.2"))
	ended(t, c)
}

func TestAFullListenerKeepsAConnectionThatWorksOnAGetWithABody(t *testing.T) {
	working, finish := make(chan struct{}), make(chan struct{})
	r := start(t, Config{MaxConnections: 1, GraphQL: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(working)
		<-finish
		_, _ = io.WriteString(w, "done")
	})})
	c := r.dialFrom("127.0.0.1")
	_, _ = io.WriteString(c, "GET /graphql?query=x HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
	<-working
	stands(t, r.dialFrom("127.0.0.2")) // in the reserve
	close(finish)
	if res, err := ask(http.ReadResponse(bufio.NewReader(c), nil)); err != nil || res.StatusCode != 200 {
		t.Errorf("%v %v", res, err)
	}
}

func TestConnectionsPerAddressAreLimited(t *testing.T) {
	r := start(t, Config{MaxConnectionsPerAddress: 2, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.3/32")}})
	other := r.dialFrom("127.0.0.2")
	var greedy, proxy []net.Conn
	for range 3 {
		greedy = append(greedy, r.dialFrom("127.0.0.1"))
		proxy = append(proxy, r.dialFrom("127.0.0.3"))
	}
	ended(t, greedy[0])
	for _, c := range slices.Concat(greedy[1:], proxy, []net.Conn{other}) {
		stands(t, c)
	}
	for _, c := range slices.Concat(greedy, proxy, []net.Conn{other}) {
		_ = c.Close()
	}
	r.open.until(t, "nothing to be remembered", func() bool { return r.open.open == 0 && len(r.open.sources) == 0 })
}

func TestAnIPv6SiteHasTwiceTheConnectionsOfOneNetwork(t *testing.T) {
	l := &connections{most: 100, perAddress: 2, sources: map[netip.Prefix]*source{}}
	for address, want := range map[string]string{"[2001:db8:1:2::3]:4": "2001:db8:1:2::/64 2, 2001:db8:1::/48 4", "192.0.2.1:5": "192.0.2.1/32 2",
		"[::ffff:192.0.2.1]:5": "192.0.2.1/32 2", "pipe": ""} {
		var got []string
		for _, s := range l.sourcesOf(named(address)) {
			got = append(got, fmt.Sprint(s.prefix, " ", s.most))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %v, want %s", address, got, want)
		}
	}
}

type named string

func (named) Network() string  { return "tcp" }
func (n named) String() string { return string(n) }

func TestAFullServerAnswersProbesAndRefusesOthersWith503(t *testing.T) {
	for _, how := range []string{"in all", "of one address"} {
		t.Run(how, func(t *testing.T) {
			ca := newAuthority(t, "ca")
			f := newFiles(t, ca.issue(nil))
			entered, finish := make(chan struct{}), make(chan struct{})
			cfg := Config{MaxConnections: 2, TLS: &f.TLS, GraphQL: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
				entered <- struct{}{}
				<-finish
			})}
			if how != "in all" {
				cfg.MaxConnections, cfg.MaxConnectionsPerAddress = 100, 2
			}
			r := start(t, cfg)
			fresh := func() *http.Client {
				return &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: ca.pool()}}}
			}
			var atWork sync.WaitGroup
			for range 2 {
				atWork.Go(func() {
					if res, err := ask(fresh().Get(r.api + "/graphql")); err != nil || res.StatusCode != 200 {
						t.Errorf("at work: %v %v", res, err)
					}
				})
				<-entered
			}
			for range maxReserve + 10 { // that send nothing
				r.dialFrom("127.0.0.1")
			}
			for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/graphql": 503, "/other": 503} {
				res, err := ask(fresh().Get(r.api + path))
				if err != nil || res.StatusCode != want || want == 503 && (res.Header.Get("Retry-After") != "1" || res.Header.Get("X-Request-Id") == "") {
					t.Errorf("%s: %v %v", path, res, err)
				}
			}
			close(finish)
			atWork.Wait()
		})
	}
}

func TestSlowRequestsTakeBoundedMemory(t *testing.T) {
	begin := "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	for name, text := range map[string]string{
		"headers": begin + strings.Repeat("X-Filler: "+strings.Repeat("x", 1000)+"\r\n", 20),
		"bodies":  begin + "Content-Length: 65000\r\n\r\n" + strings.Repeat(" ", 20_000),
		"streams": begin + "Content-Length: 65000\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, Config{memory: 100_000, GraphQL: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if _, refusal := strictjson.Request(w, r, 64<<10); refusal != nil {
					w.WriteHeader(400)
				}
			})})
			var slow []net.Conn
			var gone atomic.Int32
			for range 30 {
				c := r.dialFrom("127.0.0.1")
				if _, err := io.WriteString(c, text); err != nil {
					t.Fatal(err)
				}
				go func() {
					_, _ = io.Copy(io.Discard, c)
					gone.Add(1)
				}()
				slow = append(slow, c)
			}
			// Once each of them has held memory, a later request is the last to lose its share.
			r.open.until(t, "the bound", func() bool {
				if r.open.held > r.open.memory+80<<10 { // what is above it is being closed
					t.Errorf("%d bytes are held", r.open.held)
				}
				return r.open.open < 15 && r.open.holders.Len()+int(gone.Load()) == len(slow)
			})
			res, err := ask(r.client.Post(r.api+"/graphql", "application/json", strings.NewReader(`{"a":"`+strings.Repeat("x", 20_000)+`"}`)))
			if err != nil || res.StatusCode != 200 {
				t.Errorf("an ordinary request: %v %v", res, err)
			}
			for _, c := range slow {
				_ = c.Close()
			}
			r.open.until(t, "the memory", func() bool { return r.open.held == 0 && r.open.holders.Len() == 0 })
		})
	}
}

// With HTTP/2, a field that a connection has sent before takes one byte on the wire.
func TestHeaderFieldsThatAreSentAgainTakeBoundedMemory(t *testing.T) {
	ca := newAuthority(t, "ca")
	f := newFiles(t, ca.issue(nil))
	const memory = 1 << 20
	var fields, most atomic.Int64
	r := start(t, Config{TLS: &f.TLS, memory: memory, GraphQL: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		n := int64(len(r.Header.Get("Cookie")))
		for is := fields.Add(n); is > most.Load(); {
			most.Store(is)
		}
		_, _ = io.Copy(io.Discard, r.Body) // until the connection is closed
		fields.Add(-n)
	})}).trusting(&tls.Config{RootCAs: ca.pool()})
	const value = 127 + 61 + 29<<7 // the length of the cookie, as in RFC 7541, 5.1
	var flood []net.Conn
	for range 5 {
		c := tls.Client(r.dialFrom("127.0.0.2"), &tls.Config{RootCAs: ca.pool(), ServerName: "localhost", NextProtos: []string{"h2"}})
		flood = append(flood, c)
		_, _ = io.WriteString(c, http2Preface)
		go func() { _, _ = io.Copy(io.Discard, c) }()
		cookie := "\x60\x7f\xbd\x1d" + strings.Repeat("c", value)
		for stream := uint32(1); stream < 200; stream += 2 { // POST without an end
			header := "\x83\x87\x04\x08/graphql\x01\x01x" + cookie + strings.Repeat("\xbe", 18)
			frame := append([]byte{0, byte(len(header) >> 8), byte(len(header)), 1, 4}, binary.BigEndian.AppendUint32(nil, stream)...)
			_, _ = c.Write(append(frame, header...)) // an error means that the connection was closed to make room
			cookie = "\xbe"
		}
	}
	r.open.until(t, "room", func() bool { return r.open.open < len(flood) && r.open.held <= memory })
	for _, c := range flood {
		_ = c.(*tls.Conn).NetConn().Close()
	}
	r.open.until(t, "their end", func() bool { return r.open.open == 0 && fields.Load() == 0 })
	// Requests of a connection that is being closed end a little later. Without a bound, all take 37 MB.
	if most.Load() == 0 || most.Load() > 8*memory {
		t.Errorf("requests held %d bytes of header fields at once", most.Load())
	}
	if got := r.do("GET", r.api+"/other"); got.Status != 404 {
		t.Errorf("another client got %d %s", got.Status, got.Body)
	}
}

func TestMemoryIsReleasedAfterEachRequest(t *testing.T) {
	ca := newAuthority(t, "ca")
	f := newFiles(t, ca.issue(nil))
	r := start(t, Config{TLS: &f.TLS, memory: 1 << 20, GraphQL: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
	})})
	for name, config := range map[string]*http.Transport{
		"HTTP/1.1": {TLSClientConfig: &tls.Config{RootCAs: ca.pool(), NextProtos: []string{"http/1.1"}}},
		"HTTP/2":   {TLSClientConfig: &tls.Config{RootCAs: ca.pool()}, ForceAttemptHTTP2: true},
	} {
		client := &http.Client{Transport: config}
		var all sync.WaitGroup
		for range 10 { // overlapping, so that with HTTP/2 the connection is never without a request
			all.Go(func() {
				for range 25 { // in all ten times the memory
					req, err := http.NewRequest("POST", r.api+"/graphql", strings.NewReader(strings.Repeat(" ", 40_000)))
					if err != nil {
						t.Error(err)
						return
					}
					req.Header.Set("X-Filler", strings.Repeat("x", 2*freeBytes))
					res, err := client.Do(req)
					if err != nil {
						t.Errorf("%s: %v", name, err)
						return
					}
					_ = res.Body.Close()
				}
			})
		}
		all.Wait()
		r.open.until(t, "the memory after "+name, func() bool { return r.open.held == 0 })
		client.CloseIdleConnections()
	}
}

func TestADelayedDrainServesRequestsWhileNotReady(t *testing.T) {
	r := start(t, Config{DrainDelay: 400 * time.Millisecond})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	r.stop()
	red, told := 0, 0
	for ctx.Err() == nil {
		res, err := r.client.Get(r.api + "/readyz")
		if err != nil {
			break // the port is closed, or this was on its way while it closed
		}
		_ = res.Body.Close()
		if res.StatusCode == 503 {
			red++
			if answer := r.do("POST", r.api+"/graphql"); answer.Status != 200 {
				t.Errorf("status %d while readiness is red", answer.Status)
			}
		}
		if res.Close {
			told++
			break // from here on a client connects anew, which it does not once readiness is red
		}
	}
	if red == 0 || told == 0 {
		t.Errorf("readiness was red %d times; %d answers ended their connection", red, told)
	}
}
