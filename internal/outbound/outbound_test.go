package outbound

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const wait = time.Second

// peer is a server that answers the first bytes of each connection with a text, and then
// waits for the client to close it.
type peer struct {
	net.Listener
	closed chan struct{} // told of each connection that the client closed
}

func listen(t *testing.T, answer string) *peer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &peer{l, make(chan struct{}, 10)}
	var serving sync.WaitGroup
	ended, end := context.WithCancel(t.Context())
	serving.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() {
				defer context.AfterFunc(ended, func() { _ = conn.Close() })()
				defer func() { _ = conn.Close() }()
				_, _ = conn.Read(make([]byte, 4096))
				_, _ = io.WriteString(conn, answer)
				_, _ = io.Copy(io.Discard, conn)
				p.closed <- struct{}{}
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		end()
		serving.Wait()
	})
	return p
}

func (p *peer) mustBeClosed(t *testing.T) {
	t.Helper()
	select {
	case <-p.closed:
	case <-time.After(10 * time.Second):
		t.Fatal("the client still holds its connection")
	}
}

// get requests a URL, with wait as its deadline.
func get(t *testing.T, client *http.Client, url string) (status int, text string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(body), err
}

func TestAnAnswerThatSwitchesProtocolsEnds(t *testing.T) {
	var asked sync.WaitGroup
	t.Cleanup(asked.Wait)
	p := listen(t, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
	client := &http.Client{Transport: New(&http.Transport{}, wait)}
	asked.Go(func() {
		if status, text, err := get(t, client, "http://"+p.Addr().String()); status != http.StatusSwitchingProtocols || text != "" || err != nil {
			t.Errorf("%d %q %v", status, text, err)
		}
	})
	p.mustBeClosed(t)
}

func TestAHandshakeThatIsNotFinishedEnds(t *testing.T) {
	p := listen(t, "")
	client := &http.Client{Transport: New(&http.Transport{}, wait)}
	for range 3 {
		if status, _, err := get(t, client, "https://"+p.Addr().String()); err == nil {
			t.Errorf("answered %d", status)
		}
	}
	for range 3 {
		p.mustBeClosed(t)
	}
}

// blackHole passes connections on to a server. After it is closed, nothing passes over the
// connections that it has, and new ones work.
type blackHole struct {
	net.Listener
	to     string
	closed atomic.Int64 // connections that were made before
	made   atomic.Int64
}

func (b *blackHole) serve(ended context.Context, serving *sync.WaitGroup) {
	for {
		conn, err := b.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", b.to)
		if err != nil {
			_ = conn.Close()
			continue
		}
		context.AfterFunc(ended, func() {
			_ = conn.Close()
			_ = server.Close()
		})
		number := b.made.Add(1)
		pass := func(to, from net.Conn) {
			buffer := make([]byte, 4096)
			for {
				n, err := from.Read(buffer)
				if err != nil {
					_ = to.Close()
					return
				}
				if number > b.closed.Load() {
					_, _ = to.Write(buffer[:n])
				}
			}
		}
		serving.Go(func() { pass(server, conn) })
		serving.Go(func() { pass(conn, server) })
	}
}

func TestASilentHTTP2ConnectionIsReplaced(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Proto) }))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &blackHole{Listener: l, to: strings.TrimPrefix(server.URL, "https://")}
	var serving sync.WaitGroup
	ended, end := context.WithCancel(t.Context())
	serving.Go(func() { b.serve(ended, &serving) })
	defer serving.Wait()
	defer end()
	defer func() { _ = l.Close() }()

	roots := server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	transport := New(&http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "example.com"}}, wait)
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	ask := func() (string, error) {
		_, proto, err := get(t, client, "https://"+l.Addr().String())
		return proto, err
	}
	for range 50 { // a busy machine may miss the deadline of a request
		if proto, err := ask(); err == nil && proto == "HTTP/2.0" {
			break
		}
	}
	b.closed.Store(b.made.Load())
	for range 50 {
		if _, err := ask(); err == nil {
			return
		}
	}
	t.Errorf("no request got through in 5 s; connections: %d", b.made.Load())
}
