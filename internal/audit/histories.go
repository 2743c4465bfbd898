package audit

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"hash/maphash"
	"iter"
	"math"
	"math/bits"
	"slices"
	"strings"

	"strongroom/internal/domain"
)

// history is what the entries say about one record.
//
// Every entry holds the digest of the row as the change found it, which must be
// the row as the entry before left it. With several chains, the entries of a
// record are not read in the order in which they were made. But in a history
// without a gap the following holds in any order: all rows that were left, minus
// all that were found, equal the last one left minus the first one found, because
// every other row was left once and found once. If this does not hold, the
// history is read again in order.
//
// A prune removes some of the entries that it verified. The others can then
// have gaps, and they say only what the record was at that time. So the history
// of a record that a prune verified begins with the last of these entries,
// which are called known, or with the entry that repeats the last one.
//
// A store has millions of histories, so each is a few numbers without pointers.
type history struct {
	sum         fingerprint // over the entries that are not known: rows left minus rows found
	first, last mark
	record      recordID
	known       bool // first is the last known entry
	unlock      bool // first is an unlock, which may follow any state
	seen        bool // its row was found
	spans       bool // it is in several chains
	carried     bool // a prune repeated an entry

	// For a prune: whether it keeps any entry, and whether it keeps one with the
	// same row as the last entry.
	kept, lastKept bool
}

// mark is one entry of a record.
type mark struct {
	// The row as the entry left it. In first, the row as the entry found it,
	// unless the history begins with a known entry.
	row     fingerprint
	version int64
	place   int64 // among the entries of all chains as they are read, from 1; 0: there is no entry
}

// version is the version of the row after an entry. An erasure comes after all
// versions.
func version(e *domain.Entry) int64 {
	if len(e.Digest) == 0 {
		return math.MaxInt64
	}
	return e.Version
}

// add adds an entry, with the fingerprints of the row as it found and left it.
func (h *history) add(e *domain.Entry, place int64, found, left fingerprint, known, kept bool) {
	at := version(e)
	switch {
	case known:
		if !h.known || at >= h.first.version {
			h.first, h.known = mark{left, at, place}, true
		}
	case !h.known && (h.first.place == 0 || at < h.first.version):
		h.first, h.unlock = mark{found, at, place}, e.Event == domain.EventAttemptsUnlocked
		fallthrough
	default:
		h.sum = h.sum.plus(left).less(found)
	}
	h.kept = h.kept || kept
	if h.last.place == 0 || at >= h.last.version {
		again := at == h.last.version && left == h.last.row
		h.last, h.lastKept = mark{left, at, place}, kept || again && h.lastKept
	}
}

// whole reports whether the history has no gap, as far as the sum can tell.
func (h *history) whole() bool { return h.sum == h.last.row.less(h.first.row) }

// gone reports whether the last entry says that there is no row any more.
func (h *history) gone() bool { return h.last.row == fingerprint{} }

// fingerprint stands for a row, by its digest. It is a number of 128 bits that
// can be added. No row is 0.
type fingerprint struct{ high, low uint64 }

func (i fingerprint) plus(j fingerprint) fingerprint {
	low, carry := bits.Add64(i.low, j.low, 0)
	high, _ := bits.Add64(i.high, j.high, carry)
	return fingerprint{high, low}
}

func (i fingerprint) less(j fingerprint) fingerprint {
	low, borrow := bits.Sub64(i.low, j.low, 0)
	high, _ := bits.Sub64(i.high, j.high, borrow)
	return fingerprint{high, low}
}

// hashKey makes the fingerprints of one verification. It is random, and forgotten
// at the end. So an attacker cannot make rows whose fingerprints are equal or
// have the same sum, not even by writing any rows and making the service change
// them any number of times. The chance is one in 2^128.
type hashKey [16]byte

func newHashKey() (k hashKey) {
	rand.Read(k[:]) // never fails
	return k
}

// row returns the fingerprint of a record's row from its digest.
func (k *hashKey) row(record string, digest []byte) fingerprint {
	return k.of(compared(record, digest))
}

