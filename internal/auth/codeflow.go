package auth

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"strongroom/internal/domain"
	"strongroom/internal/lograte"
)

// CodeFlow signs operators in at their identity provider, by the authorization
// code flow of OpenID Connect Core 1.0, section 3.1, with PKCE (RFC 7636), as
// RFC 9700 recommends.
//
// It stores nothing for a browser that is not authenticated. A browser that
// starts a sign-in gets a cookie with a random seed, from which the state, the
// nonce and the PKCE verifier are derived.
//
// The threats: login CSRF (the state must match the browser's own cookie, which
// is valid for one answer with that state); mix-up with another provider (iss
// must be ours, and there is one provider); a stolen code (useless without the verifier); a token
// for another sign-in, service or purpose (nonce, audience and claims are
// checked); forged answers (they are limited, and few exchanges run at a time);
// a provider that hangs or floods (time and bytes are bounded, redirects are not
// followed); a provider's text in our pages and log (only our own fixed texts
// get there). The callback is a setting, never a header of a request.
//
// Safe for concurrent use.
type CodeFlow struct {
	*exchanger
	operators *Operators
	sessions  *Sessions
	name      string // of the provider, for people
	secure    bool   // browsers use TLS, perhaps to a proxy

	endpoints *endpointCache

	refusalLog, failureLog lograte.Limit
}

// Limits of a sign-in.
const (
	signInTimeout = 10 * time.Minute // from the start to the callback
	seedBytes     = 32
	maxNextBytes  = 2 << 10 // browsers drop cookies above 4096 bytes
	maxCodeBytes  = 4 << 10
)

// NewCodeFlow makes the sign-in at the provider of o, which must have a client.
// It opens sessions of s. A secret in a file must exist, and is read again at
// each sign-in.
func NewCodeFlow(o *Operators, s *Sessions) (*CodeFlow, error) {
	if o.oidc == nil || o.oidc.Client == nil {
		return nil, errors.New("admin-oidc-client-id: no client is configured")
	}
	f := &CodeFlow{exchanger: newExchanger(*o.oidc.Client, o.oidc.RoleClaim, o.now), operators: o, sessions: s}
	issuer, err := parseURL(o.oidc.Issuer)
	if err != nil {
		return nil, fmt.Errorf("admin-oidc-issuer: with admin-oidc-client-id, %w", err)
	}
	f.name = issuer.Host
	callback, err := parseURL(f.client.Callback)
	if err != nil {
		return nil, fmt.Errorf("admin-url: %w", err)
	}
	f.secure = callback.Scheme == "https"
	f.endpoints = newEndpointCache(o.oidc.Issuer, f.http, o.now)
	_, err = f.client.secret()
	return f, err
}

// Name is the provider's name for people: its host.
func (f *CodeFlow) Name() string { return f.name }

// Begin sets the cookie of a sign-in, and returns the provider's address for
// the browser. next is the path to open after the sign-in; one above 2 KiB is
// left out. Errors are those of [CodeFlow.Finish] with the code INTERNAL.
func (f *CodeFlow) Begin(w http.ResponseWriter, r *http.Request, next string) (to string, err error) {
	provider, err := f.endpoints.get(r.Context())
	if err != nil {
		return "", f.providerFailure(r, err)
	}
	if len(next) > maxNextBytes {
		next = ""
	}
	seed := randomBytes(seedBytes)
	proof := proofOf(seed)
	f.setCookie(w, seed, next)
	return f.config(provider, "").AuthCodeURL(proof.state, oauth2.S256ChallengeOption(proof.verifier), oauth2.SetAuthURLParam("nonce", proof.nonce)), nil
}

// Finish opens a session for the operator that the provider sent back. It
// returns the next of [CodeFlow.Begin], also with a refusal if it is known. The
// browser may have changed it.
//
// A refusal is a *domain.Error with a message for people and the code
// UNAUTHENTICATED, FORBIDDEN (the person has no role here), TOO_MANY_REQUESTS,
// OVERLOADED, or INTERNAL. INTERNAL means that nobody can sign in at the
// provider, and is logged; it has RetryAfter if waiting may help. Any other error
// means that the browser disconnected.
func (f *CodeFlow) Finish(w http.ResponseWriter, r *http.Request) (next string, err error) {
	seed, next, ok := f.cookie(r)
	proof := proofOf(seed)
	answer, err := url.ParseQuery(r.URL.RawQuery)
	if state := answer["state"]; ok && (err != nil || len(state) != 1 || !equal(state[0], proof.state)) {
		// The answer is forged, or belongs to an earlier sign-in in another tab. Keep the
		// cookie for the right answer.
		return next, f.refuse(r, stateMismatch)
	}
	f.deleteCookie(w, r)
	if !ok {
		return "", f.refuse(r, stateMismatch)
	}
	who, err := f.operatorOf(r, answer, proof)
	if err != nil {
		return next, f.refuse(r, err)
	}
	f.sessions.start(w, r, &session{operator: func() (domain.Operator, bool) { return who, true }, maxAge: sessionMaxAgeOIDC})
	return next, nil
}

