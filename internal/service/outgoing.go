package service

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"sync"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// Outgoing is the outbox as those who send from it see it. It is safe for
// concurrent use.
//
// Of all processes on a store one sends at a time: the one that holds a lease,
// which is a setting. Requests only ever add to the outbox, so that they and
// the sender do not meet on a row. A lease that was lost, because the process
// stood still, may mean that an event is sent twice, by both; the receiver
// knows it by its id.
type Outgoing struct {
	s    *Service
	name string // of the holder of the lease

	woken chan struct{}

	mu    sync.Mutex
	until time.Time // guarded by mu: this process holds the lease; by its own clock
}

// settingSender is the lease: until when, in microseconds since 1970, eight
// bytes big-endian, and the name of who holds it.
const settingSender = "webhook_sender"

func newOutgoing(s *Service) *Outgoing {
	return &Outgoing{s: s, name: domain.NewID(), woken: make(chan struct{}, 1)}
}

// wake tells the sender that there are events.
func (q *Outgoing) wake() {
	select {
	case q.woken <- struct{}{}:
	default:
	}
}

// write is an Update of the outbox. What tells of a rollback goes out although
// nothing else is written any more.
func (q *Outgoing) write(ctx context.Context, fn func(*record.Tx) error) error {
	if q.s.guard.Seen() {
		return q.s.records.UpdateAnyway(ctx, system, fn)
	}
	return q.s.records.Update(ctx, system, fn)
}

// Woken has an element when there may be new events.
func (q *Outgoing) Woken() <-chan struct{} { return q.woken }

// Hold reports whether this process may send for at least so long from now.
func (q *Outgoing) Hold(ctx context.Context, atLeast time.Duration) (bool, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	if q.until.After(now.Add(atLeast)) {
		return true, nil
	}
	lease := atLeast + atLeast/2 + time.Second
	held, err := record.View(ctx, q.s.records, func(tx *record.Tx) (bool, error) { return q.mayHold(tx, lease) })
	if err == nil && held {
		err = q.write(ctx, func(tx *record.Tx) (err error) {
			if held, err = q.mayHold(tx, lease); err != nil || !held {
				return err
			}
			return tx.PutSetting(settingSender, append(domain.EncodeTime(tx.Now().Add(lease)), q.name...))
		})
	}
	if err != nil {
		return false, fmt.Errorf("taking the lease of the outbox: %w", err)
	}
	if held {
		q.until = now.Add(lease)
	}
	return held, nil
}

// mayHold: nobody else holds the lease. One that is held for longer than any is
// taken for was made up, or made by a clock that has since stepped back.
func (q *Outgoing) mayHold(tx *record.Tx, lease time.Duration) (bool, error) {
	value, err := tx.Setting(settingSender)
	if errors.Is(err, store.ErrNotFound) || err == nil && len(value) < 8 {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	until := domain.FromMicros(int64(binary.BigEndian.Uint64(value))) //nolint:gosec // as it was written
	return string(value[8:]) == q.name || !until.After(tx.Now()) || until.After(tx.Now().Add(longestLease+lease)), nil
}

// longestLease is longer than any lease that settings can ask for.
const longestLease = 5 * time.Minute

// release gives the lease back, so that another process need not wait for its
// end.
func (q *Outgoing) release(ctx context.Context) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.until.After(time.Now()) {
		return nil
	}
	q.until = time.Time{}
	return q.write(ctx, func(tx *record.Tx) error {
		if mine, err := q.mayHold(tx, 0); err != nil || !mine {
			return err
		}
		return tx.PutSetting(settingSender, append(domain.EncodeTime(time.Time{}), q.name...))
	})
}

// NextLane returns the first event of the first lane after the given one.
func (q *Outgoing) NextLane(ctx context.Context, after string) (domain.Letter, bool, error) {
	return q.letter(ctx, func(tx *record.Tx) (domain.OutboxEvent, error) { return tx.NextLane(after) })
}

// First returns the first event of a lane.
func (q *Outgoing) First(ctx context.Context, lane string) (domain.Letter, bool, error) {
	return q.letter(ctx, func(tx *record.Tx) (domain.OutboxEvent, error) { return tx.FirstEvent(lane) })
}

// letter is the event that is found. One that was edited is set aside, or
// whoever writes to the database would have us sign what he likes; then
// another one is looked for.
func (q *Outgoing) letter(ctx context.Context, find func(*record.Tx) (domain.OutboxEvent, error)) (domain.Letter, bool, error) {
	for {
		e, err := record.View(ctx, q.s.records, find)
		if errors.Is(err, store.ErrNotFound) {
			return domain.Letter{}, false, nil
		}
		if err != nil {
			return domain.Letter{}, false, err
		}
		if q.s.keys.VerifyMAC(eventLabel, e.Authenticated(), e.MAC) {
			l, err := q.s.letter(e)
			return l, err == nil, err
		}
		if err := q.setAside(ctx, e.Lane, e.Seq, domain.DeadTampered, ""); err != nil {
			return domain.Letter{}, false, err
		}
		_ = q.s.records.Report(ctx, system, &record.Tampered{Kind: domain.RecordEvent, ID: e.Lane + "/" + strconv.FormatInt(e.Seq, 10), Cause: record.ErrMAC})
	}
}

