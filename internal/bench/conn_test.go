package bench

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func target(t testing.TB, handler http.HandlerFunc) *url.URL {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	to, err := parseURL(s.URL + "/graphql")
	if err != nil {
		t.Fatal(err)
	}
	return to
}

func TestTheEndOfARunDoesNotWaitForAServerThatHangs(t *testing.T) {
	hangs, err := net.Listen("tcp", "127.0.0.1:0") // connections are established and never accepted
	if err != nil {
		t.Fatal(err)
	}
	defer hangs.Close()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		c := &conn{to: &url.URL{Scheme: "http", Host: hangs.Addr().String()}}
		defer c.close()
		_, _, err := c.do(ctx, []byte("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
		ended <- err
	}()
	time.Sleep(50 * time.Millisecond) // it waits for the answer
	cancel()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("it got an answer")
		}
	case <-time.After(10 * time.Second):
		t.Error("it still waits for the answer")
	}
}

func TestAConnectionIsReusedAndReopenedAfterItCloses(t *testing.T) {
	long := strings.Repeat("0123456789", 10_000)
	var seen atomic.Int64
	to := target(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch seen.Add(1) {
		case 2: // chunked
			w.(http.Flusher).Flush()
			fmt.Fprint(w, long)
		case 4:
			w.Header().Set("Connection", "close")
		case 5:
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_, _ = w.Write(body)
	})
	c := &conn{to: to, deadline: time.Now().Add(time.Minute)}
	defer c.close()
	for n := 1; n <= 6; n++ {
		status, body, err := c.do(t.Context(), wire(to, n))
		want, wantStatus := fmt.Sprint(n), 200
		if n == 2 {
			want = long + want
		}
		if n == 5 {
			wantStatus = 503
		}
		if err != nil || status != wantStatus || string(body) != want {
			t.Fatalf("request %d: %d %.100q %v", n, status, body, err)
		}
		if open := c.c != nil; open == (n == 4) {
			t.Errorf("after request %d the connection is open: %v", n, open)
		}
	}
}

// FuzzAnswer holds that whatever a server answers is read within bounds or
// refused.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 503 \r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
		"HTTP/1.1 200 OK\nconnection: CLOSE\ncontent-length: 0\n\n", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 2", "\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &conn{r: bufio.NewReaderSize(bytes.NewReader(data), 4<<10)}
		status, _, err := c.read()
		if err != nil {
			return
		}
		if status < -99 || status > 999 || len(c.body) > min(len(data), maxAnswer) {
			t.Fatalf("status %d and a body of %d bytes out of %d", status, len(c.body), len(data))
		}
		if !bytes.Contains(data, c.body) && !bytes.Contains(bytes.ToLower(data), []byte("transfer-encoding")) {
			t.Fatalf("made up %q", c.body)
		}
		_ = codeOf(status, c.body)
	})
}

// BenchmarkClient reports the CPU that one request to the echo costs the side
// that sends it: with this package's connections, and with net/http's client.
func BenchmarkClient(b *testing.B) {
	binary := filepath.Join(b.TempDir(), "strongroom")
	if out, err := exec.Command("go", "build", "-o", binary, "strongroom/cmd/strongroom").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	c, err := startChild(b.Context(), binary, filepath.Join(b.TempDir(), "log"), "/",
		func(address string) []string { return []string{"bench", "echo", address} })
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = c.stop() }()
	to := &url.URL{Scheme: "http", Host: c.address, Path: "/graphql"}
	request := wire(to, dialects[Strongroom].key("bench-00000001", ""))
	_, body, _ := bytes.Cut(request, []byte("\r\n\r\n"))
	const clients = 8
	measure := func(b *testing.B, client func() func() error) {
		var left atomic.Int64
		left.Store(int64(b.N))
		before := usageOf(os.Getpid())
		var all sync.WaitGroup
		for range clients {
			all.Go(func() {
				for one := client(); left.Add(-1) >= 0; {
					if err := one(); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		b.ReportMetric(float64((usageOf(os.Getpid()).cpu-before.cpu).Microseconds())/float64(b.N), "µs-CPU/request")
	}
	b.Run("own", func(b *testing.B) {
		measure(b, func() func() error {
			c := &conn{to: to, deadline: time.Now().Add(time.Hour)}
			return func() error { _, _, err := c.do(b.Context(), request); return err }
		})
	})
	b.Run("net-http", func(b *testing.B) {
		h := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
		measure(b, func() func() error {
			return func() error {
				res, err := h.Post(to.String(), "application/json", bytes.NewReader(body))
				if err != nil {
					return err
				}
				_, err = io.Copy(io.Discard, res.Body)
				_ = res.Body.Close()
				return err
			}
		})
	})
}
