// Package pgtest starts a real PostgreSQL server for tests. It uses the
// installed programs, a temporary directory and a free port of 127.0.0.1. If
// the tests run as root, the server runs as a user without rights. One server
// serves all tests of a binary; each test has a database of its own.
package pgtest

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"strongroom/internal/process"
)

// Server is a running PostgreSQL server.
type Server struct {
	Dir  string // its data directory
	Port int
	bin  string
	cmd  *exec.Cmd
	gone chan struct{} // is closed when the process has ended
	log  bytes.Buffer  // its output; read it only after gone is closed

	watchdog *exec.Cmd
}

// Main runs the tests of a package and then calls [End]: call it from TestMain.
func Main(m *testing.M) {
	code := m.Run()
	End()
	os.Exit(code)
}

// End stops the shared server, if one was started, and removes the data directory
// that this binary's servers were copied from.
func End() {
	one.Lock()
	defer one.Unlock()
	if one.bouncer != nil {
		one.bouncer.end()
	}
	if one.server != nil {
		one.server.remove()
	}
	fresh.Lock()
	defer fresh.Unlock()
	if fresh.dir != "" {
		_ = os.RemoveAll(fresh.dir)
	}
}

// one is the server that the tests of this binary share.
var one struct {
	sync.Mutex
	server  *Server
	bouncer *bouncer // in front of server; nil before the first call of Pooled
	err     error
	n       int // databases made
}

// fresh is a new data directory. A copy of it takes a fraction of the time of
// initdb.
var fresh struct {
	sync.Mutex
	dir string // "" until the first server is started
}

// Shared returns the server that the tests of this binary share. A test that
// calls it must call [Main] too. Without the programs of PostgreSQL the test is
// skipped.
func Shared(t testing.TB) *Server {
	t.Helper()
	bin := Programs(t)
	one.Lock()
	defer one.Unlock()
	if one.server == nil && one.err == nil {
		one.server, one.err = start(bin)
	}
	if one.err != nil {
		t.Fatal(one.err)
	}
	return one.server
}

// Start starts a server of the test's own, to be killed, restarted or filled.
// Its package must call [Main] or [End] too.
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	s, err := start(Programs(t), settings...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.remove)
	return s
}

// Database makes an empty database on the shared server and returns its URL.
func Database(t testing.TB) string {
	t.Helper()
	return Shared(t).URL(create(t, "template1"))
}

// Filled makes a database on the shared server and returns its URL. The first
// call lets fill fill an empty one, which must leave no connection open. Every
// call returns a copy of it: a copy takes a fraction of the time of the
// migrations. All calls in a binary must pass the same fill.
func Filled(t testing.TB, fill func(url string)) string {
	t.Helper()
	s := Shared(t)
	template.Lock()
	defer template.Unlock()
	if template.name == "" {
		name := create(t, "template1")
		fill(s.URL(name))
		template.name = name
	}
	return s.URL(create(t, template.name))
}

// template is the database that [Filled] copies.
var template struct {
	sync.Mutex // while it is copied nobody may be connected to it, or copy it too
	name       string
}

func create(t testing.TB, from string) string {
	t.Helper()
	s := Shared(t)
	one.Lock()
	one.n++
	name := fmt.Sprintf("test%d", one.n)
	one.Unlock()
	s.Exec(t, "postgres", "CREATE DATABASE "+name+" TEMPLATE "+from)
	return name
}

// URL is the address of a database, for the superuser.
func (s *Server) URL(database string) string {
	u := url.URL{Scheme: "postgres", User: url.User("postgres"), Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)),
		Path: "/" + database, RawQuery: "sslmode=disable"}
	return u.String()
}

// Exec runs statements on a database, each on its own.
func (s *Server) Exec(t testing.TB, database string, statements ...string) {
	t.Helper()
	Exec(t, s.URL(database), statements...)
}

// Exec runs statements on the database of a URL, each on its own.
func Exec(t testing.TB, url string, statements ...string) {
	t.Helper()
	if err := exec1(url, statements); err != nil {
		t.Fatal(err)
	}
}

func exec1(url string, statements []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	c, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close(ctx) }()
	for _, statement := range statements {
		if _, err := c.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// Programs finds the directory of initdb and postgres, or skips the test.
func Programs(t testing.TB) string {
	t.Helper()
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil { // the other programs are in its directory
			return filepath.Dir(path)
		}
	}
	found, _ := fs.Glob(os.DirFS("/usr/lib/postgresql"), "*/bin/initdb") // Debian's place
	if len(found) == 0 {
		t.Skip("SKIPPED: PostgreSQL is not installed (initdb, postgres); on Debian: apt-get install postgresql")
	}
	slices.SortFunc(found, func(a, b string) int { return major(b) - major(a) })
	return filepath.Join("/usr/lib/postgresql", filepath.Dir(found[0]))
}

func major(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
	return n
}

func start(bin string, settings ...string) (*Server, error) {
	dir, err := makeDir()
	if err != nil {
		return nil, err
	}
	s := &Server{Dir: dir, bin: bin}
	// fsync stays on, as in production.
	err = s.fill()
	if err == nil {
		err = s.Serve(settings...)
	}
	if err != nil {
		s.remove()
		return nil, fmt.Errorf("starting PostgreSQL: %w", err)
	}
	return s, nil
}

