package postgres

import (
	"errors"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// ahead saves round trips. A verification is two transactions of a handful of
// statements each, and where the server is a network away they cost what their
// round trips cost.
//
// Some writes have only one outcome: who has read the newest entry of a chain,
// in this transaction, and appends the next, either does or is refused by the
// server (another was faster) and runs again. Such a write waits, and goes out
// together with the statement after it, or with COMMIT. And a transaction
// that first reads an attempt counter will also read its credential.
type ahead struct {
	later      []*request               // writes that wait, in their order
	heads      map[string]int64         // number of the newest entry, of chains that were read
	numbered   map[string]int64         // number of the last event, of lanes whose events were numbered here
	ledgers    map[secretOf]int64       // version of the ledger, 0 for none, of those that were read
	credential map[secretOf]*credential // read with its ledger, and not written since
}

// secretOf names a credential or its ledger.
type secretOf struct {
	account string
	kind    domain.CredentialType
}

// credential is what a look for one found.
type credential struct {
	found []domain.Credential
}

// writes reports whether this is a transaction that may write.
func (t *tx) writes() bool { return t.turn != nil }

// postpone lets a write wait.
func (t *tx) postpone(r *request) error {
	if err := t.alive(); err != nil {
		return err
	}
	t.later = append(t.later, r)
	return nil
}

// take takes the writes that wait.
func (t *tx) take() []*request {
	later := t.later
	t.later = nil
	return later
}

// sent notes what came of writes that had waited. Each must have written its
// row. One that did not, on a server that let it pass without an error, has
// met a row that was changed since this transaction read it.
func (t *tx) sent(later []*request, err error) error {
	if err != nil {
		return t.fail(err)
	}
	for _, r := range later {
		if r.tag.RowsAffected() != 1 {
			t.err, t.again = errContended, true
			return t.err
		}
	}
	return nil
}

// settle sends the writes that wait, unless all of them may go with COMMIT:
// those whose failure is an error, which forestalls it.
func (t *tx) settle() error {
	for _, r := range t.later {
		if !r.raises {
			later := t.take()
			return t.sent(later, t.conn.roundTrip(t.ctx, later...))
		}
	}
	return nil
}

// Attempts reads a ledger, and the credential with it where the transaction
// begins with that.
func (t *tx) Attempts(accountID string, ct domain.CredentialType) (a domain.Attempts, err error) {
	var found []domain.Attempts
	of := secretOf{accountID, ct}
	r := &request{sql: sqltx.SelectAttempts, args: []any{domain.Tenant, accountID, string(ct)},
		each: func(r sqltx.Row) { found = append(found, sqltx.ScanAttempts(r)) }}
	if !t.writes() || t.conn != nil {
		err = t.send(r)
	} else if err = t.alive(); err == nil {
		var guarded credential
		err = t.start(r, &request{sql: sqltx.SelectCredential, args: r.args,
			each: func(r sqltx.Row) { guarded.found = append(guarded.found, sqltx.ScanCredential(r)) }})
		t.credential = map[secretOf]*credential{of: &guarded}
	}
	if err != nil {
		return a, err
	}
	if a = first(found); len(found) == 0 {
		err = store.ErrNotFound
	}
	note(&t.ledgers, of, a.Version)
	return a, err
}

func first[T any](found []T) (one T) {
	if len(found) > 0 {
		one = found[0]
	}
	return one
}

// Credential returns what was read with the ledger, if it was not written since.
func (t *tx) Credential(accountID string, ct domain.CredentialType) (c domain.Credential, err error) {
	read := t.credential[secretOf{accountID, ct}]
	if read == nil {
		return t.Tx.Credential(accountID, ct)
	}
	if err := t.alive(); err != nil || len(read.found) > 0 {
		return first(read.found), err
	}
	return c, store.ErrNotFound
}

// PutCredential forgets what was read.
func (t *tx) PutCredential(c domain.Credential, keyID string) error {
	delete(t.credential, secretOf{c.AccountID, c.Type})
	return t.Tx.PutCredential(c, keyID)
}

// RehashCredential forgets what was read.
func (t *tx) RehashCredential(c domain.Credential) error {
	delete(t.credential, secretOf{c.AccountID, c.Type})
	return t.Tx.RehashCredential(c)
}

// DeleteCredential forgets what was read.
func (t *tx) DeleteCredential(accountID string, ct domain.CredentialType) error {
	delete(t.credential, secretOf{accountID, ct})
	return t.Tx.DeleteCredential(accountID, ct)
}

// ReserveTry forgets the ledger that was read.
func (t *tx) ReserveTry(a domain.Attempts, keyID string) error {
	delete(t.ledgers, secretOf{a.AccountID, a.Type})
	return t.Tx.ReserveTry(a, keyID)
}

// PutAttempts postpones the write if the ledger was read in this transaction.
func (t *tx) PutAttempts(a domain.Attempts) error {
	if !t.nextLedger(secretOf{a.AccountID, a.Type}, a.Version) {
		return t.Tx.PutAttempts(a)
	}
	query, args := sqltx.WriteAttempts(a)
	return t.postpone(&request{sql: query, args: args})
}

// DeleteAttempts forgets the ledger that was read.
func (t *tx) DeleteAttempts(accountID string, ct domain.CredentialType) error {
	delete(t.ledgers, secretOf{accountID, ct})
	return t.Tx.DeleteAttempts(accountID, ct)
}

// LastEntry notes the number of the newest entry.
func (t *tx) LastEntry(chain string) (domain.Entry, error) {
	e, err := t.Tx.LastEntry(chain)
	if err == nil || errors.Is(err, store.ErrNotFound) {
		note(&t.heads, chain, e.Seq)
	}
	return e, err
}

// InsertEntry postpones the write if the entry before was read in this
// transaction.
func (t *tx) InsertEntry(e domain.Entry) error {
	if !t.nextEntry(e.Chain, e.Seq) {
		return t.Tx.InsertEntry(e)
	}
	query, args := sqltx.AppendEntry(e)
	return t.postpone(&request{sql: query, args: args, raises: true})
}

// NumberEvents notes the number of the last event.
func (t *tx) NumberEvents(lane string, n int) (last int64, err error) {
	last, err = t.Tx.NumberEvents(lane, n)
	if err == nil {
		note(&t.numbered, lane, last)
	}
	return last, err
}

// PutEvent lets the event of a number that this transaction has just taken wait
// for the statement after it: nobody else has this number.
func (t *tx) PutEvent(e domain.OutboxEvent) error {
	if last, taken := t.numbered[e.Lane]; !taken || e.Seq > last {
		return t.Tx.PutEvent(e)
	}
	query, args := sqltx.AppendEvent(e)
	return t.postpone(&request{sql: query, args: args, raises: true})
}

// nextLedger reports whether a ledger of this version can only follow the one
// that was read, and notes that it does.
func (t *tx) nextLedger(of secretOf, version int64) bool {
	read, known := t.ledgers[of]
	if !t.writes() || !known || version != read+1 {
		delete(t.ledgers, of)
		return false
	}
	t.ledgers[of] = version
	return true
}

// nextEntry is the same of an entry and its chain.
func (t *tx) nextEntry(chain string, seq int64) bool {
	newest, known := t.heads[chain]
	if !t.writes() || !known || seq != newest+1 {
		delete(t.heads, chain)
		return false
	}
	t.heads[chain] = seq
	return true
}

func note[K comparable](in *map[K]int64, key K, value int64) {
	if *in == nil {
		*in = map[K]int64{}
	}
	(*in)[key] = value
}
