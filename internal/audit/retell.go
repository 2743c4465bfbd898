package audit

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"strongroom/internal/domain"
)

// The histories that do not add up are read again, to name the entries at which
// a row was not as the one before had left it: it had been edited, put back to
// an older state or brought back after its erasure, and a later change has
// covered that up. An unlock may follow upon anything: it is what an operator
// does about an edited attempt counter. So some histories have a gap that is excused, and
// all that have one are read.
//
// A record can have any number of entries, and all of them in one chain or in
// several. So many are held at a time as memory bears, the first ones in order;
// the next are found by reading the trail once more.

// maxRetold is how many histories are read again in one walk.
const maxRetold = 10_000

// maxTold is how many of their entries are held at a time, and up to twice as
// many while they are read: 56 bytes each. Tests lower it.
var maxTold = 1 << 18

// told is an entry of a history that is read again.
type told struct {
	of             uint32 // which of the histories, from 1
	unlock         bool
	version, place int64 // version is 0 where all of the history is in one chain, in order
	found, left    imprint
}

// order is that of a history, and of one after the other.
func (t told) order(u told) int {
	return cmp.Or(cmp.Compare(t.of, u.of), cmp.Compare(t.version, u.version), cmp.Compare(t.place, u.place))
}

// retell reads the histories again that have a gap, or begin with a row that
// no entry made, and names the entries.
func (v *verifier) retell(r Reader) error {
	var doubtful []*history
	for h := range v.records.all() {
		if h.whole() && (h.known || h.first.row == imprint{} || isCounter(v.records.name(h.record))) {
			continue
		}
		if doubtful = append(doubtful, h); len(doubtful) == maxRetold {
			if err := v.retellPart(r, doubtful); err != nil {
				return err
			}
			doubtful = doubtful[:0]
		}
	}
	return v.retellPart(r, doubtful)
}

func (v *verifier) retellPart(r Reader, doubtful []*history) error {
	if len(doubtful) == 0 {
		return nil
	}
	slices.SortFunc(doubtful, func(x, y *history) int { return cmp.Compare(v.records.name(x.record), v.records.name(y.record)) })
	which := make(map[string]uint32, len(doubtful))
	for i, h := range doubtful {
		which[v.records.name(h.record)] = uint32(i + 1)
	}
	var last told
	known := false // whether there is something that last follows upon, or that it is
	for more := true; more && len(v.report.Problems) < maxProblems; {
		next, err := v.toldAfter(r, which, doubtful, last)
		if err != nil {
			return err
		}
		more = len(next) == maxTold
		for _, t := range next {
			if t.of != last.of {
				h := doubtful[t.of-1]
				if known = h.known; known {
					last.left = h.first.row
				}
			}
			v.gap(v.records.name(doubtful[t.of-1].record), t, last.left, known)
			last, known = t, true
		}
	}
	return nil
}

// toldAfter are the next entries of these histories, in order, at most maxTold.
// They were verified when they were read for the first time. Those that are
// known to a prune are left out: the last of them is in the history.
func (v *verifier) toldAfter(r Reader, which map[string]uint32, doubtful []*history, after told) (next []told, err error) {
	for _, read := range v.links {
		place := read.place - 1
		err := r.EachEntry(read.chain, read.first-1, func(e domain.Entry) error {
			if e.Seq > read.last {
				return errStop
			}
			place++
			of := which[e.Record]
			if of == 0 || v.said.goes(&e) || v.said.idle(&e) || v.said.known(&e) {
				return nil
			}
			t := told{of: of, unlock: e.Event == domain.EventAttemptsUnlocked, place: place}
			if doubtful[of-1].spans {
				t.version = version(&e)
			}
			if t.order(after) <= 0 {
				return nil
			}
			t.found, t.left = v.ink.of(e.Before), v.ink.of(e.Digest)
			if next = append(next, t); len(next) == 2*maxTold {
				next = firstTold(next)
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			return nil, err
		}
	}
	return firstTold(next), nil
}

func firstTold(all []told) []told {
	slices.SortFunc(all, told.order)
	return all[:min(len(all), maxTold)]
}

// gap tells of a change that was made to a row which the entry before had left
// otherwise, or which no entry had left.
func (v *verifier) gap(record string, t told, left imprint, known bool) {
	chain, seq := v.entryAt(t.place)
	switch {
	case t.unlock:
	case known && t.found != left:
		v.add(Problem{Chain: chain, Seq: seq, Record: record, What: "the record had been edited or rolled back"})
	case !known && t.found != imprint{} && !isCounter(record):
		v.add(Problem{Chain: chain, Seq: seq, Record: record, What: "no earlier entry tells of the record"})
	}
}

// isCounter: an attempt counter exists unentered while it has only ever held pending
// tries, so its first entry finds a row.
func isCounter(record string) bool { return strings.HasPrefix(record, domain.RecordAttempts+"/") }
