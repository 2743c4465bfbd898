package store

import (
	"time"

	"strongroom/internal/domain"
)

// Outbox holds the events that wait to be sent, and those that were set aside.
// What one call costs depends on its limit, which is positive, and not on how
// many events there are.
type Outbox interface {
	// NumberEvents raises the number of a lane's last event by n, being
	// positive, and returns it. Numbers begin at 1 and never again.
	NumberEvents(lane string, n int) (last int64, err error)
	// PutEvent adds an event, or fails with ErrConflict when its lane has one of
	// this number.
	PutEvent(e domain.OutboxEvent) error
	// NextLane returns the first event that waits in the first lane, in byte
	// order, after the given one ("": of all), or ErrNotFound at the end.
	NextLane(after string) (domain.OutboxEvent, error)
	// FirstEvent returns the first event that waits in a lane, or ErrNotFound.
	FirstEvent(lane string) (domain.OutboxEvent, error)
	// DeleteEvent removes an event. That it is not there (any more) is no error.
	DeleteEvent(lane string, seq int64) error
	// DeleteEvents removes at most limit of the events that happened before the
	// time, and returns how many there were.
	DeleteEvents(before time.Time, limit int) (deleted int, err error)
	// WaitingEvents counts the events that wait, up to limit, and says when the
	// oldest happened (zero: none waits).
	WaitingEvents(limit int) (n int64, oldest time.Time, err error)

	// PutDeadLetter adds a dead letter, or fails with ErrConflict when one of
	// this lane and number is there.
	PutDeadLetter(d domain.DeadLetter) error
	// DeadLetter returns the dead letter with this id, or ErrNotFound.
	DeadLetter(id string) (domain.DeadLetter, error)
	// DeadLetters returns them, oldest first, after the given position (zero:
	// from the first).
	DeadLetters(after domain.DeadLetterPosition, limit int) ([]domain.DeadLetter, error)
	// CountDeadLetters counts them, up to limit.
	CountDeadLetters(limit int) (n int64, err error)
	// DeleteDeadLetter removes a dead letter. That it is not there is no error.
	DeleteDeadLetter(lane string, seq int64) error
	// DeleteDeadLettersOf removes those of a lane whose number is below the given
	// one.
	DeleteDeadLettersOf(lane string, below int64) error
	// DeleteDeadLetters removes at most limit of those that were set aside
	// before the time, and returns how many there were.
	DeleteDeadLetters(before time.Time, limit int) (deleted int, err error)
}
