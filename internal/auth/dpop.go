package auth

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/lograte"
)

// A proof is accepted from clockSkew before its iat until proofLifetime after
// it. Within this time its jti is accepted once.
const (
	proofLifetime = 2 * time.Minute
	proofWindow   = proofLifetime + clockSkew
)

// maxProofBytes bounds a DPoP header. A proof by ES256 with nonce and ath takes
// about 700 bytes.
const maxProofBytes = 4 << 10

// maxProofIDBytes bounds jti. RFC 9449 recommends 96 random bits or a UUID, so
// 36 bytes at most.
const maxProofIDBytes = 128

// DPoPConfig is what a [DPoP] needs.
type DPoPConfig struct {
	// PublicURL is the https URL (http for a loopback host) under which clients
	// reach the service, with the path that a proxy removes. Empty: scheme and
	// host of each request, which behind a proxy are not those that clients use.
	PublicURL string
	Logger    *slog.Logger
}

// DPoP verifies DPoP proofs (RFC 9449): JWTs with which a client shows that it
// has a private key. It is safe for concurrent use.
//
// The threat is a proof that was made by another key, for another request, or
// that was used before. Used proofs are remembered in memory, so another instance, or this
// one after a restart, accepts a proof again while it is valid. Nothing of a proof is logged
// or sent back.
type DPoP struct {
	refusals
	public     string // empty: the request's own
	nonces     *Nonces
	used       *proofMemory
	now        func() time.Time
	log        *slog.Logger
	refusalLog lograte.Limit
}

// NewDPoP checks cfg.
func NewDPoP(cfg DPoPConfig) (*DPoP, error) {
	if cfg.PublicURL != "" {
		u, err := parseURL(cfg.PublicURL)
		if err != nil {
			return nil, fmt.Errorf("public-url: %w", err)
		}
		if u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
			return nil, errors.New("public-url: must have no query and no fragment")
		}
	}
	d := &DPoP{refusals: countRefusals(reasonsOfDPoP), public: strings.TrimRight(cfg.PublicURL, "/"),
		used: new(proofMemory), now: time.Now, log: cfg.Logger}
	return d, nil
}

// NeedNonces makes each proof need one of these nonces. Call it before the first
// request.
func (d *DPoP) NeedNonces(n *Nonces) { d.nonces = n }

// Verify verifies the proof of a request, and returns the JWK thumbprint of its key (RFC
// 7638) by SHA-256: 43 characters in base64url without padding. The thumbprint does not say
// where the client keeps the key. No proof shows that a key is in hardware. If the request
// has no DPoP header, or d is nil, the thumbprint is empty. accessToken is the request's
// token that names the user; the proof must belong to it (ath). Empty: there is none.
//
// A refusal is a *domain.Error with the code UNAUTHENTICATED, or OVERLOADED if
// the proof cannot be remembered. Any other error means that no proof can be
// verified now, and the request must fail. A refused proof can be sent again,
// except after its jti was recorded.
func (d *DPoP) Verify(r *http.Request, accessToken string) (thumbprint string, err error) {
	headers := r.Header["Dpop"]
	if d == nil || len(headers) == 0 {
		return "", nil
	}
	p, err := d.verify(r, headers, accessToken)
	if why, ok := errors.AsType[reason](err); ok {
		d.add(why)
		if write, omitted := d.refusalLog.Next(d.now()); write {
			d.log.InfoContext(r.Context(), "a DPoP proof is refused", "reason", string(why), "omitted", omitted)
		}
		return "", why.refusal()
	}
	if err != nil {
		return "", err
	}
	return p.key.thumbprint, nil
}

// verify records the jti last, so that only a proof without another fault is
// used up.
func (d *DPoP) verify(r *http.Request, headers []string, accessToken string) (proof, error) {
	if len(headers) > 1 {
		return proof{}, severalProofs
	}
	p, err := parseProof(headers[0])
	if err != nil {
		return proof{}, err
	}
	now := d.now()
	if err := d.check(p, r, accessToken, now); err != nil {
		return proof{}, err
	}
	first, err := d.used.use(r.Context(), p.digest(), now)
	if err == nil && !first {
		err = proofReplayed
	}
	return p, err
}

// check checks the claims against the request.
func (d *DPoP) check(p proof, r *http.Request, accessToken string, now time.Time) error {
	switch {
	case p.method != r.Method:
		return proofMethod
	case !sameURL(p.url, d.urlOf(r)):
		return proofURL
	case p.issuedAt.After(now.Add(clockSkew)):
		return proofFuture
	case !now.Before(p.issuedAt.Add(proofLifetime)):
		return proofStale
	case accessToken != "" && !p.isFor(accessToken):
		return proofToken
	case d.nonces != nil && !d.nonces.valid(p.nonce, now):
		return proofNonce
	}
	return nil
}

// urlOf returns the URL of the request as its client knows it, without query.
func (d *DPoP) urlOf(r *http.Request) string {
	base := d.public
	if base == "" {
		scheme := "http"
		if r.TLS != nil {
			scheme = "https"
		}
		base = (&url.URL{Scheme: scheme, Host: r.Host}).String()
	}
	return base + r.URL.EscapedPath()
}

// Nonce returns the value for the header DPoP-Nonce of an answer; empty: proofs
// need no nonce, or d is nil. An answer with DPOP_NONCE_REQUIRED must have the
// header (RFC 9449, 9). Other answers can have it, so that clients get the next
// nonce early.
func (d *DPoP) Nonce() string {
	if d == nil || d.nonces == nil {
		return ""
	}
	return d.nonces.next(d.now())
}

// isFor reports whether ath is the hash of the access token (RFC 9449, 4.2).
func (p proof) isFor(accessToken string) bool {
	digest := sha256.Sum256([]byte(accessToken))
	return subtle.ConstantTimeCompare([]byte(p.tokenHash), []byte(base64.RawURLEncoding.EncodeToString(digest[:]))) == 1
}

// digest identifies the proof by its key and jti. Two clients may use the same
// jti.
func (p proof) digest() [16]byte {
	digest := sha256.Sum256(domain.Encode([]byte(p.key.thumbprint), []byte(p.id)))
	return [16]byte(digest[:16])
}
