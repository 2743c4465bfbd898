package auth

import (
	"bytes"
	"context"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"strongroom/internal/domain"
	"strongroom/internal/loglines"
	"strongroom/internal/ownfile"
	"strongroom/internal/ratelimit"
)

// OIDCClient is the console at an identity provider (RFC 6749, section 2).
type OIDCClient struct {
	ID string
	// Secret is its secret, or SecretFile where that is: one line of at most
	// 1,024 printable ASCII characters. Both empty: it is a public client.
	Secret, SecretFile string
	// Callback is the address to which the provider sends browsers back, an
	// https URL (http for a loopback host).
	Callback string
}

// CodeFlow has browsers sign in at the identity provider of operators, by the
// authorization code flow of OpenID Connect Core 1.0, section 3.1, with PKCE
// (RFC 7636), as RFC 9700 wants it.
//
// The idea: before anybody is known, nothing is kept here. A browser that sets
// out gets a cookie with a random seed, and all that its way back must prove is
// derived from it: the state, the nonce and the verifier of PKCE, none of which
// tells of the others or of the seed.
//
// The threats: a browser that is brought back on somebody else's behalf, so
// that an operator works in the session of another (the state must be that of
// its own cookie, which is good for one answer); an answer of another provider
// (its iss must be ours, and there is one provider); a code that was caught on
// its way (it is worth nothing without the verifier); a token that was made for
// another sign-in, service or purpose (nonce, audience, what it says of itself);
// who sends made-up answers (without a cookie they cost nothing, with one they
// are limited, and the provider is asked by few at a time); a provider that
// hangs or floods (time and bytes are bounded, redirects are not followed); and
// a provider's words in our pages and log (only closed words of ours get there).
// Where browsers come back to is a setting and never a header of a request.
//
// Safe for concurrent use.
type CodeFlow struct {
	operators *Operators
	sessions  *Sessions
	client    OIDCClient
	name      string // of the provider, for people
	secure    bool   // browsers come over TLS, perhaps to a proxy of ours

	http      *http.Client
	endpoints *directory
	slots     chan struct{} // holds an element for each exchange under way

	byAddress       *ratelimit.AddressRates // of exchanges
	overall         *ratelimit.Rates
	refused, unable loglines.Limit
}

// Limits of a sign-in.
const (
	signInTime         = 10 * time.Minute // from setting out to coming back
	exchangeTimeout    = 10 * time.Second
	maxExchanges       = 8   // at once
	exchangesByAddress = 30  // in a minute
	exchangesOverall   = 240 // in a minute
	seedBytes          = 32
	maxNextBytes       = 2 << 10 // browsers drop cookies of more than 4096 bytes
	maxCodeBytes       = 4 << 10
	maxIDTokenBytes    = 32 << 10 // people in many groups have long ones
	maxSecretBytes     = 1 << 10
)

// Names of the cookie of a sign-in, as those of the session.
const (
	plainSignIn  = "strongroom-signin"
	secureSignIn = "__Host-strongroom-signin"
)

// Why a sign-in is refused, beside what refuses a token.
const (
	foreignAnswer reason = "no sign-in that this browser began"
	deniedThere   reason = "denied by the provider"
	badCode       reason = "no code that the provider takes"
	wrongNonce    reason = "nonce"
)

// NewCodeFlow opens sessions of s for operators of the provider of o, which
// must have a client. A secret in a file must be there, and is read again at
// each sign-in.
func NewCodeFlow(o *Operators, s *Sessions) (*CodeFlow, error) {
	if o.provider == nil || o.oidc.Client == nil {
		return nil, errors.New("admin-oidc-client-id: there is no client")
	}
	f := &CodeFlow{operators: o, sessions: s, client: *o.oidc.Client, http: newExchangeClient(), slots: make(chan struct{}, maxExchanges),
		byAddress: ratelimit.NewAddressRates(aMinute(exchangesByAddress), wrongAddresses), overall: ratelimit.NewRates(aMinute(exchangesOverall), 1)}
	issuer, err := parseURL(o.oidc.Issuer)
	if err != nil {
		return nil, fmt.Errorf("admin-oidc-issuer: with admin-oidc-client-id, %w", err)
	}
	f.name = issuer.Host
	back, err := parseURL(f.client.Callback)
	if err != nil {
		return nil, fmt.Errorf("admin-url: %w", err)
	}
	f.secure = back.Scheme == "https"
	if f.endpoints, err = newDirectory(o.oidc.Issuer, f.http, o.now); err != nil {
		return nil, fmt.Errorf("admin-oidc-issuer: %w", err)
	}
	_, err = f.client.secret(o.log)
	return f, err
}

