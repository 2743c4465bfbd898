package auth

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/oauth2"
)

// endpoints are where a provider has browsers sign in, and how, as it describes
// itself (OpenID Connect Discovery 1.0, section 3).
type endpoints struct {
	authorization, token string
	style                oauth2.AuthStyle // how a client shows its secret
	scopes               []string         // that exist there
	namesIssuer          bool             // in each answer that a browser brings (RFC 9207)
}

const (
	endpointsGood  = 10 * time.Minute // after which they are asked for again
	endpointsPause = 10 * time.Second // the same after a failure
)

// directory knows the endpoints of a provider. It asks when they are needed,
// one at a time and seldom, so that whoever wants to sign in costs the provider
// nothing. While the provider is down the last good ones stay.
type directory struct {
	describe func(context.Context) (map[string]any, error)
	now      func() time.Time
	turn     chan struct{} // holds an element while somebody asks
	last     atomic.Pointer[answered]
}

// answered is what came of asking. It never changes.
type answered struct {
	*endpoints // the last good ones; nil: there never were any
	err        error
	until      time.Time // when to ask again
}

func newDirectory(issuer string, client *http.Client, now func() time.Time) (*directory, error) {
	base, err := parseURL(issuer)
	if err != nil {
		return nil, err
	}
	return &directory{now: now, turn: make(chan struct{}, 1),
		describe: func(ctx context.Context) (map[string]any, error) { return describe(ctx, client, issuer, base) }}, nil
}

// find returns the endpoints, or why they are not known.
func (d *directory) find(ctx context.Context) (*endpoints, error) {
	if known, ok := d.fresh(); ok {
		return known.endpoints, known.err
	}
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	known, ok := d.fresh() // somebody else may have asked meanwhile
	if !ok {
		known = d.ask(ctx, known)
		d.last.Store(known)
	}
	return known.endpoints, known.err
}

func (d *directory) fresh() (*answered, bool) {
	last := d.last.Load()
	return last, last != nil && d.now().Before(last.until)
}

// ask is not ended by who began it: he could have it fail for all by hanging up.
func (d *directory) ask(ctx context.Context, last *answered) *answered {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTimeout)
	defer cancel()
	document, err := d.describe(ctx)
	var found *endpoints
	if err == nil {
		found, err = readEndpoints(document)
	}
	switch {
	case err == nil:
		return &answered{found, nil, d.now().Add(endpointsGood)}
	case last != nil && last.endpoints != nil:
		return &answered{last.endpoints, nil, d.now().Add(endpointsPause)}
	}
	return &answered{nil, err, d.now().Add(endpointsPause)}
}

func readEndpoints(document map[string]any) (*endpoints, error) {
	at := map[string]*url.URL{}
	for _, name := range []string{"authorization_endpoint", "token_endpoint"} {
		var err error
		if at[name], err = placeIn(document, name); err != nil {
			return nil, err
		}
	}
	scopes, ok := texts(document["scopes_supported"])
	methods, good := texts(document["token_endpoint_auth_methods_supported"])
	if !ok || !good {
		return nil, errors.New("discovery: a list is not one of texts")
	}
	e := &endpoints{authorization: at["authorization_endpoint"].String(), token: at["token_endpoint"].String(), scopes: scopes, style: oauth2.AuthStyleInHeader}
	// Where nothing is said, it is client_secret_basic.
	if len(methods) > 0 && !slices.Contains(methods, "client_secret_basic") {
		e.style = oauth2.AuthStyleInParams
	}
	e.namesIssuer, _ = document["authorization_response_iss_parameter_supported"].(bool)
	return e, nil
}
