package tally

import (
	"sync"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// keyUses are the keys that were used in this hour, for operators to see. A flush
// writes each key once an hour. No request waits for that, and a kill loses the
// uses of the last second. No decision depends on them. Safe for concurrent use.
type keyUses struct {
	mu      sync.Mutex
	hour    time.Time
	noted   map[string]struct{} // key ids of this hour
	pending []keyUse
}

type keyUse struct {
	account, key string
	at           time.Time // the hour
}

const (
	// maxNotedKeys bounds the keys of an hour in memory, about 100 bytes each. Above
	// it all are forgotten, and written once more when they are used again.
	maxNotedKeys = 50_000
	// maxPendingUses bounds the uses that wait while the store takes no writes.
	maxPendingUses = 10_000
	usesPerFlush   = 200 // so that no request waits long for the transaction
)

func (u *keyUses) note(k domain.DeviceKey, now time.Time) {
	hour := now.UTC().Truncate(time.Hour)
	u.mu.Lock()
	defer u.mu.Unlock()
	if !hour.Equal(u.hour) {
		u.hour, u.noted = hour, nil
	}
	if _, known := u.noted[k.ID]; known || len(u.pending) >= maxPendingUses {
		return
	}
	if u.noted == nil || len(u.noted) >= maxNotedKeys {
		u.noted = map[string]struct{}{}
	}
	u.noted[k.ID] = struct{}{}
	u.pending = append(u.pending, keyUse{k.AccountID, k.ID, hour})
}

// take returns the uses that the next flush writes.
func (u *keyUses) take() []keyUse {
	u.mu.Lock()
	defer u.mu.Unlock()
	n := min(len(u.pending), usesPerFlush)
	taken := u.pending[:n:n]
	if u.pending = u.pending[n:]; len(u.pending) == 0 {
		u.pending = nil
	}
	return taken
}

// giveBack puts back uses that could not be written.
func (u *keyUses) giveBack(taken []keyUse) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.pending = append(taken, u.pending...)
}

// waiting reports whether there are uses to write.
func (u *keyUses) waiting() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.pending) > 0
}

// writeKeyUses writes uses. A use that is written just after its account was
// erased stays, as the record of its key does.
func writeKeyUses(tx *record.Tx, uses []keyUse) error {
	for _, u := range uses {
		if err := tx.NoteKeyUse(u.account, u.key, u.at); err != nil {
			return err
		}
	}
	return nil
}
