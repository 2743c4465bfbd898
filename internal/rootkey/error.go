package rootkey

import (
	"errors"
	"io/fs"
	"slices"
)

// Reason is why a root key could not be used. It is a label of metrics.
type Reason string

// The reasons.
const (
	Missing     Reason = "missing"     // there is no such key, or it was deleted
	Denied      Reason = "denied"      // the credentials or permissions do not allow the use of the key
	Disabled    Reason = "disabled"    // the key exists but cannot be used: disabled, scheduled for deletion, locked
	Unreachable Reason = "unreachable" // no connection to the provider
	Timeout     Reason = "timeout"     // the provider did not answer in time
	Unavailable Reason = "unavailable" // the provider answered that it cannot serve now: sealed, throttled, internal error
	Invalid     Reason = "invalid"     // what was found is not a root key, or cannot wrap
)

// Error says why a root key could not be used and what to do, for an operator. It
// is never shown to clients.
type Error struct {
	Key    string // the URL
	Reason Reason
	Remedy string // what to do, as a sentence without a capital letter and a full stop
	Err    error  // the cause; it must contain no secret
}

// Error returns one line: what happened, why, and what to do.
func (e *Error) Error() string {
	return "root key " + e.Key + ": " + string(e.Reason) + ": " + e.Err.Error() + "; " + e.Remedy
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Passing reports whether an error is temporary, so that it makes sense to try again: the
// provider is unreachable, slow or busy. Of joined errors, one that is temporary is
// enough.
func Passing(err error) bool {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return slices.ContainsFunc(joined.Unwrap(), Passing)
	}
	switch e := err.(type) { //nolint:errorlint // the tree is walked here
	case nil:
		return false
	case *Error:
		return e.Reason == Unreachable || e.Reason == Timeout || e.Reason == Unavailable
	}
	return Passing(errors.Unwrap(err))
}

// wrongSecret is the cause if a provider that locks itself after some wrong secrets
// refused one.
type wrongSecret struct{ error }

func (w wrongSecret) Unwrap() error { return w.error }

// WrongSecret reports whether a TPM refused the authorization value, or an HSM the PIN.
// Then nothing may try again before an operator corrects it. Of joined errors, one is
// enough.
func WrongSecret(err error) bool {
	_, is := errors.AsType[wrongSecret](err)
	return is
}

// ReasonOf returns the reason of an error of this package, [Invalid] if it has none.
func ReasonOf(err error) Reason {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Reason
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Missing
	case errors.Is(err, fs.ErrPermission):
		return Denied
	}
	return Invalid
}
