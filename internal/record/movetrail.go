package record

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
)

// MostCompared is how many entries the trail may have about an account that moves. It
// bounds the memory of a move, which holds the newest one of each record.
const MostCompared = 1_000_000

// comparedPage is how many of them are read at a time.
const comparedPage = 500

// comparedAgain is more than any transaction takes, or any clock is set back meanwhile.
const comparedAgain = 10 * time.Minute

// ErrManyEntries says that the trail has too many entries of an account to compare them.
var ErrManyEntries = errors.New("too many entries")

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

// olderThan reports whether a row is older than what the trail says, or differs from it.
func (v version) olderThan(record string, is told) bool {
	differs := func(digest []byte) bool { return !audit.SameRow(record, v.digest, digest) }
	return v.number < is.version || v.number == is.version && slices.ContainsFunc(is.digests, differs)
}

// History is what the trail says about an account: the newest version of each of its
// records, and its last move.
type History struct {
	since   time.Time // from here on, entries may be missing
	records map[string]told
	last    domain.AccountMove
	twice   bool  // the last move went both ways
	err     error // returned by the first use, because a repeated move uses nothing
}

// told is what the trail says about a record.
type told struct {
	version int64
	digests [][]byte // of this version; verdicts have short ones
	erased  bool
}

// HistoryOf reads all entries of an account, each page in a transaction of its own:
// the transaction of a move would hold up others for as long as it reads. Entries that
// are made meanwhile are read by the move.
func (r *Records) HistoryOf(ctx context.Context, name domain.Account) *History {
	id, h := r.AccountID(name), &History{}
	hash, _ := r.Hashes(name, "")
	var began time.Time
	h.err = eachPage(func(below domain.EntryPosition) (page []domain.Entry, err error) {
		err = r.View(ctx, func(tx *Tx) error {
			if began.IsZero() {
				began = tx.Now()
			}
			if page, err = tx.EntriesOfAccount(hash, time.Time{}, below, comparedPage); err != nil {
				return err
			}
			return tx.learn(h, id, page)
		})
		return page, err
	})
	h.since = began.Add(-comparedAgain)
	return h
}

// complete adds the entries of an account that were made since the history was read. hash
// identifies the account in the trail. It reads all entries if h is empty.
func (tx *Tx) complete(h *History, hash []byte, id string) error {
	if h.err != nil {
		return h.err
	}
	return eachPage(func(below domain.EntryPosition) ([]domain.Entry, error) {
		page, err := tx.EntriesOfAccount(hash, h.since, below, comparedPage)
		if err != nil {
			return nil, err
		}
		return page, tx.learn(h, id, page)
	})
}

// eachPage reads the pages of an account's entries, newest first. It never stops before
// the last one without an error: rows that were not compared could have been put back.
func eachPage(read func(below domain.EntryPosition) ([]domain.Entry, error)) error {
	var below domain.EntryPosition
	for range MostCompared / comparedPage {
		page, err := read(below)
		if err != nil || len(page) < comparedPage {
			return err
		}
		below = page[len(page)-1].Position()
	}
	return ErrManyEntries
}

// learn adds entries of an account. At the first one that was edited, it fails with
// [Tampered]. It may read the same entries again.
func (tx *Tx) learn(h *History, id string, page []domain.Entry) error {
	for _, e := range page {
		if !(Judge{tx.r.cfg.Keys}).GenuineEntry(e) {
			return &Tampered{domain.RecordAccount, id, errEntry}
		}
		h.take(id, e)
	}
	return nil
}

func (h *History) take(id string, e domain.Entry) {
	if m, moved := audit.MoveOf(e); moved && m.AccountID == id {
		switch {
		case m.Number > h.last.Number:
			h.last, h.twice = m, false
		case m.Number == h.last.Number && m.Away != h.last.Away:
			h.twice = true
		}
	}
	gone := erases(e)
	if !gone && len(e.Digest) == 0 {
		return
	}
	if h.records == nil {
		h.records = map[string]told{}
	}
	is := h.records[e.Record]
	switch same := func(digest []byte) bool { return bytes.Equal(digest, e.Digest) }; {
	case gone:
		is.erased = true
	case e.Version > is.version:
		is.version, is.digests = e.Version, [][]byte{e.Digest}
	case e.Version == is.version && !slices.ContainsFunc(is.digests, same):
		is.digests = append(is.digests, e.Digest)
	}
	h.records[e.Record] = is
}

// compareWithTrail refuses an account of which the trail has later versions. A move is
// made by a process that remembers nothing, so a counter that was put back would leave
// with fewer failures, and no process could find that any more.
func (tx *Tx) compareWithTrail(h *History, hash []byte, a domain.Account, keys []domain.DeviceKey) error {
	is, err := tx.versionsOf(a, keys)
	if err != nil {
		return err
	}
	move, err := tx.MoveOf(a.ID)
	if err != nil {
		return err
	}
	if err := tx.complete(h, hash, a.ID); err != nil {
		return err
	}
	if h.last.Number > move.Number || h.last.Number == move.Number && (h.twice || h.last.Away != move.Away) {
		return &Tampered{domain.RecordAccount, a.ID, errOlder}
	}
	for record, told := range h.records {
		kind, id, _ := strings.Cut(record, "/")
		row, there := is[record]
		mustBe := there || !told.erased && (kind == domain.RecordAttempts || kind == domain.RecordCredential)
		if mustBe && (told.erased || row.olderThan(record, told)) {
			return &Tampered{kind, id, errOlder}
		}
	}
	return nil
}

// LastMove returns the number of an account's last move according to the trail, or 0.
// hash identifies the account in the trail.
func (tx *Tx) LastMove(h *History, hash []byte, id string) (number int64, err error) {
	err = tx.complete(h, hash, id)
	return h.last.Number, err
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
