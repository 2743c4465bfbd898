package domain

import "time"

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
