package server

import (
	"errors"
	"net/http"
	"net/http/pprof"
	"strings"
	"time"

	"strongroom/internal/apierr"
	"strongroom/internal/domain"
)

// adminRoot is where the admin API is, on the operator side only.
const adminRoot = "/admin/v1"

// consoleLive is below what the console's pages ask for by themselves, every
// few seconds.
const consoleLive = "/live/"

// isAdmin reports whether a path is the admin API's.
func isAdmin(path string) bool {
	return path == adminRoot || strings.HasPrefix(path, adminRoot+"/")
}

// operatorRoutes is the whole operator side but the admin API and the console,
// all of it behind a token. Profiles show memory, and taking them costs: a viewer may not. The
// probes are here too: a drain can only be watched from this side, because the
// public port is closed by then.
func (s *Server) operatorRoutes() map[string]route {
	routes := map[string]route{
		"/healthz":             {methods: getOnly, handler: http.HandlerFunc(alive), probe: true, quiet: true},
		"/readyz":              {methods: getOnly, handler: http.HandlerFunc(s.ready), probe: true, quiet: true},
		"/metrics":             {methods: getOnly, handler: s.cfg.Metrics},
		"/debug/pprof/":        {methods: getOnly, handler: http.HandlerFunc(pprof.Index), role: domain.RoleOperator},
		"/debug/pprof/cmdline": {methods: getOnly, handler: http.HandlerFunc(pprof.Cmdline), role: domain.RoleOperator},
		"/debug/pprof/profile": {methods: getOnly, handler: http.HandlerFunc(pprof.Profile), role: domain.RoleOperator},
		"/debug/pprof/symbol":  {methods: []string{http.MethodGet, http.MethodPost}, handler: http.HandlerFunc(pprof.Symbol), role: domain.RoleOperator},
		"/debug/pprof/trace":   {methods: getOnly, handler: http.HandlerFunc(pprof.Trace), role: domain.RoleOperator},
	}
	for _, profile := range []string{"allocs", "block", "goroutine", "heap", "mutex", "threadcreate"} {
		routes["/debug/pprof/"+profile] = route{methods: getOnly, handler: pprof.Handler(profile), role: domain.RoleOperator}
	}
	return routes
}

// refuseOperator answers a request whose sender is not authenticated, or lacks
// the role for it.
func (m *middleware) refuseOperator(w *responseWriter, r *http.Request, err error) {
	refusal, ok := errors.AsType[*domain.Error](err)
	if !ok {
		// Any client can cause this, as often as it likes.
		if write, omitted := m.unable.Next(time.Now()); write {
			m.cfg.Logger.ErrorContext(r.Context(), "operators cannot be authenticated", "error", err.Error(), "omitted", omitted)
		}
		m.answerError(w, r, &domain.Error{Code: domain.CodeInternal, Reason: domain.ReasonCallersUnverified,
			Message: "Tokens of the identity provider cannot be verified now. Try again shortly, or use a token of DATA-DIR/admin.token."})
		return
	}
	if refusal.Code != domain.CodeForbidden {
		// The operator side has few connections. Clients that are not
		// authenticated must not keep any.
		w.Header().Set("Connection", "close")
	}
	apierr.Challenge(w.Header(), refusal, false)
	m.refuse(w, r, refusal)
}
