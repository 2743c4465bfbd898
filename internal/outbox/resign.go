package outbox

import (
	"errors"
	"math"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// Resign renews the MACs of the events that wait and of the dead letters, after the
// primary data key changed. Events that were edited keep theirs.
func (o *Outbox) Resign(tx *record.Tx) error {
	if err := o.resignWaiting(tx); err != nil {
		return err
	}
	return o.resignDead(tx)
}

func (o *Outbox) resignWaiting(tx *record.Tx) error {
	for partition := ""; ; {
		first, err := tx.NextPartition(partition)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		partition = first.Partition
		events, err := tx.EventsOf(partition, math.MaxInt32)
		if err != nil {
			return err
		}
		for _, e := range events {
			if !o.resign(&e) {
				continue
			}
			if err := tx.DeleteEvent(partition, e.Seq); err != nil {
				return err
			}
			tx.PutEvent(e)
		}
	}
}

// deadPage is how many dead letters are read at a time.
const deadPage = 100

func (o *Outbox) resignDead(tx *record.Tx) error {
	for after := (domain.DeadLetterPosition{}); ; {
		page, err := tx.DeadLetters(after, deadPage)
		if err != nil {
			return err
		}
		for _, d := range page {
			after = domain.DeadLetterPosition{DeadAt: d.DeadAt, ID: d.ID}
			if !o.resign(&d.OutboxEvent) {
				continue
			}
			if err := errors.Join(tx.DeleteDeadLetter(d.Partition, d.Seq), tx.PutDeadLetter(d)); err != nil {
				return err
			}
		}
		if len(page) < deadPage {
			return nil
		}
	}
}

// resign renews the MAC of a genuine event, and reports whether it did.
func (o *Outbox) resign(e *domain.OutboxEvent) bool {
	if !o.Genuine(*e) {
		return false
	}
	e.MAC = o.keys.MAC(eventLabel, e.Authenticated())
	return true
}
