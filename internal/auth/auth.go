// Package auth authenticates requests before a use case runs: callers in the
// modes device, jwt and gateway, and operators.
//
// The idea: one small interface stands between the listener and the use cases,
// so that a new account mode changes neither. The threat is a request that
// names another caller: an authenticator takes no name that it has not verified.
// Device mode verifies nothing, and so takes no name. There the key that a
// request uses names the account.
package auth

import (
	"net/http"

	"strongroom/internal/domain"
)

// Authenticator authenticates the caller of a request. It is safe for concurrent
// use.
type Authenticator interface {
	// Authenticate returns the caller, with the request id and the address from
	// the request's context. A refusal is a *domain.Error with the code
	// UNAUTHENTICATED or FORBIDDEN. Any other error means that no caller can be
	// authenticated now, and the request must fail.
	Authenticate(r *http.Request) (domain.Caller, error)
}

// Device returns the authenticator of device mode. It accepts every request
// without a DPoP header, and names no account. proofs verifies that header; nil:
// it is ignored.
func Device(proofs *DPoP) Authenticator { return device{proofs} }

type device struct{ proofs *DPoP }

func (d device) Authenticate(r *http.Request) (domain.Caller, error) {
	thumbprint, err := d.proofs.Verify(r, "")
	if err != nil {
		return domain.Caller{}, err
	}
	c := domain.CallerFrom(r.Context())
	c.Mode, c.Permissions, c.Thumbprint = domain.ModeDevice, domain.OrdinaryPermissions, thumbprint
	return c, nil
}
