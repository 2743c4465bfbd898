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
	// KeySet returns the public signing keys as a JWK Set, and its entity tag,
	// for GET /.well-known/jwks.json. An empty set means that they cannot be
	// read. nil: not served.
	KeySet  func() (set []byte, tag string)
	Metrics http.Handler // GET /metrics on the operator side
	Admin   http.Handler // serves /admin/v1 and all paths below it on the operator side; answers every method itself. Optional

	// Console serves all other paths of the operator side to browsers: to
	// requests without an Authorization header. It must authenticate them itself,
	// with its own cookies, before any answer tells which paths exist. Optional.
	Console http.Handler

	// The sandbox. Pages are more paths of the API's listener. Explorer is the
	// page that a browser gets at GET /graphql. A handler may replace the headers
	// that every answer has. Optional.
	Pages    map[string]Page
	Explorer http.Handler

	Authenticator auth.Authenticator // of GraphQL and REST
	Redeemers     auth.Authenticator // of Redeem
	// Nonce returns the value of the DPoP-Nonce header (RFC 9449, 8.2) for an
	// answer to a caller; empty: no header. Optional.
	Nonce     func() string
	Operators *auth.Operators // authenticates the requests of the operator side

	TLS            *TLS           // for the API, and for the operator side if TLS.Operator is set; nil: plain HTTP
	TrustedProxies []netip.Prefix // proxies whose X-Forwarded-For is trusted. Optional
	CORSOrigins    []string       // web origins whose scripts may call the API. Optional

	// MaxConnections limits the open connections of the API, to fewer than 4096 if the
	// process may not open enough files. 0: 4096.
	MaxConnections int

	// MaxConnectionsPerAddress limits the open connections of the API for each
	// IPv4 address and each IPv6 /64. An IPv6 /48 gets twice as many. Connections
	// of TrustedProxies are exempt. 0: no limit.
	MaxConnectionsPerAddress int

	// Ready returns an error if requests cannot be served. The error is logged,
	// never sent to a client. Ready is called at most once at a time, and has a
	// deadline of its own of 1 s.
	Ready func(context.Context) error

	// RootKeys returns the configured root keys with the result of their last
	// check, for the readiness on the operator side. Optional.
	RootKeys func() []domain.RootKey

	// DeadNodes returns the nodes of a distributed database that did not answer
	// at the last check, for the readiness on the operator side. Optional.
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

	Traces *trace.Tracer // nil: no traces are recorded

	// LogSample N logs one in N successful requests of the API. 0 and 1 log all.
	LogSample       int
	Logger          *slog.Logger  // over a [LogRequestID] handler, to name the request in every line
	DrainDelay      time.Duration // how long requests are still served after readiness has failed. Optional
	ShutdownTimeout time.Duration // how long requests in progress may take after that

	memory int // limit of the API that only tests lower; 0: the constant
}

// Limits on a connection. A queued RSA and Argon2id job may take seconds under
// load, so writing is given much longer than reading.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 10 * time.Second
	writeTimeout      = 60 * time.Second
	refusalTimeout    = 2 * time.Second // to write the answer of a request for which there is no memory
	profileTimeout    = 5 * time.Minute // a profile is written when it ends
	idleTimeout       = 60 * time.Second
	silentTimeout     = 5 * time.Second // of a client, during a drain
	operatorTimeout   = 2 * time.Second // least time for operators' requests in a drain, even if the API's used up ShutdownTimeout
	maxHeaderBytes    = 80 << 10        // room for the 64 KiB document of a GET; a longer one still gets an error in JSON

	// maxConnections also limits the requests that are processed at the same
	// time, on each listener: one HTTP/2 connection can have many, which continue
	// after it closes.
	maxConnections      = 4096
	maxAdminConnections = 64
	maxProbes           = 256 // processed at the same time

	// Limits on the memory for requests that wait for their client, in bytes. The
	// buffers that they are read into may be twice as large.
	arrivingMemory      = 16 << 20
	adminArrivingMemory = 4 << 20
)

// Server serves both listeners. Only one goroutine may use it, except for
// [Server.Load] and [Server.CertificateNotAfter].
type Server struct {
	cfg           Config
	api, operator endpoint
	certificates  *certificates // nil: no TLS
	readiness     readiness
	profiles      context.Context // ends when the server stops
	endProfiles   context.CancelFunc
	closing       atomic.Bool   // each answer closes its connection
	unable        lograte.Limit // limits log lines about callers that could not be authenticated
}
