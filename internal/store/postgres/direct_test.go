package postgres

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

func TestVersionsOfCitusThatNeverFreePlansAreKnown(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{
		"Citus 11.3.1 on x86_64-pc-linux-gnu": false, "Citus 12.0.1": false, "Citus 12.1.10": false, "Citus 12.1.11": true, "Citus 12.1.12": true,
		"Citus 13.0.5": false, "Citus 13.0.6": true, "Citus 13.1.1": false, "Citus 13.1.2": true, "Citus 13.2.0": false, "Citus 13.2.1": true,
		"Citus 13.2.2 on x86_64-pc-linux-gnu, compiled by gcc": true, "Citus 13.3.0": true, "Citus 13.4.1": true, "Citus 13.5.0": false,
		"Citus 14.0.0": true, "Citus 14.0.1": true, "Citus 14.1.0": true, "Citus 14.2.0": true, "Citus 14.3.0 on aarch64": false,
		"Citus 15.0devel": false, "Citus 13": true, "Hyperscale 13.2.0": true, "": true,
	} {
		if got := leaksPlans(version); got != want {
			t.Errorf("%q: %v, want %v", version, got, want)
		}
	}
}

func TestANodeConnectionUsesTheSettingsOfTheURL(t *testing.T) {
	t.Parallel()
	const name = "fd00::7:5433" // as Citus has it
	for url, password := range map[string]string{
		"postgres://strongroom:secret@coordinator:5432/vault?sslmode=verify-full&search_path=vault":                    "secret",
		"postgres://strongroom:secret@/vault?host=coordinator&port=6432&sslmode=verify-full&search_path=vault":         "secret",
		"postgres://strongroom@a,b/vault?sslmode=verify-full&passfile=/nowhere&search_path=vault&application_name=app": "",
	} {
		cfg := Config{URL: url, MaxConnections: 5}
		s := &Store{connect: must(poolConfig(cfg)).ConnConfig}
		e, err := s.openNode(t.Context(), cfg, name, 1)
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		c := e.pool.Config()
		cc := c.ConnConfig
		if cc.Host != "fd00::7" || cc.Port != 5433 || len(cc.Fallbacks) > 0 || cc.User != "strongroom" || cc.Password != password || cc.Database != "vault" ||
			cc.TLSConfig == nil || cc.TLSConfig.ServerName != "fd00::7" || cc.TLSConfig.InsecureSkipVerify || cc.RuntimeParams["search_path"] != "vault" ||
			cc.RuntimeParams["enable_seqscan"] != "off" || cc.RuntimeParams["statement_timeout"] != "5s" || cc.RuntimeParams["client_min_messages"] != "warning" || c.MaxConns != 5 || c.MinConns != 0 {
			t.Errorf("%s: %+v", url, cc)
		}
		e.pool.Close()
	}
}

// withNode opens a store that takes its own database for a node of Citus, which stores
// all accounts.
func withNode(t *testing.T, address, node string) (*Store, *endpoint) {
	t.Helper()
	s := opened(t, address)
	e, err := newEndpoint(t.Context(), must(poolConfig(Config{URL: node, MaxConnections: 8})), "node:5432")
	if err != nil {
		t.Fatal(err)
	}
	s.citus = &citus{shards: []shard{{-1 << 31, 0}}, nodes: 1, names: []string{e.name}, groups: []int64{1}, direct: []*endpoint{e}}
	return s, e
}

// counted reads a counter as a verify does, and says whether that was on a direct
// connection.
func counted(t *tx, account string) (a domain.Attempts, direct bool, err error) {
	found, _, err := t.Guarded(account, domain.Passcode)
	if found != nil {
		a = *found
	}
	return a, t.direct(), err
}

// add writes the next version of a counter.
func add(t *tx, account string) (direct bool, err error) {
	a, direct, err := counted(t, account)
	if err == nil {
		a.AccountID, a.Type, a.Version = account, domain.Passcode, a.Version+1
		err = t.WriteBatch(store.Batch{Attempts: []domain.Attempts{a}})
	}
	return direct, err
}

