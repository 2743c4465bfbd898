package postgres

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"strongroom/internal/store"
	"strongroom/internal/store/postgres/pgtest"
	"strongroom/internal/store/sqltx"
)

// oneGoroutine skips a test in the short form, which runs with the race detector: nothing
// in the test runs at the same time as anything else.
func oneGoroutine(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("nothing in it is parallel")
	}
}

func opened(t testing.TB, url string) *Store {
	t.Helper()
	return openedWith(t, Config{URL: url})
}

func openedWith(t testing.TB, cfg Config) *Store {
	t.Helper()
	s, err := Open(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func migrated(t testing.TB, url string) *Store {
	t.Helper()
	s := opened(t, url)
	if err := s.Migrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s
}

// migratedDatabase makes a database with the schema of this version and returns
// its URL.
func migratedDatabase(t testing.TB) string {
	t.Helper()
	return pgtest.Filled(t, func(url string) {
		if err := migrated(t, url).Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func put(t testing.TB, s *Store, name, value string) {
	t.Helper()
	if err := s.Update(context.Background(), write(name, value)); err != nil {
		t.Fatal(err)
	}
}

func write(name, value string) func(store.Tx) error {
	return func(tx store.Tx) error { return tx.PutSetting(name, []byte(value)) }
}

// get is the value of a setting, "" for none.
func get(t testing.TB, s *Store, name string) (value string) {
	t.Helper()
	err := s.View(context.Background(), func(tx store.Tx) error {
		v, err := tx.Setting(name)
		value = string(v)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func wantError(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}

func query(t testing.TB, s *Store, statement string, args ...any) (found []string) {
	t.Helper()
	err := s.view(context.Background(), func(tx *tx) (err error) {
		found, err = sqltx.All(tx, sqltx.Row.Text, statement, args...)
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return found
}

// database is the name in a URL.
func database(t testing.TB, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(u.Path, "/")
}

func run(t testing.TB, address string, statements ...string) {
	t.Helper()
	pgtest.Shared(t).Exec(t, database(t, address), statements...)
}

// wire is a network between a store and its server that tests cut.
type wire struct {
	net.Listener
	server string

	mu    sync.Mutex
	cut   func(request []byte) cut   // guarded by mu
	edit  func(answer []byte) []byte // guarded by mu; nil: answers pass unchanged
	conns []net.Conn                 // guarded by mu
}

// cut is what happens to a connection as the client sends something.
type cut int

const (
	pass        cut = iota
	cutBefore       // the server never gets it
	cutAfter        // the server gets it, the client gets no answer
	cutNever        // hold it for ever
	secondsHeld = 30 * time.Second
)

func newWire(t testing.TB, address string) (*wire, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{Listener: l, server: u.Host, cut: func([]byte) cut { return pass }}
	t.Cleanup(func() { _ = l.Close(); w.cutAll() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go w.carry(client)
		}
	}()
	u.Host = net.JoinHostPort("127.0.0.1", strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
	return w, u.String()
}

func (w *wire) carry(client net.Conn) {
	server, err := net.Dial("tcp", w.server)
	if err != nil {
		_ = client.Close()
		return
	}
	w.mu.Lock()
	w.conns = append(w.conns, client, server)
	w.mu.Unlock()
	mute := make(chan struct{})
	go func() {
		defer client.Close()
		b := make([]byte, 64<<10)
		for {
			n, err := server.Read(b)
			select {
			case <-mute:
				return
			default:
			}
			if err != nil {
				return
			}
			answer := b[:n]
			w.mu.Lock()
			if w.edit != nil {
				answer = w.edit(answer)
			}
			w.mu.Unlock()
			_, _ = client.Write(answer)
		}
	}()
	defer server.Close()
	defer client.Close()
	b := make([]byte, 64<<10)
	for {
		n, err := client.Read(b)
		if err != nil {
			return
		}
		w.mu.Lock()
		what := w.cut(b[:n])
		w.mu.Unlock()
		switch what {
		case cutBefore:
			return
		case cutAfter:
			close(mute)
			_, _ = server.Write(b[:n])
			time.Sleep(200 * time.Millisecond) // time for the server to do it; nobody gets its answer
			return
		case cutNever:
			time.Sleep(secondsHeld)
			return
		}
		_, _ = server.Write(b[:n])
	}
}

func (w *wire) cutAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.conns {
		_ = c.Close()
	}
	w.conns = nil
}

// once does something to the first request that holds the text.
func (w *wire) once(text string, what cut) {
	w.mu.Lock()
	defer w.mu.Unlock()
	done := false
	w.cut = func(request []byte) cut {
		if done || !bytes.Contains(request, []byte(text)) {
			return pass
		}
		done = true
		return what
	}
}
