package record

import (
	"context"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Tx is one transaction. Only the function that receives it may use it. It is
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

	trusting bool         // what this process remembers need not be read, because the writes depend on it
	appended domain.Entry // the entry that was appended last
}

// Rows are the topics of the store that use cases may use directly: topics that
// only read, and topics whose changes need no entry. They cannot change keys,
// credentials, attempt counters or accounts.
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
	store.ActResults
	store.Redemptions
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
	store.SealedRows
	store.SigningKeys
	store.Appends
}

// trailTx is a transaction to which the trail appends. It collects the entries.
type trailTx struct{ *Tx }

// LastEntry returns the entry that the next one of a chain follows. If this
// transaction or an earlier one of this process appended it, it need not be read:
// the write fails if it is not the newest.
func (t trailTx) LastEntry(chain string) (domain.Entry, error) {
	if t.appended.Chain == chain {
		return t.appended, nil
	}
	if t.trusting && t.r.cfg.Trail.Shared {
		if e, known := t.r.cfg.Store.Newest(chain); known {
			t.batch.HeadUnread = true
			return e, nil
		}
	}
	return t.Tx.LastEntry(chain)
}

// InsertEntry collects an entry that has its number in a chain.
func (t trailTx) InsertEntry(e domain.Entry) error {
	t.batch.Entries = append(t.batch.Entries, e)
	t.appended = e
	return nil
}

// ShortVerdicts is that of the store's transaction.
func (t trailTx) ShortVerdicts() bool { return t.tx.ShortVerdicts() }

// entry is an entry that will be written.
type entry struct {
	domain.Entry
	of     *Counter // the attempt counter that it is about; nil for none
	lock   bool     // it is about a lock, whose end is known once the counter is written
	device string   // the device that may be locked
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

// Note returns an entry with the start that the transaction was given.
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

// OnCommit calls fn once, when the transaction is durable, with the transaction's
// context.
func (tx *Tx) OnCommit(fn func(context.Context)) { tx.onCommit = append(tx.onCommit, fn) }

// PutEvent collects an event that has a number of [store.Outbox.NumberEvents], or
// that is put back.
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

// digested adds to an entry how a row was before the change and how it is now.
// Versions of stored rows begin at 1. Version 0 means that there is no row, which
// has no digest.
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
