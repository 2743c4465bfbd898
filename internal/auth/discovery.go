package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/oauth2"

	"strongroom/internal/strictjson"
)

const discoverySuffix = "/.well-known/openid-configuration"

// fetchMetadata fetches the provider metadata of an issuer (OpenID Connect
// Discovery 1.0, section 4).
func fetchMetadata(ctx context.Context, client *http.Client, issuer string) (map[string]any, error) {
	u, err := url.Parse(strings.TrimSuffix(issuer, "/") + discoverySuffix)
	if err != nil {
		return nil, fmt.Errorf("discovery: %w", err)
	}
	data, err := get(ctx, client, u)
	if err != nil {
		return nil, fmt.Errorf("discovery: %w", err)
	}
	metadata, err := strictjson.Object(data)
	if err != nil {
		return nil, fmt.Errorf("discovery: the answer cannot be read: %w", err)
	}
	if metadata["issuer"] != issuer {
		return nil, errors.New("discovery: the answer names another issuer; the setting must match the provider's issuer exactly")
	}
	return metadata, nil
}

// endpointURL is the URL of an endpoint in provider metadata. Only an issuer on this
// machine may name http: another one could make us call a service on loopback.
func endpointURL(metadata map[string]any, name string) (*url.URL, error) {
	text, _ := metadata[name].(string)
	u, err := parseURL(text)
	if err != nil {
		return nil, fmt.Errorf("discovery: %s: %w", name, err)
	}
	if issuer, _ := metadata["issuer"].(string); u.Scheme == "http" && !strings.HasPrefix(issuer, "http://") {
		return nil, fmt.Errorf("discovery: %s: must begin https://, like the issuer", name)
	}
	return u, nil
}

// endpoints are what the code flow needs of provider metadata (OpenID Connect
// Discovery 1.0, section 3).
type endpoints struct {
	authorizationURL, tokenURL string
	authStyle                  oauth2.AuthStyle // how a client sends its secret
	scopes                     []string         // that the provider supports
	sendsIssuer                bool             // in each authorization response (RFC 9207)
}

const (
	endpointsTTL        = 10 * time.Minute
	endpointsRetryDelay = 10 * time.Second
)

// errManyWait refuses a request that would be one of too many that wait for the
// provider. It may succeed later.
var errManyWait = errors.New("other requests already wait for its answer")

// endpointCache fetches a provider's endpoints when they are needed. It sends
// one request at a time, and few, so that sign-ins put no load on the provider.
// While the provider is down, the last endpoints stay in use. Until there are
// any, few requests wait for the provider: strangers can send them, and a
// provider that hangs must not make them hold all connections of the operator
// side.
type endpointCache struct {
	fetch func(context.Context) (map[string]any, error) // the provider's metadata
	now   func() time.Time

	last    atomic.Pointer[endpoints] // nil: never fetched; written with the lock held
	waiting atomic.Int32              // requests that wait for the lock

	lock  chan struct{} // holds an element while a request uses what follows
	err   error         // why last is nil
	until time.Time     // the next fetch
}

func newEndpointCache(issuer string, client *http.Client, now func() time.Time) *endpointCache {
	return &endpointCache{now: now, lock: make(chan struct{}, 1),
		fetch: func(ctx context.Context) (map[string]any, error) { return fetchMetadata(ctx, client, issuer) }}
}

// get returns the endpoints, or why they are not known. It does not wait while
// another request fetches newer ones.
func (c *endpointCache) get(ctx context.Context) (*endpoints, error) {
	select {
	case c.lock <- struct{}{}:
	default:
		if last := c.last.Load(); last != nil {
			return last, nil
		}
		if err := c.wait(ctx); err != nil {
			return nil, err
		}
	}
	defer func() { <-c.lock }()
	if !c.now().Before(c.until) {
		c.refresh(ctx)
	}
	return c.last.Load(), c.err
}

// wait takes the lock when the request that has it is done.
func (c *endpointCache) wait(ctx context.Context) error {
	defer c.waiting.Add(-1)
	if c.waiting.Add(1) > maxWaitingOperators {
		return errManyWait
	}
	select {
	case c.lock <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// refresh does not end with the request that started it: otherwise a client that
// hangs up would make it fail for all.
func (c *endpointCache) refresh(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTimeout)
	defer cancel()
	metadata, err := c.fetch(ctx)
	var found *endpoints
	if err == nil {
		found, err = readEndpoints(metadata)
	}
	switch {
	case err == nil:
		c.last.Store(found)
		c.err, c.until = nil, c.now().Add(endpointsTTL)
	case c.last.Load() != nil:
		c.until = c.now().Add(endpointsRetryDelay)
	default:
		c.err, c.until = err, c.now().Add(endpointsRetryDelay)
	}
}

func readEndpoints(metadata map[string]any) (*endpoints, error) {
	authorization, err := endpointURL(metadata, "authorization_endpoint")
	if err != nil {
		return nil, err
	}
	tokens, err := endpointURL(metadata, "token_endpoint")
	if err != nil {
		return nil, err
	}
	scopes, ok := stringList(metadata["scopes_supported"])
	methods, good := stringList(metadata["token_endpoint_auth_methods_supported"])
	if !ok || !good {
		return nil, errors.New("discovery: scopes_supported or token_endpoint_auth_methods_supported is not a list of strings")
	}
	e := &endpoints{authorizationURL: authorization.String(), tokenURL: tokens.String(), scopes: scopes, authStyle: oauth2.AuthStyleInHeader}
	// The default is client_secret_basic.
	if len(methods) > 0 && !slices.Contains(methods, "client_secret_basic") {
		e.authStyle = oauth2.AuthStyleInParams
	}
	e.sendsIssuer, _ = metadata["authorization_response_iss_parameter_supported"].(bool)
	return e, nil
}
