package service

import (
	"crypto/x509"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the insider's way into either engine
	_ "modernc.org/sqlite"

	"strongroom/internal/audit"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// insider is someone who can write to the database, and to nothing else. Their
// statements are what both engines take.
type insider struct {
	t  testing.TB
	db *sql.DB
}

func (v *instance) insider() insider {
	v.t.Helper()
	db, err := sql.Open(v.database.driver, v.database.source)
	if err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(func() { _ = db.Close() })
	return insider{v.t, db}
}

// @phone and @tablet in a statement stand for the ids of these accounts, @pin
// and @passcode for the keys of a credential or attempt counter of the phone.
var shorthand = strings.NewReplacer(
	"@phone", "(SELECT id FROM account WHERE subject = 'phone')",
	"@tablet", "(SELECT id FROM account WHERE subject = 'tablet')",
	"@pin", "account_id = (SELECT id FROM account WHERE subject = 'phone') AND type = 'TRANSACTION_PIN'",
	"@passcode", "account_id = (SELECT id FROM account WHERE subject = 'phone') AND type = 'PASSCODE'",
)

// allEntries are the places of all entries, in both tables.
const allEntries = `(SELECT chain, seq, time FROM audit_log
	UNION ALL SELECT c.name, CAST(v.seq AS BIGINT), (CAST(v.second AS BIGINT) + 946684800) * 1000000 + v.micros
	FROM audit_verdict v JOIN audit_chain c ON c.number = v.chain) AS entry`

// cut removes the entries of a chain after a number.
func (i insider) cut(chain, after any) {
	_, _ = i.db.Exec("DELETE FROM audit_log WHERE chain = $1 AND seq > $2", chain, after)
	_, _ = i.db.Exec("DELETE FROM audit_verdict WHERE chain = (SELECT number FROM audit_chain WHERE name = $1) AND seq > $2", chain, after)
}

// write runs a statement that must change something.
func (i insider) write(query string, args ...any) {
	i.t.Helper()
	result, err := i.db.Exec(shorthand.Replace(query), args...)
	if err != nil {
		i.t.Fatal(err)
	}
	if n, _ := result.RowsAffected(); n == 0 {
		i.t.Fatalf("nothing was changed by %s", query)
	}
}

// read returns the first row of a query.
func (i insider) read(query string) map[string]any {
	i.t.Helper()
	all := i.rows(query)
	if len(all) == 0 {
		i.t.Fatalf("no row: %s", query)
	}
	return all[0]
}

func (i insider) rows(query string) (all []map[string]any) {
	i.t.Helper()
	rows, err := i.db.Query(shorthand.Replace(query))
	if err != nil {
		i.t.Fatal(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		i.t.Fatal(err)
	}
	values, to := make([]any, len(names)), make([]any, len(names))
	for n := range to {
		to[n] = &values[n]
	}
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			i.t.Fatal(err)
		}
		row := map[string]any{}
		for n, name := range names {
			row[name] = values[n]
			if b, ok := values[n].([]byte); ok && len(b) == 0 {
				row[name] = []byte{} // the driver reads an empty value as nil, which it writes as NULL
			}
		}
		all = append(all, row)
	}
	if err := rows.Err(); err != nil {
		i.t.Fatal(err)
	}
	return all
}

// put writes a row that was read from the table over whatever has its key.
func (i insider) put(table string, row map[string]any) {
	i.t.Helper()
	var names, marks, replaced []string
	var values []any
	for name, value := range row {
		values = append(values, value)
		names, marks = append(names, name), append(marks, fmt.Sprintf("$%d", len(values)))
		replaced = append(replaced, name+" = excluded."+name)
	}
	var keys []string
	for _, t := range store.Tables {
		if t.Name == table {
			for _, column := range t.Key() {
				keys = append(keys, column.Name)
			}
		}
	}
	i.write(fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s) ON CONFLICT (%s) DO UPDATE SET %s", table, strings.Join(names, ", "),
		strings.Join(marks, ", "), strings.Join(keys, ", "), strings.Join(replaced, ", ")), values...)
}

// flip changes one bit of a blob, in its first, middle or last byte.
func flip(table, column, where string, at float64) func(*instance, insider) {
	return func(_ *instance, i insider) {
		b := i.read(fmt.Sprintf("SELECT %s AS b FROM %s WHERE %s", column, table, where))["b"].([]byte)
		b[int(at*float64(len(b)-1))] ^= 0x04
		i.write(fmt.Sprintf("UPDATE %s SET %s = $1 WHERE %s", table, column, where), b)
	}
}

// blank writes zeros over a blob, in one row for each where.
func blank(table, column string, where ...string) func(*instance, insider) {
	return func(_ *instance, i insider) {
		for _, where := range where {
			b := i.read(fmt.Sprintf("SELECT %s AS b FROM %s WHERE %s", column, table, where))["b"].([]byte)
			i.write(fmt.Sprintf("UPDATE %s SET %s = $1 WHERE %s", table, column, where), make([]byte, len(b)))
		}
	}
}

func run(query string) func(*instance, insider) {
	return func(_ *instance, i insider) { i.write(query) }
}

// The three things that can be asked of the phone, and what became of each.
type answers struct{ verify, set, generate string }

var (
	keyRefused        = answers{"INTERNAL", "INTERNAL", "INTERNAL"}
	credentialRefused = answers{"INTERNAL", "true", "true"} // a set replaces it
	counterRefused    = answers{"INTERNAL", "INTERNAL", "true"}
)

