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

// Audit returns matching entries, newest first. It checks the keyed hash of each,
// and marks edited ones. It uses an index for the entries of one account or of a
// rare event, and the time in a request id. All other filters search all entries
// of the time range.
func (u Trail) Audit(ctx context.Context, f domain.EntryFilter, p domain.Page) (entries []domain.Entry, next string, searched time.Time, err error) {
	below, err := entryPlace(p.After)
	if err = cmp.Or(err, checkPage(p), u.checkEntries(f)); err != nil {
		return nil, "", searched, err
	}
	if to := (domain.EntryPosition{Time: f.To}); !f.To.IsZero() && (below == domain.EntryPosition{} || f.To.Before(below.Time)) {
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

func (u Trail) checkEntries(f domain.EntryFilter) error {
	if len(f.AccountHash) > 0 && (len(f.AccountHash) != hashBytes || f.AccountID != "" || f.DeviceID != "") {
		return domain.BadInput("accountHash", "must be 16 bytes, and goes together with neither accountId nor deviceId")
	}
	if f.Event != "" && !f.Event.Known() {
		return domain.BadInput("event", "must be one of these: "+eventNames())
	}
	if f.DeviceID != "" && f.AccountID == "" && u.cfg.Mode != domain.ModeDevice {
		return domain.BadInput("accountId", "must be given with deviceId, because accounts can use the same deviceId")
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

// EntryAt returns the entry of a chain with this number, or the next existing
// one.
func (u Trail) EntryAt(ctx context.Context, chain string, seq int64) (e domain.Entry, err error) {
	found := false
	after := max(seq, math.MinInt64+1) - 1
	err = u.look(ctx, func(tx *record.Tx) error {
		found = false
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
	maxExported = 100_000 // entries in one part of an export
	exportBatch = 5000    // entries that one transaction reads
)

// ExportAudit writes the entries after a position as the JSON lines of audit
// export, sorted by chain and number.
func (u Trail) ExportAudit(ctx context.Context, w io.Writer, after string, limit int) (next string, err error) {
	chain, seq, err := chainPlace(after)
	if err != nil {
		return "", err
	}
	if limit < 1 || limit > maxExported {
		return "", domain.BadInput("limit", fmt.Sprintf("must be 1 to %d", maxExported))
	}
	for {
		// The transaction does not write to w: while a slow client reads, the open
		// snapshot would keep the engine from cleaning up.
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
