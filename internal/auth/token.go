package auth

import (
	"slices"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/strictjson"
)

// purpose is what a token was made for.
type purpose int

const (
	forAccess purpose = iota // an access token (RFC 9068)
	forSignIn                // an ID token (OpenID Connect Core 1.0, section 2)
)

// clockSkew is the accepted difference between a provider's clock and ours.
const clockSkew = time.Minute

// maxKeyIDBytes bounds the key ids of tokens, because unknown ones are cached.
const maxKeyIDBytes = 256

// token is the content of a JWS in compact form (RFC 7515, 7.1; RFC 7519). Trust
// nothing in it before its signature is verified and [token.check] passes.
type token struct {
	algorithm string
	keyID     string // empty: it has none

	issuer, subject string
	audiences       []string
	scopes          domain.Permission
	claims          map[string]any // all of them
	confirmation    confirmation   // of an access token

	expires                            time.Time
	notBefore, issuedAt, authenticated time.Time // zero: no such claim
}

// parseToken reads a token of bounded length. Two parsers must never read the
// same bytes as different tokens, so it refuses repeated members, invalid UTF-8
// and lenient base64.
func parseToken(text string, p purpose) (token, error) {
	parts := strings.SplitN(text, ".", 4)
	if len(parts) != 3 {
		return token{}, malformed
	}
	if _, ok := strictjson.Base64URL(parts[2]); !ok {
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
	data, ok := strictjson.Base64URL(text)
	if !ok {
		return nil, malformed
	}
	object, err := strictjson.Object(data)
	if err != nil {
		return nil, malformed
	}
	return object, nil
}

// refusedHeaders are header parameters that change the meaning of a signature
// (crit, b64) or carry a key for it (jwk, x5c). Those that point to a key (jku,
// x5u, x5t) are ignored, because keys come from the issuer's key set.
var refusedHeaders = []string{"crit", "b64", "jwk", "x5c"}

// tokenTypes are the accepted media types for each purpose (RFC 7519, 5.1; RFC
// 9068, 2.1).
var tokenTypes = map[purpose][]string{forAccess: {"jwt", "at+jwt", "application/at+jwt"}, forSignIn: {"jwt"}}

func (t *token) readHeader(h map[string]any, p purpose) error {
	for _, name := range refusedHeaders {
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

// checkPurpose refuses tokens that were made for another purpose. Providers sign
// ID tokens, access tokens and refresh tokens with the same keys, and all can
// have the same audience. Apps keep ID tokens in logs and storage, so they must
// not work as access tokens. at_hash is a claim of OpenID Connect Core, 3.1.3.6;
// token_use is Amazon Cognito's, typ Keycloak's.
func checkPurpose(c map[string]any, p purpose) error {
	_, idToken := c["at_hash"]
	use, named := c["token_use"].(string)
	typ, _ := c["typ"].(string)
	switch {
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
	if p == forAccess {
		var err error
		if t.confirmation, err = parseConfirmation(c); err != nil {
			return err
		}
	}
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
	if t.audiences, ok = stringList(c["aud"]); !ok {
		return malformedClaim
	}
	for _, name := range []string{"scope", "scp"} {
		lists, ok := stringList(c[name])
		if !ok {
			return malformedClaim
		}
		for _, list := range lists {
			t.scopes |= domain.ParseScopes(list)
		}
	}
	return nil
}

// check checks the time claims, and that the token names one of the audiences.
func (t *token) check(now time.Time, audiences []string) error {
	latest := now.Add(clockSkew)
	switch {
	case !now.Before(t.expires.Add(clockSkew)):
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
