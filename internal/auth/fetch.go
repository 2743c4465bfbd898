package auth

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"strongroom/internal/outbound"
)

const (
	fetchTimeout     = 5 * time.Second // of a refresh, with its discovery
	maxDocumentBytes = 256 << 10
	maxRedirects     = 3
)

// parseURL accepts https for any host, and http for this machine only, as for a
// sidecar. Anyone who can change a key set on its way can act as any user.
func parseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || !isSecure(u) || u.User != nil || u.Fragment != "" {
		return nil, errors.New("a URL must begin https:// (http:// only for a loopback host) and have neither user nor fragment")
	}
	return u, nil
}

func isSecure(u *url.URL) bool {
	host := u.Hostname()
	switch u.Scheme {
	case "https":
		return host != ""
	case "http":
		ip := net.ParseIP(host)
		return host == "localhost" || ip != nil && ip.IsLoopback()
	}
	return false
}

// origin is scheme, host and port (RFC 6454): URLs of one origin lead to the
// same server.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// newClient makes the client for key sets. It follows redirects only within an
// origin: otherwise an open redirect, or a page that others can edit, could
// choose the keys. It keeps no connections, because it is used every 10 minutes.
func newClient() *http.Client {
	transport := outbound.Standard()
	transport.DisableKeepAlives = true
	transport.MaxResponseHeaderBytes = 64 << 10
	return &http.Client{Transport: outbound.New(transport, fetchTimeout), CheckRedirect: func(next *http.Request, before []*http.Request) error {
		switch {
		case len(before) > maxRedirects:
			return redirectError("too many redirects")
		case origin(next.URL) != origin(before[0].URL):
			return redirectError("a redirect to another origin (scheme, host or port) is not followed: set the address that it leads to")
		}
		return nil
	}}
}

// newExchangeClient makes the client for endpoints and tokens. It follows no
// redirect, because the redirect would carry the code and its verifier.
func newExchangeClient() *http.Client {
	client := newClient()
	client.Transport = outbound.Bounded{RoundTripper: client.Transport, Bytes: maxDocumentBytes}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return redirectError("a redirect is not followed") }
	return client
}

// get fetches a document. Its errors repeat nothing of the answer.
func get(ctx context.Context, client *http.Client, from *url.URL) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	answer, err := client.Do(request)
	if err != nil {
		return nil, requestError{err}
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return nil, statusError(answer.StatusCode)
	}
	return readBounded(answer.Body)
}

// readBounded reads all of r, or fails above maxDocumentBytes.
func readBounded(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxDocumentBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading: %w", err)
	}
	if len(data) > maxDocumentBytes {
		return nil, fmt.Errorf("it is longer than %d bytes", maxDocumentBytes)
	}
	return data, nil
}

// statusError is the status of an answer that is not 200.
type statusError int

func (s statusError) Error() string { return fmt.Sprintf("the answer has status %d", int(s)) }

// redirectError is why a redirect is not followed.
type redirectError string

func (r redirectError) Error() string { return string(r) }

// requestError is why a request has no answer. Its text is our own: the texts of
// net/http repeat headers and redirect addresses, which can hold an
// authorization code or forged log lines.
type requestError struct{ cause error }

func (e requestError) Unwrap() error { return e.cause }

func (e requestError) Error() string {
	var timeout net.Error
	var network *net.OpError
	var redirect redirectError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(e.cause, &redirect):
		return redirect.Error()
	case errors.As(e.cause, &certificate):
		return "the certificate is not one that this machine trusts for the host"
	case errors.As(e.cause, &timeout) && timeout.Timeout():
		return "there was no answer in time"
	case errors.As(e.cause, &network):
		return network.Error() // by this machine's network, or a TLS alert
	case errors.Is(e.cause, io.EOF), errors.Is(e.cause, io.ErrUnexpectedEOF):
		return "the connection ended before an answer"
	}
	return "the answer is not HTTP, or its header is too long"
}

// isTemporary reports whether a request may succeed later without a change of
// settings: the network or the provider failed.
func isTemporary(err error) bool {
	var status statusError
	var network *net.OpError
	var timeout net.Error
	switch {
	case errors.As(err, &status):
		return status >= http.StatusInternalServerError || status == http.StatusTooManyRequests
	case errors.As(err, &network):
		return network.Op != "remote error" && network.Op != "local error" // which are TLS alerts
	}
	return errors.Is(err, errManyWait) || errors.Is(err, errNoKeys) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &timeout) && timeout.Timeout()
}
