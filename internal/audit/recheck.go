package audit

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"strongroom/internal/domain"
)

// Histories with a gap are read again, to name the entries at which a row was not
// as the entry before had left it. It was edited, rolled back or restored after
// its erasure, and a later change has hidden that. An unlock may follow any
// state, because it is what an operator does about an edited attempt counter. So
// some gaps are excused, and every history with a gap is read.
//
// A record can have any number of entries, in one chain or in several. The
// verification holds as many as memory allows, the first ones in order, and finds
// the next ones by reading the trail again.

// maxRechecked is how many histories are read again in one walk.
const maxRechecked = 10_000

// maxRecheckEntries is how many of their entries are held at a time, and up to
// twice as many while they are read. Each takes 56 bytes. Tests lower it.
var maxRecheckEntries = 1 << 18

// rechecked is an entry of a history that is read again.
type rechecked struct {
	of             uint32 // the number of its history, from 1
	unlock         bool
	version, place int64 // version is 0 if the whole history is in one chain
	found, left    fingerprint
}

// order compares entries by history, and then by their order in it.
func (t rechecked) order(u rechecked) int {
	return cmp.Or(cmp.Compare(t.of, u.of), cmp.Compare(t.version, u.version), cmp.Compare(t.place, u.place))
}

// recheck reads the histories again that have a gap, or begin with a row that no
// entry made, and names the entries.
func (v *verifier) recheck(r Reader) error {
	var doubtful []*history
	for h := range v.records.all() {
		if h.whole() && (h.known || h.first.row == fingerprint{} || isCounter(v.records.name(h.record))) {
			continue
		}
		if doubtful = append(doubtful, h); len(doubtful) == maxRechecked {
			if err := v.recheckPart(r, doubtful); err != nil {
				return err
			}
			doubtful = doubtful[:0]
		}
	}
	return v.recheckPart(r, doubtful)
}

func (v *verifier) recheckPart(r Reader, doubtful []*history) error {
	if len(doubtful) == 0 {
		return nil
	}
	slices.SortFunc(doubtful, func(x, y *history) int { return cmp.Compare(v.records.name(x.record), v.records.name(y.record)) })
	which := make(map[string]uint32, len(doubtful))
	for i, h := range doubtful {
		which[v.records.name(h.record)] = uint32(i + 1)
	}
	var last rechecked
	known := false // whether the row before the next entry is known
	for more := true; more && len(v.report.Problems) < maxProblems; {
		next, err := v.entriesAfter(r, which, doubtful, last)
		if err != nil {
			return err
		}
		more = len(next) == maxRecheckEntries
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

// entriesAfter returns the next entries of these histories, in order, at most
// maxRecheckEntries. They were verified when they were read for the first time.
// It leaves out those that a prune verified, because the history has the last of
// them.
func (v *verifier) entriesAfter(r Reader, which map[string]uint32, doubtful []*history, after rechecked) (next []rechecked, err error) {
	for _, read := range v.links {
		place := read.place - 1
		err := r.EachEntry(read.chain, read.first-1, func(e domain.Entry) error {
			if e.Seq > read.last {
				return errStop
			}
			place++
			of := which[e.Record]
			if of == 0 || v.said.idle(&e) || v.said.known(&e) {
				return nil
			}
			t := rechecked{of: of, unlock: e.Event == domain.EventAttemptsUnlocked, place: place}
			if doubtful[of-1].spans {
				t.version = version(&e)
			}
			if t.order(after) <= 0 {
				return nil
			}
			t.found, t.left = v.fingerprints.row(e.Record, e.Before), v.fingerprints.row(e.Record, e.Digest)
			if next = append(next, t); len(next) == 2*maxRecheckEntries {
				next = firstEntries(next)
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			return nil, err
		}
	}
	return firstEntries(next), nil
}

func firstEntries(all []rechecked) []rechecked {
	slices.SortFunc(all, rechecked.order)
	return all[:min(len(all), maxRecheckEntries)]
}

// gap reports a change of a row that was not as the entry before left it, or that
// no entry made.
func (v *verifier) gap(record string, t rechecked, left fingerprint, known bool) {
	chain, seq := v.entryAt(t.place)
	switch {
	case t.unlock:
	case known && t.found != left:
		v.add(Problem{Chain: chain, Seq: seq, Record: record, What: "the record had been edited or rolled back"})
	case !known && t.found != fingerprint{} && !isCounter(record):
		v.add(Problem{Chain: chain, Seq: seq, Record: record, What: "no earlier entry about the record"})
	}
}

// isCounter reports whether a record is an attempt counter. While it has only
// held pending attempts it has no entry, so its first entry finds a row.
func isCounter(record string) bool { return strings.HasPrefix(record, domain.RecordAttempts+"/") }
