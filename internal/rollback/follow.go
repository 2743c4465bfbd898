package rollback

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Several processes on one store follow each other's chains. Each remembers what
// the others wrote. So all of them detect a row that was restored to a version
// before another process's change, and a chain that was cut off.

// Each process that ever ran left chains. So that those of ended processes cost
// nothing, a look follows the chains that moved lately, and looks up a few of the
// others in turn. An idle process that runs alone only checks whether those that moved
// lately still end at their head. Every 60th look asks which of the others have new
// entries. The chains of running instances are followed with their beats.
const (
	followedEachLook = 256             // chains that moved lately: those with the newest changes
	movedLately      = 2 * time.Minute // before the first look
	looksFollowed    = 240             // looks that follow a chain after it moved
	quietEachLook    = 8               // chains
	movedEvery       = 60              // looks
	begunEvery       = 5               // looks, if the store is Spread
	entriesEachLook  = 200             // of each chain
	begunSlack       = time.Minute     // longer than a transaction, so that no new entry is missed
)

// followed is a chain that another process appends to.
type followed struct {
	head    Head
	moved   uint64 // the last look that found new entries; 0: it had none for some time before the first look
	looked  uint64 // the last look that followed it
	grown   bool   // there were new entries since the first look
	damaged bool   // it was reported that its next entry was edited or is missing
}

// description is what an entry says about a row.
type description struct {
	row     place
	version int64
	digest  uint64 // 0: the row is gone
	of      place  // the credential whose guesses the row counts; zero if it counts none, or if the entry does not name it
	carried bool   // a prune repeated the entry; the process that prunes did not write the row
}

// described is the newest version of a row that any known entry describes.
type described struct {
	version int64
	digest  uint64
	at      uint64 // when it was remembered, by the memory's clock
}

// describedBy returns what an entry says about a row, if rows of its kind are
// compared.
func describedBy(e domain.Entry) (t description, ok bool) {
	kind, id, _ := strings.Cut(e.Record, "/")
	switch kind {
	case domain.RecordAttempts, domain.RecordCredential, domain.RecordKey:
		return description{row: place{kind: kind, id: id}, version: e.Version, digest: first64(e.Digest), of: countedBy(e),
			carried: e.Event == domain.EventRecordCarried}, true
	}
	return t, false
}

// noteDescriptions remembers what durable entries say about rows. It returns an entry's
// description that contradicts an earlier one: two entries describe the same version
// differently, so that it was written twice, or a new attempt counter replaces one
// that was not erased.
func (m *memory) noteDescriptions(all []description, ofOthers bool) *description {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clock++
	for i, t := range all {
		k := m.key(t.row)
		if t.digest != 0 && (ofOthers && !t.carried && m.writtenTwice(k, t.version, false) || m.beganAnew(t)) {
			return &all[i]
		}
		was, known := m.described.get(k)
		switch {
		case t.digest == 0:
			m.described.drop(k)
		case !known || t.version > was.version:
			m.described.put(k, described{t.version, t.digest, m.clock})
		case t.version == was.version && t.digest != was.digest:
			return &all[i]
		}
	}
	return nil
}

// contradictsEntry reports whether a row is older than the version that an entry
// describes, or differs from it. began is when its transaction began, by the
// memory's clock.
func (m *memory) contradictsEntry(s state, digest func() []byte, began uint64) bool {
	k := m.key(place{kind: s.kind, id: s.record})
	m.mu.Lock()
	is, known := m.described.get(k)
	m.mu.Unlock()
	return known && is.at <= began && (s.version < is.version || s.version == is.version && first64(digest()) != is.digest)
}

// following is the chains of other processes that a look follows.
type following struct {
	moved    []followed // those that moved lately; nil: this is the first look
	quiet    []followed // some of the others, in turn: it is only checked that they still end at their heads
	andMoved bool       // the look asks which other chains have moved
	begun    bool       // the look searches for new chains, if the store is Spread
}

// following returns the chains to follow in this look. If the process is alone and idle,
// those that moved lately count as quiet.
func (m *memory) following(idle bool) following {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.look++
	if m.followed == nil {
		return following{}
	}
	moved, quiet := []followed{}, []followed(nil)
	for _, f := range m.followed {
		if f.moved > 0 && m.look-f.moved <= looksFollowed {
			moved = append(moved, f)
		} else {
			quiet = append(quiet, f)
		}
	}
	slices.SortFunc(moved, func(a, b followed) int { return cmp.Compare(b.moved, a.moved) })
	if len(moved) > followedEachLook {
		moved, quiet = moved[:followedEachLook], append(quiet, moved[followedEachLook:]...)
	}
	slices.SortFunc(quiet, func(a, b followed) int {
		return cmp.Or(cmp.Compare(a.looked, b.looked), cmp.Compare(a.head.Chain, b.head.Chain))
	})
	quiet = quiet[:min(quietEachLook, len(quiet))]
	all := slices.Concat(moved, quiet)
	for _, f := range all {
		f.looked = m.look
		m.followed[f.head.Chain] = f
	}
	if idle {
		moved, quiet = []followed{}, all
	}
	return following{moved, quiet, m.look-m.movedLook >= movedEvery, m.look-m.begunLook >= begunEvery}
}