func TestAnEditedRowIsRefusedLoggedAndAudited(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel, and the race detector makes its dozens of stores slow")
	}
	const phonesKey = "account_id = @phone AND state = 'active'"
	type edit struct {
		name string
		do   func(*instance, insider)
		want answers
	}
	edits := []edit{
		{"a key is given another validity", run("UPDATE device_key SET expires_at = expires_at + 1 WHERE account_id = @phone"), keyRefused},
		{"a key is made valid for ever", run("UPDATE device_key SET expires_at = 0 WHERE account_id = @phone"), keyRefused},
		{"a key is given another age", run("UPDATE device_key SET created_at = created_at - 1 WHERE account_id = @phone"), keyRefused},
		{"a key is given another algorithm", run("UPDATE device_key SET algorithm = 'RSA-OAEP-1' WHERE account_id = @phone"), keyRefused},
		{"a key is given to another device", run("UPDATE device_key SET device_id = 'telephone' WHERE account_id = @phone"),
			answers{"INTERNAL", "INTERNAL", "true"}}, // the phone gets a new one
		{"a private key is exchanged for another account's", run(`UPDATE device_key
			SET sealed = (SELECT sealed FROM device_key WHERE account_id = @tablet) WHERE account_id = @phone`), keyRefused},
		{"a key pair is exchanged for another account's", run(`UPDATE device_key SET (public_key, sealed, created_at, expires_at) =
			(SELECT public_key, sealed, created_at, expires_at FROM device_key WHERE account_id = @tablet) WHERE account_id = @phone`), keyRefused},
		{"a public key is exchanged for another account's", run(`UPDATE device_key
			SET public_key = (SELECT public_key FROM device_key WHERE account_id = @tablet) WHERE account_id = @phone`), keyRefused},
		{"a public key is exchanged for the insider's", exchangePublicKey, keyRefused},
		{"a private key is exchanged for one that is sealed in its place", sealForeignKey, keyRefused},
		{"a key is given another size", run("UPDATE device_key SET bits = 1024 WHERE account_id = @phone"), keyRefused},
		{"a key is given another appVersion", run("UPDATE device_key SET app_version = '9.9' WHERE account_id = @phone"), keyRefused},
		{"a key is given another version", run("UPDATE device_key SET version = version + 1 WHERE account_id = @phone"), keyRefused},
		{"a key is bound to another key", run("UPDATE device_key SET jkt = 'x' WHERE account_id = @phone"), keyRefused},
		{"a key's MAC is flipped", flip("device_key", "mac", "account_id = @phone", 1), keyRefused},

		{"a verifier is exchanged for another account's", run(`UPDATE credential
			SET sealed = (SELECT sealed FROM credential WHERE account_id = @tablet AND type = 'TRANSACTION_PIN') WHERE @pin`), credentialRefused},
		{"a credential is exchanged for another account's", run(`UPDATE credential SET (id, version, sealed, created_at, updated_at) =
			(SELECT id, version, sealed, created_at, updated_at FROM credential WHERE account_id = @tablet AND type = 'TRANSACTION_PIN') WHERE @pin`), credentialRefused},
		{"a credential is exchanged for the other type's", run(`UPDATE credential SET (id, version, sealed) =
			(SELECT id, version, sealed FROM credential WHERE @passcode) WHERE @pin`), credentialRefused},
		{"a verifier is exchanged for an earlier version's", earlierVerifier, credentialRefused},
		{"a credential is given another id", run("UPDATE credential SET id = 'x' WHERE @pin"), credentialRefused},
		{"a credential is given another version", run("UPDATE credential SET version = version - 1 WHERE @pin"),
			answers{"INTERNAL", "INTERNAL", "true"}}, // its next version was written before

		{"failures are reset to 0", run("UPDATE attempts SET failures = 0 WHERE @pin"), counterRefused},
		{"a lock is cleared", func(v *instance, i insider) {
			v.lock()
			i.write("UPDATE attempts SET locked_until = 0 WHERE @pin")
		}, counterRefused},
		{"a permanent lock is cleared", func(v *instance, i insider) {
			for range 6 {
				v.lock()
				v.clock.Advance(48 * time.Hour)
			}
			v.expect("verify", v.verifyPIN(v.issue("phone"), "1357"), "CREDENTIAL_LOCKED")
			i.write("UPDATE attempts SET permanent = FALSE WHERE @pin AND permanent")
		}, counterRefused},
		{"an account is locked out", run("UPDATE attempts SET permanent = TRUE WHERE @pin"), counterRefused},
		{"the failures of the day are forgotten", run("UPDATE attempts SET recent = '[]' WHERE @pin"), counterRefused},
		{"a failure is moved to another time", run("UPDATE attempts SET recent = replace(recent, '1', '2') WHERE @pin"), counterRefused},
		{"a pending attempt is forged", run(`UPDATE attempts SET pending = '[{"try":"x","lease":4102444800000000}]' WHERE @pin`), counterRefused},
		{"a pending attempt is forgotten", func(v *instance, i insider) {
			v.mustReserve(v.issue("phone"))
			i.write("UPDATE attempts SET pending = '[]' WHERE @pin")
		}, counterRefused},
		{"an attempt counter is given another version", run("UPDATE attempts SET version = version + 1 WHERE @pin"), counterRefused},
		{"an attempt counter is given another id", run("UPDATE attempts SET id = 'x' WHERE @pin"), counterRefused},
		{"an attempt counter is exchanged for another account's", run(`UPDATE attempts SET
			(id, version, failures, locked_until, permanent, recent, pending, devices, verified_at, verified_by, mac) =
			(SELECT id, version, failures, locked_until, permanent, recent, pending, devices, verified_at, verified_by, mac FROM attempts WHERE account_id = @tablet) WHERE @pin`), counterRefused},
		{"an attempt counter is exchanged for the other type's", func(v *instance, i insider) {
			_, _ = v.Verify(v.ctx, submission(v.t, v.issue("phone"), domain.Passcode, "wrong"))
			i.write(`UPDATE attempts SET (id, version, failures, locked_until, permanent, recent, pending, devices, verified_at, verified_by, mac) =
				(SELECT id, version, failures, locked_until, permanent, recent, pending, devices, verified_at, verified_by, mac FROM attempts WHERE @passcode) WHERE @pin`)
		}, counterRefused},
		{"an earlier attempt counter is given the current version", func(v *instance, i insider) {
			before := i.read("SELECT * FROM attempts WHERE @pin")
			v.verifyPIN(v.issue("phone"), "0000")
			before["version"] = i.read("SELECT version FROM attempts WHERE @pin")["version"]
			i.put("attempts", before)
		}, counterRefused},
	}
	for _, blob := range []struct {
		table, column, where string
		want                 answers
	}{
		{"device_key", "sealed", phonesKey, keyRefused}, {"device_key", "public_key", phonesKey, keyRefused},
		{"credential", "sealed", "@pin", credentialRefused}, {"attempts", "mac", "@pin", counterRefused},
	} {
		for where, at := range map[string]float64{"first": 0, "tenth": 0.1, "middle": 0.5, "last": 1} {
			edits = append(edits, edit{fmt.Sprintf("a bit of the %s byte of %s %s flips", where, blob.table, blob.column),
				flip(blob.table, blob.column, blob.where, at), blob.want})
		}
	}
	for _, e := range edits {
		t.Run(e.name, func(t *testing.T) {
			v := tamperable(t)
			key := v.issue("phone")
			e.do(v, v.insider())
			if len(v.problems()) == 0 {
				t.Error("the audit finds nothing")
			}
			got := answers{verify: v.verifyPIN(key, "1357")}
			again, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: "phone"})
			got.generate = word(true, err)
			if err == nil && again.KeyID == key.KeyID && string(again.PublicKey) != string(key.PublicKey) {
				t.Error("an exchanged public key was handed out")
			}
			got.set = v.setPIN(key, "9999")
			if got != e.want {
				t.Errorf("answers %+v, want %+v", got, e.want)
			}
			v.tamperingWasSeen()
		})
	}
}

