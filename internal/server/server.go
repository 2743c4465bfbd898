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
// have their number and that of the requests at work); a client that chooses
// its own address (only proxies that were named are believed); a certificate
// that is half renewed (what cannot be used whole is not used).
package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"strongroom/internal/auth"
	"strongroom/internal/domain"
	"strongroom/internal/lograte"
	"strongroom/internal/trace"
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
	Admin   http.Handler // /admin/v1 and all below it on the operator side; answers every method itself. Optional

	// Console is what browsers get at every other path of the operator side:
	// requests without an Authorization header. It must authenticate them itself,
	// by cookies of its own, before anything tells which paths there are.
	// Optional.
	Console http.Handler

	// Pages are further paths of the API's listener, and Explorer is the page at
	// GET /graphql for a browser that asks for one: the sandbox. A handler may
	// replace the headers that every answer has. Optional.
	Pages    map[string]Page
	Explorer http.Handler

	Authenticator auth.Authenticator // of GraphQL and REST
	Operators     *auth.Operators    // who may use the operator side

	TLS            *TLS           // of the API, and of the operator side if it says so; nil: plain HTTP
	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed. Optional
	CORSOrigins    []string       // web origins whose scripts may call the API. Optional

	// MaxConnectionsPerAddress bounds the connections of the API that one client
	// address may have: an IPv4 address, a /64 of IPv6, and twice as many for its
	// /48. Those of TrustedProxies are exempt. 0: any number.
	MaxConnectionsPerAddress int

	// Ready says whether requests can be served: store, root key, migrations.
	// Its error is logged, never answered. It runs at most once at a time and
	// gets a context of one second.
	Ready func(context.Context) error

	// Refused is told of every request of the API that is turned away here, and
	// OperatorRefused of those of the operator side.
	Refused, OperatorRefused func(context.Context, domain.Code)

	// Answered is told of every answer of the API: its route, of a closed set,
	// and its status.
	Answered func(route string, status int)

	Traces *trace.Tracer // nil: none are recorded

	Logger          *slog.Logger  // over a [LogRequestID] handler, to name the request in every line
	DrainDelay      time.Duration // how long requests are served after readiness has turned red. Optional
	ShutdownTimeout time.Duration // how long a drain may take after that

	most, memory int // bounds of the API that tests make smaller; 0: the constants
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

	// As many requests are at work at once: a connection with HTTP/2 can have
	// many, and leave them behind when it closes.
	maxConnections      = 4096
	maxAdminConnections = 64
	maxProbes           = 256 // at work at once

	// What requests that are still arriving may take of memory, in bytes. The
	// buffers that they are read into may be twice as large.
	arrivingMemory      = 16 << 20
	adminArrivingMemory = 4 << 20
)

// Server serves both listeners. Its methods are for one goroutine, but Load.
type Server struct {
	cfg           Config
	api, operator endpoint
	certificates  *certificates // nil: no TLS
	readiness     readiness
	closing       atomic.Bool   // each answer ends its connection
	unable        lograte.Limit // lines of requests whose callers could not be authenticated
}

// Listen reads the certificates and opens both ports, so that a bad file or a
// port in use is found before anything else is started. Nothing is answered
// until [Server.Serve].
func Listen(cfg Config) (*Server, error) {
	if cfg.Operators == nil {
		return nil, errors.New("no authentication is configured for the operator listener")
	}
	s := &Server{cfg: cfg, readiness: readiness{check: cfg.Ready, logger: cfg.Logger}}
	if err := s.configure(); err != nil {
		return nil, err
	}
	overloaded := func(refused func(context.Context, domain.Code)) func() {
		return func() { refused(context.Background(), domain.CodeOverloaded) }
	}
	s.api.open = &connections{most: cmp.Or(cfg.most, maxConnections), perAddress: cfg.MaxConnectionsPerAddress, memory: cmp.Or(cfg.memory, arrivingMemory),
		exempt: cfg.TrustedProxies, refused: overloaded(cfg.Refused), logger: cfg.Logger}
	s.operator.open = &connections{most: maxAdminConnections, memory: adminArrivingMemory,
		refused: overloaded(cfg.OperatorRefused), logger: cfg.Logger}
	if err := s.api.listen("listen", cfg.Listen); err != nil {
		return nil, err
	}
	if err := s.operator.listen("admin-listen", cfg.AdminListen); err != nil {
		_ = s.api.listener.Close()
		return nil, err
	}
	return s, nil
}

