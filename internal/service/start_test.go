package service

import (
	"bytes"
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/rootkey"
	"strongroom/internal/stack"
	"strongroom/internal/store"
	"strongroom/internal/workpool"
)

// start stops the vault and tries to open it again.
func (v *instance) start() error {
	v.t.Helper()
	v.store.Close()
	v.store = v.handle()
	cfg := v.cfg
	cfg.Store = v.store
	if v.tweak != nil {
		v.tweak(&cfg)
	}
	s, err := Open(v.ctx, cfg)
	if err == nil {
		v.Service = s
	}
	return err
}

func TestAStartDistinguishesAWrongRootKeyFromADamagedDatabase(t *testing.T) {
	damage := func(names ...string) func(*instance, insider) {
		for i, name := range names {
			names[i] = "name = '" + name + "'"
		}
		return blank("setting", "value", names...)
	}
	for _, tt := range []struct {
		name   string
		damage func(*instance, insider)
		want   error
		says   []string
	}{
		{"another root key", func(v *instance, _ insider) { exchangeRootKey(v) }, seal.ErrWrongRootKey,
			[]string{"nothing was changed", "give a root key of the database with --root-key"}},
		{"another root key and a damaged keyset", func(v *instance, i insider) {
			exchangeRootKey(v)
			damage("keyset")(v, i)
		}, seal.ErrDamaged, []string{"the wrapped keyset cannot be read"}},
		{"a damaged keyset", damage("keyset"), seal.ErrDamaged, []string{"the wrapped keyset cannot be read", "restore the database from a backup"}},
		{"a lost keyset", run("DELETE FROM setting WHERE name = 'keyset'"), seal.ErrDamaged, []string{"keyset is gone", "restore the database from a backup"}},
		{"all settings lost", run("DELETE FROM setting"), seal.ErrDamaged, []string{"restore the database from a backup"}},
		{"a damaged account mode", damage("account_mode"), nil, []string{"--accounts device"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := tamperable(t)
			before := settings(v)
			tt.damage(v, v.insider())
			damaged := settings(v)
			err := v.start()
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
				t.Fatalf("the start: %v, want %v", err, tt.want)
			}
			for _, say := range tt.says {
				if !strings.Contains(err.Error(), say) {
					t.Errorf("%q does not say %q", err, say)
				}
			}
			if diff := cmp.Diff(damaged, settings(v)); diff != "" {
				t.Errorf("the refused start changed the store:\n%s", diff)
			}
			restore(v, before)
			if err := v.start(); err != nil {
				t.Fatalf("after the damage was mended: %v", err)
			}
			v.expect("verify", v.verifyPIN(v.issue("phone"), "1357"), "true")
			v.intact()
		})
	}
}

func exchangeRootKey(v *instance) {
	v.t.Helper()
	path := v.rootKey
	if err := os.Rename(path, path+".right"); err != nil {
		v.t.Fatal(err)
	}
	if err := rootkey.CreateFile(path); err != nil {
		v.t.Fatal(err)
	}
}

func settings(v *instance) map[string][]byte {
	v.t.Helper()
	values := map[string][]byte{}
	v.view(func(tx store.Tx) error {
		for _, name := range []string{"keyset", "account_mode", "audit_chain", "epoch"} {
			value, err := tx.Setting(name)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			values[name] = value
		}
		return nil
	})
	return values
}

