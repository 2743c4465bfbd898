package domain

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// AccountMove is what one of two stores records about a move of an account between them.
type AccountMove struct {
	AccountID string `json:"-"`

	Number int64     `json:"number"` // counts the moves of the account between all stores, from 1
	Away   bool      `json:"away"`   // true: the account left with this move; false: it came
	Peer   string    `json:"peer"`   // the public key for moves of the other store
	SHA256 []byte    `json:"sha256"` // of the sealed parcel
	At     time.Time `json:"at"`
}

// Canonical is the part of the record that its entry contains too, in the one form that
// its digest is computed over.
func (m AccountMove) Canonical() []byte {
	return Encode([]byte("move"), []byte(Tenant), []byte(m.AccountID), EncodeInt(m.Number), encodeFlag(m.Away))
}

// MoveOf returns the move of a whole account that an entry of the trail is about: the
// account, the number and the direction.
func MoveOf(e Entry) (m AccountMove, ok bool) {
	m.AccountID, ok = strings.CutPrefix(e.Record, RecordAccount+"/")
	m.Number, m.Away = e.Version, e.Event == EventAccountMoved
	return m, ok && (m.Away || e.Event == EventAccountReceived)
}

// MovedAccount is the answer to an operator who moves an account.
type MovedAccount struct {
	ActResult
	Account  Account
	Move     AccountMove
	Parcel   []byte   // sealed for the other store; only of the source
	Keys     []string // the ids of the keys that moved; only of the target
	Ended    int      // keys that moved without their private key; only of the target
	Restored bool     // this store was restored from a backup at some time; only of the target
	// Confirmation proves to the source that the account is here; only of the target.
	Confirmation []byte
}

// Leaving is an attempt counter as it moves to another store. Pending attempts
// count as failures, and a restored counter gets the failures that [AttemptPolicy]
// assumes it has lost.
func (p AttemptPolicy) Leaving(a Attempts) Attempts {
	a, _ = p.LapseAll(a)
	a.Failures, a.Restored = p.inRow(a), false
	return a
}

// Join returns a with the failures and locks of another state of the same attempt counter,
// as far as a lacks them. It removes none.
func (p AttemptPolicy) Join(a, with Attempts) Attempts {
	a.Failures, a.Permanent = max(a.Failures, with.Failures), a.Permanent || with.Permanent
	a.LockedUntil = later(a.LockedUntil, with.LockedUntil)
	for _, at := range with.Recent {
		if !slices.ContainsFunc(a.Recent, at.Equal) {
			a = p.failRecent(a, at)
		}
	}
	return a
}

// counterDetail is what the entry about a received attempt counter says: the failures
// happened in another database, so no other entry of this trail has them. The failures of
// single devices are left out.
type counterDetail struct {
	Type        CredentialType `json:"type"`
	Failures    int            `json:"failures"` // in a row
	Recent      []time.Time    `json:"recent,omitempty"`
	LockedUntil time.Time      `json:"lockedUntil,omitzero"`
	Permanent   bool           `json:"permanent,omitempty"`
}

const beforeCounter, afterCounter = " (counter ", ")"

// Detail is the failures and locks of an attempt counter, as the end of the reason of an
// entry. Version 0.16.0 and earlier do not read it.
func (a Attempts) Detail() string {
	text, err := json.Marshal(counterDetail{a.Type, a.Failures, a.Recent, a.LockedUntil, a.Permanent})
	if err != nil { // a time after the year 9999
		return ""
	}
	return beforeCounter + string(text) + afterCounter
}

// AttemptsIn returns the attempt counter that [Attempts.Detail] described in a reason.
func AttemptsIn(reason string) (a Attempts, ok bool) {
	i := strings.LastIndex(reason, beforeCounter)
	text, ends := strings.CutSuffix(reason[max(i, 0):], afterCounter)
	if i < 0 || !ends {
		return a, false
	}
	var is counterDetail
	if json.Unmarshal([]byte(text[len(beforeCounter):]), &is) != nil || !slices.Contains(CredentialTypes, is.Type) {
		return a, false
	}
	return Attempts{Type: is.Type, Failures: is.Failures, Recent: is.Recent, LockedUntil: is.LockedUntil, Permanent: is.Permanent}, true
}
