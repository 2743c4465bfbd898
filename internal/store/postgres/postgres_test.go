package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/postgres/pgtest"
)

func TestATransactionThatConflictsRunsAgain(t *testing.T) {
	t.Parallel()
	ctx, url := context.Background(), pgtest.Database(t)
	mine, other := migrated(t, url), opened(t, url)
	put(t, mine, "count", "1")
	runs := 0
	err := mine.Update(ctx, func(tx store.Tx) error {
		runs++
		v, err := tx.Setting("count")
		if err != nil {
			return err
		}
		if runs == 1 {
			put(t, other, "count", "10")
		}
		return tx.PutSetting("count", append(v, '0'))
	})
	if err != nil || runs != 2 || mine.Stats().Repeats != 1 {
		t.Errorf("%d runs, %+v, error %v; want 2 and none", runs, mine.Stats(), err)
	}
	if got := get(t, other, "count"); got != "100" {
		t.Errorf("the setting is %s, want 100", got)
	}
}

// It does not matter what a function returns after an error: it decided
// without the data that it asked for.
func TestATransactionRunsAgainEvenIfItsFunctionHidesTheConflict(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	mine, other := migrated(t, url), opened(t, url)
	put(t, mine, "count", "1")
	for name, outcome := range map[string]error{"ignores the error": nil, "replaces the error": store.ErrNotFound} {
		runs := 0
		err := mine.Update(context.Background(), func(tx store.Tx) error {
			runs++
			if _, err := tx.Setting("count"); err != nil {
				return err
			}
			if runs > 1 {
				return tx.PutSetting("count", []byte("mine"))
			}
			put(t, other, "count", "theirs")
			if err := tx.PutSetting("count", nil); err == nil {
				t.Error("a write over another transaction's change succeeded")
			}
			return outcome
		})
		if err != nil || runs != 2 || get(t, other, "count") != "mine" {
			t.Errorf("%s: %d runs, error %v", name, runs, err)
		}
	}
}

