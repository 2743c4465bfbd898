package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"golang.org/x/oauth2"

	"strongroom/internal/domain"
)

// exchanger is the console's client for the provider's token endpoint.
type exchanger struct {
	client    OIDCClient
	roleClaim string
	http      *http.Client
	timeout   time.Duration
	slots     chan struct{} // holds an element for each running exchange
	exchanges attemptLimit
	now       func() time.Time
}

const (
	exchangeTimeout    = 10 * time.Second
	maxExchanges       = 8        // at once
	exchangesByAddress = 30       // in a minute
	exchangesOverall   = 240      // in a minute
	maxIDTokenBytes    = 32 << 10 // they are long for people in many groups
)

func newExchanger(client OIDCClient, roleClaim string, now func() time.Time) *exchanger {
	return &exchanger{client: client, roleClaim: roleClaim, http: newExchangeClient(), timeout: exchangeTimeout, slots: make(chan struct{}, maxExchanges),
		exchanges: newAttemptLimit(exchangesByAddress, exchangesOverall), now: now}
}

// exchange returns the ID token that the provider gives for a code.
func (e *exchanger) exchange(r *http.Request, provider *endpoints, code, verifier string) (string, error) {
	if err := e.exchanges.take(r, e.now(), "Too many sign-ins from this address. Wait as long as the header Retry-After says."); err != nil {
		return "", err
	}
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
	default:
		return "", domain.Overloaded()
	}
	secret, err := e.client.secret()
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.WithValue(r.Context(), oauth2.HTTPClient, e.http), e.timeout)
	defer cancel()
	answer, err := e.config(provider, secret).Exchange(ctx, code, oauth2.VerifierOption(verifier))
	if ended := ctx.Err(); err != nil && ended != nil {
		return "", fmt.Errorf("token endpoint: %w", requestError{ended}) // err does not say that the answer was too slow
	}
	if err != nil {
		return "", exchangeError(err)
	}
	idToken, _ := answer.Extra("id_token").(string)
	if idToken == "" || len(idToken) > maxIDTokenBytes {
		return "", errors.New("token endpoint: the answer has no ID token, or one that is too long")
	}
	return idToken, nil
}

// exchangeError returns what failed at the token endpoint. It repeats nothing of the
// answer except error codes of RFC 6749, section 5.2. An invalid code is the
// browser's fault. Everything else is the provider's, or that of our settings.
func exchangeError(err error) error {
	var refusal *oauth2.RetrieveError
	var request *url.Error
	switch {
	case errors.As(err, &request):
		return fmt.Errorf("token endpoint: %w", requestError{request})
	case !errors.As(err, &refusal):
		return errors.New("token endpoint: the answer cannot be read, or is too long")
	case refusal.ErrorCode == "invalid_grant":
		return invalidCode
	}
	code := "unknown"
	if slices.Contains([]string{"invalid_request", "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope"}, refusal.ErrorCode) {
		code = refusal.ErrorCode
	}
	return fmt.Errorf("token endpoint: %w and error code %s", statusError(refusal.Response.StatusCode), code)
}

// config returns the client in the form of package oauth2.
func (e *exchanger) config(provider *endpoints, secret string) *oauth2.Config {
	style := provider.authStyle
	if secret == "" {
		style = oauth2.AuthStyleInParams // a public client sends its id in the body
	}
	return &oauth2.Config{ClientID: e.client.ID, ClientSecret: secret, RedirectURL: e.client.Callback, Scopes: e.scopes(provider),
		Endpoint: oauth2.Endpoint{AuthURL: provider.authorizationURL, TokenURL: provider.tokenURL, AuthStyle: style}}
}

// scopes returns the supported scopes with the claims that we read: profile and
// email have the name (OpenID Connect Core 1.0, section 5.4), and the scope with
// the roles often has the name of the role claim. Providers refuse unknown scopes.
func (e *exchanger) scopes(provider *endpoints) []string {
	scopes := []string{"openid"}
	for _, scope := range []string{"profile", "email", e.roleClaim} {
		if slices.Contains(provider.scopes, scope) && !slices.Contains(scopes, scope) {
			scopes = append(scopes, scope)
		}
	}
	return scopes
}
