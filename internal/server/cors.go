package server

import (
	"net/http"
	"slices"
)

// origins are the web origins whose scripts may call the API and read its
// answers. Their scripts send no cookies and no client certificate:
// credentials are never allowed, a bearer token is a header like any other.
type origins []string

// Each of these is the same in every answer; net/http only reads it.
var (
	corsVary    = []string{"Origin"}
	corsExposed = []string{"Retry-After, X-Request-Id, WWW-Authenticate, DPoP-Nonce"}
	corsHeaders = []string{"Content-Type, Authorization, DPoP, Accept, x-request-id, traceparent, tracestate, " +
		"apollographql-client-name, apollographql-client-version, apollo-require-preflight"} // not the gateway's: it is no browser
	corsMaxAge   = []string{"600"}
	corsResource = []string{"cross-origin"}

	// The methods of each path that can be asked about.
	corsMethods = map[string][]string{"/graphql": {"POST, GET"}, "/api/encryption/keys": {"POST"}}
)

// set puts what a browser wants to know into the header of the answer to r,
// and says whether that is the whole answer: r only asked whether a request
// would be allowed. Every other request, of a listed origin or not, goes its
// way: it is the browser that keeps answers from scripts, and not everyone
// who calls is one.
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