// makeDir makes a directory that the server's user owns. It is in memory if there is
// room. That is safe: no test cuts the power, and a killed server finds there what it
// wrote.
func makeDir() (string, error) {
	const memory, room = "/dev/shm", 8 << 30
	place := "" // the directory of temporary files
	if free, _, err := process.Disk(memory); err == nil && free >= room {
		place = memory
	}
	dir, err := os.MkdirTemp(place, "pgtest")
	id := identity()
	if err != nil || id == nil {
		return dir, err
	}
	return dir, os.Chown(dir, int(id.Uid), int(id.Gid))
}

// fill makes the empty directory of the server a data directory.
func (s *Server) fill() error {
	fresh.Lock()
	defer fresh.Unlock()
	if fresh.dir == "" {
		dir, err := makeDir()
		if err == nil {
			err = s.run("initdb", "-D", dir, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
		}
		if err != nil {
			_ = os.RemoveAll(dir)
			return err
		}
		fresh.dir = dir
	}
	if out, err := Command("cp", "-a", fresh.dir+"/.", s.Dir).CombinedOutput(); err != nil {
		return fmt.Errorf("cp: %w: %s", err, out)
	}
	return nil
}

// identity is the user that the server runs as: PostgreSQL refuses to run as root.
// nil is the user that runs the tests.
func identity() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.ParseUint(u.Uid, 10, 32)
		gid, _ := strconv.ParseUint(u.Gid, 10, 32)
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	return nil
}

// Dir makes a directory for a program of [Command], for as long as the test
// runs.
func Dir(t testing.TB) string {
	t.Helper()
	dir, err := makeDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func (s *Server) command(program string, args ...string) *exec.Cmd {
	return Command(filepath.Join(s.bin, program), args...)
}

// Command is a command that runs as the user without rights.
func Command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...) //nolint:gosec // G204: an installed program
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: identity()}
	return cmd
}

// watch starts a process that ends cmd if this process dies first: the standard
// input of the watchdog then ends.
func watch(cmd *exec.Cmd) (*exec.Cmd, error) {
	watchdog := Command("/bin/sh", "-c", "read _; kill -QUIT "+strconv.Itoa(cmd.Process.Pid))
	if _, err := watchdog.StdinPipe(); err != nil {
		return nil, err
	}
	return watchdog, watchdog.Start()
}

func (s *Server) run(program string, args ...string) error {
	if out, err := s.command(program, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, out)
	}
	return nil
}

// Serve starts the server on its directory. After Kill or Stop, it starts it
// again on the same port. Settings are in the form name=value.
func (s *Server) Serve(settings ...string) error {
	if s.Port == 0 {
		port, err := FreePort()
		if err != nil {
			return err
		}
		s.Port = port
	}
	args := []string{"-D", s.Dir, "-h", "127.0.0.1", "-p", strconv.Itoa(s.Port), "-c", "unix_socket_directories=", "-c", "max_connections=200"}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	s.log.Reset()
	cmd := s.command("postgres", args...)
	cmd.Stdout, cmd.Stderr = &s.log, &s.log
	if err := cmd.Start(); err != nil {
		return err
	}
	gone := make(chan struct{})
	s.cmd, s.gone = cmd, gone
	go func() {
		_ = cmd.Wait()
		close(gone)
	}()
	var err error
	if s.watchdog, err = watch(cmd); err != nil {
		return err
	}
	return s.await()
}

// await waits until the server answers.
func (s *Server) await() error {
	deadline := time.Now().Add(time.Minute)
	for {
		err := exec1(s.URL("postgres"), []string{"SELECT 1"})
		if err == nil {
			return nil
		}
		select {
		case <-s.gone:
			return fmt.Errorf("the server ended: %s", s.log.String())
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return err
		}
	}
}

// Standby starts a hot standby, which follows the server until it is
// promoted.
func (s *Server) Standby(t testing.TB) *Server {
	t.Helper()
	next := &Server{Dir: Dir(t), bin: s.bin}
	err := next.run("pg_basebackup", "-D", next.Dir, "-h", "127.0.0.1", "-p", strconv.Itoa(s.Port), "-U", "postgres", "-R", "-c", "fast", "--no-sync")
	if err == nil {
		err = os.Chmod(next.Dir, 0o700) //nolint:gosec // G302: a directory
	}
	if err == nil {
		err = next.Serve()
	}
	t.Cleanup(next.Kill)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// Promote makes a standby a primary, and waits until it takes writes.
func (s *Server) Promote() error {
	return s.run("pg_ctl", "promote", "-D", s.Dir, "-w")
}

// FreePort returns a port of 127.0.0.1 on which nothing listens. It is not one of those
// that the system gives to connections and to other servers, which could take it before
// the caller does, or while a server restarts.
func FreePort() (port int, err error) {
	for range 100 {
		random, _ := rand.Int(rand.Reader, big.NewInt(10_000)) // never fails
		port = 20_000 + int(random.Int64())
		var l net.Listener
		if l, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			return port, l.Close()
		}
	}
	return 0, err
}

// Kill ends the server at once, as a crash would, and waits for that.
func (s *Server) Kill() { s.end(syscall.SIGQUIT) }

// Stop shuts the server down cleanly, and ends its sessions.
func (s *Server) Stop() { s.end(syscall.SIGINT) }

func (s *Server) end(sig syscall.Signal) {
	if s.cmd == nil {
		return
	}
	_ = s.watchdog.Process.Kill()
	_ = s.watchdog.Wait()
	_ = s.cmd.Process.Signal(sig) // it may have ended already
	<-s.gone
	s.cmd = nil
}

func (s *Server) remove() {
	s.Kill()
	_ = os.RemoveAll(s.Dir)
}
