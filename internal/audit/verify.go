package audit

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"strongroom/internal/domain"
)

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
	return VerifyHeld(r, key, home, &Held{}, progress)
}

// VerifyHeld is [Verify] that also holds the chains against checkpoints which
// were kept elsewhere.
func VerifyHeld(r Reader, key MAC, home string, held *Held, progress func(entries int64)) (Report, error) {
	v := verifier{key: key, held: held, records: map[string]*history{}, ties: map[string][]domain.Entry{}, progress: progress}
	for _, p := range held.problems {
		v.add(p)
	}
	chains, err := r.Chains()
	if err != nil {
		return Report{}, err
	}
	for _, chain := range chains {
		if err := v.chain(r, chain); err != nil {
			return Report{}, err
		}
	}
	if !slices.Contains(chains, home) {
		v.add(Problem{Chain: home, Seq: 1, What: "the trail is missing"})
	}
	for _, chain := range slices.Sorted(maps.Keys(held.pins)) {
		if !slices.Contains(chains, chain) {
			v.add(Problem{Chain: chain, Seq: 1, What: whatCut})
		}
	}
	if err := v.tied(r); err != nil {
		return Report{}, err
	}
	if err := v.retell(r, chains); err != nil {
		return Report{}, err
	}
	if err := v.rows(r); err != nil {
		return Report{}, err
	}
	return v.report, nil
}

// history is what the entries tell of one record.
//
// Every entry holds the digest of the row as the change found it, which must be
// how the entry before left it. With several chains the entries of a record are
// not read in the order in which they were made. But of a history without a
// gap it holds in any order that the exclusive or of all its digests, found
// and left, is that of the first found and the last left, because all others
// occur twice. Where it does not hold, the history is read again in order.
type history struct {
	sum         [sha256.Size]byte
	first, last mark
	seen        bool // its row was
}

// mark is one entry of a record.
type mark struct {
	chain   string
	seq     int64
	version int64
	digest  []byte // as it found the row, in first; as it left it, in last
}

// version is that of the row after an entry; an erasure is its end.
func version(e domain.Entry) int64 {
	if len(e.Digest) == 0 {
		return math.MaxInt64
	}
	return e.Version
}

func (h *history) tell(e domain.Entry) {
	xor(&h.sum, e.Before)
	xor(&h.sum, e.Digest)
	at := version(e)
	if h.first.seq == 0 || at < h.first.version {
		h.first = mark{e.Chain, e.Seq, at, e.Before}
	}
	if h.last.seq == 0 || at >= h.last.version {
		h.last = mark{e.Chain, e.Seq, at, e.Digest}
	}
}

// whole reports whether the history has no gap, as far as the sum can tell.
func (h *history) whole() bool {
	sum := h.sum
	xor(&sum, h.first.digest)
	xor(&sum, h.last.digest)
	return sum == [sha256.Size]byte{}
}

func xor(sum *[sha256.Size]byte, digest []byte) {
	for i := range min(len(sum), len(digest)) {
		sum[i] ^= digest[i]
	}
}