// restore puts settings and root key back.
func restore(v *instance, values map[string][]byte) {
	v.t.Helper()
	err := v.store.Update(v.ctx, func(tx store.Tx) error {
		for name, value := range values {
			if err := tx.PutSetting(name, value); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		v.t.Fatal(err)
	}
	if _, err := os.Stat(v.rootKey + ".right"); err == nil {
		if err := os.Rename(v.rootKey+".right", v.rootKey); err != nil {
			v.t.Fatal(err)
		}
	}
}

func TestAMissingRootKeyIsNotCreatedForAFilledDatabase(t *testing.T) {
	v := tamperable(t)
	root, err := rootkey.OpenFile(v.rootKey)
	if err != nil {
		t.Fatal(err)
	}
	id, path := root.ID(), v.rootKey
	if err := os.Rename(path, path+".right"); err != nil {
		t.Fatal(err)
	}
	err = v.start()
	if err == nil || !strings.Contains(err.Error(), "this database needs root key \""+id+"\"") {
		t.Errorf("the start does not name root key %s: %v", id, err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a root key was made: %v", err)
	}
	if err := os.Rename(path+".right", path); err != nil {
		t.Fatal(err)
	}
	if err := v.start(); err != nil {
		t.Fatal(err)
	}
	v.expect("verify", v.verifyPIN(v.issue("phone"), "1357"), "true")
}

func TestAFilledDatabaseRefusesAnotherAccountMode(t *testing.T) {
	v := tamperable(t)
	v.tweak = func(c *Config) { c.Mode = "jwt" }
	if err := v.start(); err == nil || !strings.Contains(err.Error(), `mode "device" and cannot be served with --accounts jwt`) {
		t.Errorf("the start: %v", err)
	}
}

// meeting is a store whose first read ends only when all others have read.
type meeting struct {
	store.Store
	once   sync.Once
	looked *sync.WaitGroup
}

func (m *meeting) View(ctx context.Context, fn func(store.Tx) error) error {
	err := m.Store.View(ctx, fn)
	m.once.Do(func() {
		m.looked.Done()
		m.looked.Wait()
	})
	return err
}

func TestProcessesThatStartTogetherCreateOneKeyset(t *testing.T) {
	template := openVault(t, nil)
	ctx, empty, root := template.ctx, emptyDatabase(t), rootKeys(filepath.Join(t.TempDir(), "root.key"))
	const processes = 10
	var made atomic.Int64
	var looked sync.WaitGroup
	looked.Add(processes)
	services := parallel(processes, func() *Service {
		st, err := empty.open(ctx, time.Now)
		if err == nil {
			t.Cleanup(func() { st.Close() })
			err = st.Migrate(ctx)
		}
		if err != nil {
			t.Error(err)
			looked.Done() // no one has to wait for it
			return nil
		}
		cfg := template.cfg
		cfg.Store, cfg.Metrics = &meeting{Store: st, looked: &looked}, metrics.New(prometheus.NewRegistry())
		cfg.RootKeys = root
		cfg.RootKeys.Create = func(ctx context.Context, url string) error {
			made.Add(1)
			return root.Create(ctx, url)
		}
		s, err := Open(ctx, cfg)
		if err != nil {
			t.Error(err)
		}
		return s
	})
	if t.Failed() {
		return
	}
	if n := made.Load(); n != 1 {
		t.Errorf("%d of them made the root key", n)
	}
	for _, s := range services {
		if s.home != services[0].home {
			t.Errorf("two trails were begun: %s and %s", s.home, services[0].home)
		}
	}
	// Each process reads what another one wrote.
	k, err := services[0].GenerateKey(ctx, domain.Identity{DeviceID: "phone"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := services[1].Set(ctx, submission(t, k, domain.TransactionPIN, "1357")); err != nil {
		t.Fatal(err)
	}
	for _, s := range services {
		if is, err := s.Verify(ctx, submission(t, k, domain.TransactionPIN, "1357")); !is.Match || err != nil {
			t.Errorf("verify: %v, %v", is.Match, err)
		}
	}
	report, err := services[2].VerifyTrail(ctx, nil)
	if err != nil || len(report.Problems) > 0 {
		t.Errorf("audit: %v, %v", report.Problems, err)
	}
}

// An orderly stop loses nothing, not even the counts of operations without a change.
func TestStopWritesCountsThatWereOnlyInMemory(t *testing.T) {
	v := openVault(t, func(c *Config) { c.DecryptionFailures = 1 })
	k := v.issue("phone")
	v.setPIN(k, "1357")
	bad := submission(t, k, domain.TransactionPIN, "1357")
	bad.Ciphertext = "AAAA"
	readOnly := func() {
		v.issue("phone")
		_, err := v.GenerateKey(v.ctx, domain.Identity{})
		v.expect("generate", word(true, err), "BAD_USER_INPUT")
		_, err = v.matches(v.ctx, bad)
		v.expect("verify", word(false, err), "DECRYPTION_FAILED")
		_, err = v.matches(v.ctx, bad)
		v.expect("verify", word(false, err), "TOO_MANY_REQUESTS")
		v.Refused(v.ctx, domain.CodePayloadTooLarge)
	}
	readOnly()
	v.kill() // before anything was written
	v.clock.Advance(10 * time.Second)
	summed := func(total, failed int64) {
		t.Helper()
		var got domain.Summary
		if got, _ = v.Summary(v.ctx, 1); got.TotalOperations != total || got.FailedOperations != failed {
			t.Errorf("%d operations, %d failed; want %d and %d", got.TotalOperations, got.FailedOperations, total, failed)
		}
	}
	summed(2, 0)
	readOnly()
	if err := v.Stop(v.ctx); err != nil {
		t.Fatal(err)
	}
	v.kill()
	summed(5, 2)
	want := map[string]int64{
		"operations.counted ok generateClientEncryptionKey":             1,
		"operations.counted BAD_USER_INPUT generateClientEncryptionKey": 1,
		"operations.counted DECRYPTION_FAILED verifyTransactionPin":     1,
		"refusals.counted TOO_MANY_REQUESTS ":                           1,
		"refusals.counted PAYLOAD_TOO_LARGE ":                           1,
	}
	got := map[string]int64{}
	v.eachEntry(func(e domain.Entry) {
		if e.Event == domain.EventOperationsCounted || e.Event == domain.EventRefusalsCounted {
			got[fmt.Sprintf("%s %s %s", e.Event, e.Outcome, e.Reason)] += e.Count
		}
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("aggregate entries (-want +got):\n%s", diff)
	}
	v.intact()
}

func TestBackgroundWorkRunsUntilStop(t *testing.T) {
	openVault(t, nil) // starts what tests share
	leaks := goleak.IgnoreCurrent()
	v := openVault(t, func(c *Config) { c.KeyTTL = time.Hour })
	k := v.issue("phone")
	v.issue("phone")
	v.clock.Advance(2 * time.Hour)
	v.Start()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if len(v.stored(k).Sealed) == 0 && v.events()[domain.EventOperationsCounted] > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("after a while: the expired key has %d sealed bytes, events %v", len(v.stored(k).Sealed), v.events())
		}
	}
	v.expect("state", string(v.stored(k).State), string(domain.KeyExpired))
	v.verifyPIN(v.issue("phone"), "1357")
	v.issue("phone") // counted in memory
	if err := v.Stop(v.ctx); err != nil {
		t.Fatal(err)
	}
	if err := v.store.Close(); err != nil {
		t.Fatal(err)
	}
	goleak.VerifyNone(t, leaks)
	v.open()
	if sum, err := v.Summary(v.ctx, 24); sum.TotalOperations != 5 || err != nil {
		t.Errorf("%d operations, want 5 (%v)", sum.TotalOperations, err)
	}
	v.intact()
}

func TestAClosedStoreGivesErrorsAndNeverTrue(t *testing.T) {
	v := tamperable(t)
	k := v.issue("phone")
	v.store.Close()
	v.expect("verify", v.verifyPIN(k, "1357"), "INTERNAL")
	v.expect("verify", v.verifyPIN(k, "0000"), "INTERNAL")
	v.expect("set", v.setPIN(k, "9876"), "INTERNAL")
	_, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: "phone"})
	v.expect("generate", word(true, err), "INTERNAL")
	_, err = v.RotateKey(v.ctx, domain.Identity{DeviceID: "phone"})
	v.expect("rotate", word(true, err), "INTERNAL")
	if _, err := v.Summary(v.ctx, 24); err == nil {
		t.Error("a summary without a store")
	}
	if err := v.Ready(v.ctx); err == nil {
		t.Error("ready without a store")
	}
	if err := v.Stop(v.ctx); err == nil {
		t.Error("Stop wrote to a closed store")
	}
	v.kill()
	v.expect("verify with the store back", v.verifyPIN(k, "1357"), "true")
	v.expect("the PIN is the old one", v.verifyPIN(k, "9876"), "false")
	v.intact()
}

// unreliable is a store in which one transaction fails.
type unreliable struct {
	store.Store
	fault func(run func(around func(store.Tx) error) error, fn func(store.Tx) error) error

	mu    sync.Mutex
	until int // transactions until the one that goes wrong; 0: none
	hit   bool
}

func (u *unreliable) arm(n int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.until, u.hit = n, false
}

func (u *unreliable) Update(ctx context.Context, fn func(store.Tx) error) error {
	return u.pass(func(fn func(store.Tx) error) error { return u.Store.Update(ctx, fn) }, fn)
}

func (u *unreliable) View(ctx context.Context, fn func(store.Tx) error) error {
	return u.pass(func(fn func(store.Tx) error) error { return u.Store.View(ctx, fn) }, fn)
}

func (u *unreliable) pass(run func(func(store.Tx) error) error, fn func(store.Tx) error) error {
	u.mu.Lock()
	wrong := u.until == 1
	u.until = max(0, u.until-1)
	u.hit = u.hit || wrong
	u.mu.Unlock()
	if wrong {
		return u.fault(run, fn)
	}
	return run(fn)
}

var errDisk = errors.New("the disk is gone")

// If any transaction of a request fails in any way, the answer is an
// error, the workers and the store are free again, and everything works afterwards.
func TestAFailedTransactionNeverGivesAVerdict(t *testing.T) {
	type faultFn = func(run func(func(store.Tx) error) error, fn func(store.Tx) error) error
	faults := map[string]faultFn{
		"it does not begin": func(func(func(store.Tx) error) error, func(store.Tx) error) error { return errDisk },
		"it is rolled back": func(run func(func(store.Tx) error) error, fn func(store.Tx) error) error {
			return run(func(tx store.Tx) error { return errors.Join(fn(tx), errDisk) })
		},
		"it is committed and reports a failure": func(run func(func(store.Tx) error) error, fn func(store.Tx) error) error {
			return errors.Join(run(fn), errDisk)
		},
		"it panics": func(run func(func(store.Tx) error) error, fn func(store.Tx) error) error {
			return run(func(store.Tx) error { panic("a canary value") })
		},
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			u := &unreliable{fault: fault}
			v := openVault(t, func(c *Config) { u.Store, c.Store = c.Store, u })
			k := v.issue("phone")
			v.setPIN(k, "1357")
			requests := map[string]func() string{
				"verify": func() string { return v.verifyPIN(k, "1357") },
				"guess":  func() string { return v.verifyPIN(k, "0000") },
				"set":    func() string { return v.setPIN(k, "1357") },
				"generate": func() string {
					_, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: "phone", AppVersion: domain.NewID()})
					return word(true, err)
				},
				"rotate": func() string {
					_, err := v.RotateKey(v.ctx, domain.Identity{DeviceID: "tablet"})
					return word(true, err)
				},
			}
			for what, request := range requests {
				n := 1
				for ; ; n++ {
					u.arm(n)
					got := survive(request)
					if !u.hit {
						break
					}
					if got != "INTERNAL" && got != "panic" {
						t.Errorf("%s, with transaction %d gone wrong: %s", what, n, got)
					}
					v.idle()
					v.clock.Advance(time.Minute) // past the lease of an attempt that was left pending
					v.expect("verify afterwards", v.verifyPIN(k, "1357"), "true")
				}
				if n == 1 {
					t.Errorf("%s had no transaction", what)
				}
			}
			u.arm(0)
			v.intact()
			if strings.Contains(v.log.String(), "canary") {
				t.Errorf("the log shows the message of a panic:\n%s", v.log)
			}
		})
	}
}

