// Package webhook sends events to one receiver: by POST, signed as in Standard
// Webhooks 1.0, at least once and in order for each partition.
//
// The idea: the queue is elsewhere, and durable. This package keeps its own state
// in memory only. After a restart, the only effect is that it tries again sooner.
// A partition is the events of one account. Its next event is sent after the
// receiver has taken the one before. Of all processes that share the queue, only
// the one that holds a lease sends.
//
// There are two threats. First, the receiver's name may later get an address
// inside our own network. So the address is checked at each connection (see
// [Guard]). Second, a receiver that hangs, fails or lies must harm only its own
// events. So each answer is limited in time and size. A receiver that fails for
// all partitions gets one event at a time, less and less often. Anyone who can
// create accounts can create events that the receiver fails on. So failed events
// do not prove that the receiver fails, and they never block events that did not
// fail.
//
// client.go is the HTTP part of the Sender and reads its Config, so the two files
// refer to each other.
package webhook

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	"encoding/binary"
	"log/slog"
	"net"
	"net/url"
	"sync"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/lograte"
)

// Queue is where the events wait. It is safe for concurrent use.
type Queue interface {
	// Hold reports whether this process may send for at least this long from
	// now. It returns false while another process may.
	Hold(ctx context.Context, atLeast time.Duration) (bool, error)
	// NextPartition returns the first event of the first partition after the given one
	// ("": of all). If there is none, ok is false.
	NextPartition(ctx context.Context, after string) (l domain.Delivery, ok bool, err error)
	// First returns the first event of a partition. If the partition is empty, ok is
	// false.
	First(ctx context.Context, partition string) (l domain.Delivery, ok bool, err error)
	// Delivered removes an event that the receiver took.
	Delivered(ctx context.Context, l domain.Delivery) error
	// SetAside makes an event a dead letter, for one of the Dead reasons of
	// package domain, and keeps why its last attempt failed.
	SetAside(ctx context.Context, l domain.Delivery, reason, lastError string) error
	// Woken has an element when there may be new events.
	Woken() <-chan struct{}
}

// Config configures [New]. Every field is required unless it says otherwise.
type Config struct {
	URL     *url.URL // it may hold a password
	Guard   Guard
	Secrets Secrets
	Timeout time.Duration // of one attempt, from looking up the name to the end of the answer
	GiveUp  time.Duration // the age at which an event that is not taken is set aside
	Agent   string        // the header User-Agent
	Log     *slog.Logger
	// Observe is called for each attempt with one of the Outcome constants.
	Observe func(outcome string, took time.Duration)

	// FirstPause and LastPause bound how long an event that was not taken waits
	// before it is sent again. If FirstPause is 0, they are 1 s and 5 min.
	FirstPause, LastPause time.Duration

	// Only tests set these.
	resolver *net.Resolver
	roots    *x509.CertPool
}

// Bounds of what is under way and of what is tried.
const (
	atOnce         = 8                  // attempts
	partitionTurn  = 100                // events of one partition before others have their turn
	leastTries     = 5                  // of an event before it is given up, however old it is
	pauseAfter     = 5                  // partitions that began to fail, if the receiver has not worked for a while: see calm
	pauseAtAll     = 1000               // the same, even if the receiver has worked
	often          = 2                  // failures of an event from which on the event itself may be the cause
	mostOften      = atOnce / 2         // attempts at partitions that failed often
	mostPartitions = 100_000            // failed partitions that are remembered, with about 100 bytes each
	lookEvery      = time.Second        // for events of other processes
	passPause      = time.Second / 5000 // for each partition that was passed over, before the next round
	stopWithin     = 2 * time.Second    // for attempts under way when the process stops

	firstPause, lastPause = time.Second, 5 * time.Minute
	mostRetryAfter        = 5 * time.Minute
)

