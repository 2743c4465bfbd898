package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"strongroom/internal/store"
	"strongroom/internal/store/postgres/pgtest"
	"strongroom/internal/store/storetest"
)

func TestAServerCrashCausesErrorsUntilTheServerIsBack(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	ctx := context.Background()
	server := pgtest.Start(t)
	s := migrated(t, server.URL("postgres"))
	put(t, s, "name", "before")
	for range 2 {
		server.Kill()
		for name, err := range map[string]error{"Update": s.Update(ctx, write("name", "lost")), "Ping": s.Ping(ctx)} {
			if err == nil || strings.Contains(err.Error(), "127.0.0.1") {
				t.Errorf("%s without a server: %v", name, err)
			}
		}
		if err := server.Serve(); err != nil {
			t.Fatal(err)
		}
		wantError(t, s.Ping(ctx), nil)
		if got := get(t, s, "name"); got != "before" {
			t.Errorf("after the crash the setting is %q", got)
		}
	}
	server.Stop()
	if err := server.Serve(); err != nil {
		t.Fatal(err)
	}
	put(t, s, "name", "after") // over connections that died idle
}

// While one transaction is open, the server keeps what later ones have read. If it has no
// room left for that, clients should try again: a transaction is not open for long.
func TestAServerWithoutRoomForLocksIsUnavailable(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	server := pgtest.Start(t, "max_connections=10", "max_pred_locks_per_transaction=10")
	s, other := migrated(t, server.URL("postgres")), opened(t, server.URL("postgres"))
	const many = 2000
	name := func(i int) string { return fmt.Sprint("name", i) }
	err := s.Update(t.Context(), func(tx store.Tx) (err error) {
		for i := range many {
			err = errors.Join(err, tx.PutSetting(name(i), nil))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	err = other.Update(t.Context(), func(tx store.Tx) error {
		if _, err := tx.Setting(name(0)); err != nil {
			return err
		}
		for i := range many {
			err := s.Update(t.Context(), func(tx store.Tx) error {
				_, err := tx.Setting(name(i))
				return errors.Join(err, tx.PutSetting("written", nil))
			})
			if err != nil {
				wantError(t, err, store.ErrUnavailable)
				return nil
			}
		}
		t.Error("the server had enough room")
		return nil
	})
	if err != nil && !errors.Is(err, store.ErrUnavailable) {
		t.Error(err)
	}
	put(t, s, "name", "after")
}

// A standby is not used for reads either: they could be outdated.
func TestAStandbyIsRefused(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	ctx := context.Background()
	primary := pgtest.Start(t)
	migrated(t, primary.URL("postgres"))
	standby := primary.Standby(t)
	if _, err := Open(ctx, Config{URL: standby.URL("postgres")}); err == nil || !strings.Contains(err.Error(), errReadOnly.Error()) {
		t.Errorf("opening: %v, want %v", err, errReadOnly)
	}
	s := opened(t, standby.URL("postgres")+"&target_session_attrs=any") // as behind a PgBouncer
	wantError(t, s.Ping(ctx), errReadOnly)
	wantError(t, s.Update(ctx, write("name", "value")), errReadOnly)
	if err := standby.Promote(); err != nil {
		t.Fatal(err)
	}
	put(t, s, "name", "value")
	wantError(t, s.Ping(ctx), nil)
}

// The commit is only on the primary, and would be lost with it. A role setting that hides
// warnings does not hide that.
func TestACommitThatNoStandbyConfirmsIsNotAcknowledged(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	migrated(t, server.URL("postgres"))
	server.Stop()
	if err := server.Serve("synchronous_standby_names=nobody"); err != nil {
		t.Fatal(err)
	}
	s := opened(t, server.URL("postgres"))
	isNotAcknowledged(t, server, s)
	server.Exec(t, "postgres", "SET synchronous_commit = local", "ALTER ROLE current_user SET client_min_messages = error")
	newConnections(t, server)
	isNotAcknowledged(t, server, s)
}

// When few transaction ids are left, PostgreSQL warns at the first write of each
// transaction. Its answer often comes in the same round trip as that of
// COMMIT.
func TestAWarningAboutAWriteDoesNotMakeItsCommitUnknown(t *testing.T) {
	t.Parallel()
	address := migratedDatabase(t)
	wire, through := newWire(t, address)
	var log strings.Builder
	s := openedWith(t, Config{URL: through, Log: slog.New(slog.NewTextHandler(&log, nil))})
	answer := func(m interface{ Encode([]byte) ([]byte, error) }) []byte { return must(m.Encode(nil)) }
	written := answer(&pgproto3.CommandComplete{CommandTag: []byte("INSERT 0 1")})
	warning := answer(&pgproto3.NoticeResponse{Severity: "WARNUNG", SeverityUnlocalized: "WARNING", Code: "01000",
		Message: "Datenbank muss gevacuumt werden", Routine: "GetNewTransactionId"})
	warned := 0
	wire.mu.Lock()
	wire.edit = func(answer []byte) []byte {
		warned += bytes.Count(answer, written)
		return bytes.ReplaceAll(answer, written, slices.Concat(warning, written))
	}
	wire.mu.Unlock()
	for range 2 {
		put(t, s, "name", "value") // one that waits for COMMIT
		if err := s.Update(t.Context(), func(tx store.Tx) error { return tx.PutSettingLater("name", []byte("later")) }); err != nil {
			t.Error(err)
		}
	}
	wantError(t, s.Ping(t.Context()), nil)
	wire.mu.Lock()
	defer wire.mu.Unlock()
	if n := strings.Count(log.String(), "runs out of transaction ids"); n != 1 || warned < 2 {
		t.Errorf("%d warnings gave %d lines, want one in an hour", warned, n)
	}
}

// newConnections ends all connections of stores, so that new ones take over role settings.
func newConnections(t *testing.T, server *pgtest.Server) {
	t.Helper()
	server.Exec(t, "postgres", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'strongroom'")
}

func isNotAcknowledged(t *testing.T, server *pgtest.Server, s *Store) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- s.Update(context.Background(), write("name", "value")) }()
	for waiting := false; !waiting; time.Sleep(10 * time.Millisecond) {
		waiting = len(query(t, s, "SELECT query FROM pg_stat_activity WHERE wait_event = 'SyncRep'")) > 0
	}
	server.Exec(t, "postgres", "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
	wantError(t, <-done, errUnknown)
}

// Someone turns synchronous_commit off for the role, and the server crashes. The store is
// not ready from then on, and until an operator notices that, its commits are durable.
func TestARoleSettingDoesNotMakeCommitsLessDurable(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t, "wal_writer_delay=10s")
	s := migrated(t, server.URL("postgres"))
	server.Exec(t, "postgres", "ALTER ROLE current_user SET synchronous_commit = off")
	newConnections(t, server)
	put(t, s, "name", "value")
	if off := query(t, s, "SELECT reset_val FROM pg_settings WHERE name = 'synchronous_commit'"); len(off) != 1 || off[0] != "off" {
		t.Fatalf("synchronous_commit of the connection is %v, want off", off)
	}
	if err := s.Ping(t.Context()); err == nil || !strings.Contains(err.Error(), "synchronous_commit") {
		t.Errorf("a ping: %v, want an error that names synchronous_commit", err)
	}
	put(t, s, "name", "another value")
	server.Kill()
	if err := server.Serve(); err != nil {
		t.Fatal(err)
	}
	server.Exec(t, "postgres", "ALTER ROLE current_user RESET synchronous_commit")
	if got := get(t, opened(t, server.URL("postgres")), "name"); got != "another value" {
		t.Errorf("after a crash the value is %q", got)
	}
}

// Between two transactions, PgBouncer gives the session to another client.
func TestContractThroughPgBouncer(t *testing.T) {
	if testing.Short() {
		t.Skip("the same contract again, by another way to the server")
	}
	sequences(t, 10)
	server := pgtest.Shared(t)
	bouncer := inFront(t, server)
	storetest.Run(t, func(t *testing.T) storetest.Opener {
		direct := migratedDatabase(t)
		u, err := url.Parse(direct)
		if err != nil {
			t.Fatal(err)
		}
		u.Host = bouncer
		return func(now func() time.Time) store.Store {
			t.Helper()
			return openedWith(t, Config{URL: u.String(), Now: now})
		}
	})
}

func TestStatementsAreNamedOnDirectConnections(t *testing.T) {
	t.Parallel()
	direct := must(url.Parse(migratedDatabase(t)))
	bounced := *direct
	bounced.Host = inFront(t, pgtest.Shared(t))
	for _, c := range []struct {
		through url.URL
		mode    string
		want    bool
	}{
		{*direct, "", true}, {*direct, "exec", false}, {*direct, "cache_statement", true},
		{bounced, "", false}, {bounced, "cache_statement", true},
	} {
		if c.mode != "" {
			c.through.RawQuery += "&default_query_exec_mode=" + c.mode
		}
		s, err := Open(t.Context(), Config{URL: c.through.String()})
		if errors.Is(err, errNames) && c.want && c.through.Host == bounced.Host {
			continue // they are named: PgBouncer gave one of them to another session
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		lent := must(s.pool.Acquire(t.Context()))
		if got := (&conn{pg: lent.Conn().PgConn()}).named() != nil; got != c.want {
			t.Errorf("named through %s with mode %q: %t", c.through.Host, c.mode, got)
		}
		lent.Release()
	}
}

// The operator asked for named statements, and the pooler gives each transaction
// another session.
func TestAPoolerThatKeepsNoStatementsIsNamedAsTheCause(t *testing.T) {
	t.Parallel()
	u := must(url.Parse(migratedDatabase(t)))
	u.Host = inFront(t, pgtest.Shared(t))
	u.RawQuery += "&default_query_exec_mode=cache_statement"
	s, err := Open(t.Context(), Config{URL: u.String(), Once: true})
	if err != nil {
		wantError(t, err, errNames)
		return
	}
	defer s.Close()
	var wg sync.WaitGroup
	var named, failed atomic.Int64
	for range 16 {
		wg.Go(func() {
			for range 20 {
				err := s.View(t.Context(), func(tx store.Tx) error { _, err := tx.Chains(); return err })
				switch {
				case errors.Is(err, errNames):
					named.Add(1)
				case err != nil && !errors.Is(err, store.ErrUnavailable):
					t.Error(err)
				}
				if err != nil {
					failed.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if failed.Load() == 0 {
		t.Skip("this PgBouncer keeps prepared statements")
	}
	if named.Load() == 0 {
		t.Errorf("%d transactions failed, and none said why", failed.Load())
	}
}

// inFront starts a PgBouncer in transaction mode, with fewer sessions than a store
// has connections, and returns its address. max_user_connections bounds the sessions
// of all databases together: PgBouncer then closes idle ones of tests that have
// ended, and does not use up the shared server's.
func inFront(t *testing.T, server *pgtest.Server) string {
	t.Helper()
	return server.Bouncer(t, "pool_mode=transaction", "default_pool_size=6", "max_user_connections=60", "server_idle_timeout=5")
}

// The words of PgBouncer name the setting that refuses transactions.
func TestStatementPoolingIsNamed(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	bounced := must(url.Parse(pgtest.Database(t)))
	bounced.Host = pgtest.Shared(t).Bouncer(t, "pool_mode=statement")
	_, err := Open(t.Context(), Config{URL: bounced.String()})
	if err == nil || !strings.Contains(err.Error(), "set pool_mode = transaction or session") {
		t.Errorf("Open: %v", err)
	}
}