func TestAccountsWithSwappedNamesGetNoNewKeys(t *testing.T) {
	v := tamperable(t)
	key := v.issue("phone")
	i := v.insider()
	i.write("UPDATE account SET subject = 'nobody' WHERE id = @phone")
	i.write("UPDATE account SET subject = 'phone' WHERE id = @tablet")
	i.write("UPDATE account SET subject = 'tablet' WHERE subject = 'nobody'")
	if again := v.issue("phone"); again.KeyID != key.KeyID {
		t.Error("the phone got the key of another account")
	}
	v.expect("verify", v.verifyPIN(key, "1357"), "true")
	_, err := v.RotateKey(v.ctx, domain.Identity{DeviceID: "phone"})
	v.expect("rotate", word(true, err), "INTERNAL")
	v.tamperingWasSeen()
}

// Only an erasure removes an account row with an edited name: without it, the user never
// gets a new key.
func TestAnAccountWithAnEditedNameCanBeErased(t *testing.T) {
	for _, mode := range []domain.Mode{domain.ModeDevice, domain.ModeJWT} {
		t.Run(string(mode), func(t *testing.T) {
			v := openVault(t, func(cfg *Config) { cfg.Mode = mode })
			user, subject := v, "phone"
			if mode == domain.ModeJWT {
				user, subject = v.as("alice"), "alice"
			}
			k := user.issue("phone")
			user.expect("set", user.setPIN(k, "1357"), "true")
			id := v.stored(k).AccountID
			v.insider().write("UPDATE account SET subject = 'nobody' WHERE id = $1", id)
			_, err := user.RotateKey(user.ctx, domain.Identity{DeviceID: "phone"})
			user.expect("rotate", word(true, err), "INTERNAL")
			op := v.by("command:test", domain.RoleOperator, "request")
			if _, err := op.EraseAccount(op.ctx, id, domain.Act{Reason: "its name was edited"}); err != nil {
				t.Fatal(err)
			}
			for _, e := range v.entriesOf(domain.EventAccountErased) {
				if known := mode == domain.ModeDevice; known != (len(e.Account) > 0) {
					t.Errorf("the entry names the account: %v, want %v", !known, known)
				}
			}
			again := user.issue("phone")
			user.expect("verify of what was erased", user.verifyPIN(again, "1357"), "false")
			if is := must[domain.AccountInfo](t)(v.Account(op.ctx, v.stored(again).AccountID)); is.Account.Subject != subject {
				t.Errorf("the new account is %+v", is.Account)
			}
			v.intact()
		})
	}
}

// tamperable is a vault with two accounts, each with a PIN that was set twice,
// a passcode and a wrong guess of the PIN.
func tamperable(t testing.TB) *instance {
	v := openVault(t, func(c *Config) { c.KeyTTL = 3000 * time.Hour })
	for _, device := range []string{"phone", "tablet"} {
		k := v.issue(device)
		v.setPIN(k, "2468")
		v.setPIN(k, "1357")
		rule, err := v.Set(v.ctx, submission(t, k, domain.Passcode, "open sesame"))
		v.expect("set", word(rule == "", err), "true")
		v.expect("verify", v.verifyPIN(k, "1357"), "true")
		v.expect("verify", v.verifyPIN(k, "0000"), "false")
	}
	v.intact()
	return v
}

