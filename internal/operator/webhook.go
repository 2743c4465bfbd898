package operator

import (
	"cmp"
	"context"
	"errors"
	"strconv"

	"strongroom/internal/domain"
	"strongroom/internal/outbox"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// Events is the use cases on events that are sent to a receiver.
type Events struct{ *access }

// WebhookStatus returns the state of the outbox and of the sender of events.
func (u Events) WebhookStatus(ctx context.Context) (domain.WebhookStatus, error) {
	var is outbox.State
	err := u.look(ctx, func(tx *record.Tx) (err error) {
		is, err = outbox.Measure(tx)
		return err
	})
	if err != nil {
		return domain.WebhookStatus{}, err
	}
	var state domain.WebhookStatus
	if u.cfg.Webhook != nil {
		state = u.cfg.Webhook()
	}
	state.Waiting, state.Oldest, state.DeadLetters = is.Waiting, is.Oldest, is.Dead
	return state, nil
}

// DeadLetters lists the dead letters, oldest first, without their content. One
// call reads a bounded number of them: it may find fewer than the limit and still
// return a next position.
func (u Events) DeadLetters(ctx context.Context, f domain.DeadLetterFilter, p domain.Page) (letters []domain.DeadLetter, next string, err error) {
	after, err := letterPlace(p.After)
	if err = cmp.Or(err, checkPage(p), checkLetters(f)); err != nil {
		return nil, "", err
	}
	var last domain.DeadLetterPosition
	var more bool
	err = u.look(ctx, func(tx *record.Tx) (err error) {
		letters, last, more, err = lettersAfter(tx, f, after, p.Limit)
		return err
	})
	if more {
		next = cursor("dead letters", strconv.FormatInt(domain.Micros(last.DeadAt), 10), last.ID)
	}
	for i := range letters {
		letters[i].Data, letters[i].MAC = nil, nil
	}
	return letters, next, err
}

func checkLetters(f domain.DeadLetterFilter) error {
	if f.Event != "" && !f.Event.Known() {
		return domain.BadInput("event", "must be the type of an event that is sent to receivers")
	}
	return nil
}

func letterPlace(after string) (at domain.DeadLetterPosition, err error) {
	fields, err := place(after, "dead letters", 2)
	if err != nil || after == "" {
		return at, err
	}
	micros, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return at, errPlace
	}
	return domain.DeadLetterPosition{DeadAt: domain.FromMicros(micros), ID: fields[1]}, nil
}

const (
	maxLetters   = 10_000 // dead letters that one call reads
	lettersBatch = 500
)

// lettersAfter reads batches until it has found limit dead letters, has read
// maxLetters, or there are no more. last is the position of the last one that it has read.
func lettersAfter(tx *record.Tx, f domain.DeadLetterFilter, after domain.DeadLetterPosition, limit int) (found []domain.DeadLetter, last domain.DeadLetterPosition, more bool, err error) {
	for range maxLetters / lettersBatch {
		batch, err := tx.DeadLetters(after, lettersBatch)
		if err != nil {
			return nil, after, false, err
		}
		for _, d := range batch {
			if f.Event == "" || d.Event == f.Event {
				if len(found) == limit {
					return found, after, true, nil
				}
				found = append(found, d)
			}
			after = domain.DeadLetterPosition{DeadAt: d.DeadAt, ID: d.ID}
		}
		if len(batch) < lettersBatch {
			return found, after, false, nil
		}
	}
	return found, after, true, nil
}

// ResendDeadLetter puts a dead letter back to its old place in its partition,
// before all events that wait there, with its id and number.
func (u Events) ResendDeadLetter(ctx context.Context, id string, act domain.Act) (domain.ActResult, error) {
	return u.act(ctx, request{act, "resend dead letter", [][]byte{[]byte(id)}}, func(tx *record.Tx, e domain.Entry) error {
		if !domain.IsID(id) {
			return notFound("dead letter", store.ErrNotFound)
		}
		d, err := tx.DeadLetter(id)
		if err != nil {
			return notFound("dead letter", err)
		}
		if !u.cfg.Outbox.Genuine(d.OutboxEvent) {
			return domain.Conflict("The event was edited in the database, so it is never sent.")
		}
		return u.putBack(tx, e, d)
	})
}

