package domain

import (
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
	Account Account
	Move    AccountMove
	Parcel  []byte   // sealed for the other store; only of the source
	Keys    []string // the ids of the keys that moved; only of the target
	Ended   int      // keys that moved without their private key; only of the target
	// Confirmation proves to the source that the account is here; only of the target.
	Confirmation []byte
}

// Leaving is an attempt counter as it moves to another store. Pending attempts
// count as failures, and a restored counter gets the failures that [AttemptPolicy]
// assumes it has lost.
func (p AttemptPolicy) Leaving(a Attempts) Attempts {
	for _, t := range a.Pending {
		a, _ = p.Lapse(a, t.Lease.Add(time.Microsecond))
	}
	a.Failures, a.Restored = p.inRow(a), false
	return a
}
