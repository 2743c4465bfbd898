package record

import (
	"errors"
	"slices"
	"strings"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
)

// A move reads at most mostCompared entries of an account, comparedPage at a time.
const mostCompared, comparedPage = 10_000, 500

// errOlder is the cause of a [Tampered] that was put back or removed.
var errOlder = errors.New("the audit trail has a later version of it: the row was put back or removed")

// errEntry is the cause of a [Tampered] for an account if an entry about it was edited.
var errEntry = errors.New("an entry of the audit trail about it was edited")

// erasures are the events after which a row is gone. Its id is never used again.
var erasures = []domain.Event{domain.EventAttemptsErased, domain.EventCredentialErased, domain.EventKeyRemoved}

// erases reports whether a row is gone after an entry, or was before a prune that
// carried the entry.
func erases(e domain.Entry) bool {
	return slices.Contains(erasures, e.Event) || e.Event == domain.EventRecordCarried && len(e.Digest) == 0
}

// version is the version and the digest of a row as it is stored.
type version struct {
	number int64
	digest []byte
}

// olderThan reports whether a row is older than what an entry says, or differs from it.
func (v version) olderThan(e domain.Entry) bool {
	return v.number < e.Version || v.number == e.Version && !audit.SameRow(e.Record, v.digest, e.Digest)
}

// compareWithTrail refuses an account of which the trail has later versions. A move is
// made by a process that remembers nothing, so a counter that was put back would leave
// with fewer failures, and no process could find that any more.
func (tx *Tx) compareWithTrail(hash []byte, a domain.Account, keys []domain.DeviceKey) error {
	is, err := tx.versionsOf(a, keys)
	if err != nil {
		return err
	}
	move, err := tx.MoveOf(a.ID)
	if err != nil {
		return err
	}
	erased := map[string]bool{}
	compare := func(e domain.Entry) error {
		kind, id, _ := strings.Cut(e.Record, "/")
		row, there := is[e.Record]
		gone := erases(e)
		told, moved := audit.MoveOf(e)
		switch {
		case moved && told.AccountID == a.ID && (told.Number > move.Number || told.Number == move.Number && told.Away != move.Away):
			return &Tampered{domain.RecordAccount, a.ID, errOlder}
		case !there && kind != domain.RecordAttempts && kind != domain.RecordCredential, erased[e.Record]:
		case gone && there, len(e.Digest) > 0 && row.olderThan(e):
			return &Tampered{kind, id, errOlder}
		case gone:
			erased[e.Record] = true
		}
		return nil
	}
	return tx.newestOfAccount(hash, a.ID, compare) // an erasure comes before what it erased
}

// newestOfAccount calls fn for the entries of an account, newest first, at most
// mostCompared. hash identifies the account in the trail. At the first entry that was
// edited, it fails with [Tampered].
func (tx *Tx) newestOfAccount(hash []byte, id string, fn func(domain.Entry) error) error {
	var below domain.EntryPosition
	for range mostCompared / comparedPage {
		page, err := tx.EntriesOfAccount(hash, time.Time{}, below, comparedPage)
		if err != nil {
			return err
		}
		for _, e := range page {
			if !(Judge{tx.r.cfg.Keys}).GenuineEntry(e) {
				return &Tampered{domain.RecordAccount, id, errEntry}
			}
			if err := fn(e); err != nil {
				return err
			}
			below = e.Position()
		}
		if len(page) < comparedPage {
			break
		}
	}
	return nil
}

// LastMove returns the number of an account's last move according to the trail, or 0.
// hash identifies the account in the trail.
func (tx *Tx) LastMove(hash []byte, id string) (number int64, err error) {
	err = tx.newestOfAccount(hash, id, func(e domain.Entry) error {
		if m, ok := audit.MoveOf(e); ok && m.AccountID == id {
			number = max(number, m.Number)
		}
		return nil
	})
	return number, err
}

// versionsOf are the rows of an account by their names in the trail.
func (tx *Tx) versionsOf(a domain.Account, keys []domain.DeviceKey) (map[string]version, error) {
	is := map[string]version{}
	for _, k := range keys {
		is[domain.RecordKey+"/"+k.ID] = version{k.Version, audit.Digest(k.Canonical())}
	}
	for _, t := range domain.CredentialTypes {
		counter, credential, err := tx.tx.Guarded(a.ID, t)
		if err != nil {
			return nil, err
		}
		if counter != nil {
			is[domain.RecordAttempts+"/"+counter.ID] = version{counter.Version, audit.Digest(counter.Canonical())}
		}
		if credential != nil {
			is[domain.RecordCredential+"/"+credential.ID] = version{credential.Version, audit.Digest(credential.Canonical())}
		}
	}
	return is, nil
}