const (
	mostResent    = 1000 // events that one act sends again
	resentPortion = 100  // events in one transaction, so that no request waits long
)

// ResendDeadLetters does the same as ResendDeadLetter for the oldest dead letters
// that the filter selects, in portions. Each gets an entry with the request id
// and reason of the act. An event that becomes a dead letter again meanwhile is
// not sent twice.
func (u Events) ResendDeadLetters(ctx context.Context, f domain.DeadLetterFilter, act domain.Act) (done domain.Resent, err error) {
	if err := checkLetters(f); err != nil {
		return done, err
	}
	sent, edited := map[string]bool{}, map[string]bool{} // by id: a transaction may run twice
	letters, more, err := u.resendable(ctx, f, edited)
	if err != nil {
		return done, err
	}
	done.ActResult, err = u.act(ctx, request{act, "resend dead letters", [][]byte{[]byte(f.Event)}}, func(tx *record.Tx, e domain.Entry) error {
		portion := 0
		for _, listed := range letters {
			if portion == resentPortion {
				return errPortion
			}
			d, err := tx.DeadLetter(listed.ID)
			if errors.Is(err, store.ErrNotFound) || err == nil && !d.DeadAt.Equal(listed.DeadAt) {
				continue // an earlier portion or another request has sent it again
			}
			if err != nil {
				return err
			}
			if !u.cfg.Outbox.Genuine(d.OutboxEvent) {
				edited[d.ID] = true
				continue
			}
			if err := u.putBack(tx, e, d); err != nil {
				return err
			}
			sent[d.ID] = true
			portion++
		}
		return nil
	})
	if err != nil || done.Repeated {
		return done, err
	}
	done.Events, done.Edited, done.More = len(sent), len(edited), more
	return done, nil
}

// resendable returns the oldest dead letters that one act sends again, without their
// content. It reads past those that were edited and adds them to edited: otherwise many of
// them would keep later events from being sent.
func (u Events) resendable(ctx context.Context, f domain.DeadLetterFilter, edited map[string]bool) (letters []domain.DeadLetter, more bool, err error) {
	for last := (domain.DeadLetterPosition{}); ; {
		var some []domain.DeadLetter
		after := last // a transaction may run twice
		err = u.look(ctx, func(tx *record.Tx) (err error) {
			some, last, more, err = lettersAfter(tx, f, after, mostResent-len(letters))
			return err
		})
		if err != nil {
			return nil, false, err
		}
		for _, d := range some {
			if !u.cfg.Outbox.Genuine(d.OutboxEvent) {
				edited[d.ID] = true
				continue
			}
			d.Data, d.MAC = nil, nil
			letters = append(letters, d)
		}
		if !more || len(letters) == mostResent {
			return letters, more, nil
		}
	}
}

// putBack puts a dead letter back to its partition, and writes the entry.
func (u Events) putBack(tx *record.Tx, e domain.Entry, d domain.DeadLetter) error {
	if err := u.cfg.Outbox.PutBack(tx, d); err != nil {
		return err
	}
	e.Event, e.Outcome, e.Record = domain.EventWebhookResent, string(d.Event), domain.RecordEvent+"/"+d.ID
	if d.Partition != domain.StorePartition {
		e.About.Account.ID = d.Partition
		accounts, err := u.accountsShown(tx, []string{d.Partition})
		if err != nil {
			return err
		}
		if a := accounts[0]; a.Subject != "" && !a.Tampered {
			e.Account, _ = u.cfg.Records.Hashes(a, "")
		}
	}
	tx.Enter(e)
	return nil
}
