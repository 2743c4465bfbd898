// Package audit keeps the audit trail: chains of entries in the store, each entry
// with a keyed hash over itself and the hash of the entry before it. If one
// transaction writes at a time, there is one chain. Otherwise each process has
// chains of its own, so that they do not wait for one head.
//
// The threat is an insider who can write to the database. Entries are hashed
// under a key that is not in the database, so the insider cannot edit, insert,
// drop or reorder one without breaking the chain. Each entry also holds the
// digest of the row that it changed. So a row that was edited or rolled back
// disagrees with its last entry. Each entry holds the row's version too, so that
// a change made to such a row is noticed. The chains alone cannot show that their
// tails were cut off together with the rows of the lost entries. That needs a
// signed copy of the heads, kept elsewhere: see [Checkpoint].
package audit

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strconv"
	"time"

	"strongroom/internal/domain"
)

// MAC is the keyed hash of the chain. With a key of the data keyset, forging an
// entry is as hard as breaking HMAC-SHA-256.
type MAC interface {
	MAC(label string, data []byte) []byte
	VerifyMAC(label string, data, mac []byte) bool
	// Past reports whether a destroyed data key made mac. Such a key verifies entries
	// and is not secret any more, so someone else may have made an entry that no newer
	// one depends on.
	Past(mac []byte) bool
}

// The labels of the hashes of entries: of full ones, and of short ones.
const macLabel, shortMACLabel = "audit entry v1", "short audit entry v1"

// Trail appends to the chains of one process. It has no state of its own: it
// reads the head in the writing transaction, so that a command beside the server
// cannot fork a chain.
type Trail struct {
	// Chain is the one chain of the store, if one transaction writes at a time.
	// If several do, it names the process, and each transaction appends to the
	// chain of its writer, for which no other transaction competes.
	Chain  string
	Shared bool     // several transactions write to the store at a time
	Names  []string // of the chains of a shared store, by writer; nil: Chain and the number
	Key    MAC
}

// Of is the name of the chain of a writer (see the store's contract).
func (t Trail) Of(writer int) string {
	if !t.Shared {
		return t.Chain
	}
	if t.Names != nil {
		return t.Names[writer]
	}
	return t.Chain + "/" + strconv.Itoa(writer)
}

// Tx is what appending needs of a transaction.
type Tx interface {
	Now() time.Time
	Writer() int
	LastEntry(chain string) (domain.Entry, error)
	InsertEntry(e domain.Entry) error
	ShortVerdicts() bool
}

// Append writes entries in the transaction of their change. It fills in chain,
// number, time and hashes. If it fails, the transaction must fail: no change is
// without its entry.
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

// Begin writes the first entry of the store's first chain. Call it once, in the
// transaction that makes the keyset.
func (t Trail) Begin(tx Tx) error {
	first := domain.Entry{Actor: "system", Event: domain.EventStoreInitialised, Outcome: "ok"}
	return t.append(tx, t.Chain, domain.Entry{}, []domain.Entry{first})
}

// Join writes the first entry of each chain of a process. writers is how many of
// its transactions can run at a time.
func (t Trail) Join(tx Tx, writers int) error {
	for writer := range writers {
		first := domain.Entry{Actor: "system", Event: domain.EventChainBegun, Outcome: "ok"}
		if err := t.append(tx, t.Of(writer), domain.Entry{}, []domain.Entry{first}); err != nil {
			return err
		}
	}
	return nil
}

// Tie is an entry that holds the head of another chain. A chain alone cannot show
// that its tail was cut off, or that all of it was removed. With ties, an
// attacker must cut off the tails of all chains.
func Tie(head domain.Entry) domain.Entry {
	return domain.Entry{Actor: "system", Event: domain.EventChainTied, Outcome: "ok",
		Record: domain.RecordChain + "/" + head.Chain, Version: head.Seq, Digest: head.Hash}
}

func (t Trail) append(tx Tx, chain string, head domain.Entry, entries []domain.Entry) error {
	for _, e := range entries {
		e.Chain, e.Seq, e.Time, e.Prev = chain, head.Seq+1, tx.Now(), head.Hash
		e.Count = max(e.Count, 1)
		e.Duration = e.Duration.Truncate(time.Microsecond)
		label := macLabel
		if e.Event.IsVerdict() && tx.ShortVerdicts() {
			label = shortMACLabel
			e.Before, e.Digest = shortDigest(e.Before), shortDigest(e.Digest)
		}
		e.Hash = t.Key.MAC(label, e.Canonical())
		if err := tx.InsertEntry(e); err != nil {
			return fmt.Errorf("appending to the audit trail: %w", err)
		}
		head = e
	}
	return nil
}

// Genuine reports whether an entry matches its keyed hash. It does not check the
// entries around it, or whether some are missing: see [VerifyHeld].
func Genuine(key MAC, e domain.Entry) bool {
	label := macLabel
	if len(e.Hash) == domain.ShortHash {
		label = shortMACLabel
	}
	return key.VerifyMAC(label, e.Canonical(), e.Hash)
}

// Digest is the digest of a row in an entry: SHA-256 over the row's canonical
// form. A short verdict has only the first 8 bytes: see [SameRow].
func Digest(canonical []byte) []byte {
	sum := sha256.Sum256(canonical)
	return sum[:]
}

func shortDigest(digest []byte) []byte { return digest[:min(len(digest), domain.ShortDigest)] }

// SameRow reports whether two digests of a record are of the same row.
func SameRow(record string, x, y []byte) bool {
	return bytes.Equal(compared(record, x), compared(record, y))
}

// compared returns the part of a digest that short and long verdicts have in common.
func compared(record string, digest []byte) []byte {
	if isCounter(record) {
		return shortDigest(digest)
	}
	return digest
}
