package rollback

import (
	"context"
	"strings"
	"time"

	"strongroom/internal/domain"
)

const erasedSlack = time.Hour // an erasure is looked for from this long before the last look

// versions are the versions of an attempt counter that this process and others
// wrote: bit n is version newest-n. If someone puts the row back, instances
// continue from the same version. Each of them then writes versions that another
// one has written too.
type versions struct {
	newest      int64
	own, others uint64
}

const versionsNoted = 64

// note remembers that a version was written, and reports whether both this
// process and another one wrote some version.
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

// writtenTwice remembers a version of the row with key k, and reports what note
// reports. The caller holds mu.
func (m *memory) writtenTwice(k uint64, version int64, own bool) bool {
	v, _ := m.versions.get(k)
	twice := v.note(version, own)
	m.versions.put(k, v)
	return twice
}

// wroteVersions remembers the attempt counters that a durable transaction of this
// process wrote. It returns one that another process has written too.
func (m *memory) wroteVersions(all []description) *description {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, t := range all {
		if m.writtenTwice(m.key(t.row), t.version, true) {
			return &all[i]
		}
	}
	return nil
}

// countedBy returns the credential whose guesses are counted in the row that an
// entry describes. It is zero if the entry names no operation on a credential.
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
	case domain.OpAuthorize: // of both types: its entry says which
		return place{kind, string(e.Account), e.Reason}
	}
	return of
}

// beganAnew remembers which row counts the guesses at a credential. It reports
// whether another row did before, and neither of them was erased. The caller
// holds mu.
func (m *memory) beganAnew(t description) bool {
	if t.of == (place{}) {
		return false
	}
	of, is := m.key(t.of), m.sum(t.row.id)
	was, known := m.counters.get(of)
	_, wasErased := m.erased.get(was)
	_, isErased := m.erased.get(is)
	switch {
	case isErased && known: // entries of different chains are read in any order
		return false
	case known && was != is && !wasErased:
		return true
	}
	m.counters.put(of, is)
	return false
}

// contradiction remembers what entries say about rows, and returns one that
// contradicts an earlier one. If an attempt counter began anew, it first reads the
// newest erasures: another process may have erased the old attempt counter.
func (s *Store) contradiction(ctx context.Context, all []description, ofOthers bool) (*description, error) {
	again := s.memory.noteDescriptions(all, ofOthers)
	if again == nil || again.of == (place{}) {
		return again, nil
	}
	if err := s.FollowErasures(ctx, s.memory.followedUpTo().Add(-erasedSlack)); err != nil {
		return nil, err
	}
	return s.memory.noteDescriptions(all, ofOthers), nil
}

// followedOf returns the chains of these instances. andBegun says that an
// instance has no known chain yet, so new chains must be looked for.
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
	others := m.following(false)
	return append(others.moved, others.quiet...), true
}

// readOf returns the newest remembered entries of the chains of these instances.
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
