package operator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// Trail is what operators read in the audit trail, and do to it.
type Trail struct{ *access }

const (
	maxExamined   = 3000 // entries that one call looks at
	examinedBatch = 500
)

// index reads entries of the trail, newest first, by one of its indexes.
type index func(tx *record.Tx, below domain.EntryPosition, limit int) ([]domain.Entry, error)

// Audit returns matching entries, newest first. Each is held against its keyed
// hash, and marked where it was edited. An index leads to those of one
// account, or of an event that is rare, and the id of a request has its time in
// it; everything else is looked for among all entries of the time.
func (u Trail) Audit(ctx context.Context, f domain.EntryFilter, p domain.Page) (entries []domain.Entry, next string, searched time.Time, err error) {
	below, err := entryPlace(p.After)
	if err = cmp.Or(err, checkPage(p), u.checkEntries(f)); err != nil {
		return nil, "", searched, err
	}
	if to := (domain.EntryPosition{Time: f.To}); !f.To.IsZero() && (below.Time.IsZero() || f.To.Before(below.Time)) {
		below = to
	}
	err = u.look(ctx, func(tx *record.Tx) error {
		entries, next = nil, ""
		if entries, next, searched, err = u.selected(tx, f, below, p.Limit); err != nil {
			return err
		}
		for i, e := range entries {
			entries[i].Tampered = !audit.Genuine(u.cfg.Keys, e)
		}
		if next != "" {
			return nil
		}
		if searched = f.From; searched.IsZero() {
			searched, err = begin(tx)
		}
		return err
	})
	return entries, next, searched, u.cfg.Records.Report(ctx, record.System, err)
}

// selected searches for the entries of a filter by what leads to them soonest.
func (u Trail) selected(tx *record.Tx, f domain.EntryFilter, below domain.EntryPosition, limit int) (found []domain.Entry, next string, searched time.Time, err error) {
	read, matches, named, err := u.indexFor(tx, f)
	if err != nil {
		return nil, "", searched, err
	}
	if f.RequestID != "" && !named {
		return searchRequest(tx, f, matches, below, limit)
	}
	return search(tx, read, matches, below, limit)
}

// begin is the time of the first entry that the trail has, zero of an empty one.
func begin(tx *record.Tx) (first time.Time, err error) {
	chains, err := tx.Chains()
	if err != nil {
		return first, err
	}
	for _, chain := range chains {
		err := tx.EachEntry(chain, 0, func(e domain.Entry) error {
			if first.IsZero() || e.Time.Before(first) {
				first = e.Time
			}
			return errEnough
		})
		if err != nil && !errors.Is(err, errEnough) {
			return first, err
		}
	}
	return first, nil
}

// search reads batches until it has found enough, has read enough, or there is
// no more.
func search(tx *record.Tx, read index, matches func(domain.Entry) bool, below domain.EntryPosition, limit int) (found []domain.Entry, next string, searched time.Time, err error) {
	for range maxExamined / examinedBatch {
		batch, err := read(tx, below, examinedBatch)
		if err != nil {
			return nil, "", searched, err
		}
		for _, e := range batch {
			below = domain.EntryPosition{Time: e.Time, Chain: e.Chain, Seq: e.Seq}
			searched = e.Time
			if !matches(e) {
				continue
			}
			if found = append(found, e); len(found) == limit {
				return found, entryCursor(below), searched, nil
			}
		}
		if len(batch) < examinedBatch {
			return found, "", searched, nil
		}
	}
	return found, entryCursor(below), searched, nil
}

