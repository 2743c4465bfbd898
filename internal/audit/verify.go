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
	"time"

	"strongroom/internal/domain"
)

// Reader is what verification reads, on one snapshot of the store.
type Reader interface {
	Chains() ([]string, error)
	EachEntry(chain string, after int64, fn func(domain.Entry) error) error
	EntriesOfEvent(event domain.Event, from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error)
	EachKey(fn func(domain.DeviceKey) error) error
	EachCredential(fn func(domain.Credential) error) error
	EachAttempts(fn func(domain.Attempts) error) error
	EachPlan(fn func(domain.RotationPlan) error) error // that runs
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
	Cuts     []Cut     // of each chain that was pruned
	Problems []Problem // the first bad entry of each chain, then bad rows; at most maxProblems
}

// Edited adds that a record which no entry tells of fails its MAC.
func (r *Report) Edited(record string) {
	r.add(Problem{Record: record, What: "the setting was edited"})
}

func (r *Report) add(p Problem) {
	if len(r.Problems) < maxProblems {
		r.Problems = append(r.Problems, p)
	}
}

// maxProblems bounds a report: past it, one more says nothing new.
const maxProblems = 100

// Verify walks every chain from its first entry, or from where a prune cut it,
// and then holds every key, credential, ledger and running rotation plan against the last entry that
// tells of it. home is the
// chain that must exist. progress is called now and then with the number of
// entries checked. The error is of reading; what is wrong with the trail is in
// the report.
func Verify(r Reader, key MAC, home string, progress func(entries int64)) (Report, error) {
	return VerifyHeld(r, key, home, &Held{}, progress)
}

// VerifyHeld is [Verify] that also holds the chains against checkpoints which
// were kept elsewhere.
func VerifyHeld(r Reader, key MAC, home string, held *Held, progress func(entries int64)) (Report, error) {
	return newVerifier(key, held, progress).verify(r, home)
}

func newVerifier(key MAC, held *Held, progress func(int64)) *verifier {
	return &verifier{key: key, held: held, records: map[string]*history{}, ties: map[string][]domain.Entry{}, begins: map[string]int64{}, progress: progress}
}

