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
	type state struct {
		version int64
		digest  []byte
	}
	last := map[string]state{}
	entries, err := planEntries(r, key)
	if err != nil {
		return nil, fmt.Errorf("reading what the audit trail says of rotation plans: %w", err)
	}
	for _, e := range entries {
		if at := version(&e); isPlan(e.Record) && at >= last[e.Record].version {
			last[e.Record] = state{at, e.Digest}
		}
	}
	told := map[string][]byte{}
	for record, s := range last {
		told[record] = s.digest
	}
	return told, nil
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
