package metrics

import (
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Tx is what the roll-ups need of a transaction: it cannot change records.
type Tx interface {
	Now() time.Time
	Interleave(fns ...func() error) error
	Setting(name string) ([]byte, error)
	PutSettingLater(name string, value []byte) error
	store.Rollups
	LastEntry(chain string) (domain.Entry, error)
	EntriesFrom(from []domain.EntryPosition, limit int) ([]domain.Entry, error)
	EachEntry(chain string, after int64, fn func(domain.Entry) error) error
}