type verifier struct {
	key      MAC
	held     *Held
	records  map[string]*history
	ties     map[string][]domain.Entry // by chain: what other chains hold of its entries
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
	held := against{pins: v.held.pins[chain]}
	err := r.EachEntry(chain, 0, func(e domain.Entry) error {
		if what := v.entry(prev, e); what != "" {
			v.add(Problem{Chain: chain, Seq: prev.Seq + 1, What: what})
			return errStop // the rest cannot be told from forged
		}
		if held.entry(e) {
			v.add(Problem{Chain: chain, Seq: e.Seq, What: whatOther})
		}
		v.note(e)
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
	case err == nil && held.cut():
		v.add(Problem{Chain: chain, Seq: prev.Seq + 1, What: whatCut})
	case err == nil:
		v.report.Heads = append(v.report.Heads, Head{Chain: chain, Seq: prev.Seq, Hash: prev.Hash})
	}
	return err
}

func (v *verifier) note(e domain.Entry) {
	if chain, ok := strings.CutPrefix(e.Record, domain.RecordChain+"/"); ok {
		v.ties[chain] = append(v.ties[chain], domain.Entry{Chain: e.Chain, Seq: e.Seq, Version: e.Version, Digest: e.Digest})
	} else if e.Record != "" {
		h := v.records[e.Record]
		if h == nil {
			h = &history{}
			v.records[e.Record] = h
		}
		h.tell(e)
	}
}

func (v *verifier) entry(prev, e domain.Entry) string {
	switch {
	case e.Seq != prev.Seq+1:
		return "the entry is missing"
	case !bytes.Equal(e.Prev, prev.Hash):
		return "the entry does not follow the one before it"
	case !v.key.VerifyMAC(macLabel, e.Canonical(), e.Hash):
		return "the entry was changed"
	case e.Seq == 1 && e.Event != domain.EventStoreInitialised && e.Event != domain.EventChainBegun:
		return "the chain does not begin with its beginning"
	}
	return ""
}

// tied looks for the entries that others hold the hash of: all of them, since a
// chain that was cut off goes on growing, and the newest tie may be of what
// grew.
func (v *verifier) tied(r Reader) error {
	for _, chain := range slices.Sorted(maps.Keys(v.ties)) {
		ties := v.ties[chain]
		slices.SortFunc(ties, func(x, y domain.Entry) int { return cmp.Compare(x.Version, y.Version) })
		left := ties
		err := r.EachEntry(chain, ties[0].Version-1, func(e domain.Entry) error {
			for len(left) > 0 && left[0].Version == e.Seq && bytes.Equal(left[0].Digest, e.Hash) {
				left = left[1:]
			}
			if len(left) == 0 || left[0].Version <= e.Seq {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			return err
		}
		if len(left) > 0 {
			v.add(Problem{Chain: chain, Seq: left[0].Version, What: fmt.Sprintf("the entry is not the one that entry %d of chain %s holds: "+
				"the chain was cut off or exchanged", left[0].Seq, printable(left[0].Chain))})
		}
	}
	return nil
}

// retell reads the histories again that have a gap, or begin with a row that
// no entry made, and names the entries. Some have one that an unlock excuses,
// so all of them are read, so many at a time as memory bears.
func (v *verifier) retell(r Reader, chains []string) error {
	var doubtful []string
	for record, h := range v.records {
		if made := len(h.first.digest) == 0 || isLedger(record); !h.whole() || !made {
			doubtful = append(doubtful, record)
		}
	}
	slices.Sort(doubtful)
	for part := range slices.Chunk(doubtful, maxRetold) {
		if len(v.report.Problems) == maxProblems {
			return nil
		}
		if err := v.retellPart(r, chains, part); err != nil {
			return err
		}
	}
	return nil
}

// maxRetold is how many histories are read again in one walk.
const maxRetold = 10_000

func (v *verifier) retellPart(r Reader, chains, records []string) error {
	entries := map[string][]domain.Entry{}
	for _, record := range records {
		entries[record] = nil
	}
	for _, chain := range chains {
		err := r.EachEntry(chain, 0, func(e domain.Entry) error {
			if _, ok := entries[e.Record]; ok {
				entries[e.Record] = append(entries[e.Record], e)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, record := range records {
		v.gaps(record, entries[record])
	}
	return nil
}

// gaps finds the changes that were made to a row which the entry before had
// left otherwise: it was edited, put back to an older state or brought back
// after its erasure, and a later change has covered it up. An unlock may follow
// upon anything: it is what an operator does about an edited ledger.
func (v *verifier) gaps(record string, entries []domain.Entry) {
	if slices.ContainsFunc(entries, func(e domain.Entry) bool { return e.Chain != entries[0].Chain }) {
		slices.SortStableFunc(entries, func(x, y domain.Entry) int { return cmp.Compare(version(x), version(y)) })
	}
	for i, e := range entries {
		switch {
		case e.Event == domain.EventAttemptsUnlocked:
		case i > 0 && !bytes.Equal(e.Before, entries[i-1].Digest):
			v.add(Problem{Chain: e.Chain, Seq: e.Seq, Record: record, What: "the row had been edited or rolled back"})
		case i == 0 && len(e.Before) > 0 && !isLedger(record):
			v.add(Problem{Chain: e.Chain, Seq: e.Seq, Record: record, What: "no earlier entry tells of the row"})
		}
	}
}

// isLedger: a ledger exists unentered while it has only ever held pending
// tries, so its first entry finds a row.
func isLedger(record string) bool { return strings.HasPrefix(record, domain.RecordAttempts+"/") }

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
	for _, record := range slices.Sorted(maps.Keys(v.records)) {
		if h := v.records[record]; !h.seen && len(h.last.digest) > 0 {
			v.add(Problem{Chain: h.last.chain, Seq: h.last.seq, Record: record, What: "the row is gone"})
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
	h, ok := v.records[record]
	if !ok {
		if unentered == nil || !bytes.Equal(canonical, unentered) {
			v.add(Problem{Record: record, What: "no entry tells of this row"})
		}
		return
	}
	h.seen = true
	if !bytes.Equal(h.last.digest, Digest(canonical)) {
		v.add(Problem{Chain: h.last.chain, Seq: h.last.seq, Record: record, What: "the row was edited or rolled back"})
	}
}