func (u Trail) checkEntries(f domain.EntryFilter) error {
	if len(f.AccountHash) > 0 && (len(f.AccountHash) != hashBytes || f.AccountID != "" || f.DeviceID != "") {
		return domain.BadInput("accountHash", "must be 16 bytes, and goes together with neither accountId nor deviceId")
	}
	if f.Event != "" && !f.Event.Known() {
		return domain.BadInput("event", "must be one that the trail tells of: "+eventNames())
	}
	if f.DeviceID != "" && f.AccountID == "" && u.cfg.Mode != domain.ModeDevice {
		return domain.BadInput("accountId", "must be given with deviceId: a device is known by its account")
	}
	if !f.From.IsZero() && !f.To.IsZero() && f.To.Before(f.From) {
		return domain.BadInput("to", "must not be before from")
	}
	return checkTexts([][2]string{{"accountId", f.AccountID}, {"deviceId", f.DeviceID}, {"keyId", f.KeyID}, {"record", f.Record},
		{"event", string(f.Event)}, {"outcome", f.Outcome}, {"actor", f.Actor}, {"requestId", f.RequestID}}...)
}

const hashBytes = 16

func eventNames() string {
	var names []string
	for _, e := range domain.Events() {
		names = append(names, string(e))
	}
	return strings.Join(names, ", ")
}

