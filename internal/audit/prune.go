package audit

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"strongroom/internal/domain"
)

// Retention: the oldest entries of each chain can be removed, and what is left
// proves as much about the rows as before. A prune
//
//  1. verifies the trail and every row against it, and does nothing when it
//     finds anything;
//  2. writes record.carried for each record whose last entry is to go: what
//     that entry said of it, again;
//  3. writes, in one transaction, chain.verified for each chain, which holds
//     the head that the verification saw, and audit.pruned for each chain that
//     is cut, which holds the last entry that goes;
//  4. removes entries, the oldest first, and never the newest of a chain.
//
// All of these are entries like any other, hashed under the key: nobody
// without it can make a chain begin later than it was cut, or a record's
// history begin with anything but what the verification saw. A kill between
// any two steps leaves a trail that verifies: carried entries count only with
// the statements of the same run behind them, which is known by its request
// id, and after step 3 every begin up to the cut is a good one. The next prune
// removes what was left.
//
// The statements themselves grow old. Before one is removed that is still
// needed, the prune makes it anew.

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

const statementsPage = 1000

// readStatements reads what prunes said. One that is kept from it is missed by
// whatever needs it: it cannot make a trail better than it is.
func readStatements(r Reader, key MAC) (*statements, error) {
	s := &statements{map[string][]domain.Entry{}, map[string][]domain.Entry{}, map[string]int64{}, map[string]int64{}, map[string]bool{}}
	read := func(event domain.Event, all map[string][]domain.Entry, last map[string]int64) error {
		return eachOf(r, event, func(e domain.Entry) {
			if chain, ok := tells(key, e); ok {
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

// eventReader reads the entries of one rare event.
type eventReader interface {
	EntriesOfEvent(event domain.Event, from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error)
}

// eachOf calls fn for the entries of a rare event, newest first.
func eachOf(r eventReader, event domain.Event, fn func(domain.Entry)) error {
	var below domain.EntryPosition
	for {
		page, err := r.EntriesOfEvent(event, time.Time{}, below, statementsPage)
		if err != nil {
			return fmt.Errorf("reading what prunes of the audit trail said: %w", err)
		}
		for _, e := range page {
			fn(e)
		}
		if len(page) < statementsPage {
			return nil
		}
		last := page[len(page)-1]
		below = domain.EntryPosition{Time: last.Time, Chain: last.Chain, Seq: last.Seq}
	}
}

// tells reports whether e is an entry of the trail, and which chain it is about.
func tells(key MAC, e domain.Entry) (chain string, ok bool) {
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

// Cut says that the oldest entries of a chain were removed by a prune, and by
// which.
type Cut struct {
	Chain   string
	Removed int64 // the entries 1 to Removed are gone
	At      time.Time
	By      string // the actor
	Why     string // the reason that was given
	Request string // the request id of the entry that says so

	// Archived is the first of the removed entries from which on all were found
	// in archives, and 0 if none were looked through.
	Archived int64

	hash      []byte // of the last entry removed
	pins      []pin  // entries before it that checkpoints hold
	unchecked int    // more of them, of before the archives begin
}

// Unchecked is how many entries that checkpoints hold are among those removed,
// so that nothing is left to hold against them, but for those in archives.
func (c Cut) Unchecked() int { return len(c.pins) + c.unchecked }

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

// PruneSource is what planning a prune reads, on one snapshot of the store.
type PruneSource interface {
	Reader
	LastEntry(chain string) (domain.Entry, error)
}

// PlanPrune verifies the trail and plans to remove, of each chain, the entries
// before the first one that is not older than before, but none that limit
// keeps: it says up to which entry all was taken out that others need. act is
// who does it and why; its request id must be that of no other prune.
func PlanPrune(r PruneSource, key MAC, home string, before time.Time, act domain.Entry,
	limit func(chain string) (int64, error), progress func(Progress),
) (*Plan, error) {
	p := &Plan{key: key, act: act, before: before, chains: map[string]*Removal{}}
	chains, err := r.Chains()
	if err != nil {
		return nil, err
	}
	for _, chain := range chains {
		head, err := r.LastEntry(chain)
		if err != nil {
			return nil, fmt.Errorf("reading the head of the audit trail: %v", err)
		}
		most, err := limit(chain)
		if err != nil {
			return nil, err
		}
		p.chains[chain] = &Removal{Chain: chain, limit: min(most, head.Seq-1)}
	}
	due, err := p.due(r)
	if err != nil || !due {
		return p, err
	}
	v := newVerifier(key, &Held{}, progress)
	v.plan = p
	if p.Report, err = v.verify(r, home); err != nil || len(p.Report.Problems) > 0 {
		return p, err
	}
	p.conclude(v)
	return p, nil
}

// due reports whether any chain begins with an entry that may go: where none
// does, nothing need be verified.
func (p *Plan) due(r Reader) (bool, error) {
	for chain, removal := range p.chains {
		due := false
		err := r.EachEntry(chain, 0, func(e domain.Entry) error {
			due = e.Seq <= removal.limit && e.Time.Before(p.before)
			return errStop
		})
		if err != nil && !errors.Is(err, errStop) {
			return false, err
		}
		if due {
			return true, nil
		}
	}
	return false, nil
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

// conclude decides, after the trail was verified, what is to be written.
func (p *Plan) conclude(v *verifier) {
	more := false
	for _, chain := range slices.Sorted(maps.Keys(p.chains)) {
		if r := p.chains[chain]; r.UpTo > 0 {
			p.Removals = append(p.Removals, r)
			more = more || r.UpTo > r.stated
		}
	}
	if !more {
		p.carried = nil
		return // what an earlier prune left is to be removed: it has said all
	}
	slices.SortFunc(p.carried, func(x, y mark) int { return cmp.Compare(x.place, y.place) })
	p.links, p.fingerprints = v.links, v.fingerprints
	for _, head := range v.report.Heads {
		p.state(v.said, head)
	}
}

// Carried returns the entries that say again what others said that go, at most
// limit of them from the one with this index on. Those others are read again,
// and it fails when they are not those that were verified.
func (p *Plan) Carried(r Source, from, limit int) (entries []domain.Entry, err error) {
	next := p.carried[min(from, len(p.carried)):min(from+limit, len(p.carried))]
	for len(next) > 0 {
		chain, seq := entryAt(p.links, next[0].place)
		before := len(next)
		err := r.EachEntry(chain, seq-1, func(e domain.Entry) error {
			switch {
			case e.Seq < seq:
				return nil
			case e.Seq > seq || !Genuine(p.key, e) || p.fingerprints.of(e.Digest) != next[0].row:
				return errChanged(chain, seq)
			}
			entries = append(entries, p.carry(&e))
			if next = next[1:]; len(next) == 0 {
				return errStop
			}
			var same string
			if same, seq = entryAt(p.links, next[0].place); same != chain || seq > e.Seq+readOn {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			return nil, err
		}
		if err == nil && len(next) > 0 && before == len(next) {
			return nil, errChanged(chain, seq)
		}
	}
	return entries, nil
}

func (p *Plan) carry(last *domain.Entry) domain.Entry {
	e := p.act
	e.Event, e.Reason, e.Record, e.Before, e.Digest = domain.EventRecordCarried, "", last.Record, last.Digest, last.Digest
	if isPlan(last.Record) {
		e.Event = domain.EventRotationCarried
	}
	if len(last.Digest) > 0 {
		e.Version = last.Version
	}
	return e
}

func errChanged(chain string, seq int64) error {
	return fmt.Errorf("entry %d of chain %s of the audit trail was changed while it was pruned: run strongroom audit verify", seq, printable(chain))
}

// state makes the statements about a chain that are new, and anew those that
// would go.
func (p *Plan) state(said *statements, head Head) {
	e := p.act
	e.Record = domain.RecordChain + "/" + head.Chain
	stays := func(about []domain.Entry, upTo int64) bool {
		return slices.ContainsFunc(about, func(e domain.Entry) bool { return e.Version == upTo && !p.goes(e) })
	}
	// The first entry of a chain tells of no record.
	if head.Seq > 1 && !stays(said.verified[head.Chain], head.Seq) {
		e.Event, e.Reason, e.Version, e.Digest = domain.EventChainVerified, "", head.Seq, head.Hash
		p.Statements = append(p.Statements, e)
	}
	upTo, hash := p.chains[head.Chain].UpTo, p.chains[head.Chain].hash
	if old := newest(said.pruned[head.Chain]); old.Version >= upTo {
		upTo, hash = old.Version, old.Digest
	}
	if upTo > 0 && !stays(said.pruned[head.Chain], upTo) {
		e.Event, e.Reason, e.Version, e.Digest = domain.EventPruned, p.act.Reason, upTo, hash
		p.Statements = append(p.Statements, e)
	}
}

// Count is how many entries the plan removes.
func (p *Plan) Count() (entries int64) {
	for _, r := range p.Removals {
		entries += r.UpTo - r.From + 1
	}
	return entries
}

// Next returns the entries to be removed that follow, at most limit, to be kept
// elsewhere. It returns none at the end, and fails when they are not those that
// were verified.
func (r *Removal) Next(from Source, key MAC, after domain.Entry, limit int) ([]domain.Entry, error) {
	if after.Seq == 0 {
		after.Seq, after.Hash = r.From-1, r.prev
	}
	var next []domain.Entry
	err := from.EachEntry(r.Chain, after.Seq, func(e domain.Entry) error {
		if e.Seq > r.UpTo || len(next) == limit {
			return errStop
		}
		good := e.Seq == after.Seq+1 && bytes.Equal(e.Prev, after.Hash) && Genuine(key, e)
		if !good || e.Seq == r.UpTo && !bytes.Equal(e.Hash, r.hash) {
			return errChanged(r.Chain, after.Seq+1)
		}
		next, after = append(next, e), e
		return nil
	})
	if err != nil && !errors.Is(err, errStop) {
		return nil, err
	}
	return next, nil
}
