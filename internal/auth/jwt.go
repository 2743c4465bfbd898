package auth

import (
	"errors"
	"log/slog"
	"net/http"

	"strongroom/internal/domain"
	"strongroom/internal/loglines"
)

// JWTConfig is what a [JWT] needs.
type JWTConfig struct {
	// Issuers are the providers whose tokens are taken, compared with the iss
	// claim byte for byte. At least one.
	Issuers []string
	// KeySets are where their key sets are, in the same order: a path, an https
	// URL (http for a loopback host), or empty for OpenID Connect discovery. No
	// entries at all: discovery for each.
	KeySets []string
	// Audiences are the names of this service: a token's aud must have one. At
	// least one.
	Audiences []string
	// Algorithms are the signature algorithms that are taken (RFC 7518, 3.1;
	// RFC 8037), of those with public keys. At least one.
	Algorithms []string
	// RequireScopes: a caller may do what the scopes of the token say, and
	// nothing else.
	RequireScopes bool
	Logger        *slog.Logger
}

// JWT is the authenticator of jwt mode: a caller is issuer and subject of a
// bearer token that is a JWT signed by one of the issuers.
type JWT struct {
	*verifier[domain.Caller]
	refusals
	log     *slog.Logger
	refused loglines.Limit
}

var _ Authenticator = (*JWT)(nil)

// NewJWT checks cfg. Key sets in files are read at once, and one that cannot be
// is an error; the others are fetched after Start.
func NewJWT(cfg JWTConfig) (*JWT, error) {
	v, err := newVerifier(trust{"jwt-", cfg.Issuers, cfg.KeySets, cfg.Audiences, cfg.Algorithms, cfg.Logger},
		func(t *token) (domain.Caller, error) { return callerOf(t, cfg.RequireScopes), nil })
	if err != nil {
		return nil, err
	}
	return &JWT{verifier: v, refusals: countRefusals(reasonsOfJWT), log: cfg.Logger}, nil
}

// Authenticate implements [Authenticator].
func (j *JWT) Authenticate(r *http.Request) (domain.Caller, error) {
	found, err := j.authenticate(r)
	var why reason
	if errors.As(err, &why) {
		j.add(why)
		if write, omitted := j.refused.Next(j.now()); write {
			j.log.InfoContext(r.Context(), "a bearer token is refused", "reason", string(why), "omitted", omitted)
		}
		return domain.Caller{}, why.refusal()
	}
	if err != nil {
		return domain.Caller{}, err
	}
	c := domain.CallerFrom(r.Context())
	c.Mode = domain.ModeJWT
	c.Issuer, c.Subject = found.Issuer, found.Subject
	c.Permissions, c.AuthenticatedAt = found.Permissions, found.AuthenticatedAt
	return c, nil
}

func (j *JWT) authenticate(r *http.Request) (domain.Caller, error) {
	text, err := bearer(r.Header)
	if err != nil {
		return domain.Caller{}, err
	}
	return j.take(r.Context(), text)
}

func callerOf(t *token, requireScopes bool) domain.Caller {
	permissions := t.scopes
	if !requireScopes {
		permissions = domain.OrdinaryPermissions | t.scopes&domain.MayResetCredential
	}
	return domain.Caller{Issuer: t.issuer, Subject: t.subject, Permissions: permissions, AuthenticatedAt: t.authenticated}
}

// refusal is what a client is told: enough to mend what an honest one can, and
// for everything else one answer.
func (r reason) refusal() *domain.Error {
	switch r {
	case noToken:
		return unauthenticated(domain.ReasonTokenMissing, "A bearer token is needed. Send it in the header Authorization, after the word Bearer and a space.")
	case severalHeaders:
		return unauthenticated(domain.ReasonTokenRepeated, "Send one Authorization header with one bearer token.")
	case dpopScheme:
		return unauthenticated(domain.ReasonDPoPUnsupported, "The Authorization scheme DPoP is not supported, because this service does not check DPoP proofs. "+
			"Send a token that is not bound to a key (no cnf claim), after the word Bearer and a space.")
	case boundToSender:
		return unauthenticated(domain.ReasonTokenBound, "The token is sender-constrained (it has a cnf claim), and this service does not check DPoP proofs or client certificates against it. "+
			"Configure the identity provider to issue a bearer token without cnf for this service.")
	case expired:
		return unauthenticated(domain.ReasonTokenExpired, "The bearer token has expired. Get a new one.")
	case notYetValid:
		return unauthenticated(domain.ReasonTokenNotYetValid, "The bearer token is not valid yet. Check that the clocks are synchronised, then send it again.")
	}
	return unauthenticated(domain.ReasonTokenInvalid, "The bearer token is not valid here. Get a new one that the identity provider made for this service.")
}
