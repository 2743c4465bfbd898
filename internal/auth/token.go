package auth

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/strictjson"
)

// Why a token is refused, beside what [bearer] refuses.
const (
	headerRefused  reason = "header that is never taken"
	wrongType      reason = "token type"
	wrongAlgorithm reason = "signature algorithm"
	unknownIssuer  reason = "issuer"
	unknownKey     reason = "unknown key"
	ambiguousKey   reason = "no key id where not exactly one key fits"
	wrongSignature reason = "signature"
	wrongAudience  reason = "audience"
	noExpiry       reason = "no exp"
	noSubject      reason = "no sub that can name an account"
	malformedClaim reason = "malformed claim"
	notForAccess   reason = "not an access token"
	notForSignIn   reason = "not an ID token"
	boundToSender  reason = "sender-constrained token"
	expired        reason = "expired"
	notYetValid    reason = "not yet valid"
	futureSignIn   reason = "sign-in in the future"
)

// purpose is what a token was made for.
type purpose int

const (
	forAccess purpose = iota // to send with a request (RFC 9068)
	forSignIn                // to tell a client who signed in: an ID token (OpenID Connect Core 1.0, section 2)
)

// tolerance is how far the clocks of a provider and ours may be apart.
const tolerance = time.Minute

// maxKeyIDBytes bounds the key ids of tokens: those not known are remembered.
const maxKeyIDBytes = 256

// token is what a JWS in compact form says (RFC 7515, 7.1; RFC 7519). Nothing
// of it is true before its signature was verified and [token.check] passed.
type token struct {
	algorithm string
	keyID     string // empty: not named

	issuer, subject string
	audiences       []string
	scopes          domain.Permission
	claims          map[string]any // all of them

	expires                            time.Time
	notBefore, issuedAt, authenticated time.Time // zero: not said
}

// parseToken reads a token, whose length the caller has bounded, strictly: two
// readers of the same bytes must never see two different tokens, so repeated
// members, broken text and sloppy base64 are refused.
func parseToken(text string, p purpose) (token, error) {
	parts := strings.SplitN(text, ".", 4)
	if len(parts) != 3 {
		return token{}, malformed
	}
	if _, err := base64.RawURLEncoding.Strict().DecodeString(parts[2]); err != nil {
		return token{}, malformed
	}
	header, err := segment(parts[0])
	if err != nil {
		return token{}, err
	}
	claims, err := segment(parts[1])
	if err != nil {
		return token{}, err
	}
	var t token
	if err := t.readHeader(header, p); err != nil {
		return token{}, err
	}
	if err := t.readClaims(claims, p); err != nil {
		return token{}, err
	}
	return t, nil
}

func segment(text string) (map[string]any, error) {
	data, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, malformed
	}
	object, err := strictjson.Object(data)
	if err != nil {
		return nil, malformed
	}
	return object, nil
}

// neverTaken are header parameters that would change what a signature means
// (crit, b64) or bring the key for it along (jwk, x5c). Those that only point
// to a key (jku, x5u, x5t) are not looked at: keys come from the issuer's set.
var neverTaken = []string{"crit", "b64", "jwk", "x5c"}

// tokenTypes are the media types of tokens for each purpose (RFC 7519, 5.1; RFC
// 9068, 2.1). Others are tokens for other purposes.
var tokenTypes = map[purpose][]string{forAccess: {"jwt", "at+jwt", "application/at+jwt"}, forSignIn: {"jwt"}}

func (t *token) readHeader(h map[string]any, p purpose) error {
	for _, name := range neverTaken {
		if _, there := h[name]; there {
			return headerRefused
		}
	}
	if typ, there := h["typ"]; there {
		if name, ok := typ.(string); !ok || !slices.Contains(tokenTypes[p], asciiLower(name)) {
			return wrongType
		}
	}
	var ok bool
	if t.algorithm, ok = h["alg"].(string); !ok {
		return wrongAlgorithm
	}
	if id, there := h["kid"]; there {
		if t.keyID, ok = id.(string); !ok || t.keyID == "" || len(t.keyID) > maxKeyIDBytes {
			return malformed
		}
	}
	return nil
}