// Sender sends what is in a queue. It is safe for concurrent use.
type Sender struct {
	cfg    Config
	client client
	lines  lograte.Limit
	again  chan struct{} // has an element when a round may find more than the last one

	failures chan struct{} // has an element after a failure
	began    time.Time     // when the current round began; zero: it passes over partitions, because of a pause

	mu         sync.Mutex
	partitions map[string]*partition // guarded by mu: under way, or failed
	alive      time.Time             // guarded by mu: when the receiver last showed that it works
	failing    int                   // guarded by mu: partitions that began to fail since then
	stuck      int                   // guarded by mu: attempts under way at partitions that failed often
	paused     bool                  // guarded by mu: one event at a time
	tries      int                   // guarded by mu: failed attempts since it was paused
	until      time.Time             // guarded by mu: nothing is sent before
	retry      time.Time             // guarded by mu: while paused, no partition that failed is tried before
	probed     string                // guarded by mu: the partition that was tried last while paused
	state      domain.WebhookStatus
}

// partition is a partition that is busy or that failed.
type partition struct {
	busy  bool
	often bool      // it is busy, and one of those that failed often
	tries int       // of its first event
	next  time.Time // not before
	found time.Time // when a round last found it in the queue
}

// New makes a Sender. It sends nothing before [Sender.Run].
func New(cfg Config) *Sender {
	if cfg.FirstPause == 0 {
		cfg.FirstPause, cfg.LastPause = firstPause, lastPause
	}
	return &Sender{cfg: cfg, client: newClient(cfg), again: make(chan struct{}, 1), failures: make(chan struct{}, 1),
		partitions: map[string]*partition{}}
}

// Status returns the fields of the status that are about this instance.
func (s *Sender) Status() domain.WebhookStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.state
	state.Enabled, state.Receiver, state.Paused = true, s.cfg.URL.Scheme+"://"+s.cfg.URL.Host, s.paused
	now := time.Now()
	if now.Before(s.until) {
		state.NextAttempt = s.until
	}
	if s.paused && now.Before(s.retry) && s.retry.After(s.until) {
		state.NextAttempt = s.retry
	}
	return state
}

// Run sends until ctx is done, and returns when nothing is under way any more.
func (s *Sender) Run(ctx context.Context, q Queue) {
	var under sync.WaitGroup
	defer under.Wait()
	slots := make(chan struct{}, atOnce)
	for ctx.Err() == nil {
		passed, err := s.round(ctx, q, slots, &under)
		if err != nil && ctx.Err() == nil {
			s.log(ctx, slog.LevelError, "reading the outbox failed", "error", err)
		}
		// A round over many partitions that only wait must not become all that is done.
		s.rest(ctx, q, time.Duration(passed)*passPause)
	}
}

// rest waits until another round may find something to do. It waits at least
// for the time least, unless it is woken.
func (s *Sender) rest(ctx context.Context, q Queue, least time.Duration) {
	for {
		timer := time.NewTimer(max(s.idle(), least))
		select {
		case <-s.failures: // the next attempt may be due sooner now
			timer.Stop()
			continue
		case <-ctx.Done():
		case <-timer.C:
		case <-q.Woken():
		case <-s.again:
		}
		timer.Stop()
		return
	}
}

// idle is how long to wait for the next round, unless a new event wakes us.
func (s *Sender) idle() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if s.until.After(now) {
		return min(lookEvery, s.until.Sub(now))
	}
	idle := lookEvery
	for _, l := range s.partitions {
		if !l.busy {
			idle = min(idle, max(l.next.Sub(now), s.cfg.FirstPause/2))
		}
	}
	return idle
}

// round begins to send the first event of each partition that is due, as many at a
// time as there are slots. passed is how many partitions it passed over.
func (s *Sender) round(ctx context.Context, q Queue, slots chan struct{}, under *sync.WaitGroup) (passed int, err error) {
	s.began = time.Now()
	for after := ""; ; {
		select { // first: what next finds, and the lease, would be outdated by the time a slot is free
		case slots <- struct{}{}:
		case <-ctx.Done():
			return passed, nil
		}
		l, n, err := s.next(ctx, q, after)
		passed += n
		if err != nil || l.Partition == "" {
			<-slots
			return passed, err
		}
		after = l.Partition
		under.Go(func() {
			defer func() { <-slots }()
			defer s.leave(l.Partition)
			s.sendPartition(ctx, q, l)
		})
	}
}

