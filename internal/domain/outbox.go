package domain

import (
	"strings"
	"time"
)

// StorePartition is the partition of the events that belong to no account.
const StorePartition = "-"

// OutboxEvent is an event that waits to be sent to the webhook receiver. It
// describes one entry of the trail. It names accounts and devices in clear text,
// and contains no secret in any form. Events of one account are in one partition,
// and are sent in order.
type OutboxEvent struct {
	Partition string // the account's id, or StorePartition
	Seq       int64  // in the partition, from 1, without gaps; it never restarts
	ID        string // in the form of NewID; it stays the same however often the event is sent
	Event     Event
	Time      time.Time // of the transaction that it describes
	Data      []byte    // JSON: see docs/events.md
	MAC       []byte    // over all of these
}

// Authenticated is what the MAC of an event is computed over. The leading
// number is the format version.
func (e OutboxEvent) Authenticated() []byte {
	return Encode([]byte{1}, []byte(Tenant), []byte(e.Partition), EncodeInt(e.Seq), []byte(e.ID), []byte(e.Event),
		EncodeTime(e.Time), e.Data)
}

// EventsOut are the events that are sent if the operator names none: those that
// change something, and those that are about security.
var EventsOut = []Event{
	EventKeyIssued, EventKeyRotated, EventKeyExpired, EventKeyRevoked, EventKeyErased, EventKeyAppVersion, EventKeyBound, EventKeyUnbound,
	EventCredentialSet, EventCredentialReset, EventCredentialMarked, EventCredentialReused, EventCredentialRehashed, EventCredentialLocked, EventDeviceLocked,
	EventCredentialErased, EventAttemptsLapsed, EventAttemptsReset, EventAttemptsUnlocked, EventAttemptsErased, EventAccountErased,
	EventTamperingSeen, EventClockStepped, EventGuessingSuspected, EventOverwriteRefused, EventRotationStarted, EventRotationStopped, EventRotationFinished, EventPruned,
	EventWebhookResent,
}

// EventsOutByName are sent only if the operator names them, because there is one for
// every verification or receipt.
var EventsOutByName = []Event{EventCredentialVerified, EventCredentialMismatch, EventReceiptIssued, EventReceiptRedeemed}

// EventsOfTheTrail are never sent. They are about the trail itself, removed key records,
// restores, exports and moves, and the service's own keys.
var EventsOfTheTrail = []Event{EventOperationsCounted, EventRefusalsCounted, EventStoreInitialised, EventChainBegun, EventChainTied,
	EventCheckpoint, EventRecordCarried, EventRotationCarried, EventChainVerified, EventStoreRestored, EventWitnessBegun, EventAttemptsReplayed, EventKeyRemoved, EventAccountExported, EventAccountMoved, EventAccountReceived,
	EventSigningCreated, EventSigningActivated, EventSigningErased, EventSigningWithdrawn,
	EventRootKeyAdded, EventRootKeyRemoved, EventRootKeyRotated, EventRecordRewrapped, EventDataKeyAdded, EventDataKeyActivated, EventDataKeyRewrapped, EventDataKeyDestroyed, EventRewrapPaused, EventRewrapResumed}

// Why an event was set aside.
const (
	DeadRefused  = "refused"  // the receiver said that it will never accept it
	DeadGivenUp  = "given_up" // the receiver did not accept it for too long
	DeadTampered = "tampered" // its row was edited: it is never sent
)

// DeadLetter is an event that was set aside, so that the events after it are sent.
type DeadLetter struct {
	OutboxEvent
	Reason    string // one of the Dead constants
	LastError string // why the last attempt failed, as in WebhookStatus; empty if Reason is DeadTampered
	DeadAt    time.Time
}

// MarshalReason is the column in which an engine keeps Reason and LastError,
// with a space between.
func (d DeadLetter) MarshalReason() string {
	if d.LastError == "" {
		return d.Reason
	}
	return d.Reason + " " + d.LastError
}

// UnmarshalReason is the inverse of [DeadLetter.MarshalReason]: a reason is one
// word.
func (d *DeadLetter) UnmarshalReason(column string) {
	d.Reason, d.LastError, _ = strings.Cut(column, " ")
}

// DeadLetterFilter selects dead letters. Empty: all.
type DeadLetterFilter struct {
	Event Event
}

// Resent is the result of an act that sends dead letters again.
type Resent struct {
	ActResult
	Events int  // that wait again; 0 in a repeat
	Edited int  // that stay, because they were edited in the database
	More   bool // there are more dead letters than one act sends
}

// DeadLetterPosition is a place in the list of dead letters, which is in order
// of time and then id, oldest first.
type DeadLetterPosition struct {
	DeadAt time.Time
	ID     string
}

// WebhookStatus is the state of the events that are sent.
type WebhookStatus struct {
	Enabled     bool      // a receiver is set
	Receiver    string    // its scheme, host and port only; empty: no receiver is set
	Waiting     int64     // events that wait, counted up to 100,000
	Oldest      time.Time // when the oldest of them happened; zero: none waits
	DeadLetters int64     // counted up to 100,000
	// The rest is about this instance, since it started.
	Sending       bool      // it was the instance that sends when the status was read
	LastDelivered time.Time // zero: never
	LastFailed    time.Time // an attempt failed or was refused; zero: never
	LastError     string    // of that attempt: a closed set of words, or "status 503"
	Paused        bool      // too many events of different accounts failed: one at a time is tried
	NextAttempt   time.Time // events that failed are not sent before this time; zero: none waits for it
}

// About is what an event says about its entry in clear text, where the trail has
// only keyed hashes and digests. Empty fields are left out of the event.
type About struct {
	Account     Account // its name, or its id, or both
	DeviceID    string
	Type        CredentialType
	AppVersion  string
	ExpiresAt   time.Time // of a key
	GraceUntil  time.Time // of a key
	LockedUntil time.Time // of a credential, or of a device
	Permanent   bool      // it is locked until an operator unlocks
}

// Of sets the account's id, unless its name is known.
func (a *About) Of(accountID string) {
	if a.Account.Subject == "" {
		a.Account.ID = accountID
	}
}

// Locked sets the end of a lock.
func (a *About) Locked(until time.Time, permanent bool) {
	a.LockedUntil, a.Permanent = until, permanent
	if permanent {
		a.LockedUntil = time.Time{}
	}
}

// Delivery is an event as it is sent.
type Delivery struct {
	Partition string
	Seq       int64
	ID        string
	Event     Event
	Time      time.Time // when the event happened
	Body      []byte    // JSON: a CloudEvent in structured form
}
