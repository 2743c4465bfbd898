package e2e

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
)

// insider writes to a database past the service. It keeps the attempt counter and
// the heads of the trail as they were, and puts them back.
type insider struct {
	t      testing.TB
	db     *sql.DB
	types  []string
	ledger []any
	heads  map[string]int64
}

func newInsider(t testing.TB, driver, source string) *insider {
	t.Helper()
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	in := &insider{t: t, db: db, heads: map[string]int64{}}
	rows, err := db.Query("SELECT * FROM attempts")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if in.types, err = rows.Columns(); err != nil || !rows.Next() {
		t.Fatalf("no ledger: %v", err)
	}
	in.ledger = make([]any, len(in.types))
	to := make([]any, len(in.types))
	for n := range to {
		to[n] = &in.ledger[n]
	}
	if err := rows.Scan(to...); err != nil {
		t.Fatal(err)
	}
	rows.Close()
	if rows, err = db.Query(`SELECT chain, max(seq) FROM (SELECT chain, seq FROM audit_log
		UNION ALL SELECT c.name, CAST(v.seq AS BIGINT) FROM audit_verdict v JOIN audit_chain c ON c.number = v.chain) AS entry GROUP BY chain`); err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var chain string
		var seq int64
		if err := rows.Scan(&chain, &seq); err != nil {
			t.Fatal(err)
		}
		in.heads[chain] = seq
	}
	return in
}

// putBack puts the attempt counter back and cuts the tail of the trail, in one
// transaction. One that the service got in the way of is not an error.
func (in *insider) putBack() {
	tx, err := in.db.Begin()
	if err != nil {
		return
	}
	defer tx.Rollback()
	set := make([]string, len(in.types))
	for n, column := range in.types {
		set[n] = fmt.Sprintf("%s = $%d", column, n+1)
	}
	if _, err := tx.Exec("UPDATE attempts SET "+strings.Join(set, ", "), in.ledger...); err != nil {
		return
	}
	for chain, seq := range in.heads {
		if _, err := tx.Exec("DELETE FROM audit_log WHERE chain = $1 AND seq > $2", chain, seq); err != nil {
			return
		}
		if _, err := tx.Exec("DELETE FROM audit_verdict WHERE chain = (SELECT number FROM audit_chain WHERE name = $1) AND seq > $2", chain, seq); err != nil {
			return
		}
	}
	_ = tx.Commit()
}

// removeBeats removes what the instances tell each other.
func (in *insider) removeBeats() { _, _ = in.db.Exec("DELETE FROM setting WHERE name LIKE 'beat/%'") }

// attackByPuttingBack guesses at instances while an insider puts back, and
// returns how many wrong verdicts were given.
type attackByPuttingBack func(t *testing.T, guesses int, at []*instance, k keyPair, in *insider) (wrong int)

var attacksByPuttingBack = map[string]attackByPuttingBack{
	"after each guess": func(t *testing.T, guesses int, at []*instance, k keyPair, in *insider) (wrong int) {
		for n := range guesses {
			if at[n%len(at)].try(verifyPIN, k, fmt.Sprintf("%06d", n)) == "false" {
				wrong++
			}
			in.putBack()
		}
		return wrong
	},
	"as fast as the disk allows": func(t *testing.T, guesses int, at []*instance, k keyPair, in *insider) int {
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for {
				select {
				case <-stop:
					return
				default:
					in.putBack()
				}
			}
		}()
		var wrong, next atomic.Int64
		var all sync.WaitGroup
		for n := range 4 * len(at) {
			all.Go(func() {
				for {
					guess := next.Add(1)
					if guess > int64(guesses) {
						return
					}
					if at[n%len(at)].try(verifyPIN, k, fmt.Sprintf("%06d", guess)) == "false" {
						wrong.Add(1)
					}
				}
			})
		}
		all.Wait()
		close(stop)
		<-stopped
		return int(wrong.Load())
	},
	"after four guesses at each": func(_ *testing.T, guesses int, at []*instance, k keyPair, in *insider) int {
		return fourAtEach(guesses, at, k, in.putBack)
	},
	"after four guesses at each, with what they tell each other": func(_ *testing.T, guesses int, at []*instance, k keyPair, in *insider) int {
		return fourAtEach(guesses, at, k, func() {
			in.putBack()
			in.removeBeats()
		})
	},
}

