package console

import (
	"net/url"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/operatorapi"
)

// entryRow is an entry with what the last check found wrong with it.
type entryRow struct {
	domain.Entry
	Link  string // page of the key that the entry is about; empty: none
	Found string // what the check found wrong with it; empty: nothing

	Unproven bool // it comes after a changed entry of its chain
	Act      bool // an act of an operator: Reason is their reason, and otherwise a detail
}

func (c content) rows(entries []domain.Entry) []entryRow {
	report := c.check.last()
	rows := make([]entryRow, len(entries))
	for i, e := range entries {
		rows[i] = entryRow{Entry: e, Link: about(e), Act: strings.HasPrefix(e.Actor, "operator")}
		rows[i].Found, rows[i].Unproven = report.at(e.Chain, e.Seq)
		if e.Tampered && rows[i].Found == "" {
			rows[i].Found = "This entry was changed: it does not match its hash"
		}
	}
	return rows
}

func about(e domain.Entry) string {
	id, ok := strings.CutPrefix(e.Record, domain.RecordKey+"/")
	if ok && domain.IsKeyID(id) {
		return "/keys/" + id
	}
	if domain.IsKeyID(e.KeyID) {
		return "/keys/" + e.KeyID
	}
	return ""
}

// outcomes are the most frequent outcomes of entries, without codes of refusals
// that only HTTP has.
var outcomes = []string{"ok", "mismatch", "refused", "refused_by_policy", "suspected", string(domain.CodeCredentialLocked), string(domain.CodeKeyNotUsable),
	string(domain.CodeDecryptionFailed), string(domain.CodeCiphertextReused), string(domain.CodeBadUserInput), string(domain.CodeTooManyRequests),
	string(domain.CodeOverloaded), string(domain.CodeUnauthenticated), string(domain.CodeForbidden), string(domain.CodeInternal),
	"OPERATOR_" + string(domain.CodeUnauthenticated), "OPERATOR_" + string(domain.CodeForbidden), "OPERATOR_" + string(domain.CodeTooManyRequests)}

type auditBody struct {
	Filter   domain.EntryFilter
	From, To string // as in the fields of the form
	Filtered bool
	Entries  []entryRow
	Searched time.Time
	Events   []domain.Event
	Outcomes []string // choices; others can be typed
	pager
	Check checkView
}

func (c content) audit(r *request) (view, error) {
	from, to := r.span("from"), r.span("to")
	f := domain.EntryFilter{AccountID: r.id("accountId"), DeviceID: r.checked("deviceId", r.query.Get("deviceId"), domain.MaxDeviceIDBytes), KeyID: r.keyID("keyId"),
		Record: r.text("record", operatorapi.MaxRecord), Event: domain.Event(r.text("event", operatorapi.MaxEvent)), Outcome: r.text("outcome", operatorapi.MaxOutcome),
		Actor: r.text("actor", operatorapi.MaxActor), RequestID: r.id("requestId"), From: from.From, To: to.To}
	if !f.From.IsZero() && !f.To.IsZero() && !f.From.Before(f.To) {
		r.refuse("to", "must not be before From")
	}
	page := r.page()
	if r.bad != nil {
		return view{}, r.bad
	}
	entries, next, searched, err := c.searched(r, f, page)
	body := auditBody{Filter: f, From: from.String(), To: to.String(), Filtered: r.filtered(), Entries: c.rows(entries),
		Searched: searched, Events: domain.Events(), Outcomes: outcomes, pager: r.pager(next), Check: c.checkView()}
	return view{"audit.html", "Audit", body}, err
}

// searchFor is how long one search continues by itself. After it, the page shows
// how far it has searched, and Next continues from there.
const searchFor = 2 * time.Second

// searched returns the entries of one page. One call of Audit reads only a part
// of the trail, so it is repeated until there are enough entries or searchFor is
// over.
func (c content) searched(r *request, f domain.EntryFilter, page domain.Page) (all []domain.Entry, next string, searched time.Time, err error) {
	for began := time.Now(); ; {
		var some []domain.Entry
		some, next, searched, err = c.UseCases.Audit(r.Context(), f, page)
		all = append(all, some...)
		if err != nil || next == "" || len(some) >= page.Limit || time.Since(began) > searchFor {
			return all, next, searched, err
		}
		page.After, page.Limit = next, page.Limit-len(some)
	}
}

// around returns the page of the trail with the entries up to and including the
// second of a time.
func around(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return "/audit?" + url.Values{"to": {stamp(t)}}.Encode()
}
