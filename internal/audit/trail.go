// Package audit keeps the trail of what was done: chains of entries in the
// store, each entry with a keyed hash over itself and the hash before it.
// Where one transaction writes at a time there is one chain; else each process
// has chains of its own, or all would wait for one head.
//
// The threat is an insider who can write to the database. Entries are hashed
// under a key that is not in the database, so the insider can neither edit nor
// insert, drop or reorder one without breaking the chain. Each entry also
// holds the digest of the row that it changed, so that a row edited or rolled
// back to an older state disagrees with the last entry that tells of it, and
// the row's version, so that a change made to such a state stands out. What
// the chains alone cannot show is their tails cut off together with the rows
// that the lost entries told of; that takes a signed copy of the heads, kept
// elsewhere: see [Checkpoint].
package audit

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"time"

	"strongroom/internal/domain"
)

// MAC is the keyed hash of the chain. Keyed under the data keyset, it makes
// forging an entry as hard as breaking HMAC-SHA-256.
type MAC interface {
	MAC(label string, data []byte) []byte
	VerifyMAC(label string, data, mac []byte) bool
}

const macLabel = "audit entry v1"

// Trail appends to the chains of one process. It has no state of its own: the
// head is read in the writing transaction, so a command beside the server
// cannot fork a chain.
type Trail struct {
	// Chain is the one chain of the store where one transaction writes at a
	// time. Where several do, it names the process, and each transaction
	// appends to the chain of its writer, for whose head it contends with
	// nobody.
	Chain  string
	Shared bool // several transactions write to the store at a time
	Key    MAC
}

// Of is the name of the chain of a writer (see the store's contract).
func (t Trail) Of(writer int) string {
	if !t.Shared {
		return t.Chain
	}
	return t.Chain + "/" + strconv.Itoa(writer)
}

// Tx is what appending needs of a transaction.
type Tx interface {
	Now() time.Time
	Writer() int
	LastEntry(chain string) (domain.Entry, error)
	InsertEntry(e domain.Entry) error
}

// Append writes entries in the transaction of the change that they tell of.
// It fills in chain, number, time and hashes. When it fails the transaction
// must fail with it: nothing happens without its entry.
func (t Trail) Append(tx Tx, entries ...domain.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	chain := t.Of(tx.Writer())
	head, err := tx.LastEntry(chain)
	if err != nil {
		// Not %w: a missing head is damage, and a caller must not mistake it for
		// a missing row of its own.
		return fmt.Errorf("reading the head of the audit trail: %v", err)
	}
	return t.append(tx, chain, head, entries)
}

// Begin writes the first entry of the store's first chain. It is called once,
// in the transaction that makes the keyset.
func (t Trail) Begin(tx Tx) error {
	first := domain.Entry{Actor: "system", Event: domain.EventStoreInitialised, Outcome: "ok"}
	return t.append(tx, t.Chain, domain.Entry{}, []domain.Entry{first})
}

// Join writes the first entry of each chain of a process, of which as many
// transactions as writers run at a time.
func (t Trail) Join(tx Tx, writers int) error {
	for writer := range writers {
		first := domain.Entry{Actor: "system", Event: domain.EventChainBegun, Outcome: "ok"}
		if err := t.append(tx, t.Of(writer), domain.Entry{}, []domain.Entry{first}); err != nil {
			return err
		}
	}
	return nil
}

// Tie is the entry that holds the head of another chain. A chain by itself
// shows everything but its own tail cut off, or that it was removed as a whole:
// with ties that takes the tails of all chains.
func Tie(head domain.Entry) domain.Entry {
	return domain.Entry{Actor: "system", Event: domain.EventChainTied, Outcome: "ok",
		Record: domain.RecordChain + "/" + head.Chain, Version: head.Seq, Digest: head.Hash}
}

func (t Trail) append(tx Tx, chain string, head domain.Entry, entries []domain.Entry) error {
	for _, e := range entries {
		e.Chain, e.Seq, e.Time, e.Prev = chain, head.Seq+1, tx.Now(), head.Hash
		e.Count = max(e.Count, 1)
		e.Duration = e.Duration.Truncate(time.Microsecond)
		e.Hash = t.Key.MAC(macLabel, e.Canonical())
		if err := tx.InsertEntry(e); err != nil {
			return fmt.Errorf("appending to the audit trail: %w", err)
		}
		head = e
	}
	return nil
}

// Genuine reports whether an entry is as it was appended: whether it fits its
// keyed hash. It says nothing of the entries around it, nor of ones that are
// missing: see [VerifyHeld].
func Genuine(key MAC, e domain.Entry) bool { return key.VerifyMAC(macLabel, e.Canonical(), e.Hash) }

// Digest is the digest of a row that an entry holds: SHA-256 over the row's
// canonical form.
func Digest(canonical []byte) []byte {
	sum := sha256.Sum256(canonical)
	return sum[:]
}
