package operator

import (
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
)

const (
	// Entries of a request are looked for around the time in its id: instances
	// and the store may differ by requestBefore, and an act in portions is followed
	// as long as its entries are no further apart than that.
	requestBefore = 30 * time.Second
	requestAfter  = time.Minute
	mostFollowed  = 1000 // stretches of requestAfter

	requestExamined = 30_000  // entries that one call looks at where the id has no time
	aroundExamined  = 300_000 // entries around a time
)

// searchRequest searches for the entries of a request. An id that has a time
// leads to them. One that has none, as those that versions before 0.5.0 made,
// or whose entries are not where it says, is looked for in all entries.
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
		// One more than asked for, so that a next one always leads to some.
		found, next, searched, err = walkRequest(tx, around, matches, below, limit+1, aroundExamined)
		switch {
		case err != nil:
			return nil, "", searched, err
		case len(found) > limit:
			return found[:limit], entryCursor(positionOf(found[limit-1])), found[limit-1].Time, nil
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

// followed is the end of the time around a request in which its entries are.
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

// walkRequest looks at so many entries, newest first. Where there is a next one,
// it did not come to the end.
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

// requestBatch is how many entries one statement looks at.
const requestBatch = 10_000

func positionOf(e domain.Entry) domain.EntryPosition {
	return domain.EntryPosition{Time: e.Time, Chain: e.Chain, Seq: e.Seq}
}
