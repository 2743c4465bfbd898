// Package outbox holds the events for other systems, from the transaction of the
// change until a receiver has taken them.
package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// Outbox is the outbox of one store. It is safe for concurrent use.
//
// Of all processes on a store, one sends at a time: the one that holds a lease,
// which is a setting. Requests only add to the outbox, so that they do not
// conflict with the sender. If a process was paused and lost its lease, an event
// may be sent twice. The receiver can tell by the event's id.
type Outbox struct {
	keys    *seal.Keyset
	home    string // the store's first chain, which names it in events
	name    string // of the holder of the lease
	records *record.Records
	events  map[domain.Event]bool // that go out; not changed after Open
	woken   chan struct{}

	mu    sync.Mutex
	until time.Time // guarded by mu: the end of this process's lease, by its own clock
}

// New returns an outbox that takes no events before [Outbox.Open].
func New(keys *seal.Keyset, home string) *Outbox {
	return &Outbox{keys: keys, home: home, name: domain.NewID(), woken: make(chan struct{}, 1)}
}

// settingEvents names the events that go out. A command beside the server does
// not have the server's settings, and its acts have events too.
const settingEvents = "webhook_events"

// Open sets which events go out: the given ones, or with ask those that the
// server on this store sends. Call it once, before anything is put.
func (o *Outbox) Open(ctx context.Context, records *record.Records, events []domain.Event, ask bool) error {
	o.records = records
	noted, err := record.View(ctx, records, func(tx *record.Tx) (string, error) {
		text, err := tx.MaybeSetting(settingEvents)
		return string(text), err
	})
	if err != nil {
		return fmt.Errorf("reading which events go out: %w", err)
	}
	o.events = map[domain.Event]bool{}
	if ask {
		for _, name := range strings.FieldsFunc(noted, func(r rune) bool { return r == ',' }) {
			o.events[domain.Event(name)] = true
		}
		return nil
	}
	var names []string
	for _, e := range events {
		o.events[e] = true
		names = append(names, string(e))
	}
	slices.Sort(names)
	if text := strings.Join(names, ","); text != noted {
		return records.Update(ctx, record.System, func(tx *record.Tx) error {
			return tx.PutSetting(settingEvents, []byte(text))
		})
	}
	return nil
}

// Put adds the events about entries to the outbox: [record.Outbox].
func (o *Outbox) Put(tx *record.Tx, entries []domain.Entry) error {
	if len(o.events) == 0 {
		return nil
	}
	byPartition := map[string][]domain.Entry{}
	var order []string
	for _, e := range entries {
		if !o.events[e.Event] {
			continue
		}
		if err := nameAccount(tx, &e); err != nil {
			return err
		}
		partition := e.About.Account.ID
		if partition == "" {
			partition = domain.StorePartition
		}
		if byPartition[partition] == nil {
			order = append(order, partition)
		}
		byPartition[partition] = append(byPartition[partition], e)
	}
	for _, partition := range order {
		if err := o.queue(tx, partition, byPartition[partition]); err != nil {
			return fmt.Errorf("putting an event into the outbox: %w", err)
		}
	}
	if len(order) > 0 {
		tx.OnCommit(func(context.Context) { o.wake() })
	}
	return nil
}

// nameAccount completes the account of an entry: the id from the name, or the
// name from the id. If the account is gone, or its name was edited, the event has
// only the id.
func nameAccount(tx *record.Tx, e *domain.Entry) error {
	a := &e.About.Account
	switch {
	case a.Subject != "":
		a.ID = tx.AccountID(*a)
	case a.ID != "":
		found, err := tx.AccountByID(a.ID)
		switch {
		case err == nil:
			*a = found
		case !errors.Is(err, store.ErrNotFound) && !record.IsTampered(err):
			return err
		}
	}
	return nil
}

// queue adds the events of entries to a partition, after those in it.
func (o *Outbox) queue(tx *record.Tx, partition string, entries []domain.Entry) error {
	last, err := tx.NumberEvents(partition, len(entries))
	if err != nil {
		return err
	}
	for i, e := range entries {
		data, err := json.Marshal(dataOf(e))
		if err != nil {
			return err
		}
		event := domain.OutboxEvent{Partition: partition, Seq: last - int64(len(entries)-1-i), ID: domain.NewID(), Event: e.Event, Time: tx.Now(), Data: data}
		event.MAC = o.keys.MAC(eventLabel, event.Authenticated())
		tx.PutEvent(event)
	}
	return nil
}

// settingSender is the lease: its end in microseconds since 1970, eight bytes
// big-endian, and the name of the process that holds it.
const settingSender = "webhook_sender"

// wake tells the sender that there are events.
func (o *Outbox) wake() {
	select {
	case o.woken <- struct{}{}:
	default:
	}
}

// Woken has an element when there may be new events.
func (o *Outbox) Woken() <-chan struct{} { return o.woken }

