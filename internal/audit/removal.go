package audit

import (
	"time"

	"strongroom/internal/domain"
)

// Plan is what a prune is about to do. Its entries are appended to the trail
// first: those of [Plan.Carried] in any number of transactions, then Statements
// in one, then Removals are removed.
type Plan struct {
	Report     Report // of the verification. Where it has problems, nothing is to be done
	Statements []domain.Entry
	Removals   []*Removal

	carried      []mark // the last entries of records, of those that go
	links        []link // by which they are found
	fingerprints hashKey
	key          MAC

	act    domain.Entry // who prunes, and why
	before time.Time
	chains map[string]*Removal
}

// Removal is a begin of a chain that goes.
type Removal struct {
	Chain      string
	From, UpTo int64 // the first entry that is there, and the last to go

	limit, stated int64 // the last entry that may go, and that earlier prunes said would
	ended         bool
	prev, hash    []byte // of the entry before From, and of UpTo
}

// heed makes the plan remove what earlier prunes have left.
func (p *Plan) heed(said *statements) {
	for chain, r := range p.chains {
		r.stated = said.gone[chain]
		r.limit = max(r.limit, r.stated)
	}
}

// keeps reports whether an entry stays. It is asked for each entry of a chain,
// in order.
func (p *Plan) keeps(e *domain.Entry) bool {
	r := p.chains[e.Chain]
	if r == nil || r.ended || e.Seq > r.limit || e.Seq > r.stated && !e.Time.Before(p.before) {
		if r != nil {
			r.ended = true
		}
		return true
	}
	if r.From == 0 {
		r.From, r.prev = e.Seq, e.Prev
	}
	r.UpTo, r.hash = e.Seq, e.Hash
	return false
}

// goes reports whether an entry is among those to be removed.
func (p *Plan) goes(e domain.Entry) bool {
	r := p.chains[e.Chain]
	return r != nil && e.Seq <= r.UpTo
}

// part takes the last entries of the records that are known by then, of those
// that go.
func (p *Plan) part(records *histories) {
	for h := range records.all() {
		// Of a record that is gone something must be said only where an older
		// entry stays, which would have it there.
		if h.last.place > 0 && !h.lastKept && (!h.gone() || h.kept) {
			p.carried = append(p.carried, h.last)
		}
	}
}
