package audit

import (
	"fmt"
	"strings"
	"time"

	"strongroom/internal/domain"
)

// plansOf are the events about rotation plans. They are rare, so an index finds
// the newest quickly.
var plansOf = []domain.Event{domain.EventRotationStarted, domain.EventRotationCarried, domain.EventRotationStopped, domain.EventRotationFinished}

// plansPage is how many entries of each event are read. The start of the running
// plan is usually the newest one, and an end is as new as its start.
const plansPage = 50

type eventsReader interface {
	eventReader
	NewestOfEvents(events []domain.Event, limit int) ([]domain.Entry, error)
}

// PlanDigests returns what the trail says about the latest rotation plans: by
// record, the digest of each plan that runs, and an empty digest for each that has
// ended. It reads entries by an index and not along their chains, so it checks each
// entry by its own hash only. [VerifyHeld] finds missing entries.
func PlanDigests(r eventsReader, key MAC) (map[string][]byte, error) {
	entries, err := planEntries(r, key)
	plans := newestOfPlans(entries)
	if err == nil {
		entries, err = olderEnds(r, key, entries, plans)
	}
	if err != nil {
		return nil, fmt.Errorf("reading what the audit trail says of rotation plans: %w", err)
	}
	told := map[string][]byte{}
	for record, e := range newestOfPlans(entries) {
		told[record] = e.Digest
	}
	return told, nil
}

// newestOfPlans returns the entry with the highest version of each plan, by record.
func newestOfPlans(entries []domain.Entry) map[string]domain.Entry {
	last := map[string]domain.Entry{}
	for _, e := range entries {
		if was, known := last[e.Record]; isPlan(e.Record) && (!known || version(&e) >= version(&was)) {
			last[e.Record] = e
		}
	}
	return last
}

// olderEnds returns entries and, for plans that seem to run, older entries that end a
// plan. A prune carries the start of a plan that it finds running. Then the start can be
// among the newest entries of its event after the end has left those of its own.
func olderEnds(r eventsReader, key MAC, entries []domain.Entry, plans map[string]domain.Entry) ([]domain.Entry, error) {
	for _, event := range []domain.Event{domain.EventRotationStopped, domain.EventRotationFinished} {
		ends, below := 0, domain.EntryPosition{}
		for _, e := range entries { // the entries of each event are newest first
			if e.Event == event {
				ends, below = ends+1, e.Position()
			}
		}
		since := below.Time
		for _, e := range plans {
			if len(e.Digest) > 0 && e.Time.Before(since) {
				since = e.Time
			}
		}
		for more := ends >= plansPage && since.Before(below.Time); more; {
			page, err := r.EntriesOfEvent(event, since, below, plansPage)
			if err != nil {
				return nil, err
			}
			for _, e := range page {
				if below = e.Position(); Genuine(key, e) {
					entries = append(entries, e)
				}
			}
			more = len(page) == plansPage
		}
	}
	return entries, nil
}

// planEntries returns the newest genuine entries of each of plansOf.
func planEntries(r eventsReader, key MAC) (all []domain.Entry, err error) {
	newest, err := r.NewestOfEvents(plansOf, plansPage)
	if err != nil {
		return nil, err
	}
	for _, event := range plansOf {
		entries, err := genuine(r, key, event, newest)
		if err != nil {
			return nil, err
		}
		all = append(all, entries...)
	}
	return all, nil
}

// genuine returns the newest entries of an event, of which the first page was read. It
// skips entries that were written without the key, so that they cannot hide the others.
func genuine(r eventsReader, key MAC, event domain.Event, newest []domain.Entry) (found []domain.Entry, err error) {
	var page []domain.Entry
	for _, e := range newest {
		if e.Event == event {
			page = append(page, e)
		}
	}
	for {
		var below domain.EntryPosition
		for _, e := range page {
			if Genuine(key, e) {
				found = append(found, e)
			}
			below = e.Position()
		}
		if len(page) < plansPage || len(found) >= plansPage {
			return found, nil
		}
		if page, err = r.EntriesOfEvent(event, time.Time{}, below, plansPage); err != nil {
			return nil, err
		}
	}
}

func isPlan(record string) bool { return strings.HasPrefix(record, domain.RecordPlan+"/") }
