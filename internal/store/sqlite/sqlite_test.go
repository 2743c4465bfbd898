package sqlite

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite" // the driver of any other program
	lib "modernc.org/sqlite/lib"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// migrated opens a store and migrates it.
func migrated(t testing.TB, path string) *Store {
	t.Helper()
	s := opened(t, path)
	if err := s.Migrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s
}

func opened(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(context.Background(), Config{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func newPath(t testing.TB) string { return filepath.Join(t.TempDir(), "strongroom.db") }

// put writes a setting.
func put(t testing.TB, s *Store, name string, value []byte) {
	t.Helper()
	err := s.Update(context.Background(), func(tx store.Tx) error { return tx.PutSetting(name, value) })
	if err != nil {
		t.Fatal(err)
	}
}

// run executes statements that the engine itself never would, in one
// transaction.
func run(t testing.TB, s *Store, statements ...string) {
	t.Helper()
	err := s.writer.update(context.Background(), func(tx *tx) error {
		for _, statement := range statements {
			if _, err := tx.Exec(statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// setWriter sets a pragma of the write connection.
func setWriter(t testing.TB, s *Store, pragma string) {
	t.Helper()
	err := s.writer.alone(context.Background(), func(c *conn) error {
		_, err := c.exec(pragma)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func wantError(t testing.TB, err error, words string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Fatalf("got error %v, want one that says %q", err, words)
	}
}

func TestConnectionsHaveTheExpectedPragmas(t *testing.T) {
	path := newPath(t)
	if err := migrated(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	// Opened once more: a migration sets pragmas of the connection that it runs on.
	s := opened(t, path)
	check := func(name string, c *conn, own map[string]string) {
		t.Helper()
		want := map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "temp_store": "2", "trusted_schema": "0"}
		maps.Copy(want, own)
		got := map[string]string{}
		for pragma := range want {
			found, err := c.run("PRAGMA "+pragma, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := found.next(); err != nil {
				t.Fatal(err)
			}
			got[pragma] = found.Text()
			found.reset()
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("pragmas of the %s (-want +got):\n%s", name, diff)
		}
	}
	readsOnly := func(name string, c *conn) {
		t.Helper()
		if _, err := c.exec("DELETE FROM setting"); err == nil || !strings.Contains(err.Error(), "readonly") {
			t.Errorf("a write by the %s: got error %v, want one that says readonly", name, err)
		}
	}
	err := s.writer.alone(context.Background(), func(c *conn) error {
		check("writer", c, map[string]string{"secure_delete": "1", "busy_timeout": "0", "query_only": "0"})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for range cap(s.reader.turns) {
		c, err := s.reader.take(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		defer s.reader.give(c)
		check("reader", c, map[string]string{"query_only": "1", "busy_timeout": "5000"})
		readsOnly("reader", c)
	}
	another := newPath(t)
	if err := migrated(t, another).Close(); err != nil {
		t.Fatal(err)
	}
	source, err := OpenSource(context.Background(), another)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	check("source of a copy", source.conn, map[string]string{"query_only": "1", "busy_timeout": "0", "locking_mode": "exclusive"})
	readsOnly("source of a copy", source.conn)
}

func TestConnectionsAreLentInTheOrderOfArrival(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pool{turns: make(chan struct{}, 1), closed: make(chan struct{}), idle: []*conn{{}}}
		held, err := p.take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var order []int
		for i := range 20 {
			go func() {
				ses, err := p.take(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				order = append(order, i) // guarded by the one connection
				p.give(ses)
			}()
			synctest.Wait() // until the goroutine has queued
		}
		p.give(held)
		synctest.Wait()
		if len(order) != 20 || !slices.IsSorted(order) {
			t.Errorf("served in the order %v", order)
		}
	})
}

func TestAWaitingWriterHeedsItsContext(t *testing.T) {
	path := newPath(t)
	s, other := migrated(t, path), migrated(t, path)
	err := s.Update(context.Background(), func(store.Tx) error {
		for name, waiting := range map[string]*Store{"same handle": s, "another process": other} {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
			defer cancel()
			nothing := func(store.Tx) error { return nil }
			if err := waiting.Update(ctx, nothing); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Update of %s: %v, want %v", name, err, context.DeadlineExceeded)
			}
			if err := waiting.Ping(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Ping of %s: %v, want %v", name, err, context.DeadlineExceeded)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Store{s, other} {
		put(t, s, "after", nil)
	}
}

// A full disk ends the transaction, even if fn ignores the error and its last
// write would fit.
func TestAFullDiskIsNamedAndNothingIsHalfWritten(t *testing.T) {
	ctx := context.Background()
	s := migrated(t, newPath(t))
	setWriter(t, s, "PRAGMA max_page_count = 60")
	big := make([]byte, 1<<20)
	err := s.Update(ctx, func(tx store.Tx) error {
		if err := tx.PutSetting("before", []byte("before")); err != nil {
			return err
		}
		wantError(t, tx.PutSetting("big", big), "the disk is full")
		if err := tx.PutSetting("after", []byte("after")); err == nil {
			t.Error("a write after the error succeeded")
		}
		return nil
	})
	wantError(t, err, "the disk is full")
	if !s.writer.failing.Load() {
		t.Error("the failed write was forgotten")
	}
	for _, name := range []string{"before", "big", "after"} {
		err := s.View(ctx, func(tx store.Tx) error { _, err := tx.Setting(name); return err })
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("setting %s: %v, want %v", name, err, store.ErrNotFound)
		}
	}
	if !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("%v is no store.ErrUnavailable", err)
	}
	wantError(t, s.Ping(ctx), "the disk is full")
	s.faults.last.Store(nil) // as if the time of calm had passed
	if err := s.Ping(ctx); err != nil || s.writer.failing.Load() {
		t.Errorf("Ping, which now writes: %v, failing %v", err, s.writer.failing.Load())
	}
	setWriter(t, s, "PRAGMA max_page_count = 100000")
	put(t, s, "big", big)
}

// Someone who can write to the directory cannot have other files overwritten, or the
// service wait for ever.
func TestTheFreeSpaceCheckFollowsNoLink(t *testing.T) {
	path := newPath(t)
	s, secret := migrated(t, path), filepath.Join(t.TempDir(), "root.key")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, place := range map[string]func(string) error{
		"a link":      func(room string) error { return os.Symlink(secret, room) },
		"a hard link": func(room string) error { return os.Link(secret, room) },
		"a pipe":      func(room string) error { return syscall.Mkfifo(room, 0o600) },
		"a full directory": func(room string) error {
			return errors.Join(os.Mkdir(room, 0o700), os.WriteFile(room+"/file", nil, 0o600))
		},
	} {
		if err := place(path + "-room"); err != nil {
			t.Fatal(err)
		}
		s.writer.full.Store(true)
		put(t, s, name, nil)
		if text, err := os.ReadFile(secret); err != nil || string(text) != "secret" {
			t.Errorf("%s: the other file holds %q (%v)", name, text, err)
		}
		if s.writer.full.Load() {
			t.Errorf("%s: the disk counts as full", name)
		}
		if err := os.RemoveAll(path + "-room"); err != nil {
			t.Fatal(err)
		}
	}
}

const insertKeyAccount = `INSERT INTO key_account (tenant, key_id, account_id) VALUES ($1, $2, $3)`

func TestAFailedCommitIsRolledBack(t *testing.T) {
	ctx := context.Background()
	s := migrated(t, newPath(t))
	err := s.writer.update(ctx, func(tx *tx) error {
		if _, err := tx.Exec("PRAGMA defer_foreign_keys = ON"); err != nil {
			return err
		}
		return errors.Join(tx.PutSetting("name", nil), sqltx.ExecOne(tx, insertKeyAccount, domain.Tenant, "orphan", "nobody"))
	})
	wantError(t, err, "committing: ")
	err = s.View(ctx, func(tx store.Tx) error { _, err := tx.Setting("name"); return err })
	if !errors.Is(err, store.ErrNotFound) {
		t.Fatalf("after a failed commit: %v, want %v", err, store.ErrNotFound)
	}
	put(t, s, "name", nil)
	if err := s.Ping(ctx); err != nil {
		t.Fatal(err)
	}
}

// Errors of the disk may cost any connection, and all of them at once. The
// store opens others, on the same files.
func TestAStoreReplacesBrokenConnections(t *testing.T) {
	ctx := context.Background()
	s := migrated(t, newPath(t))
	for i := range 3 {
		put(t, s, "name", []byte{byte(i)})
		for n := len(s.reader.idle); n > 0; n-- {
			c, err := s.reader.take(ctx)
			if err != nil {
				t.Fatal(err)
			}
			c.broken = true
			s.reader.give(c)
		}
		if len(s.reader.idle) != 0 {
			t.Fatal("a broken connection was kept")
		}
		s.writer.conn.broken = true
		if err := s.Ping(ctx); err != nil {
			t.Fatal(err)
		}
	}
}

func TestADamagedDatabaseIsNamed(t *testing.T) {
	path := newPath(t)
	s := migrated(t, path)
	put(t, s, "name", make([]byte, 100_000))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if _, err = f.WriteAt(bytes.Repeat([]byte{0xff}, int(info.Size())-4096), 4096); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = Open(context.Background(), Config{Path: path})
	wantError(t, err, "the database is damaged")
}

// Only reads of a damaged page fail. The probe does not read that page, but
// must report the damage.
func TestADamagedPageMakesTheStoreUnready(t *testing.T) {
	s := migrated(t, newPath(t))
	damage := explain(&sqliteError{code: lib.SQLITE_CORRUPT})
	err := s.View(t.Context(), func(tx store.Tx) error { return damage })
	wantError(t, err, "the database is damaged")
	if errors.Is(err, store.ErrUnavailable) {
		t.Error("clients are told to retry with a damaged database")
	}
	s.faults.last.Load().at = time.Now().Add(-time.Hour)
	put(t, s, "name", nil)
	wantError(t, s.Ping(t.Context()), "the database is damaged")
}

// canary is a value that is found again in a file if any part of it is left.
type canary []byte

func newCanary(size int) canary {
	return bytes.Repeat([]byte(domain.NewID()), size/26+1)[:size]
}

func (c canary) in(t *testing.T, files ...string) bool {
	t.Helper()
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(content, c[:26]) {
			return true
		}
	}
	return false
}

func TestErasedValuesLeaveNoTraceAfterScrub(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel")
	}
	ctx := context.Background()
	path := newPath(t)
	s := migrated(t, path)
	files := []string{path, path + "-wal"}
	var canaries []canary
	write := func(fn func(tx store.Tx, i int) error) {
		t.Helper()
		for i := range 60 {
			if err := s.Update(ctx, func(tx store.Tx) error { return fn(tx, i) }); err != nil {
				t.Fatal(err)
			}
		}
	}
	keys := make([]domain.DeviceKey, 60)
	write(func(tx store.Tx, i int) error {
		// From less than a page to several, in an order unlike the index's.
		c, k := newCanary(60+170*i), &keys[i]
		canaries = append(canaries, c)
		*k = domain.DeviceKey{ID: domain.NewID(), AccountID: domain.NewID(), State: domain.KeyActive, Version: 1, Sealed: c}
		if err := tx.InsertKey(*k); err != nil {
			return err
		}
		c = newCanary(60 + 20*i)
		canaries = append(canaries, c)
		if err := tx.PutCredential(domain.Credential{AccountID: k.AccountID, Type: domain.Passcode, Version: 1, Sealed: c}, k.ID); err != nil {
			return err
		}
		c = newCanary(60 + 20*i)
		canaries = append(canaries, c)
		return tx.KeepPrevious(domain.Credential{AccountID: k.AccountID, Type: domain.Passcode, Version: 1, Sealed: c}, 1)
	})
	for _, c := range canaries {
		if !c.in(t, files...) {
			t.Fatal("a value that was stored is not in the files: this test cannot see")
		}
	}
	write(func(tx store.Tx, i int) error {
		keys[i].Sealed, keys[i].Version = nil, 2
		return errors.Join(tx.UpdateKey(keys[i]), tx.DeleteCredential(keys[i].AccountID, domain.Passcode),
			tx.KeepPrevious(domain.Credential{AccountID: keys[i].AccountID, Type: domain.Passcode, Version: 2}, i%2)) // pushed out, or erased
	})
	if err := s.Scrub(ctx); err != nil {
		t.Fatal(err)
	}
	for i, c := range canaries {
		if c.in(t, files...) {
			t.Errorf("erased value %d of %d bytes is still in the files", i, len(c))
		}
	}
}

func TestALedgerWithImpossibleValuesIsReadWithoutItsMAC(t *testing.T) {
	ctx := context.Background()
	s := migrated(t, newPath(t))
	a := domain.Attempts{ID: "id", AccountID: "account", Type: domain.Passcode, MAC: []byte("mac")}
	for _, edit := range []string{"recent = '['", "recent = '[\"now\"]'", "pending = '[{\"lease\":true}]'", "permanent = 2", "permanent = -1",
		"devices = ''", "devices = '[{\"device\":1}]'", "devices = '[{\"permanent\":2}]'", "devices = '[{\"failures\":1e30}]'"} {
		a.Version++
		if err := s.Update(ctx, func(tx store.Tx) error { return tx.WriteBatch(store.Batch{Attempts: []domain.Attempts{a}}) }); err != nil {
			t.Fatal(err)
		}
		for _, want := range []bool{true, false} {
			err := s.View(ctx, func(tx store.Tx) error {
				got, err := tx.Attempts(a.AccountID, a.Type)
				if (got.MAC != nil) != want {
					t.Errorf("%s: MAC %q, want one: %v", edit, got.MAC, want)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			run(t, s, "UPDATE attempts SET "+edit)
		}
	}
}

func TestScrubWaitsForNoReaderAndSucceedsAfterIt(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	s := migrated(t, path)
	c := newCanary(100)
	put(t, s, "secret", c)
	err := s.View(ctx, func(tx store.Tx) error {
		if _, err := tx.Setting("secret"); err != nil { // the snapshot that needs the WAL
			return err
		}
		put(t, s, "secret", nil)
		if err := s.Scrub(ctx); !errors.Is(err, store.ErrScrubLater) {
			t.Errorf("scrubbing beside a reader: %v", err)
		}
		if !c.in(t, path, path+"-wal") {
			t.Error("the reader's snapshot is gone: this test tests nothing")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Scrub(ctx); err != nil {
		t.Fatal(err)
	}
	if c.in(t, path, path+"-wal") {
		t.Error("the erased value is still in the files")
	}
}

func TestCloseLeavesOneFile(t *testing.T) {
	path := newPath(t)
	s := migrated(t, path)
	put(t, s, "name", nil)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	names, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	if len(names) != 1 || names[0].Name() != filepath.Base(path) {
		t.Errorf("files after Close: %v", names)
	}
}

// plainly opens the file as any other program would.
func plainly(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// A database of an earlier version has pages of 4 KiB. A backup of it has
// the page size of a new file.
func TestNewFilesAndBackupsUseTheCurrentPageSize(t *testing.T) {
	ctx := context.Background()
	size := func(path string) (bytes int) {
		if err := plainly(t, path).QueryRow("PRAGMA page_size").Scan(&bytes); err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	path, earlier, backup := newPath(t), newPath(t), newPath(t)
	migrated(t, path)
	if got := size(path); got != pageSize {
		t.Errorf("a new file has pages of %d bytes", got)
	}
	if _, err := plainly(t, earlier).Exec("PRAGMA page_size = 4096; PRAGMA journal_mode = WAL"); err != nil {
		t.Fatal(err)
	}
	s := migrated(t, earlier)
	put(t, s, "name", []byte("value"))
	if err := s.SnapshotTo(ctx, backup); err != nil {
		t.Fatal(err)
	}
	if before, after := size(earlier), size(backup); before != 4096 || after != pageSize {
		t.Errorf("the file of an earlier version has pages of %d bytes, and its backup of %d", before, after)
	}
}

// SQLite forgets an interrupt that comes between two statements.
func TestAStatementThatBeginsAfterTheInterruptEndsToo(t *testing.T) {
	file, err := prepareFile(newPath(t), false)
	if err != nil {
		t.Fatal(err)
	}
	c, err := openConn(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.close() }()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	defer c.interruptWith(ctx)()
	time.Sleep(10 * time.Millisecond) // nothing shows when the first interrupt came
	began := time.Now()
	_, err = c.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000) SELECT count(*) FROM n`)
	if code, _ := sqliteCode(err); code != lib.SQLITE_INTERRUPT {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
}

func TestTheWALRestartsBesideReadersAndWriters(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	s := migrated(t, path)
	value := make([]byte, 100*pageSize)
	const written = 20 * checkpointAfter
	for page := 0; page < written; page += 100 {
		rand.Read(value) // SQLite writes nothing where nothing changes
		put(t, s, "name", value)
		err := s.View(ctx, func(tx store.Tx) error { _, err := tx.Setting("name"); return err })
		if err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	if pages := info.Size() / pageSize; pages < checkpointAfter || pages > written/2 {
		t.Errorf("the log of %d pages written has %d, want about %d", written, pages, checkpointAfter)
	}
}

// An existing key took twice the CPU while the argument of a LIMIT made SQLite compile the
// statement each time.
func TestStatementsAreCompiledOnce(t *testing.T) {
	s := migrated(t, newPath(t))
	for range 10 {
		err := s.view(context.Background(), func(tx *tx) error {
			_, err := sqltx.All(tx, sqltx.Row.Integer, "SELECT seq FROM audit_log WHERE tenant = $1 AND chain = $2 ORDER BY seq LIMIT $3", domain.Tenant, "chain", 1)
			for query, statement := range tx.conn.prepared {
				if n := lib.Xsqlite3_stmt_status(tx.conn.tls, statement.p, lib.SQLITE_STMTSTATUS_REPREPARE, 0); n > 1 { // the migration changed the schema
					t.Errorf("compiled again %d times: %s", n, query)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
