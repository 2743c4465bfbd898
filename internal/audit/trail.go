// Package audit keeps the trail of what was done: a chain of entries in the
// store, each with a keyed hash over itself and the hash before it.
//
// The threat is an insider who can write to the database. Entries are hashed
// under a key that is not in the database, so that he can neither edit nor
// insert, drop or reorder one without breaking the chain. Each entry also
// holds the digest of the row that it changed, so that a row edited or rolled
// back to an older state disagrees with the last entry that tells of it, and
// the row's version, so that a change made to such a state stands out. What
// the chain alone cannot show is its own tail cut off together with the rows
// that the lost entries told of; that takes a copy of the head kept elsewhere.
package audit

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
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

// Trail appends to one chain. It has no state of its own: the head is read in
// the writing transaction, so a command beside the server cannot fork it.
type Trail struct {
	Chain string
	Key   MAC
}

// Tx is what appending needs of a transaction.
type Tx interface {
	Now() time.Time
	LastEntry(chain string) (domain.Entry, error)
	InsertEntry(e domain.Entry) error
}

// Append writes entries in the transaction of the change that they tell of.
// It fills in chain, number, time and hashes. When it fails the transaction
// must fail with it: nothing happens without its entry.
func (t Trail) Append(tx Tx, entries ...domain.Entry) error {
	head, err := tx.LastEntry(t.Chain)
	if err != nil {
		// Not %w: a missing head is damage, and no caller may take it for a
		// missing row of his own.
		return fmt.Errorf("reading the head of the audit trail: %v", err)
	}
	return t.append(tx, head, entries)
}

// Begin writes the first entry of the chain. It is called once, in the
// transaction that makes the keyset.
func (t Trail) Begin(tx Tx) error {
	first := domain.Entry{Actor: "system", Event: domain.EventStoreInitialised, Outcome: "ok"}
	return t.append(tx, domain.Entry{}, []domain.Entry{first})
}

