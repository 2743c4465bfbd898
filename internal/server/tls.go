package server

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"sync/atomic"
	"time"
)

// TLS names the files with which a listener speaks TLS. All are PEM. They are
// read when the server starts, and again within seconds after a change.
type TLS struct {
	Cert string // path of the certificate chain, leaf first
	Key  string // path of its private key, not encrypted

	ClientCA  string // path of the CAs for client certificates, which every client of the API must have; empty: none
	GatewayCA string // like ClientCA, but clients without a certificate are accepted too. Only one of the two can be set

	Operator bool // the operator side speaks TLS too; it requests no client certificates
}

const (
	lookEvery  = 2 * time.Second
	warnBefore = 14 * 24 * time.Hour // before a certificate expires
	warnEvery  = 24 * time.Hour
)

// aeadSuites are the accepted cipher suites of TLS 1.2. They have forward
// secrecy, so a stolen certificate key decrypts no recorded traffic, and
// authenticated encryption. All suites of TLS 1.3 have both. Go chooses their
// order.
var aeadSuites = []uint16{
	tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
	tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
	tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
}

// hsts makes a browser use only TLS for two years. It has no includeSubDomains,
// because other services may run on subdomains.
var hsts = []string{"max-age=63072000"}

// certificates are the files of a TLS as they were last read, all of them
// together. A handshake uses the current ones. Open connections keep those of
// their handshake.
type certificates struct {
	from    TLS
	logger  *slog.Logger
	current atomic.Pointer[loaded]

	// Only the goroutine that watches the files uses these.
	seen      []fs.FileInfo // of the files that are in use
	complaint string        // why the files could not be used at the last check; "" if they could
	warned    time.Time     // when the last warning about expiry was logged
}

// loaded is the result of reading the files once.
type loaded struct {
	api, operator *tls.Config
	notAfter      time.Time           // of the leaf
	roots         map[string]struct{} // the authorities of clients, by their DER
}

// openCertificates reads the files for the first time. Its errors name the
// setting, never the path: somebody may have put a key there by mistake.
func openCertificates(from TLS, logger *slog.Logger) (*certificates, error) {
	c := &certificates{from: from, logger: logger}
	c.seen = c.look()
	if err := c.load(); err != nil {
		return nil, err
	}
	c.warn(time.Now())
	return c, nil
}

// config returns the configuration of one listener. Go encrypts its session
// tickets with keys of its own, which it changes daily. So a ticket of one
// listener is useless at the other, which requests different certificates.
func (c *certificates) config(side func(*loaded) *tls.Config) *tls.Config {
	outer := newTLSConfig()
	outer.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) { return side(c.current.Load()), nil }
	return outer
}

// newTLSConfig returns what all configurations have in common. Key exchange is
// Go's default: X25519MLKEM768 first, so that a quantum computer cannot decrypt
// traffic that is recorded now.
func newTLSConfig() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, CipherSuites: aeadSuites, NextProtos: []string{"h2", "http/1.1"}}
}

// watch reads the files again when they change, until ctx is done.
func (c *certificates) watch(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			c.refresh()
			c.warn(time.Now())
		}
	}
}

// refresh reads the files if one has changed since they were last loaded. They may be
// unusable, because one is half written or only one of a pair is new. Then it keeps the
// previous ones and logs the cause once. It reads the files again at each check, because
// sameFile does not see a chmod.
func (c *certificates) refresh() {
	seen := c.look() // before reading, so that the next check finds a change in between
	if slices.EqualFunc(seen, c.seen, sameFile) {
		c.complaint = ""
		return
	}
	err := c.load()
	if err == nil {
		c.seen, c.complaint, c.warned = seen, "", time.Time{}
		return
	}
	if c.complaint != err.Error() {
		c.complaint = err.Error()
		c.logger.Warn("changed TLS files cannot be used; the previous ones stay in use", "error", c.complaint)
	}
}

// look returns the state of each file; nil if it does not exist.
func (c *certificates) look() []fs.FileInfo {
	var infos []fs.FileInfo
	for _, path := range []string{c.from.Cert, c.from.Key, c.from.ClientCA, c.from.GatewayCA} {
		info, err := os.Stat(path)
		if err != nil {
			info = nil
		}
		infos = append(infos, info)
	}
	return infos
}

func sameFile(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

func (c *certificates) load() error {
	pair, err := readPair(c.from.Cert, c.from.Key)
	if err != nil {
		return err
	}
	l := &loaded{api: newTLSConfig(), operator: newTLSConfig(), notAfter: pair.Leaf.NotAfter}
	l.api.Certificates, l.operator.Certificates = []tls.Certificate{pair}, []tls.Certificate{pair}
	switch {
	case c.from.ClientCA != "":
		l.api.ClientAuth = tls.RequireAndVerifyClientCert
		l.api.ClientCAs, l.roots, err = readPool("tls-client-ca", c.from.ClientCA)
	case c.from.GatewayCA != "":
		l.api.ClientAuth = tls.VerifyClientCertIfGiven
		l.api.ClientCAs, l.roots, err = readPool("gateway-client-ca", c.from.GatewayCA)
	}
	if err != nil {
		return err
	}
	c.current.Store(l)
	c.logger.Info("TLS certificate loaded", "not_after", l.notAfter.UTC().Format(time.RFC3339))
	return nil
}

// warn logs once a day that the certificate expires soon or has expired.
func (c *certificates) warn(now time.Time) {
	end := c.current.Load().notAfter
	if end.Sub(now) > warnBefore || now.Sub(c.warned) < warnEvery {
		return
	}
	c.warned = now
	message := "the TLS certificate expires soon"
	if now.After(end) {
		message = "the TLS certificate has expired: clients refuse it"
	}
	c.logger.Warn(message, "not_after", end.UTC().Format(time.RFC3339))
}

// distrusted reports whether a new handshake would refuse the client certificate. Since
// the handshake of the connection, a certificate may have expired, or a CA may have been
// removed from the file.
func (c *certificates) distrusted(r *http.Request) bool {
	if c == nil || r.TLS == nil || len(r.TLS.VerifiedChains) == 0 {
		return false
	}
	roots, now := c.current.Load().roots, time.Now()
	expired := func(in *x509.Certificate) bool { return now.After(in.NotAfter) }
	return !slices.ContainsFunc(r.TLS.VerifiedChains, func(chain []*x509.Certificate) bool {
		_, still := roots[string(chain[len(chain)-1].Raw)]
		return still && !slices.ContainsFunc(chain, expired)
	})
}
