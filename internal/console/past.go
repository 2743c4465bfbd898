package console

import (
	"maps"
	"net/url"
	"time"

	"strongroom/internal/domain"
)

const (
	mostEntries  = 200 // entries that the page of an account or device reads
	mostHistory  = 12  // entries that it shows
	mostReceipts = 10
)

// past is what the trail contains about an account or a device.
type past struct {
	Entries  []entryRow // the newest
	Receipts []receiptRow
	Read     int    // how many entries were searched for receipts
	More     bool   // there are older entries
	Empty    string // what the page says if there are no entries
	query    url.Values
}

// Search returns the page of the trail with all entries, or with those of one
// event.
func (p past) Search(event string) string {
	q := maps.Clone(p.query)
	if event != "" {
		q.Set("event", event)
	}
	return "/audit?" + q.Encode()
}

// receiptRow is a receipt, as far as the entries that were read show it.
type receiptRow struct {
	domain.ReceiptDetail
	Issued      time.Time // zero: before these entries
	Redeemed    time.Time // zero: not redeemed
	Redemptions int       // two, if the database was restored in between
	Found       string    // what is wrong with an entry; empty: nothing
}

// past reads the newest entries about something, for receipts and history.
// There are none if the account is erased and its hash in the trail is unknown.
func (c content) past(r *request, f domain.EntryFilter, query url.Values, empty string) (past, error) {
	p := past{Empty: empty, query: query}
	entries, next, _, err := c.UseCases.Audit(r.Context(), f, domain.Page{Limit: mostEntries})
	if isNotFound(err) {
		return p, nil
	}
	rows := c.rows(entries)
	p.Read, p.More, p.Receipts, p.Entries = len(rows), next != "", receiptsOf(rows), rows[:min(len(rows), mostHistory)]
	return p, err
}

// receiptsOf returns the newest receipts among entries, which are newest first.
func receiptsOf(entries []entryRow) (receipts []receiptRow) {
	at := map[string]int{}
	for _, e := range entries {
		d, ok := domain.ParseReceiptDetail(e.Reason)
		if !ok || e.Event != domain.EventReceiptIssued && e.Event != domain.EventReceiptRedeemed {
			continue
		}
		i, known := at[d.ID]
		if !known {
			i = len(receipts)
			at[d.ID] = i
			receipts = append(receipts, receiptRow{ReceiptDetail: d})
		}
		row := &receipts[i]
		if row.Found == "" {
			row.Found = e.Found
		}
		if e.Event == domain.EventReceiptIssued {
			row.Issued = e.Time
			continue
		}
		row.Redeemed = e.Time // the first redemption, which counts
		row.Redemptions++
	}
	return receipts[:min(len(receipts), mostReceipts)]
}
