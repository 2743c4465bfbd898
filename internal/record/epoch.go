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
	// Witness is the state of the witness, a digest of package witness, for which the
	// restore was made. A start accepts the restore only beside a witness in this state.
	// "": none.
	Witness string
}

// storedEpoch is the value of [settingEpoch] after a restore. A store that was
// never restored has the digit 1 alone, as in earlier versions.
type storedEpoch struct {
	Number int64  `json:"epoch"`
	At     int64  `json:"at"`  // in microseconds
	MAC    []byte `json:"mac"` // over both, with label epochLabel
	// Versions up to 0.15.9 neither read nor write these two. A MAC of its own, over all
	// three, keeps the other one valid for them.
	Witness    string `json:"witness,omitempty"`
	WitnessMAC []byte `json:"witnessMAC,omitempty"` // with label epochWitnessLabel
}

const (
	epochLabel        = "epoch v1"
	epochWitnessLabel = "epoch witness v1"
)

// Restored is the outcome of the entry [domain.EventStoreRestored] of a restore. Its
// version is the number of the new epoch.
const Restored = "restored"

func (e storedEpoch) authenticated() []byte {
	return domain.Encode(domain.EncodeInt(e.Number), domain.EncodeInt(e.At))
}

func (e storedEpoch) authenticatedWitness() []byte {
	return domain.Encode(domain.EncodeInt(e.Number), domain.EncodeInt(e.At), []byte(e.Witness))
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
		if !tx.genuineEpoch(e) {
			return is, errEpoch
		}
		is.At, is.Witness = domain.FromMicros(e.At), e.Witness
	}
	entry, err := tx.LastRestore()
	if err == nil && entry.Version > is.Number {
		err = fmt.Errorf("%w: setting epoch is %d, and the audit trail tells of epoch %d", seal.ErrDamaged, is.Number, entry.Version)
	}
	return is, err
}

func (tx *Tx) genuineEpoch(e storedEpoch) bool {
	keys := tx.r.cfg.Keys
	return keys.VerifyMAC(epochLabel, e.authenticated(), e.MAC) &&
		(e.Witness == "" || keys.VerifyMAC(epochWitnessLabel, e.authenticatedWitness(), e.WitnessMAC))
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

// RaiseEpoch begins the next epoch, with the entry e. at is not before any entry that the
// backup has. witness is the state of the witness ([Epoch].Witness). It counts all pending
// attempts as failures of the epoch that ends, because no process can settle them. Counted
// in the new epoch, each would use up the one attempt of its counter.
func (tx *Tx) RaiseEpoch(e domain.Entry, at time.Time, witness string) (is Epoch, err error) {
	before, err := tx.Epoch()
	if err == nil {
		err = tx.endAttempts()
	}
	if err != nil {
		return is, err
	}
	is = Epoch{Number: before.Number + 1, At: domain.FromMicros(domain.Micros(at)), Witness: witness}
	e.Event, e.Outcome, e.Version = domain.EventStoreRestored, Restored, is.Number
	tx.Enter(e)
	return is, tx.putEpoch(is)
}

// endAttempts counts the pending attempts of all counters as failures.
func (tx *Tx) endAttempts() error {
	var pending []domain.Attempts
	err := tx.EachAttempts(func(l domain.ListedLock) error {
		if len(l.Counter.Pending) > 0 {
			pending = append(pending, l.Counter)
		}
		return nil
	})
	for _, a := range pending {
		if err == nil {
			err = tx.endAttemptsOf(a.AccountID, a.Type)
		}
	}
	return err
}

func (tx *Tx) endAttemptsOf(accountID string, t domain.CredentialType) error {
	account, err := tx.AccountByID(accountID)
	if err != nil && !errors.Is(err, store.ErrNotFound) && !IsTampered(err) {
		return err
	}
	if err == nil { // the entries name the account
		who := tx.who
		defer func() { tx.who = who }()
		tx.who.About.Account = account
		tx.who.Account, _ = tx.r.Hashes(account, "")
	}
	c, err := tx.Attempts(accountID, t)
	if IsTampered(err) { // refused at each use anyway
		return nil
	}
	if err == nil {
		c.lapseAll()
	}
	return err
}

// BindEpoch replaces the state of the witness for which the restore was made.
func (tx *Tx) BindEpoch(witness string) error {
	is, err := tx.Epoch()
	if err != nil {
		return err
	}
	is.Witness = witness
	return tx.putEpoch(is)
}

// ResignEpoch renews the MACs of the epoch, after the primary data key changed.
func (tx *Tx) ResignEpoch() error {
	is, err := tx.Epoch()
	if err != nil || is.Number == 1 {
		return err
	}
	return tx.putEpoch(is)
}

func (tx *Tx) putEpoch(is Epoch) error {
	e := storedEpoch{Number: is.Number, At: domain.Micros(is.At), Witness: is.Witness}
	e.MAC = tx.r.cfg.Keys.MAC(epochLabel, e.authenticated())
	if e.Witness != "" {
		e.WitnessMAC = tx.r.cfg.Keys.MAC(epochWitnessLabel, e.authenticatedWitness())
	}
	value, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return tx.PutSetting(settingEpoch, value)
}
