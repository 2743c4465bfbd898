package domain

import (
	"strings"
	"time"
)

// Authorization is an encrypted passcode or PIN together with the transaction
// that it authorizes, as a client sent both.
type Authorization struct {
	// Submission has the ciphertext of {"pin","txn"}: the secret, and the SHA-256 of
	// the transaction's canonical form in base64url without padding. The use case
	// sets its Type.
	Submission
	Transaction string // a JSON object
}

// Redemption is a receipt that was redeemed.
type Redemption struct {
	ID        string    // its jti
	ExpiresAt time.Time // from then on the receipt is refused anyway
}

// ReceiptDetail is how entries of the trail name a receipt, in [Entry.Reason].
type ReceiptDetail struct {
	ID      string // its jti
	Type    CredentialType
	TxnHash string // base64url without padding; empty: a receipt of verify
}

func (d ReceiptDetail) String() string {
	text := "jti " + d.ID + "; passwordAuthType " + string(d.Type)
	if d.TxnHash != "" {
		text += "; txn_hash " + d.TxnHash
	}
	return text
}

// ParseReceiptDetail is the inverse of [ReceiptDetail.String]. It ignores parts
// that it does not know, and is not ok without a jti.
func ParseReceiptDetail(reason string) (d ReceiptDetail, ok bool) {
	for part := range strings.SplitSeq(reason, "; ") {
		switch name, value, _ := strings.Cut(part, " "); name {
		case "jti":
			d.ID = value
		case "passwordAuthType":
			d.Type = CredentialType(value)
		case "txn_hash":
			d.TxnHash = value
		}
	}
	return d, d.ID != ""
}
