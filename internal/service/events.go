package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// Webhook is where events go that tell others what happened here.
type Webhook struct {
	Events []domain.Event // that go out; none: nothing is written to the outbox
	// Send sends what waits until ctx is done, and returns when nothing of it is
	// under way any more. It is called once, by [Service.Start], if there are
	// events that go out.
	Send func(ctx context.Context, q *Outgoing)
	// Status is what Send knows: the fields of this instance.
	Status func() domain.WebhookStatus
}

// settingEvents are the events that go out, so that a command beside the
// server, which does not have its settings, tells of its acts too.
const settingEvents = "webhook_events"

// readEvents settles which events go out.
func (s *Service) readEvents(ctx context.Context) error {
	noted, err := record.View(ctx, s.records, func(tx *record.Tx) (string, error) {
		text, err := tx.Setting(settingEvents)
		if errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		return string(text), err
	})
	if err != nil {
		return fmt.Errorf("reading which events go out: %w", err)
	}
	s.told = map[domain.Event]bool{}
	if s.cfg.Webhook == nil {
		for _, name := range strings.FieldsFunc(noted, func(r rune) bool { return r == ',' }) {
			s.told[domain.Event(name)] = true
		}
		return nil
	}
	var names []string
	for _, e := range s.cfg.Webhook.Events {
		s.told[e] = true
		names = append(names, string(e))
	}
	slices.Sort(names)
	if text := strings.Join(names, ","); text != noted {
		return s.records.Update(ctx, system, func(tx *record.Tx) error { return tx.PutSetting(settingEvents, []byte(text)) })
	}
	return nil
}

// Put puts the events that tell of entries into the outbox: [record.Outbox].
func (q *Outgoing) Put(tx *record.Tx, entries []domain.Entry) error {
	s := q.s
	if len(s.told) == 0 {
		return nil
	}
	lanes := map[string][]domain.Entry{}
	var order []string
	for _, e := range entries {
		if !s.told[e.Event] {
			continue
		}
		if err := s.nameAccount(tx, &e); err != nil {
			return err
		}
		lane := e.About.Account.ID
		if lane == "" {
			lane = domain.StoreLane
		}
		if lanes[lane] == nil {
			order = append(order, lane)
		}
		lanes[lane] = append(lanes[lane], e)
	}
	for _, lane := range order {
		if err := s.queue(tx, lane, lanes[lane]); err != nil {
			return fmt.Errorf("putting an event into the outbox: %w", err)
		}
	}
	if len(order) > 0 {
		tx.OnCommit(func(context.Context) { q.wake() })
	}
	return nil
}

// nameAccount completes what an entry says of its account: the id from the
// name, or the name from the id. Of an account that is gone, or whose name was
// edited, only the id is told.
func (s *Service) nameAccount(tx *record.Tx, e *domain.Entry) error {
	a := &e.About.Account
	switch {
	case a.Subject != "":
		a.ID = s.records.AccountID(*a)
	case a.ID != "":
		found, err := tx.AccountByID(a.ID)
		switch {
		case err == nil:
			*a = found
		case !errors.Is(err, store.ErrNotFound) && !record.IsTampered(err):
			return err
		}
	}
	return nil
}

// queue puts the events of entries into a lane, behind those in it.
func (s *Service) queue(tx *record.Tx, lane string, entries []domain.Entry) error {
	last, err := tx.NumberEvents(lane, len(entries))
	if err != nil {
		return err
	}
	for i, e := range entries {
		data, err := json.Marshal(dataOf(e))
		if err != nil {
			return err
		}
		event := domain.OutboxEvent{Lane: lane, Seq: last - int64(len(entries)-1-i), ID: domain.NewID(), Event: e.Event, Time: tx.Now(), Data: data}
		event.MAC = s.keys.MAC(eventLabel, event.Authenticated())
		if err := tx.PutEvent(event); err != nil {
			return err
		}
	}
	return nil
}

const eventLabel = "outbox event v1"

// eventData is the data of an event: docs/events.schema.json.
type eventData struct {
	Account        *eventAccount `json:"account,omitempty"`
	DeviceID       string        `json:"deviceId,omitempty"`
	KeyID          string        `json:"keyId,omitempty"`
	CredentialType string        `json:"credentialType,omitempty"`
	AppVersion     string        `json:"appVersion,omitempty"`
	ExpiresAt      string        `json:"expiresAt,omitempty"`
	GraceUntil     string        `json:"graceUntil,omitempty"`
	LockedUntil    string        `json:"lockedUntil,omitempty"`
	Permanent      bool          `json:"permanent,omitempty"`
	Count          int64         `json:"count,omitempty"`
	Outcome        string        `json:"outcome"`
	Actor          string        `json:"actor"`
	RequestID      string        `json:"requestId,omitempty"`
	Reason         string        `json:"reason,omitempty"`
}

type eventAccount struct {
	ID      string `json:"id"`
	Mode    string `json:"mode,omitempty"`
	Issuer  string `json:"issuer,omitempty"`
	Subject string `json:"subject,omitempty"`
}

func dataOf(e domain.Entry) eventData {
	a := e.About
	d := eventData{DeviceID: a.DeviceID, KeyID: e.KeyID, CredentialType: string(a.Type), AppVersion: a.AppVersion,
		ExpiresAt: timeText(a.ExpiresAt), GraceUntil: timeText(a.GraceUntil), LockedUntil: timeText(a.LockedUntil), Permanent: a.Permanent,
		Outcome: e.Outcome, Actor: e.Actor, RequestID: e.RequestID, Reason: e.Reason}
	if a.Account.ID != "" {
		d.Account = &eventAccount{a.Account.ID, string(a.Account.Mode), a.Account.Issuer, a.Account.Subject}
	}
	if e.Count > 1 {
		d.Count = e.Count
	}
	return d
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// EventType is the CloudEvents type of an event.
func EventType(e domain.Event) string { return "strongroom." + string(e) }

// eventSchema names the schema of the data. Another one would name a schema
// that receivers of this one cannot read.
const eventSchema = "urn:strongroom:events:1"

// cloudEvent is an event in the structured form of CloudEvents 1.0 (JSON).
type cloudEvent struct {
	SpecVersion     string          `json:"specversion"`
	ID              string          `json:"id"`
	Source          string          `json:"source"`
	Type            string          `json:"type"`
	Subject         string          `json:"subject,omitempty"`
	Time            string          `json:"time"`
	DataContentType string          `json:"datacontenttype"`
	DataSchema      string          `json:"dataschema"`
	Sequence        string          `json:"sequence"`
	PartitionKey    string          `json:"partitionkey"`
	Data            json.RawMessage `json:"data"`
}

func (s *Service) letter(e domain.OutboxEvent) (domain.Letter, error) {
	c := cloudEvent{"1.0", e.ID, "/strongroom/" + s.home, EventType(e.Event), e.Lane, timeText(e.Time), "application/json", eventSchema,
		fmt.Sprintf("%019d", e.Seq), e.Lane, e.Data}
	if e.Lane == domain.StoreLane {
		c.Subject = ""
	}
	body, err := json.Marshal(c)
	return domain.Letter{Lane: e.Lane, Seq: e.Seq, ID: e.ID, Event: e.Event, Time: e.Time, Body: body}, err
}