// A transport writes no second log line for an error that has its own.
func TestARefusedRowIsMarkedAsLogged(t *testing.T) {
	v := tamperable(t)
	key := v.issue("phone")
	v.insider().write("UPDATE device_key SET app_version = 'edited' WHERE account_id = @phone")
	for range 2 { // the second is not entered into the trail
		_, err := v.matches(v.ctx, submission(t, key, domain.TransactionPIN, "1357"))
		if _, ok := errors.AsType[domain.LoggedError](err); !ok {
			t.Errorf("got %v", err)
		}
	}
	v.tamperingWasSeen()
}

// lock locks the phone's PIN.
func (v *instance) lock() {
	v.t.Helper()
	k := v.issue("phone")
	for range 5 {
		if v.verifyPIN(k, "0000") == "CREDENTIAL_LOCKED" {
			return
		}
	}
}

func (v *instance) tamperingWasSeen() {
	v.t.Helper()
	if !strings.Contains(v.log.String(), "a stored row was refused") {
		v.t.Errorf("nothing is in the log:\n%s", v.log)
	}
	if v.events()[domain.EventTamperingSeen] == 0 {
		v.t.Error("nothing is in the audit trail")
	}
}

func exchangePublicKey(v *instance, i insider) {
	private, err := stock(2048)
	if err != nil {
		v.t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		v.t.Fatal(err)
	}
	i.write("UPDATE device_key SET public_key = $1 WHERE account_id = @phone", public)
}

// sealForeignKey is beyond an insider, who lacks the keyset: it shows that the
// private key is held against the public key even when its seal is right.
func sealForeignKey(v *instance, i insider) {
	private, err := stock(2048)
	if err != nil {
		v.t.Fatal(err)
	}
	k := v.stored(v.issue("phone"))
	sealed, err := v.records.SealKey(k, devicekey.MarshalPrivate(private))
	if err != nil {
		v.t.Fatal(err)
	}
	i.write("UPDATE device_key SET sealed = $1 WHERE id = $2", sealed, k.ID)
}

func earlierVerifier(v *instance, i insider) {
	earlier := i.read("SELECT sealed FROM credential WHERE @pin")["sealed"]
	v.expect("set", v.setPIN(v.issue("phone"), "9876"), "true")
	i.write("UPDATE credential SET sealed = $1 WHERE @pin", earlier)
}

// What is well formed and whole passes the running service, and must not pass
// the audit. want is what the report must say: "record kind: what".
// forge puts a copy of a row beside it, with some columns changed.
func forge(table, where string, changed map[string]any) func(*instance, insider) {
	return func(_ *instance, i insider) {
		row := i.read("SELECT * FROM " + table + " WHERE " + where + " LIMIT 1")
		maps.Copy(row, changed)
		i.put(table, row)
	}
}

