package domain

import (
	"fmt"
	"log/slog"
	"time"
	"unicode/utf8"
)

// CredentialType tells an account's two credentials apart. The values are the
// specification's PASSWORD_AUTH_TYPE.
type CredentialType string

// The two credentials of an account.
const (
	Passcode       CredentialType = "PASSCODE"        // user login
	TransactionPIN CredentialType = "TRANSACTION_PIN" // authorises a transaction
)

// Encryption is what encryptDataLikeClient encrypts, as a client would.
type Encryption struct {
	Body      Secret
	PublicKey string // PEM

	// What the ciphertext is for. Needed with HPKE only.
	Operation Operation
	KeyID     string
	Type      CredentialType
}

// CredentialTypes are all types, in the order in which they are shown.
var CredentialTypes = []CredentialType{Passcode, TransactionPIN}

// Credential is the stored record of a passcode or PIN: its verifier,
// sealed. The secret itself is never stored in any form.
type Credential struct {
	ID        string
	AccountID string
	Type      CredentialType
	Sealed    []byte // the sealed verifier
	Version   int64  // rises by one with each change; re-hash and set compare and swap on it
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Canonical is the record in the one form that its digest is computed over.
func (c Credential) Canonical() []byte {
	return Encode([]byte("credential"), []byte(Tenant), []byte(c.AccountID), []byte(c.Type), []byte(c.ID),
		c.Sealed, EncodeInt(c.Version), EncodeTime(c.CreatedAt), EncodeTime(c.UpdatedAt))
}

// Rule names the policy rule that a new credential broke. Clients see the
// name and never the value that broke it.
type Rule string

// The rules of the credential policy.
const (
	RuleTooShort   Rule = "TOO_SHORT"
	RuleTooLong    Rule = "TOO_LONG"
	RuleNotUTF8    Rule = "NOT_UTF8"
	RuleDigitsOnly Rule = "DIGITS_ONLY"
	RuleTooCommon  Rule = "TOO_COMMON" // forbidden by the [Blocklist]
	RuleReused     Rule = "REUSED"     // one of the account's last secrets (--credential-history)

	// RuleCurrentMismatch is not a policy rule: the current secret in a set is not
	// the stored one.
	RuleCurrentMismatch Rule = "CURRENT_MISMATCH"
)

// OverwriteReasons are the reasons why a set may not replace a credential.
var OverwriteReasons = []string{ReasonCurrentRequired, ReasonSignInRequired, string(RuleCurrentMismatch)}

// Bounds of the credential policy, in bytes.
const (
	MinPasscode, MaxPasscode             = 4, 128
	MinTransactionPIN, MaxTransactionPIN = 4, 12
)

// CheckPolicy returns the rule that forbids secret as a new credential of type
// t, or "". It checks only length and characters. A passcode must be normalised
// to NFC already. Only set calls it: a verify whose secret breaks a rule is a
// mismatch, because no stored secret can equal it.
func CheckPolicy(t CredentialType, secret Secret) Rule {
	low, high := MinPasscode, MaxPasscode
	if t == TransactionPIN {
		low, high = MinTransactionPIN, MaxTransactionPIN
		for _, b := range secret {
			if b < '0' || b > '9' {
				return RuleDigitsOnly
			}
		}
	}
	switch {
	case len(secret) < low:
		return RuleTooShort
	case len(secret) > high:
		return RuleTooLong
	case !utf8.Valid(secret):
		return RuleNotUTF8
	}
	return ""
}

// Secret is a plaintext passcode, PIN or private key in memory. Printed, logged
// or marshalled, it shows only "[secret]". The code that made it wipes it when
// done.
type Secret []byte

const redacted = "[secret]"

// String redacts the secret.
func (Secret) String() string { return redacted }

// GoString redacts the secret under %#v.
func (Secret) GoString() string { return redacted }

// Format redacts the secret under every verb, %x among them.
func (Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(redacted)) }

// MarshalText redacts the secret in JSON, XML and text encodings.
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue redacts the secret in structured logs.
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// Wipe overwrites the secret with zeros. Go's garbage collector does not move
// heap objects, so it has left no copy elsewhere.
func (s Secret) Wipe() { clear(s) }

// Submission is an encrypted passcode or PIN as a client sent it, for set or
// verify.
type Submission struct {
	Type       CredentialType // what the operation is for
	Declared   CredentialType // the client's passwordAuthType; must equal Type
	Ciphertext string         // base64
	Current    *string        // base64, of the current secret; only in a set; nil: not sent
	KeyID      string
	MustChange *bool // only in a set by a caller with MayResetCredential: the new secret must be changed; nil: false
}
