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