func TestAuditVerifyFindsTamperingThatTheRunningServiceMisses(t *testing.T) {
	const rolledBack = "the record was edited or rolled back"
	const noChain = "no chain has this number: its verdicts were forged, or the row of their chain was edited"
	const coveredUp = "the record had been edited or rolled back" // and a later change was entered
	for _, tt := range []struct {
		name string
		do   func(*instance, insider)
		want string
	}{
		{"a credential is rolled back", func(v *instance, i insider) {
			before := i.read("SELECT * FROM credential WHERE @pin")
			v.setPIN(v.issue("phone"), "9876")
			i.put("credential", before)
			v.kill() // a process that runs would remember
			v.expect("the earlier PIN", v.verifyPIN(v.issue("phone"), "1357"), "true")
		}, "credential: " + rolledBack},
		{"a credential is rolled back and set again", func(v *instance, i insider) {
			before := i.read("SELECT * FROM credential WHERE @pin")
			v.setPIN(v.issue("phone"), "9876")
			i.put("credential", before)
			v.kill()
			v.setPIN(v.issue("phone"), "6789")
		}, "credential: " + coveredUp},
		{"an attempt counter is rolled back", func(v *instance, i insider) {
			before := i.read("SELECT * FROM attempts WHERE @pin")
			v.verifyPIN(v.issue("phone"), "0000")
			i.put("attempts", before)
		}, "attempts: " + rolledBack},
		{"an attempt counter is rolled back after each guess", func(v *instance, i insider) {
			before := i.read("SELECT * FROM attempts WHERE @pin")
			for range 9 {
				i.put("attempts", before)
				v.kill()
				v.expect("a guess", v.verifyPIN(v.issue("phone"), "0000"), "false")
			}
		}, "attempts: " + coveredUp},
		{"an attempt counter is rolled back and the right answer given", func(v *instance, i insider) {
			before := i.read("SELECT * FROM attempts WHERE @pin")
			v.lock()
			i.put("attempts", before)
			v.kill()
			v.expect("the right answer", v.verifyPIN(v.issue("phone"), "1357"), "true")
		}, "attempts: " + coveredUp},
		{"a rotated key is brought back", func(v *instance, i insider) {
			before := i.read("SELECT * FROM device_key WHERE account_id = @phone")
			v.rotate("phone")
			i.write("DELETE FROM device_key WHERE account_id = @phone AND state = 'active'")
			i.put("device_key", before)
		}, "key: " + rolledBack},
		{"a lock is hidden from lists", func(v *instance, i insider) {
			v.lock()
			i.write("UPDATE attempts SET locked_to = 0 WHERE @pin")
		}, "attempts: locked_to was edited: lists may lack the lock"},
		{"a lock is listed as ended", func(v *instance, i insider) {
			v.lock()
			i.write("UPDATE attempts SET locked_to = locked_to - 1 WHERE @pin")
		}, "attempts: locked_to was edited: lists may lack the lock"},
		{"a lock is listed without end", func(v *instance, i insider) {
			v.lock()
			i.write("UPDATE attempts SET locked_to = 9223372036854775807 WHERE @pin")
		}, "attempts: locked_to was edited: lists may lack the lock"},
		{"a key is given another state", run("UPDATE device_key SET state = 'expired' WHERE account_id = @phone"), "key: " + rolledBack},
		{"a key is given a grace", run("UPDATE device_key SET grace_until = 4102444800000000 WHERE account_id = @phone"), "key: " + rolledBack},
		{"a key is given another size", run("UPDATE device_key SET bits = 4096 WHERE account_id = @phone"), "key: " + rolledBack},
		{"a key is given another appVersion", run("UPDATE device_key SET app_version = '9' WHERE account_id = @phone"), "key: " + rolledBack},
		{"a credential is given another time", run("UPDATE credential SET updated_at = updated_at + 1 WHERE @pin"), "credential: " + rolledBack},
		{"a key is deleted", run("DELETE FROM device_key WHERE account_id = @phone"), "key: the record is gone"},
		{"a credential is deleted", run("DELETE FROM credential WHERE @pin"), "credential: the record is gone"},
		{"an attempt counter is deleted", run("DELETE FROM attempts WHERE @pin"), "attempts: the record is gone"},
		{"an attempt counter is deleted and begun again", func(v *instance, i insider) {
			i.write("DELETE FROM attempts WHERE @pin")
			v.verifyPIN(v.issue("phone"), "1357")
		}, "attempts: the record is gone"},
		{"a credential is forged", run(`INSERT INTO credential SELECT tenant, 'x', type, 'x', version, created_at, updated_at, sealed
			FROM credential WHERE @pin`), "credential: no entry about this record"},
		{"a key without a name is forged", forge("device_key", "account_id = @phone", map[string]any{"account_id": "", "id": "", "device_id": "x"}),
			"key: no entry about this record"},
		{"a credential without an account is forged", forge("credential", "@pin", map[string]any{"account_id": "", "type": "", "id": "x"}),
			"credential: no entry about this record"},
		{"an attempt counter without an account is forged", forge("attempts", "@pin", map[string]any{"account_id": "", "type": "", "id": "x"}), "attempts: the record was edited"},
		{"an erased credential is brought back", func(v *instance, i insider) {
			before := i.read("SELECT * FROM credential WHERE @pin")
			if err := v.erase("phone", "reason"); err != nil {
				v.t.Fatal(err)
			}
			i.put("credential", before)
		}, "credential: " + rolledBack},
		{"the tail of the trail is cut off", func(v *instance, i insider) {
			v.setPIN(v.issue("phone"), "9876")
			i.write("DELETE FROM audit_log WHERE seq = (SELECT max(seq) FROM audit_log)")
		}, "credential: " + rolledBack},
		{"the tail of the trail is cut off behind a new row", func(v *instance, i insider) {
			v.issue("watch")
			i.write("DELETE FROM audit_log WHERE seq = (SELECT max(seq) FROM audit_log)")
		}, "key: no entry about this record"},
		{"a verdict without a chain is forged", func(_ *instance, i insider) {
			row := i.read("SELECT * FROM audit_verdict WHERE seq = 7")
			row["chain"] = int64(-1)
			i.put("audit_verdict", row)
		}, "audit_verdict: " + noChain},
		{"the number of a chain is edited", run("UPDATE audit_chain SET number = number + 100"), "audit_verdict: " + noChain},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := tamperable(t)
			tt.do(v, v.insider())
			found := v.problems()
			for _, p := range found {
				kind, _, _ := strings.Cut(p.Record, "/")
				if kind+": "+p.What == tt.want {
					return
				}
			}
			t.Errorf("found %v, want %q", found, tt.want)
		})
	}
}