func TestAFailedFlushLosesNoCount(t *testing.T) {
	for name, rollBack := range map[string]bool{"it does not begin": false, "it is rolled back": true} {
		t.Run(name, func(t *testing.T) {
			u := &unreliable{fault: func(run func(func(store.Tx) error) error, fn func(store.Tx) error) error {
				if !rollBack {
					return errDisk
				}
				return run(func(tx store.Tx) error { return errors.Join(fn(tx), errDisk) })
			}}
			v := openVault(t, func(c *Config) { u.Store, c.Store = c.Store, u })
			v.issue("phone")
			v.issue("phone") // in memory only
			for range 2 {
				u.arm(1)
				if _, err := v.Summary(v.ctx, 1); !errors.Is(err, errDisk) {
					t.Errorf("a summary without the counts in memory: %v", err)
				}
			}
			if sum, err := v.Summary(v.ctx, 1); sum.TotalOperations != 2 || err != nil {
				t.Errorf("%d operations, want 2 (%v)", sum.TotalOperations, err)
			}
			v.expect("counted entries", fmt.Sprint(v.events()[domain.EventOperationsCounted]), "1")
			v.intact()
		})
	}
}

// impatient is a store whose caller hangs up at each commit.
type impatient struct {
	store.Store
	hangUp context.CancelFunc
}