func (v *verifier) verify(r Reader, home string) (Report, error) {
	for _, p := range v.held.problems {
		v.add(p)
	}
	chains, err := r.Chains()
	if err != nil {
		return Report{}, err
	}
	if v.said, err = readStatements(r, v.key); err != nil {
		return Report{}, err
	}
	if v.plan != nil {
		v.plan.heed(v.said)
	}
	for _, chain := range chains {
		if err := v.chain(r, chain); err != nil {
			return Report{}, err
		}
	}
	if !slices.Contains(chains, home) {
		v.add(Problem{Chain: home, Seq: v.said.gone[home] + 1, What: "the trail is missing"})
	}
	for _, chain := range slices.Sorted(maps.Keys(v.held.pins)) {
		if !slices.Contains(chains, chain) {
			v.add(Problem{Chain: chain, Seq: v.said.gone[chain] + 1, What: whatCut})
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
//
// A prune takes entries away. What is left of those that it had verified can
// have gaps, which are its own, and says nothing more than how the record was
// by then; so of a record that it knew, the history begins there: with the
// last of those entries, which are called known, or with the one that says
// the last again.
type history struct {
	sum         [sha256.Size]byte // of the entries that are not known
	first, last mark
	known       bool // first is the last known entry
	unlock      bool // first is an unlock, which may follow upon anything
	seen        bool // its row was

	// For a prune: that it keeps some entry, and one that says what the last says.
	kept, lastKept bool
}

// mark is one entry of a record.
type mark struct {
	chain   string
	seq     int64
	version int64
	// As it left the row; in first as it found it, unless the history begins
	// with a known entry.
	digest []byte
}

// version is that of the row after an entry; an erasure is its end.
func version(e *domain.Entry) int64 {
	if len(e.Digest) == 0 {
		return math.MaxInt64
	}
	return e.Version
}

func (h *history) tell(e *domain.Entry, known, kept bool) {
	at := version(e)
	switch {
	case known:
		if !h.known || at >= h.first.version {
			h.first, h.known = mark{e.Chain, e.Seq, at, e.Digest}, true
		}
	case !h.known && (h.first.seq == 0 || at < h.first.version):
		h.first, h.unlock = mark{e.Chain, e.Seq, at, e.Before}, e.Event == domain.EventAttemptsUnlocked
		fallthrough
	default:
		xor(&h.sum, e.Before)
		xor(&h.sum, e.Digest)
	}
	h.kept = h.kept || kept
	if h.last.seq == 0 || at >= h.last.version {
		again := at == h.last.version && bytes.Equal(e.Digest, h.last.digest)
		h.last, h.lastKept = mark{e.Chain, e.Seq, at, e.Digest}, kept || again && h.lastKept
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
	said     *statements
	records  map[string]*history
	ties     map[string][]domain.Entry // by chain: what other entries hold of its entries
	begins   map[string]int64          // by chain that was cut: the last entry that is gone
	plan     *Plan                     // of a prune that this verification is for; or nil
	report   Report
	progress func(int64)
}

var errStop = errors.New("stop")

func (v *verifier) add(p Problem) { v.report.add(p) }

func (v *verifier) chain(r Reader, chain string) error {
	var prev domain.Entry
	held := against{pins: v.held.pins[chain]}
	err := r.EachEntry(chain, 0, func(e domain.Entry) error {
		begins := prev.Seq == 0
		if begins {
			prev = v.said.before(e)
		}
		if what := v.entry(prev, e); what != "" {
			v.add(Problem{Chain: chain, Seq: prev.Seq + 1, What: what})
			return errStop // the rest cannot be told from forged
		}
		if begins && prev.Seq > 0 {
			v.begin(prev, &held)
		}
		if held.entry(e) {
			v.add(Problem{Chain: chain, Seq: e.Seq, What: whatOther})
		}
		v.note(&e, v.plan == nil || v.plan.keeps(&e))
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

// begin notes that a chain begins after an entry that a prune removed.
func (v *verifier) begin(last domain.Entry, held *against) {
	v.begins[last.Chain] = last.Seq
	cut := v.said.cut(last)
	cut.pins = held.removed(last.Seq)
	v.report.Cuts = append(v.report.Cuts, cut)
	if held.entry(last) {
		v.add(Problem{Chain: last.Chain, Seq: last.Seq, What: whatOther})
	}
}

func (v *verifier) note(e *domain.Entry, kept bool) {
	if chain, ok := aboutChain(e); ok {
		v.ties[chain] = append(v.ties[chain], domain.Entry{Chain: e.Chain, Seq: e.Seq, Version: e.Version, Digest: e.Digest})
		return
	}
	idle := v.said.idle(e)
	if e.Record == "" || v.said.goes(e) || idle && v.plan == nil {
		return
	}
	h := v.records[e.Record]
	if h == nil {
		h = &history{}
		v.records[e.Record] = h
	}
	if idle {
		h.kept = h.kept || kept // it counts once this prune has made it known
		return
	}
	h.tell(e, v.said.known(e), kept)
}

// aboutChain is the chain whose entry e holds the hash of, if it does.
func aboutChain(e *domain.Entry) (chain string, ok bool) {
	return strings.CutPrefix(e.Record, domain.RecordChain+"/")
}

func (v *verifier) entry(prev, e domain.Entry) string {
	switch {
	case e.Seq != prev.Seq+1:
		return "the entry is missing"
	case !bytes.Equal(e.Prev, prev.Hash):
		return "the entry does not follow the one before it"
	case !Genuine(v.key, e):
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
		left := slices.DeleteFunc(v.ties[chain], func(tie domain.Entry) bool { return tie.Version <= v.begins[chain] })
		slices.SortFunc(left, func(x, y domain.Entry) int { return cmp.Compare(x.Version, y.Version) })
		for before := 0; len(left) > 0 && len(left) != before; {
			before = len(left)
			err := r.EachEntry(chain, left[0].Version-1, func(e domain.Entry) error {
				for len(left) > 0 && left[0].Version == e.Seq && bytes.Equal(left[0].Digest, e.Hash) {
					left = left[1:]
				}
				if len(left) == 0 || left[0].Version <= e.Seq || left[0].Version > e.Seq+tieStride {
					return errStop
				}
				return nil
			})
			if err != nil && !errors.Is(err, errStop) {
				return err
			}
		}
		if len(left) > 0 {
			v.add(Problem{Chain: chain, Seq: left[0].Version, What: fmt.Sprintf("the entry is not the one that entry %d of chain %s holds: "+
				"the chain was cut off or exchanged", left[0].Seq, printable(left[0].Chain))})
		}
	}
	return nil
}

// tieStride is how many entries are read on to the next tie; past it, that one
// is looked for anew.
const tieStride = 1000

// retell reads the histories again that have a gap, or begin with a row that
// no entry made, and names the entries. Some have one that an unlock excuses,
// so all of them are read, so many at a time as memory bears.
func (v *verifier) retell(r Reader, chains []string) error {
	var doubtful []string
	for record, h := range v.records {
		if begun := h.known || len(h.first.digest) == 0 || isLedger(record); !h.whole() || !begun {
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
			if _, ok := entries[e.Record]; ok && !v.said.goes(&e) && !v.said.idle(&e) {
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
	var left []byte
	last, known := v.said.lastKnown(entries)
	if known {
		left = last.Digest
	}
	entries = slices.DeleteFunc(entries, func(e domain.Entry) bool { return v.said.known(&e) })
	if slices.ContainsFunc(entries, func(e domain.Entry) bool { return e.Chain != entries[0].Chain }) {
		slices.SortStableFunc(entries, func(x, y domain.Entry) int { return cmp.Compare(version(&x), version(&y)) })
	}
	for i, e := range entries {
		switch begun := known || i > 0; {
		case e.Event == domain.EventAttemptsUnlocked:
		case begun && !bytes.Equal(e.Before, left):
			v.add(Problem{Chain: e.Chain, Seq: e.Seq, Record: record, What: "the row had been edited or rolled back"})
		case !begun && len(e.Before) > 0 && !isLedger(record):
			v.add(Problem{Chain: e.Chain, Seq: e.Seq, Record: record, What: "no earlier entry tells of the row"})
		}
		left = e.Digest
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
	err = r.EachPlan(func(p domain.RotationPlan) error {
		v.row(domain.RecordPlan+"/"+p.ID, p.Canonical(), nil)
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
	if found := h.first.digest; unentered != nil && !h.known && !h.unlock && len(found) > 0 && !bytes.Equal(found, Digest(unentered)) {
		v.add(Problem{Chain: h.first.chain, Seq: h.first.seq, Record: record, What: "no earlier entry tells of the row"})
	}
}
