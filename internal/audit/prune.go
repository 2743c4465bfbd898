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

// Retention: the oldest entries of each chain can be removed. The remaining trail
// proves the same about the rows as the whole trail did. A prune
//
//  1. verifies the trail, and every row against it. If it finds a problem, it
//     stops;
//  2. writes record.carried for each record whose last entry will be removed. It
//     repeats that entry;
//  3. writes the statements, in one transaction: chain.verified for each chain,
//     with the head that the verification saw, and audit.pruned for each chain
//     that is cut, with the last entry that will be removed;
//  4. removes entries, the oldest first, and never the newest of a chain.
//
// All of these are ordinary entries, hashed under the key. Without the key,
// nobody can make a chain begin later than it was cut, or change the state with
// which a record's history begins. A kill between two steps leaves a trail that
// verifies: a carried entry counts only together with the statements of the same
// run, which has one request id. After step 3, the entries up to the cut are no longer
// part of the trail, and any of them may be missing. The next prune removes the others.
//
// Statements grow old too. Before a prune removes one that is still needed, it
// writes it again.

// PlanPrune verifies the trail. Then it plans to remove the entries of each chain
// up to the first one that is not older than before(chain). limit returns the last
// entry of a chain that may be removed: nobody needs it or an earlier one any more.
// act says who prunes and why; no other prune may have its request id.
func PlanPrune(r Reader, key MAC, home string, before func(chain string) time.Time, act domain.Entry,
	limit func(chain string) (int64, error), progress func(Progress),
) (*Plan, error) {
	p := &Plan{key: key, act: act, chains: map[string]*Removal{}}
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
		p.chains[chain] = &Removal{Chain: chain, before: before(chain), limit: min(most, head.Seq-1)}
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

// due reports whether any chain begins with an entry that may be removed. If none
// does, no verification is needed.
func (p *Plan) due(r Reader) (due bool, err error) {
	for chain, removal := range p.chains {
		err := r.EachEntry(chain, 0, func(e domain.Entry) error {
			removal.first = e.Seq
			due = due || e.Seq <= removal.limit && e.Time.Before(removal.before)
			return errStop
		})
		if err != nil && !errors.Is(err, errStop) {
			return false, err
		}
	}
	return due, nil
}

// conclude decides what to write, once the trail is verified.
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
		return // only what an earlier prune left: its statements exist
	}
	slices.SortFunc(p.carried, func(x, y mark) int { return cmp.Compare(x.place, y.place) })
	p.links, p.fingerprints = v.links, v.fingerprints
	for _, head := range v.report.Heads {
		p.state(v.said, head)
	}
}

// Carried returns the entries that repeat others before they are removed: at most
// limit, from the index from on. It reads the others again, and fails if they
// differ from those that were verified.
func (p *Plan) Carried(r Source, from, limit int) (entries []domain.Entry, err error) {
	next := p.carried[min(from, len(p.carried)):min(from+limit, len(p.carried))]
	for len(next) > 0 {
		chain, seq := entryAt(p.links, next[0].place)
		before := len(next)
		err := r.EachEntry(chain, seq-1, func(e domain.Entry) error {
			switch {
			case e.Seq < seq:
				return nil
			case e.Seq > seq || !Genuine(p.key, e):
				return errChanged(chain, seq)
			}
			last := ofRow(e)
			if p.fingerprints.row(last.Record, last.Digest) != next[0].row {
				return errChanged(chain, seq)
			}
			entries = append(entries, p.carry(&last))
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
	e.Account, e.Device = last.Account, last.Device // a move finds it by them
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

// state writes the new statements about a chain, and repeats those that would be
// removed.
func (p *Plan) state(said *statements, head Head) {
	e := p.act
	e.Record = domain.RecordChain + "/" + head.Chain
	stays := func(about []domain.Entry, upTo int64) bool {
		return slices.ContainsFunc(about, func(e domain.Entry) bool { return e.Version == upTo && !p.goes(e) })
	}
	// What a destroyed data key protects needs a statement under another one (see
	// unbound). Otherwise, the first entry of a chain needs none: it is about no record.
	verified := slices.DeleteFunc(slices.Clone(said.verified[head.Chain]), func(e domain.Entry) bool { return p.key.Past(e.Hash) })
	if (head.Seq > 1 || p.key.Past(head.Hash)) && !stays(verified, head.Seq) {
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

// Count is how many entries the plan removes, including those that an earlier prune left.
func (p *Plan) Count() (entries int64) {
	for _, r := range p.Removals {
		entries += r.UpTo - r.first + 1
	}
	return entries
}

// Next returns the next entries that will be removed, at most limit, so that they
// can be archived. It returns none at the end, and fails if they differ from those
// that were verified.
func (r *Removal) Next(from Source, key MAC, after domain.Entry, limit int) ([]domain.Entry, error) {
	if after.Seq < r.From {
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