func (i *impatient) Update(ctx context.Context, fn func(store.Tx) error) error {
	defer i.hangUp()
	return i.Store.Update(ctx, fn)
}

func TestACommittedActIsNotReportedAsFailed(t *testing.T) {
	i := &impatient{hangUp: func() {}}
	v := openVault(t, func(c *Config) { i.Store, c.Store = c.Store, i })
	k := v.issue("phone")
	for range 5 {
		v.verifyPIN(k, "0000")
	}
	k = v.rotate("phone") // which leaves something to scrub
	ctx, cancel := context.WithCancel(v.ctx)
	defer cancel()
	i.hangUp = cancel
	if err := v.unlock(ctx, "phone", domain.TransactionPIN, "reason"); err != nil {
		t.Errorf("the unlock: %v", err)
	}
	i.hangUp = func() {}
	v.expect("verify", v.verifyPIN(k, "0000"), "false")
}

// survive is fn's answer, or "panic".
func survive(fn func() string) (answer string) {
	defer func() {
		if recover() != nil {
			answer = "panic"
		}
	}()
	return fn()
}

// idle checks that no request holds a worker slot or waits in a queue.
func (v *instance) idle() {
	v.t.Helper()
	for name, l := range map[string]*workpool.Pool{"verifying": v.verifying, "generating": v.generating} {
		if is := l.State(); is.Requests != 0 || is.Queued != 0 {
			v.t.Errorf("workers for %s: %d requests are inside, %d jobs wait", name, is.Requests, is.Queued)
		}
	}
}

