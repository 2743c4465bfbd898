package rollback

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Instances on one store report to each other what they have read. A wrong verdict is
// given only after all other running instances remember its entry in the trail
// (see [Store.Acknowledged]). From then on each of them detects it if the entry,
// or the row that it describes, is put back. So all instances together give no
// more wrong verdicts than one.

const (
	beatLease  = 6 * time.Second  // an instance whose beat does not change for this long counts as dead
	beatMargin = time.Second      // it counts itself as dead this much earlier
	beatEvery  = 2 * time.Second  // the longest time between two beats
	beatKept   = 10 * time.Minute // other instances remove a beat of this age, by the store's clock

	// How often beats are read while other instances run. A wrong verdict waits about
	// as long. While no other instance runs, this process reads them when it writes its own.
	beatsBeside = 150 * time.Millisecond

	mineKept = 16 // values of this process's beat: the durable one, and the newest of those tried since
)

// Beats is what an instance needs to show others that it runs.
type Beats struct {
	// Instance is its name. The names of its chains are this name, a slash and more.
	Instance string
	MAC      func(beat []byte) []byte
	Genuine  func(beat, mac []byte) bool
	// Elapsed is a monotonic clock: setting the machine's clock does not change it.
	Elapsed func() time.Duration
}

// peer is what is known about another instance.
type peer struct {
	number  int64
	at      time.Time     // when its beat was written, by the store's clock
	changed time.Duration // when it was last found changed, by [Beats.Elapsed]
	gone    bool          // it gives no more verdicts
	read    entries       // the newest entries of this process's chains that it remembers
}

// beats is safe for concurrent use.
type beats struct {
	Beats
	begun atomic.Bool

	mu        sync.Mutex
	peers     map[string]*peer   // guarded by mu, as all below
	tried     int64              // number of this process's newest beat, durable or not
	durable   int64              // number of its newest durable beat
	mine      [][]byte           // the values of the durable beat and of those tried since
	at        time.Time          // when the durable beat was written, by the store's clock
	wrote     time.Duration      // when this process began to write the durable beat
	fresh     time.Duration      // wrote of the newest beat after which other instances were looked for; 0: none
	published map[string]entries // what the durable beat says about other instances
	changed   chan struct{}      // closed when any of these fields may have changed

	notified bool // the other instances were notified of the rollback; only Beat uses it
}

// BeginBeats makes this process an instance that others wait for. Call it before
// other goroutines use the Store. Then call Beat at once, and again after each
// BeatAfter.
func (s *Store) BeginBeats(b Beats) {
	s.beats.Beats, s.beats.peers, s.beats.changed = b, map[string]*peer{}, make(chan struct{})
	s.beats.begun.Store(true)
}

// BeatAfter returns how long after a Beat the next one is due.
func (s *Store) BeatAfter() time.Duration {
	b := &s.beats
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.isAlone() { // soon again if the beat that is due could not be written
		return max(b.wrote+beatEvery-b.Elapsed(), beatsBeside)
	}
	return beatsBeside
}

// isAlone reports whether no other instance runs, as far as this one knows and can rely
// on. The caller holds mu.
func (b *beats) isAlone() bool { return len(b.living()) == 0 && b.isFresh() }

func (b *beats) alone() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.isAlone()
}

// living returns the other instances that may give verdicts. The caller holds mu.
func (b *beats) living() map[string]*peer {
	all := map[string]*peer{}
	for instance, p := range b.peers {
		if !p.gone && b.Elapsed()-p.changed < beatLease {
			all[instance] = p
		}
	}
	return all
}

// Beating reports whether this process wrote a beat in the last 5 s, which shows that the
// store accepted writes, and no rollback was detected. It is false without beats.
func (s *Store) Beating() bool {
	b := &s.beats
	b.mu.Lock()
	defer b.mu.Unlock()
	return !s.Seen() && b.isFresh()
}

// isFresh reports that no other instance can count this one as dead since it
// looked for others. The caller holds mu.
func (b *beats) isFresh() bool { return b.fresh > 0 && b.Elapsed()-b.fresh < beatLease-beatMargin }

// Beat reads the beats and chains of other instances, and writes this process's
// beat if that is due. Only one goroutine may call it.
func (s *Store) Beat(ctx context.Context) error {
	defer s.beats.broadcast()
	if s.Seen() {
		return s.notifySeen(ctx)
	}
	if s.beats.alone() {
		return s.beatAlone(ctx)
	}
	for more := true; more; { // other instances wait until their newest entries are read
		var err error
		if more, err = s.readBeats(ctx); err != nil {
			return err
		}
		more = more && !s.beats.isDue()
	}
	if read, due := s.toPublish(); due {
		return s.writeBeat(ctx, running, read, (*tx).ownBeat)
	}
	return nil
}

// beatAlone writes this process's beat if that is due, and looks for other instances in
// the same transaction.
func (s *Store) beatAlone(ctx context.Context) error {
	b := &s.beats
	if !b.isDue() {
		return nil
	}
	b.mu.Lock()
	wrote := b.wrote
	b.mu.Unlock()
	var found map[string]beat
	err := s.writeBeat(ctx, running, nil, func(t *tx) (err error) {
		found, err = t.beats()
		return err
	})
	if err == nil {
		s.noteBeats(found, wrote)
	}
	return err
}

