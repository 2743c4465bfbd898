package audit

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"time"

	"strongroom/internal/domain"
)

// Reader is what verification reads, on one snapshot of the store.
type Reader interface {
	Now() time.Time
	Chains() ([]string, error)
	LastEntry(chain string) (domain.Entry, error)
	UnnamedVerdicts(limit int) ([]int64, error)
	EachEntry(chain string, after int64, fn func(domain.Entry) error) error
	EntriesOfEvent(event domain.Event, from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error)
	EachKey(fn func(domain.DeviceKey) error) error
	EachCredential(fn func(domain.Credential) error) error
	EachAttempts(fn func(domain.ListedLock) error) error
	EachPlan(fn func(domain.RotationPlan) error) error // that runs
	EachMove(fn func(domain.AccountMove) error) error  // the last of each account
}

// Source is what an export reads, on one snapshot of the store.
type Source interface {
	Chains() ([]string, error)
	Heads(since time.Time) ([]domain.Entry, error)
	EachEntry(chain string, after int64, fn func(domain.Entry) error) error
	EntriesOfEvent(event domain.Event, from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error)
}

// eventReader reads the entries of one rare event.
type eventReader interface {
	EntriesOfEvent(event domain.Event, from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error)
}

// eachOf calls fn for the entries of a rare event, newest first.
func eachOf(r eventReader, event domain.Event, fn func(domain.Entry)) error {
	var below domain.EntryPosition
	for {
		page, err := r.EntriesOfEvent(event, time.Time{}, below, statementsPage)
		if err != nil {
			return fmt.Errorf("reading the entries of %s in the audit trail: %w", event, err)
		}
		for _, e := range page {
			fn(e)
		}
		if len(page) < statementsPage {
			return nil
		}
		last := page[len(page)-1]
		below = last.Position()
	}
}

const statementsPage = 1000

var errStop = errors.New("stop")

// link is the part of a chain that was read: its first and last number, and the
// place of the first entry among all entries.
type link struct {
	chain       string
	first, last int64
	place       int64
}

func entryAt(links []link, place int64) (chain string, seq int64) {
	after := sort.Search(len(links), func(i int) bool { return links[i].place > place })
	if after == 0 || place == 0 {
		return "", 0
	}
	at := links[after-1]
	return at.chain, at.first + place - at.place
}

// aboutChain returns the name of the chain that e is about. ok is false if e is
// about no chain.
func aboutChain(e *domain.Entry) (chain string, ok bool) {
	return strings.CutPrefix(e.Record, domain.RecordChain+"/")
}