func TestDeadlockedTransactionsBothSucceed(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	stores := []*Store{migrated(t, url), opened(t, url)}
	put(t, stores[0], "a", "")
	put(t, stores[0], "b", "")
	var met sync.WaitGroup
	met.Add(2)
	var wg sync.WaitGroup
	for i, names := range [][2]string{{"a", "b"}, {"b", "a"}} {
		wg.Go(func() {
			first := true
			err := stores[i].Update(context.Background(), func(tx store.Tx) error {
				if err := tx.PutSetting(names[0], []byte{byte(i)}); err != nil {
					return err
				}
				if first {
					first = false
					met.Done()
					met.Wait()
				}
				return tx.PutSetting(names[1], []byte{byte(i)})
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := stores[0].Stats().Repeats + stores[1].Stats().Repeats; n == 0 {
		t.Error("no transaction ran again, so there was no deadlock")
	}
	if a, b := get(t, stores[0], "a"), get(t, stores[0], "b"); a != b {
		t.Errorf("the settings are %q and %q: the transactions interleaved", a, b)
	}
}

func TestRepeatsAreBounded(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	mine, other := migrated(t, url), opened(t, url)
	put(t, mine, "count", "0")
	runs := 0
	err := mine.Update(context.Background(), func(tx store.Tx) error {
		runs++
		if _, err := tx.Setting("count"); err != nil {
			return err
		}
		put(t, other, "count", fmt.Sprint(runs))
		return tx.PutSetting("count", []byte("mine"))
	})
	wantError(t, err, errContended)
	if errors.Is(err, store.ErrConflict) {
		t.Error("the error is a conflict, which a caller would decide again")
	}
	if runs != maxRuns || get(t, mine, "count") != fmt.Sprint(maxRuns) {
		t.Errorf("%d runs, the setting is %s; want %d of both", runs, get(t, mine, "count"), maxRuns)
	}
}

// The outcome is unknown, so it is reported as an error, and the transaction
// is never repeated.
func TestACommitWhoseAnswerIsLostIsAnErrorAndNotRepeated(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	direct := migrated(t, url)
	wire, address := newWire(t, url)
	s := opened(t, address)
	for what, want := range map[cut]string{cutBefore: "", cutAfter: "done"} {
		name := fmt.Sprint(what)
		runs := 0
		wire.once("COMMIT", what)
		err := s.Update(context.Background(), func(tx store.Tx) error {
			runs++
			return tx.PutSetting(name, []byte("done"))
		})
		wantError(t, err, errUnknown)
		if runs != 1 {
			t.Errorf("cut %d: %d runs, want 1", what, runs)
		}
		if got := get(t, direct, name); got != want {
			t.Errorf("cut %d: the setting is %q, want %q", what, got, want)
		}
		put(t, s, name, "again") // the store heals by itself
	}
}

// CockroachDB answers so if a node fails during a commit.
func TestACommitWithAnAmbiguousResultIsUnknownAndNotRepeated(t *testing.T) {
	t.Parallel()
	wire, address := newWire(t, pgtest.Database(t))
	s := migrated(t, address)
	answer := func(m interface{ Encode([]byte) ([]byte, error) }) []byte { return must(m.Encode(nil)) }
	committed := answer(&pgproto3.CommandComplete{CommandTag: []byte("COMMIT")})
	ambiguous := answer(&pgproto3.ErrorResponse{Severity: "ERROR", SeverityUnlocalized: "ERROR", Code: "40003", Message: "result is ambiguous"})
	wire.mu.Lock()
	wire.edit = func(answer []byte) []byte { return bytes.Replace(answer, committed, ambiguous, 1) }
	wire.mu.Unlock()
	runs := 0
	wantError(t, s.Update(t.Context(), func(tx store.Tx) error {
		runs++
		return tx.PutSetting("name", []byte("done"))
	}), store.ErrUnknown)
	if got := get(t, s, "name"); runs != 1 || got != "done" {
		t.Errorf("%d runs, the setting is %q; want 1 and %q", runs, got, "done")
	}
}

func TestAConnectionLostBeforeTheCommitCostsNothing(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	wire, address := newWire(t, url)
	s := migrated(t, address)
	for _, what := range []cut{cutBefore, cutAfter} {
		for _, text := range []string{"BEGIN", "second"} {
			wire.once(text, what)
			runs := 0
			err := s.Update(context.Background(), func(tx store.Tx) error {
				runs++
				return errors.Join(tx.PutSetting("first", []byte(fmt.Sprint(what, text))), tx.PutSetting("second", nil))
			})
			if err != nil || runs > 2 {
				t.Errorf("cut %d at %s: %d runs, error %v", what, text, runs, err)
			}
			wire.once("BEGIN", what)
			if got := get(t, s, "first"); got != fmt.Sprint(what, text) {
				t.Errorf("cut %d at %s: the setting is %q", what, text, got)
			}
		}
	}
	put(t, s, "first", "idle")
	wire.cutAll()
	if got := get(t, s, "first"); got != "idle" {
		t.Errorf("over connections that died idle: %q", got)
	}
}

// Without a database there is no time, and a decision without the time must
// not count as a verdict.
func TestALostConnectionOverridesTheFunctionsError(t *testing.T) {
	t.Parallel()
	wire, address := newWire(t, pgtest.Database(t))
	s := migrated(t, address)
	wire.mu.Lock()
	wire.cut = func([]byte) cut { return cutBefore }
	wire.mu.Unlock()
	decide := func(tx store.Tx) error {
		if now := tx.Now(); now.IsZero() {
			return store.ErrKeyNotUsable
		}
		return nil
	}
	for name, err := range map[string]error{"View": s.View(context.Background(), decide), "Update": s.Update(context.Background(), decide)} {
		if err == nil || errors.Is(err, store.ErrKeyNotUsable) || errors.Is(err, errContended) {
			t.Errorf("%s without a connection: %v", name, err)
		}
	}
}

// A network that drops everything is noticed at the caller's deadline.
func TestAHangingNetworkDelaysNoOperationBeyondItsDeadline(t *testing.T) {
	t.Parallel()
	wire, address := newWire(t, pgtest.Database(t))
	s := migrated(t, address)
	for _, text := range []string{"BEGIN", "COMMIT"} {
		wire.once(text, cutNever)
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		start := time.Now()
		err := s.Update(ctx, write("name", "value"))
		cancel()
		if err == nil || time.Since(start) > 3*time.Second {
			t.Errorf("hanging at %s: %v after %v", text, err, time.Since(start))
		}
		put(t, s, text, "healed")
	}
	wire.cutAll() // or the store would wait for the answers when it is closed
}

func TestAFullPoolFailsAtTheDeadlineOrAsBusy(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	migrated(t, url)
	s := openedWith(t, Config{URL: url, MaxConnections: 2})
	hold := make(chan struct{})
	var wg, holding sync.WaitGroup
	for range 2 {
		holding.Add(1)
		wg.Go(func() {
			_ = s.View(context.Background(), func(tx store.Tx) error {
				_ = tx.Now()
				holding.Done()
				<-hold
				return nil
			})
		})
	}
	holding.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	look := func(tx store.Tx) error { _, err := tx.Setting("name"); return err }
	wantError(t, s.View(ctx, look), context.DeadlineExceeded)
	wantError(t, s.View(context.Background(), look), errBusy)
	close(hold)
	wg.Wait()
	wantError(t, s.View(context.Background(), look), store.ErrNotFound)
}

func TestStatementsShareRoundTrips(t *testing.T) {
	t.Parallel()
	s := opened(t, migratedDatabase(t))
	put(t, s, "name", "value")
	k := domain.DeviceKey{ID: "key", AccountID: "a", State: domain.KeyActive, Sealed: []byte("x"), Version: 1}
	wantError(t, s.Update(t.Context(), func(tx store.Tx) error { return tx.InsertKey(k) }), nil)
	count := func(fn func()) Stats {
		idle(s) // Open looks at the schema
		before := s.Stats()
		fn()
		idle(s)
		after := s.Stats()
		return Stats{after.Commits - before.Commits, after.Repeats - before.Repeats,
			after.Statements - before.Statements, after.RoundTrips - before.RoundTrips}
	}
	for name, c := range map[string]struct {
		do   func()
		want Stats
	}{
		"a View of one statement":      {func() { get(t, s, "name") }, Stats{Statements: 4, RoundTrips: 2}},
		"an Update of one statement":   {func() { put(t, s, "name", "next") }, Stats{Commits: 1, Statements: 4, RoundTrips: 2}},
		"an Update of three":           {func() { _ = s.Update(t.Context(), three) }, Stats{Commits: 1, Statements: 6, RoundTrips: 4}},
		"a verdict":                    {func() { _ = s.Update(t.Context(), verdict) }, Stats{Commits: 1, Statements: 9, RoundTrips: 3}},
		"a reservation":                {func() { _ = s.Update(t.Context(), reserve) }, Stats{Commits: 1, Statements: 6, RoundTrips: 2}},
		"a verdict with its event":     {func() { _ = s.Update(t.Context(), verdictAndEvent) }, Stats{Commits: 1, Statements: 11, RoundTrips: 4}},
		"a counter alone":              {func() { _ = s.Update(t.Context(), giveBack) }, Stats{Commits: 1, Statements: 6, RoundTrips: 2}},
		"an Update that does nothing":  {func() { _ = s.Update(t.Context(), func(store.Tx) error { return nil }) }, Stats{}},
		"a look at the clock is begun": {func() { _ = s.View(t.Context(), func(tx store.Tx) error { tx.Now(); return nil }) }, Stats{Statements: 3, RoundTrips: 2}},
	} {
		if got := count(c.do); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// A prune of many chains writes more than a busy server answers in the time limit of
// one round trip. It is one transaction all the same.
func TestManyWritesTakeSeveralRoundTripsAndOneTransaction(t *testing.T) {
	t.Parallel()
	s := migrated(t, pgtest.Database(t))
	entries := make([]domain.Entry, 2*mostTogether+2)
	for i := range entries {
		entries[i] = domain.Entry{Chain: "chain", Seq: int64(i) + 1, Event: domain.EventChainVerified, Count: 1}
	}
	write := func(entries []domain.Entry) error {
		return s.Update(context.Background(), func(tx store.Tx) error { return tx.WriteBatch(store.Batch{Entries: entries}) })
	}
	count := func() string { return query(t, s, `SELECT count(*)::text FROM audit_log WHERE chain = 'chain'`)[0] }

	taken := slices.Clone(entries)
	taken[len(taken)-1].Seq = 1 // its number is taken, which shows in the last round trip
	wantError(t, write(taken), store.ErrConflict)
	if n := count(); n != "0" {
		t.Errorf("%s entries of a transaction that failed", n)
	}

	trips := func(entries []domain.Entry) uint64 {
		idle(s) // a View that has returned still sends its ROLLBACK
		before := s.Stats()
		if err := write(entries); err != nil {
			t.Fatal(err)
		}
		return s.Stats().RoundTrips - before.RoundTrips
	}
	trips(entries[:1]) // the first also makes the chain
	before := s.Stats().Repeats
	few, many := trips(entries[1:2]), trips(entries[2:])
	if s.Stats().Repeats == before && many != few+2 { // another test's transaction may cause a repeat
		t.Errorf("%d entries took %d round trips, one took %d", len(entries)-2, many, few)
	}
	if n := count(); n != strconv.Itoa(len(entries)) {
		t.Errorf("%s of %d entries", n, len(entries))
	}
}

// next is the next version of a counter, read with its credential.
func next(tx store.Tx) (domain.Attempts, error) {
	a := domain.Attempts{AccountID: "a", Type: domain.Passcode}
	found, _, err := tx.Guarded(a.AccountID, a.Type)
	if found != nil {
		a = *found
	}
	a.Version++
	return a, err
}

// verdict is what a verification does last: counter, credential, entry.
func verdict(tx store.Tx) error {
	a, err := next(tx)
	if err != nil {
		return err
	}
	e, err := tx.LastEntry("chain")
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return tx.WriteBatch(store.Batch{Attempts: []domain.Attempts{a}, Entries: []domain.Entry{{Chain: "chain", Seq: e.Seq + 1}}})
}

// verdictAndEvent is a verdict with an event for a webhook.
func verdictAndEvent(tx store.Tx) error {
	if err := verdict(tx); err != nil {
		return err
	}
	seq, err := tx.NumberEvents("partition", 1)
	return errors.Join(err, tx.WriteBatch(store.Batch{Events: []domain.OutboxEvent{{Partition: "partition", Seq: seq}}}))
}

// reserve is what a verification does first.
func reserve(tx store.Tx) error {
	a, err := next(tx)
	if err != nil {
		return err
	}
	return tx.ReserveAttempt(a, "key")
}

// giveBack is what a verification does if its comparison did not run: it
// writes the counter without an entry.
func giveBack(tx store.Tx) error {
	a, err := next(tx)
	if err != nil {
		return err
	}
	return tx.WriteBatch(store.Batch{Attempts: []domain.Attempts{a}})
}

func three(tx store.Tx) error {
	return errors.Join(tx.PutSetting("a", nil), tx.PutSetting("b", nil), tx.PutSetting("c", nil))
}

func TestTheServersClockIsRead(t *testing.T) {
	t.Parallel()
	s := opened(t, migratedDatabase(t))
	for name, run := range map[string]func(context.Context, func(store.Tx) error) error{"View": s.View, "Update": s.Update} {
		err := run(context.Background(), func(tx store.Tx) error {
			before := time.Now()
			first := tx.Now()
			if _, err := tx.Setting("name"); !errors.Is(err, store.ErrNotFound) {
				return err
			}
			if again := tx.Now(); again != first || first.Location() != time.UTC || before.Sub(first).Abs() > time.Minute {
				t.Errorf("%s: %v and then %v at %v", name, first, again, before)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// Transactions of one process that begin with the same request run one after
// the other, so they need not run again.
func TestTransactionsWithTheSameFirstRequestQueue(t *testing.T) {
	t.Parallel()
	s := opened(t, migratedDatabase(t))
	put(t, s, "count", "")
	var wg sync.WaitGroup
	for range 60 {
		wg.Go(func() {
			wantError(t, s.Update(context.Background(), func(tx store.Tx) error {
				v, err := tx.Setting("count")
				return errors.Join(err, tx.PutSetting("count", append(v, '1')))
			}), nil)
		})
	}
	wg.Wait()
	if n, repeats := len(get(t, s, "count")), s.Stats().Repeats; n != 60 || repeats != 0 {
		t.Errorf("%d of 60 counted, %d runs repeated, want none", n, repeats)
	}
}

// The validity of the key is compared with the server's clock even if the
// write is the first step of its transaction.
func TestAFirstWriteChecksTheKeysExpiry(t *testing.T) {
	t.Parallel()
	s := opened(t, migratedDatabase(t))
	for age, want := range map[time.Duration]error{time.Hour: nil, -time.Hour: store.ErrKeyNotUsable} {
		account := domain.NewID()
		k := domain.DeviceKey{ID: domain.NewID(), AccountID: account, State: domain.KeyActive, Sealed: []byte("x"), Version: 1,
			ExpiresAt: time.Now().Add(age)}
		if err := s.Update(context.Background(), func(tx store.Tx) error { return tx.InsertKey(k) }); err != nil {
			t.Fatal(err)
		}
		wantError(t, s.Update(context.Background(), func(tx store.Tx) error {
			return tx.PutCredential(domain.Credential{AccountID: account, Type: domain.Passcode, Version: 1}, k.ID)
		}), want)
		wantError(t, s.Update(context.Background(), func(tx store.Tx) error {
			return tx.ReserveAttempt(domain.Attempts{AccountID: account, Type: domain.Passcode, Version: 1}, k.ID)
		}), want)
	}
}

// No other transaction gets the number of a transaction until its commit is
// answered. Each gets the smallest free number, so that few are ever used.
func TestWriterNumbersAreHeldUntilTheCommitIsAnswered(t *testing.T) {
	t.Parallel()
	wire, address := newWire(t, pgtest.Database(t))
	s := migrated(t, address)
	// A commit that is sent and not answered yet.
	sent, answer := make(chan struct{}), make(chan struct{})
	wire.mu.Lock()
	once := sync.OnceFunc(func() { close(sent); <-answer })
	wire.cut = func(request []byte) cut {
		if bytes.Contains(request, []byte("COMMIT")) {
			wire.mu.Unlock()
			once()
			wire.mu.Lock()
		}
		return pass
	}
	wire.mu.Unlock()
	number := func(name string) (n int) {
		err := s.Update(context.Background(), func(tx store.Tx) error {
			n = tx.Writer()
			return tx.PutSetting(name, nil)
		})
		if err != nil {
			t.Error(err)
		}
		return n
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if n := number("first"); n != 0 {
			t.Errorf("the first has number %d", n)
		}
	})
	<-sent
	err := s.Update(context.Background(), func(tx store.Tx) error {
		if n := tx.Writer(); n != 1 {
			t.Errorf("while a commit is under way the next has number %d, want 1", n)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	close(answer)
	wg.Wait()
	if n := number("last"); n != 0 {
		t.Errorf("the only writer has number %d", n)
	}
}

// Error texts do not show where the database is, or how to sign in to it.
func TestErrorsRevealNoConnectionDetails(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	server := pgtest.Shared(t)
	secrets := []string{"hunter2", "secretuser", "127.0.0.1", "nosuchhost", "SELECT"}
	for url, want := range map[string]string{
		"postgres://secretuser:hunter2@127.0.0.1:1/x":                                    "cannot be reached",
		"postgres://secretuser:hunter2@nosuchhost.invalid/x":                             "cannot be reached",
		"postgres://secretuser:hunter2@127.0.0.1:1/x?sslmode=nonsense":                   "is not understood",
		strings.Replace(server.URL("nosuchdb"), "postgres@", "postgres:hunter2@", 1):     "does not exist",
		strings.Replace(server.URL("postgres"), "postgres@", "secretuser:hunter2@", 1):   "refused the user",
		strings.Replace(server.URL("postgres"), "sslmode=disable", "sslmode=require", 1): "TLS",
	} {
		_, err := Open(context.Background(), Config{URL: url})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", url, err, want)
			continue
		}
		for _, secret := range secrets {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%s: the error contains %q: %v", url, secret, err)
			}
		}
	}
}
