package audit

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"hash/maphash"
	"iter"
	"math"
	"math/bits"
	"strings"

	"strongroom/internal/domain"
)

// history is what the entries tell of one record.
//
// Every entry holds the digest of the row as the change found it, which must be
// how the entry before left it. With several chains the entries of a record are
// not read in the order in which they were made. But of a history without a
// gap it holds in any order that all rows that were left, less all that were
// found, come to the last left less the first found, because every other was
// left once and found once. Where it does not hold, the history is read again
// in order.
//
// A prune takes entries away. What is left of those that it had verified can
// have gaps, which are its own, and says nothing more than how the record was
// by then; so of a record that it knew, the history begins there: with the
// last of those entries, which are called known, or with the one that says
// the last again.
//
// A store has millions of them, so each is a few numbers and no pointers.
type history struct {
	sum         imprint // of the entries that are not known: what they left, less what they found
	first, last mark
	record      recordID
	known       bool // first is the last known entry
	unlock      bool // first is an unlock, which may follow upon anything
	seen        bool // its row was
	spans       bool // it is in several chains

	// For a prune: that it keeps some entry, and one that says what the last says.
	kept, lastKept bool
}

// mark is one entry of a record.
type mark struct {
	// As it left the row; in first as it found it, unless the history begins
	// with a known entry.
	row     imprint
	version int64
	place   int64 // among the entries of all chains as they are read, from 1; 0: there is no entry
}

// version is that of the row after an entry; an erasure is its end.
func version(e *domain.Entry) int64 {
	if len(e.Digest) == 0 {
		return math.MaxInt64
	}
	return e.Version
}

// tell adds an entry, with the imprints of the row as it found and left it.
func (h *history) tell(e *domain.Entry, place int64, found, left imprint, known, kept bool) {
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
func (h *history) gone() bool { return h.last.row == imprint{} }

// imprint stands for a row, by its digest, and is a number of 128 bits that can
// be added up. No row is 0.
type imprint struct{ high, low uint64 }

func (i imprint) plus(j imprint) imprint {
	low, carry := bits.Add64(i.low, j.low, 0)
	high, _ := bits.Add64(i.high, j.high, carry)
	return imprint{high, low}
}

func (i imprint) less(j imprint) imprint {
	low, borrow := bits.Sub64(i.low, j.low, 0)
	high, _ := bits.Sub64(i.high, j.high, borrow)
	return imprint{high, low}
}

// ink makes the imprints of one verification: a key that it alone has, and
// forgets at its end. So nobody can make rows whose imprints are equal or have
// the same sum, even an attacker who writes any rows and makes the service
// change them any number of times. The chance is one in 2^128.
type ink [16]byte

func newInk() (k ink) {
	rand.Read(k[:]) // never fails
	return k
}

// of is the imprint of a digest. SHA-256 with a key before what it hashes is a
// keyed hash where, as here, nobody sees what comes out.
func (k *ink) of(digest []byte) imprint {
	if len(digest) == 0 {
		return imprint{}
	}
	var room [len(k) + sha256.Size]byte
	sum := sha256.Sum256(append(append(room[:0], k[:]...), digest...))
	return imprint{binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:])}
}

// recordID is the name of a record, exactly: its kind and the 128 bits of its
// id. Anyone who edits a database can name rows freely. So a name that is not
// exactly of that form is kept as it is: its kind is 0, and its id is its
// number among such names. Only entries bring new ones, and an attacker cannot
// write entries.
type recordID struct {
	kind byte
	id   [16]byte
}

var kinds = []string{1: domain.RecordKey, domain.RecordCredential, domain.RecordAttempts, domain.RecordAccount, domain.RecordPlan}

// recordNames are those of no regular form, by their number, which begins at 1.
type recordNames struct {
	numbers map[string]uint64
	names   []string
}

// id is that of a record with this name. Of an irregular name that is not known
// it is the zero recordID, which no record has.
func (n *recordNames) id(record string) recordID {
	kind, text, _ := strings.Cut(record, "/")
	for i := 1; i < len(kinds); i++ {
		if kinds[i] == kind {
			if id, ok := domain.ParseID(text); ok {
				return recordID{byte(i), id}
			}
		}
	}
	return numbered(n.numbers[record])
}

func numbered(n uint64) (id recordID) {
	binary.BigEndian.PutUint64(id.id[:], n)
	return id
}

// learn is id for a name that is to be known from now on.
func (n *recordNames) learn(record string) recordID {
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
	return kinds[id.kind] + "/" + domain.FormatID(id.id)
}

// histories are those of all records, or of a part of them where there are more
// than maxHistories: the trail is then read once for each part. The parts are
// by a hash, and are 2^halvings. How many it takes shows while the first is
// read: each time that there are too many, the half of what is held is let go
// and left to a part that comes later.
//
// Their memory grows a page at a time, so that there is never twice of it, and
// has no pointers for the garbage collector to follow.
type histories struct {
	recordNames
	seed     maphash.Seed
	most     int         // histories that are held at a time
	pages    [][]history // in the order in which the trail mentions them
	held     int
	slots    []uint32 // an index: by its hash, or after it, which one a history is, from 1; 0: free
	part     int
	halvings int
}

// maxHistories bounds the memory of a verification, to 700 MB: 104 bytes each,
// and four for each slot. It is what 2^23 slots bear. Tests have few records,
// and lower it.
var maxHistories = 6 << 20

const (
	historiesPage = 1024
	firstSlots    = 1024 // a power of 2, as all their numbers
)

func newHistories() *histories {
	return &histories{recordNames: recordNames{numbers: map[string]uint64{}}, seed: maphash.MakeSeed(), most: maxHistories, slots: make([]uint32, firstSlots)}
}

// of is the history of a record that an entry tells of; nil: it is of another
// part.
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

// find is the history of a record that there is a row of; nil: no entry tells
// of it. here: it is of this part.
func (t *histories) find(record string) (h *history, here bool) {
	id := t.id(record)
	hash := maphash.Comparable(t.seed, id)
	if !t.includes(hash) {
		return nil, false
	}
	h, _ = t.look(id, hash)
	return h, true
}

// includes: the part is by the upper bits of the hash, and the slot by the
// lower ones.
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

// index makes the slots anew, for all that is held.
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

// turn goes on to the next part, of which nothing is known yet. It is false
// after the last.
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
