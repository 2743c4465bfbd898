package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/http/pprof"
	"strings"

	"strongroom/internal/domain"
)

// operatorRoutes is the whole operator side, all of it behind the token. The
// probes are here too: a drain can only be watched from this side, because the
// public port is closed by then.
func (s *Server) operatorRoutes() map[string]route {
	routes := map[string]route{
		"/healthz":             {getOnly, http.HandlerFunc(alive), true},
		"/readyz":              {getOnly, http.HandlerFunc(s.ready), true},
		"/metrics":             {getOnly, s.cfg.Metrics, false},
		"/debug/pprof/":        {getOnly, http.HandlerFunc(pprof.Index), false},
		"/debug/pprof/cmdline": {getOnly, http.HandlerFunc(pprof.Cmdline), false},
		"/debug/pprof/profile": {getOnly, http.HandlerFunc(pprof.Profile), false},
		"/debug/pprof/symbol":  {[]string{http.MethodGet, http.MethodPost}, http.HandlerFunc(pprof.Symbol), false},
		"/debug/pprof/trace":   {getOnly, http.HandlerFunc(pprof.Trace), false},
	}
	for _, profile := range []string{"allocs", "block", "goroutine", "heap", "mutex", "threadcreate"} {
		routes["/debug/pprof/"+profile] = route{getOnly, pprof.Handler(profile), false}
	}
	return routes
}

// hasToken compares the request's bearer token in constant time. Both sides
// are hashed first, so that not even the length of the right one shows.
func hasToken(r *http.Request, token *[sha256.Size]byte) bool {
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	hashed := sha256.Sum256([]byte(given))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(hashed[:], token[:]) == 1
}

var errNoToken = &domain.Error{Code: domain.CodeUnauthenticated,
	Message: "Send the content of DATA-DIR/admin.token as Authorization: Bearer."}