// newExchangeClient asks for endpoints and tokens. It follows no redirect: who
// has a token endpoint moved would be sent the code with its verifier.
func newExchangeClient() *http.Client {
	client := newClient()
	client.Transport = bounded{client.Transport}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return refusedRedirect("a redirect is not followed") }
	return client
}

// bounded reads no more of an answer than maxDocumentBytes.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		answer.Body = http.MaxBytesReader(nil, answer.Body, maxDocumentBytes)
	}
	return answer, err
}

// Name is how people know the provider: its host.
func (f *CodeFlow) Name() string { return f.name }

// Begin sets the cookie of a sign-in that leads to next in the end, a path of
// ours of at most 2 KiB (a longer one is left out), and returns the address at
// the provider where the browser must go. Its errors are those of
// [CodeFlow.Finish] with the code INTERNAL.
func (f *CodeFlow) Begin(w http.ResponseWriter, r *http.Request, next string) (to string, err error) {
	at, err := f.endpoints.find(r.Context())
	if err != nil {
		return "", f.cannot(r, err)
	}
	seed := make([]byte, seedBytes)
	rand.Read(seed) // never fails: crypto/rand ends the process instead
	if len(next) > maxNextBytes {
		next = ""
	}
	proof := derive(seed)
	f.setCookie(w, base64.RawURLEncoding.EncodeToString(seed)+"."+base64.RawURLEncoding.EncodeToString([]byte(next)), int(signInTime/time.Second))
	return f.config(at, "").AuthCodeURL(proof.state, oauth2.S256ChallengeOption(proof.verifier), oauth2.SetAuthURLParam("nonce", proof.nonce)), nil
}

// Finish opens a session for whom the provider sent back, and returns the next
// of [CodeFlow.Begin], which a neighbour of the browser's may have changed; of a
// refusal too, where it is known. A refusal is a *domain.Error, in words for
// people, with the code UNAUTHENTICATED, FORBIDDEN (who is known there and has
// no role here), TOO_MANY_REQUESTS or OVERLOADED; or INTERNAL: nobody can sign in
// by the provider, which was logged. With RetryAfter it cannot be reached now,
// without waiting does not mend it. Any other error: the browser went away.
func (f *CodeFlow) Finish(w http.ResponseWriter, r *http.Request) (next string, err error) {
	seed, next, ok := f.takeCookie(w, r)
	if !ok {
		return "", f.refuse(r, foreignAnswer)
	}
	who, err := f.identify(r, derive(seed))
	if err != nil {
		return next, f.refuse(r, err)
	}
	f.sessions.begin(w, r, &session{who: func() (domain.Operator, bool) { return who, true }, most: sessionMostOIDC})
	return next, nil
}

// identify is who the provider says has come back.
func (f *CodeFlow) identify(r *http.Request, proof proof) (domain.Operator, error) {
	answer, err := url.ParseQuery(r.URL.RawQuery)
	if state := answer["state"]; err != nil || len(state) != 1 || !same(state[0], proof.state) {
		return domain.Operator{}, foreignAnswer
	}
	at, err := f.endpoints.find(r.Context())
	if err != nil {
		return domain.Operator{}, err
	}
	issuer := answer["iss"]
	if len(issuer) > 1 || len(issuer) == 0 && at.namesIssuer || len(issuer) == 1 && issuer[0] != f.operators.oidc.Issuer {
		return domain.Operator{}, unknownIssuer
	}
	if answer.Has("error") {
		return domain.Operator{}, deniedThere
	}
	code := answer["code"]
	if len(code) != 1 || code[0] == "" || len(code[0]) > maxCodeBytes {
		return domain.Operator{}, badCode
	}
	idToken, err := f.exchange(r, at, code[0], proof.verifier)
	if err != nil {
		return domain.Operator{}, err
	}
	return f.read(r.Context(), idToken, proof.nonce)
}

