package vault

import "strongroom/internal/domain"

// errProofRequired refuses a request without a proof of possession.
var errProofRequired = &domain.Error{Code: domain.CodeUnauthenticated, Reason: domain.ReasonDPoPProofRequired,
	Message: "This request needs a proof that the client holds the device's key. Send a DPoP proof (RFC 9449) by this key in the header DPoP."}

// mayAskForKey refuses a request for a key without a proof, if one is required.
func (g *gate) mayAskForKey(c domain.Caller) error {
	if g.cfg.ProofRequired && c.Thumbprint == "" {
		return errProofRequired
	}
	return nil
}