func (m *memory) followedChain(chain string) (f followed, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, known = m.followed[chain]
	return f, known
}

func (m *memory) follows(chain string) bool {
	_, known := m.followedChain(chain)
	return known
}

// news is what a look found in the chains of others.
type news struct {
	at        time.Time // by the store's clock
	movedAt   time.Time // likewise, if it asked which chains have moved
	heads     []Head
	quiet     map[string]bool // of the heads: chains that had no new entry for some time
	described []description
	erased    []uint64  // ids of the rows that they erased
	erasedTo  time.Time // by the store's clock; zero: the look did not follow erasures
	damaged   []string
	more      bool // a chain has entries that this look did not read
}

// learn remembers what a look found. It returns an error for chains that cannot
// be followed, once for each chain.
func (m *memory) learn(n news) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	first := m.followed == nil
	if first {
		m.followed = map[string]followed{}
	}
	if !n.at.IsZero() {
		m.followedTo, m.begunLook = n.at, m.look
	}
	if !n.movedAt.IsZero() {
		m.movedTo, m.movedLook = n.movedAt, m.look
	}
	for _, h := range n.heads {
		f, known := m.followed[h.Chain]
		if known && h.Seq <= f.head.Seq {
			continue
		}
		f = followed{head: h, moved: m.look, looked: m.look, grown: !first}
		if n.quiet[h.Chain] {
			f.moved = 0
		}
		m.followed[h.Chain] = f
	}
	var err error
	for _, chain := range n.damaged {
		f := m.followed[chain]
		if !f.damaged {
			err = errors.Join(err, fmt.Errorf("chain %s of the audit trail cannot be followed after entry %d: the next one is missing or "+
				"does not match its hash; run strongroom audit verify", chain, f.head.Seq))
		}
		f.damaged, f.head.Chain = true, chain
		m.followed[chain] = f
	}
	return err
}

// lookAtChains compares the heads of this process's chains, and follows the chains of others.
func (t *tx) lookAtChains(own []Head, others following, n *news) error {
	var changed, begun []followed
	reads := []func() error{store.Into(&changed, func() ([]followed, error) { return t.lookAtHeads(own, others.quiet) })}
	if !t.s.cfg.Exclusive { // else this process appends to the only chain
		reads = append(reads, func() error { return t.follow(slices.Clip(others.moved), false, others.andMoved, n) })
	}
	if others.moved != nil && (others.begun || !t.s.cfg.Spread) {
		reads = append(reads, store.Into(&begun, func() ([]followed, error) { return t.begunSince(others.moved, n) }))
	}
	if err := t.Interleave(reads...); err != nil {
		return err
	}
	late := slices.DeleteFunc(append(changed, begun...), n.has)
	if len(late) == 0 {
		return nil
	}
	return t.follow(late, false, false, n)
}

// has reports whether this look has followed a chain.
func (n *news) has(f followed) bool {
	return slices.ContainsFunc(n.heads, func(h Head) bool { return h.Chain == f.head.Chain })
}

// follow reads what other processes have appended since the last look. The first
// look starts at the present heads. With andBegun it also looks for new chains, and
// with andMoved for known chains that have moved.
func (t *tx) follow(chains []followed, andBegun, andMoved bool, n *news) error {
	if chains == nil {
		n.at, n.movedAt = t.Now(), t.Now()
		return t.beginToFollow(n)
	}
	if andBegun {
		begun, err := t.begunSince(chains, n)
		if err != nil {
			return err
		}
		chains = append(chains, begun...)
	}
	if andMoved {
		n.movedAt = t.Now()
		moved, err := t.movedSince(chains)
		if err != nil {
			return err
		}
		chains = append(chains, moved...)
	}
	from := make([]domain.EntryPosition, 0, len(chains))
	for _, f := range chains {
		from = append(from, domain.EntryPosition{Chain: f.head.Chain, Seq: max(f.head.Seq, 1)})
	}
	found, err := t.EntriesFrom(from, entriesEachLook)
	if err != nil {
		return err
	}
	gained := map[string][]domain.Entry{}
	for _, e := range found {
		gained[e.Chain] = append(gained[e.Chain], e)
	}
	for _, f := range chains {
		if err := t.followChain(f.head, gained[f.head.Chain], n); err != nil {
			if errors.Is(err, errFound) { // this read made the finding, and was not stopped by that of another read
				t.found.again = func(t *tx) error { return t.follow(chains, false, false, &news{}) }
			}
			return err
		}
	}
	return nil
}

