package audit

import "strongroom/internal/domain"

type verifier struct {
	key          MAC
	held         *Held
	said         *statements
	fingerprints hashKey
	records      *histories
	links        []link // of the chains, as they were read
	begun        int64  // the place of the first entry of the chain that is being read
	all          int64  // entries, if nothing is missing

	rowsRead, rowsExpected int64 // in this reading: so far, and by the trail

	ties     map[string][]tie // by chain: the hashes of its entries that others hold
	bound    map[string]int64 // by chain: the newest entry whose hash an entry under a data key that is in use holds
	begins   map[string]int64 // by chain that was cut: the last entry that is gone
	away     map[string]bool  // accounts that moved away, if a prune may have removed the entry of the move
	plan     *Plan            // of a prune that this verification is for; or nil
	report   Report
	progress func(Progress)
}

func newVerifier(key MAC, held *Held, progress func(Progress)) *verifier {
	return &verifier{key: key, held: held, fingerprints: newHashKey(), records: newHistories(), ties: map[string][]tie{}, bound: map[string]int64{}, begins: map[string]int64{}, progress: progress}
}

// tie is an entry of a chain whose hash an entry of another chain holds. There is
// one for each chain every 5 min.
type tie struct {
	seq  int64
	hash fingerprint
	by   int64 // the place of the entry that holds it
}

func (v *verifier) add(p Problem) { v.report.add(p) }

// entryAt is the entry at a place among all that were read.
func (v *verifier) entryAt(place int64) (chain string, seq int64) { return entryAt(v.links, place) }

func (v *verifier) say(of string, done, all int64) {
	if v.progress != nil && done%progressEvery == 0 {
		v.progress(Progress{of, done, all, v.records.part + 1, v.records.parts()})
	}
}

func (v *verifier) note(e *domain.Entry, place int64, kept bool) {
	if chain, ok := aboutChain(e); ok {
		v.ties[chain] = append(v.ties[chain], tie{e.Version, v.fingerprints.of(e.Digest), place})
		if !v.key.Past(e.Hash) {
			v.bound[chain] = max(v.bound[chain], e.Version)
		}
		return
	}
	v.noteRecord(e, place, kept)
}

func (v *verifier) noteRecord(e *domain.Entry, place int64, kept bool) {
	idle := v.said.idle(e)
	if e.Record == "" || idle && v.plan == nil {
		return
	}
	if m, ok := domain.MoveOf(*e); ok {
		v.noteMove(e, m, place, kept)
	}
	h := v.records.of(e.Record)
	switch {
	case h == nil: // it is of another part
	case idle:
		h.kept = h.kept || kept // it counts once this prune has made it known
	default:
		h.carried = h.carried || carries(e)
		h.spans = h.spans || h.last.place > 0 && h.last.place < v.begun
		h.add(e, place, v.fingerprints.row(e.Record, e.Before), v.fingerprints.row(e.Record, e.Digest), v.said.known(e), kept)
	}
}

// noteMove notes what an entry about an account says of its last move. Other databases
// made the moves in between, so there is nothing to compare it with but the row.
func (v *verifier) noteMove(e *domain.Entry, m domain.AccountMove, place int64, kept bool) {
	is := aboutMove(e, m)
	if h := v.records.of(is.Record); h != nil {
		h.add(&is, place, fingerprint{}, v.fingerprints.row(is.Record, is.Digest), true, kept)
	}
}

// readOn is how many entries are read to reach the next one that is looked for.
// If it is further away, a new look-up starts.
const readOn = 1000