// next finds the first partition after the given one that is due, makes it busy,
// and returns its first event. If there is none, it returns the zero Delivery.
func (s *Sender) next(ctx context.Context, q Queue, after string) (l domain.Delivery, passed int, err error) {
	for ctx.Err() == nil {
		if s.waits() { // and lets go of the lease: perhaps another process gets through
			break
		}
		if start, paused := s.pausedAt(); paused {
			s.began = time.Time{} // the round goes on after the partition that is tried
			l, n, err := s.probe(ctx, q, start)
			return l, passed + n, err
		}
		l, ok, err := q.NextPartition(ctx, after)
		if err == nil && !ok {
			s.prune()
		}
		if err != nil || !ok {
			return domain.Delivery{}, passed, err
		}
		held, err := q.Hold(ctx, s.lease())
		if err != nil || !s.holding(held) {
			return domain.Delivery{}, passed, err
		}
		if s.take(l.Partition) {
			return l, passed, nil
		}
		passed++
		after = l.Partition
	}
	return domain.Delivery{}, passed, nil
}

// probe is next while the sender is paused: it takes one partition. last is the one
// that was tried last. The partition of the store comes first, then partitions that
// did not fail, and then those that did. So an attacker whose events make the
// receiver fail cannot delay the events about that attack.
func (s *Sender) probe(ctx context.Context, q Queue, last string) (l domain.Delivery, passed int, err error) {
	partition := domain.StorePartition
	if _, ok, err := q.First(ctx, partition); err != nil || !ok || !s.fresh(partition) {
		if err == nil {
			partition, passed, err = s.candidate(ctx, q, last)
		}
		if err != nil || partition == "" {
			return domain.Delivery{}, passed, err
		}
	}
	held, err := q.Hold(ctx, s.lease())
	if err != nil || !s.holding(held) {
		return domain.Delivery{}, passed, err
	}
	l, ok, err := q.First(ctx, partition)
	if err != nil || !ok || !s.take(partition) {
		return domain.Delivery{}, passed, err
	}
	return l, passed, nil
}

// candidate returns the next partition after last that did not fail. At the end
// it goes on from the beginning. If all failed, it returns the next one if it
// is time to try one again, or else "".
func (s *Sender) candidate(ctx context.Context, q Queue, last string) (partition string, passed int, err error) {
	failed, after, around := "", last, false
	for ctx.Err() == nil {
		l, ok, err := q.NextPartition(ctx, after)
		switch {
		case err != nil:
			return "", passed, err
		case !ok && !around && last != "":
			after, around = "", true
		case !ok, around && l.Partition > last:
			if failed == "" || !s.mayRetry() {
				failed = ""
			}
			return failed, passed, nil
		case s.fresh(l.Partition):
			return l.Partition, passed, nil
		default:
			if after = l.Partition; failed == "" {
				failed = l.Partition
			}
			passed++
		}
	}
	return "", passed, nil
}

// lease is for how long the right to send must be held before an attempt.
func (s *Sender) lease() time.Duration { return s.cfg.Timeout + 2*time.Second }

// prune forgets partitions that the round, which was a whole one, did not find in the
// queue: another process emptied them. A partition that only waits long for its attempt
// must keep its failures.
func (s *Sender) prune() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, l := range s.partitions {
		if !l.busy && l.found.Before(s.began) {
			delete(s.partitions, name)
		}
	}
}

// pausedAt reports whether the sender is paused, and which partition it tried last.
func (s *Sender) pausedAt() (last string, paused bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.probed, s.paused
}

// fresh reports whether a partition has not failed and is not busy. It has no entry then.
func (s *Sender) fresh(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.partitions[name] == nil
}

