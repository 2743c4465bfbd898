package domain

import (
	"errors"
	"fmt"
	"time"
)

// Code is the stable name of an error. Clients switch on it; it never changes.
type Code string

// Every code that an answer can carry. docs/api.md says what a client does
// about each.
const (
	CodeBadUserInput               Code = "BAD_USER_INPUT"
	CodeKeyNotUsable               Code = "KEY_NOT_USABLE"
	CodeDecryptionFailed           Code = "DECRYPTION_FAILED"
	CodeCredentialLocked           Code = "CREDENTIAL_LOCKED"
	CodeTooManyRequests            Code = "TOO_MANY_REQUESTS"
	CodeOverloaded                 Code = "OVERLOADED"
	CodeOperationDisabled          Code = "OPERATION_DISABLED"
	CodeBadRequest                 Code = "BAD_REQUEST"
	CodeGraphQLInvalid             Code = "GRAPHQL_INVALID"
	CodePayloadTooLarge            Code = "PAYLOAD_TOO_LARGE"
	CodeUnsupportedMedia           Code = "UNSUPPORTED_MEDIA_TYPE"
	CodeNotAcceptable              Code = "NOT_ACCEPTABLE"
	CodeMethodNotAllowed           Code = "METHOD_NOT_ALLOWED"
	CodeNotFound                   Code = "NOT_FOUND"
	CodeConflict                   Code = "CONFLICT" // of the admin API, and of a receipt that was redeemed before
	CodeUnauthenticated            Code = "UNAUTHENTICATED"
	CodeAccountMoved               Code = "ACCOUNT_MOVED"
	CodeForbidden                  Code = "FORBIDDEN"
	CodeCiphertextReused           Code = "CIPHERTEXT_REUSED"
	CodeTransactionMismatch        Code = "TRANSACTION_MISMATCH"
	CodeInternal                   Code = "INTERNAL"
	CodePersistedQueryNotSupported Code = "PERSISTED_QUERY_NOT_SUPPORTED"
	CodeCredentialRejected         Code = "CREDENTIAL_REJECTED" // in extensions.rejection of a set that answered false
)

