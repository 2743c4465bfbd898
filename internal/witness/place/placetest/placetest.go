// Package placetest runs the servers that keep a witness, for tests.
package placetest

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-tpm/tpm2"

	"strongroom/internal/tpm"
)

// Server is the HTTP server of a witness, with the protocol in docs/how-to/witness.md.
type Server struct {
	Token string // of each request; "": none

	mu     sync.Mutex
	texts  map[string][]byte // guarded by mu, as below
	counts map[string]int
	down   int // status of each answer; 0: it works
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, there := s.texts[r.URL.Path]
	etag := fmt.Sprintf(`"%d"`, s.counts[r.URL.Path])
	switch {
	case s.down > 0:
		w.WriteHeader(s.down)
	case s.Token != "" && r.Header.Get("Authorization") != "Bearer "+s.Token:
		w.WriteHeader(http.StatusUnauthorized)
	case r.Method == http.MethodGet && there:
		w.Header().Set("ETag", etag)
		_, _ = w.Write(text)
	case r.Method == http.MethodGet:
		w.WriteHeader(http.StatusNotFound)
	case there && r.Header.Get("If-Match") != etag, !there && r.Header.Get("If-None-Match") != "*":
		w.WriteHeader(http.StatusPreconditionFailed)
	default:
		text, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		s.put(r.URL.Path, text)
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s *Server) put(path string, text []byte) {
	if s.texts == nil {
		s.texts, s.counts = map[string][]byte{}, map[string]int{}
	}
	s.texts[path] = text
	s.counts[path]++
}

// Answer makes the server answer each request with a status; 0: it works again.
func (s *Server) Answer(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = status
}

// Texts returns a copy of what the server keeps.
func (s *Server) Texts() map[string][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string][]byte{}
	for path, text := range s.texts {
		all[path] = text
	}
	return all
}

// Put replaces what the server keeps.
func (s *Server) Put(texts map[string][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.texts)
	for path, text := range texts {
		s.put(path, text)
	}
}

// TPM starts swtpm and returns its socket. The state of the TPM is in dir, so that a
// second one in the same dir is the same TPM.
func TPM(t testing.TB, dir string) (socket string, stop func()) {
	t.Helper()
	program, err := exec.LookPath("swtpm")
	if err != nil && os.Getenv("CI") != "true" {
		t.Skip("swtpm is not installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	short, err := os.MkdirTemp("", "tpm") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(short) })
	socket = filepath.Join(short, "s")
	c := exec.Command(program, //nolint:gosec // the program of the test
		"socket", "--tpm2", "--tpmstate", "dir="+dir, "--flags", "startup-clear,not-need-init",
		"--server", "type=unixio,path="+socket, "--ctrl", "type=unixio,path="+socket+".ctrl")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = c.Wait() }()
	stop = sync.OnceFunc(func() { _ = c.Process.Kill(); <-ended })
	t.Cleanup(stop)
	for until := time.Now().Add(10 * time.Second); ; {
		if c, err := net.Dial("unix", socket); err == nil { // the file is there a moment before anyone listens
			_ = c.Close()
			return socket, stop
		}
		select {
		case <-ended:
			t.Fatal("swtpm ended")
		case <-time.After(10 * time.Millisecond):
		}
		if time.Now().After(until) {
			t.Fatal("swtpm has no socket")
		}
	}
}

// Clear clears a TPM, as its firmware or tpm2_clear does. That deletes the counters.
func Clear(t testing.TB, socket string) {
	t.Helper()
	opened, err := tpm.Open(socket)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = opened.Close() }()
	if _, err := (tpm2.Clear{AuthHandle: tpm2.AuthHandle{Handle: tpm2.TPMRHLockout, Auth: tpm2.PasswordAuth(nil)}}).Execute(opened); err != nil {
		t.Fatal(err)
	}
}
