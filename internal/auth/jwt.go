package auth

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/hashicorp/golang-lru/v2"

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
// bearer token (RFC 6750) that is a JWT (RFC 7519, RFC 8725, RFC 9068) signed
// by one of the issuers.
//
// The threat is a token that was not made by the issuer, or not for us: the
// algorithm that a token names decides nothing but which of the issuer's keys
// may fit, no key comes from a token, and no token can cost the provider work.
// Nothing of a token is ever logged or answered.
type JWT struct {
	issuers       map[string]*keySet
	audiences     []string
	algorithms    []string
	requireScopes bool
	log           *slog.Logger
	now           func() time.Time
	refused       loglines.Limit

	// By SHA-256 of the token: what is in memory must not open anything.
	verified     *lru.Cache[[sha256.Size]byte, verified]
	hits, misses atomic.Uint64
}

var _ Authenticator = (*JWT)(nil)

// verified is a token whose signature and claims were good.
type verified struct {
	caller domain.Caller
	until  time.Time         // exclusive, when it must be verified again
	keys   *keySet           // of its issuer
	key    [sha256.Size]byte // by which it was signed: it ends with it
}

const (
	maxVerified = 4096
	verifiedFor = time.Minute
)

// asymmetric are the algorithms with public keys that can be configured.
var asymmetric = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}

// NewJWT checks cfg. Key sets in files are read at once, and one that cannot be
// is an error; the others are fetched after [JWT.Start].
func NewJWT(cfg JWTConfig) (*JWT, error) {
	cache, err := lru.New[[sha256.Size]byte, verified](maxVerified)
	if err != nil {
		panic(err) // only for a size below one
	}
	j := &JWT{
		issuers:       map[string]*keySet{},
		audiences:     cfg.Audiences,
		algorithms:    cfg.Algorithms,
		requireScopes: cfg.RequireScopes,
		log:           cfg.Logger,
		now:           time.Now,
		verified:      cache,
	}
	for _, a := range cfg.Algorithms {
		if !slices.Contains(asymmetric, a) {
			return nil, errors.New("jwt-algorithms: only algorithms with public keys can be taken")
		}
	}
	if len(cfg.Issuers) == 0 || len(cfg.Audiences) == 0 || len(cfg.Algorithms) == 0 {
		return nil, errors.New("jwt mode needs jwt-issuer, jwt-audience and jwt-algorithms")
	}
	if len(cfg.KeySets) != 0 && len(cfg.KeySets) != len(cfg.Issuers) {
		return nil, errors.New("jwt-jwks: must name as many key sets as jwt-issuer names issuers")
	}
	client := newClient()
	for i, issuer := range cfg.Issuers {
		where := ""
		if len(cfg.KeySets) > 0 {
			where = cfg.KeySets[i]
		}
		if err := j.addIssuer(issuer, where, client); err != nil {
			return nil, err
		}
	}
	return j, nil
}

func (j *JWT) addIssuer(issuer, where string, client *http.Client) error {
	if _, twice := j.issuers[issuer]; twice {
		return errors.New("jwt-issuer: names an issuer twice")
	}
	from, err := newSource(issuer, where, client)
	if err != nil {
		return err
	}
	set := newKeySet(issuer, from, j.log)
	j.issuers[issuer] = set
	if !from.file {
		return nil
	}
	r := set.refresh()
	<-r.done
	if r.err != nil {
		return fmt.Errorf("jwt-jwks: %w", r.err)
	}
	return nil
}

// Start begins to fetch the key sets, now and then again, without waiting for
// them. Until the first fetch of an issuer's has succeeded, its tokens are
// refused by an error that is no *domain.Error.
func (j *JWT) Start() {
	for _, set := range j.issuers {
		set.start()
	}
}

// Close ends what Start began.
func (j *JWT) Close() {
	for _, set := range j.issuers {
		set.close()
	}
}

// Authenticate implements [Authenticator].
func (j *JWT) Authenticate(r *http.Request) (domain.Caller, error) {
	found, err := j.authenticate(r)
	var why reason
	if errors.As(err, &why) {
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
	now, digest := j.now(), sha256.Sum256([]byte(text))
	if v, ok := j.verified.Get(digest); ok && now.Before(v.until) && v.keys.keys.Load().has(v.key) {
		j.hits.Add(1)
		return v.caller, nil
	}
	j.misses.Add(1)
	v, err := j.verify(r.Context(), text, now)
	if err != nil {
		j.verified.Remove(digest)
		return domain.Caller{}, err
	}
	j.verified.Add(digest, v)
	return v.caller, nil
}

// verify looks at the signature before the claims: who made a token up learns
// nothing about which claims would do.
func (j *JWT) verify(ctx context.Context, text string, now time.Time) (verified, error) {
	t, err := parseToken(text)
	if err != nil {
		return verified{}, err
	}
	if !slices.Contains(j.algorithms, t.algorithm) {
		return verified{}, wrongAlgorithm
	}
	set, ok := j.issuers[t.issuer]
	if !ok {
		return verified{}, unknownIssuer
	}
	keys, err := set.find(ctx, t.keyID, t.algorithm)
	if err != nil {
		return verified{}, err
	}
	signer, err := signerOf(text, t.algorithm, keys)
	if err != nil {
		return verified{}, err
	}
	if err := t.check(now, j.audiences); err != nil {
		return verified{}, err
	}
	until := now.Add(verifiedFor)
	if t.expires.Before(until) {
		until = t.expires
	}
	return verified{caller: j.caller(&t), until: until, keys: set, key: signer.identity}, nil
}

// signerOf is the one of the keys that signed the token.
func signerOf(text, algorithm string, keys []publicKey) (publicKey, error) {
	jws, err := jose.ParseSignedCompact(text, []jose.SignatureAlgorithm{jose.SignatureAlgorithm(algorithm)})
	if err != nil {
		return publicKey{}, malformed
	}
	for _, key := range keys {
		if _, err := jws.Verify(key.key); err == nil {
			return key, nil
		}
	}
	return publicKey{}, wrongSignature
}

func (j *JWT) caller(t *token) domain.Caller {
	permissions := t.scopes
	if !j.requireScopes {
		permissions = domain.OrdinaryPermissions | t.scopes&domain.MayResetCredential
	}
	return domain.Caller{Issuer: t.issuer, Subject: t.subject, Permissions: permissions, AuthenticatedAt: t.authenticated}
}

// refusal is what a client is told: enough to mend what an honest one can, and
// for everything else one answer.
func (r reason) refusal() *domain.Error {
	switch r {
	case noToken:
		return unauthenticated("A bearer token is needed. Send it in the header Authorization, after the word Bearer and a space.")
	case severalHeaders:
		return unauthenticated("There must be one Authorization header, with one bearer token.")
	case expired:
		return unauthenticated("The bearer token has expired. Get a new one.")
	case notYetValid:
		return unauthenticated("The bearer token is not valid yet. Wait for its time, or have the clocks set.")
	}
	return unauthenticated("The bearer token is not valid here. Get a new one that the identity provider made for this service.")
}