// Error is a refusal that a caller can act on. Everything in it may be shown
// to anyone: no part of a request, no secret, no internals. Any other error is
// logged, and clients get only INTERNAL.
type Error struct {
	Code          Code
	Message       string        // what is wrong and what to do about it
	Reason        string        // which case of the code it is, one of the Reason constants; empty: there is one case
	Field         string        // with BAD_USER_INPUT: the argument that is wrong, if it is a single one
	RequiredScope string        // with FORBIDDEN: the scope that the caller lacks
	LockScope     string        // with CREDENTIAL_LOCKED: what is locked
	RetryAfter    time.Duration // zero: retrying later does not help
	Permanent     bool          // with CREDENTIAL_LOCKED: only an operator ends the lock
	Cause         error         // for a command on the machine of the database; never part of an answer
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// RetryAfterSeconds is RetryAfter in whole seconds, rounded up, so that a
// client that waits as told never comes too early.
func (e *Error) RetryAfterSeconds() int64 { return ceilDiv(e.RetryAfter, time.Second) }

// Extensions is e for programs, as the extensions of a GraphQL error.
func (e *Error) Extensions() map[string]any {
	ext := map[string]any{"code": e.Code}
	text := func(name, value string) {
		if value != "" {
			ext[name] = value
		}
	}
	text("reason", e.Reason)
	text("field", e.Field)
	text("lockScope", e.LockScope)
	text("requiredScope", e.RequiredScope)
	if e.Permanent {
		ext["permanent"] = true
	}
	if e.RetryAfter > 0 {
		ext["retryAfterSeconds"] = e.RetryAfterSeconds()
	}
	return ext
}

// BadInput refuses one argument. remedy says how to correct it, and follows the
// argument's name in the message.
func BadInput(field, remedy string) *Error {
	return &Error{Code: CodeBadUserInput, Message: field + " " + remedy + ".", Field: field}
}

// ErrKeyNotUsable is the one answer for a keyId that is unknown, rotated,
// expired, revoked or another account's: telling them apart would tell a
// stranger which keys exist.
var ErrKeyNotUsable = &Error{Code: CodeKeyNotUsable,
	Message: "The key is not usable. Call generateClientEncryptionKey for the current key and encrypt again."}

// ErrAccountMoved is the one answer for everything about an account that is in
// another store.
var ErrAccountMoved = &Error{Code: CodeAccountMoved,
	Message: "The account was moved to another cell, which answers its requests. Nothing was done and no attempt was counted here."}

// ErrDecryptionFailed is the one answer for a ciphertext that is not base64,
// not as long as the modulus, or does not decrypt. A second wording would be
// an oracle on the padding (Manger 2001).
var ErrDecryptionFailed = &Error{Code: CodeDecryptionFailed,
	Message: "The ciphertext could not be decrypted. Encrypt under the public key of this keyId, by its algorithm, and send it as base64. RSA-OAEP: SHA-256, MGF1 with SHA-256, empty label or, " +
		"where the operator requires it, the label of this field. HPKE: the info text of the service, and associated data of this field (with /current for a current secret), keyId and passwordAuthType."}

// ErrTransactionMismatch is the answer to a ciphertext that holds the hash of
// another transaction. It is decided before the secret is compared.
var ErrTransactionMismatch = &Error{Code: CodeTransactionMismatch,
	Message: "The encrypted hash is not that of this transaction. Show the user the transaction again, and encrypt the SHA-256 of its canonical form (RFC 8785) with the PIN. " +
		"No attempt was counted."}

// LockedError is the refusal of an attempt or set by device ("" in device mode)
// during a lock of the account or of the device. It names the device if only the
// device is locked, or only the device's lock is permanent: the owner can use
// another device then.
func LockedError(a Attempts, device string, now time.Time) *Error {
	d, subject, scope := a.device(device), "The credential", LockScopeAccount
	if !a.Permanent && (d.Permanent || !a.LockedAt(now)) {
		subject, scope = "This device", LockScopeDevice
	}
	if a.Permanent || d.Permanent {
		return &Error{Code: CodeCredentialLocked, LockScope: scope, Permanent: true,
			Message: subject + " is locked permanently after too many failures. An operator must unlock it."}
	}
	return &Error{Code: CodeCredentialLocked, LockScope: scope, RetryAfter: later(a.LockedUntil, d.LockedUntil).Sub(now),
		Message: subject + " is locked after too many failures. Try again after retryAfterSeconds."}
}

// TooManyRequests is the refusal of a request above a limit that allows more after
// retry. The reason names the limit.
func TooManyRequests(reason, message string, retry time.Duration) *Error {
	return &Error{Code: CodeTooManyRequests, Reason: reason, Message: message, RetryAfter: retry}
}

// Overloaded is the refusal of work that would have to wait too long.
func Overloaded() *Error {
	return &Error{Code: CodeOverloaded, Reason: ReasonAtCapacity, RetryAfter: time.Second,
		Message: "The service is at capacity. Nothing was done and no attempt was counted; send the request again shortly."}
}

// LoggedError is an error that was logged already. The code that answers it does
// not log it again.
type LoggedError struct{ Err error }

func (e LoggedError) Error() string { return e.Err.Error() }

// Unwrap returns the error that was logged.
func (e LoggedError) Unwrap() error { return e.Err }

// KeyGenerationLimitError is the refusal by the specification's limit on key
// generations. It has its own type because the specification sets its answer, for
// GraphQL and REST: HTTP 429 with a body of three fields.
type KeyGenerationLimitError struct {
	ResetIn time.Duration // until the window ends
}

// Minutes is the X of the message: ceil((resetTime - now) / 60,000).
func (e *KeyGenerationLimitError) Minutes() int64 { return ceilDiv(e.ResetIn, time.Minute) }

// RetryAfterSeconds is for the Retry-After header.
func (e *KeyGenerationLimitError) RetryAfterSeconds() int64 { return ceilDiv(e.ResetIn, time.Second) }

func (e *KeyGenerationLimitError) Error() string {
	return fmt.Sprintf("Rate limit for key generation exceeded. Try again in %d minutes.", e.Minutes())
}

func ceilDiv(d, unit time.Duration) int64 {
	return int64((d + unit - 1) / unit)
}

// NotFound is the refusal of a request about something that the store does not
// have.
func NotFound(what string) *Error {
	return &Error{Code: CodeNotFound, Message: "There is no " + what + " with this name or id."}
}

// Conflict is the refusal of a request that does not fit the present state.
func Conflict(message string) *Error { return &Error{Code: CodeConflict, Message: message} }

// CodeOf is the code of the answer to err: "" for nil, INTERNAL for an error that
// is not a refusal.
func CodeOf(err error) Code {
	var refusal *Error
	var limit *KeyGenerationLimitError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &refusal):
		return refusal.Code
	case errors.As(err, &limit):
		return CodeTooManyRequests
	}
	return CodeInternal
}

// ReasonOf is the reason of the answer to err, or "".
func ReasonOf(err error) string {
	var refusal *Error
	var limit *KeyGenerationLimitError
	switch {
	case errors.As(err, &refusal):
		return refusal.Reason
	case errors.As(err, &limit):
		return ReasonKeyGenerationLimit
	}
	return ""
}

// SettingError refuses a start until an operator changes a setting. A retry
// without that fails again.
type SettingError struct{ Err error }

func (e *SettingError) Error() string { return e.Err.Error() }

func (e *SettingError) Unwrap() error { return e.Err }
