package outbox

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// resignAtOnce is how many events one call of [Outbox.Resign] reads. Requests wait for
// its transaction, and a receiver that is away leaves very many events.
const resignAtOnce = 200

// The forms of a place in [Outbox.Resign]: after an event that waits, or after a dead
// letter.
const (
	waitingPlace = "waiting %d %s" // its number and its partition, which may be empty
	deadPlace    = "dead %d %s"    // when it was set aside, in microseconds, and its id
)

// Resign renews the MACs of the next events, after the primary data key changed: of those
// that wait, and then of the dead letters. after is the place that the last call returned,
// "" at first. Resign returns "" at the end. Events that were edited keep their MACs.
func (o *Outbox) Resign(tx *record.Tx, after string) (next string, err error) {
	var number int64
	kind, rest, _ := strings.Cut(after, " ")
	if after != "" {
		if _, err := fmt.Sscan(rest, &number); err != nil {
			return "", fmt.Errorf("reading a place in the outbox: %w", err)
		}
	}
	_, name, _ := strings.Cut(rest, " ")
	if kind == "dead" {
		return o.resignDead(tx, domain.DeadLetterPosition{DeadAt: domain.FromMicros(number), ID: name})
	}
	return o.resignWaiting(tx, name, number)
}

// resignWaiting continues after the event with this number of a partition.
func (o *Outbox) resignWaiting(tx *record.Tx, partition string, seq int64) (next string, err error) {
	for left := resignAtOnce; left > 0; {
		events, err := tx.EventsOf(partition, seq, left)
		if err != nil {
			return "", err
		}
		for _, e := range events {
			seq = e.Seq
			if !o.resign(&e) {
				continue
			}
			if err := tx.DeleteEvent(partition, e.Seq); err != nil {
				return "", err
			}
			tx.PutEvent(e)
		}
		if left -= len(events); left == 0 {
			break
		}
		first, err := tx.NextPartition(partition)
		if errors.Is(err, store.ErrNotFound) {
			return fmt.Sprintf(deadPlace, 0, ""), nil
		}
		if err != nil {
			return "", err
		}
		partition, seq = first.Partition, 0
	}
	return fmt.Sprintf(waitingPlace, seq, partition), nil
}

func (o *Outbox) resignDead(tx *record.Tx, after domain.DeadLetterPosition) (next string, err error) {
	page, err := tx.DeadLetters(after, resignAtOnce)
	if err != nil {
		return "", err
	}
	for _, d := range page {
		after = domain.DeadLetterPosition{DeadAt: d.DeadAt, ID: d.ID}
		if !o.resign(&d.OutboxEvent) {
			continue
		}
		if err := errors.Join(tx.DeleteDeadLetter(d.Partition, d.Seq), tx.PutDeadLetter(d)); err != nil {
			return "", err
		}
	}
	if len(page) < resignAtOnce {
		return "", nil
	}
	return fmt.Sprintf(deadPlace, domain.Micros(after.DeadAt), after.ID), nil
}

// resign renews the MAC of a genuine event, and reports whether that changed it.
func (o *Outbox) resign(e *domain.OutboxEvent) bool {
	mac := o.keys.MAC(eventLabel, e.Authenticated())
	if bytes.Equal(mac, e.MAC) || !o.Genuine(*e) {
		return false
	}
	e.MAC = mac
	return true
}