// of is the fingerprint of a digest. SHA-256 with a key before the data is a
// keyed hash if its result stays secret, as it does here.
func (k *hashKey) of(digest []byte) fingerprint {
	if len(digest) == 0 {
		return fingerprint{}
	}
	var room [len(k) + sha256.Size]byte
	sum := sha256.Sum256(append(append(room[:0], k[:]...), digest...))
	return fingerprint{binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:])}
}

// recordID is the exact name of a record: its kind and the 128 bits of its id.
// Anyone who edits a database can name rows freely. So a name that is not
// exactly of that form is kept as it is: its kind is 0, and its id is its
// number among such names. Only entries bring new ones, and an attacker cannot
// write entries.
type recordID struct {
	kind byte
	id   [16]byte
}

var kinds = []string{1: domain.RecordKey, domain.RecordCredential, domain.RecordAttempts, domain.RecordAccount, domain.RecordPlan, domain.RecordMove}

// recordNames numbers the names that have no regular form, from 1, and lists the tags
// of cells. Each tag is a kind of its own, after those of kinds, so that a key whose id
// has a tag takes no more memory than others.
type recordNames struct {
	numbers map[string]uint64
	names   []string
	cells   []string
}

// maxCells is how many tags have a kind. A store has one, or a few if its
// operators changed it. Keys with further tags have irregular names.
const maxCells = 64

// id is that of a record with this name. Of an irregular name that is not known
// it is the zero recordID, which no record has.
func (n *recordNames) id(record string) recordID {
	kind, text, _ := strings.Cut(record, "/")
	if kind == domain.RecordKey && domain.IsKeyID(text) {
		if cell, plain := domain.CutCell(text); cell != "" {
			return n.inCell(cell, plain, record)
		}
	}
	for i := 1; i < len(kinds); i++ {
		if kinds[i] == kind {
			if id, ok := domain.ParseID(text); ok {
				return recordID{byte(i), id}
			}
		}
	}
	return numbered(n.numbers[record])
}

// inCell is the id of a key whose id has the tag of a cell.
func (n *recordNames) inCell(cell, plain, record string) recordID {
	if id, ok := domain.ParseID(plain); ok {
		if i := slices.Index(n.cells, cell); i >= 0 {
			return recordID{byte(len(kinds) + i), id} //nolint:gosec // at most maxCells
		}
	}
	return numbered(n.numbers[record])
}

// learnCell makes a kind for the tag of a key's id.
func (n *recordNames) learnCell(record string) {
	text, ok := strings.CutPrefix(record, domain.RecordKey+"/")
	cell, _ := domain.CutCell(text)
	if ok && cell != "" && domain.IsKeyID(text) && len(n.cells) < maxCells && !slices.Contains(n.cells, cell) {
		n.cells = append(n.cells, cell)
	}
}

func numbered(n uint64) (id recordID) {
	binary.BigEndian.PutUint64(id.id[:], n)
	return id
}

// learn is id for a name that is to be known from now on.
func (n *recordNames) learn(record string) recordID {
	n.learnCell(record)
	id := n.id(record)
	if id == (recordID{}) {
		n.names = append(n.names, record)
		n.numbers[record] = uint64(len(n.names))
		id = numbered(n.numbers[record])
	}
	return id
}

func (n *recordNames) name(id recordID) string {
	if id.kind == 0 {
		return n.names[binary.BigEndian.Uint64(id.id[:])-1]
	}
	if cell := int(id.kind) - len(kinds); cell >= 0 {
		return domain.RecordKey + "/" + domain.InCell(n.cells[cell], domain.FormatID(id.id))
	}
	return kinds[id.kind] + "/" + domain.FormatID(id.id)
}

// histories are those of all records. If there are more than maxHistories, they
// are those of one part of the records, and the trail is read once for each
// part. A hash divides the records into 2^halvings parts. The number of parts
// is found while the first part is read: each time that there are too many
// histories, half of them are dropped and left to a later part.
//
// Their memory grows a page at a time, so that growing never needs twice the
// memory. It has no pointers for the garbage collector to follow.
type histories struct {
	recordNames
	seed     maphash.Seed
	most     int         // histories that are held at a time
	pages    [][]history // in the order in which the trail mentions them
	held     int
	slots    []uint32 // a hash index with linear probing: the number of a history, from 1; 0: free
	part     int
	halvings int
}

