package pgtest

import (
	"bytes"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// bouncer is a running PgBouncer.
type bouncer struct {
	address  string
	dir      string
	cmd      *exec.Cmd
	watchdog *exec.Cmd
}

// Bouncer starts a PgBouncer in front of the server for as long as the test runs, and
// returns its address. Settings are in the form name=value. If PgBouncer is not
// installed, the test is skipped.
func (s *Server) Bouncer(t testing.TB, settings ...string) string {
	t.Helper()
	b, err := s.startBouncer(settings...)
	if err != nil {
		t.Fatal(err)
	}
	if b == nil {
		t.Skip("SKIPPED: PgBouncer is not installed; on Debian: apt-get install pgbouncer")
	}
	t.Cleanup(b.end) // after the parallel tests that belong to t
	return b.address
}

// Pooled returns a URL of the same database through a PgBouncer that keeps sessions for
// the next client. address is the URL of a database of the shared server. A new session
// costs the server much more than most tests do, because it starts a process and reads
// the catalogs. If PgBouncer is not installed, Pooled returns the same URL.
func Pooled(t testing.TB, address string) string {
	t.Helper()
	s := Shared(t)
	one.Lock()
	defer one.Unlock()
	if one.bouncer == nil && one.err == nil {
		one.bouncer, one.err = s.startBouncer("pool_mode=session", "default_pool_size=60", "max_user_connections=150")
	}
	if one.err != nil {
		t.Fatal(one.err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	if one.bouncer != nil {
		u.Host = one.bouncer.address
	}
	return u.String()
}

// startBouncer returns nil and no error if PgBouncer is not installed.
func (s *Server) startBouncer(settings ...string) (*bouncer, error) {
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		return nil, nil
	}
	port, err := FreePort()
	if err != nil {
		return nil, err
	}
	dir, err := makeDir()
	if err != nil {
		return nil, err
	}
	b := &bouncer{address: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), dir: dir}
	users, file := filepath.Join(dir, "users"), filepath.Join(dir, "pgbouncer.ini")
	settings = append([]string{"[databases]", fmt.Sprintf("*=host=127.0.0.1 port=%d", s.Port),
		"[pgbouncer]", "listen_addr=127.0.0.1", fmt.Sprintf("listen_port=%d", port), "unix_socket_dir=",
		"auth_type=trust", "auth_file=" + users, "max_client_conn=1000"}, settings...)
	for name, text := range map[string]string{users: `"postgres" ""`, file: strings.Join(settings, "\n") + "\n"} {
		if err == nil {
			err = os.WriteFile(name, []byte(text), 0o644) //nolint:gosec // G306: another user reads it
		}
	}
	if err == nil {
		err = b.start(program, file)
	}
	if err != nil {
		b.end()
		return nil, fmt.Errorf("starting PgBouncer: %w", err)
	}
	return b, nil
}

func (b *bouncer) start(program, file string) error {
	cmd := Command(program, file)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		return err
	}
	b.cmd = cmd
	var err error
	if b.watchdog, err = watch(cmd); err != nil {
		return err
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		c, err := net.Dial("tcp", b.address)
		if err == nil {
			return c.Close()
		}
		if time.Now().After(deadline) {
			_ = cmd.Process.Kill()
			_ = cmd.Wait() // the output is whole then
			return fmt.Errorf("%w: %s", err, log.String())
		}
	}
}

func (b *bouncer) end() {
	for _, cmd := range []*exec.Cmd{b.watchdog, b.cmd} {
		if cmd != nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}
	_ = os.RemoveAll(b.dir)
}
