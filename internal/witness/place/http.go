package place

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"strongroom/internal/outbound"
)

// HTTP keeps a witness on a server, with GET and conditional PUT (RFC 9110,
// section 13). Several instances may share it.
type HTTP struct {
	base   *url.URL
	secret Secret
	client *http.Client
}

// Secret returns a password or token. It is read for each use, so that it can be
// replaced. Empty: none.
type Secret func() (string, error)

const requestTimeout = 5 * time.Second

// NewHTTP returns the witness below a base URL, which must not contain a secret.
func NewHTTP(base *url.URL, token Secret) *HTTP {
	transport := outbound.Standard()
	transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	return &HTTP{base: base, secret: token, client: &http.Client{Transport: outbound.New(transport, requestTimeout), Timeout: requestTimeout,
		// A redirect could send the token to another server.
		CheckRedirect: outbound.NoRedirect}}
}

// String is the URL.
func (h *HTTP) String() string { return h.base.String() }

// Shared is true: all instances use one server.
func (*HTTP) Shared() bool { return true }

// Read gets a text. Its version is the ETag.
func (h *HTTP) Read(ctx context.Context, k Key) (text []byte, version string, err error) {
	answer, err := h.do(ctx, http.MethodGet, k, nil, nil)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = answer.Body.Close() }() // it was read
	switch answer.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return nil, "", ErrNone
	default:
		return nil, "", refusal("GET", answer.StatusCode)
	}
	version = answer.Header.Get("ETag")
	if !strings.HasPrefix(version, `"`) {
		return nil, "", errors.New("the server answers GET without a strong ETag, so two instances could overwrite each other")
	}
	text, err = io.ReadAll(io.LimitReader(answer.Body, maxBytes))
	if err != nil {
		return nil, "", away("reading the answer: %w", err)
	}
	return text, version, nil
}

// Write puts a text, if the ETag is still the same.
func (h *HTTP) Write(ctx context.Context, k Key, text []byte, version string) error {
	condition := http.Header{"If-None-Match": {"*"}}
	if version != "" {
		condition = http.Header{"If-Match": {version}}
	}
	answer, err := h.do(ctx, http.MethodPut, k, text, condition)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }() // it was read
	switch answer.StatusCode {
	case http.StatusOK, http.StatusCreated, http.StatusNoContent:
		return nil
	case http.StatusPreconditionFailed, http.StatusConflict:
		return ErrChanged
	}
	return refusal("PUT", answer.StatusCode)
}

func (h *HTTP) do(ctx context.Context, method string, k Key, text []byte, header http.Header) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, h.base.JoinPath(k.Home, k.Part).String(), bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	token, err := h.secret()
	if err != nil {
		return nil, fmt.Errorf("reading the token: %w", err)
	}
	request.Header = header.Clone()
	if request.Header == nil {
		request.Header = http.Header{}
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Cache-Control", "no-cache")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := h.client.Do(request)
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	switch {
	case errors.As(err, &certificate), errors.As(err, &authority):
		return nil, fmt.Errorf("the server's certificate is not accepted: %w", err)
	case err != nil:
		return nil, away("the server cannot be reached: %w", err)
	}
	return answer, nil
}

// refusal explains a status that is not part of the protocol.
func refusal(method string, status int) error {
	what := fmt.Sprintf("the server answers %s with %d %s", method, status, http.StatusText(status))
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return fmt.Errorf("%s; check the token of --witness-secret", what)
	case status >= 500 && status != http.StatusNotImplemented, status == http.StatusTooManyRequests, status == http.StatusRequestTimeout:
		return &AwayError{errors.New(what)}
	case status >= 300 && status < 400:
		return fmt.Errorf("%s; give the URL to which it redirects", what)
	}
	return fmt.Errorf("%s; see the protocol in docs/how-to/witness.md", what)
}