// indexFor chooses how to read what a filter selects, and what remains to be
// looked at in each entry; named: by the account. Entries about a key that name no account, as those
// of version 0.1 by operators and of keys whose account was erased, are not
// found by their key.
func (u Trail) indexFor(tx *record.Tx, f domain.EntryFilter) (read index, matches func(domain.Entry) bool, named bool, err error) {
	account, device, named, err := u.namedBy(tx, f)
	if err != nil {
		return nil, nil, false, err
	}
	if device == nil && f.DeviceID != "" {
		return nil, nil, false, domain.Conflict("The account was erased, so the entries of its devices cannot be found by deviceId: leave deviceId out.")
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

// namedBy is how the trail names the account that a filter leads to, by
// itself, by its device or by a key.
func (u Trail) namedBy(tx *record.Tx, f domain.EntryFilter) (account, device []byte, named bool, err error) {
	switch {
	case f.DeviceID != "" && u.cfg.Mode == domain.ModeDevice:
		if f.AccountID != "" && f.AccountID != u.cfg.Records.AccountID(domain.Account{Mode: domain.ModeDevice, Subject: f.DeviceID}) {
			return nil, nil, false, domain.BadInput("accountId", "is not that of this device")
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

// maxErasures is how many of the latest erasures are looked through for one
// account.
const maxErasures = 20_000

// erasedAccount is how the trail names an account of which only the id is known
// any more: its erasure tells of both.
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
			below = domain.EntryPosition{Time: e.Time, Chain: e.Chain, Seq: e.Seq}
		}
		if len(batch) < examinedBatch {
			break
		}
	}
	return nil, &domain.Error{Code: domain.CodeNotFound, Message: "There is no account of this id, and no erasure in the trail names it. " +
		"If you have the hash by which entries name the account, search by accountHash."}
}

// selects is what a filter says of an entry by itself; account, device and
// time are the index's.
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

// EntryAt returns the entry of a chain with this number, or the next one that
// is there.
func (u Trail) EntryAt(ctx context.Context, chain string, seq int64) (e domain.Entry, err error) {
	found := false
	after := max(seq, math.MinInt64+1) - 1
	err = u.look(ctx, func(tx *record.Tx) error {
		err := tx.EachEntry(chain, after, func(read domain.Entry) error {
			e, found = read, true
			return errEnough
		})
		if errors.Is(err, errEnough) {
			return nil
		}
		return err
	})
	if err == nil && !found {
		err = notFound("entry", store.ErrNotFound)
	}
	return e, err
}

const (
	maxExported = 100_000 // entries that one part of an export has at most
	exportBatch = 5000    // entries that one transaction reads
)

// ExportAudit writes entries as the JSON lines of audit export, in order of
// chain and number, from after the position on.
func (u Trail) ExportAudit(ctx context.Context, w io.Writer, after string, limit int) (next string, err error) {
	chain, seq, err := chainPlace(after)
	if err != nil {
		return "", err
	}
	if limit < 1 || limit > maxExported {
		return "", domain.BadInput("limit", fmt.Sprintf("must be 1 to %d", maxExported))
	}
	for {
		// Not written to w here: a snapshot that lasts for as long as somebody
		// else's connection would keep the engine from tidying up.
		var entries []domain.Entry
		want := min(limit, exportBatch)
		err := u.look(ctx, func(tx *record.Tx) (err error) {
			entries, err = entriesAfter(tx, chain, seq, want)
			return err
		})
		if err != nil {
			return "", err
		}
		if err := audit.WriteLines(w, entries); err != nil {
			return "", err
		}
		limit -= len(entries)
		if len(entries) < want {
			return "", nil
		}
		last := entries[len(entries)-1]
		if chain, seq = last.Chain, last.Seq; limit == 0 {
			return cursor("export", chain, fmt.Sprint(seq)), nil
		}
	}
}

var errEnough = errors.New("enough")

func entriesAfter(tx *record.Tx, chain string, seq int64, limit int) (entries []domain.Entry, err error) {
	chains, err := tx.Chains()
	if err != nil {
		return nil, err
	}
	slices.Sort(chains)
	for _, name := range chains {
		switch {
		case name < chain:
			continue
		case name > chain:
			seq = 0
		}
		err := tx.EachEntry(name, seq, func(e domain.Entry) error {
			if len(entries) == limit {
				return errEnough
			}
			entries = append(entries, e)
			return nil
		})
		if errors.Is(err, errEnough) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return entries, nil
}

const (
	maxTrendHours = 31 * 24
	maxTrendLocks = 20_000 // of each kind that are looked at; past them the trend begins later
)

// LockTrend is how many locks, of accounts and of devices, began in each of the
// last hours, oldest first, this one last. Where there were very many, only
// the latest hours are there, and the first of them is not counted to its end.
// Entries that were edited do not count.
func (u Trail) LockTrend(ctx context.Context, hours int) (trend []domain.LockTrend, err error) {
	if hours < 1 || hours > maxTrendHours {
		return nil, domain.BadInput("hours", fmt.Sprintf("must be 1 to %d", maxTrendHours))
	}
	err = u.look(ctx, func(tx *record.Tx) (err error) {
		trend, err = u.lockTrend(tx, hours, cmp.Or(u.cfg.MostLocks, maxTrendLocks))
		return err
	})
	return trend, err
}

// lockTrend looks at so many entries of each kind at most.
func (u Trail) lockTrend(tx *record.Tx, hours, most int) (trend []domain.LockTrend, err error) {
	last := tx.Now().Truncate(time.Hour)
	first := last.Add(-time.Duration(hours-1) * time.Hour)
	counts, cut := map[time.Time]int64{}, time.Time{}
	for _, event := range []domain.Event{domain.EventCredentialLocked, domain.EventDeviceLocked} {
		from, whole, err := u.countHours(tx, event, first, counts, most)
		if err != nil {
			return nil, err
		}
		if first = from; !whole {
			cut = first
		}
	}
	for hour := first; !hour.After(last); hour = hour.Add(time.Hour) {
		trend = append(trend, domain.LockTrend{Start: hour, Locks: counts[hour], AtLeast: hour.Equal(cut)})
	}
	return trend, nil
}

// countHours counts entries of an event by the hour, newest first, and returns
// the first hour that it came to, and whether it has seen the whole of it.
func (u Trail) countHours(tx *record.Tx, event domain.Event, first time.Time, counts map[time.Time]int64, most int) (from time.Time, whole bool, err error) {
	below := domain.EntryPosition{Time: tx.Now().Truncate(time.Hour).Add(time.Hour)} // what is said to be later was made up
	for size := min(most, examinedBatch); most > 0; most -= size {
		batch, err := tx.EntriesOfEvent(event, first, below, size)
		if err != nil {
			return first, false, err
		}
		for _, e := range batch {
			if audit.Genuine(u.cfg.Keys, e) {
				counts[e.Time.Truncate(time.Hour)]++
			}
			below = domain.EntryPosition{Time: e.Time, Chain: e.Chain, Seq: e.Seq}
		}
		if len(batch) < size {
			return first, true, nil
		}
	}
	return below.Time.Truncate(time.Hour), false, nil
}