func (t Trail) append(tx Tx, head domain.Entry, entries []domain.Entry) error {
	for _, e := range entries {
		e.Chain, e.Seq, e.Time, e.Prev = t.Chain, head.Seq+1, tx.Now(), head.Hash
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

// Digest is the digest of a row that an entry holds: SHA-256 over the row's
// canonical form.
func Digest(canonical []byte) []byte {
	sum := sha256.Sum256(canonical)
	return sum[:]
}

// Reader is what verification reads, on one snapshot of the store.
type Reader interface {
	Chains() ([]string, error)
	EachEntry(chain string, after int64, fn func(domain.Entry) error) error
	EachKey(fn func(domain.DeviceKey) error) error
	EachCredential(fn func(domain.Credential) error) error
	EachAttempts(fn func(domain.Attempts) error) error
}

// Problem is one thing that is not as the trail says.
type Problem struct {
	Chain  string
	Seq    int64  // the entry, or 0
	Record string // the row, or ""
	What   string
}

func (p Problem) String() string {
	switch {
	case p.Record == "":
		return fmt.Sprintf("chain %s, entry %d: %s", printable(p.Chain), p.Seq, p.What)
	case p.Seq == 0:
		return fmt.Sprintf("%s: %s", printable(p.Record), p.What)
	}
	return fmt.Sprintf("%s: %s (see entry %d of chain %s)", printable(p.Record), p.What, p.Seq, printable(p.Chain))
}

// printable is an id as it may be shown on a terminal. Ids come from the
// database, and one with escape sequences in it could write "intact" over the
// line that names it.
func printable(id string) string {
	if quoted := strconv.QuoteToASCII(id); quoted != `"`+id+`"` {
		return quoted
	}
	return id
}

// Head is the newest entry of a chain. A copy of it kept elsewhere shows
// whether the tail of the trail was cut off later.
type Head struct {
	Chain string
	Seq   int64
	Hash  []byte
}

// Report is the result of a verification.
type Report struct {
	Entries  int64
	Rows     int64
	Heads    []Head    // of each intact chain
	Problems []Problem // the first bad entry of each chain, then bad rows; at most maxProblems
}

// maxProblems bounds a report: past it, one more says nothing new.
const maxProblems = 100

// Verify walks every chain from its first entry and then holds every key,
// credential and ledger against the last entry that tells of it. home is the
// chain that must exist. progress is called now and then with the number of
// entries checked. The error is of reading; what is wrong with the trail is in
// the report.
func Verify(r Reader, key MAC, home string, progress func(entries int64)) (Report, error) {
	v := verifier{key: key, last: map[string]mark{}, progress: progress}
	chains, err := r.Chains()
	if err != nil {
		return Report{}, err
	}
	found := false
	for _, chain := range chains {
		found = found || chain == home
		if err := v.chain(r, chain); err != nil {
			return Report{}, err
		}
	}
	if !found {
		v.add(Problem{Chain: home, Seq: 1, What: "the trail is missing"})
	}
	if err := v.rows(r); err != nil {
		return Report{}, err
	}
	return v.report, nil
}

type mark struct {
	chain  string
	seq    int64
	digest []byte
	seen   bool
}

type verifier struct {
	key      MAC
	last     map[string]mark // by record
	report   Report
	progress func(int64)
}

var errStop = errors.New("stop")

func (v *verifier) add(p Problem) {
	if len(v.report.Problems) < maxProblems {
		v.report.Problems = append(v.report.Problems, p)
	}
}

func (v *verifier) chain(r Reader, chain string) error {
	var prev domain.Entry
	err := r.EachEntry(chain, 0, func(e domain.Entry) error {
		if what := v.entry(prev, e); what != "" {
			v.add(Problem{Chain: chain, Seq: prev.Seq + 1, What: what})
			return errStop // the rest cannot be told from forged
		}
		if e.Record != "" {
			v.change(e)
		}
		prev = e
		v.report.Entries++
		if v.report.Entries%100_000 == 0 && v.progress != nil {
			v.progress(v.report.Entries)
		}
		return nil
	})
	switch {
	case errors.Is(err, errStop):
		return nil
	case err == nil:
		v.report.Heads = append(v.report.Heads, Head{Chain: chain, Seq: prev.Seq, Hash: prev.Hash})
	}
	return err
}

// change notes what an entry tells of a row. Every entry holds the digest of
// the row as the change found it, which must be how the entry before left it:
// a row that was edited, put back to an older state or brought back after its
// erasure shows here even when a later change has covered it up. An unlock may
// follow upon anything: it is what an operator does about an edited ledger.
func (v *verifier) change(e domain.Entry) {
	m, known := v.last[e.Record]
	switch {
	case e.Event == domain.EventAttemptsUnlocked:
	case known && !bytes.Equal(e.Before, m.digest):
		v.add(Problem{Chain: e.Chain, Seq: e.Seq, Record: e.Record, What: "the row had been edited or rolled back"})
	case !known && len(e.Before) > 0 && !strings.HasPrefix(e.Record, domain.RecordAttempts+"/"):
		// A ledger exists unentered while it has only ever held pending tries.
		v.add(Problem{Chain: e.Chain, Seq: e.Seq, Record: e.Record, What: "no earlier entry tells of the row"})
	}
	v.last[e.Record] = mark{chain: e.Chain, seq: e.Seq, digest: e.Digest}
}

func (v *verifier) entry(prev, e domain.Entry) string {
	switch {
	case e.Seq != prev.Seq+1:
		return "the entry is missing"
	case !bytes.Equal(e.Prev, prev.Hash):
		return "the entry does not follow the one before it"
	case !v.key.VerifyMAC(macLabel, e.Canonical(), e.Hash):
		return "the entry was changed"
	case e.Seq == 1 && e.Event != domain.EventStoreInitialised:
		return "the chain does not begin with its beginning"
	}
	return ""
}

func (v *verifier) rows(r Reader) error {
	err := r.EachKey(func(k domain.DeviceKey) error {
		v.row(domain.RecordKey+"/"+k.ID, k.Canonical(), nil)
		return nil
	})
	if err != nil {
		return err
	}
	err = r.EachCredential(func(c domain.Credential) error {
		v.row(domain.RecordCredential+"/"+c.ID, c.Canonical(), nil)
		return nil
	})
	if err != nil {
		return err
	}
	err = r.EachAttempts(func(a domain.Attempts) error {
		record := domain.RecordAttempts + "/" + a.ID
		if !v.key.VerifyMAC(AttemptsLabel, a.Authenticated(), a.MAC) {
			v.add(Problem{Record: record, What: "the ledger was edited"})
		}
		// A ledger that has only ever held pending tries has no entry yet.
		v.row(record, a.Canonical(), a.Fresh().Canonical())
		return nil
	})
	if err != nil {
		return err
	}
	for _, record := range slices.Sorted(maps.Keys(v.last)) {
		if m := v.last[record]; !m.seen && len(m.digest) > 0 {
			v.add(Problem{Chain: m.chain, Seq: m.seq, Record: record, What: "the row is gone"})
		}
	}
	return nil
}

// AttemptsLabel is the label of the MAC over a guess ledger.
const AttemptsLabel = "attempts v1"

// row holds one row against the trail. unentered is what the row may be
// without any entry, or nil.
func (v *verifier) row(record string, canonical, unentered []byte) {
	v.report.Rows++
	m, ok := v.last[record]
	switch {
	case !ok && unentered != nil && bytes.Equal(canonical, unentered):
	case !ok:
		v.add(Problem{Record: record, What: "no entry tells of this row"})
	case !bytes.Equal(m.digest, Digest(canonical)):
		v.add(Problem{Chain: m.chain, Seq: m.seq, Record: record, What: "the row was edited or rolled back"})
	}
	m.seen = true
	v.last[record] = m
}