func TestAuditVerifyNamesTheFirstBadEntry(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel, and the race detector makes its dozens of stores slow")
	}
	const at = 4 // the entry that is tampered with
	type damage struct {
		name string
		do   func(*instance, insider)
		seq  int64
		what string
	}
	damages := []damage{
		{"an entry is deleted", run("DELETE FROM audit_log WHERE seq = 4"), at, "the entry is missing"},
		{"the first entry is deleted", run("DELETE FROM audit_log WHERE seq = 1"), 1, "the entry is missing"},
		{"all entries are deleted", run("DELETE FROM audit_log"), 1, "the trail is missing"},
		{"the beginning is cut off and the rest moved up", func(_ *instance, i insider) {
			i.write("DELETE FROM audit_log WHERE seq < 4")
			i.write("UPDATE audit_log SET seq = 3 - seq") // negative first: PostgreSQL looks for duplicates row by row
			i.write("UPDATE audit_log SET seq = -seq")
		}, 1, "the entry does not follow the one before it"},
		{"two entries change places", func(_ *instance, i insider) {
			i.write("UPDATE audit_log SET seq = 0 WHERE seq = 4")
			i.write("UPDATE audit_log SET seq = 4 WHERE seq = 5")
			i.write("UPDATE audit_log SET seq = 5 WHERE seq = 0")
		}, at, "the entry does not follow the one before it"},
		{"an entry is written over its neighbour", func(_ *instance, i insider) {
			row := i.read("SELECT * FROM audit_log WHERE seq = 5")
			row["seq"] = 4
			i.put("audit_log", row)
		}, at, "the entry does not follow the one before it"},
		{"an entry is put between two", func(_ *instance, i insider) {
			row := i.read("SELECT * FROM audit_log WHERE seq = 4")
			i.write("UPDATE audit_log SET seq = -seq - 1 WHERE seq > 4")
			i.write("UPDATE audit_log SET seq = -seq WHERE seq < 0")
			row["seq"], row["prev"] = 5, row["hash"]
			i.put("audit_log", row)
		}, at + 1, "the entry was changed"},
		{"an entry is added at the end", func(v *instance, i insider) {
			row := i.read("SELECT * FROM audit_log ORDER BY seq DESC LIMIT 1")
			row["seq"], row["prev"] = row["seq"].(int64)+1, row["hash"]
			i.put("audit_log", row)
			v.rotate("tablet") // the trail goes on behind it
		}, 0, "the entry was changed"},
		{"a second trail is begun", func(_ *instance, i insider) {
			row := i.read("SELECT * FROM audit_log WHERE seq = 1")
			row["chain"] = "x"
			i.put("audit_log", row)
		}, 1, "the entry was changed"},
		{"an entry is forged before the beginning", forge("audit_log", "seq = 5", map[string]any{"seq": int64(-1), "actor": "operator"}),
			-1, "no entry has this number: it was forged"},
		{"an entry is forged at the lowest number", forge("audit_log", "seq = 5", map[string]any{"seq": int64(math.MinInt64)}),
			math.MinInt64, "no entry has this number: it was forged"},
		{"an entry is forged in a chain without a name", forge("audit_log", "seq = 1", map[string]any{"chain": ""}), 1, "the entry was changed"},
		{"everything is deleted except an entry before the beginning", func(v *instance, i insider) {
			forge("audit_log", "seq = 5", map[string]any{"seq": int64(-1000)})(v, i)
			i.write("DELETE FROM audit_log WHERE seq > 0")
			for _, table := range []string{"device_key", "credential", "attempts"} {
				i.write("DELETE FROM " + table)
			}
		}, -1000, "no entry has this number: it was forged"},
	}
	for _, column := range []string{"time", "count", "duration", "version"} {
		damages = append(damages, damage{"an entry's " + column + " is changed",
			run("UPDATE audit_log SET " + column + " = " + column + " + 1 WHERE seq = 4"), at, "the entry was changed"})
	}
	damages = append(damages, damage{"an entry's failed is changed",
		run("UPDATE audit_log SET failed = NOT failed WHERE seq = 4"), at, "the entry was changed"})
	for _, column := range []string{"request_id", "actor", "event", "outcome", "operation", "key_id", "record", "reason"} {
		damages = append(damages, damage{"an entry's " + column + " is changed",
			run("UPDATE audit_log SET " + column + " = " + column + " || 'x' WHERE seq = 4"), at, "the entry was changed"})
	}
	for column, what := range map[string]string{"account": "the entry was changed", "device": "the entry was changed",
		"digest": "the entry was changed", "hash": "the entry was changed", "prev": "the entry does not follow the one before it"} {
		damages = append(damages, damage{"a bit of an entry's " + column + " flips", flip("audit_log", column, "seq = 4", 0.5), at, what})
	}
	for _, column := range []string{"tenant", "chain"} {
		damages = append(damages, damage{"an entry is given another " + column,
			run("UPDATE audit_log SET " + column + " = 'x' WHERE seq = 4"), at, "the entry is missing"})
	}
	const verdict = 7 // an entry of audit_verdict
	for _, column := range []string{"second", "micros", "account"} {
		damages = append(damages, damage{"a verdict's " + column + " is changed",
			run("UPDATE audit_verdict SET " + column + " = " + column + " - 1 WHERE seq = 7"), verdict, "the entry was changed"})
	}
	for _, place := range []float64{0, 0.2, 0.4, 0.55, 0.65, 0.99} {
		damages = append(damages, damage{fmt.Sprintf("a bit of a verdict's data flips at %v", place),
			flip("audit_verdict", "data", "seq = 7", place), verdict, "the entry was changed"})
	}
	damages = append(damages,
		damage{"a verdict's second is written in another way",
			run("UPDATE audit_verdict SET second = second + 2100, micros = micros - 2100000000 WHERE seq = 7"), verdict, "the entry was changed"},
		damage{"a chain of verdicts is forged", func(_ *instance, i insider) {
			i.write("INSERT INTO audit_chain (tenant, name, number) SELECT tenant, 'x', 77 FROM audit_chain LIMIT 1")
			row := i.read("SELECT * FROM audit_verdict WHERE seq = 7")
			row["chain"] = int64(77)
			i.put("audit_verdict", row)
		}, 1, "the entry is missing"},
		damage{"a bit of a verdict's hash flips", flip("audit_verdict", "hash", "seq = 7", 0.5), verdict, "the entry was changed"},
		damage{"a verdict is deleted", run("DELETE FROM audit_verdict WHERE seq = 7"), verdict, "the entry is missing"},
		damage{"a verdict is given another number", run("UPDATE audit_verdict SET seq = 1007 WHERE seq = 7"), verdict, "the entry is missing"},
		damage{"a chain is given another number", run("UPDATE audit_chain SET number = number + 100"), verdict - 1, "the entry is missing"},
		damage{"the chain's number is deleted", run("DELETE FROM audit_chain"), verdict - 1, "the entry is missing"},
		damage{"a verdict is written over another", func(_ *instance, i insider) {
			row := i.read("SELECT * FROM audit_verdict WHERE seq = 7")
			i.write("DELETE FROM audit_verdict WHERE seq = 6")
			row["seq"] = int64(6)
			i.put("audit_verdict", row)
		}, verdict - 1, "the entry was changed"})
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			v := tamperable(t)
			end := v.insider().read("SELECT max(seq) AS n FROM audit_log")["n"].(int64)
			d.do(v, v.insider())
			if d.seq == 0 {
				d.seq = end + 1
			}
			var found []audit.Problem
			for _, p := range v.problems() {
				if p.Record == "" {
					found = append(found, p)
				}
			}
			want := fmt.Sprintf("entry %d: %s", d.seq, d.what)
			for _, p := range found {
				if strings.HasSuffix(p.String(), want) {
					return
				}
			}
			t.Errorf("found %v, want %q", found, want)
		})
	}
}

