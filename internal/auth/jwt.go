package auth

import (
	"errors"
	"log/slog"
	"net/http"

	"strongroom/internal/domain"
	"strongroom/internal/lograte"
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
	Logger        *slog.Logger
}

// JWT is the authenticator of jwt mode: issuer and subject of a signed bearer
// token identify the caller.
type JWT struct {
	*verifier[domain.Caller]
	refusals
	log        *slog.Logger
	refusalLog lograte.Limit
}

var _ Authenticator = (*JWT)(nil)

// NewJWT checks cfg. It reads key sets in files, and fails if it cannot. The
// others are fetched after Start.
func NewJWT(cfg JWTConfig) (*JWT, error) {
	v, err := newVerifier(verifierConfig{"jwt-", cfg.Issuers, cfg.KeySets, cfg.Audiences, cfg.Algorithms, cfg.Logger},
		func(t *token) (domain.Caller, error) { return callerOf(t, cfg.RequireScopes), nil })
	if err != nil {
		return nil, err
	}
	return &JWT{verifier: v, refusals: countRefusals(reasonsOfJWT), log: cfg.Logger}, nil
}

// Authenticate implements [Authenticator].
func (j *JWT) Authenticate(r *http.Request) (domain.Caller, error) {
	text, err := bearer(r.Header)
	var c domain.Caller
	if err == nil {
		c, err = j.authenticate(r.Context(), text)
	}
	if why, ok := errors.AsType[reason](err); ok {
		j.add(why)
		if write, omitted := j.refusalLog.Next(j.now()); write {
			j.log.InfoContext(r.Context(), "a bearer token is refused", "reason", string(why), "omitted", omitted)
		}
		return domain.Caller{}, why.refusal()
	}
	if err != nil {
		return domain.Caller{}, err
	}
	from := domain.CallerFrom(r.Context())
	c.RequestID, c.Address = from.RequestID, from.Address
	return c, nil
}

func callerOf(t *token, requireScopes bool) domain.Caller {
	permissions := t.scopes
	if !requireScopes {
		permissions = domain.OrdinaryPermissions | t.scopes&domain.MayResetCredential
	}
	return domain.Caller{Mode: domain.ModeJWT, Issuer: t.issuer, Subject: t.subject, Permissions: permissions, AuthenticatedAt: t.authenticated}
}
