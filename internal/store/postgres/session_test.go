package postgres

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"strongroom/internal/store"
	"strongroom/internal/store/postgres/pgtest"
)

// holdAll takes every connection that s may open, until the returned function
// is called.
func holdAll(t *testing.T, s *Store, n int) (let func()) {
	t.Helper()
	free, begun := make(chan struct{}), make(chan struct{}, n)
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			err := s.View(context.Background(), func(tx store.Tx) error {
				tx.Now()
				begun <- struct{}{}
				<-free
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for range n {
		<-begun
	}
	return func() { close(free); all.Wait() }
}

// limited is the URL of a database for a user who may have this many
// connections.
func limited(t *testing.T, address, connections string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	role := "few_" + database(t, address)
	run(t, address, "CREATE ROLE "+role+" LOGIN CONNECTION LIMIT "+connections,
		"GRANT ALL ON ALL TABLES IN SCHEMA public TO "+role)
	u.User = url.User(role)
	return u.String()
}

func TestASessionKeepsItsConnection(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	migrated(t, address)
	s := openedWith(t, Config{URL: address, MaxConnections: 3})
	ctx, session := store.WithSession(t.Context())
	if err := s.Update(ctx, write("first", "x")); err != nil {
		t.Fatal(err)
	}
	let := holdAll(t, s, 2)
	wantError(t, s.Update(t.Context(), write("other", "x")), errBusy)
	if err := s.Update(ctx, write("second", "x")); err != nil {
		t.Errorf("the session has no connection any more: %v", err)
	}
	session.End()
	if err := s.Update(t.Context(), write("other", "x")); err != nil {
		t.Errorf("the session's connection was not given back: %v", err)
	}
	let()
}

func TestASessionWhoseConnectionBreaksTakesAnother(t *testing.T) {
	t.Parallel()
	wire, address := newWire(t, pgtest.Database(t))
	s := migrated(t, address)
	ctx, session := store.WithSession(t.Context())
	defer session.End()
	for _, name := range []string{"first", "second"} {
		if err := s.Update(ctx, write(name, "x")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		wire.cutAll()
	}
	if got := get(t, s, "second"); got != "x" {
		t.Errorf("the second Update wrote %q", got)
	}
}

func TestARefusedConnectionWaitsForAFreeOne(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	migrated(t, address)
	s := openedWith(t, Config{URL: limited(t, address, "2"), MaxConnections: 16})
	get(t, s, "name")
	let := holdAll(t, s, 2)
	done := make(chan error)
	for _, name := range []string{"a", "b", "c", "d"} { // those of one name would queue before they ask for a connection
		go func() { done <- s.Update(t.Context(), write(name, "x")) }()
	}
	for waiting := 0; waiting < 3; { // they have been refused, and wait now
		s.room.mu.Lock()
		waiting = len(s.room.waiting) // the fourth may be about to ask again
		s.room.mu.Unlock()
		time.Sleep(time.Millisecond)
	}
	let()
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// A network that fails just after a connection was made blocks only that connection, and not
// for longer than any other attempt to connect.
func TestANewConnectionThatHangsIsReplaced(t *testing.T) {
	t.Parallel()
	wire, address := newWire(t, pgtest.Database(t))
	migrated(t, address)
	s := openedWith(t, Config{URL: address, MaxConnections: 1})
	wire.once("pg_backend_pid", cutNever)
	s.pool.Reset()
	start := time.Now()
	wantError(t, s.Update(t.Context(), write("name", "x")), store.ErrUnavailable)
	for s.Update(t.Context(), write("name", "x")) != nil {
		if took := time.Since(start); took > secondsHeld/2 {
			t.Fatalf("no other connection was opened within %v", took)
		}
	}
}

// silent makes all connections that are open now silent, as after a failover that none of
// them notices. New ones work.
func silent(t *testing.T, s *Store, w *wire) {
	t.Helper()
	for busy := 1; busy > 0; busy, _, _ = s.Connections() { // Views end after they have returned
		time.Sleep(time.Millisecond)
	}
	fresh := false
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = func(request []byte) cut {
		if fresh = fresh || bytes.Contains(request, []byte("application_name")); fresh {
			return pass
		}
		return cutNever
	}
}

func TestAConnectionWithoutAnswersEndsTheOthers(t *testing.T) {
	t.Parallel()
	wire, address := newWire(t, pgtest.Database(t))
	migrated(t, address)
	s := openedWith(t, Config{URL: address, MaxConnections: 6})
	holdAll(t, s, 6)()
	silent(t, s, wire)
	wantError(t, s.Update(t.Context(), write("name", "x")), errLost)
	if err := s.Update(t.Context(), write("name", "x")); err != nil {
		t.Errorf("the next transaction: %v", err)
	}
}

// pgx needs up to 15 s to close such a connection.
func TestConnectionsWithoutAnswersAreReplacedWhileTheyAreClosed(t *testing.T) {
	t.Parallel()
	wire, address := newWire(t, pgtest.Database(t))
	migrated(t, address)
	s := openedWith(t, Config{URL: address, MaxConnections: 2})
	holdAll(t, s, 2)()
	silent(t, s, wire)
	var all sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		all.Go(func() {
			wantError(t, s.View(t.Context(), func(tx store.Tx) error { _, err := tx.Setting(name); return err }), errLost)
		})
	}
	all.Wait()
	if err := s.Update(t.Context(), write("name", "x")); err != nil {
		t.Errorf("the next transaction: %v", err)
	}
}

func TestAnUpdateWaitsForAServerThatIsDown(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	s := migrated(t, server.URL("postgres"))
	server.Stop()
	done := make(chan error)
	go func() { done <- s.Update(t.Context(), write("name", "x")) }()
	for refused := false; !refused; {
		s.room.mu.Lock()
		refused = s.room.limit < s.room.most
		s.room.mu.Unlock()
		time.Sleep(time.Millisecond)
	}
	if err := server.Serve(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestAReadThatRunsOutOfTimeSaysThatTheServerIsDown(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	s := migrated(t, server.URL("postgres"))
	server.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	err := s.Ping(ctx)
	wantError(t, err, store.ErrUnavailable)
	wantError(t, err, context.DeadlineExceeded)
	if !strings.Contains(fmt.Sprint(err), "the database server cannot be reached") {
		t.Error(err)
	}
}

func TestBackgroundWorkLeavesOneConnectionForRequests(t *testing.T) {
	t.Parallel()
	r := newRoom(2)
	background, requests := store.InBackground(t.Context()), t.Context()
	if err := r.enter(background, true, false); err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(background)
	cancel()
	wantError(t, r.enter(gone, true, false), context.Canceled)
	if err := r.enter(requests, false, false); err != nil {
		t.Error(err)
	}
	r.leave(false)
	r.leave(true)
	if r.lent != 0 || r.background != 0 || len(r.waiting) != 0 {
		t.Errorf("left behind: %+v", r)
	}
}