// asciiLower leaves what is not ASCII alone: no other letter may fold to one
// of a type's name.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// checkPurpose refuses the claims of a token that was made for something else.
// ID tokens, access tokens and refresh tokens are signed by the same keys, and
// where the audience is the name of an app, an ID token would do for everything;
// but it is made to tell an app who signed in, and lies about in its logs and
// storage. at_hash is of OpenID Connect Core, 3.1.3.6; token_use is Amazon
// Cognito's claim, typ Keycloak's.
//
// An access token with cnf (RFC 7800) is good only together with a proof that
// its sender has a key: jkt for DPoP (RFC 9449), x5t#S256 for mutual TLS (RFC
// 8705). No proof is checked here, so taking it as a bearer token would let
// anyone use a stolen one. Any value of cnf refuses it, also an empty one.
func checkPurpose(c map[string]any, p purpose) error {
	_, idToken := c["at_hash"]
	use, named := c["token_use"].(string)
	typ, _ := c["typ"].(string)
	_, bound := c["cnf"]
	switch {
	case p == forAccess && bound:
		return boundToSender
	case p == forAccess && (idToken || named && use != "access" || slices.Contains([]string{"ID", "Refresh", "Offline"}, typ)):
		return notForAccess
	case p == forSignIn && (named && use != "id" || slices.Contains([]string{"Bearer", "Refresh", "Offline"}, typ)):
		return notForSignIn
	}
	return nil
}

func (t *token) readClaims(c map[string]any, p purpose) error {
	if err := checkPurpose(c, p); err != nil {
		return err
	}
	t.claims = c
	var ok bool
	if t.issuer, ok = c["iss"].(string); !ok {
		return unknownIssuer
	}
	if t.subject, ok = c["sub"].(string); !ok || !isName(t.subject) {
		return noSubject
	}
	if c["exp"] == nil {
		return noExpiry
	}
	for name, at := range map[string]*time.Time{"exp": &t.expires, "nbf": &t.notBefore, "iat": &t.issuedAt, "auth_time": &t.authenticated} {
		if *at, ok = numericDate(c[name]); !ok {
			return malformedClaim
		}
	}
	if t.audiences, ok = texts(c["aud"]); !ok {
		return malformedClaim
	}
	for _, name := range []string{"scope", "scp"} {
		lists, ok := texts(c[name])
		if !ok {
			return malformedClaim
		}
		for _, list := range lists {
			t.scopes |= domain.ParseScopes(list)
		}
	}
	return nil
}

// numericDate reads seconds since 1970 (RFC 7519, 2), up to the year 9999. A
// claim that is absent or null is the zero time.
func numericDate(v any) (time.Time, bool) {
	if v == nil {
		return time.Time{}, true
	}
	n, ok := v.(json.Number)
	if !ok {
		return time.Time{}, false
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil || f < 0 || f > 253402300799 {
		return time.Time{}, false
	}
	seconds, fraction := math.Modf(f)
	return time.Unix(int64(seconds), int64(fraction*1e9)).UTC(), true
}

// texts reads a string or an array of strings; absent or null is none.
func texts(v any) ([]string, bool) {
	switch v := v.(type) {
	case nil:
		return nil, true
	case string:
		return []string{v}, true
	case []any:
		list := make([]string, 0, len(v))
		for _, e := range v {
			s, ok := e.(string)
			if !ok {
				return nil, false
			}
			list = append(list, s)
		}
		return list, true
	}
	return nil, false
}

// check holds the claims of a token with a good signature against the time and
// the audiences, of which it must name one.
func (t *token) check(now time.Time, audiences []string) error {
	latest := now.Add(tolerance)
	switch {
	case !now.Before(t.expires.Add(tolerance)):
		return expired
	case t.notBefore.After(latest), t.issuedAt.After(latest):
		return notYetValid
	case t.authenticated.After(latest):
		return futureSignIn
	case !slices.ContainsFunc(t.audiences, func(a string) bool { return slices.Contains(audiences, a) }):
		return wrongAudience
	}
	return nil
}
