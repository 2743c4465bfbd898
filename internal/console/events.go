package console

import (
	"net/url"

	"strongroom/internal/domain"
	"strongroom/internal/operatorapi"
)

type eventsBody struct {
	Status  domain.WebhookStatus
	Event   domain.Event   // type of the letters that are shown; empty: all
	Events  []domain.Event // choices
	Resend  string         // page that resends the selected letters
	Letters []letterRow
	pager
}

type letterRow struct {
	domain.DeadLetter
	AccountID string // empty: it belongs to no account
}

func (c content) events(r *request) (view, error) {
	body := eventsBody{Event: domain.Event(r.text("event", operatorapi.MaxEvent)), Events: domain.EventsOut}
	page := r.page()
	if r.bad != nil {
		return view{}, r.bad
	}
	var err error
	if body.Status, err = c.UseCases.WebhookStatus(r.Context()); err != nil {
		return view{}, err
	}
	letters, next, err := c.UseCases.DeadLetters(r.Context(), domain.DeadLetterFilter{Event: body.Event}, page)
	for _, l := range letters {
		row := letterRow{DeadLetter: l}
		if domain.IsID(l.Partition) {
			row.AccountID = l.Partition
		}
		body.Letters = append(body.Letters, row)
	}
	body.pager, body.Resend = r.pager(next), eventsLink("/events/resend", body.Event)
	return view{"events.html", "Events", body}, err
}

// eventsLink returns the page about events of one type, or of all.
func eventsLink(path string, event domain.Event) string {
	if event == "" {
		return path
	}
	return path + "?" + url.Values{"event": {string(event)}}.Encode()
}

func (c changes) aboutResend(r *request, f *form) error {
	id := r.PathValue("eventId")
	if !domain.IsID(id) {
		return errNoPage
	}
	*f = form{Once: f.Once, Title: "Send this event again", Button: "Send again",
		Lead:  "It is sent next, after the other queued events of its account. It keeps its id, so a receiver that already has it can recognize it.",
		Facts: []fact{{"Event", id}}, Back: "/events", Done: "The event is queued to be sent again."}
	return nil
}

// mostCounted is how many events the form counts before it is sent.
const mostCounted = 200

// aboutResendAll is the form for all dead letters, or for those of the type in
// the URL.
func (c changes) aboutResendAll(r *request, f *form) error {
	event := (&request{Request: r.Request, query: r.URL.Query()}).text("event", operatorapi.MaxEvent)
	letters, next, err := c.UseCases.DeadLetters(r.Context(), domain.DeadLetterFilter{Event: domain.Event(event)}, domain.Page{Limit: mostCounted})
	if err != nil {
		return err
	}
	count := number(len(letters))
	if next != "" {
		count = "more than " + count
	}
	*f = form{Once: f.Once, Title: "Send events again", Button: "Send all again",
		Lead: "All events below are sent again with their old ids, the oldest first, at most 1,000 at a time. " +
			"Events that were edited in the database stay here.",
		Facts: []fact{{"Events", count}, {"Type", "all types"}}, Back: eventsLink("/events", domain.Event(event))}
	if event != "" {
		f.Facts[1].Value = event
	}
	return nil
}

func (c changes) resendAll(r *request, f *form, a domain.Act) (domain.ActResult, error) {
	filter := domain.DeadLetterFilter{Event: domain.Event(r.URL.Query().Get("event"))}
	done, err := c.UseCases.ResendDeadLetters(r.Context(), filter, a)
	f.Done = plural(done.Events, "event waits", "events wait") + " to be sent again."
	if done.Edited > 0 {
		f.Done += " " + plural(done.Edited, "event stays", "events stay") + " here: edited in the database."
	}
	if done.More {
		f.Done += " There are more: send the form again for the next 1,000."
		if status, err := c.UseCases.WebhookStatus(r.Context()); err == nil {
			f.Done += " In all, " + plural(int(status.DeadLetters), "dead letter is", "dead letters are") + " left."
		}
	}
	return done.ActResult, err
}
