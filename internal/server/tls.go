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

// TLS says which files make a listener speak TLS. Each is PEM, is read when
// the server starts, and again within seconds of a change.
type TLS struct {
	Cert string // path of the certificate chain, leaf first
	Key  string // path of its private key, not encrypted

	ClientCA  string // path of the authorities of which every client of the API must show a certificate; empty: none
	GatewayCA string // path of those of which it may show one; empty: none. Only one of the two can be

	Operator bool // the operator side speaks TLS too; no client certificate is asked for there
}

const (
	lookEvery  = 2 * time.Second
	warnBefore = 14 * 24 * time.Hour // of a certificate that ends
	warnEvery  = 24 * time.Hour
)

// aeadSuites are the suites of TLS 1.2 that are left: ephemeral keys, so that
// a stolen certificate key opens nothing that was recorded, and authenticated
// encryption. Those of TLS 1.3 are all like that. Go chooses their order.
var aeadSuites = []uint16{
	tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
	tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
	tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
}

// hsts makes a browser that came by TLS come by TLS only, for two years. What
// else runs below the host's name is not ours to decide: no includeSubDomains.
var hsts = []string{"max-age=63072000"}

// certificates are the files of a TLS as they were last read, whole. A
// handshake takes what is there at its time; connections that are open keep
// what they began with.
type certificates struct {
	from    TLS
	logger  *slog.Logger
	current atomic.Pointer[loaded]

	// For the one goroutine that looks.
	seen      []fs.FileInfo
	complaint string    // what was wrong with the files at the last look, "" for nothing
	warned    time.Time // when it was last said that the certificate ends
}

// loaded is what one reading of the files gave.
type loaded struct {
	api, operator *tls.Config
	notAfter      time.Time           // of the leaf
	roots         map[string]struct{} // the authorities of clients, by their DER
}

// openCertificates reads the files for the first time. Its errors name the
// setting and never the path: somebody will have put a key there.
func openCertificates(from TLS, logger *slog.Logger) (*certificates, error) {
	c := &certificates{from: from, logger: logger}
	c.seen = c.look()
	if err := c.load(); err != nil {
		return nil, err
	}
	c.warn(time.Now())
	return c, nil
}

// config is what a listener is given. Its session tickets are encrypted with
// keys of its own that Go makes and changes daily; a ticket of one listener is
// nothing to the other, which asks for other certificates.
func (c *certificates) config(side func(*loaded) *tls.Config) *tls.Config {
	outer := newTLSConfig()
	outer.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) { return side(c.current.Load()), nil }
	return outer
}

// newTLSConfig is what all of ours have in common. Key exchange is as Go has
// it: X25519MLKEM768 first, so that what is recorded now stays closed to a
// quantum computer.
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

// refresh reads the files if one has changed. What cannot be used, because it
// is half written or because only one of a pair is new, is said once, and what
// was there before stays until the next change.
func (c *certificates) refresh() {
	seen := c.look() // before reading: a change in between is then found by the next look
	if slices.EqualFunc(seen, c.seen, sameFile) {
		return
	}
	c.seen = seen
	err := c.load()
	if err == nil {
		c.complaint, c.warned = "", time.Time{}
		return
	}
	if c.complaint != err.Error() {
		c.complaint = err.Error()
		c.logger.Warn("changed TLS files cannot be used; the previous ones stay in use", "error", c.complaint)
	}
}

// look notes how each file is now; nil for one that is not there.
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

// warn says once a day that the certificate ends soon, or has ended.
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

// distrusted reports whether a client's certificate is of an authority that was
// removed from the file after the handshake, which can be long ago.
func (c *certificates) distrusted(r *http.Request) bool {
	if c == nil || r.TLS == nil || len(r.TLS.VerifiedChains) == 0 {
		return false
	}
	roots := c.current.Load().roots
	return !slices.ContainsFunc(r.TLS.VerifiedChains, func(chain []*x509.Certificate) bool {
		_, still := roots[string(chain[len(chain)-1].Raw)]
		return still
	})
}
