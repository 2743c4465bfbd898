package rollback

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
