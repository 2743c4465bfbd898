// Package place keeps the texts of a witness outside the database: in a file, in a
// file that a TPM counts, in another PostgreSQL database, or on an HTTP server.
//
// The caller signs each text, so a place is not trusted with the content. It only
// makes sure that an attacker who puts the database back must also reach the
// place.
package place

import (
	"errors"
	"fmt"
)

// Key names one text.
type Key struct {
	Home string // the store, by its first chain
	Part string // Heads or Keys
}

// The parts of a witness.
const (
	Heads = "heads" // the newest entries of the audit trail
	Keys  = "keys"  // the device keys that ended last
)

// ErrNone means that the place has no such text.
var ErrNone = errors.New("the witness has no such text")

// ErrChanged means that another process has written the text since it was read.
var ErrChanged = errors.New("another process wrote the witness at the same time")

// AwayError is a failure that may end without a change of the settings: the server
// cannot be reached, does not answer, or has no resources.
type AwayError struct{ Err error }

// Error says what failed.
func (e *AwayError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *AwayError) Unwrap() error { return e.Err }

// IsAway reports whether a failure may end by itself.
func IsAway(err error) bool {
	var away *AwayError
	return errors.As(err, &away)
}

func away(format string, args ...any) error { return &AwayError{fmt.Errorf(format, args...)} }

// maxBytes bounds a text.
const maxBytes = 1 << 20
