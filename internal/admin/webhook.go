package admin

import (
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/operatorapi"
)

// WebhookStatus is the state of event delivery.
type WebhookStatus struct {
	Enabled       bool      `json:"enabled"`
	Receiver      string    `json:"receiver,omitempty"`
	Waiting       int64     `json:"waiting"`
	OldestAt      time.Time `json:"oldestAt,omitzero"`
	DeadLetters   int64     `json:"deadLetters"`
	Sending       bool      `json:"sending"`
	Paused        bool      `json:"paused"`
	LastDelivered time.Time `json:"lastDeliveredAt,omitzero"`
	LastFailed    time.Time `json:"lastFailedAt,omitzero"`
	LastError     string    `json:"lastError,omitempty"`
	NextAttempt   time.Time `json:"nextAttemptAt,omitzero"`
}

// DeadLetter is an event that was not delivered and was set aside.
type DeadLetter struct {
	ID         string       `json:"id"`
	AccountID  string       `json:"accountId,omitempty"`
	Sequence   int64        `json:"sequence"`
	Event      domain.Event `json:"event"`
	OccurredAt time.Time    `json:"occurredAt"`
	Reason     string       `json:"reason"`
	LastError  string       `json:"lastError,omitempty"`
	SetAsideAt time.Time    `json:"setAsideAt"`
}

func deadLetter(d domain.DeadLetter) DeadLetter {
	account := d.Partition
	if account == domain.StorePartition {
		account = ""
	}
	return DeadLetter{d.ID, account, d.Seq, d.Event, shown(d.Time), d.Reason, d.LastError, shown(d.DeadAt)}
}

func (a *api) webhook(r *request) (any, error) {
	s, err := a.UseCases.WebhookStatus(r.Context())
	return WebhookStatus{s.Enabled, s.Receiver, s.Waiting, shown(s.Oldest), s.DeadLetters, s.Sending, s.Paused,
		shown(s.LastDelivered), shown(s.LastFailed), s.LastError, shown(s.NextAttempt)}, err
}

func (a *api) deadLetters(r *request) (any, error) {
	f := domain.DeadLetterFilter{Event: domain.Event(r.text("event", operatorapi.MaxEvent))}
	page := r.page(defaultLimit, maxLimit)
	if r.bad != nil {
		return nil, r.bad
	}
	letters, next, err := a.UseCases.DeadLetters(r.Context(), f, page)
	return listOf(letters, next, deadLetter), err
}

func (a *api) resend(r *request) (any, error) {
	return writeTo(r, "eventId", a.UseCases.ResendDeadLetter)
}

// Resent is the result of resending several events.
type Resent struct {
	ActResult
	Events *int `json:"events,omitempty"` // nil if Repeated, because the numbers are not known then
	Edited int  `json:"edited,omitempty"`
	More   bool `json:"more,omitempty"`
}

func (a *api) resendAll(r *request) (any, error) {
	event, given := member[string](r, "event", "must be a string")
	if given && (event == "" || len(event) > operatorapi.MaxEvent) {
		r.refuse("event", "must be the type of an event that is sent to receivers")
	}
	act := r.act()
	if r.bad != nil {
		return nil, r.bad
	}
	done, err := a.UseCases.ResendDeadLetters(r.Context(), domain.DeadLetterFilter{Event: domain.Event(event)}, act)
	resent := Resent{ActResult: result(done.ActResult), Edited: done.Edited, More: done.More}
	if !done.Repeated {
		resent.Events = &done.Events
	}
	return resent, err
}
