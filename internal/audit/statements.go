package audit

import (
	"errors"

	"strongroom/internal/domain"
)

// statements are the entries of prunes: which part of a chain was verified, and
// which was removed. The keyed hash of each was checked, and each is an entry of
// the part of its chain that is verified. They are read before the chains, because a
// statement about the first chain can be in the last one.
type statements struct {
	verified map[string][]domain.Entry // by chain that they are about
	pruned   map[string][]domain.Entry
	upTo     map[string]int64 // by chain: the last entry that a prune verified
	gone     map[string]int64 // by chain: the last entry that a prune removed, or is about to
	runs     map[string]bool  // request ids of prunes that made their statements
}

// readStatements reads the statements. An attacker who hides one gains nothing:
// without it, the trail looks damaged.
//
// One that is itself below a cut does not count: nothing that stays depends on it, so
// anyone with a destroyed data key could have made it. A prune repeats those that are
// needed before it removes them.
func readStatements(r Reader, key MAC) (*statements, error) {
	var verified, pruned []domain.Entry
	read := func(event domain.Event, all *[]domain.Entry) error {
		return eachOf(r, event, func(e domain.Entry) {
			if _, ok := statementAbout(key, e); ok {
				*all = append(*all, e)
			}
		})
	}
	if err := errors.Join(read(domain.EventChainVerified, &verified), read(domain.EventPruned, &pruned)); err != nil {
		return nil, err
	}
	cuts := map[string]int64{} // by all of them
	for _, e := range pruned {
		chain, _ := aboutChain(&e)
		cuts[chain] = max(cuts[chain], e.Version)
	}
	s := &statements{map[string][]domain.Entry{}, map[string][]domain.Entry{}, map[string]int64{}, map[string]int64{}, map[string]bool{}}
	count := func(statements []domain.Entry, all map[string][]domain.Entry, last map[string]int64) {
		for _, e := range statements {
			if e.Seq > cuts[e.Chain] {
				chain, _ := aboutChain(&e)
				all[chain] = append(all[chain], e)
				last[chain] = max(last[chain], e.Version)
				s.runs[e.RequestID] = true
			}
		}
	}
	count(verified, s.verified, s.upTo)
	count(pruned, s.pruned, s.gone)
	return s, nil
}

// statementAbout returns the chain that a statement is about. ok is false if it
// is about none, or if its keyed hash does not fit.
func statementAbout(key MAC, e domain.Entry) (chain string, ok bool) {
	chain, ok = aboutChain(&e)
	return chain, ok && Genuine(key, e)
}

// newest returns the statement about the entry with the highest number.
func newest(about []domain.Entry) (last domain.Entry) {
	for _, e := range about {
		if e.Version > last.Version {
			last = e
		}
	}
	return last
}

// before returns what is known of the last entry that a prune removed from a chain, or
// will remove. It returns the zero value if there is none.
func (s *statements) before(chain string) domain.Entry {
	last := newest(s.pruned[chain])
	if last.Version == 0 {
		return domain.Entry{}
	}
	return domain.Entry{Chain: chain, Seq: last.Version, Hash: last.Digest}
}

// known reports whether a prune verified the entry with the whole trail, or wrote
// it to repeat an entry that it then removed.
func (s *statements) known(e *domain.Entry) bool {
	return e.Seq <= s.upTo[e.Chain] || carries(e) && s.runs[e.RequestID]
}

// carries reports whether the entry repeats one that a prune removed.
func carries(e *domain.Entry) bool {
	return e.Event == domain.EventRecordCarried || e.Event == domain.EventRotationCarried
}

// idle reports whether the entry belongs to a prune that was interrupted before
// it removed anything. Such an entry does not count either: otherwise its record
// would seem to have lost entries that still exist.
func (s *statements) idle(e *domain.Entry) bool {
	return carries(e) && !s.known(e)
}

// cut returns the cut after whose last entry a chain begins. It names the first
// prune that removed this much.
func (s *statements) cut(last domain.Entry) Cut {
	var by domain.Entry
	for _, e := range s.pruned[last.Chain] { // the newest come first
		if e.Version >= last.Seq && (by.Version == 0 || e.Version <= by.Version) {
			by = e
		}
	}
	return Cut{Chain: last.Chain, Removed: last.Seq, At: by.Time, By: by.Actor, Why: by.Reason, Request: by.RequestID, hash: last.Hash}
}
