package store

import (
	"time"

	"strongroom/internal/domain"
)

// Outbox holds the events that wait to be sent. [Appends] adds them. What one call costs
// depends on its limit, which is positive, and not on how many events there are.
type Outbox interface {
	// NumberEvents raises the number of a partition's last event by n, which is
	// positive, and returns it. The first number is 1. No number is used twice.
	NumberEvents(partition string, n int) (last int64, err error)
	// NextPartition returns the first event that waits in the first partition, in
	// byte order, after the given one ("": of all), or ErrNotFound at the end.
	NextPartition(after string) (domain.OutboxEvent, error)
	// FirstEvent returns the first event that waits in a partition, or ErrNotFound.
	FirstEvent(partition string) (domain.OutboxEvent, error)
	// EventsOf returns at most limit of the events that wait in a partition after
	// a number (0: from the first), in order. limit is positive.
	EventsOf(partition string, after int64, limit int) ([]domain.OutboxEvent, error)
	// DeleteEvent removes an event. If it is not there it does nothing.
	DeleteEvent(partition string, seq int64) error
	// DeleteEvents removes at most limit of the events that happened before the
	// time, and returns how many it removed.
	DeleteEvents(before time.Time, limit int) (deleted int, err error)
	// WaitingEvents counts the events that wait, up to limit, and returns when
	// the oldest happened (zero: none waits).
	WaitingEvents(limit int) (n int64, oldest time.Time, err error)
}

// DeadLetters are the events that were set aside because they could not be
// delivered. What one call costs depends on its limit, which is positive.
type DeadLetters interface {
	// PutDeadLetter adds a dead letter, or fails with ErrConflict if one of
	// this partition and number exists.
	PutDeadLetter(d domain.DeadLetter) error
	// DeadLetter returns the dead letter with this id, or ErrNotFound.
	DeadLetter(id string) (domain.DeadLetter, error)
	// DeadLetters returns them, oldest first, after the given position (zero:
	// from the first).
	DeadLetters(after domain.DeadLetterPosition, limit int) ([]domain.DeadLetter, error)
	// DeadLettersOf returns at most limit of those of a partition, in order of their
	// numbers.
	DeadLettersOf(partition string, limit int) ([]domain.DeadLetter, error)
	// CountDeadLetters counts them, up to limit.
	CountDeadLetters(limit int) (n int64, err error)
	// DeleteDeadLetter removes a dead letter. If it is not there it does nothing.
	DeleteDeadLetter(partition string, seq int64) error
	// DeleteDeadLettersOf removes those of a partition whose number is below the
	// given one.
	DeleteDeadLettersOf(partition string, below int64) error
	// DeleteDeadLetters removes at most limit of those that were set aside
	// before the time, and returns how many it removed.
	DeleteDeadLetters(before time.Time, limit int) (deleted int, err error)
}
