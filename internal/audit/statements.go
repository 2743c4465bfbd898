package audit

import "strongroom/internal/domain"

// statements are what prunes said, of which the entry's own hash was checked.
// They are known before the chains are read, since one about the first chain
// may stand in the last.
type statements struct {
	verified map[string][]domain.Entry // by chain that they are about
	pruned   map[string][]domain.Entry
	upTo     map[string]int64 // by chain: the last entry that a prune verified
	gone     map[string]int64 // by chain: the last entry that a prune removed, or is about to
	runs     map[string]bool  // request ids of prunes that made their statements
}

// readStatements reads what prunes said. One that is kept from it is missed by
// whatever needs it: it cannot make a trail better than it is.
func readStatements(r Reader, key MAC) (*statements, error) {
	s := &statements{map[string][]domain.Entry{}, map[string][]domain.Entry{}, map[string]int64{}, map[string]int64{}, map[string]bool{}}
	read := func(event domain.Event, all map[string][]domain.Entry, last map[string]int64) error {
		return eachOf(r, event, func(e domain.Entry) {
			if chain, ok := statementAbout(key, e); ok {
				all[chain] = append(all[chain], e)
				last[chain] = max(last[chain], e.Version)
				s.runs[e.RequestID] = true
			}
		})
	}
	if err := read(domain.EventChainVerified, s.verified, s.upTo); err != nil {
		return nil, err
	}
	return s, read(domain.EventPruned, s.pruned, s.gone)
}

// statementAbout reports whether e is an entry of the trail, and which chain it is about.
func statementAbout(key MAC, e domain.Entry) (chain string, ok bool) {
	chain, ok = aboutChain(&e)
	return chain, ok && Genuine(key, e)
}

// newest is the statement about the latest entry.
func newest(about []domain.Entry) (last domain.Entry) {
	for _, e := range about {
		if e.Version > last.Version {
			last = e
		}
	}
	return last
}

// before is what stands before the first entry of a chain: nothing, or the
// last entry that a prune removed, as far as it is known. Where more is gone
// than was pruned it is the last that might be.
func (s *statements) before(first domain.Entry) domain.Entry {
	allowed := newest(s.pruned[first.Chain])
	if first.Seq == 1 || allowed.Version == 0 {
		return domain.Entry{}
	}
	if allowed.Version < first.Seq-1 {
		return domain.Entry{Chain: first.Chain, Seq: allowed.Version, Hash: allowed.Digest}
	}
	last := domain.Entry{Chain: first.Chain, Seq: first.Seq - 1, Hash: first.Prev}
	for _, e := range s.pruned[first.Chain] {
		if e.Version == last.Seq {
			last.Hash = e.Digest
		}
	}
	return last
}

// known reports whether a prune verified the entry with all of the trail, or
// said by it what an entry said that it then removed.
func (s *statements) known(e *domain.Entry) bool {
	return e.Seq <= s.upTo[e.Chain] || carries(e) && s.runs[e.RequestID]
}

// carries reports whether the entry says again what another said.
func carries(e *domain.Entry) bool {
	return e.Event == domain.EventRecordCarried || e.Event == domain.EventRotationCarried
}

// goes reports whether the entry is about to be removed. It says nothing of its
// record any more: of several chains, they are not removed in the order in
// which they were made.
func (s *statements) goes(e *domain.Entry) bool { return e.Seq <= s.gone[e.Chain] }

// idle reports whether the entry is of a prune that was interrupted before it
// removed anything: it says nothing either, or its record would seem to have
// lost what is still there.
func (s *statements) idle(e *domain.Entry) bool {
	return carries(e) && !s.known(e)
}

// cut is the cut after whose last entry a chain begins: by the first prune that
// removed this much.
func (s *statements) cut(last domain.Entry) Cut {
	var by domain.Entry
	for _, e := range s.pruned[last.Chain] { // the newest come first
		if e.Version >= last.Seq && (by.Version == 0 || e.Version <= by.Version) {
			by = e
		}
	}
	return Cut{Chain: last.Chain, Removed: last.Seq, At: by.Time, By: by.Actor, Why: by.Reason, Request: by.RequestID, hash: last.Hash}
}
