// Package cloudtest fakes AWS KMS, Google Cloud KMS, Azure Key Vault and their token
// services under their real host names. A proxy on this machine takes every connection
// of a process whose environment names it. So the clouds' clients run unchanged, with
// their default addresses, and their signatures are checked. No cloud is called.
package cloudtest

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// World is the fake clouds, and the proxy that leads to them.
type World struct {
	AWS    AWS
	Google Google
	Azure  Azure

	dir      string
	ca       *x509.Certificate
	key      *ecdsa.PrivateKey
	proxy    net.Listener
	arrivals arrivals
	servers  []*http.Server

	mu      sync.Mutex
	cut     []string
	cuts    int // connections still to cut; below 0: all
	slow    bool
	mute    bool
	flood   []string
	flooded int // bytes
	unnamed string
	certs   map[string]*tls.Certificate
	hosts   map[string]int
}

// Start starts a world that keeps its files in dir.
func Start(dir string) (*World, error) {
	w := &World{dir: dir, certs: map[string]*tls.Certificate{}, hosts: map[string]int{}, arrivals: arrivals{make(chan net.Conn), make(chan struct{})}}
	if err := w.makeCA(); err != nil {
		return nil, err
	}
	w.AWS.begin()
	w.Azure.begin()
	err := w.Google.begin(dir)
	if err != nil {
		return nil, err
	}
	if w.proxy, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	quiet := log.New(io.Discard, "", 0)
	inside := &http.Server{ErrorLog: quiet, Handler: http.HandlerFunc(w.answer), ReadHeaderTimeout: time.Minute,
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: w.certificate, NextProtos: []string{"http/1.1"}}}
	outside := &http.Server{ErrorLog: quiet, Handler: http.HandlerFunc(w.connect), ReadHeaderTimeout: time.Minute}
	w.servers = []*http.Server{inside, outside}
	go func() { _ = inside.ServeTLS(w.arrivals, "", "") }()
	go func() { _ = outside.Serve(w.proxy) }()
	return w, nil
}

// Close stops the world.
func (w *World) Close() {
	close(w.arrivals.end)
	for _, s := range w.servers {
		_ = s.Close()
	}
}

// Env returns the environment of a process in this world, without credentials. It turns
// off the metadata services of machines, because this world has none.
func (w *World) Env() []string {
	proxy := "http://" + w.proxy.Addr().String()
	return []string{"HTTPS_PROXY=" + proxy, "HTTP_PROXY=" + proxy, "NO_PROXY=", "SSL_CERT_FILE=" + w.CAFile(), "AWS_CA_BUNDLE=" + w.CAFile(), "AWS_EC2_METADATA_DISABLED=true"}
}

// CAFile returns the file of the CA certificate of the world's servers.
func (w *World) CAFile() string { return filepath.Join(w.dir, "ca.pem") }

// Cut cuts the connections to hosts, named by prefixes, until it is called without one.
func (w *World) Cut(hosts ...string) { w.CutFor(-1, hosts...) }

// CutFor cuts the next n connections to hosts, named by prefixes.
func (w *World) CutFor(n int, hosts ...string) { w.set(func() { w.cut, w.cuts = hosts, n }) }

// Slow makes requests wait until their client gives up.
func (w *World) Slow(slow bool) { w.set(func() { w.slow = slow }) }

// Mute makes requests succeed with an empty answer.
func (w *World) Mute(mute bool) { w.set(func() { w.mute = mute }) }

// Flood makes the answers of hosts, named by prefixes, never end, until it is called
// without one.
func (w *World) Flood(hosts ...string) { w.set(func() { w.flood, w.flooded = hosts, 0 }) }

// Flooded returns how many bytes of answers that do not end clients took: those in the
// buffers of connections count too.
func (w *World) Flooded() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.flooded
}

// pour writes an answer that does not end, until the client closes the connection.
func (w *World) pour(rw http.ResponseWriter) {
	rw.Header().Set("Content-Type", "application/json")
	part := []byte(`{"Plaintext":"`)
	for {
		n, err := rw.Write(part)
		if w.set(func() { w.flooded += n }); err != nil {
			return
		}
		part = bytes.Repeat([]byte("A"), 16<<10)
	}
}

