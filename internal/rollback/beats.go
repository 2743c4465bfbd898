package rollback

import (
	"context"
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Instances on one store tell each other what they have read. A wrong verdict is
// answered only once all others that run remember the entry that tells of it
// (see [Store.Acknowledged]). From then on each of them notices when the rows
// and chains are put back that it stands in. So instances together give no more
// wrong verdicts than one.

const (
	beatLease  = 6 * time.Second  // an instance whose beat stands still for so long is taken for dead by others
	beatMargin = time.Second      // and so much earlier by itself
	beatEvery  = 2 * time.Second  // at the latest
	beatBuried = 10 * time.Minute // after which others remove it, by the store's clock

	// How often beats are read, beside others and alone. A wrong verdict waits
	// about as long as the first.
	beatsBeside = 150 * time.Millisecond
	beatsAlone  = 500 * time.Millisecond
)

// Beats is what an instance needs to tell others that it runs.
type Beats struct {
	// Instance is its name. Those of its chains are the same with a slash and more.
	Instance string
	MAC      func(beat []byte) []byte
	Genuine  func(beat, mac []byte) bool
	// Elapsed is the time that has passed, by a clock that nobody can set.
	Elapsed func() time.Duration
}

// peer is what is known of another instance.
type peer struct {
	number  int64
	at      time.Time     // when its beat was written, by the store's clock
	changed time.Duration // when it was last found changed, by a clock that nobody can set
	gone    bool          // it gives no verdicts any more
	read    entries       // of this process's chains
}

// beats is safe for concurrent use.
type beats struct {
	Beats
	begun atomic.Bool

	mu        sync.Mutex
	peers     map[string]*peer   // guarded by mu, as all below
	tried     int64              // the number of this process's newest beat, durable or not
	durable   int64              // that of the newest one that is known to be durable
	at        time.Time          // when that was written, by the store's clock
	wrote     time.Duration      // when this process began to write it
	fresh     time.Duration      // the same of the newest one after which others were looked for; 0: none
	published map[string]entries // what it says of others
	changed   chan struct{}      // closed when any of this may be another

	told bool // of Beat: the others were told that the database was put back
}

// BeginBeats makes this process an instance that others wait for. Call it before
// there is a second goroutine, and Beat at once and each time that it is due.
func (s *Store) BeginBeats(b Beats) {
	s.beats.Beats, s.beats.peers, s.beats.changed = b, map[string]*peer{}, make(chan struct{})
	s.beats.begun.Store(true)
}

// BeatAfter is how long after a Beat the next one is due.
func (s *Store) BeatAfter() time.Duration {
	b := &s.beats
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.living()) > 0 || !b.isFresh() {
		return beatsBeside
	}
	return beatsAlone
}

// living are the others that may give verdicts. The caller holds mu.
func (b *beats) living() map[string]*peer {
	all := map[string]*peer{}
	for instance, p := range b.peers {
		if !p.gone && b.Elapsed()-p.changed < beatLease {
			all[instance] = p
		}
	}
	return all
}

// isFresh reports whether no other instance can have taken this one for dead
// since it looked for others. The caller holds mu.
func (b *beats) isFresh() bool { return b.fresh > 0 && b.Elapsed()-b.fresh < beatLease-beatMargin }

// numbers are those of the beats of others that run.
func (b *beats) numbers() map[string]int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := map[string]int64{}
	for instance, p := range b.living() {
		all[instance] = p.number
	}
	return all
}

// own is what this process knows of its own beat.
func (b *beats) own() (at time.Time, durable, tried int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.at, b.durable, b.tried
}

func (b *beats) longGone(now time.Time) (all []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	live := b.living()
	for instance, p := range b.peers {
		if live[instance] == nil && now.Sub(p.at) > beatBuried {
			all = append(all, instance)
		}
	}
	return all
}

// Beat reads the beats and chains of others, and writes this process's beat
// where that is due. One goroutine calls it.
func (s *Store) Beat(ctx context.Context) error {
	defer s.beats.broadcast()
	if s.Seen() {
		return s.tellSeen(ctx)
	}
	if err := s.readBeats(ctx); err != nil {
		return err
	}
	if read, due := s.toTell(); due {
		return s.writeBeat(ctx, running, read)
	}
	return nil
}