// exchange is the ID token that the provider gives for a code.
func (f *CodeFlow) exchange(r *http.Request, at *endpoints, code, verifier string) (string, error) {
	now := f.operators.now()
	wait, ok := f.byAddress.Take(domain.CallerFrom(r.Context()).Address, now)
	if ok {
		wait, ok = f.overall.Take([16]byte{}, now)
	}
	if !ok {
		return "", domain.TooManyRequests(domain.ReasonSignInFailures, "Too many sign-ins from this address. Wait as long as the header Retry-After says.", wait)
	}
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	default:
		return "", domain.Overloaded()
	}
	secret, err := f.client.secret(nil)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.WithValue(r.Context(), oauth2.HTTPClient, f.http), exchangeTimeout)
	defer cancel()
	got, err := f.config(at, secret).Exchange(ctx, code, oauth2.VerifierOption(verifier))
	if err != nil {
		return "", ownWords(err)
	}
	idToken, _ := got.Extra("id_token").(string)
	if idToken == "" || len(idToken) > maxIDTokenBytes {
		return "", errors.New("token endpoint: the answer has no ID token, or one that is too long")
	}
	return idToken, nil
}

// ownWords is what went wrong at the token endpoint, without anything of its
// answer but words of RFC 6749, section 5.2. The code being refused is whose it
// is; all else is ours to mend, or the provider's.
func ownWords(err error) error {
	var refusal *oauth2.RetrieveError
	var broken *url.Error
	switch {
	case errors.As(err, &broken):
		return fmt.Errorf("token endpoint: %w", unanswered{broken})
	case !errors.As(err, &refusal):
		return errors.New("token endpoint: the answer cannot be read, or is too long")
	case refusal.ErrorCode == "invalid_grant":
		return badCode
	}
	said := "no word that is known"
	if slices.Contains([]string{"invalid_request", "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope"}, refusal.ErrorCode) {
		said = refusal.ErrorCode
	}
	return fmt.Errorf("token endpoint: %w and says %s", badStatus(refusal.Response.StatusCode), said)
}

// read is who an ID token names (OpenID Connect Core 1.0, section 3.1.3.7).
func (f *CodeFlow) read(ctx context.Context, idToken, nonce string) (domain.Operator, error) {
	t, _, _, err := f.operators.provider.signed(ctx, idToken, forSignIn)
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
	case !same(got, nonce):
		return domain.Operator{}, wrongNonce
	}
	return f.operators.oidc.operator(&t)
}

// refuse makes the refusal of whoever could not be identified, in words for
// people, and counts it as wrong tokens are.
func (f *CodeFlow) refuse(r *http.Request, err error) error {
	var why reason
	var refusal *domain.Error
	switch {
	case errors.As(err, &refusal):
		return refusal
	case !errors.As(err, &why):
		return f.cannot(r, err)
	}
	o := f.operators
	o.add(why)
	if write, omitted := f.refused.Next(o.now()); write {
		o.log.InfoContext(r.Context(), "an operator's sign-in is refused", append(inLog(err), "omitted", omitted)...)
	}
	if why == noRole {
		return &domain.Error{Code: domain.CodeForbidden, Reason: domain.ReasonMissingRole,
			Message: "You are known at " + f.name + ", and have no role here. Ask for the role viewer or operator of this service, then sign in again."}
	}
	if err := o.count(r); err != nil {
		return err
	}
	switch why {
	case foreignAnswer:
		return unauthenticated("", "This sign-in did not begin in this browser within the last 10 minutes, or its page was opened twice. Sign in again.")
	case deniedThere:
		return unauthenticated("", f.name+" refused the sign-in. Sign in again, or ask its administrators.")
	case badCode, expired:
		return unauthenticated("", "This sign-in took too long or was already used. Sign in again.")
	}
	return unauthenticated("", "The token of "+f.name+" does not meet the requirements of this service. The service's log has the reason, under the request id.")
}

// cannot logs why nobody can sign in by the provider, and says to people whether
// it is worth waiting. Any stranger can bring that about, as often as he likes.
func (f *CodeFlow) cannot(r *http.Request, err error) error {
	if r.Context().Err() != nil {
		return err // the browser went away
	}
	if write, omitted := f.unable.Next(f.operators.now()); write {
		f.operators.log.ErrorContext(r.Context(), "operators cannot sign in by their identity provider", "error", err.Error(), "omitted", omitted)
	}
	if unreached(err) {
		return &domain.Error{Code: domain.CodeInternal, RetryAfter: endpointsPause,
			Message: f.name + " cannot be reached now. Try again in ten seconds, or sign in with an admin token. The log has why, under the request id."}
	}
	return &domain.Error{Code: domain.CodeInternal,
		Message: f.name + " does not answer as it should, or is not asked as it wants. Those who run this service find why in its log, under the request id. An admin token opens the console meanwhile."}
}

