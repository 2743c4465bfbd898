package admin

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"strongroom/internal/domain"
)

// AccountExport is what is stored about an account, without its entries in the
// trail.
type AccountExport struct {
	ActResult
	Account     Account          `json:"account"`
	Credentials []Credential     `json:"credentials"`
	Devices     []ExportedDevice `json:"devices"`
	MoreKeys    bool             `json:"moreKeys"`

	PreviousCredentials []PreviousCredential `json:"previousCredentials"`
	Events              []ExportedEvent      `json:"events"`
	DeadLetters         []ExportedEvent      `json:"deadLetters"`
	MoreEvents          bool                 `json:"moreEvents"`
}

// PreviousCredential is a replaced passcode or PIN that the history keeps.
type PreviousCredential struct {
	Type      domain.CredentialType `json:"type"`
	Version   int64                 `json:"version"`
	CreatedAt time.Time             `json:"createdAt"`
	UpdatedAt time.Time             `json:"updatedAt"`
}

// ExportedEvent is an event that has not been delivered to the webhook receiver.
type ExportedEvent struct {
	ID    string          `json:"id"`
	Event domain.Event    `json:"event"`
	Time  time.Time       `json:"time"`
	Data  json.RawMessage `json:"data"` // see docs/events.md
}

// ExportedDevice is a device with all its keys.
type ExportedDevice struct {
	DeviceID      string        `json:"deviceId"`
	KeyGeneration KeyGeneration `json:"keyGeneration"`
	Keys          []ExportedKey `json:"keys"`
}

// ExportedKey is a key with its public half: base64 of the DER SubjectPublicKeyInfo.
type ExportedKey struct {
	Key
	PublicKey string `json:"publicKey"`
}

func accountExport(e domain.AccountExport) AccountExport {
	return AccountExport{result(e.ActResult), account(e.Account), listOf(e.Credentials, "", credential).Items,
		listOf(e.Devices, "", exportedDevice).Items, e.MoreKeys,
		listOf(e.Previous, "", previousCredential).Items, listOf(e.Events, "", exportedEvent).Items,
		listOf(e.DeadLetters, "", exportedEvent).Items, e.MoreEvents}
}

func previousCredential(c domain.Credential) PreviousCredential {
	return PreviousCredential{c.Type, c.Version, shown(c.CreatedAt), shown(c.UpdatedAt)}
}

// exportedEvent leaves out data that is not JSON, because someone edited it.
func exportedEvent(e domain.OutboxEvent) ExportedEvent {
	data := json.RawMessage(e.Data)
	if !json.Valid(data) {
		data = nil
	}
	return ExportedEvent{e.ID, e.Event, shown(e.Time), data}
}

func exportedDevice(d domain.ExportedDevice) ExportedDevice {
	return ExportedDevice{d.DeviceID, keyGeneration(d.KeyGeneration), listOf(d.Keys, "", exportedKey).Items}
}

func exportedKey(k domain.ExportedKey) ExportedKey {
	return ExportedKey{key(k.KeyInfo), base64.StdEncoding.EncodeToString(k.PublicKey)}
}
