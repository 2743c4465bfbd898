package domain

import (
	"strings"
	"time"
)

// StorePartition is the partition of the events that are of no account.
const StorePartition = "-"

// OutboxEvent is an event on its way out: what a receiver is told of one entry
// of the trail. It names accounts and devices in clear, and holds no secret in
// any form. Events of one account are in one partition, and go out in order.
type OutboxEvent struct {
	Partition string // the account's id, or StorePartition
	Seq       int64  // in the partition, from 1, without gaps; it never begins again
	ID        string // in the form of NewID; it stays the same however often the event is sent
	Event     Event
	Time      time.Time // of the transaction that it tells of
	Data      []byte    // JSON: see docs/events.md
	MAC       []byte    // over all of these
}

// Authenticated is what the MAC of an event is computed over. The leading
// number is the format version.
func (e OutboxEvent) Authenticated() []byte {
	return Encode([]byte{1}, []byte(Tenant), []byte(e.Partition), EncodeInt(e.Seq), []byte(e.ID), []byte(e.Event),
		EncodeTime(e.Time), e.Data)
}

// EventsOut are the events that go out unless others are named: those that
// change something, and those that are about security.
var EventsOut = []Event{
	EventKeyIssued, EventKeyRotated, EventKeyExpired, EventKeyRevoked, EventKeyErased, EventKeyAppVersion, EventKeyBound, EventKeyUnbound,
	EventCredentialSet, EventCredentialReset, EventCredentialMarked, EventCredentialReused, EventCredentialRehashed, EventCredentialLocked, EventDeviceLocked,
	EventCredentialErased, EventAttemptsLapsed, EventAttemptsReset, EventAttemptsUnlocked, EventAttemptsErased, EventAccountErased,
	EventTamperingSeen, EventClockStepped, EventGuessingSuspected, EventOverwriteRefused, EventRotationStarted, EventRotationStopped, EventRotationFinished, EventPruned,
	EventWebhookResent,
}

// EventsOutByName go out only where they are named: there is one for each
// verification.
var EventsOutByName = []Event{EventCredentialVerified, EventCredentialMismatch, EventReceiptIssued, EventReceiptRedeemed}

// EventsOfTheTrail never go out: by them the trail keeps its own books.
var EventsOfTheTrail = []Event{EventOperationsCounted, EventRefusalsCounted, EventStoreInitialised, EventChainBegun, EventChainTied,
	EventCheckpoint, EventRecordCarried, EventRotationCarried, EventChainVerified, EventStoreRestored, EventWitnessBegun, EventAttemptsReplayed, EventKeyRemoved, EventAccountExported, EventAccountMoved, EventAccountReceived,
	EventSigningCreated, EventSigningActivated, EventSigningErased, EventSigningWithdrawn,
	EventRootKeyAdded, EventRootKeyRemoved, EventRootKeyRotated, EventRecordRewrapped, EventDataKeyAdded, EventDataKeyActivated, EventDataKeyRewrapped, EventDataKeyDestroyed, EventRewrapPaused, EventRewrapResumed}

// Why an event was set aside.
const (
	DeadRefused  = "refused"  // the receiver said that it will never take it
	DeadGivenUp  = "given_up" // the receiver did not take it for too long
	DeadTampered = "tampered" // its row was edited: it is never sent
)

// DeadLetter is an event that was set aside, so that those behind it go on.
type DeadLetter struct {
	OutboxEvent
	Reason    string // one of the Dead constants
	LastError string // why the last attempt failed, in the words of WebhookStatus; empty where Reason is DeadTampered
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

// Resent says what became of dead letters that were to be sent again together.
type Resent struct {
	ActResult
	Events int  // that wait again; 0 in a repeat
	Edited int  // that stay, because they were edited in the database
	More   bool // there are more than one act sends
}

// DeadLetterPosition is a place in the list of dead letters, which is in order
// of time and then id, oldest first.
type DeadLetterPosition struct {
	DeadAt time.Time
	ID     string
}

// WebhookStatus is how it stands with the events that go out.
type WebhookStatus struct {
	Enabled     bool      // a receiver is set
	Receiver    string    // scheme, host and port of it, and no more; empty without
	Waiting     int64     // events that wait, counted up to 100,000
	Oldest      time.Time // when the oldest of them happened; zero: none waits
	DeadLetters int64     // counted up to 100,000
	// The rest is of this instance, since it started.
	Sending       bool      // it was the one that sends when this was asked
	LastDelivered time.Time // zero: never
	LastFailed    time.Time // an attempt failed or was refused; zero: never
	LastError     string    // of that one: a closed set of words, or "status 503"
	Paused        bool      // too many events of different accounts failed: one at a time is tried
	NextAttempt   time.Time // no event that failed is sent before; zero: nothing has to wait for that
}

// About is what an event says of its entry in clear, where the trail has keyed
// hashes and digests only. Empty fields are not said.
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

// Of says of which account it is, unless its name is known.
func (a *About) Of(accountID string) {
	if a.Account.Subject == "" {
		a.Account.ID = accountID
	}
}

// Locked says until when a lock stands.
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
	Time      time.Time // when what it tells of happened
	Body      []byte    // JSON: a CloudEvent in structured form
}
