package auth

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"

	"golang.org/x/oauth2"

	"strongroom/internal/domain"
	"strongroom/internal/ownfile"
)

// exchange returns the ID token that the provider gives for a code.
func (f *CodeFlow) exchange(r *http.Request, provider *endpoints, code, verifier string) (string, error) {
	if err := f.exchanges.take(r, f.operators.now(), "Too many sign-ins from this address. Wait as long as the header Retry-After says."); err != nil {
		return "", err
	}
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	default:
		return "", domain.Overloaded()
	}
	secret, err := f.client.secret()
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.WithValue(r.Context(), oauth2.HTTPClient, f.http), exchangeTimeout)
	defer cancel()
	answer, err := f.config(provider, secret).Exchange(ctx, code, oauth2.VerifierOption(verifier))
	if err != nil {
		return "", exchangeError(err)
	}
	idToken, _ := answer.Extra("id_token").(string)
	if idToken == "" || len(idToken) > maxIDTokenBytes {
		return "", errors.New("token endpoint: the answer has no ID token, or one that is too long")
	}
	return idToken, nil
}

// exchangeError is what failed at the token endpoint. It repeats nothing of the
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
	code := "no word that is known"
	if slices.Contains([]string{"invalid_request", "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope"}, refusal.ErrorCode) {
		code = refusal.ErrorCode
	}
	return fmt.Errorf("token endpoint: %w and says %s", statusError(refusal.Response.StatusCode), code)
}

// config is the client in the form of package oauth2.
func (f *CodeFlow) config(provider *endpoints, secret string) *oauth2.Config {
	style := provider.authStyle
	if secret == "" {
		style = oauth2.AuthStyleInParams // a public client sends its id in the body
	}
	return &oauth2.Config{ClientID: f.client.ID, ClientSecret: secret, RedirectURL: f.client.Callback, Scopes: f.scopes(provider),
		Endpoint: oauth2.Endpoint{AuthURL: provider.authorization, TokenURL: provider.token, AuthStyle: style}}
}

// scopes are those with the claims that we read: profile and email have names
// (OpenID Connect Core 1.0, section 5.4), and the scope of the roles often has
// the name of the claim. Providers refuse unknown scopes.
func (f *CodeFlow) scopes(provider *endpoints) []string {
	scopes := []string{"openid"}
	for _, scope := range []string{"profile", "email", f.operators.oidc.RoleClaim} {
		if slices.Contains(provider.scopes, scope) && !slices.Contains(scopes, scope) {
			scopes = append(scopes, scope)
		}
	}
	return scopes
}

// secret returns the client's secret; empty: it has none.
func (c *OIDCClient) secret() (string, error) {
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
