package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
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
	Redeem  http.Handler // POST /api/receipts/redeem
	SDL     string       // GET /schema.graphql; empty: not served
	// KeySet returns the public signing keys as a JWK Set, and its entity tag, for
	// GET /.well-known/jwks.json. An empty set: they cannot be read. nil: not served.
	KeySet  func() (set []byte, tag string)
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
	Redeemers     auth.Authenticator // of Redeem
	// Nonce returns the header DPoP-Nonce of an answer to a caller (RFC 9449, 8.2);
	// empty: none. Nil: never.
	Nonce     func() string
	Operators *auth.Operators // who may use the operator side

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

	// RootKeys are those of the settings, at their last check. Operators see them beside
	// the readiness. Optional.
	RootKeys func() []domain.RootKey

	// DeadNodes are the nodes of a distributed database that did not answer at the last
	// check. Operators see them beside the readiness. Optional.
	DeadNodes func() []string

	// Refused is called for every request of the API that this package refuses, and
	// OperatorRefused for those of the operator side.
	Refused, OperatorRefused func(context.Context, domain.Code)

	// RefusedCaller is called for every request whose caller is not authenticated. It
	// returns the error to answer with: its argument, or TOO_MANY_REQUESTS.
	RefusedCaller func(context.Context, *domain.Error) *domain.Error

	// Answered is called for every answer of the API with its route, from a closed
	// set, and its status.
	Answered func(route string, status int)

	Traces *trace.Tracer // nil: none are recorded

	// LogSample N logs one in N successful requests of the API. 0 and 1 log all.
	LogSample       int
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
