package audit

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
)

func TestAFileOfCheckpointsOnlyGrows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoints")
	sink := FileSink(path)
	for _, one := range []string{"one\n", "two\n"} {
		if err := sink(t.Context(), []byte(one)); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if info, _ := os.Stat(path); err != nil || string(text) != "one\ntwo\n" || info.Mode().Perm() != 0o600 {
		t.Errorf("%q, mode %v, %v", text, info.Mode(), err)
	}
	// After the file was moved away, a new one is begun.
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	if err := sink(t.Context(), []byte("three\n")); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "three\n" {
		t.Errorf("%q, %v", text, err)
	}
	if err := FileSink(filepath.Join(path, "none"))(t.Context(), []byte("x")); err == nil {
		t.Error("a file below a file was written")
	}
	pipe := path + ".pipe" // that nobody reads
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := FileSink(pipe)(t.Context(), []byte("x\n")); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
		t.Errorf("a pipe: %v", err)
	}
	if _, err := KeptInFile(pipe, "home", OwnVerifier(newSigner(t))); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
		t.Errorf("reading a pipe: %v", err)
	}
}

// Several instances can append to one file.
func TestAPartOfACheckpointIsRemovedOnlyIfNobodyElseHasWritten(t *testing.T) {
	for after, want := range map[string]string{"": "one\n", "\nanother\n": "one\npart\nanother\n"} {
		path := filepath.Join(t.TempDir(), "checkpoints")
		if err := os.WriteFile(path, []byte("one\npart"+after), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := cutBack(f, int64(len("one\n")), len("part")); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != want {
			t.Errorf("%q, %v, want %q", text, err, want)
		}
	}
}

func newSigner(t *testing.T) note.Signer {
	t.Helper()
	private, _, err := note.GenerateKey(rand.Reader, "strongroom")
	if err != nil {
		t.Fatal(err)
	}
	s, err := note.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A power cut while a checkpoint is appended leaves any part of it, also of its signature.
func TestATornCheckpointDoesNotDamageTheNextOne(t *testing.T) {
	if testing.Short() {
		t.Skip("it has one goroutine, and takes long under the race detector")
	}
	ours := newSigner(t)
	signed := func(minute int) []byte {
		at := time.Date(2026, 3, 1, 12, minute, 0, 0, time.UTC)
		text, err := Checkpoint{"home", at, []Head{{"home", int64(minute), []byte{1}}}}.Sign(ours)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	torn := signed(2)
	for n := 1; n < len(torn)-1; n++ {
		path := filepath.Join(t.TempDir(), "checkpoints")
		if err := os.WriteFile(path, append(signed(1), torn[:n]...), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := FileSink(path)(t.Context(), signed(3)); err != nil {
			t.Fatal(err)
		}
		last, err := KeptInFile(path, "home", OwnVerifier(ours))
		if err != nil || last.Time.Minute() != 3 {
			t.Errorf("torn after %d bytes: the last one is of %v, %v", n, last.Time, err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		held, err := ReadCheckpoints(bytes.NewReader(text), "home", OwnVerifier(ours))
		if err != nil || held.Checkpoints != 2 || len(held.problems) != 1 || !slices.Contains([]string{whatNoNote, whatForged}, held.problems[0].What) {
			t.Errorf("torn after %d bytes: %+v, %v", n, held, err)
		}
	}
}

// Each checkpoint of a file that is complete and signed by the key counts, with all its
// parts. Text that someone appends does not change this.
func TestTheCheckpointsInAFileAreSignedByOurKey(t *testing.T) {
	ours, others := newSigner(t), newSigner(t)
	signed := func(by note.Signer, minute, chains int) string {
		c := Checkpoint{Home: "home", Time: time.Date(2026, 3, 1, 12, minute, 0, 0, time.UTC)}
		for i := range chains {
			c.Heads = append(c.Heads, Head{fmt.Sprintf("c%06d", i), int64(minute), []byte{1}})
		}
		text, err := c.Sign(by)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	first, long := signed(ours, 1, 1), signed(ours, 2, maxNoteChains+1)
	theirs, err := Checkpoint{"elsewhere", time.Date(2026, 3, 1, 12, 4, 0, 0, time.UTC), []Head{{"elsewhere", 9, []byte{2}}}}.Sign(ours)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := string(theirs)
	for name, tt := range map[string]struct {
		text          string
		minute, heads int
		others, stale bool
	}{
		"nothing":                  {"", 0, 0, false, false},
		"line ends":                {"\n\n", 0, 0, false, false},
		"one":                      {first, 1, 1, false, false},
		"of several parts":         {first + long, 2, maxNoteChains + 1, false, false},
		"the newest part cut":      {first + long + signed(ours, 3, 1)[:100], 2, maxNoteChains + 1, false, false},
		"another key's after ours": {first + signed(others, 2, 1), 1, 1, false, false},
		"another key's alone":      {signed(others, 2, 1), 0, 0, true, false},
		"something else":           {"strongroom\n", 0, 0, true, false},
		"edited":                   {strings.Replace(first, "c000000 1", "c000000 2", 1), 0, 0, true, false},
		"an old one again":         {first + signed(ours, 2, 1) + signed(ours, 3, 2) + first, 3, 2, false, true},
		"two at the same time":     {first + signed(ours, 3, 1) + signed(ours, 2, 1), 3, 1, false, false},
		"text after the newest":    {first + signed(ours, 3, 1) + "text\n", 3, 1, false, false},
		"a signature after it":     {first + signed(ours, 3, 1) + "— strongroom text\n\n— strongroom text\n", 3, 1, false, false},
		"a begun one after it":     {first + signed(ours, 3, 1) + "strongroom/home\n1\n", 3, 1, false, false},
		"another store's after it": {first + signed(ours, 3, 1) + elsewhere, 3, 1, false, false},
		"another store's alone":    {elsewhere, 4, 1, false, false},
	} {
		path := filepath.Join(t.TempDir(), "checkpoints")
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		last, err := KeptInFile(path, "home", OwnVerifier(ours))
		if err != nil || last.Others != tt.others || last.Stale != tt.stale || len(last.Heads) != tt.heads || tt.heads > 0 && last.Time.Minute() != tt.minute {
			t.Errorf("%s: %d heads of %v, others %v, stale %v, %v", name, len(last.Heads), last.Time, last.Others, last.Stale, err)
		}
		if last.Home == "home" && last.Heads[0].Seq != int64(tt.minute) {
			t.Errorf("%s: the first chain ends at entry %d, want %d", name, last.Heads[0].Seq, tt.minute)
		}
	}
	if last, err := KeptInFile(filepath.Join(t.TempDir(), "none"), "home", OwnVerifier(ours)); err != nil || last.Others || last.Home != "" {
		t.Errorf("no file: %+v, %v", last, err)
	}
	if _, err := KeptInFile(t.TempDir(), "home", OwnVerifier(ours)); err == nil {
		t.Error("a directory was read as a file")
	}
}

// answers is a receiver that answers each request in turn; the last answer
// stays.
func answers(t *testing.T, handlers ...http.HandlerFunc) (url string, asked *atomic.Int32) {
	asked = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := int(asked.Add(1))
		handlers[min(n, len(handlers))-1](w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func redirect(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
}

// hang answers nothing until the client gives up.
func hang(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // or the server does not see that it did
	<-r.Context().Done()
}

func TestACheckpointIsSentAgainUntilItIsAccepted(t *testing.T) {
	taken := func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		user, password, _ := r.BasicAuth()
		if r.Method != "POST" || string(body) != "note\n" || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/plain") || user != "me" || password != "secret" {
			t.Errorf("%s %q from %s as %s", r.Method, body, user, r.Header.Get("Content-Type"))
		}
		w.WriteHeader(http.StatusAccepted)
	}
	slow := func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusOK) // and then a body without an end, which the client does not read
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	}
	for name, tt := range map[string]struct {
		handlers []http.HandlerFunc
		asked    int32
		fails    string
	}{
		"at once":                 {[]http.HandlerFunc{taken}, 1, ""},
		"after it failed":         {[]http.HandlerFunc{status(500), status(429), taken}, 3, ""},
		"after it hung":           {[]http.HandlerFunc{hang, taken}, 2, ""},
		"an answer without end":   {[]http.HandlerFunc{slow}, 1, ""},
		"never: it fails":         {[]http.HandlerFunc{status(503)}, 4, "answered 503"},
		"never: it hangs":         {[]http.HandlerFunc{hang}, 4, "exceeded"},
		"a redirect is no answer": {[]http.HandlerFunc{redirect}, 4, "answered 307"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, asked := answers(t, tt.handlers...)
			url = strings.Replace(url, "http://", "http://me:secret@", 1)
			err := httpSink(url, &http.Transport{}, time.Second, time.Millisecond)(t.Context(), []byte("note\n"))
			if (err == nil) != (tt.fails == "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
				t.Errorf("got %v", err)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("the error contains the password: %v", err)
			}
			if n := asked.Load(); n != tt.asked {
				t.Errorf("asked %d times", n)
			}
		})
	}
}

func TestSendingACheckpointEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	url, asked := answers(t, func(w http.ResponseWriter, r *http.Request) { cancel(); hang(w, r) })
	if err := httpSink(url, &http.Transport{}, time.Minute, time.Minute)(ctx, nil); !errors.Is(err, context.Canceled) || asked.Load() != 1 {
		t.Errorf("%v, asked %d times", err, asked.Load())
	}
}

// freezing is a listener on whose connections nothing passes any more once they are
// frozen. Later connections work.
type freezing struct {
	net.Listener
	made, frozen atomic.Int64
}

func (f *freezing) Accept() (net.Conn, error) {
	conn, err := f.Listener.Accept()
	return &freezingConn{conn, f, f.made.Add(1)}, err
}

type freezingConn struct {
	net.Conn
	of     *freezing
	number int64
}

func (c *freezingConn) Read(p []byte) (int, error) {
	for {
		n, err := c.Conn.Read(p)
		if err != nil || c.number > c.of.frozen.Load() {
			return n, err
		}
	}
}

func (c *freezingConn) Write(p []byte) (int, error) {
	if c.number > c.of.frozen.Load() {
		return c.Conn.Write(p)
	}
	return len(p), nil
}

// A firewall that forgets a connection answers nothing. The next checkpoints need another
// connection.
func TestACheckpointIsSentOverANewConnectionWhenTheOldOneIsSilent(t *testing.T) {
	var protocol atomic.Value
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { protocol.Store(r.Proto) }))
	network := &freezing{Listener: server.Listener}
	server.Listener, server.EnableHTTP2 = network, true
	server.StartTLS()
	defer server.Close()
	sink := httpSink(server.URL, server.Client().Transport.(*http.Transport), 100*time.Millisecond, 10*time.Millisecond)
	deliver := func() error {
		var err error
		for range 20 { // a busy machine may miss the timeout
			if err = sink(t.Context(), []byte("note\n")); err == nil {
				return nil
			}
		}
		return err
	}
	if err := deliver(); err != nil || protocol.Load() != "HTTP/2.0" {
		t.Fatalf("%v, by %v", err, protocol.Load())
	}
	network.frozen.Store(network.made.Load())
	if err := deliver(); err != nil {
		t.Errorf("%v; connections: %d", err, network.made.Load())
	}
}
