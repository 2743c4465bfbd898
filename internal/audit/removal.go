package audit

import (
	"time"

	"strongroom/internal/domain"
)

// Plan is what a prune will do: first append the entries of [Plan.Carried], in any
// number of transactions, then append Statements in one transaction, then remove
// Removals.
type Plan struct {
	Report     Report // of the verification. If it has problems, nothing may be removed
	Statements []domain.Entry
	Removals   []*Removal

	carried      []mark // the last entries of records, if they will be removed
	links        []link // to find them
	fingerprints hashKey
	key          MAC

	act    domain.Entry // who prunes, and why
	chains map[string]*Removal
}

// Removal is the part of a chain, from its first entry on, that will be removed.
type Removal struct {
	Chain string
	// From and UpTo are the first and the last entry that this prune removes. If it only
	// removes entries that an earlier prune left, UpTo is the last of those, and From is
	// UpTo+1.
	From, UpTo int64

	before        time.Time // older entries will be removed
	first         int64     // the first entry that is stored
	limit, stated int64     // the last entry that may be removed, and the last that earlier prunes announced
	ended         bool
	prev, hash    []byte // of the entry before From, and of UpTo
}

// heed makes the plan remove also what earlier prunes announced and left.
func (p *Plan) heed(said *statements) {
	for chain, r := range p.chains {
		r.stated = said.gone[chain]
		if r.first <= r.stated {
			r.From, r.UpTo = r.stated+1, r.stated
		}
	}
}

// keeps reports whether an entry stays. Call it for each entry of a chain, in
// order.
func (p *Plan) keeps(e *domain.Entry) bool {
	r := p.chains[e.Chain]
	if r == nil || r.ended || e.Seq > r.limit || !e.Time.Before(r.before) {
		if r != nil {
			r.ended = true
		}
		return true
	}
	if r.UpTo <= r.stated {
		r.From, r.prev = e.Seq, e.Prev
	}
	r.UpTo, r.hash = e.Seq, e.Hash
	return false
}

// goes reports whether an entry will be removed.
func (p *Plan) goes(e domain.Entry) bool {
	r := p.chains[e.Chain]
	return r != nil && e.Seq <= r.UpTo
}

// part notes the records of one part whose last entry will be removed.
func (p *Plan) part(records *histories) {
	for h := range records.all() {
		// A deleted record needs an entry only if an older one stays: without
		// it, the older entry would say that the record exists.
		if h.last.place > 0 && !h.lastKept && (!h.gone() || h.kept) {
			p.carried = append(p.carried, h.last)
		}
	}
}
