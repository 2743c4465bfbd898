package console

import "strongroom/internal/domain"

type eventsBody struct {
	Status  domain.WebhookStatus
	Letters []letterRow
	pager
}

type letterRow struct {
	domain.DeadLetter
	AccountID string // empty: it is of no account
}

func (c *Console) events(r *request) (view, error) {
	page := r.page()
	if r.bad != nil {
		return view{}, r.bad
	}
	var body eventsBody
	var err error
	if body.Status, err = c.UseCases.WebhookStatus(r.Context()); err != nil {
		return view{}, err
	}
	letters, next, err := c.UseCases.DeadLetters(r.Context(), page)
	for _, l := range letters {
		row := letterRow{DeadLetter: l}
		if isID(l.Lane) {
			row.AccountID = l.Lane
		}
		body.Letters = append(body.Letters, row)
	}
	body.pager = r.pager(next)
	return view{"events.html", "Events", body}, err
}