// operatorOf returns the operator that the provider's answer names.
func (f *CodeFlow) operatorOf(r *http.Request, answer url.Values, proof signInProof) (domain.Operator, error) {
	provider, err := f.endpoints.get(r.Context())
	if err != nil {
		return domain.Operator{}, err
	}
	issuer := answer["iss"]
	if len(issuer) > 1 || len(issuer) == 0 && provider.sendsIssuer || len(issuer) == 1 && issuer[0] != f.operators.oidc.Issuer {
		return domain.Operator{}, unknownIssuer
	}
	if answer.Has("error") {
		return domain.Operator{}, deniedByProvider
	}
	code := answer["code"]
	if len(code) != 1 || code[0] == "" || len(code[0]) > maxCodeBytes {
		return domain.Operator{}, invalidCode
	}
	idToken, err := f.exchange(r, provider, code[0], proof.verifier)
	if err != nil {
		return domain.Operator{}, err
	}
	return f.verify(r.Context(), idToken, proof.nonce)
}

// verify returns the operator of an ID token (OpenID Connect Core 1.0, section
// 3.1.3.7).
func (f *CodeFlow) verify(ctx context.Context, idToken, nonce string) (domain.Operator, error) {
	t, _, err := f.operators.verifySignature(ctx, idToken, forSignIn)
	if err != nil {
		return domain.Operator{}, err
	}
	if err := t.check(f.operators.now(), []string{f.client.ID}); err != nil {
		return domain.Operator{}, err
	}
	party, named := t.claims["azp"]
	got, _ := t.claims["nonce"].(string)
	switch {
	case named && party != f.client.ID, !named && len(t.audiences) > 1:
		return domain.Operator{}, wrongAudience
	case t.issuedAt.IsZero():
		return domain.Operator{}, malformedClaim
	case !equal(got, nonce):
		return domain.Operator{}, wrongNonce
	}
	return f.operators.oidc.operator(&t)
}

// equal compares in constant time.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// refuse returns the refusal of a sign-in with a message for people. It counts
// failures together with wrong tokens.
func (f *CodeFlow) refuse(r *http.Request, err error) error {
	if refusal, ok := errors.AsType[*domain.Error](err); ok {
		return refusal
	}
	why, ok := errors.AsType[reason](err)
	if !ok {
		return f.providerFailure(r, err)
	}
	o := f.operators
	o.add(why)
	if write, omitted := f.refusalLog.Next(o.now()); write {
		o.log.InfoContext(r.Context(), "an operator's sign-in is refused", append(logAttrs(err), "omitted", omitted)...)
	}
	if why == noRole {
		return &domain.Error{Code: domain.CodeForbidden, Reason: domain.ReasonMissingRole,
			Message: "You are signed in at " + f.name + ", but have no role here. Ask for the role viewer or operator of this service, then sign in again."}
	}
	if err := o.countFailure(r); err != nil {
		return err
	}
	switch why {
	case stateMismatch:
		return unauthenticated("", "This sign-in did not start in this browser within the last 10 min, its page was opened twice, or a newer sign-in replaced it. Sign in again.")
	case deniedByProvider:
		return unauthenticated("", f.name+" refused the sign-in. Sign in again, or ask its administrators.")
	case invalidCode, expired:
		return unauthenticated("", "This sign-in took too long or was already used. Sign in again.")
	}
	return unauthenticated("", "The token of "+f.name+" does not meet the requirements of this service. The service's log has the reason, under the request id.")
}

// providerFailure logs why nobody can sign in at the provider, and returns an
// error that tells people whether to wait. Log lines are limited, because anyone
// can cause them.
func (f *CodeFlow) providerFailure(r *http.Request, err error) error {
	if r.Context().Err() != nil {
		return err // the browser disconnected
	}
	if write, omitted := f.failureLog.Next(f.operators.now()); write {
		f.operators.log.ErrorContext(r.Context(), "operators cannot sign in with their identity provider", "error", err.Error(), "omitted", omitted)
	}
	if isTemporary(err) {
		return &domain.Error{Code: domain.CodeInternal, RetryAfter: endpointsRetryDelay,
			Message: f.name + " cannot be reached now. Try again in 10 s, or sign in with an admin token. The log has the cause under the request id."}
	}
	return &domain.Error{Code: domain.CodeInternal,
		Message: f.name + " gave an unexpected answer. The service's log has the cause under the request id. You can sign in with an admin token."}
}

func (f *CodeFlow) cookieName() string {
	if f.secure {
		return secureSignIn
	}
	return plainSignIn
}

// setCookie sets the cookie of a sign-in. It is Lax, because the browser must
// send it when the provider redirects to the callback.
func (f *CodeFlow) setCookie(w http.ResponseWriter, seed []byte, next string) {
	encode := base64.RawURLEncoding.EncodeToString
	setCookie(w, f.cookieName(), encode(seed)+"."+encode([]byte(next)), int(signInTimeout/time.Second), http.SameSiteLaxMode)
}

// deleteCookie deletes the cookie of a sign-in, which is valid for one answer.
func (f *CodeFlow) deleteCookie(w http.ResponseWriter, r *http.Request) {
	if len(r.CookiesNamed(f.cookieName())) > 0 {
		setCookie(w, f.cookieName(), "", -1, http.SameSiteLaxMode)
	}
}

// cookie reads the cookie of a sign-in. It accepts neither of two such cookies.
func (f *CodeFlow) cookie(r *http.Request) (seed []byte, next string, ok bool) {
	cookies := r.CookiesNamed(f.cookieName())
	if len(cookies) != 1 {
		return nil, "", false
	}
	first, second, _ := strings.Cut(cookies[0].Value, ".")
	seed, err := base64.RawURLEncoding.Strict().DecodeString(first)
	path, bad := base64.RawURLEncoding.Strict().DecodeString(second)
	return seed, string(path), err == nil && bad == nil && len(seed) == seedBytes && len(path) <= maxNextBytes
}
