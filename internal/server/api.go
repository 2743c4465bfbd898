package server

import (
	"errors"
	"io"
	"net/http"
	"time"

	"strongroom/internal/apierr"
	"strongroom/internal/auth"
	"strongroom/internal/domain"
)

// apiRoutes are all routes of the public listener.
func (s *Server) apiRoutes() map[string]route {
	routes := map[string]route{
		"/graphql":             {handler: s.authenticatedBy(s.cfg.Authenticator, s.cfg.GraphQL)},
		"/api/encryption/keys": {methods: []string{http.MethodPost}, handler: s.authenticatedBy(s.cfg.Authenticator, s.cfg.REST)},
		"/api/receipts/redeem": {methods: []string{http.MethodPost}, handler: s.authenticatedBy(s.cfg.Redeemers, s.cfg.Redeem)},
		"/healthz":             {methods: getOnly, handler: http.HandlerFunc(alive), instant: true, quiet: true},
		"/readyz":              {methods: getOnly, handler: http.HandlerFunc(s.ready), probe: true, quiet: true},
	}
	if s.cfg.KeySet != nil {
		routes[keySetPath] = route{methods: getOnly, handler: http.HandlerFunc(s.keySet), anyone: true}
	}
	if s.cfg.SDL != "" {
		routes["/schema.graphql"] = route{methods: getOnly, handler: http.HandlerFunc(s.schema), anyone: true}
	}
	s.addPages(routes)
	return routes
}

// authenticatedBy puts the caller into the request's context, or refuses the
// request.
func (s *Server) authenticatedBy(callers auth.Authenticator, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.cfg.Nonce != nil {
			if nonce := s.cfg.Nonce(); nonce != "" {
				w.Header()["Dpop-Nonce"] = []string{nonce}
			}
		}
		caller, err := callers.Authenticate(r)
		if err != nil {
			s.refuseCaller(w, r, err, auth.TakesDPoP(callers))
			return
		}
		next.ServeHTTP(w, r.WithContext(domain.WithCaller(r.Context(), caller)))
	})
}

func (s *Server) refuseCaller(w http.ResponseWriter, r *http.Request, err error, dpop bool) {
	refusal, ok := errors.AsType[*domain.Error](err)
	if !ok {
		// Any client can cause this, as often as it likes.
		if write, omitted := s.unable.Next(time.Now()); write {
			s.cfg.Logger.ErrorContext(r.Context(), "callers cannot be authenticated", "error", err.Error(), "omitted", omitted)
		}
		answerError(w, r, &domain.Error{Code: domain.CodeInternal, Reason: domain.ReasonCallersUnverified,
			Message: "Callers cannot be authenticated now. Nothing was done; try again shortly."})
		return
	}
	refusal = s.cfg.RefusedCaller(r.Context(), refusal)
	apierr.Challenge(w.Header(), refusal, r.Header["Authorization"], dpop)
	answerError(w, r, refusal)
}

func (s *Server) schema(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, s.cfg.SDL)
}

type status struct {
	Status string `json:"status"`
}

// alive answers as long as the process can answer. It checks nothing else,
// because a restart does not help if the store is down.
func alive(w http.ResponseWriter, _ *http.Request) {
	answerJSON(w, http.StatusOK, status{"ok"})
}

func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	code, is := s.isReady(r)
	answerJSON(w, code, is)
}

func (s *Server) isReady(r *http.Request) (code int, is status) {
	switch {
	case s.readiness.draining.Load():
		return http.StatusServiceUnavailable, status{"draining"}
	case s.readiness.ask(r.Context()) != nil:
		return http.StatusServiceUnavailable, status{"unavailable"}
	}
	return http.StatusOK, status{"ready"}
}

// addPages adds the pages to the routes. A page cannot replace a route of the
// API.
func (s *Server) addPages(routes map[string]route) {
	for path, p := range s.cfg.Pages {
		if _, taken := routes[path]; taken {
			panic("server: two routes at one path")
		}
		handler := p.Handler
		if p.Caller {
			handler = s.authenticatedBy(s.cfg.Authenticator, handler)
		}
		routes[path] = route{methods: p.Methods, handler: handler, anyone: !p.Caller, browser: p.Browser}
	}
	if s.cfg.Explorer != nil {
		graphql := routes["/graphql"]
		graphql.page = &route{handler: s.cfg.Explorer, anyone: true}
		routes["/graphql"] = graphql
	}
}