// Hold reports whether this process may send for at least this long from now.
func (o *Outbox) Hold(ctx context.Context, atLeast time.Duration) (bool, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := time.Now()
	if o.until.After(now.Add(atLeast)) {
		return true, nil
	}
	lease := atLeast + atLeast/2 + time.Second
	held, err := record.View(ctx, o.records, func(tx *record.Tx) (bool, error) { return o.mayHold(tx, lease) })
	if err == nil && held {
		err = o.records.UpdateAnyway(ctx, record.System, func(tx *record.Tx) (err error) {
			if held, err = o.mayHold(tx, lease); err != nil || !held {
				return err
			}
			return tx.PutSetting(settingSender, append(domain.EncodeTime(tx.Now().Add(lease)), o.name...))
		})
	}
	if err != nil {
		return false, fmt.Errorf("taking the lease of the outbox: %w", err)
	}
	if held {
		o.until = now.Add(lease)
	}
	return held, nil
}

// mayHold reports whether no other process holds the lease. It ignores a lease
// that ends later than any real one: it was forged, or made by a clock that was
// set back since.
func (o *Outbox) mayHold(tx *record.Tx, lease time.Duration) (bool, error) {
	value, err := tx.MaybeSetting(settingSender)
	if err != nil || len(value) < domain.TimeSize {
		return err == nil, err
	}
	until := domain.DecodeTime(value[:domain.TimeSize])
	return string(value[domain.TimeSize:]) == o.name || !until.After(tx.Now()) || until.After(tx.Now().Add(longestLease+lease)), nil
}

// longestLease is longer than any lease that the settings allow.
const longestLease = 5 * time.Minute

// Release gives the lease back, so that another process need not wait for its
// end.
func (o *Outbox) Release(ctx context.Context) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.until.After(time.Now()) {
		return nil
	}
	o.until = time.Time{}
	return o.records.UpdateAnyway(ctx, record.System, func(tx *record.Tx) error {
		if mine, err := o.mayHold(tx, 0); err != nil || !mine {
			return err
		}
		return tx.PutSetting(settingSender, append(domain.EncodeTime(time.Time{}), o.name...))
	})
}

// NextPartition returns the first event of the first partition after the given
// one; false: there is none.
func (o *Outbox) NextPartition(ctx context.Context, after string) (domain.Delivery, bool, error) {
	return o.letter(ctx, func(tx *record.Tx) (domain.OutboxEvent, error) { return tx.NextPartition(after) })
}

// First returns the first event of a partition; false: it is empty.
func (o *Outbox) First(ctx context.Context, partition string) (domain.Delivery, bool, error) {
	return o.letter(ctx, func(tx *record.Tx) (domain.OutboxEvent, error) { return tx.FirstEvent(partition) })
}

// letter returns the event that find returns. If it was edited, letter sets it
// aside and calls find again. Otherwise someone who can write to the database
// could have any event signed.
func (o *Outbox) letter(ctx context.Context, find func(*record.Tx) (domain.OutboxEvent, error)) (domain.Delivery, bool, error) {
	for {
		var e domain.OutboxEvent
		err := o.records.View(ctx, func(tx *record.Tx) (err error) {
			if e, err = find(tx); err == nil && !o.Genuine(e) { // View then reads new data keys, and tries again
				err = &record.Tampered{Kind: domain.RecordEvent, ID: e.Partition + "/" + strconv.FormatInt(e.Seq, 10), Cause: record.ErrMAC}
			}
			return err
		})
		switch {
		case err == nil:
			l, err := o.encoded(e)
			return l, err == nil, err
		case errors.Is(err, store.ErrNotFound):
			return domain.Delivery{}, false, nil
		case !record.IsTampered(err):
			return domain.Delivery{}, false, err
		}
		if err := o.setAside(ctx, e.Partition, e.Seq, domain.DeadTampered, ""); err != nil {
			return domain.Delivery{}, false, err
		}
		_ = o.records.Report(ctx, record.System, err)
	}
}

// Delivered removes an event that the receiver took.
func (o *Outbox) Delivered(ctx context.Context, l domain.Delivery) error {
	return o.records.UpdateAnyway(ctx, record.System, func(tx *record.Tx) error {
		if err := tx.DeleteEvent(l.Partition, l.Seq); err != nil {
			return err
		}
		return forgetErased(tx, l.Partition, l.Seq, l.Event)
	})
}

// forgetErased removes the dead letters before the event about an account's
// erasure, because they name the account. Later ones are about an account that
// was created again with the same name.
func forgetErased(tx *record.Tx, partition string, seq int64, event domain.Event) error {
	if event != domain.EventAccountErased {
		return nil
	}
	return tx.DeleteDeadLettersOf(partition, seq)
}

