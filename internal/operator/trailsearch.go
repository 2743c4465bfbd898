package operator

import (
	"errors"
	"strings"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

var errEnough = errors.New("enough")

// index reads entries of the trail, newest first, by one of its indexes.
type index func(tx *record.Tx, below domain.EntryPosition, limit int) ([]domain.Entry, error)

// search reads batches of size entries until it has found limit entries, has read
// maxExamined entries, or there are no more.
func search(tx *record.Tx, read index, matches func(domain.Entry) bool, below domain.EntryPosition, limit, size int) (found []domain.Entry, next string, searched time.Time, err error) {
	for range maxExamined / size {
		batch, err := read(tx, below, size)
		if err != nil {
			return nil, "", searched, err
		}
		for _, e := range batch {
			below = e.Position()
			searched = e.Time
			if !matches(e) {
				continue
			}
			if found = append(found, e); len(found) == limit {
				return found, entryCursor(below), searched, nil
			}
		}
		if len(batch) < size {
			return found, "", searched, nil
		}
	}
	return found, entryCursor(below), searched, nil
}

// selected searches for the entries of a filter in the fastest way.
func (u Trail) selected(tx *record.Tx, f domain.EntryFilter, below domain.EntryPosition, limit int) (found []domain.Entry, next string, searched time.Time, err error) {
	read, matches, named, err := u.indexFor(tx, f)
	if err != nil {
		return nil, "", searched, err
	}
	if f.RequestID != "" && !named {
		return searchRequest(tx, f, matches, below, limit)
	}
	size := examinedBatch
	if everyEntry(f) {
		size = limit
	}
	return search(tx, read, matches, below, limit, size)
}

// everyEntry reports whether every entry of the index matches a filter.
func everyEntry(f domain.EntryFilter) bool {
	return f.DeviceID+f.KeyID+f.Record+string(f.Event)+f.Outcome+f.Actor+f.RequestID == ""
}

// indexFor chooses the index for a filter, and a function that checks the rest of
// the filter in each entry. named says that it is the index of accounts. Entries
// about a key that name no account are not found by the key: operators' entries
// of version 0.1, and entries about keys of erased accounts.
func (u Trail) indexFor(tx *record.Tx, f domain.EntryFilter) (read index, matches func(domain.Entry) bool, named bool, err error) {
	account, device, named, err := u.namedBy(tx, f)
	if err != nil {
		return nil, nil, false, err
	}
	if device == nil && f.DeviceID != "" {
		return nil, nil, false, domain.Conflict("The account was erased, so the entries of its devices cannot be found by deviceId. Leave deviceId out.")
	}
	matches = func(e domain.Entry) bool { return selects(f, e) }
	switch {
	case named:
		if f.DeviceID != "" && u.cfg.Mode != domain.ModeDevice {
			matches = func(e domain.Entry) bool { return string(e.Device) == string(device) && selects(f, e) }
		}
		return func(tx *record.Tx, below domain.EntryPosition, limit int) ([]domain.Entry, error) {
			return tx.EntriesOfAccount(account, f.From, below, limit)
		}, matches, true, nil
	case f.Event != "" && f.Event.Rare():
		return func(tx *record.Tx, below domain.EntryPosition, limit int) ([]domain.Entry, error) {
			return tx.EntriesOfEvent(f.Event, f.From, below, limit)
		}, matches, false, nil
	}
	return func(tx *record.Tx, below domain.EntryPosition, limit int) ([]domain.Entry, error) {
		return tx.Entries(f.From, below, limit)
	}, matches, false, nil
}

// namedBy returns the hash by which the trail names the account of a filter: the
// account itself, or the account of a device or key.
func (u Trail) namedBy(tx *record.Tx, f domain.EntryFilter) (account, device []byte, named bool, err error) {
	switch {
	case f.DeviceID != "" && u.cfg.Mode == domain.ModeDevice:
		if f.AccountID != "" && f.AccountID != u.cfg.Records.AccountID(domain.Account{Mode: domain.ModeDevice, Subject: f.DeviceID}) {
			return nil, nil, false, domain.BadInput("accountId", "is not the account of this device")
		}
		account, device = u.cfg.Records.Hashes(domain.Account{Mode: domain.ModeDevice, Subject: f.DeviceID}, "")
		return account, device, true, nil
	case f.AccountID != "":
		a, err := tx.AccountByID(f.AccountID)
		if errors.Is(err, store.ErrNotFound) {
			account, err = u.erasedAccount(tx, f.AccountID)
			return account, nil, true, err
		}
		if err != nil {
			return nil, nil, false, err
		}
		account, device = u.cfg.Records.Hashes(a, f.DeviceID)
		return account, device, true, nil
	case len(f.AccountHash) > 0:
		return f.AccountHash, nil, true, nil
	}
	keyID := f.KeyID
	if id, ok := strings.CutPrefix(f.Record, domain.RecordKey+"/"); ok && keyID == "" {
		keyID = id
	}
	if keyID == "" {
		return nil, nil, false, nil
	}
	k, err := keyByID(tx, keyID)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil, false, nil
	}
	if err != nil {
		return nil, nil, false, err
	}
	account, device, err = tx.Whose(k)
	return account, device, account != nil, err
}

// maxErasures is how many of the latest erasures are searched for one account.
const maxErasures = 20_000

// erasedAccount returns the hash by which the trail names an erased account. The
// entry of its erasure contains both the id and the hash.
func (u Trail) erasedAccount(tx *record.Tx, id string) (hash []byte, err error) {
	record := domain.RecordAccount + "/" + id
	var below domain.EntryPosition
	for range maxErasures / examinedBatch {
		batch, err := tx.EntriesOfEvent(domain.EventAccountErased, time.Time{}, below, examinedBatch)
		if err != nil {
			return nil, err
		}
		for _, e := range batch {
			if e.Record == record && audit.Genuine(u.cfg.Keys, e) {
				return e.Account, nil
			}
			below = e.Position()
		}
		if len(batch) < examinedBatch {
			break
		}
	}
	return nil, &domain.Error{Code: domain.CodeNotFound, Message: "There is no account of this id, and no erasure in the trail names it. " +
		"If you have the hash by which entries name the account, search by accountHash."}
}

// selects checks the fields of a filter that no index covers. The index covers
// account, device and time.
func selects(f domain.EntryFilter, e domain.Entry) bool {
	for _, pair := range [][2]string{{f.KeyID, e.KeyID}, {f.Record, e.Record}, {string(f.Event), string(e.Event)},
		{f.Outcome, e.Outcome}, {f.RequestID, e.RequestID}} {
		if pair[0] != "" && pair[0] != pair[1] {
			return false
		}
	}
	name, operator := strings.CutPrefix(e.Actor, "operator:")
	return f.Actor == "" || f.Actor == e.Actor || operator && (f.Actor == name || f.Actor == "operator")
}

// Trail is the use cases on the audit trail.
type Trail struct{ *access }

const (
	maxExamined   = 3000 // entries that one call reads
	examinedBatch = 500
)

// begin is the time of the first entry in the trail, or zero if it is empty.
func begin(tx *record.Tx) (time.Time, error) {
	first, err := tx.Oldest()
	if errors.Is(err, store.ErrNotFound) {
		return time.Time{}, nil
	}
	return first, err
}