// readBeats reads the beats and the chains of other instances. It reports whether they have
// appended more than it read.
func (s *Store) readBeats(ctx context.Context) (more bool, err error) {
	b := &s.beats
	b.mu.Lock()
	wrote, living := b.wrote, b.living()
	b.mu.Unlock()
	chains, all := s.memory.followedOf(living)
	var found map[string]beat
	var n news
	err = s.view(ctx, func(t *tx) error {
		n = news{}
		if chains != nil { // the first look takes two steps
			t.Final() // if it then finds more to read, the View runs again
		}
		return t.Interleave(store.Into(&found, t.beats), func() error {
			if len(chains) == 0 && !all {
				return nil
			}
			return t.follow(chains, all, false, &n)
		})
	})
	if err != nil {
		return false, err
	}
	// Before noteBeats, which trusts a beat only if the entries that it names are
	// remembered.
	if err := s.adopt(ctx, n); err != nil {
		return false, err
	}
	s.noteBeats(found, wrote)
	return n.more, nil
}

// adopt remembers what was read from the chains of others.
func (s *Store) adopt(ctx context.Context, n news) error {
	s.memory.erase(n.erased)
	again, err := s.contradiction(ctx, n.described, true)
	if err != nil {
		return err
	}
	if again != nil {
		s.detected(again.row.kind+"/"+again.row.id, "a version of the row was written by two processes")
		return ErrSeen
	}
	return s.memory.learn(n)
}

// noteBeats notes the beats that were found. wrote is when this process wrote the beat
// that preceded the search.
func (s *Store) noteBeats(found map[string]beat, wrote time.Duration) {
	b := &s.beats
	alarm := ""
	b.mu.Lock()
	now := b.Elapsed() // after the read, so that an instance counts itself as dead before others do
	living := b.living()
	maps.DeleteFunc(b.peers, func(instance string, _ *peer) bool {
		_, there := found[instance]
		return !there && living[instance] == nil
	})
	for instance, of := range found {
		p := b.peers[instance]
		switch {
		case p == nil:
			p = &peer{number: of.Number, changed: now, gone: of.Condition != running}
			b.peers[instance] = p
		case of.Number > p.number:
			p.number, p.changed, p.gone = of.Number, now, of.Condition != running
			if of.Condition == detected {
				alarm = instance
			}
		case of.Number < p.number:
			continue
		}
		p.at = domain.FromMicros(of.At)
		if s.memory.reaches(instance, of.Heads) {
			p.read = of.Read[b.Instance]
		}
	}
	b.fresh = wrote
	b.mu.Unlock()
	if alarm != "" {
		s.detected(domain.RecordSetting+"/"+BeatPrefix+alarm, "another instance detected that the database was put back")
	}
}

// dueByTime reports whether this process's beat must be written now, even if it
// says nothing new. The caller holds mu.
func (b *beats) dueByTime() bool { return b.durable == 0 || b.Elapsed()-b.wrote >= beatEvery }

func (b *beats) isDue() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.dueByTime()
}

// toPublish returns what this process remembers of other instances, and whether its
// next beat is due.
func (s *Store) toPublish() (read map[string]entries, due bool) {
	b := &s.beats
	b.mu.Lock()
	defer b.mu.Unlock()
	read = s.memory.readOf(b.living())
	return read, b.dueByTime() || !maps.EqualFunc(read, b.published, maps.Equal)
}

// writeBeat runs check and writes a beat, in one transaction. If check fails, it writes
// nothing. The beat that reports a rollback is written without check.
func (s *Store) writeBeat(ctx context.Context, c condition, read map[string]entries, check func(*tx) error) error {
	b := &s.beats
	began, number := b.next()
	own := s.memory.readOf(map[string]*peer{b.Instance: nil})[b.Instance]
	of := beat{Instance: b.Instance, Number: number, Condition: c, Heads: own, Read: read}
	var value []byte
	var at time.Time
	var err error
	if c == detected {
		err = s.UpdateAnyway(ctx, func(tx store.Tx) (err error) {
			value, at, err = b.put(tx, of)
			return err
		})
	} else {
		err = s.update(ctx, func(t *tx) error {
			if err := check(t); err != nil {
				return err
			}
			if err := t.removeEnded(); err != nil {
				return err
			}
			value, at, err = b.put(t, of)
			return err
		})
	}
	if err != nil {
		if value != nil {
			b.noteTried(value)
		}
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.durable, b.mine, b.at, b.wrote, b.published = number, [][]byte{value}, at, began, read
	return nil
}

func (b *beats) next() (began time.Duration, number int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tried++
	return b.Elapsed(), b.tried
}

// notifySeen notifies the other instances of a rollback, once.
func (s *Store) notifySeen(ctx context.Context) error {
	if s.beats.notified {
		return nil
	}
	err := s.writeBeat(ctx, detected, nil, (*tx).ownBeat)
	s.beats.notified = err == nil
	return err
}

// EndBeats informs the other instances that this process gives no more verdicts,
// so that they do not wait for it. Do not call Beat after it.
func (s *Store) EndBeats(ctx context.Context) error {
	if !s.beats.begun.Load() || s.Seen() {
		return nil
	}
	return s.writeBeat(ctx, ended, nil, (*tx).ownBeat)
}