func TestAnUpdateOfAnAccountGoesToItsNode(t *testing.T) {
	t.Parallel()
	address := migratedDatabase(t)
	s, e := withNode(t, address, address)
	wantVersion := func(want int64, where string) {
		t.Helper()
		direct := false
		if err := s.update(t.Context(), func(t *tx) (err error) { direct, err = add(t, "account"); return err }); err != nil {
			t.Fatal(err)
		}
		if direct != (where == "node") {
			t.Errorf("version %d was not written by the %s", want, where)
		}
		err := s.view(t.Context(), func(tx *tx) error {
			a, direct, err := counted(tx, "account")
			if a.Version != want || direct {
				t.Errorf("version %d, want %d; on a direct connection: %v", a.Version, want, direct)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	wantVersion(1, "node")
	wantVersion(2, "node")
	e.gone.Store(true) // the coordinator no longer lists it
	wantVersion(3, "coordinator")
	e.gone.Store(false)
	next := time.Now().Add(time.Hour)
	e.away.Store(&next)
	wantVersion(4, "coordinator")
	now := time.Now()
	e.away.Store(&now)
	wantVersion(5, "node")
	if e.away.Load() != nil {
		t.Error("a node that was reached counts as away")
	}
	for s.pool.Stat().AcquiredConns() > 0 { // a View ends after its result
		time.Sleep(time.Millisecond)
	}
	lent, err := s.acquire(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if busy, _, most := s.Connections(); busy != 1 || most != 8 {
		t.Errorf("%d of %d connections are lent", busy, most)
	}
	lent.release()
	session, end := store.WithSession(t.Context())
	defer end.End()
	for _, want := range []bool{true, false, true} { // the second Update needs the coordinator
		err := s.update(session, func(tx *tx) error {
			if !want {
				return tx.PutSetting("name", []byte("value"))
			}
			direct, err := add(tx, "account")
			if direct != want {
				t.Errorf("in a session: on a direct connection: %v", direct)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestUpdatesUseTheCoordinatorIfANodeIsUnreachable(t *testing.T) {
	t.Parallel()
	address := migratedDatabase(t)
	closed := must(net.Listen("tcp", "127.0.0.1:0"))
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	port := strconv.Itoa(closed.Addr().(*net.TCPAddr).Port)
	s, e := withNode(t, address, "postgres://nobody@127.0.0.1:"+port+"/none?sslmode=disable")
	for range 2 {
		began := time.Now()
		err := s.update(t.Context(), func(tx *tx) error {
			direct, err := add(tx, "account")
			if direct {
				t.Error("on a direct connection")
			}
			return err
		})
		if err != nil || time.Since(began) > 2*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	}
	if said := e.said.Load(); e.ready() || said == nil || !strings.Contains(*said, "cannot be reached") {
		t.Errorf("the node counts as reached, or the reason is %v", said)
	}
	if !strings.Contains(e.away.Load().String(), " m=") { // a monotonic reading
		t.Error("a clock that is set would change when the node is tried again")
	}
}

func TestANodeThatIsNoLongerListedIsLoggedOnceAndNotUsed(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	e := &endpoint{name: "one:5432"}
	e.seen.Store(new(time.Time))
	s := &Store{log: slog.New(slog.NewTextHandler(&log, nil)), citus: &citus{direct: []*endpoint{nil, e}}}
	for _, step := range []struct {
		listed string
		lines  int
	}{{"one:5432", 0}, {"two:5432", 1}, {"two:5432", 1}, {"one:5432", 2}, {"one:5432", 2}} {
		s.noteListed(t.Context(), []string{"three:5432", step.listed}, time.Now())
		if lines := strings.Count(log.String(), "node=one:5432"); e.ready() != (step.listed == e.name) || lines != step.lines {
			t.Errorf("listed is %s: ready %v, %d lines in the log, want %d", step.listed, e.ready(), lines, step.lines)
		}
	}
}

// A node that was removed from the cluster still serves connections, with metadata that are
// no longer kept current.
func TestANodeIsUsedOnlyIfItWasListedRecently(t *testing.T) {
	t.Parallel()
	address := migratedDatabase(t)
	s, e := withNode(t, address, address)
	for _, c := range []struct {
		ago  time.Duration
		want bool
	}{{0, true}, {listedFor + time.Second, false}, {listedFor - 5*time.Second, true}} {
		s.noteListed(t.Context(), []string{e.name}, time.Now().Add(-c.ago))
		err := s.update(t.Context(), func(t *tx) error {
			direct, err := add(t, "account")
			if direct != c.want {
				return fmt.Errorf("listed %v ago: on a direct connection: %v", c.ago, direct)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// The node does not have the coordinator's own tables.
func TestAnUpdateThatNeedsTheCoordinatorRunsAgainThere(t *testing.T) {
	t.Parallel()
	address := migratedDatabase(t)
	run(t, address, "CREATE SCHEMA node", "CREATE VIEW node.attempts AS SELECT * FROM public.attempts", "CREATE VIEW node.credential AS SELECT * FROM public.credential")
	s, _ := withNode(t, address, strings.Replace(address, "?", "?search_path=node&", 1))
	for _, read := range []bool{true, false} { // false: the statement goes out with COMMIT
		var runs []bool
		err := s.update(t.Context(), func(t *tx) error {
			direct, err := add(t, "account")
			runs = append(runs, direct)
			if err == nil && read {
				_, err = t.Setting("name")
			}
			if err == nil || errors.Is(err, store.ErrNotFound) {
				err = t.PutSettingLater("name", []byte("value"))
			}
			return err
		})
		if err != nil || len(runs) != 2 || !runs[0] || runs[1] {
			t.Errorf("%v, on direct connections: %v", err, runs)
		}
	}
}

// Some Updates use direct connections and some the coordinator's.
func TestUpdatesThroughNodesAndCoordinatorAreNotLost(t *testing.T) {
	t.Parallel()
	address := migratedDatabase(t)
	s, _ := withNode(t, address, address)
	wantNoneLost(t, s, opened(t, address))
}

// wantNoneLost changes a counter by several stores at once.
func wantNoneLost(t *testing.T, stores ...*Store) {
	t.Helper()
	const each = 20
	var all sync.WaitGroup
	for _, s := range stores {
		for range 2 {
			all.Go(func() {
				for range each {
					err := store.ErrConflict
					for errors.Is(err, store.ErrConflict) {
						err = s.update(t.Context(), func(t *tx) error { _, err := add(t, "account"); return err })
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	all.Wait()
	err := stores[0].view(t.Context(), func(tx *tx) error {
		a, _, err := counted(tx, "account")
		if want := int64(2 * len(stores) * each); a.Version != want {
			t.Errorf("version %d, want %d", a.Version, want)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWritesOnADirectConnectionCheckKeysAndVersions(t *testing.T) {
	t.Parallel()
	address := migratedDatabase(t)
	s, _ := withNode(t, address, address)
	key := domain.DeviceKey{ID: "key", AccountID: "account", DeviceID: "device", State: domain.KeyActive, Version: 1, Sealed: []byte{1}, PublicKey: []byte{1}}
	other := domain.DeviceKey{ID: "other", AccountID: "account", DeviceID: "other", State: domain.KeyActive, Version: 1, Sealed: []byte{1}, PublicKey: []byte{1}, ExpiresAt: time.Unix(1, 0)}
	err := s.update(t.Context(), func(t *tx) error {
		_, err := add(t, "account")
		return errors.Join(err, t.InsertAccount(domain.Account{ID: "account", Subject: "someone"}), t.InsertKey(key), t.InsertKey(other))
	})
	if err != nil {
		t.Fatal(err)
	}
	reserve := func(keyID string, read bool, version int64) error {
		return s.update(t.Context(), func(tx *tx) error {
			_, direct, err := counted(tx, "account")
			if err != nil || !direct {
				t.Fatal(direct, err)
			}
			if read {
				if _, err := tx.KeyOf("account", keyID); err != nil {
					return err
				}
			}
			return tx.ReserveAttempt(domain.Attempts{AccountID: "account", Type: domain.Passcode, Version: version}, keyID)
		})
	}
	for _, read := range []bool{true, false} {
		wantError(t, reserve("other", read, 2), store.ErrKeyNotUsable)
		wantError(t, reserve("key", read, 9), store.ErrConflict)
	}
	for version := range int64(4) {
		if err := reserve("key", version%2 == 0, version+2); err != nil {
			t.Errorf("version %d: %v", version+2, err)
		}
	}
	for _, account := range []string{"account", "unknown"} { // of the second one, the transaction has read nothing
		err := s.update(t.Context(), func(tx *tx) error {
			if _, _, err := counted(tx, "account"); err != nil {
				return err
			}
			return tx.WriteBatch(store.Batch{Attempts: []domain.Attempts{{AccountID: account, Type: domain.Passcode, Version: 9}}})
		})
		wantError(t, err, store.ErrConflict)
	}
}

func TestADirectConnectionAcceptsOnlyTheNextEntry(t *testing.T) {
	t.Parallel()
	address := migratedDatabase(t)
	s, _ := withNode(t, address, address)
	next := func(seq int64, prev, hash string) error {
		return s.update(t.Context(), func(tx *tx) error {
			if _, direct, err := counted(tx, "account"); err != nil || !direct {
				t.Fatal(direct, err)
			}
			e := domain.Entry{Chain: "chain", Seq: seq, Time: tx.Now(), Prev: []byte(prev), Hash: []byte(hash), Event: domain.EventCredentialVerified}
			return tx.WriteBatch(store.Batch{Entries: []domain.Entry{e}, HeadUnread: seq > 1})
		})
	}
	for _, step := range []struct {
		seq        int64
		prev, hash string
		want       error
	}{{1, "", "one", nil}, {2, "one", "two", nil}, {3, "one", "three", store.ErrConflict}, {2, "two", "three", store.ErrConflict}, {3, "two", "three", nil}} {
		if err := next(step.seq, step.prev, step.hash); !errors.Is(err, step.want) {
			t.Errorf("%+v: %v", step, err)
		}
	}
	run(t, address, "DELETE FROM audit_log")
	if err := next(4, "three", "four"); !errors.Is(err, errHeadless) {
		t.Errorf("after all entries were removed: %v", err)
	}
}