func TestOverloadIsRefusedAndCostsNoAttempt(t *testing.T) {
	v := openVault(t, func(c *Config) { c.MaxWaiting, c.Workers = 2, 1 })
	k := v.issue("phone")
	v.setPIN(k, "1357")
	before, err := v.Summary(v.ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	all := func(want string) {
		t.Helper()
		v.expect("a wrong guess", v.verifyPIN(k, "0000"), want)
		v.expect("a right one", v.verifyPIN(k, "1357"), want)
		v.expect("set", v.setPIN(k, "9876"), want)
		_, err := v.RotateKey(v.ctx, domain.Identity{DeviceID: "phone"})
		v.expect("rotate", word(true, err), want)
	}

	// The maximum number of requests is admitted.
	var tickets []*workpool.Ticket
	for _, l := range []*workpool.Pool{v.verifying, v.verifying, v.generating, v.generating} {
		tickets = append(tickets, mustEnter(t, l))
	}
	all("OVERLOADED")
	for _, ticket := range tickets {
		ticket.Leave()
	}

	// There is room, but no worker becomes free in time.
	release := make(chan struct{})
	patience := v.verifying.Wait
	for _, l := range []*workpool.Pool{v.verifying, v.generating} {
		l.Wait = time.Millisecond
		occupy(l, release)
	}
	all("OVERLOADED")
	close(release)
	v.idle()
	v.verifying.Wait = patience

	v.view(func(tx store.Tx) error {
		if _, err := tx.Attempts(v.stored(k).AccountID, domain.TransactionPIN); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("an attempt was counted: %v", err)
		}
		return nil
	})
	after, err := v.Summary(v.ctx, 1)
	if diff := cmp.Diff(before, after); diff != "" || err != nil {
		t.Errorf("refused requests were counted as operations: %v\n%s", err, diff)
	}
	v.expect("afterwards", v.verifyPIN(k, "1357"), "true")
	v.intact()
}

