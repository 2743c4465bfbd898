package auth

import (
	"errors"
	"log/slog"
	"net/http"
	"slices"

	"strongroom/internal/domain"
)

// JWTConfig is what a [JWT] needs.
type JWTConfig struct {
	// Issuers are the identity providers whose tokens are accepted, compared
	// byte for byte with the iss claim. At least one.
	Issuers []string
	// KeySets are where the issuers' key sets are, in the same order: a path, an
	// https URL (http for a loopback host), or empty for OpenID Connect
	// discovery. No entries: discovery for all.
	KeySets []string
	// Audiences are the names of this service. A token's aud must have one. At
	// least one.
	Audiences []string
	// Algorithms are the accepted signature algorithms, of those with public
	// keys (RFC 7518, 3.1; RFC 8037). At least one.
	Algorithms []string
	// RequireScopes: the token's scopes are all that a caller may do.
	RequireScopes bool
	// Proofs verifies DPoP proofs. Nil: their header is ignored, and a token with
	// cnf is refused.
	Proofs *DPoP
	Logger *slog.Logger
}

// JWT is the authenticator of jwt mode: issuer and subject of a signed access
// token identify the caller.
type JWT struct {
	*verifier[tokenCaller]
	tokenRefusals
	proofs *DPoP
}

var _ Authenticator = (*JWT)(nil)

// TakesDPoP reports whether a client of a may send a token with the scheme DPoP (RFC 9449,
// 7.1).
func TakesDPoP(a Authenticator) bool {
	j, ok := a.(*JWT)
	return ok && j.proofs != nil
}

// NewJWT checks cfg. It reads key sets in files, and fails if it cannot. The
// others are fetched after Start.
func NewJWT(cfg JWTConfig) (*JWT, error) {
	v, err := newVerifier(verifierConfig{"jwt-", cfg.Issuers, cfg.KeySets, cfg.Audiences, cfg.Algorithms, maxWaitingCallers, cfg.Logger},
		func(t *token) (tokenCaller, error) {
			if t.confirmation != (confirmation{}) && cfg.Proofs == nil {
				return tokenCaller{}, boundToSender
			}
			return callerOf(t, cfg.RequireScopes), nil
		})
	if err != nil {
		return nil, err
	}
	return &JWT{verifier: v, tokenRefusals: tokenRefusals{refusals: countRefusals(reasonsOfJWT), log: cfg.Logger}, proofs: cfg.Proofs}, nil
}

// tokenCaller is the caller that a token names, and what its sender must prove.
type tokenCaller struct {
	domain.Caller
	confirmation confirmation
}

// Authenticate implements [Authenticator].
func (j *JWT) Authenticate(r *http.Request) (domain.Caller, error) {
	c, err := j.callerOf(r)
	if why, ok := errors.AsType[reason](err); ok {
		j.refused(r, why, j.now())
		return domain.Caller{}, why.refusal()
	}
	return c, err
}

func (j *JWT) callerOf(r *http.Request) (domain.Caller, error) {
	text, dpop, err := accessToken(r.Header)
	switch {
	case dpop && j.proofs == nil:
		return domain.Caller{}, dpopScheme
	case err != nil:
		return domain.Caller{}, err
	}
	t, err := j.authenticate(r.Context(), text)
	if err != nil {
		return domain.Caller{}, err
	}
	c := t.Caller
	if c.Thumbprint, err = j.sender(r, text, dpop, t.confirmation); err != nil {
		return domain.Caller{}, err
	}
	from := domain.CallerFrom(r.Context())
	c.RequestID, c.Address = from.RequestID, from.Address
	return c, nil
}

// sender checks what the sender of a valid token proves, and returns the
// thumbprint of the key that it has; empty: it proves none. The proof comes last,
// so that a refused request does not use it up. A token that is bound to a key
// must not work as a bearer token (RFC 9449, 7.2).
func (j *JWT) sender(r *http.Request, text string, dpop bool, c confirmation) (string, error) {
	switch {
	case dpop && c.Thumbprint == "":
		return "", unboundAsDPoP
	case !dpop && c.Thumbprint != "":
		return "", boundAsBearer
	}
	thumbprint, err := j.proofs.Verify(r, text)
	if err == nil {
		err = c.check(thumbprint, r.TLS)
	}
	if err != nil || c.Certificate == "" || c.Thumbprint != "" {
		return thumbprint, err
	}
	return certificateThumbprint(r.TLS.PeerCertificates[0])
}

func callerOf(t *token, requireScopes bool) tokenCaller {
	permissions := t.scopes
	if !requireScopes {
		permissions = domain.OrdinaryPermissions | t.scopes
	}
	bound := t.confirmation != (confirmation{})
	methods, _ := stringList(t.claims["amr"])
	return tokenCaller{confirmation: t.confirmation, Caller: domain.Caller{Mode: domain.ModeJWT, Issuer: t.issuer, Subject: t.subject,
		Permissions: permissions, AuthenticatedAt: t.authenticated, TokenBound: bound, HardwareKey: bound && slices.Contains(methods, "hwk")}}
}
