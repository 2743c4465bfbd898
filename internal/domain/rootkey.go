package domain

import (
	"strings"
	"time"
)

// RootKey is a root key that wraps the data keys, as operators see it.
type RootKey struct {
	ID        string    // as its wrap names it; empty if it could not be opened
	URL       string    // as an operator named it; it holds no secret
	AddedAt   time.Time // when the data keys were wrapped under it; zero if unknown
	CheckedAt time.Time // when it was last checked; zero: this process does not have it
	Problem   string    // why it did not open the data keys then; empty if it did
	Reason    string    // the kind of the problem, one word
}

// Up reports whether the root key opened the data keys at the last check.
func (k RootKey) Up() bool { return !k.CheckedAt.IsZero() && k.Problem == "" }

// Provider is where the root key lives: the scheme of its URL.
func (k RootKey) Provider() string {
	scheme, _, _ := strings.Cut(k.URL, ":")
	return scheme
}
