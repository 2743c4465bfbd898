package server

import (
	"net/http"
	"slices"
)

// origins are the web origins whose scripts may call the API and read its
// answers. Browsers send no cookies and no client certificate with these
// calls, because credentials are never allowed. A bearer token is an ordinary
// header.
type origins []string

// These values are the same in every answer. net/http only reads them.
var (
	corsVary    = []string{"Origin"}
	corsExposed = []string{"Retry-After, X-Request-Id, WWW-Authenticate, DPoP-Nonce, Date"}
	corsHeaders = []string{"Content-Type, Authorization, DPoP, Accept, x-request-id, traceparent, tracestate, " +
		"apollographql-client-name, apollographql-client-version, apollo-require-preflight"} // not the gateway's headers: it is not a browser
	corsMaxAge   = []string{"600"}
	corsResource = []string{"cross-origin"}

	// The methods of each path that has preflight requests.
	corsMethods = map[string][]string{"/graphql": {"POST, GET"}, "/api/encryption/keys": {"POST"}}
)

// set adds the CORS headers to the answer to r. It returns true if r is a
// preflight request, to which they are the whole answer. All other requests
// are served, whatever their origin: the browser keeps answers from scripts,
// and not all clients are browsers.
func (o origins) set(h http.Header, r *http.Request) (preflight bool) {
	if len(o) == 0 {
		return false
	}
	h["Vary"] = corsVary
	origin := r.Header["Origin"]
	if len(origin) != 1 || !slices.Contains(o, origin[0]) {
		return false
	}
	h["Access-Control-Allow-Origin"] = origin
	h["Cross-Origin-Resource-Policy"] = corsResource
	methods, asked := corsMethods[r.URL.Path], r.Header["Access-Control-Request-Method"]
	if r.Method != http.MethodOptions || methods == nil || asked == nil {
		h["Access-Control-Expose-Headers"] = corsExposed
		return false
	}
	h["Access-Control-Allow-Methods"] = methods
	h["Access-Control-Allow-Headers"] = corsHeaders
	h["Access-Control-Max-Age"] = corsMaxAge
	return true
}