// SetAside makes an event a dead letter.
func (o *Outbox) SetAside(ctx context.Context, l domain.Delivery, reason, lastError string) error {
	return o.setAside(ctx, l.Partition, l.Seq, reason, lastError)
}

func (o *Outbox) setAside(ctx context.Context, partition string, seq int64, reason, lastError string) error {
	return o.records.UpdateAnyway(ctx, record.System, func(tx *record.Tx) error {
		e, err := tx.FirstEvent(partition)
		if errors.Is(err, store.ErrNotFound) || err == nil && e.Seq != seq {
			return nil // another process did
		}
		if err != nil {
			return err
		}
		if err := tx.DeleteDeadLetter(partition, seq); err != nil { // in case someone put one there
			return err
		}
		d := domain.DeadLetter{OutboxEvent: e, Reason: reason, LastError: lastError, DeadAt: tx.Now()}
		if err := tx.PutDeadLetter(d); err != nil {
			return err
		}
		if err := tx.DeleteEvent(partition, seq); err != nil || reason == domain.DeadTampered { // its content is not trusted
			return err
		}
		return forgetErased(tx, partition, seq, e.Event)
	})
}

// Forget removes the dead letters of an account, because they name it. Waiting
// events are still delivered, so that the receiver learns of the erasure. If
// nothing is sent any more, they are removed too.
func (o *Outbox) Forget(tx *record.Tx, accountID string) error {
	for len(o.events) == 0 {
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

// PutBack puts a dead letter back to its place, before all events that wait
// there. An event that was edited is never sent: see [Outbox.Genuine].
func (o *Outbox) PutBack(tx *record.Tx, d domain.DeadLetter) error {
	tx.OnCommit(func(context.Context) { o.wake() })
	tx.PutEvent(d.OutboxEvent)
	return tx.DeleteDeadLetter(d.Partition, d.Seq)
}

// Genuine reports whether an event has a valid MAC.
func (o *Outbox) Genuine(e domain.OutboxEvent) bool {
	return o.keys.VerifyMAC(eventLabel, e.Authenticated(), e.MAC)
}

const (
	mostCounted = 100_000
	KeepDead    = 90 * 24 * time.Hour // how long dead letters are kept, and waiting events if nothing is sent any more
	sweptDead   = 1000                // of both, removed in one transaction, so that no request waits long
)

// State is how much waits in the outbox. Each number is counted up to 100,000.
type State struct {
	Waiting, Dead int64
	Oldest        time.Time // zero: none waits
	Now           time.Time // by the store's clock
}

// Tells reports whether events of this kind go out.
func (o *Outbox) Tells(event domain.Event) bool { return o.events[event] }

// Sends reports whether events go out.
func (o *Outbox) Sends() bool { return len(o.events) > 0 }

// Age is how long the oldest event has waited.
func (s State) Age() time.Duration {
	if s.Oldest.IsZero() {
		return 0
	}
	return max(0, s.Now.Sub(s.Oldest))
}

// Measure reads the state of the outbox.
func Measure(tx interface {
	WaitingEvents(limit int) (n int64, oldest time.Time, err error)
	CountDeadLetters(limit int) (n int64, err error)
	store.Clock
}) (s State, err error) {
	err = tx.Interleave(
		func() (err error) {
			s.Waiting, s.Oldest, err = tx.WaitingEvents(mostCounted)
			return err
		},
		store.Into(&s.Dead, func() (int64, error) { return tx.CountDeadLetters(mostCounted) }))
	s.Now = tx.Now() // after the reads, so that it costs no round trip
	return s, err
}

// Tend removes old dead letters and returns the state of the outbox, which it reads with
// view. If nothing is sent any more, it also removes old events that wait. A clock that is
// set forward removes none early, because it follows [record.Tx.Steady].
func (o *Outbox) Tend(ctx context.Context, view record.Viewer) (State, error) {
	var s State
	var dead []domain.DeadLetter
	var old time.Time
	err := view(ctx, func(tx *record.Tx) error {
		tx.Final()
		err := tx.Interleave(
			store.Into(&s, func() (State, error) { return Measure(tx) }),
			store.Into(&dead, func() ([]domain.DeadLetter, error) { return tx.DeadLetters(domain.DeadLetterPosition{}, 1) }))
		old = tx.Steady().Add(-KeepDead)
		return err
	})
	if err != nil {
		return s, err
	}
	forget := !o.Sends() && !s.Oldest.IsZero() && s.Oldest.Before(old)
	if !forget && (len(dead) == 0 || !dead[0].DeadAt.Before(old)) {
		return s, nil
	}
	return s, o.records.Update(ctx, record.System, func(tx *record.Tx) error {
		old := tx.Steady().Add(-KeepDead)
		if _, err := tx.DeleteDeadLetters(old, sweptDead); err != nil || o.Sends() {
			return err
		}
		_, err := tx.DeleteEvents(old, sweptDead)
		return err
	})
}