// mayRetry reports whether a paused sender may try a partition that failed. If not,
// nothing is sent for FirstPause. After that, the sender looks again for one that
// did not fail.
func (s *Sender) mayRetry() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if now.Before(s.retry) {
		s.wait(now.Add(s.cfg.FirstPause))
		return false
	}
	return true
}

// wait makes the sender send nothing before a time. The caller holds mu.
func (s *Sender) wait(until time.Time) {
	if until.After(s.until) {
		s.until = until
	}
}

func (s *Sender) holding(held bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Sending = held
	return held
}

// signal puts an element into a channel that has none.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// resting reports whether nothing may be sent to the receiver for a while.
func (s *Sender) resting() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Before(s.until)
}

// waits reports whether nothing may be begun now.
func (s *Sender) waits() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.blocked(time.Now())
}

// blocked reports whether the receiver asked for a pause, or fails and is being
// tried. The caller holds mu.
func (s *Sender) blocked(now time.Time) bool {
	if now.Before(s.until) {
		return true
	}
	if !s.paused {
		return false
	}
	for _, l := range s.partitions {
		if l.busy {
			return true
		}
	}
	return false
}

// take makes a partition busy, unless it is busy already or must wait. It reports
// whether it did.
func (s *Sender) take(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	l := s.partitions[name]
	if l != nil {
		l.found = now
	}
	if s.blocked(now) {
		return false
	}
	if l == nil {
		s.makeRoom()
		l = &partition{found: now}
		s.partitions[name] = l
	}
	if l.busy || !s.paused && now.Before(l.next) || l.tries >= often && s.stuck >= mostOften {
		return false
	}
	l.busy = true
	if l.often = l.tries >= often; l.often {
		s.stuck++
	}
	if s.paused {
		s.probed = name
	}
	return true
}

// makeRoom forgets any partition that is not busy if there are too many. The only
// effect is that this one is tried sooner.
func (s *Sender) makeRoom() {
	if len(s.partitions) < mostPartitions {
		return
	}
	for name, l := range s.partitions {
		if !l.busy {
			delete(s.partitions, name)
			return
		}
	}
}

// leave ends a partition's turn. One that did not fail is forgotten.
func (s *Sender) leave(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.partitions[name]
	if l.often {
		l.often = false
		s.stuck--
	}
	if l.busy = false; l.tries == 0 {
		delete(s.partitions, name)
		return
	}
	signal(s.failures)
}

// sendPartition sends the events of a partition until one is not taken, the partition is
// empty or its turn is over.
func (s *Sender) sendPartition(ctx context.Context, q Queue, l domain.Delivery) {
	name := l.Partition
	for range partitionTurn {
		again, err := s.sendOne(ctx, q, l)
		if err == nil && again {
			if l, again, err = q.First(ctx, name); err == nil && again {
				var held bool
				held, err = q.Hold(ctx, s.lease())
				again = s.holding(held)
			}
		}
		if err != nil && ctx.Err() == nil {
			s.postpone(name)
			s.log(ctx, slog.LevelError, "writing to the outbox failed", "error", err)
		}
		if err != nil || !again || ctx.Err() != nil || s.resting() {
			return
		}
	}
	signal(s.again) // its turn is over, and there is more
}