// maxHistories bounds the memory of a verification, to 700 MB: 104 bytes each,
// and four for each slot. It is three quarters of 2^23 slots. Tests have few
// records, and lower it.
var maxHistories = 6 << 20

const (
	historiesPage = 1024
	firstSlots    = 1024 // always a power of 2
)

func newHistories() *histories {
	return &histories{recordNames: recordNames{numbers: map[string]uint64{}}, seed: maphash.MakeSeed(), most: maxHistories, slots: make([]uint32, firstSlots)}
}

// of returns the history of a record that an entry is about, and adds it if
// it is new. It returns nil if the record is in another part.
func (t *histories) of(record string) *history {
	id := t.learn(record)
	hash := maphash.Comparable(t.seed, id)
	if !t.includes(hash) {
		return nil
	}
	h, slot := t.look(id, hash)
	if h != nil {
		return h
	}
	if t.part == 0 && t.held == t.most {
		t.halve()
		return t.of(record)
	}
	if t.held >= len(t.slots)/4*3 {
		t.index(2 * len(t.slots))
		_, slot = t.look(id, hash)
	}
	return t.add(history{record: id}, slot)
}

// find returns the history of a record that has a row, or nil if no entry is
// about it. here reports whether the record is in this part.
func (t *histories) find(record string) (h *history, here bool) {
	id := t.id(record)
	hash := maphash.Comparable(t.seed, id)
	if !t.includes(hash) {
		return nil, false
	}
	h, _ = t.look(id, hash)
	return h, true
}

// includes reports whether a hash is in this part. The upper bits of a hash
// select the part, and the lower ones the slot.
func (t *histories) includes(hash uint64) bool { return hash>>(64-t.halvings) == uint64(t.part) } //nolint:gosec // from 0

// look finds a history, or the slot where it would be.
func (t *histories) look(id recordID, hash uint64) (h *history, slot uint64) {
	mask := uint64(len(t.slots) - 1) //nolint:gosec // there are some
	for slot = hash & mask; t.slots[slot] != 0; slot = (slot + 1) & mask {
		if h = t.at(int(t.slots[slot]) - 1); h.record == id {
			return h, slot
		}
	}
	return nil, slot
}

func (t *histories) at(i int) *history { return &t.pages[i/historiesPage][i%historiesPage] }

func (t *histories) add(h history, slot uint64) *history {
	if t.held == len(t.pages)*historiesPage {
		t.pages = append(t.pages, make([]history, historiesPage))
	}
	at := t.at(t.held)
	*at = h
	t.held++
	t.slots[slot] = uint32(t.held) //nolint:gosec // at most maxHistories, but for chance
	return at
}

// index makes new slots, for all that is held.
func (t *histories) index(slots int) {
	t.slots = make([]uint32, slots)
	held := t.held
	t.held = 0
	for i := range held {
		h := *t.at(i) // it moves to where it is, or down
		hash := maphash.Comparable(t.seed, h.record)
		if t.includes(hash) {
			_, slot := t.look(h.record, hash)
			t.add(h, slot)
		}
	}
}

func (t *histories) halve() {
	t.halvings++
	t.index(len(t.slots))
}

// parts is how many parts there are, as far as is known.
func (t *histories) parts() int { return 1 << t.halvings }

// turn goes on to the next part, which has no histories yet. It returns false
// after the last part.
func (t *histories) turn() bool {
	t.part++
	t.held = 0
	clear(t.slots)
	return t.part < t.parts()
}

// all are the histories of the part, in the order in which the trail mentions
// them.
func (t *histories) all() iter.Seq[*history] {
	return func(yield func(*history) bool) {
		for i := range t.held {
			if !yield(t.at(i)) {
				return
			}
		}
	}
}
