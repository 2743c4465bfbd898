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

	"strongroom/internal/ownfile"
	"strongroom/internal/strictjson"
)

const (
	fetchTimeout     = 5 * time.Second // of a refresh, discovery and all
	maxDocumentBytes = 256 << 10
	maxRedirects     = 3
	webInterval      = 10 * time.Minute
	webPatience      = 30 * time.Second
	fileInterval     = 5 * time.Second
	discoverySuffix  = "/.well-known/openid-configuration"
)

// source is where the key set of an issuer is.
type source struct {
	fetch    func(context.Context) ([]byte, error) // the document, at most maxDocumentBytes
	interval time.Duration                         // between two refreshes in the background
	patience time.Duration                         // at least, between two refreshes that unknown keys asked for
	file     bool
}

// newSource reads where: a path, a URL, or nothing for OpenID Connect
// discovery.
func newSource(issuer, where string, client *http.Client) (source, error) {
	web := source{interval: webInterval, patience: webPatience}
	switch {
	case where == "":
		base, err := parseURL(issuer)
		if err != nil {
			return source{}, err
		}
		web.fetch = func(ctx context.Context) ([]byte, error) { return discover(ctx, client, issuer, base) }
	case strings.Contains(where, "://"):
		at, err := parseURL(where)
		if err != nil {
			return source{}, err
		}
		web.fetch = func(ctx context.Context) ([]byte, error) { return get(ctx, client, at) }
	default:
		return source{file: true, interval: fileInterval, patience: fileInterval,
			fetch: func(context.Context) ([]byte, error) { return readKeySet(where) }}, nil
	}
	return web, nil
}

// parseURL takes https anywhere, and http on this machine only: for a sidecar,
// and for tests. Whoever could change a key set on its way would be every user.
func parseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || !trusted(u) || u.User != nil || u.Fragment != "" {
		return nil, errors.New("a URL must begin https:// (http:// only for a loopback host) and have neither user nor fragment")
	}
	return u, nil
}

func trusted(u *url.URL) bool {
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

// origin is scheme, host and port (RFC 6454). Two URLs of one origin lead
// to the same server, the one that the settings or the provider's metadata name.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// newClient fetches key sets, and follows redirects within an origin only: else
// one that is open, or a page that somebody may write, names the keys of all. Connections are not kept: it is used once in ten
// minutes.
func newClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableKeepAlives = true
	transport.MaxResponseHeaderBytes = 64 << 10
	return &http.Client{Transport: transport, CheckRedirect: func(next *http.Request, before []*http.Request) error {
		switch {
		case len(before) > maxRedirects:
			return refusedRedirect("too many redirects")
		case origin(next.URL) != origin(before[0].URL):
			return refusedRedirect("a redirect to another origin (scheme, host or port) is not followed: set the address that it leads to")
		}
		return nil
	}}
}

// discover asks an issuer where its key set is, anew each time: it may move.
func discover(ctx context.Context, client *http.Client, issuer string, base *url.URL) ([]byte, error) {
	document, err := describe(ctx, client, issuer, base)
	if err != nil {
		return nil, err
	}
	keys, err := placeIn(document, "jwks_uri")
	if err != nil {
		return nil, err
	}
	return get(ctx, client, keys)
}

// describe is what an issuer says of itself (OpenID Connect Discovery 1.0,
// section 4).
func describe(ctx context.Context, client *http.Client, issuer string, base *url.URL) (map[string]any, error) {
	at := *base
	at.Path, at.RawPath = strings.TrimSuffix(at.Path, "/")+discoverySuffix, ""
	data, err := get(ctx, client, &at)
	if err != nil {
		return nil, fmt.Errorf("discovery: %w", err)
	}
	document, err := strictjson.Object(data)
	if err != nil {
		return nil, fmt.Errorf("discovery: the answer cannot be read: %w", err)
	}
	if document["issuer"] != issuer {
		return nil, errors.New("discovery: the answer names another issuer: the setting must be as the provider writes it, to the last character")
	}
	return document, nil
}

// placeIn is a URL that such a document names.
func placeIn(document map[string]any, name string) (*url.URL, error) {
	text, _ := document[name].(string)
	at, err := parseURL(text)
	if err != nil {
		return nil, fmt.Errorf("discovery: %s: %w", name, err)
	}
	return at, nil
}

// badStatus is the status of an answer that is none.
type badStatus int

func (s badStatus) Error() string { return fmt.Sprintf("the answer has status %d", int(s)) }

// refusedRedirect is why a redirect is not followed.
type refusedRedirect string

func (r refusedRedirect) Error() string { return string(r) }

// unanswered is why a request has no answer. Its text is ours, whatever came
// back: net/http repeats headers and the address of a redirect, which can hold
// anything, a code or lines for our log too.
type unanswered struct{ why error }

func (u unanswered) Unwrap() error { return u.why }

func (u unanswered) Error() string {
	var wait net.Error
	var way *net.OpError
	var redirect refusedRedirect
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(u.why, &redirect):
		return redirect.Error()
	case errors.As(u.why, &certificate):
		return "the certificate is not one that this machine trusts for the host"
	case errors.As(u.why, &wait) && wait.Timeout():
		return "there was no answer in time"
	case errors.As(u.why, &way):
		return way.Error() // of this machine's network, or an alert of TLS
	case errors.Is(u.why, io.EOF), errors.Is(u.why, io.ErrUnexpectedEOF):
		return "the connection ended before an answer"
	}
	return "what was answered is not HTTP, or has too long a header"
}

// get fetches a document. Its errors repeat nothing of the answer.
func get(ctx context.Context, client *http.Client, at *url.URL) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	answer, err := client.Do(request)
	if err != nil {
		return nil, unanswered{err}
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return nil, badStatus(answer.StatusCode)
	}
	return readBounded(answer.Body)
}

func readKeySet(path string) ([]byte, error) {
	f, _, err := ownfile.Open(path) // anyone who can add a key to it is every user
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readBounded(f)
}

// readBounded reads all of r, of which nothing that we are given has more.
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