func (t *tx) beginToFollow(n *news) error {
	heads, err := t.Tx.Heads(time.Time{})
	if err != nil {
		return err
	}
	n.quiet = map[string]bool{}
	for _, e := range heads {
		if t.s.cfg.Own(e.Chain) {
			continue
		}
		n.heads = append(n.heads, Head{e.Chain, e.Seq, e.Hash})
		n.quiet[e.Chain] = t.Now().Sub(e.Time) > movedLately
	}
	return nil
}

// movedSince are known chains, other than these, with new entries since the last
// look that asked for them.
func (t *tx) movedSince(these []followed) (moved []followed, err error) {
	heads, err := t.Tx.Heads(t.s.memory.movedUpTo().Add(-begunSlack))
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	for _, f := range these {
		taken[f.head.Chain] = true
	}
	for _, e := range heads {
		f, known := t.s.memory.followedChain(e.Chain)
		if known && !taken[e.Chain] && e.Seq != f.head.Seq {
			moved = append(moved, f)
		}
	}
	return moved, nil
}

// begunSince are chains that began after the last look. They are followed from
// their first entry.
func (t *tx) begunSince(known []followed, n *news) (begun []followed, err error) {
	err = eachOf(t.Tx, domain.EventChainBegun, t.s.memory.followedUpTo().Add(-begunSlack), func(e domain.Entry) bool {
		is := func(f followed) bool { return f.head.Chain == e.Chain }
		if !t.s.cfg.Own(e.Chain) && !t.s.memory.follows(e.Chain) && !slices.ContainsFunc(slices.Concat(known, begun), is) &&
			t.s.cfg.Judge.GenuineEntry(e) {
			begun = append(begun, followed{head: Head{Chain: e.Chain}})
		}
		return false
	})
	n.at = t.Now() // after the read: as a first step, Now would cost a round trip
	return begun, err
}

func (m *memory) movedUpTo() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.movedTo
}

func (m *memory) followedUpTo() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.followedTo
}

// followChain reads the entries of a chain after its remembered head.
func (t *tx) followChain(last Head, entries []domain.Entry, n *news) error {
	chain := last.Chain
	pruned, page := false, len(entries)
	switch {
	case last.Seq == 0:
	case len(entries) > 0 && entries[0].Seq == last.Seq && bytes.Equal(entries[0].Hash, last.Hash):
		entries = entries[1:]
	default:
		still, err := Holds(t.Tx, last, t.s.cfg.Judge)
		if err != nil {
			return err
		}
		if !still {
			return t.findCut(chain, "entries of another process were cut off")
		}
		pruned = true
	}
	for i, e := range entries {
		if !pruned && e.Seq != last.Seq+1 || !t.s.cfg.Judge.GenuineEntry(e) {
			n.damaged = append(n.damaged, chain)
			break
		}
		if !pruned && !bytes.Equal(e.Prev, last.Hash) {
			return t.findCut(chain, "an entry of another process was replaced by another one")
		}
		if err := t.followTie(e, n); err != nil {
			return err
		}
		if id, ok := erasedBy(e); ok {
			n.erased = append(n.erased, t.s.memory.sum(id))
		}
		if described, ok := describedBy(e); ok {
			n.described = append(n.described, described)
		}
		last, pruned = Head{chain, e.Seq, e.Hash}, false
		n.more = n.more || i == len(entries)-1 && page == entriesEachLook
	}
	if last.Seq > 0 {
		n.heads = append(n.heads, last)
	}
	return nil
}

// followTie compares the head that a tie names with the chain that it ties.
func (t *tx) followTie(e domain.Entry, n *news) error {
	chain, ok := strings.CutPrefix(e.Record, domain.RecordChain+"/")
	if e.Event != domain.EventChainTied || !ok {
		return nil
	}
	tied := Head{chain, e.Version, e.Digest}
	still, err := Holds(t.Tx, tied, t.s.cfg.Judge)
	if err != nil {
		return err
	}
	if !still {
		return t.findCut(chain, "entries that another chain names were cut off")
	}
	if !t.s.cfg.Own(chain) && !t.s.memory.follows(chain) {
		n.heads = append(n.heads, tied)
	}
	return nil
}

func (t *tx) findCut(chain, what string) error {
	return t.find(place{kind: domain.RecordChain, id: chain}, domain.RecordChain+"/"+chain, what, nil)
}