func (s *Store) readBeats(ctx context.Context) error {
	b := &s.beats
	b.mu.Lock()
	wrote, living := b.wrote, maps.Clone(b.living())
	b.mu.Unlock()
	chains, all := s.memory.followedOf(living)
	var found map[string]beat
	var n news
	err := s.View(ctx, func(inner store.Tx) (err error) {
		t := inner.(*tx)
		n = news{}
		if found, err = t.beats(); err != nil {
			return err
		}
		return t.follow(chains, all, &n)
	})
	if err != nil {
		return err
	}
	// First: a beat is believed only where the entries that it tells of are
	// remembered.
	if err := s.adopt(ctx, n); err != nil {
		return err
	}
	s.noteBeats(found)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fresh = wrote
	return nil
}

// adopt remembers what was read of the chains of others.
func (s *Store) adopt(ctx context.Context, n news) error {
	s.memory.erase(n.erased)
	again, err := s.contradiction(ctx, n.told, true)
	if err != nil {
		return err
	}
	if again != nil {
		s.latch(again.row.kind+"/"+again.row.id, "a version of the row was written by two processes")
		return ErrSeen
	}
	return s.memory.learn(n)
}

func (s *Store) noteBeats(found map[string]beat) {
	b := &s.beats
	alarm := ""
	b.mu.Lock()
	now := b.Elapsed() // after they were read: an instance takes itself for dead before others do
	maps.DeleteFunc(b.peers, func(instance string, _ *peer) bool {
		_, there := found[instance]
		return !there && b.living()[instance] == nil
	})
	for instance, of := range found {
		p := b.peers[instance]
		switch {
		case p == nil:
			p = &peer{number: of.Number, changed: now, gone: of.Condition != running}
			b.peers[instance] = p
		case of.Number > p.number:
			p.number, p.changed, p.gone = of.Number, now, of.Condition != running
			if of.Condition == latched {
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
	b.mu.Unlock()
	if alarm != "" {
		s.latch(domain.RecordSetting+"/"+settingBeat+alarm, "another instance has seen that the database was put back")
	}
}

// toTell is what this process remembers of others, and whether it is due to
// tell.
func (s *Store) toTell() (read map[string]entries, due bool) {
	b := &s.beats
	b.mu.Lock()
	defer b.mu.Unlock()
	read = s.memory.readOf(b.living())
	return read, b.durable == 0 || b.Elapsed()-b.wrote >= beatEvery || !maps.EqualFunc(read, b.published, maps.Equal)
}

func (s *Store) writeBeat(ctx context.Context, c condition, read map[string]entries) error {
	b := &s.beats
	began, number := b.next()
	own := s.memory.readOf(map[string]*peer{b.Instance: nil})[b.Instance]
	of := beat{Instance: b.Instance, Number: number, Condition: c, Heads: own, Read: read}
	var at time.Time
	write := func(tx store.Tx) (err error) {
		at, err = b.put(tx, of)
		return err
	}
	var err error
	if c == latched {
		err = s.UpdateAnyway(ctx, write)
	} else {
		err = s.Update(ctx, func(inner store.Tx) error {
			t := inner.(*tx)
			if err := errors.Join(t.ownBeat(), t.bury()); err != nil {
				return err
			}
			return write(t)
		})
	}
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.durable, b.at, b.wrote, b.published = number, at, began, read
	return nil
}

func (b *beats) next() (began time.Duration, number int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tried++
	return b.Elapsed(), b.tried
}

// tellSeen tells the others once that the database was put back.
func (s *Store) tellSeen(ctx context.Context) error {
	if s.beats.told {
		return nil
	}
	err := s.writeBeat(ctx, latched, nil)
	s.beats.told = err == nil
	return err
}

// EndBeats tells the others that this process gives no verdicts any more, so
// that they need not wait for it. Beat is not called after it.
func (s *Store) EndBeats(ctx context.Context) error {
	if !s.beats.begun.Load() || s.Seen() {
		return nil
	}
	return s.writeBeat(ctx, ended, nil)
}