// Delivered removes an event that the receiver took.
func (q *Outgoing) Delivered(ctx context.Context, l domain.Letter) error {
	return q.write(ctx, func(tx *record.Tx) error {
		if err := tx.DeleteEvent(l.Lane, l.Seq); err != nil {
			return err
		}
		return forgetErased(tx, l.Lane, l.Seq, l.Event)
	})
}

// forgetErased removes the dead letters before the event that tells of an
// account's erasure: they were set aside after the erasure, and name it. Those
// behind it are of an account that came again by the same name.
func forgetErased(tx *record.Tx, lane string, seq int64, event domain.Event) error {
	if event != domain.EventAccountErased {
		return nil
	}
	return tx.DeleteDeadLettersOf(lane, seq)
}

// SetAside makes a dead letter of an event.
func (q *Outgoing) SetAside(ctx context.Context, l domain.Letter, reason, lastError string) error {
	return q.setAside(ctx, l.Lane, l.Seq, reason, lastError)
}

func (q *Outgoing) setAside(ctx context.Context, lane string, seq int64, reason, lastError string) error {
	return q.write(ctx, func(tx *record.Tx) error {
		e, err := tx.FirstEvent(lane)
		if errors.Is(err, store.ErrNotFound) || err == nil && e.Seq != seq {
			return nil // another process did
		}
		if err != nil {
			return err
		}
		if err := tx.DeleteDeadLetter(lane, seq); err != nil { // somebody put it there
			return err
		}
		d := domain.DeadLetter{OutboxEvent: e, Reason: reason, LastError: lastError, DeadAt: tx.Now()}
		if err := tx.PutDeadLetter(d); err != nil {
			return err
		}
		if err := tx.DeleteEvent(lane, seq); err != nil || reason == domain.DeadTampered { // it may say anything
			return err
		}
		return forgetErased(tx, lane, seq, e.Event)
	})
}

// forgetEvents removes the dead letters of an account, which name it. What
// waits is still delivered, or the receiver would keep what it is to forget;
// but where nothing is sent any more that goes too.
func (s *Service) forgetEvents(tx *record.Tx, accountID string) error {
	for len(s.told) == 0 {
		e, err := tx.FirstEvent(accountID)
		if errors.Is(err, store.ErrNotFound) {
			break
		}
		if err != nil {
			return err
		}
		if err := tx.DeleteEvent(accountID, e.Seq); err != nil {
			return err
		}
	}
	return tx.DeleteDeadLettersOf(accountID, math.MaxInt64)
}

// sendEvents sends until ctx is done.
func (s *Service) sendEvents(ctx context.Context) {
	s.cfg.Webhook.Send(ctx, s.outgoing)
	s.report("giving back the lease of the outbox", s.outgoing.release(context.WithoutCancel(ctx)))
}

const (
	measureEvery = 15 * time.Second
	mostCounted  = 100_000
	keepDead     = 90 * 24 * time.Hour // of dead letters, and of events that nobody sends any more
	sweptDead    = 1000                // of both, removed in one transaction, so that no request waits long
)

// outboxState is how much waits in the outbox.
type outboxState struct {
	waiting, dead int64
	oldest        time.Time // zero: none waits
	now           time.Time // by the store's clock
}

func outboxIn(tx interface {
	store.Outbox
	Now() time.Time
}) (o outboxState, err error) {
	o.now = tx.Now()
	if o.waiting, o.oldest, err = tx.WaitingEvents(mostCounted); err == nil {
		o.dead, err = tx.CountDeadLetters(mostCounted)
	}
	return o, err
}

// tendOutbox measures the outbox and forgets what is old, from time to time.
// Where nothing is sent any more it only forgets, also events that wait.
func (s *Service) tendOutbox(ctx context.Context) error {
	now := s.cfg.Now()
	if now.Before(s.outboxTended) {
		return nil
	}
	s.outboxTended = now.Add(measureEvery)
	sends := len(s.told) > 0
	var o outboxState
	var dead []domain.DeadLetter
	err := s.records.View(ctx, func(tx *record.Tx) (err error) {
		if o, err = outboxIn(tx); err == nil {
			dead, err = tx.DeadLetters(domain.DeadLetterPosition{}, 1)
		}
		return err
	})
	if err != nil {
		return err
	}
	if age := time.Duration(0); sends {
		if !o.oldest.IsZero() {
			age = max(0, o.now.Sub(o.oldest))
		}
		s.cfg.Meters.Outbox(o.waiting, age, o.dead)
	}
	old := o.now.Add(-keepDead)
	forget := !sends && !o.oldest.IsZero() && o.oldest.Before(old)
	if !forget && (len(dead) == 0 || !dead[0].DeadAt.Before(old)) {
		return nil
	}
	return s.records.Update(ctx, system, func(tx *record.Tx) error {
		old := tx.Now().Add(-keepDead)
		if _, err := tx.DeleteDeadLetters(old, sweptDead); err != nil || sends {
			return err
		}
		_, err := tx.DeleteEvents(old, sweptDead)
		return err
	})
}
