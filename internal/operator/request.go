package operator

import (
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
)

const (
	// Entries of a request are searched around the time in its id. The clocks of
	// instances and store may differ by requestBefore. An act in portions is followed
	// while its entries are less than requestAfter apart.
	requestBefore = 30 * time.Second
	requestAfter  = time.Minute
	mostFollowed  = 1000 // intervals of requestAfter

	requestExamined = 30_000  // entries that one call reads if the id has no time
	aroundExamined  = 300_000 // entries that one call reads around a time
)

// searchRequest searches for the entries of a request around the time in its id.
// If the id has no time, like those of versions before 0.5.0, or there are no
// entries around that time, it searches all entries.
func searchRequest(tx *record.Tx, f domain.EntryFilter, matches func(domain.Entry) bool, below domain.EntryPosition, limit int) (found []domain.Entry, next string, searched time.Time, err error) {
	at, ok := domain.RequestTime(f.RequestID)
	from, first := at.Add(-requestBefore), below == domain.EntryPosition{} || below.Time.Equal(f.To)
	if f.From.After(from) {
		from = f.From
	}
	top := at.Add(requestAfter)
	if ok && from.Before(tx.Now()) && (first || below.Time.After(from) && !below.Time.After(top)) {
		around := f
		around.From = from
		if first {
			if top, err = followed(tx, f.RequestID, top); err != nil {
				return nil, "", searched, err
			}
			below = domain.EntryPosition{Time: top}
			if !f.To.IsZero() && f.To.Before(top) {
				below.Time = f.To
			}
		}
		// One more than the limit, so that the next page is never empty.
		found, next, searched, err = walkRequest(tx, around, matches, below, limit+1, aroundExamined)
		switch {
		case err != nil:
			return nil, "", searched, err
		case len(found) > limit:
			return found[:limit], entryCursor(found[limit-1].Position()), found[limit-1].Time, nil
		case len(found) > 0 || next != "":
			return found, next, searched, nil
		case first:
			below = domain.EntryPosition{Time: f.To}
			if f.To.IsZero() {
				below = domain.EntryPosition{}
			}
		}
	}
	return walkRequest(tx, f, matches, below, limit, requestExamined)
}

// followed returns the end of the time range that contains the entries of a
// request.
func followed(tx *record.Tx, id string, top time.Time) (time.Time, error) {
	for range mostFollowed {
		if top.After(tx.Now()) {
			break
		}
		found, _, err := tx.EntriesOfRequest(id, top.Add(-requestBefore), domain.EntryPosition{Time: top}, aroundExamined, 1)
		if err != nil || len(found) == 0 {
			return top, err
		}
		top = top.Add(requestAfter)
	}
	return top, nil
}

// walkRequest reads at most examine entries, newest first. If it returns a next
// position, there are more entries to search.
func walkRequest(tx *record.Tx, f domain.EntryFilter, matches func(domain.Entry) bool, below domain.EntryPosition, limit, examine int) (found []domain.Entry, next string, searched time.Time, err error) {
	for left := examine; left > 0; left -= requestBatch {
		some, last, err := tx.EntriesOfRequest(f.RequestID, f.From, below, requestBatch, limit-len(found))
		if err != nil {
			return nil, "", searched, err
		}
		for _, e := range some {
			if matches(e) {
				found = append(found, e)
			}
		}
		if last == (domain.EntryPosition{}) {
			return found, "", f.From, nil
		}
		below, searched = last, last.Time
		if len(found) == limit {
			break
		}
	}
	return found, entryCursor(below), searched, nil
}

// requestBatch is how many entries one statement reads.
const requestBatch = 10_000