// sendOne makes one attempt, and reports whether the partition goes on.
func (s *Sender) sendOne(ctx context.Context, q Queue, l domain.Delivery) (goesOn bool, err error) {
	begin := time.Now()
	tried, cancel := outlast(ctx, stopWithin)
	defer cancel()
	r := s.client.send(tried, l)
	s.cfg.Observe(r.outcome, time.Since(begin))
	// What the receiver has taken is noted even if the process is stopping.
	done, cancelDone := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancelDone()
	switch {
	case r.outcome == OutcomeDelivered:
		s.taken(l.Partition, r)
		return true, q.Delivered(done, l)
	case ctx.Err() != nil:
		return false, nil
	case r.outcome == OutcomeRefused:
		s.taken(l.Partition, r)
		s.log(ctx, slog.LevelWarn, "the receiver refused an event permanently: it is now a dead letter", "event", l.ID, "answer", r.word)
		return true, q.SetAside(done, l, domain.DeadRefused, r.word)
	}
	tries := s.failed(l.Partition, r)
	s.log(ctx, slog.LevelWarn, "an event was not delivered and will be sent again", "event", l.ID, "try", tries, "cause", r.word)
	if tries < leastTries || time.Since(l.Time) < s.cfg.GiveUp {
		return false, nil
	}
	s.forget(l.Partition)
	s.log(ctx, slog.LevelError, "an event could not be delivered for too long: it is now a dead letter", "event", l.ID, "cause", r.word)
	return true, q.SetAside(done, l, domain.DeadGivenUp, r.word)
}

// outlast returns a context that is cancelled this long after ctx.
func outlast(ctx context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(by, cancel) })
	return longer, func() { stop(); cancel() }
}

// taken notes that the receiver took an event, or said that it never will.
func (s *Sender) taken(name string, r result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.partitions[name].tries = 0
	now := time.Now()
	s.works(now)
	if r.outcome == OutcomeDelivered {
		s.state.LastDelivered = now
		return
	}
	s.state.LastFailed, s.state.LastError = now, r.word
}

// works notes that the receiver works. Partitions that failed once go on at
// once, because the receiver may have been the cause. Those that failed often
// wait for their time, or they would all fail again at once. The caller holds
// mu.
func (s *Sender) works(now time.Time) {
	s.alive, s.failing = now, 0
	if !s.paused {
		return
	}
	s.paused, s.tries = false, 0
	for _, l := range s.partitions {
		if l.tries < often {
			l.next = now
		}
	}
	signal(s.again)
}

// failed notes a failed attempt, and returns how many attempts of this event have
// failed.
func (s *Sender) failed(name string, r result) (tries int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.state.LastFailed, s.state.LastError = now, r.word
	l := s.partitions[name]
	l.tries++
	l.next = now.Add(s.pause(l.tries))
	if r.own {
		s.works(now)
		return l.tries
	}
	if r.retryAfter > 0 {
		s.wait(now.Add(min(r.retryAfter, mostRetryAfter)))
	}
	if l.tries == 1 {
		s.failing++
	}
	if s.paused || s.failing >= pauseAtAll || s.failing >= pauseAfter && now.Sub(s.alive) > s.calm() {
		s.paused = true
		s.tries++
		s.wait(now.Add(s.pause(1)))
		s.retry = now.Add(s.pause(s.tries))
	}
	return l.tries
}

// calm is how long a receiver counts as working after it last showed that it
// works. That is long enough to try other partitions while some attempts
// hang.
func (s *Sender) calm() time.Duration { return 2*s.cfg.Timeout + 10*s.cfg.FirstPause }

// postpone makes a partition wait because the queue failed, not the receiver.
func (s *Sender) postpone(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.partitions[name]
	l.tries, l.next = max(l.tries, 1), time.Now().Add(s.pause(1))
}

// forget forgets the failures of a partition's first event.
func (s *Sender) forget(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.partitions[name].tries = 0
}

// pause is how long to wait after this many failures: an exponential backoff
// with jitter, at random between half of it and all of it.
func (s *Sender) pause(tries int) time.Duration {
	most := s.cfg.LastPause
	if tries < 20 {
		most = min(s.cfg.FirstPause<<(tries-1), s.cfg.LastPause)
	}
	var b [2]byte
	_, _ = rand.Read(b[:]) // never fails
	return most/2 + most/2*time.Duration(binary.BigEndian.Uint16(b[:]))/65536
}

func (s *Sender) log(ctx context.Context, level slog.Level, message string, args ...any) {
	if write, omitted := s.lines.Next(time.Now()); write {
		s.cfg.Log.Log(ctx, level, message, append(args, "omitted", omitted)...)
	}
}
