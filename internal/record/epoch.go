package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Epoch counts how often the store was restored from a backup. A restore sets
// attempt counters back, so counters of an earlier epoch are not trusted (see
// [domain.Attempts].Restored).
type Epoch struct {
	Number int64     // 1: never restored
	At     time.Time // when it began, by the store's clock; zero: with the store
}

// storedEpoch is the value of [settingEpoch] after a restore. A store that was
// never restored has the digit 1 alone, as in earlier versions.
type storedEpoch struct {
	Number int64  `json:"epoch"`
	At     int64  `json:"at"`  // in microseconds
	MAC    []byte `json:"mac"` // over both, with label epochLabel
}

const epochLabel = "epoch v1"

// Restored is the outcome of the entry [domain.EventStoreRestored] of a restore. Its
// version is the number of the new epoch.
const Restored = "restored"

func (e storedEpoch) authenticated() []byte {
	return domain.Encode(domain.EncodeInt(e.Number), domain.EncodeInt(e.At))
}

// ParseEpoch returns the number in the setting epoch. It does not check the MAC.
func ParseEpoch(value []byte) (int64, error) {
	e, err := parseEpoch(value)
	return e.Number, err
}

var errEpoch = fmt.Errorf("%w: setting epoch was edited", seal.ErrDamaged)

func parseEpoch(value []byte) (e storedEpoch, err error) {
	if n, err := strconv.ParseInt(string(value), 10, 64); err == nil && n == 1 {
		return storedEpoch{Number: 1}, nil
	}
	if err := json.Unmarshal(value, &e); err != nil || e.Number < 2 {
		return e, errEpoch
	}
	return e, nil
}

// Epoch returns the store's epoch. It refuses one that was edited, or that was put
// back to before a restore that is in the trail.
func (tx *Tx) Epoch() (is Epoch, err error) {
	value, err := tx.Setting(settingEpoch)
	if errors.Is(err, store.ErrNotFound) {
		value, err = []byte("1"), nil
	}
	if err != nil {
		return is, err
	}
	e, err := parseEpoch(value)
	if err != nil {
		return is, err
	}
	is.Number = e.Number
	if e.Number > 1 {
		if !tx.r.cfg.Keys.VerifyMAC(epochLabel, e.authenticated(), e.MAC) {
			return is, errEpoch
		}
		is.At = domain.FromMicros(e.At)
	}
	entry, err := tx.LastRestore()
	if err == nil && entry.Version > is.Number {
		err = fmt.Errorf("%w: setting epoch is %d, and the audit trail tells of epoch %d", seal.ErrDamaged, is.Number, entry.Version)
	}
	return is, err
}

// mostRestores is how many of the newest entries about restores are read.
const mostRestores = 100

// LastRestore returns the entry of the last restore that is in the trail, or the
// zero value.
func (tx *Tx) LastRestore() (last domain.Entry, err error) {
	entries, err := tx.EntriesOfEvent(domain.EventStoreRestored, time.Time{}, domain.EntryPosition{}, mostRestores)
	for _, e := range entries {
		if e.Outcome == Restored && e.Version > last.Version && audit.Genuine(tx.r.cfg.Keys, e) {
			last = e
		}
	}
	return last, err
}

// RaiseEpoch begins the next epoch, with the entry e. at is not before any entry
// that the backup has.
func (tx *Tx) RaiseEpoch(e domain.Entry, at time.Time) (is Epoch, err error) {
	before, err := tx.Epoch()
	if err != nil {
		return is, err
	}
	is = Epoch{before.Number + 1, domain.FromMicros(domain.Micros(at))}
	e.Event, e.Outcome, e.Version = domain.EventStoreRestored, Restored, is.Number
	tx.Enter(e)
	return is, tx.putEpoch(is)
}

// ResignEpoch renews the MAC of the epoch, after the primary data key changed.
func (tx *Tx) ResignEpoch() error {
	is, err := tx.Epoch()
	if err != nil || is.Number == 1 {
		return err
	}
	return tx.putEpoch(is)
}

func (tx *Tx) putEpoch(is Epoch) error {
	e := storedEpoch{Number: is.Number, At: domain.Micros(is.At)}
	e.MAC = tx.r.cfg.Keys.MAC(epochLabel, e.authenticated())
	value, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return tx.PutSetting(settingEpoch, value)
}