// Mistrust makes a host, named by a prefix, show a certificate for another name.
func (w *World) Mistrust(host string) {
	w.set(func() { w.unnamed, w.certs = host, map[string]*tls.Certificate{} })
}

// Hosts returns the number of requests to each host since the last call.
func (w *World) Hosts() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.hosts
	w.hosts = map[string]int{}
	return all
}

func (w *World) set(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
}

func (w *World) is(host string) (cut, slow bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cuts == 0 || !slices.ContainsFunc(w.cut, func(is string) bool { return strings.HasPrefix(host, is) }) {
		return false, w.slow
	}
	w.cuts--
	return true, w.slow
}

// connect is the handler of the proxy. Requests without TLS are for metadata services.
func (w *World) connect(rw http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodConnect {
		http.Error(rw, "no metadata services in this world", http.StatusForbidden)
		return
	}
	conn, buffered, err := rw.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	if cut, _ := w.is(r.Host); cut {
		_ = conn.Close()
		return
	}
	if _, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		return
	}
	select {
	case w.arrivals.conns <- &arrived{conn, buffered.Reader}:
	case <-w.arrivals.end:
		_ = conn.Close()
	}
}

// answer is the handler of all servers.
func (w *World) answer(rw http.ResponseWriter, r *http.Request) {
	host := strings.TrimSuffix(r.Host, ":443")
	w.set(func() { w.hosts[host]++ })
	cut, slow := w.is(host)
	if cut { // this connection was kept alive from before
		if conn, _, err := rw.(http.Hijacker).Hijack(); err == nil {
			_ = conn.Close()
		}
		return
	}
	if slow {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
		panic(http.ErrAbortHandler) // a return would be an empty answer with 200
	}
	mute, flood := false, false
	w.set(func() {
		mute, flood = w.mute, slices.ContainsFunc(w.flood, func(is string) bool { return strings.HasPrefix(host, is) })
	})
	switch {
	case mute:
		return
	case flood:
		w.pour(rw)
		return
	}
	switch {
	case strings.HasPrefix(host, "kms.") && strings.HasSuffix(host, ".amazonaws.com"):
		w.AWS.serve(rw, r, strings.Split(host, ".")[1])
	case host == "cloudkms.googleapis.com":
		w.Google.serve(rw, r)
	case host == "oauth2.googleapis.com":
		w.Google.token(rw, r)
	case strings.HasSuffix(host, ".vault.azure.net"):
		w.Azure.serve(rw, r, host)
	case host == "login.microsoftonline.com":
		w.Azure.login(rw, r)
	default:
		http.Error(rw, "no such host in this world", http.StatusBadGateway)
	}
}

// arrivals is the listener of the connections that came through the proxy.
type arrivals struct {
	conns chan net.Conn
	end   chan struct{}
}

func (a arrivals) Accept() (net.Conn, error) {
	select {
	case c := <-a.conns:
		return c, nil
	case <-a.end:
		return nil, net.ErrClosed
	}
}

func (arrivals) Close() error { return nil }

func (arrivals) Addr() net.Addr { return &net.TCPAddr{} }

type arrived struct {
	net.Conn
	read *bufio.Reader
}

func (a *arrived) Read(b []byte) (int, error) { return a.read.Read(b) }

func (w *World) makeCA() error {
	var err error
	if w.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		return err
	}
	w.ca = &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "cloudtest"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(24 * time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, w.ca, w.ca, &w.key.PublicKey, w.key)
	if err != nil {
		return err
	}
	return os.WriteFile(w.CAFile(), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600)
}

func (w *World) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c := w.certs[hello.ServerName]; c != nil {
		return c, nil
	}
	leaf := &x509.Certificate{SerialNumber: big.NewInt(int64(len(w.certs) + 2)), DNSNames: []string{hello.ServerName},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	if w.unnamed != "" && strings.HasPrefix(hello.ServerName, w.unnamed) {
		leaf.DNSNames = []string{"nobody.example"}
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, w.ca, &w.key.PublicKey, w.key)
	if err != nil {
		return nil, err
	}
	c := &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: w.key}
	w.certs[hello.ServerName] = c
	return c, nil
}