// configure makes both HTTP servers, which have no listener yet.
func (s *Server) configure() error {
	if s.cfg.TLS != nil {
		var err error
		if s.certificates, err = openCertificates(*s.cfg.TLS, s.cfg.Logger); err != nil {
			return err
		}
		s.api.tls = s.certificates.config(func(l *loaded) *tls.Config { return l.api })
		if s.cfg.TLS.Operator {
			s.operator.tls = s.certificates.config(func(l *loaded) *tls.Config { return l.operator })
		}
	}
	s.api.working, s.operator.working = make(chan struct{}, maxConnections), make(chan struct{}, maxConnections)
	s.api.http = s.httpServer(&middleware{routes: s.apiRoutes(), cfg: &s.cfg, closing: &s.closing, origins: s.cfg.CORSOrigins, certificates: s.certificates,
		working: s.api.working, probing: make(chan struct{}, maxProbes), answered: s.cfg.Answered, refused: s.cfg.Refused}, writeTimeout)
	s.operator.http = s.httpServer(&middleware{routes: s.operatorRoutes(), admin: s.cfg.Admin, console: s.cfg.Console, operators: s.cfg.Operators, cfg: &s.cfg, closing: &s.closing,
		working: s.operator.working, probing: make(chan struct{}, maxProbes), answered: func(string, int) {}, refused: s.cfg.OperatorRefused}, profileTimeout)
	return nil
}

func (s *Server) httpServer(m *middleware, write time.Duration) *http.Server {
	return &http.Server{
		Handler:                      m,
		ConnContext:                  withConnection,
		DisableGeneralOptionsHandler: true, // "OPTIONS *" meets our own 404, not an empty 200
		ReadHeaderTimeout:            readHeaderTimeout,
		ReadTimeout:                  readTimeout,
		WriteTimeout:                 write,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeaderBytes,
		HTTP2:                        http2Limits(), // which is spoken in TLS only
		ErrorLog:                     httpErrorLog(s.cfg.Logger),
	}
}

// Load returns that of the API and of the operator side. It is safe for
// concurrent use, also while the server is being stopped.
func (s *Server) Load() (api, operator Load) { return s.api.load(), s.operator.load() }

// Addr is the address of the API, with the port that the system chose when
// port 0 was asked for.
func (s *Server) Addr() net.Addr { return s.api.listener.Addr() }

// AdminAddr is the address of the operator side.
func (s *Server) AdminAddr() net.Addr { return s.operator.listener.Addr() }

// Serve answers requests until ctx is done, then drains: readiness turns 503,
// and after DrainDelay no connection is accepted and the requests under way get
// ShutdownTimeout to end. It returns nil when all of them did. Nothing is served after it.
func (s *Server) Serve(ctx context.Context) error {
	var serving sync.WaitGroup
	ended := make(chan error, 2)
	for _, e := range []*endpoint{&s.api, &s.operator} {
		serving.Go(func() { ended <- e.serve() })
	}
	watched, unwatch := context.WithCancel(context.Background())
	defer unwatch()
	if s.certificates != nil {
		serving.Go(func() { s.certificates.watch(watched) })
	}
	s.sayReady()

	var broke error
	select {
	case <-ctx.Done():
		s.cfg.Logger.Info("draining", "delay", s.cfg.DrainDelay.String(), "timeout", s.cfg.ShutdownTimeout.String())
		broke = s.turnAway(ended)
	case broke = <-ended:
	}
	err := s.drain()
	unwatch()
	serving.Wait()
	if broke != nil {
		return fmt.Errorf("serving: %w", broke)
	}
	return err
}

// turnAway goes on serving while readiness is red, until load balancers have
// noticed. In the second half of that time each answer ends its connection, so
// that none is open by which a request could come when the port closes.
func (s *Server) turnAway(ended <-chan error) error {
	s.readiness.draining.Store(true)
	if s.cfg.DrainDelay == 0 {
		return nil
	}
	for _, closing := range []bool{false, true} {
		s.closing.Store(closing)
		select {
		case <-time.After(s.cfg.DrainDelay / 2):
		case err := <-ended:
			return err
		}
	}
	return nil
}

// sayReady is a line that others search for: what it begins with stays.
func (s *Server) sayReady() {
	attrs := []any{"api", s.Addr().String(), "operator", s.AdminAddr().String()}
	if s.certificates != nil {
		attrs = append(attrs, "tls", true, "admin_tls", s.operator.tls != nil)
	}
	if s.cfg.Console != nil {
		attrs = append(attrs, "console", s.operator.url()+"/")
	}
	if s.cfg.Explorer != nil {
		attrs = append(attrs, "sandbox", s.api.url()+"/sandbox/")
	}
	s.cfg.Logger.Info("ready", attrs...)
}

func (s *Server) drain() error {
	s.readiness.draining.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), s.cfg.ShutdownTimeout)
	defer cancel()
	err := errors.Join(s.api.shutdown(ctx), s.api.empty(ctx))
	if err != nil {
		_ = s.api.http.Close()
		err = fmt.Errorf("draining: requests were cut off after %v", s.cfg.ShutdownTimeout)
	}
	// Closed, not drained: a profile that runs for minutes must not delay the
	// stop, and the next scrape comes soon.
	_ = s.operator.http.Close()
	return err
}
