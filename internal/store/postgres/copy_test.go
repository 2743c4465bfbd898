package postgres

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite" // to put into a source what no engine writes

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/postgres/pgtest"
	"strongroom/internal/store/sqlite"
)

// A migration that adds a table or a column must add it to the list too, or a
// copy would leave it empty.
func TestTheTableListMatchesTheSchema(t *testing.T) {
	t.Parallel()
	s := opened(t, migratedDatabase(t))
	kinds := map[store.Kind]string{store.Text: "text", store.Bytes: "bytea", store.Integer: "bigint", store.Flag: "boolean", store.Small: "integer"}
	var want []string
	for _, table := range store.Tables {
		for i, c := range table.Columns {
			key := 0
			if i < table.Keys {
				key = i + 1
			}
			want = append(want, fmt.Sprint(table.Name, " ", c.Name, " ", kinds[c.Kind], " ", key))
		}
	}
	slices.Sort(want)
	got := query(t, s, `SELECT c.table_name || ' ' || c.column_name || ' ' || c.data_type || ' ' || coalesce(k.ordinal_position, 0)
		FROM information_schema.columns c
		LEFT JOIN information_schema.key_column_usage k
			ON k.table_schema = c.table_schema AND k.table_name = c.table_name AND k.column_name = c.column_name
		WHERE c.table_schema = current_schema() AND c.table_name NOT IN ($1, $2, $3)`, versionTable, lockTable, firstPartition)
	slices.Sort(got)
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("store.Tables (-in the schema +in the list):\n%s", diff)
	}
}

const home = "homehomehomehomehomehomeho" // the chain of the sources here

