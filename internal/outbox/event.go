package outbox

import (
	"encoding/json"
	"fmt"
	"time"

	"strongroom/internal/domain"
)

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

// eventSchema names the schema of the data. It changes only if receivers of
// this schema could not read the new one.
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

// encoded is an event as it is delivered.
func (o *Outbox) encoded(e domain.OutboxEvent) (domain.Delivery, error) {
	c := cloudEvent{"1.0", e.ID, "/strongroom/" + o.home, EventType(e.Event), e.Partition, timeText(e.Time), "application/json", eventSchema,
		fmt.Sprintf("%019d", e.Seq), e.Partition, e.Data}
	if e.Partition == domain.StorePartition {
		c.Subject = ""
	}
	body, err := json.Marshal(c)
	return domain.Delivery{Partition: e.Partition, Seq: e.Seq, ID: e.ID, Event: e.Event, Time: e.Time, Body: body}, err
}
