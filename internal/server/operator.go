package server

import (
	"context"
	"net/http"
	"net/http/pprof"

	"strongroom/internal/domain"
)

// operatorRoutes are all routes of the operator side except the admin API and the console.
// All require a token. Profiles show memory and cost time, so they require the role
// operator. The probes are here too, because a drain closes the public port, and only this
// one can still show it.
func (s *Server) operatorRoutes() map[string]route {
	routes := map[string]route{
		"/healthz":             {methods: getOnly, handler: http.HandlerFunc(alive), probe: true, quiet: true},
		"/readyz":              {methods: getOnly, handler: http.HandlerFunc(s.operatorReady), probe: true, quiet: true},
		"/metrics":             {methods: getOnly, handler: s.cfg.Metrics},
		"/debug/pprof/":        {methods: getOnly, handler: http.HandlerFunc(pprof.Index), role: domain.RoleOperator},
		"/debug/pprof/cmdline": {methods: getOnly, handler: http.HandlerFunc(pprof.Cmdline), role: domain.RoleOperator},
		"/debug/pprof/profile": {methods: getOnly, handler: s.untilStop(http.HandlerFunc(pprof.Profile)), role: domain.RoleOperator},
		"/debug/pprof/symbol":  {methods: []string{http.MethodGet, http.MethodPost}, handler: http.HandlerFunc(pprof.Symbol), role: domain.RoleOperator},
		"/debug/pprof/trace":   {methods: getOnly, handler: s.untilStop(http.HandlerFunc(pprof.Trace)), role: domain.RoleOperator},
	}
	for _, profile := range []string{"allocs", "block", "goroutine", "heap", "mutex", "threadcreate"} {
		routes["/debug/pprof/"+profile] = route{methods: getOnly, handler: s.untilStop(pprof.Handler(profile)), role: domain.RoleOperator}
	}
	return routes
}

// untilStop ends the requests of a handler when the server stops: a profile can take
// minutes.
func (s *Server) untilStop(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(s.profiles, cancel)()
		h.ServeHTTP(w, r.WithContext(ctx))
	})
}

// rootKeyStatus is the state of a configured root key at its last check.
type rootKeyStatus struct {
	Provider string `json:"provider"`
	Opens    bool   `json:"opens"`
	Reason   string `json:"reason,omitempty"` // why it does not
}

// operatorReady answers with the readiness, the root keys that a restart would need, and
// the database nodes that do not answer.
func (s *Server) operatorReady(w http.ResponseWriter, r *http.Request) {
	code, is := s.isReady(r)
	keys := []rootKeyStatus{}
	if s.cfg.RootKeys != nil {
		for _, k := range s.cfg.RootKeys() {
			keys = append(keys, rootKeyStatus{k.Provider(), k.Up(), k.Reason})
		}
	}
	var dead []string
	if s.cfg.DeadNodes != nil {
		dead = s.cfg.DeadNodes()
	}
	answerJSON(w, code, struct {
		status
		RootKeys  []rootKeyStatus `json:"rootKeys"`
		DeadNodes []string        `json:"deadNodes,omitempty"`
	}{is, keys, dead})
}
