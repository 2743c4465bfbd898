package auth

import (
	"context"
	"net/http"
	"strings"
	"time"

	"strongroom/internal/ownfile"
)

const (
	webRefreshInterval    = 10 * time.Minute
	webUnknownKeyInterval = 30 * time.Second
	fileRefreshInterval   = 5 * time.Second
)

// source is where the key set of an issuer comes from.
type source struct {
	fetch              func(context.Context) ([]byte, error) // returns at most maxDocumentBytes
	interval           time.Duration                         // between two refreshes in the background
	unknownKeyInterval time.Duration                         // at least, between two refreshes for unknown keys
	file               bool
}

// newSource makes the source of an issuer's key set. where is a path, a URL, or
// empty for OpenID Connect discovery.
func newSource(issuer, where string, client *http.Client) (source, error) {
	if where != "" && !strings.Contains(where, "://") {
		return source{file: true, interval: fileRefreshInterval, unknownKeyInterval: fileRefreshInterval,
			fetch: func(context.Context) ([]byte, error) { return readKeySet(where) }}, nil
	}
	web := source{interval: webRefreshInterval, unknownKeyInterval: webUnknownKeyInterval}
	address := where
	if where == "" {
		address = issuer
	}
	u, err := parseURL(address)
	if err != nil {
		return source{}, err
	}
	web.fetch = func(ctx context.Context) ([]byte, error) { return get(ctx, client, u) }
	if where == "" {
		web.fetch = func(ctx context.Context) ([]byte, error) { return fetchDiscovered(ctx, client, issuer) }
	}
	return web, nil
}

// fetchDiscovered discovers the address of the key set each time, because it
// may change.
func fetchDiscovered(ctx context.Context, client *http.Client, issuer string) ([]byte, error) {
	metadata, err := fetchMetadata(ctx, client, issuer)
	if err != nil {
		return nil, err
	}
	keys, err := endpointURL(metadata, "jwks_uri")
	if err != nil {
		return nil, err
	}
	return get(ctx, client, keys)
}

func readKeySet(path string) ([]byte, error) {
	f, _, err := ownfile.Open(path) // anyone who can add a key to it can act as any user
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readBounded(f)
}
