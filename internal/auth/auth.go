// Package auth says who sends a request, before any use case runs.
//
// The idea: one small interface between the listener and the use cases, so
// that a way of knowing callers is added without either noticing. The threat
// is a caller that the request itself makes up: an authenticator takes no
// name from a request that it has not verified. Device mode verifies nothing
// and so takes no name at all; there the key that a request uses is what
// names the account.
package auth

import (
	"net/http"

	"strongroom/internal/domain"
)

// Authenticator establishes the caller of a request. It is safe for
// concurrent use.
type Authenticator interface {
	// Authenticate returns who sends r, with the request id and the address that
	// the request's context carries. A refusal is a *domain.Error with the code
	// UNAUTHENTICATED or FORBIDDEN; any other error means that nobody can be
	// authenticated now, and the request must fail closed.
	Authenticate(r *http.Request) (domain.Caller, error)
}

// Device returns the authenticator of device mode: every request is allowed,
// and none names an account.
func Device() Authenticator { return device{} }

type device struct{}

func (device) Authenticate(r *http.Request) (domain.Caller, error) {
	c := domain.CallerFrom(r.Context())
	c.Mode, c.Permissions = domain.ModeDevice, domain.OrdinaryPermissions
	return c, nil
}
