package rollback

import (
	"context"
	"strings"
	"time"

	"strongroom/internal/domain"
)

const erasedSlack = time.Hour // before what was followed last, in which an erasure is looked for

// versions are those of a row of guesses that were written, by this process and
// by others: bit n stands for newest-n. Whoever puts the row back has instances
// go on from the same version. So each of them writes versions that another one
// has written too.
type versions struct {
	newest      int64
	own, others uint64
}

const versionsNoted = 64

// note notes that a version was written, and reports whether this process wrote
// it and another one too.
func (v *versions) note(version int64, own bool) (twice bool) {
	if newer := version - v.newest; newer > 0 {
		v.newest, v.own, v.others = version, v.own<<newer, v.others<<newer
	}
	back := v.newest - version
	if back >= versionsNoted {
		return false
	}
	if own {
		v.own |= 1 << back
	} else {
		v.others |= 1 << back
	}
	return v.own&v.others != 0
}

// writtenTwice notes a version of the row of this key. The caller holds mu.
func (m *memory) writtenTwice(k uint64, version int64, own bool) bool {
	v, _ := m.versions.get(k)
	twice := v.note(version, own)
	m.versions.put(k, v)
	return twice
}

// wroteVersions notes rows of guesses that this process has written, which is
// known to be durable. It returns one that another process has written too.
func (m *memory) wroteVersions(all []telling) *telling {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, t := range all {
		if m.writtenTwice(m.key(t.row), t.version, true) {
			return &all[i]
		}
	}
	return nil
}

// countedBy is whose guesses the row counts that an entry tells of. Entries
// that count as an operation say so.
func countedBy(e domain.Entry) (of place) {
	kind, _, _ := strings.Cut(e.Record, "/")
	if kind != domain.RecordAttempts || len(e.Account) == 0 {
		return of
	}
	switch e.Operation {
	case domain.OpSetPasscode, domain.OpVerifyPasscode:
		return place{kind, string(e.Account), string(domain.Passcode)}
	case domain.OpSetPIN, domain.OpVerifyPIN:
		return place{kind, string(e.Account), string(domain.TransactionPIN)}
	}
	return of
}

// beganAnew notes the row that counts someone's guesses. It reports whether that
// is another one than before, though neither was erased. The caller holds mu.
func (m *memory) beganAnew(t telling) bool {
	if t.of == (place{}) {
		return false
	}
	of, is := m.key(t.of), m.sum(t.row.id)
	was, known := m.ledgers.get(of)
	_, wasErased := m.erased.get(was)
	_, isErased := m.erased.get(is)
	switch {
	case isErased && known: // entries of several chains are not read in their order
		return false
	case known && was != is && !wasErased:
		return true
	}
	m.ledgers.put(of, is)
	return false
}

// contradiction remembers what entries tell, and returns what contradicts what
// is known. A row may have been erased by a process that was not followed so far.
func (s *Store) contradiction(ctx context.Context, all []telling, ofOthers bool) (*telling, error) {
	again := s.memory.tell(all, ofOthers)
	if again == nil || again.of == (place{}) {
		return again, nil
	}
	if err := s.FollowErasures(ctx, s.memory.followedUpTo().Add(-erasedSlack)); err != nil {
		return nil, err
	}
	return s.memory.tell(all, ofOthers), nil
}

// followedOf are the chains of these instances, and whether chains that have
// begun must be looked for, because one of them has none yet.
func (m *memory) followedOf(instances map[string]*peer) (chains []followed, andBegun bool) {
	m.mu.Lock()
	known := m.followed != nil
	of := map[string]bool{}
	chains = []followed{}
	for name, f := range m.followed {
		instance, _ := split(name)
		if _, is := instances[instance]; is {
			chains, of[instance] = append(chains, f), true
		}
	}
	m.mu.Unlock()
	if known && len(of) == len(instances) {
		return chains, false
	}
	return m.following(), true
}

// readOf are the newest entries that are remembered of the chains of these
// instances.
func (m *memory) readOf(instances map[string]*peer) map[string]entries {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := map[string]entries{}
	for instance := range instances {
		all[instance] = entries{}
	}
	add := func(chain string, seq int64) {
		if instance, rest := split(chain); all[instance] != nil {
			all[instance][rest] = seq
		}
	}
	for chain, f := range m.followed {
		add(chain, f.head.Seq)
	}
	for name, c := range m.chains {
		add(name, c.newest.Seq)
	}
	return all
}

// reaches reports whether an instance's chains are remembered up to these
// entries.
func (m *memory) reaches(instance string, heads entries) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for rest, seq := range heads {
		if m.followed[instance+"/"+rest].head.Seq < seq {
			return false
		}
	}
	return true
}
