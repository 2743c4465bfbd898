package service

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"strongroom/internal/audit"
	"strongroom/internal/clock"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/crypto/verifier"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
	"strongroom/internal/rootkey"
	"strongroom/internal/store"
	"strongroom/internal/store/sqlite"
	"strongroom/internal/vault"
)

// instance is a Service on a real database, with a clock that tests move, a stock
// of ready keys and a cheap KDF. Below [TestOnPostgreSQL] the engine is
// PostgreSQL, else SQLite.
type instance struct {
	*Service
	t        testing.TB
	ctx      context.Context
	clock    *testClock
	database database
	store    engine
	rootKey  string // the file that holds it
	tweak    func(*Config)
	log      *bytes.Buffer
}

// database is one database of either engine.
type database struct {
	open           func(ctx context.Context, now func() time.Time) (engine, error)
	driver, source string // the way in past the engine, for database/sql
}

// engine is a store that can be made ready.
type engine interface {
	store.Store
	Migrate(context.Context) error
	Writers() int
}

// sqliteDatabase is a database of its own with this content, nil for none.
func sqliteDatabase(t testing.TB, content []byte) database {
	path := filepath.Join(t.TempDir(), "strongroom.db")
	if content != nil {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dsn := url.URL{Scheme: "file", Path: path, RawQuery: "_pragma=busy_timeout(5000)&_pragma=foreign_keys(OFF)"}
	return database{driver: "sqlite", source: dsn.String(), open: func(ctx context.Context, now func() time.Time) (engine, error) {
		return sqlite.Open(ctx, sqlite.Config{Path: path, Now: now})
	}}
}

// migrated is a database without a row in it. To make one takes longer than all
// else that many tests do, above all with the race detector.
var migrated struct {
	sync.Mutex
	content []byte // nil until the first test
}

func migratedSQLite(t testing.TB) []byte {
	t.Helper()
	migrated.Lock()
	defer migrated.Unlock()
	if migrated.content != nil {
		return migrated.content
	}
	path := filepath.Join(t.TempDir(), "strongroom.db")
	s, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})
	if err == nil {
		err = errors.Join(s.Migrate(t.Context()), s.Close())
	}
	if err == nil {
		migrated.content, err = os.ReadFile(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return migrated.content
}

// testClock is wall time plus an offset, and what it was set forward by.
type testClock struct {
	mu          sync.Mutex
	offset, set time.Duration
}

func (c *testClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.offset + c.set)
}

// Set sets the clock forward, or back, while no time passes.
func (c *testClock) Set(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.set += d
}

// elapsed takes an advance of the clock for time that passes.
func (c *testClock) elapsed() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return clock.Elapsed() + c.offset
}

func (c *testClock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset += d
}

func openVault(t testing.TB, tweak func(*Config)) *instance {
	t.Helper()
	ctx := domain.WithCaller(context.Background(), domain.Caller{Mode: domain.ModeDevice, RequestID: testRequest, Permissions: domain.OrdinaryPermissions})
	ctx = domain.WithOperator(ctx, domain.Operator{Name: "command:test", Role: domain.RoleOperator})
	v := &instance{t: t, ctx: ctx, clock: &testClock{}, database: newDatabase(t), rootKey: filepath.Join(t.TempDir(), "root.key"),
		tweak: tweak, log: &bytes.Buffer{}}
	v.open()
	t.Cleanup(func() { v.store.Close() })
	return v
}

// beside is another process on the same database, with a log of its own.
func (v *instance) beside() *instance {
	v.t.Helper()
	w := *v
	w.log = &bytes.Buffer{}
	w.open()
	v.t.Cleanup(func() { w.store.Close() })
	return &w
}

// handle opens the database once more.
func (v *instance) handle() engine {
	v.t.Helper()
	st, err := v.database.open(v.ctx, v.clock.Now)
	if err != nil {
		v.t.Fatal(err)
	}
	if err := st.Migrate(v.ctx); err != nil {
		v.t.Fatal(err)
	}
	return st
}

func (v *instance) open() {
	v.t.Helper()
	v.store = v.handle()
	cfg := Config{
		Store: stoppable{v.store}, Writers: v.store.Writers(), RootKeys: rootKeys(v.rootKey), Mode: domain.ModeDevice,
		Settings: vault.Settings{Algorithms: []devicekey.Algorithm{devicekey.RSAOAEP256}, KeyBits: 2048, Variants: devicekey.DefaultVariants, Verifier: verifier.Params{Memory: 8, Time: 1, Parallelism: 1},
			Attempts: domain.DefaultAttemptPolicy(), KeyCounterEntries: 1000, DecryptionFailures: 100, HelperEnabled: true},
		MaxWaiting: 512, Workers: 2, KeyCache: 64, Log: slog.New(slog.NewTextHandler(v.log, nil)),
		Metrics: metrics.New(prometheus.NewRegistry()), Now: v.clock.Now, Elapsed: v.clock.elapsed, NewPrivateKey: stock,
	}
	if v.tweak != nil {
		v.tweak(&cfg)
	}
	var err error
	if v.Service, err = Open(v.ctx, cfg); err != nil {
		v.t.Fatal(err)
	}
}

// kill drops the process's memory without a flush, and starts again.
func (v *instance) kill() {
	v.t.Helper()
	v.store.Close()
	v.open()
}

