package service

import (
	"context"
	"strconv"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// WebhookStatus is how it stands with the events that go out.
func (s *Service) WebhookStatus(ctx context.Context) (domain.WebhookStatus, error) {
	var o outboxState
	err := s.look(ctx, func(tx store.Tx) (err error) {
		o, err = outboxIn(tx)
		return err
	})
	if err != nil {
		return domain.WebhookStatus{}, err
	}
	var state domain.WebhookStatus
	if w := s.cfg.Webhook; w != nil && len(w.Events) > 0 && w.Status != nil {
		state = w.Status()
	}
	state.Waiting, state.Oldest, state.DeadLetters = o.waiting, o.oldest, o.dead
	return state, nil
}

// DeadLetters are the events that were set aside, oldest first, without what
// they say.
func (s *Service) DeadLetters(ctx context.Context, p domain.Page) (letters []domain.DeadLetter, next string, err error) {
	if err := checkPage(p); err != nil {
		return nil, "", err
	}
	fields, err := place(p.After, "dead letters", 2)
	if err != nil {
		return nil, "", err
	}
	var after domain.DeadLetterPosition
	if p.After != "" {
		micros, err := strconv.ParseInt(fields[0], 10, 64)
		if err != nil {
			return nil, "", domain.BadInput("after", "must be the position that the part before ended with")
		}
		after = domain.DeadLetterPosition{DeadAt: domain.FromMicros(micros), ID: fields[1]}
	}
	err = s.look(ctx, func(tx store.Tx) error {
		letters, err = tx.DeadLetters(after, p.Limit+1)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	letters, next = part(letters, p.Limit, func(d domain.DeadLetter) string {
		return cursor("dead letters", strconv.FormatInt(domain.Micros(d.DeadAt), 10), d.ID)
	})
	for i := range letters {
		letters[i].Data, letters[i].MAC = nil, nil
	}
	return letters, next, nil
}

// ResendDeadLetter puts an event that was set aside back to its old place in
// its lane, before all that wait there, with the id and number that it had.
func (s *Service) ResendDeadLetter(ctx context.Context, id string, act domain.Act) (domain.Receipt, error) {
	return s.act(ctx, request{act, "resend dead letter", [][]byte{[]byte(id)}}, func(tx store.Tx, e domain.Entry) ([]domain.Entry, error) {
		if !isID(id) {
			return nil, notFound("dead letter", store.ErrNotFound)
		}
		d, err := tx.DeadLetter(id)
		if err != nil {
			return nil, notFound("dead letter", err)
		}
		if !s.keys.VerifyMAC(eventLabel, d.Authenticated(), d.MAC) {
			return nil, conflict("The event was edited in the database, and is never sent.")
		}
		if err := tx.DeleteDeadLetter(d.Lane, d.Seq); err != nil {
			return nil, err
		}
		if err := tx.PutEvent(d.OutboxEvent); err != nil {
			return nil, err
		}
		s.outgoing.put.Store(true)
		e.Event, e.Outcome, e.Record = domain.EventWebhookResent, string(d.Event), domain.RecordEvent+"/"+d.ID
		if d.Lane != domain.StoreLane {
			e.About.Account.ID = d.Lane
			account, err := s.accountShown(tx, d.Lane, "")
			if err != nil {
				return nil, err
			}
			if account.Subject != "" && !account.Tampered {
				e.Account, _ = s.hashesOf(account, "")
			}
		}
		return []domain.Entry{e}, nil
	})
}