// A key whose MAC was edited is refused until an operator revokes it: then its
// device gets a new one.
func TestAnOperatorCanReplaceAnEditedKey(t *testing.T) {
	v := tamperable(t)
	key := v.issue("phone")
	flip("device_key", "mac", "account_id = @phone", 1)(v, v.insider())
	if found := v.problems(); len(found) != 1 || !found[0].Own() || found[0].Record != "key/"+key.KeyID {
		t.Errorf("the audit finds %v", found)
	}
	v.expect("verify", v.verifyPIN(key, "1357"), "INTERNAL")
	v.tamperingWasSeen()
	if err := v.revoke(key.KeyID, "its MAC was edited"); err != nil {
		t.Fatal(err)
	}
	v.expect("with the old key", v.verifyPIN(key, "1357"), "KEY_NOT_USABLE")
	v.expect("with a new one", v.verifyPIN(v.issue("phone"), "1357"), "true")
	v.intact()
}

// Ending a key must not make an edited record valid: someone could bind the device to
// a key of their own, and wait until the service ends the device key.
func TestAnEditedKeyIsRefusedAfterItsEnd(t *testing.T) {
	v := tamperable(t)
	owner, attacker := v.with(proving("owner")), v.with(proving("attacker"))
	key := owner.issue("watch")
	v.insider().write("UPDATE device_key SET jkt = 'attacker', expires_at = 1 WHERE id = $1", key.KeyID)
	if _, err := v.EndKeys(v.ctx, v.records.View); err != nil {
		t.Fatal(err)
	}
	if sealed := v.insider().read("SELECT sealed FROM device_key WHERE id = '" + key.KeyID + "'")["sealed"]; len(sealed.([]byte)) != 0 { //nolint:forcetypeassert // a column of bytes
		t.Error("its private key was not erased")
	}
	for _, caller := range []*instance{owner, attacker} {
		_, err := caller.GenerateKey(caller.ctx, domain.Identity{DeviceID: "watch"})
		v.expect("generate", word(true, err), "INTERNAL")
	}
	v.tamperingWasSeen()
	if err := v.revoke(key.KeyID, "its record was edited"); err != nil {
		t.Fatal(err)
	}
	owner.issue("watch")
}

func TestRevokingAnEditedKeyEndsItsBinding(t *testing.T) {
	v := tamperable(t)
	owner, attacker := v.with(proving("owner")), v.with(proving("attacker"))
	key := owner.issue("watch")
	v.insider().write("UPDATE device_key SET jkt = 'attacker' WHERE id = $1", key.KeyID)
	if err := v.revoke(key.KeyID, "its record was edited"); err != nil {
		t.Fatal(err)
	}
	attacker.issue("watch")
	v.expect("the owner sets", owner.setPIN(owner.issue("watch"), "1357"), "true")
	v.expectBindings("after the revocation", 1, 1)
	v.expect("revoke again", word(true, v.revoke(key.KeyID, "again")), "CONFLICT")
}

func TestAnEarlierPrivateKeyOfTheSameDeviceIsRefused(t *testing.T) {
	v := tamperable(t)
	i := v.insider()
	earlier := i.read("SELECT public_key, sealed FROM device_key WHERE account_id = @phone")
	k := v.rotate("phone")
	i.write("UPDATE device_key SET (public_key, sealed) = ($1, $2) WHERE id = $3", earlier["public_key"], earlier["sealed"], k.KeyID)
	v.expect("verify", v.verifyPIN(k, "1357"), "INTERNAL")
	_, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: "phone"})
	v.expect("generate", word(true, err), "INTERNAL")
	v.tamperingWasSeen()
}

func TestTheServiceRefusesRequestsIfItsTrailIsMissing(t *testing.T) {
	v := tamperable(t)
	k := v.issue("phone")
	v.insider().write("DELETE FROM audit_log")
	v.insider().write("DELETE FROM audit_verdict")
	v.expect("verify", v.verifyPIN(k, "1357"), "INTERNAL")
	v.expect("set", v.setPIN(k, "9876"), "INTERNAL")
	_, err := v.RotateKey(v.ctx, domain.Identity{DeviceID: "phone"})
	v.expect("rotate", word(true, err), "INTERNAL")
	if err := v.unlock(v.ctx, "phone", domain.TransactionPIN, "reason"); err == nil {
		t.Error("an operator's act went unaudited")
	}
}