// rootKeys are the root key in a file, which a new store creates.
func rootKeys(path string) record.RootKeys {
	return record.RootKeys{URLs: []string{"file:" + path}, Open: rootkey.Open, OnlyWraps: rootkey.IsRecovery,
		Reason: func(err error) string { return string(rootkey.ReasonOf(err)) },
		Create: func(ctx context.Context, url string) error {
			if err := rootkey.Create(ctx, url); !errors.Is(err, fs.ErrExist) {
				return err
			}
			return nil
		}}
}

var stockOf = sync.OnceValue(func() []*rsa.PrivateKey {
	keys := make([]*rsa.PrivateKey, 12)
	var wg sync.WaitGroup
	for i := range keys {
		wg.Go(func() { keys[i], _ = devicekey.Generate(2048) })
	}
	wg.Wait()
	return keys
})

var stockNext struct {
	sync.Mutex
	n int
}

// stock hands out ready keys, the same ones again and again.
func stock(int) (*rsa.PrivateKey, error) {
	stockNext.Lock()
	defer stockNext.Unlock()
	stockNext.n++
	k := stockOf()[stockNext.n%len(stockOf())]
	// A copy: the service wipes what it is done with.
	return x509.ParsePKCS1PrivateKey(x509.MarshalPKCS1PrivateKey(k))
}

func (v *instance) issue(device string) domain.KeyPair {
	v.t.Helper()
	k, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: device})
	if err != nil {
		v.t.Fatalf("issuing a key: %v", err)
	}
	return k
}

func (v *instance) rotate(device string) domain.KeyPair {
	v.t.Helper()
	k, err := v.RotateKey(v.ctx, domain.Identity{DeviceID: device})
	if err != nil {
		v.t.Fatalf("rotating a key: %v", err)
	}
	return k
}

func submission(t testing.TB, k domain.KeyPair, typ domain.CredentialType, secret string) domain.Submission {
	t.Helper()
	public, err := x509.ParsePKIXPublicKey(k.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	ct, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, public.(*rsa.PublicKey), []byte(secret), nil)
	if err != nil {
		t.Fatal(err)
	}
	return domain.Submission{Type: typ, Declared: typ, KeyID: k.KeyID, Ciphertext: base64.StdEncoding.EncodeToString(ct)}
}

// setPIN and verifyPIN answer in one word: "true", "false" or the error's code.
func (v *instance) setPIN(k domain.KeyPair, pin string) string {
	v.t.Helper()
	rule, err := v.Set(v.ctx, submission(v.t, k, domain.TransactionPIN, pin))
	return word(rule == "", err)
}

func (v *instance) verifyPIN(k domain.KeyPair, pin string) string {
	v.t.Helper()
	ok, err := v.matches(v.ctx, submission(v.t, k, domain.TransactionPIN, pin))
	return word(ok, err)
}

// matches is Verify without what it says beside the verdict.
func (v *instance) matches(ctx context.Context, sub domain.Submission) (bool, error) {
	verdict, err := v.Verify(ctx, sub)
	return verdict.Match, err
}

func word(ok bool, err error) string {
	switch code := domain.CodeOf(err); {
	case code != "":
		return string(code)
	case ok:
		return "true"
	}
	return "false"
}

func (v *instance) expect(what, got, want string) {
	v.t.Helper()
	if got != want {
		v.t.Errorf("%s: %s, want %s", what, got, want)
	}
}

// problems is what audit verify finds.
func (v *instance) problems() []audit.Problem {
	v.t.Helper()
	report, err := v.VerifyTrail(v.ctx, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	return report.Problems
}

func (v *instance) intact() {
	v.t.Helper()
	for _, p := range v.problems() {
		v.t.Errorf("audit: %s", p)
	}
}

func (v *instance) accountID(mode domain.Mode, issuer, subject string) string {
	return v.records.AccountID(domain.Account{Mode: mode, Issuer: issuer, Subject: subject})
}

// events counts the entries of the trail by event.
func (v *instance) events() map[domain.Event]int {
	v.t.Helper()
	n := map[domain.Event]int{}
	v.eachEntry(func(e domain.Entry) { n[e.Event]++ })
	return n
}

// eachEntry calls fn for the entries of every chain.
func (v *instance) eachEntry(fn func(domain.Entry)) {
	v.t.Helper()
	v.view(func(tx store.Tx) error {
		chains, err := tx.Chains()
		for _, chain := range chains {
			err = errors.Join(err, tx.EachEntry(chain, 0, func(e domain.Entry) error { fn(e); return nil }))
		}
		return err
	})
}

// The acts of an operator, on accounts by their device.

func (v *instance) unlock(ctx context.Context, device string, t domain.CredentialType, reason string) error {
	_, err := v.Unlock(ctx, v.accountID(domain.ModeDevice, "", device), t, domain.Act{Reason: reason})
	return err
}

func (v *instance) erase(device, reason string) error {
	_, err := v.EraseAccount(v.ctx, v.accountID(domain.ModeDevice, "", device), domain.Act{Reason: reason})
	return err
}

func (v *instance) revoke(keyID, reason string) error {
	_, err := v.RevokeKey(v.ctx, keyID, domain.Act{Reason: reason})
	return err
}
