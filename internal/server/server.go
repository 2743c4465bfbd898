// Package server is the edge of the process: two listeners, what stands before
// every handler, readiness, draining, and the directory that one server at a
// time may own.
//
// The idea: what is common to all requests happens here once, so that a
// handler sees only requests that have an id, a caller and a bound, and
// cannot answer without the headers or stay out of the log. Routes are exact
// paths in a table; there is no pattern to get wrong.
//
// The threats: an operator's page reached through the public port (the two
// listeners share no table); a log that repeats what a client sent (only known
// route names, methods and numbers are logged, and of a panic its type); a
// slow or endless client (every phase of a connection has its limit, and so
// has their number).
package server

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"

	"strongroom/internal/auth"
	"strongroom/internal/domain"
)

// Config is everything that a [Server] needs. All fields are required unless
// they say otherwise.
type Config struct {
	Listen      string // HOST:PORT of the API
	AdminListen string // HOST:PORT of the operator side

	GraphQL http.Handler // POST and GET /graphql; answers every method itself
	REST    http.Handler // POST /api/encryption/keys
	SDL     string       // GET /schema.graphql; empty: not served
	Metrics http.Handler // GET /metrics on the operator side

	Authenticator auth.Authenticator // of GraphQL and REST
	AdminToken    string             // opens the operator side, see [DataDir.AdminToken]

	// Ready says whether requests can be served: store, root key, migrations.
	// Its error is logged, never answered. It runs at most once at a time and
	// gets a context of one second.
	Ready func(context.Context) error

	// Refused is told of every request that is turned away here. Optional.
	Refused func(context.Context, domain.Code)

	// Answered is told of every answer of the API: its route, of a closed set,
	// and its status. Optional.
	Answered func(route string, status int)

	Logger          *slog.Logger  // over a [LogRequestID] handler, to name the request in every line
	ShutdownTimeout time.Duration // how long a drain may take
}

// Limits on a connection. A queued RSA and Argon2id job may take seconds under
// load, so writing is given much longer than reading.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 10 * time.Second
	writeTimeout      = 60 * time.Second
	profileTimeout    = 5 * time.Minute // a profile is written when it ends
	idleTimeout       = 60 * time.Second
	maxHeaderBytes    = 80 << 10 // of which 64 KiB may be the document of a GET: past that it is answered in JSON

	maxConnections      = 4096
	maxAdminConnections = 64
)

// Server serves both listeners. Its methods are for one goroutine.
type Server struct {
	cfg           Config
	api, operator endpoint
	readiness     readiness
}

type endpoint struct {
	listener net.Listener
	http     http.Server
}

// Listen opens both ports, so that a port in use is found before anything
// else is started. Nothing is answered until [Server.Serve].
func Listen(cfg Config) (*Server, error) {
	if cfg.Refused == nil {
		cfg.Refused = func(context.Context, domain.Code) {}
	}
	if cfg.Answered == nil {
		cfg.Answered = func(string, int) {}
	}
	s := &Server{cfg: cfg, readiness: readiness{check: cfg.Ready, logger: cfg.Logger}}
	refused := func() { cfg.Refused(context.Background(), domain.CodeOverloaded) }
	var err error
	if s.api.listener, err = listen("listen", cfg.Listen, maxConnections, refused); err != nil {
		return nil, err
	}
	if s.operator.listener, err = listen("admin-listen", cfg.AdminListen, maxAdminConnections, refused); err != nil {
		_ = s.api.listener.Close()
		return nil, err
	}
	token := sha256.Sum256([]byte(cfg.AdminToken))
	s.configure(&s.api.http, &front{routes: s.apiRoutes(), cfg: &s.cfg, answered: cfg.Answered}, writeTimeout)
	s.configure(&s.operator.http, &front{routes: s.operatorRoutes(), token: &token, cfg: &s.cfg, answered: func(string, int) {}}, profileTimeout)
	return s, nil
}

func listen(setting, address string, most int, refused func()) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("listen %s: the port is in use; choose another with --%s", address, setting)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("listen %s: this user may not use the port; choose one above 1023 with --%s", address, setting)
	case err != nil:
		return nil, fmt.Errorf("listen %s: %v; choose another address with --%s", address, err, setting)
	}
	return limit(l, most, refused), nil
}

func (s *Server) configure(h *http.Server, f *front, write time.Duration) {
	*h = http.Server{
		Handler:                      f,
		DisableGeneralOptionsHandler: true, // "OPTIONS *" meets our own 404, not an empty 200
		ReadHeaderTimeout:            readHeaderTimeout,
		ReadTimeout:                  readTimeout,
		WriteTimeout:                 write,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeaderBytes,
		ErrorLog:                     httpErrorLog(s.cfg.Logger),
	}
}

// Addr is the address of the API, with the port that the system chose when
// port 0 was asked for.
func (s *Server) Addr() net.Addr { return s.api.listener.Addr() }

// AdminAddr is the address of the operator side.
func (s *Server) AdminAddr() net.Addr { return s.operator.listener.Addr() }

// Serve answers requests until ctx is done, then drains: readiness turns 503,
// no connection is accepted, and the requests under way get ShutdownTimeout to
// end. It returns nil when all of them did. Nothing is served after it.
func (s *Server) Serve(ctx context.Context) error {
	var serving sync.WaitGroup
	ended := make(chan error, 2)
	for _, e := range []*endpoint{&s.api, &s.operator} {
		serving.Go(func() { ended <- e.http.Serve(e.listener) })
	}
	s.cfg.Logger.Info("ready", "api", s.Addr().String(), "operator", s.AdminAddr().String())

	var broke error
	select {
	case <-ctx.Done():
		s.cfg.Logger.Info("draining", "timeout", s.cfg.ShutdownTimeout.String())
	case broke = <-ended:
	}
	err := s.drain()
	serving.Wait()
	if broke != nil {
		return fmt.Errorf("serving: %w", broke)
	}
	return err
}

// Close gives up the ports of a server that is not to be served after all.
func (s *Server) Close() error {
	return errors.Join(s.api.listener.Close(), s.operator.listener.Close())
}

func (s *Server) drain() error {
	s.readiness.draining.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), s.cfg.ShutdownTimeout)
	defer cancel()
	err := s.api.http.Shutdown(ctx)
	if err != nil {
		_ = s.api.http.Close()
		err = fmt.Errorf("draining: requests were cut off after %v", s.cfg.ShutdownTimeout)
	}
	// Closed, not drained: a profile that runs for minutes must not hold up the
	// stop, and whoever scrapes will come again.
	_ = s.operator.http.Close()
	return err
}