func fourAtEach(guesses int, at []*instance, k keyPair, putBack func()) int {
	var wrong atomic.Int64
	for n := 0; n < guesses; n += 4 * len(at) {
		for _, i := range at {
			i.atOnce(4, func(m int) string {
				w := i.try(verifyPIN, k, fmt.Sprintf("%06d", n+m))
				if w == "false" {
					wrong.Add(1)
				}
				return w
			})
			putBack()
		}
	}
	return int(wrong.Load())
}

// An attacker puts rows and the tail of the trail back while guessing a PIN. All instances
// together give no more wrong verdicts than the guess limit allows, and all of them report
// that they are not ready. E2E_PUT_BACK is the number of guesses.
func TestPuttingRowsBackAllowsNoMoreGuessesThanTheLimit(t *testing.T) {
	t.Parallel()
	guesses := long(t, "E2E_PUT_BACK", 80)
	for name, attack := range attacksByPuttingBack {
		t.Run(name+", on SQLite", func(t *testing.T) {
			t.Parallel()
			i := start(t)
			k := i.withPIN("device", "493817")
			i.expect("the right PIN", i.try(verifyPIN, k, "493817"), "true")
			in := newInsider(t, "sqlite", i.dataDir+"/strongroom.db?_pragma=busy_timeout(10000)")
			underAttack(t, attack, guesses, []*instance{i}, k, in)
		})
		for instances := 1; instances <= 2; instances++ {
			t.Run(fmt.Sprintf("%s, on PostgreSQL with %d", name, instances), func(t *testing.T) {
				t.Parallel()
				c := startCluster(t, instances)
				k := c.all()[0].withPIN("device", "493817")
				for _, i := range c.all() {
					i.expect("the right PIN", i.try(verifyPIN, k, "493817"), "true")
				}
				in := newInsider(t, "pgx", c.server.URL("postgres"))
				underAttack(t, attack, guesses, c.all(), k, in)
			})
		}
	}
}

func underAttack(t *testing.T, attack attackByPuttingBack, guesses int, at []*instance, k keyPair, in *insider) {
	t.Helper()
	start := time.Now()
	wrong := attack(t, guesses, at, k, in)
	t.Logf("%d wrong verdicts for %d guesses in %v", wrong, guesses, time.Since(start))
	if wrong > 5 {
		t.Errorf("%d wrong verdicts, want 5 at most", wrong)
	}
	for n, i := range at {
		i.expect(fmt.Sprintf("the right PIN at instance %d, after them", n), i.try(verifyPIN, k, "493817"), "INTERNAL")
		if status := i.readiness(); status != 503 {
			t.Errorf("instance %d is ready with status %d, want 503", n, status)
		}
	}
}

// A database file that is put back while the service is stopped is refused. An operator
// must accept the loss by its name.
func TestARestoredFileIsRefusedUntilAnOperatorAcceptsIt(t *testing.T) {
	t.Parallel()
	i := start(t)
	k := i.withPIN("device", "493817")
	i.stop()
	file := filepath.Join(i.dataDir, "strongroom.db")
	older, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	i.run()
	i.expect("a wrong PIN", i.try(verifyPIN, k, "0000"), "false")
	i.stop()
	if err := os.WriteFile(file, older, 0o600); err != nil {
		t.Fatal(err)
	}
	refusal := refusesToStart(t, "--data-dir", i.dataDir)
	_, name, found := strings.Cut(refusal, "--accept-restored ")
	name, _, _ = strings.Cut(name, ";")
	if !found {
		t.Fatalf("the start says %s", refusal)
	}
	args := i.args
	i.args = append(args, "--accept-restored", name)
	i.run()
	i.expect("the right PIN", i.try(verifyPIN, k, "493817"), "true")
	if out, code := i.command("admin", "audit", "--event", "store.restored"); code != 0 || !strings.Contains(out, name) {
		t.Errorf("the trail (%d):\n%s", code, out)
	}
	i.auditIntact()
	i.stop()
	if refusal := refusesToStart(t, "--data-dir", i.dataDir, "--accept-restored", name); !strings.Contains(refusal, "remove it") {
		t.Errorf("a start that still has the setting says %s", refusal)
	}

	// Without the witness, an older file is refused as well.
	if err := errors.Join(os.WriteFile(file, older, 0o600), os.Remove(i.dataDir+".witness")); err != nil {
		t.Fatal(err)
	}
	if refusal := refusesToStart(t, "--data-dir", i.dataDir, "--accept-restored", name); !strings.Contains(refusal, "is missing") {
		t.Errorf("a start without the witness says %s", refusal)
	}
}