const panicCanary = "canary-5f0a"

func faulty(int) (*rsa.PrivateKey, error) { panic(panicCanary) }

func TestAPanicCountsAsAFailureAndReleasesItsWorker(t *testing.T) {
	var mended atomic.Bool
	v := openVault(t, func(c *Config) {
		c.NewPrivateKey = func(bits int) (*rsa.PrivateKey, error) {
			if mended.Load() {
				return stock(bits)
			}
			return faulty(bits)
		}
	})
	func() {
		defer func() {
			if _, where := stack.Of(recover()); !strings.Contains(where, "service.faulty ") {
				t.Errorf("the log of a request would name another place:\n%s", where)
			}
		}()
		v.issue("phone")
	}()
	answers := parallel(9, func() string {
		return survive(func() string { return v.issue("phone").KeyID })
	})
	answers = append(answers, survive(func() string { return v.rotate("phone").KeyID }))
	if slices.ContainsFunc(answers, func(a string) bool { return a != "panic" }) {
		t.Errorf("answers: %v", answers)
	}
	v.idle()
	sum, err := v.Summary(v.ctx, 1)
	if err != nil || sum.TotalOperations != 11 || sum.FailedOperations != 11 {
		t.Errorf("%d operations, %d failed, %v; want 11 and 11", sum.TotalOperations, sum.FailedOperations, err)
	}
	mended.Store(true)
	v.issue("phone")
	v.intact()
	if bytes.Contains(append(v.written(), v.log.Bytes()...), []byte(panicCanary)) {
		t.Error("the message of the panic was stored or logged")
	}
}

// written is every value in the database.
func (v *instance) written() (all []byte) {
	v.t.Helper()
	i := v.insider()
	for _, table := range store.Tables {
		for _, row := range i.rows("SELECT * FROM " + table.Name) {
			all = fmt.Appendf(all, "%s\n", row)
		}
	}
	if !bytes.Contains(all, []byte("phone")) {
		v.t.Error("this looks in the wrong place: the written data is not there")
	}
	return all
}

func TestAPrivateKeyIsWipedOnceItIsSealed(t *testing.T) {
	var made []*big.Int
	v := openVault(t, func(c *Config) {
		c.NewPrivateKey = func(bits int) (*rsa.PrivateKey, error) {
			k, err := stock(bits)
			made = append(made, k.D, k.Primes[0], k.Primes[1])
			return k, err
		}
	})
	v.issue("phone")
	k := v.rotate("phone")
	for _, number := range made {
		if len(number.Bytes()) > 0 {
			t.Error("a private key is still in memory")
		}
	}
	v.expect("set", v.setPIN(k, "1357"), "true")
	v.expect("verify", v.verifyPIN(k, "1357"), "true")
}
