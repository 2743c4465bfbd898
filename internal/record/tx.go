package record

import (
	"context"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Tx is one transaction. It belongs to the function that was given it and is
// not safe for concurrent use.
type Tx struct {
	Rows
	r  *Records
	tx changes

	who      domain.Entry
	entries  []entry     // collected, in order
	counters []*Counter  // read, in order
	batch    store.Batch // what is written last
	onCommit []func(context.Context)
}

// Rows are the topics of the store that use cases may use directly: those whose
// changes need no entry, and those that only read. What changes a key, a
// credential, an attempt counter or an account is not among them.
type Rows interface {
	store.Clock
	store.Settings
	store.KeyLists
	store.KeyUses
	store.KeyGenerations
	store.Ciphertexts
	store.Walks
	store.Trail
	store.EntryLists
	store.Rollups
	store.Listings
	store.Receipts
	store.Outbox
	store.DeadLetters
}

// changes are the topics of the store that only the unit of work uses.
type changes interface {
	store.Accounts
	store.Keys
	store.Credentials
	store.PreviousCredentials
	store.AttemptCounters
	store.Appends
}

// trailTx is a transaction as the trail appends to it: the entries are collected.
type trailTx struct{ *Tx }

// InsertEntry collects an entry that has its place in a chain.
func (t trailTx) InsertEntry(e domain.Entry) error {
	t.batch.Entries = append(t.batch.Entries, e)
	return nil
}

// entry is an entry that is to be written.
type entry struct {
	domain.Entry
	of     *Counter // the attempt counter that it tells of, nil for none
	lock   bool     // it tells of a lock, whose end is known once the counter is written
	device string   // whose lock it may be
}

func (r *Records) begin(tx store.Tx, who domain.Entry) *Tx {
	return &Tx{Rows: tx, r: r, tx: tx, who: who}
}

// Steady is the time that decides when locks and leases end.
func (tx *Tx) Steady() time.Time {
	now := tx.Now()
	if now.IsZero() { // the transaction has failed
		return now
	}
	return tx.r.cfg.Steady(now)
}

// Note is an entry of who runs the transaction.
func (tx *Tx) Note(event domain.Event, outcome string) domain.Entry {
	e := tx.who
	e.Event, e.Outcome = event, outcome
	return e
}

// Enter collects entries.
func (tx *Tx) Enter(entries ...domain.Entry) {
	for _, e := range entries {
		tx.entries = append(tx.entries, entry{Entry: e})
	}
}

// OnCommit has fn called once, when the transaction is durable. Its context is
// that of the transaction.
func (tx *Tx) OnCommit(fn func(context.Context)) { tx.onCommit = append(tx.onCommit, fn) }

// PutEvent collects an event whose number [store.Outbox.NumberEvents] gave, or
// that is put back to its place.
func (tx *Tx) PutEvent(e domain.OutboxEvent) { tx.batch.Events = append(tx.batch.Events, e) }

// Write writes what was collected so far, in one batch. It is called when the
// transaction ends. A use case calls it only to read the entries in the same
// transaction.
func (tx *Tx) Write() error {
	for _, c := range tx.counters {
		if err := c.write(); err != nil {
			return err
		}
	}
	if err := tx.writeEntries(); err != nil {
		return err
	}
	batch := tx.batch
	tx.batch = store.Batch{}
	return tx.tx.WriteBatch(batch)
}

// writeEntries completes the entries, and collects them and their events.
func (tx *Tx) writeEntries() error {
	if len(tx.entries) == 0 {
		return nil
	}
	entries := make([]domain.Entry, len(tx.entries))
	for i, e := range tx.entries {
		entries[i] = e.complete()
	}
	tx.entries = nil
	if err := tx.r.cfg.Trail.Append(trailTx{tx}, entries...); err != nil {
		return err
	}
	return tx.r.cfg.Outbox.Put(tx, entries)
}

// digested makes an entry tell of a row as the change found it and as it now
// is. Versions of stored rows begin at 1: version 0 is no row, which has no
// digest.
func digested(e domain.Entry, record string, before int64, canonicalBefore func() []byte, after int64, canonicalAfter func() []byte) domain.Entry {
	e.Record, e.Version = record, after
	e.Before, e.Digest = digest(before, canonicalBefore), digest(after, canonicalAfter)
	return e
}

func digest(version int64, canonical func() []byte) []byte {
	if version == 0 {
		return nil
	}
	return audit.Digest(canonical())
}