// With a history, a set is compared with the stored verifiers, so an edited one refuses
// it. A caller with credential:reset can repair that.
func TestACallerWithResetReplacesAnEditedVerifier(t *testing.T) {
	for name, row := range map[string]struct{ table, verify string }{
		"the current one": {"credential", "INTERNAL"},
		"an earlier one":  {"credential_previous", "true"},
	} {
		t.Run(name, func(t *testing.T) {
			v := openJWT(t, func(cfg *Config) { cfg.History = 3 })
			alice, helpdesk := v.as("alice"), v.as("alice", may(domain.MayResetCredential))
			k := alice.issue("phone")
			alice.expect("set", alice.setPIN(k, "1357"), "true")
			alice.expect("set again", alice.setPIN(k, "2468"), "true")
			flip(row.table, "sealed", "type = 'TRANSACTION_PIN'", 1)(v, v.insider())
			alice.expect("verify", alice.verifyPIN(k, "2468"), row.verify)
			alice.expect("set by its owner", alice.setPIN(k, "8302"), "INTERNAL")
			helpdesk.expect("set with credential:reset", helpdesk.setPIN(k, "8302"), "true")
			v.tamperingWasSeen()
			alice.expect("verify after it", alice.verifyPIN(k, "8302"), "true")
			alice.expect("set by its owner after it", alice.setPIN(k, "9041"), "true")
			alice.expect("set of the previous one", alice.setPIN(k, "8302"), "false")
		})
	}
}

func TestAnUnreadableAttemptCounterIsRefused(t *testing.T) {
	for _, column := range []string{"recent", "pending", "devices"} {
		v := tamperable(t)
		k := v.issue("phone")
		v.insider().write("UPDATE attempts SET " + column + " = '[' WHERE @pin")
		v.expect("verify", v.verifyPIN(k, "1357"), "INTERNAL")
		v.expect("set", v.setPIN(k, "9876"), "INTERNAL")
		v.tamperingWasSeen()
		if problems := v.problems(); len(problems) == 0 {
			t.Errorf("audit verify accepts an attempt counter with a damaged %s", column)
		}
		if err := v.unlock(v.ctx, "phone", domain.TransactionPIN, "the log names this attempt counter"); err != nil {
			t.Error(err)
		}
		v.expect("verify after the unlock", v.verifyPIN(k, "1357"), "true")
	}
}

func TestAnOperatorCanReplaceAnEditedAttemptCounter(t *testing.T) {
	v := tamperable(t)
	k := v.issue("phone")
	v.insider().write(`UPDATE attempts SET failures = 0, pending =
		'[{"try":"a","lease":4102444800000000},{"try":"b","lease":4102444800000000},{"try":"c","lease":4102444800000000},
		  {"try":"d","lease":4102444800000000},{"try":"e","lease":4102444800000000}]' WHERE @pin`)
	v.expect("verify", v.verifyPIN(k, "1357"), "INTERNAL")
	if err := v.unlock(v.ctx, "phone", domain.TransactionPIN, "the log names this attempt counter"); err != nil {
		t.Fatal(err)
	}
	v.expect("verify after the unlock", v.verifyPIN(k, "1357"), "true")
	v.intact()
}

func TestARotatedKeyInGraceCannotBeMadeActiveAgain(t *testing.T) {
	v := openVault(t, func(c *Config) { c.RotationGrace = time.Hour })
	old := v.issue("phone")
	v.setPIN(old, "1357")
	current := v.rotate("phone")
	i := v.insider()
	i.write("UPDATE device_key SET state = 'invalidated' WHERE id = $1", current.KeyID)
	i.write("UPDATE device_key SET state = 'active', grace_until = 0 WHERE id = $1", old.KeyID)
	v.expect("set under the rotated key", v.setPIN(old, "9876"), "INTERNAL")
	v.expect("verify under the rotated key", v.verifyPIN(old, "1357"), "INTERNAL")
	_, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: "phone", AppVersion: "2"})
	v.expect("generate", word(true, err), "INTERNAL")
	v.tamperingWasSeen()
}

func TestARestoredErasedCredentialIsDetected(t *testing.T) {
	v := tamperable(t)
	i := v.insider()
	before := i.read("SELECT * FROM credential WHERE @pin")
	if err := v.erase("phone", "the customer asked for it"); err != nil {
		t.Fatal(err)
	}
	k := v.issue("phone")
	i.put("credential", before)
	v.expect("set over the restored credential", v.setPIN(k, "9876"), "INTERNAL")
	v.kill() // a restart forgets which rows were erased
	v.expect("set over it after a restart", v.setPIN(k, "9876"), "true")
	if problems := v.problems(); len(problems) == 0 {
		t.Error("audit verify accepts a restored erased credential")
	}
}

func TestFrequentAppVersionChangesWriteFourEntriesPerHour(t *testing.T) {
	v := openVault(t, nil)
	for n := range 50 {
		if _, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: "phone", AppVersion: fmt.Sprint(n)}); err != nil {
			t.Fatal(err)
		}
	}
	if n := v.events()[domain.EventKeyAppVersion]; n != 4 {
		t.Errorf("%d entries for the changes of one hour, want %d", n, 4)
	}
	v.intact()
}

func TestOnlyThePreviousKeyIsInGrace(t *testing.T) {
	v := openVault(t, func(c *Config) { c.RotationGrace = time.Hour })
	first := v.issue("phone")
	v.setPIN(first, "1357")
	second := v.rotate("phone")
	v.expect("verify under the previous key", v.verifyPIN(first, "1357"), "true")
	v.rotate("phone")
	v.expect("verify under the previous key", v.verifyPIN(second, "1357"), "true")
	v.expect("verify under the one before", v.verifyPIN(first, "1357"), "KEY_NOT_USABLE")
	if k := v.stored(first); len(k.Sealed) != 0 {
		t.Error("its private key is still there")
	}
	v.intact()
}