// unreached reports whether err is of the way to the provider, or of a moment at
// which it has no time: what may be over when somebody tries again. All else has
// to be mended, there or in the settings.
func unreached(err error) bool {
	var status badStatus
	var way *net.OpError
	var wait net.Error
	switch {
	case errors.As(err, &status):
		return status >= http.StatusInternalServerError || status == http.StatusTooManyRequests
	case errors.As(err, &way):
		return way.Op != "remote error" && way.Op != "local error" // which are those of TLS
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &wait) && wait.Timeout()
}

// config is the client, for oauth2.
func (f *CodeFlow) config(at *endpoints, secret string) *oauth2.Config {
	style := at.style
	if secret == "" {
		style = oauth2.AuthStyleInParams // a public client names itself in the body
	}
	return &oauth2.Config{ClientID: f.client.ID, ClientSecret: secret, RedirectURL: f.client.Callback, Scopes: f.scopes(at),
		Endpoint: oauth2.Endpoint{AuthURL: at.authorization, TokenURL: at.token, AuthStyle: style}}
}

// scopes are what brings the claims that we read: profile and email have names
// (OpenID Connect Core 1.0, section 5.4), and what has the roles is often called
// as the claim. Providers refuse what they do not know.
func (f *CodeFlow) scopes(at *endpoints) []string {
	ask := []string{"openid"}
	for _, scope := range []string{"profile", "email", f.operators.oidc.RoleClaim} {
		if slices.Contains(at.scopes, scope) && !slices.Contains(ask, scope) {
			ask = append(ask, scope)
		}
	}
	return ask
}

// proof is what must come back: the state from the browser, the nonce in the ID
// token; and the verifier, which the code is worth nothing without.
type proof struct{ state, nonce, verifier string }

func derive(seed []byte) proof {
	part := func(label string) string {
		key, err := hkdf.Key(sha256.New, seed, nil, "strongroom sign-in "+label+" v1", sha256.Size)
		if err != nil { // for keys of many kilobytes only
			panic(fmt.Errorf("auth: deriving: %w", err))
		}
		return base64.RawURLEncoding.EncodeToString(key)
	}
	return proof{part("state"), part("nonce"), part("verifier")}
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// takeCookie reads the cookie of a sign-in and takes it back: it is good for one
// answer, whatever that is. Of two cookies neither is believed.
func (f *CodeFlow) takeCookie(w http.ResponseWriter, r *http.Request) (seed []byte, next string, ok bool) {
	cookies := r.CookiesNamed(f.cookieName())
	if len(cookies) > 0 {
		f.setCookie(w, "", -1)
	}
	if len(cookies) != 1 {
		return nil, "", false
	}
	first, second, _ := strings.Cut(cookies[0].Value, ".")
	seed, err := base64.RawURLEncoding.Strict().DecodeString(first)
	path, bad := base64.RawURLEncoding.Strict().DecodeString(second)
	return seed, string(path), err == nil && bad == nil && len(seed) == seedBytes && len(path) <= maxNextBytes
}

func (f *CodeFlow) cookieName() string {
	if f.secure {
		return secureSignIn
	}
	return plainSignIn
}

// setCookie sets it for age seconds, or takes it back with an age below zero.
// It must come along when the provider sends the browser back, so that it
// cannot be for our own pages only.
func (f *CodeFlow) setCookie(w http.ResponseWriter, value string, age int) {
	http.SetCookie(w, &http.Cookie{Name: f.cookieName(), Value: value, Path: "/", MaxAge: age, //nolint:gosec // Secure wherever there is TLS: without, it would never come back
		HttpOnly: true, Secure: f.secure, SameSite: http.SameSiteLaxMode})
}

// secret is that of the client, or nothing. With a log it says who can read it.
func (c *OIDCClient) secret(log *slog.Logger) (string, error) {
	text := []byte(c.Secret)
	if c.SecretFile != "" {
		f, _, err := ownfile.OpenSecret(c.SecretFile)
		if err != nil {
			return "", fmt.Errorf("admin-oidc-client-secret: the file cannot be opened: %w", err)
		}
		defer f.Close()
		if text, err = io.ReadAll(io.LimitReader(f, maxSecretBytes+3)); err != nil {
			return "", fmt.Errorf("admin-oidc-client-secret: %w", err)
		}
		text = bytes.TrimRight(text, "\r\n")
		defer clear(text)
		if len(text) == 0 {
			return "", errors.New("admin-oidc-client-secret: the file is empty")
		}
	}
	if len(text) > maxSecretBytes || bytes.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' }) {
		return "", errors.New("admin-oidc-client-secret: must be one line of at most 1024 printable ASCII characters")
	}
	return string(text), nil
}
