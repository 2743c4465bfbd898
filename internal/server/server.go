// Package server is the HTTP server: two listeners, the middleware before every
// handler, readiness, draining, and the lock on the data directory.
//
// What all requests have in common is done here once. A handler sees only
// requests that have an id, a caller and limits, and its answers always get the
// standard headers and a log line. Routes are exact paths in a table, without
// patterns.
//
// The threats, and what prevents them:
//
//   - An operator's page is reached through the public port. The two listeners
//     share no routes.
//   - The log repeats what a client sent. Only known route names, methods and
//     numbers are logged, and only the type of a panic.
//   - A client is slow or never ends. Each phase of a connection has a limit,
//     and so have the numbers of connections and requests.
//   - A client forges its address. Only configured proxies are trusted.
//   - A certificate is only half replaced. Files that do not fit together are
//     not used.
package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"strongroom/internal/domain"
)

// Listen reads the certificates and opens both ports, so that a bad file or a
// port in use is found before anything else starts. Nothing is answered until
// [Server.Serve].
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
	most := min(cmp.Or(cfg.MaxConnections, maxConnections), maxConnections)
	if most < maxConnections {
		cfg.Logger.Warn("the limit of open files leaves room for few connections: raise it to 8192", "connections", most)
	}
	s.api.open = &connections{most: most, perAddress: cfg.MaxConnectionsPerAddress, memory: cmp.Or(cfg.memory, arrivingMemory),
		exempt: cfg.TrustedProxies, refused: overloaded(cfg.Refused), logger: cfg.Logger}
	s.operator.open = &connections{most: maxAdminConnections, memory: adminArrivingMemory,
		refused: overloaded(cfg.OperatorRefused), logger: cfg.Logger}
	if err := s.api.listen("listen", cfg.Listen); err != nil {
		return nil, err
	}
	if err := s.operator.listen("admin-listen", cfg.AdminListen); err != nil {
		_ = s.api.open.Close()
		return nil, err
	}
	return s, nil
}

// configure creates both HTTP servers, without listeners.
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
	s.profiles, s.endProfiles = context.WithCancel(context.Background())
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
		DisableGeneralOptionsHandler: true, // "OPTIONS *" gets our 404, not an empty 200
		ReadHeaderTimeout:            readHeaderTimeout,
		ReadTimeout:                  readTimeout,
		WriteTimeout:                 write,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeaderBytes,
		HTTP2:                        http2Limits(), // only with TLS
		ErrorLog:                     httpErrorLog(s.cfg.Logger),
	}
}

// Load returns the load of the API and of the operator side. It is safe for
// concurrent use, even while the server stops.
func (s *Server) Load() (api, operator Load) { return s.api.load(), s.operator.load() }

// Addr returns the address of the API, with the port that the system chose if
// [Config.Listen] has port 0.
func (s *Server) Addr() net.Addr { return s.api.open.Addr() }

// Serve answers requests until ctx is done, then drains: readiness becomes 503.
// After DrainDelay, no connections are accepted, and requests in progress get
// ShutdownTimeout to end, those of operators at least operatorTimeout. It returns nil if
// all of them did. The server cannot be used again.
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

// turnAway keeps serving while readiness fails, until load balancers have
// noticed. In the second half of that time, each answer closes its connection,
// so that no request can arrive on an open connection when the port closes.
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

// sayReady logs a line that tools search for: its beginning must not change.
func (s *Server) sayReady() {
	attrs := []any{"api", s.Addr().String(), "operator", s.operator.open.Addr().String()}
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

// drain ends the API first, so that the operator side can show that the service drains.
func (s *Server) drain() error {
	s.readiness.draining.Store(true)
	end := time.Now().Add(s.cfg.ShutdownTimeout)
	err := s.api.drain(end)
	s.endProfiles()
	if least := time.Now().Add(operatorTimeout); end.Before(least) {
		end = least
	}
	if err = errors.Join(err, s.operator.drain(end)); err != nil {
		return errors.New("draining: requests were cut off; with a longer --shutdown-timeout, more of them end")
	}
	return nil
}

// http2Limits limits one HTTP/2 connection. RFC 9113 asks for at least 100
// streams. If a client resets streams immediately, net/http still runs no more
// handlers than that, and closes the connection above four times as many. All
// unread bodies together may have 64 KiB, the size of the longest single one.
func http2Limits() *http.HTTP2Config {
	return &http.HTTP2Config{
		MaxConcurrentStreams:          100,
		MaxReadFrameSize:              16 << 10, // a buffer of this size is allocated before a frame arrives
		MaxReceiveBufferPerConnection: 64 << 10,
		MaxReceiveBufferPerStream:     64 << 10,
		// The timeouts of streams do not end a connection whose client has stopped
		// reading.
		WriteByteTimeout: writeTimeout,
	}
}

// CertificateNotAfter returns when the TLS certificate in use expires. ok is
// false with plain HTTP. It is safe for concurrent use.
func (s *Server) CertificateNotAfter() (end time.Time, ok bool) {
	if s.certificates == nil {
		return time.Time{}, false
	}
	return s.certificates.current.Load().notAfter, true
}