// begun is a SQLite database that is worth copying, with what write adds.
func begun(t testing.TB, write func(tx store.Tx) error) (path string) {
	t.Helper()
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "strongroom.db")
	s, err := sqlite.Open(ctx, sqlite.Config{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	err = s.Update(ctx, func(tx store.Tx) error {
		first := domain.Entry{Chain: home, Seq: 1, Time: tx.Now(), Event: domain.EventStoreInitialised, Outcome: "ok", Count: 1, Hash: []byte("1")}
		return errors.Join(tx.PutSetting("audit_chain", []byte(home)), tx.PutSetting("keyset", []byte("wrapped")), tx.InsertEntry(first), write(tx))
	})
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// everything writes rows into every table, in an order that is not that of
// their keys: more than go into one page, and keys on which collations differ.
func everything(tx store.Tx) error {
	var errs []error
	add := func(err error) { errs = append(errs, err) }
	odd := []string{"a", "B", "_", "é", "e\u0301", "\U0001f600", "\ufb00", "Z\u00fc\u00f1", "10", "9", "\u0130", "'\"\\", "\u2028"}
	for i, name := range append(odd, make([]string, 1500)...) {
		if name == "" {
			name = random(13)
		}
		id := domain.NewID() + name // no engine minds what an id is made of
		at := time.UnixMicro(int64(i) - 100)
		k := domain.DeviceKey{ID: domain.NewID(), AccountID: id, DeviceID: name, Algorithm: "a", Bits: 3072, State: domain.KeyActive, Version: 1,
			CreatedAt: at, PublicKey: []byte(random(420)), Sealed: []byte(random(450)), MAC: []byte(random(32)), AppVersion: "é"}
		add(tx.InsertAccount(domain.Account{ID: id, Mode: domain.ModeJWT, Issuer: "ß", Subject: name, CreatedAt: at}))
		add(tx.InsertKey(k))
		add(tx.NoteCiphertext(id, k.ID, domain.CiphertextDigest([]byte(random(16)))))
		c := domain.Credential{ID: domain.NewID(), AccountID: id, Type: domain.Passcode, Version: 1, CreatedAt: at, UpdatedAt: at, Sealed: []byte(name)}
		add(tx.PutCredential(c, k.ID))
		add(tx.KeepPrevious(c, 3))
		add(tx.WriteBatch(store.Batch{Attempts: []domain.Attempts{{ID: domain.NewID(), AccountID: id, Type: domain.Passcode, Version: 1, Failures: i,
			Permanent: i%2 == 0, Recent: []time.Time{at}, MAC: []byte{0, 0xff}, VerifiedAt: at, VerifiedBy: name}}}))
		add(tx.InsertEntry(domain.Entry{Chain: home, Seq: int64(i) + 2, Time: at, Event: "e", Outcome: name, Count: -1, Failed: i%2 == 0, Hash: []byte{byte(i)}}))
		add(tx.InsertEntry(verdictOf(id, int64(i)%2*math.MaxInt32+1-int64(i)%2)))
		add(tx.PutBucket(domain.Bucket{Instance: name, Width: domain.BucketWidth(i % 3), Start: at, Operations: int64(i), Devices: []byte(random(20)), Durations: []byte(random(i % 9))}))
		add(tx.NoteKeyUse(id, k.ID, at))
		add(tx.PutActResult([]byte(name), []byte{0, byte(i)}, domain.ActResult{RequestID: name, At: at}))
		add(tx.InsertSigningKey(domain.SigningKey{Number: int64(i) + 1, ID: name, Algorithm: "a", Version: 1, CreatedAt: at, MAC: []byte(name)}))
		add(tx.Redeem(domain.Redemption{ID: name, ExpiresAt: at}))
		_, _, err := tx.CountKeyGeneration([]byte(name), time.Hour, 3)
		add(err)
		event := domain.OutboxEvent{Partition: id, ID: domain.NewID(), Event: "e", Time: at, Data: []byte(name), MAC: []byte{0, 0xff}}
		event.Seq, err = tx.NumberEvents(id, 1+i%3)
		add(err)
		add(tx.WriteBatch(store.Batch{Events: []domain.OutboxEvent{event}}))
		add(tx.PutDeadLetter(domain.DeadLetter{OutboxEvent: event, Reason: name, DeadAt: at}))
		add(tx.PutSetting("x"+name, nil))
	}
	return errors.Join(errs...)
}

// verdictOf is an entry that goes to audit_verdict.
func verdictOf(chain string, seq int64) domain.Entry {
	return domain.Entry{Chain: chain, Seq: seq, Time: time.Now(), RequestID: domain.NewID(), Actor: "caller", Event: domain.EventCredentialMismatch,
		Outcome: "mismatch", Operation: domain.OpVerifyPIN, Count: 1, Duration: time.Millisecond, KeyID: domain.NewID(), Account: []byte(random(16)),
		Device: []byte(random(16)), Record: domain.RecordAttempts + "/" + domain.NewID(), Version: seq, Before: []byte(random(32)), Digest: []byte(random(32)),
		Prev: []byte(random(32)), Hash: []byte(random(32))}
}

// edit runs a statement on a SQLite database that no store has open.
func edit(t testing.TB, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

func nothing(store.Tx) error { return nil }

func random(n int) string {
	b := make([]byte, (n+1)/2)
	rand.Read(b)
	return hex.EncodeToString(b)[:n]
}

// copied copies a SQLite file.
func copied(ctx context.Context, t testing.TB, path string, to *Store, progress func(store.CopyProgress)) ([]store.TableDigest, error) {
	t.Helper()
	from, err := sqlite.OpenSource(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	return store.Copy(ctx, from, to, progress)
}

func ignore(store.CopyProgress) {}

func TestACopyHasEveryRowAndResumesAfterInterruption(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it has one goroutine, and takes long under the race detector")
	}
	path := begun(t, everything)
	edit(t, path, "INSERT INTO ciphertext SELECT tenant, account_id, key_id, digests FROM ciphertext_chunk")
	// Its own collation must not matter: there é comes before z, and a before B.
	server := pgtest.Shared(t)
	server.Exec(t, "postgres", "CREATE DATABASE collated LOCALE_PROVIDER icu ICU_LOCALE 'en-US' TEMPLATE template0")
	whole := migrated(t, server.URL("collated"))
	want, err := copied(context.Background(), t, path, whole, ignore)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range want {
		if d.Rows < 1500 {
			t.Errorf("%d rows of %s were copied", d.Rows, d.Table)
		}
	}

	// Each run adds one page, and is then cut off. At last comparing is.
	s := opened(t, migratedDatabase(t))
	unfinished := func() error {
		return s.View(context.Background(), func(tx store.Tx) error { return store.CheckCopied(tx) })
	}
	runs, pages := 0, 0
	for comparing := false; !comparing; runs++ {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := copied(ctx, t, path, s, func(p store.CopyProgress) {
			comparing = p.Comparing
			if p.New > 0 && !p.Done {
				pages++
			}
			if p.New > 0 || p.Comparing {
				cancel()
			}
		})
		cancel()
		if !errors.Is(err, context.Canceled) || unfinished() == nil {
			t.Fatalf("run %d: %v, and %v", runs, err, unfinished())
		}
	}
	if runs < 10 || pages < 1 {
		t.Errorf("%d runs and %d pages: the tables are too small for this test", runs, pages)
	}
	got, err := copied(context.Background(), t, path, s, func(p store.CopyProgress) {
		if p.New > 0 && !p.Comparing {
			t.Errorf("the last run copied again: %+v", p)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("interrupted (-never +often):\n%s", diff)
	}
	if err := unfinished(); err != nil {
		t.Error(err)
	}
}

func TestACopyThatDiffersIsNotMarkedComplete(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	path := begun(t, func(tx store.Tx) error {
		for i := range 20 {
			if err := tx.InsertAccount(domain.Account{ID: fmt.Sprint("account", i), Mode: domain.ModeDevice, Subject: fmt.Sprint(i)}); err != nil {
				return err
			}
		}
		return nil
	})
	for name, edit := range map[string]string{
		"edited":   "UPDATE account SET created_at = 1 WHERE id = 'account7'",
		"gone":     "DELETE FROM account WHERE id = 'account7'",
		"one more": "INSERT INTO account VALUES ('default', 'b', 'device', '', 'b', 0)",
		"swapped":  "UPDATE account SET issuer = subject, subject = '' WHERE id = 'account7'",
	} {
		url := pgtest.Database(t)
		s := migrated(t, url)
		begun := false
		for range 2 { // the second run finds it too
			_, err := copied(context.Background(), t, path, s, func(p store.CopyProgress) {
				if p.Comparing && !begun {
					begun = true
					run(t, url, edit)
				}
			})
			if err == nil || !strings.HasPrefix(err.Error(), "table account differs: 20 rows ") {
				t.Errorf("a row is %s: %v", name, err)
			}
		}
		if err := s.View(context.Background(), func(tx store.Tx) error { return store.CheckCopied(tx) }); err == nil {
			t.Errorf("a row is %s: the copy can be served", name)
		}
	}
}

func TestACopyRefusesAnUnsuitableTarget(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	ctx, path := context.Background(), begun(t, nothing)
	put := func(name, value string) func(*Store) {
		return func(s *Store) { put(t, s, name, value) }
	}
	interrupted := func(path string) func(*Store) {
		return func(s *Store) {
			ctx, cancel := context.WithCancel(ctx)
			if _, err := copied(ctx, t, path, s, func(store.CopyProgress) { cancel() }); err == nil {
				t.Error("it was not interrupted")
			}
		}
	}
	other := begun(t, func(tx store.Tx) error {
		e := domain.Entry{Chain: "other", Seq: 1, Event: "e", Count: 1}
		return errors.Join(tx.PutSetting("audit_chain", []byte("other")), tx.InsertEntry(e))
	})
	used := begun(t, func(tx store.Tx) error { // the same store later
		return tx.InsertEntry(domain.Entry{Chain: home, Seq: 2, Event: "e", Count: 1, Hash: []byte("2")})
	})
	for want, before := range map[string]func(*Store){
		"is a database in use":                             put("keyset", "another"),
		"holds a finished copy of this database already":   func(s *Store) { _, _ = copied(ctx, t, path, s, ignore) },
		"holds an interrupted copy of another database":    interrupted(other),
		"the source was used since":                        interrupted(used),
		"the mark of an interrupted copy in the target ca": put(store.CopyMark, "?"),
		"holds an audit trail without a keyset": func(s *Store) {
			err := s.Update(ctx, func(tx store.Tx) error { return tx.InsertEntry(domain.Entry{Chain: "c", Seq: 1}) })
			if err != nil {
				t.Error(err)
			}
		},
	} {
		s := opened(t, migratedDatabase(t))
		before(s)
		if _, err := copied(ctx, t, path, s, ignore); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestACopyStopsIfAnotherCopyWritesToTheTarget(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	path := begun(t, everything)
	s := opened(t, migratedDatabase(t))
	// The other: it has the same file on another machine, and is a page ahead.
	_, err := copied(context.Background(), t, path, s, func(p store.CopyProgress) {
		if p.Table == "device_key" && p.New > 0 && !p.Done && !p.Comparing {
			put(t, s, store.CopyMark, "ahead")
		}
	})
	if err == nil || !strings.Contains(err.Error(), "somebody else writes to the target") {
		t.Errorf("got %v", err)
	}
}

func TestACopyNamesRowsThatTheTargetAlreadyHas(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	path := begun(t, func(tx store.Tx) error {
		return tx.InsertAccount(domain.Account{ID: "a", Mode: domain.ModeDevice, Subject: "phone"})
	})
	url := pgtest.Database(t)
	s := migrated(t, url)
	run(t, url, "INSERT INTO account VALUES ('default', 'a', 'device', '', 'phone', 0)")
	_, err := copied(context.Background(), t, path, s, ignore)
	if want := `table account, 1 rows from ("default", "a"): the target already has one of them`; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s…", err, want)
	}
}

// SQLite keeps values that PostgreSQL cannot store. No use case writes such a
// row, so another program did.
func TestValuesThatPostgreSQLCannotStoreAreRefusedByName(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it has one goroutine, and takes long under the race detector")
	}
	for edited, want := range map[string]string{
		"UPDATE account SET subject = 'a' || char(0) || 'b'":               `table account, row ("default", "a\x1b"): column subject holds text with a NUL in it`,
		"UPDATE account SET subject = CAST(x'61ff' AS TEXT)":               `table account, row ("default", "a\x1b"): column subject holds text that is not UTF-8`,
		"UPDATE account SET id = CAST(x'61ff' AS TEXT)":                    `table account, row ("default", "a\xff"): column id holds text that is not UTF-8`,
		"UPDATE audit_log SET failed = 2":                                  `table audit_log, row ("default", "` + home + `", 1): column failed holds a flag that is neither 0 nor 1`,
		"UPDATE ciphertext_chunk SET account_id = CAST(x'edb080' AS TEXT)": `table ciphertext_chunk, row ("default", "\xed\xb0\x80", "k", 0): column account_id holds text that is not UTF-8`,
	} {
		path := begun(t, func(tx store.Tx) error {
			return errors.Join(tx.InsertAccount(domain.Account{ID: "a\x1b", Mode: domain.ModeDevice, Subject: "phone"}), tx.NoteCiphertext("a", "k", domain.CiphertextDigest{0, 0xff}))
		})
		edit(t, path, edited)
		_, err := copied(context.Background(), t, path, opened(t, migratedDatabase(t)), ignore)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s…", edited, err, want)
		}
	}
}

// A first start on a store and a copy look for each other's
// settings before they write their own.
func TestAStoreDoesNotStartOnAnUnfinishedCopy(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	path, url := begun(t, nothing), pgtest.Database(t)
	mine, other := migrated(t, url), opened(t, url)
	runs := 0
	err := mine.Update(context.Background(), func(tx store.Tx) error {
		runs++
		_, missing := tx.Setting("keyset")
		if err := store.CheckCopied(tx); err != nil || !errors.Is(missing, store.ErrNotFound) {
			return err
		}
		if runs == 1 {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if _, err := copied(ctx, t, path, other, func(store.CopyProgress) { cancel() }); !errors.Is(err, context.Canceled) {
				t.Errorf("the copy ended with %v", err)
			}
		}
		return tx.PutSetting("keyset", []byte("new"))
	})
	if err == nil || runs != 2 || get(t, mine, "keyset") != "" {
		t.Errorf("%d runs, error %v, keyset %q", runs, err, get(t, mine, "keyset"))
	}
}
