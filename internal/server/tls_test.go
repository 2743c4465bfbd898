package server

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	stdlog "log"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"strongroom/internal/auth"
	"strongroom/internal/domain"
	"strongroom/internal/lograte"
)

// authority is a certificate authority of a test.
type authority struct {
	t           *testing.T
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	a := &authority{t: t, key: newKey(t)}
	a.certificate = a.sign(&x509.Certificate{Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign}, &a.key.PublicKey, nil)
	return a
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// sign makes a certificate of what template says; the rest is good for a day.
func (a *authority) sign(template *x509.Certificate, key any, parent *x509.Certificate) *x509.Certificate {
	a.t.Helper()
	template.SerialNumber, _ = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 100))
	if template.NotAfter.IsZero() {
		template.NotAfter = time.Now().Add(24 * time.Hour)
	}
	template.NotBefore = template.NotAfter.Add(-30 * 24 * time.Hour)
	if parent == nil {
		parent = template
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	return certificate
}

// issue makes a key pair for a server that is named "localhost", unless change
// says otherwise.
func (a *authority) issue(change func(*x509.Certificate)) tls.Certificate {
	a.t.Helper()
	template := &x509.Certificate{DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	if change != nil {
		change(template)
	}
	key := newKey(a.t)
	leaf := a.sign(template, &key.PublicKey, a.certificate)
	return tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key, Leaf: leaf}
}

func forClients(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth} }

func (a *authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.certificate)
	return pool
}

// pemOf is a certificate as it is in a file.
func pemOf(certificate *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw})
}

func keyPEM(t *testing.T, key any) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

// files are a server's certificate and key in a directory of the test.
type files struct {
	t *testing.T
	TLS
}

func newFiles(t *testing.T, pair tls.Certificate) *files {
	dir := t.TempDir()
	f := &files{t, TLS{Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}}
	f.put(pair)
	return f
}

func (f *files) put(pair tls.Certificate) {
	f.t.Helper()
	f.write(f.Cert, pemOf(pair.Leaf))
	f.write(f.Key, keyPEM(f.t, pair.PrivateKey))
}

// write replaces a file as tools that renew certificates do.
func (f *files) write(path string, text []byte) {
	f.t.Helper()
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		f.t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		f.t.Fatal(err)
	}
}

func (f *files) authorities(pool ...*authority) string {
	path := filepath.Join(filepath.Dir(f.Cert), "clients.pem")
	var text []byte
	for _, a := range pool {
		text = append(text, pemOf(a.certificate)...)
	}
	f.write(path, text)
	return path
}

// trusting is a client that speaks TLS as config says, and HTTP/2 if it may.
func (r *running) trusting(config *tls.Config) *running {
	other := *r
	other.client = &http.Client{Transport: &http.Transport{TLSClientConfig: config.Clone(), ForceAttemptHTTP2: true}}
	r.t.Cleanup(other.client.CloseIdleConnections)
	return &other
}

// handshake is one handshake, and a byte that follows it: in TLS 1.3 a client
// learns no sooner that it was refused.
func handshake(t *testing.T, client, server *tls.Config) (tls.ConnectionState, error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	done := make(chan error, 1)
	go func() {
		theirs, err := l.Accept()
		if err == nil {
			_, err = tls.Server(theirs, server).Write([]byte{1})
			_ = theirs.Close()
		}
		done <- err
	}()
	ours, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c := tls.Client(ours, client)
	_, err = io.ReadFull(c, make([]byte, 1))
	_ = ours.Close()
	return c.ConnectionState(), errors.Join(err, <-done)
}

func TestTLSAllowsModernSuitesOnlyAndPrefersPostQuantumKeyExchange(t *testing.T) {
	ca := newAuthority(t, "ca")
	weak, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	rsaLeaf := ca.sign(&x509.Certificate{DNSNames: []string{"localhost"}}, &weak.PublicKey, ca.certificate)
	for kind, pair := range map[string]tls.Certificate{"ECDSA": ca.issue(nil), "RSA": {PrivateKey: weak, Leaf: rsaLeaf}} {
		c, err := openCertificates(newFiles(t, pair).TLS, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		server := c.config(func(l *loaded) *tls.Config { return l.api })
		shake := func(client *tls.Config) (tls.ConnectionState, error) {
			client.RootCAs, client.ServerName = ca.pool(), "localhost"
			return handshake(t, client, server)
		}
		got, err := shake(&tls.Config{NextProtos: []string{"http/1.1", "h2"}})
		if err != nil || got.Version != tls.VersionTLS13 || got.CurveID != tls.X25519MLKEM768 || got.NegotiatedProtocol != "h2" {
			t.Errorf("%s: a modern client: %v, version %x, key exchange %v, protocol %q", kind, err, got.Version, got.CurveID, got.NegotiatedProtocol)
		}
		if got, err := shake(&tls.Config{CurvePreferences: []tls.CurveID{tls.X25519}}); err != nil || got.CurveID != tls.X25519 {
			t.Errorf("%s: an older client: %v, key exchange %v", kind, err, got.CurveID)
		}
		if _, err := shake(&tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}); err == nil {
			t.Errorf("%s: TLS 1.1 is accepted", kind)
		}
		taken := 0
		for _, suite := range slices.Concat(tls.CipherSuites(), tls.InsecureCipherSuites()) {
			if !slices.Contains(suite.SupportedVersions, uint16(tls.VersionTLS12)) {
				continue
			}
			_, err := shake(&tls.Config{MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{suite.ID}})
			aead := strings.HasPrefix(suite.Name, "TLS_ECDHE_"+kind) && (strings.Contains(suite.Name, "_GCM_") || strings.Contains(suite.Name, "_POLY1305_"))
			if (err == nil) != aead {
				t.Errorf("%s: %s: %v", kind, suite.Name, err)
			}
			if err == nil {
				taken++
			}
		}
		if taken != 3 {
			t.Errorf("%s: %d suites of TLS 1.2 are accepted", kind, taken)
		}
	}
}

func TestARenewedCertificateIsServedAndConnectionsStayOpen(t *testing.T) {
	ca := newAuthority(t, "ca")
	first, second := ca.issue(nil), ca.issue(nil)
	f := newFiles(t, first)
	r := start(t, Config{TLS: &f.TLS})
	config := &tls.Config{RootCAs: ca.pool()}
	clients := map[string]*running{"HTTP/1.1": r.trusting(config), "HTTP/2.0": r.trusting(config)}
	clients["HTTP/1.1"].client.Transport.(*http.Transport).ForceAttemptHTTP2 = false
	for protocol, c := range clients {
		if serial, reused, proto := c.get(t); serial.Cmp(first.Leaf.SerialNumber) != 0 || reused || proto != protocol {
			t.Errorf("%s: first: certificate %v, reused %v, %s", protocol, serial, reused, proto)
		}
	}
	f.put(second)
	r.log.await(t, "TLS certificate loaded", 2)
	for protocol, c := range clients {
		if serial, reused, _ := c.get(t); serial.Cmp(first.Leaf.SerialNumber) != 0 || !reused {
			t.Errorf("%s: the open connection: certificate %v, reused %v", protocol, serial, reused)
		}
	}
	if serial, _, _ := r.trusting(config).get(t); serial.Cmp(second.Leaf.SerialNumber) != 0 {
		t.Errorf("a new connection: certificate %v", serial)
	}
	if want := "not_after=" + second.Leaf.NotAfter.UTC().Format(time.RFC3339); !strings.Contains(r.log.String(), want) {
		t.Errorf("no %s in the log:\n%s", want, r.log)
	}
}

// get requests a page. It returns the certificate, whether the connection was
// open before, and the protocol.
func (r *running) get(t *testing.T) (serial *big.Int, reused bool, proto string) {
	t.Helper()
	trace := &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) { reused = i.Reused }}
	req, _ := http.NewRequestWithContext(httptrace.WithClientTrace(context.Background(), trace), "GET", r.api+"/healthz", nil)
	res, err := r.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.ReadAll(res.Body); err != nil || res.StatusCode != 200 {
		t.Fatalf("%v, status %d", err, res.StatusCode)
	}
	return res.TLS.PeerCertificates[0].SerialNumber, reused, res.Proto
}

func TestBadTLSFilesAreLoggedOnceAndTheOldOnesKept(t *testing.T) {
	ca, clients := newAuthority(t, "ca"), newAuthority(t, "clients")
	first, second := ca.issue(nil), ca.issue(nil)
	f := newFiles(t, first)
	f.ClientCA = f.authorities(clients)
	var log buffer
	c, err := openCertificates(f.TLS, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	serves := func(want tls.Certificate) {
		t.Helper()
		config := tls.Config{RootCAs: ca.pool(), ServerName: "localhost", Certificates: []tls.Certificate{clients.issue(forClients)}}
		got, err := handshake(t, &config, c.config(func(l *loaded) *tls.Config { return l.api }))
		if err != nil || !got.PeerCertificates[0].Equal(want.Leaf) {
			t.Errorf("%v, or another certificate is served", err)
		}
	}
	chain := slices.Concat(pemOf(second.Leaf), pemOf(ca.certificate))
	for _, step := range []struct {
		name   string
		change func()
		said   string // in the one line
	}{
		{"nothing", func() {}, ""},
		{"half a chain", func() { f.write(f.Cert, chain[:len(chain)-100]) }, "tls-cert: the file ends within a certificate or is damaged"},
		{"whole, but of another key", func() { f.write(f.Cert, chain) }, "tls-key: must hold the private key of tls-cert"},
		{"half a key", func() { f.write(f.Key, keyPEM(t, second.PrivateKey)[:100]) }, "tls-key: must hold"},
		{"less of it", func() { f.write(f.Key, keyPEM(t, second.PrivateKey)[:50]) }, ""},
		{"no key", func() { _ = os.Remove(f.Key) }, "tls-key: the file cannot be opened: no such file or directory"},
		{"no authorities", func() { f.write(f.Key, keyPEM(t, second.PrivateKey)); f.write(f.ClientCA, nil) }, "tls-client-ca: there is no certificate in the file"},
	} {
		log = buffer{}
		step.change()
		for range 3 {
			c.refresh()
		}
		if lines := strings.Count(log.String(), "\n"); !strings.Contains(log.String(), step.said) || lines != min(len(step.said), 1) {
			t.Errorf("%s: want one line of %q, got:\n%s", step.name, step.said, &log)
		}
		serves(first)
	}
	log = buffer{}
	f.authorities(clients)
	for range 3 {
		c.refresh()
	}
	if strings.Count(log.String(), "\n") != 1 || !strings.Contains(log.String(), "TLS certificate loaded") {
		t.Errorf("after they were repaired:\n%s", &log)
	}
	serves(second)
	f.write(f.ClientCA, nil)
	c.refresh()
	if !strings.Contains(log.String(), "tls-client-ca: there is no certificate in the file") {
		t.Errorf("after they were broken again:\n%s", &log)
	}
}

// A reload that skips one authority of several would refuse all clients of it.
func TestADamagedCertificateBetweenOthersIsNoticed(t *testing.T) {
	ca, clients := newAuthority(t, "ca"), newAuthority(t, "clients")
	f := newFiles(t, ca.issue(nil))
	f.ClientCA = f.authorities(ca, clients, ca)
	good := pemOf(clients.certificate)
	for name, damaged := range map[string][]byte{
		"a byte":             bytes.Replace(good, []byte("\nM"), []byte("\n!"), 1),
		"the last line":      good[:len(good)-10],
		"the second half":    append(good[:len(good)/2:len(good)/2], '\n'),
		"the first line":     good[1:],
		"the type at an end": bytes.Replace(good, []byte("END CERTIFICATE"), []byte("END KEY"), 1),
	} {
		f.write(f.ClientCA, slices.Concat(pemOf(ca.certificate), damaged, pemOf(ca.certificate)))
		if _, err := openCertificates(f.TLS, slog.New(slog.DiscardHandler)); err == nil || err.Error() != "tls-client-ca: the file ends within a certificate or is damaged" {
			t.Errorf("%s: %v", name, err)
		}
	}
	f.write(f.ClientCA, slices.Concat([]byte("# authorities\n"), good, keyPEM(t, newKey(t)), []byte("subject=CN=ca\n# -----BEGIN CERTIFICATE-----\n"), pemOf(ca.certificate)))
	if _, roots, err := readPool("tls-client-ca", f.ClientCA); len(roots) != 2 || err != nil {
		t.Errorf("with a key and text between them: %d certificates, %v", len(roots), err)
	}
}

// The log names chmod as the remedy. It changes neither size nor time of the file.
func TestATLSKeyIsReadAgainAfterItsModeWasCorrected(t *testing.T) {
	ca := newAuthority(t, "ca")
	second := ca.issue(nil)
	f := newFiles(t, ca.issue(nil))
	var log buffer
	c, err := openCertificates(f.TLS, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	mode := func(mode os.FileMode) {
		t.Helper()
		if err := os.Chmod(f.Key, mode); err != nil {
			t.Fatal(err)
		}
		c.refresh()
	}
	f.put(second)
	mode(0o644)
	if !strings.Contains(log.String(), "run chmod 600") {
		t.Errorf("the remedy is not logged:\n%s", &log)
	}
	mode(0o600)
	if got := c.current.Load().api.Certificates[0]; !bytes.Equal(got.Certificate[0], second.Certificate[0]) {
		t.Errorf("the new certificate is not in use:\n%s", &log)
	}
}

func TestAStartWithBadTLSFilesNamesTheSettingAndNoPath(t *testing.T) {
	ca := newAuthority(t, "ca")
	good := ca.issue(nil)
	key := keyPEM(t, good.PrivateKey)
	for _, c := range []struct {
		name   string
		change func(f *files)
		want   string
	}{
		{"no certificate file", func(f *files) { f.Cert += "-secret" }, "tls-cert: the file cannot be opened: no such file or directory"},
		{"a directory", func(f *files) { f.Cert = filepath.Dir(f.Cert) }, "tls-cert: the file cannot be opened: "},
		{"certificate and key swapped", func(f *files) { f.Cert, f.Key = f.Key, f.Cert }, "tls-cert: there is no certificate in the file; it must be PEM"},
		{"no key file", func(f *files) { f.Key = string(key) }, "tls-key: the file cannot be opened: "},
		{"another key", func(f *files) { f.write(f.Key, keyPEM(f.t, newKey(f.t))) }, "tls-key: must hold the private key of tls-cert, as PEM and not encrypted: private key does not match public key"},
		{"encrypted", func(f *files) {
			f.write(f.Key, pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte("x")}))
		}, "tls-key: must hold the private key of tls-cert, as PEM and not encrypted: failed to parse private key"},
		{"no DER", func(f *files) {
			f.write(f.Cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("x")}))
		}, "tls-cert: certificate 1 of the file cannot be read"},
		{"too long", func(f *files) { f.write(f.Cert, make([]byte, maxPEMBytes+1)) }, "tls-cert: the file is larger than 1 MiB"},
		{"no authorities", func(f *files) { f.ClientCA = f.Key }, "tls-client-ca: there is no certificate in the file; it must be PEM"},
		{"no gateways", func(f *files) { f.GatewayCA = f.Key + "-secret" }, "gateway-client-ca: the file cannot be opened: no such file or directory"},
	} {
		f := newFiles(t, good)
		c.change(f)
		_, err := Listen(Config{Listen: "127.0.0.1:0", AdminListen: "127.0.0.1:0", Operators: new(auth.Operators), TLS: &f.TLS, Logger: slog.New(slog.DiscardHandler)})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		} else if c.name != "a directory" && strings.Contains(err.Error(), filepath.Dir(f.Cert)) || strings.Contains(err.Error(), "-secret") || strings.Contains(err.Error(), "BEGIN") {
			t.Errorf("%s: the path is repeated: %v", c.name, err)
		}
	}
}

func TestCertificateExpiryIsLoggedDailyFromTwoWeeksBefore(t *testing.T) {
	var log buffer
	end := time.Now().Add(365 * 24 * time.Hour).Truncate(time.Second)
	f := newFiles(t, newAuthority(t, "ca").issue(func(c *x509.Certificate) { c.NotAfter = end }))
	c, err := openCertificates(f.TLS, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		before time.Duration
		said   string
	}{
		{15 * 24 * time.Hour, ""},
		{14 * 24 * time.Hour, "expires soon"},
		{14*24*time.Hour - lookEvery, ""},
		{13*24*time.Hour + time.Minute, ""},
		{13 * 24 * time.Hour, "expires soon"},
		{time.Minute, "expires soon"},
		{-time.Minute, ""},
		{-24 * time.Hour, "has expired"},
	} {
		log = buffer{}
		c.warn(end.Add(-step.before))
		if (log.String() != "") != (step.said != "") || !strings.Contains(log.String(), step.said) {
			t.Errorf("%v before: %q, want %q", step.before, &log, step.said)
		}
	}
}

func TestClientCertificatesAreVerifiedAgainstTheirAuthority(t *testing.T) {
	ca, clients, others := newAuthority(t, "ca"), newAuthority(t, "clients"), newAuthority(t, "others")
	shown := map[string][]tls.Certificate{
		"none":    nil,
		"good":    {clients.issue(forClients)},
		"foreign": {others.issue(forClients)},
		"server":  {clients.issue(nil)},
		"ended": {clients.issue(func(c *x509.Certificate) {
			forClients(c)
			c.NotAfter = time.Now().Add(-time.Hour)
		})},
	}
	proven := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, len(r.TLS.VerifiedChains)) })
	for name, want := range map[string]map[string]string{
		"tls-client-ca":     {"none": "", "good": "1", "foreign": "", "server": "", "ended": ""},
		"gateway-client-ca": {"none": "0", "good": "1", "foreign": "", "server": "", "ended": ""},
	} {
		f := newFiles(t, ca.issue(nil))
		f.Operator = true
		if path := f.authorities(clients); name == "tls-client-ca" {
			f.ClientCA = path
		} else {
			f.GatewayCA = path
		}
		r := start(t, Config{TLS: &f.TLS, GraphQL: proven})
		for kind, body := range want {
			// The client shows it whatever the server asks for.
			config := &tls.Config{RootCAs: ca.pool(), GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
				if len(shown[kind]) == 0 {
					return &tls.Certificate{}, nil
				}
				return &shown[kind][0], nil
			}}
			client := r.trusting(config)
			res, err := client.client.Post(r.api+"/graphql", "", nil)
			got := ""
			if err == nil {
				b, _ := io.ReadAll(res.Body)
				_ = res.Body.Close()
				got = string(b)
			}
			if got != body {
				t.Errorf("%s, %s: %q (%v), want %q", name, kind, got, err, body)
			}
			if got := client.do("GET", r.admin+"/healthz", "Authorization", "Bearer "+testToken); got.Status != 200 || got.Header.Get("Strict-Transport-Security") == "" {
				t.Errorf("%s, %s: the operator side answers %v", name, kind, got)
			}
		}
	}
}

func TestTLSSessionsEndWhenTheClientAuthorityIsRemoved(t *testing.T) {
	ca, clients, others := newAuthority(t, "ca"), newAuthority(t, "clients"), newAuthority(t, "others")
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		f := newFiles(t, ca.issue(nil))
		f.ClientCA = f.authorities(clients)
		c, err := openCertificates(f.TLS, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		api, operator := c.config(func(l *loaded) *tls.Config { return l.api }), c.config(func(l *loaded) *tls.Config { return l.operator })
		client := &tls.Config{RootCAs: ca.pool(), ServerName: "localhost", MaxVersion: version,
			Certificates: []tls.Certificate{clients.issue(forClients)}, ClientSessionCache: tls.NewLRUClientSessionCache(1)}
		if got, err := handshake(t, client, api); err != nil || got.DidResume {
			t.Fatalf("first: %v, resumed %v", err, got.DidResume)
		}
		f.put(ca.issue(nil)) // a renewal ends no session
		c.refresh()
		if got, err := handshake(t, client, api); err != nil || !got.DidResume {
			t.Errorf("%x: again: %v, resumed %v", version, err, got.DidResume)
		}
		f.authorities(others)
		c.refresh()
		if got, err := handshake(t, client, api); err == nil {
			t.Errorf("%x: a client of an authority that was removed is let in, resumed %v", version, got.DidResume)
		}

		anyone := &tls.Config{RootCAs: ca.pool(), ServerName: "localhost", MaxVersion: version, ClientSessionCache: tls.NewLRUClientSessionCache(1)}
		if _, err := handshake(t, anyone, operator); err != nil {
			t.Fatal(err)
		}
		if got, err := handshake(t, anyone, api); err == nil || got.DidResume {
			t.Errorf("%x: a session of the operator side opens the API: %v", version, err)
		}
	}
}

func TestOpenConnectionsAreRefusedWhenTheClientAuthorityIsRemoved(t *testing.T) {
	ca, clients, others := newAuthority(t, "ca"), newAuthority(t, "clients"), newAuthority(t, "others")
	f := newFiles(t, ca.issue(nil))
	f.GatewayCA = f.authorities(clients)
	r := start(t, Config{TLS: &f.TLS})
	client := r.trusting(&tls.Config{RootCAs: ca.pool(), Certificates: []tls.Certificate{clients.issue(forClients)}})
	client.get(t)
	f.authorities(others, clients)
	r.log.await(t, "TLS certificate loaded", 2)
	if _, reused, _ := client.get(t); !reused {
		t.Error("an additional authority ended the connection")
	}
	f.authorities(others)
	r.log.await(t, "TLS certificate loaded", 3)
	if got := client.do("GET", r.api+"/healthz"); got.Status != 401 {
		t.Errorf("a client of an authority that was removed: %v", got)
	}
}

func TestAnOpenConnectionIsRefusedWhenTheClientCertificateExpires(t *testing.T) {
	const life = 20 * time.Second // less than an idle connection is kept
	for name, short := range map[string]func(ca, leaf *x509.Certificate, end time.Time){
		"certificate": func(_, leaf *x509.Certificate, end time.Time) { leaf.NotAfter = end },
		"authority":   func(ca, _ *x509.Certificate, end time.Time) { ca.NotAfter = end },
	} {
		synctest.Test(t, func(t *testing.T) {
			ca, clients := newAuthority(t, "ca"), &authority{t: t, key: newKey(t)}
			template := &x509.Certificate{Subject: pkix.Name{CommonName: "clients"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
			leaf := &x509.Certificate{}
			short(template, leaf, time.Now().Add(life))
			clients.certificate = clients.sign(template, &clients.key.PublicKey, nil)
			f := newFiles(t, ca.issue(nil))
			f.ClientCA = f.authorities(clients)
			_, c := serveInBubble(t, Config{TLS: &f.TLS, Refused: func(context.Context, domain.Code) {}}, &tls.Config{RootCAs: ca.pool(), ServerName: "localhost",
				Certificates: []tls.Certificate{clients.issue(func(c *x509.Certificate) {
					forClients(c)
					c.NotAfter = leaf.NotAfter
				})}})
			answers := bufio.NewReader(c)
			ask := func() (status int, closes bool) {
				_, _ = io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
				res, err := http.ReadResponse(answers, nil)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, res.Body)
				return res.StatusCode, res.Close
			}
			for _, step := range []struct {
				wait   time.Duration // of the test's own clock
				status int
				closes bool
			}{{0, 200, false}, {life, 200, false}, {time.Second, 401, true}} {
				time.Sleep(step.wait)
				if status, closes := ask(); status != step.status || closes != step.closes {
					t.Errorf("%s: after %v more: %d, closes %v", name, step.wait, status, closes)
				}
			}
		})
	}
}

func TestOnlyAnswersOverTLSHaveHSTS(t *testing.T) {
	ca := newAuthority(t, "ca")
	f := newFiles(t, ca.issue(nil))
	plain, secured := start(t, Config{}), start(t, Config{TLS: &f.TLS})
	client := secured.trusting(&tls.Config{RootCAs: ca.pool()})
	for url, want := range map[string]string{
		plain.api + "/healthz": "", secured.api + "/healthz": "max-age=63072000", secured.api + "/nothing": "max-age=63072000",
		secured.admin + "/healthz": "",
	} {
		if got := client.do("GET", url, "X-Forwarded-Proto", "https"); got.Header.Get("Strict-Transport-Security") != want {
			t.Errorf("%s: %q", url, got.Header.Get("Strict-Transport-Security"))
		}
	}
	if log := secured.log.String(); !strings.Contains(log, "msg=ready api="+strings.TrimPrefix(secured.api, "https://")+" operator="+
		strings.TrimPrefix(secured.admin, "http://")+" tls=true admin_tls=false\n") {
		t.Errorf("no such line ready:\n%s", log)
	}
	if log := plain.log.String(); strings.Contains(log, "tls=") {
		t.Errorf("TLS is in the log of a plain listener:\n%s", log)
	}
}

func TestConcurrentRequestsPerConnectionAreLimited(t *testing.T) {
	ca := newAuthority(t, "ca")
	f := newFiles(t, ca.issue(nil))
	const most = 100
	entered, finish := make(chan string), make(chan struct{})
	r := start(t, Config{TLS: &f.TLS, GraphQL: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		entered <- r.RemoteAddr
		<-finish
		_, _ = io.WriteString(w, r.Proto)
	})}).trusting(&tls.Config{RootCAs: ca.pool()})
	r.do("GET", r.api+"/healthz") // the connection is there, and its settings are known

	var sent sync.WaitGroup
	for range most + 50 {
		sent.Go(func() {
			res, err := r.client.Post(r.api+"/graphql", "", nil)
			if err != nil {
				t.Error(err)
				return
			}
			defer res.Body.Close()
			if b, _ := io.ReadAll(res.Body); string(b) != "HTTP/2.0" {
				t.Errorf("answer %s", b)
			}
		})
	}
	atWork := map[string]int{} // by connection; the client opens one more when it may not go on
	for range most + 50 {
		atWork[<-entered]++
	}
	for _, n := range atWork {
		if n > most {
			t.Errorf("%d at once over one connection, want at most %d", n, most)
		}
	}
	close(finish)
	sent.Wait()
}

func TestRequestsAboveTheLimitAreRefusedExceptProbes(t *testing.T) {
	var refused []domain.Code
	fail := false
	f := &middleware{
		cfg:      &Config{Logger: slog.New(slog.DiscardHandler)},
		refused:  func(_ context.Context, c domain.Code) { refused = append(refused, c) },
		working:  make(chan struct{}, 1),
		probing:  make(chan struct{}, 1),
		answered: func(string, int) {},
	}
	send := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		f.ServeHTTP(w, httptest.NewRequest("POST", path, nil))
		return w
	}
	var inner *httptest.ResponseRecorder
	f.routes = map[string]route{
		"/healthz": {handler: http.HandlerFunc(alive), probe: true},
		"/graphql": {handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			inner = send("/api/encryption/keys")
			if probe := send("/healthz"); probe.Code != 200 {
				t.Errorf("a probe above the limit: %d", probe.Code)
			}
			if fail {
				panic("x")
			}
		})},
	}
	for _, fail = range []bool{false, true, false} { // a panic gives its place back too
		send("/graphql")
		if inner.Code != 503 || inner.Header().Get("Retry-After") != "1" || !strings.Contains(inner.Body.String(), `{"statusCode":503,"message":"`+domain.Overloaded().Message) {
			t.Errorf("above the limit: %d %v %s", inner.Code, inner.Header(), inner.Body)
		}
	}
	if !slices.Equal(refused, slices.Repeat([]domain.Code{domain.CodeOverloaded}, 3)) {
		t.Errorf("refusals that were reported: %v", refused)
	}
}

func TestADrainFinishesRunningRequestsOverHTTP2(t *testing.T) {
	ca := newAuthority(t, "ca")
	f := newFiles(t, ca.issue(nil))
	entered, finish := make(chan struct{}), make(chan struct{})
	r := start(t, Config{TLS: &f.TLS, GraphQL: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Errorf("the connection is out of reach: %v", err)
		}
		close(entered)
		<-finish
		_, _ = io.WriteString(w, r.Proto)
	})}).trusting(&tls.Config{RootCAs: ca.pool()})
	result := make(chan answer, 1)
	go func() { result <- r.do("POST", r.api+"/graphql") }()
	<-entered
	r.stop()
	r.log.await(t, "msg=draining", 1)
	select {
	case err := <-r.done:
		t.Fatalf("serving ended (%v) while a request was running", err)
	default:
	}
	close(finish)
	if got := <-result; got.Status != 200 || got.Body != "HTTP/2.0" {
		t.Errorf("the running request got %d %s", got.Status, got.Body)
	}
	r.settle()
	if !strings.Contains(r.log.String(), "route=/graphql status=200 bytes=8") {
		t.Errorf("its line is missing:\n%s", r.log)
	}
}

func TestADrainWaitsForRequestsWhoseClientHungUp(t *testing.T) {
	f, client := bubbleFiles(t)
	synctest.Test(t, func(t *testing.T) {
		entered, finish := make(chan struct{}), make(chan struct{})
		s, c := serveInBubble(t, Config{TLS: &f.TLS, Authenticator: auth.Device(nil), ShutdownTimeout: time.Minute,
			GraphQL: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				close(entered)
				<-r.Context().Done() // the client is gone; what was begun is finished all the same
				<-finish
			})}, client)
		_, _ = io.WriteString(c, firstRequest("/graphql"))
		<-entered
		_ = c.NetConn().Close()
		drained := make(chan error, 1)
		go func() { drained <- s.drain() }()
		time.Sleep(time.Second) // of the test's own clock
		synctest.Wait()
		select {
		case err := <-drained:
			t.Errorf("the drain ended (%v) while a request was running", err)
		default:
		}
		close(finish)
		if err := <-drained; err != nil {
			t.Error(err)
		}
	})
}

// A client that does not read its answer does not delay the stop. A request that the
// service works on gets the whole time.
func TestADrainWaitsForWorkAndNotForUnreadAnswers(t *testing.T) {
	f, client := bubbleFiles(t)
	client.NextProtos = nil // HTTP/1.1
	for name, works := range map[string]time.Duration{"unread": 0, "at work": 30 * time.Second} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, c := serveInBubble(t, Config{TLS: &f.TLS, Authenticator: auth.Device(nil), ShutdownTimeout: time.Minute,
					GraphQL: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
						time.Sleep(works) // of the test's own clock
						_, _ = io.WriteString(w, strings.Repeat("x", 64<<10))
					})}, client)
				if _, err := io.WriteString(c, "GET /graphql HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
					t.Fatal(err)
				}
				synctest.Wait() // until it is in progress
				read := make(chan int64, 1)
				if works > 0 {
					go func() { n, _ := io.Copy(io.Discard, c); read <- n }()
				}
				began := time.Now()
				if err := s.drain(); err != nil {
					t.Error(err)
				}
				if took := time.Since(began); took < works || took > works+silentTimeout+2*time.Second {
					t.Errorf("the drain took %v", took)
				}
				if works > 0 {
					if n := <-read; n < 64<<10 {
						t.Errorf("%d bytes of the answer arrived", n)
					}
				}
			})
		})
	}
}

func TestADrainEndsAConnectionThatWasInItsHandshake(t *testing.T) {
	f, client := bubbleFiles(t)
	synctest.Test(t, func(t *testing.T) {
		s, c := serveInBubble(t, Config{TLS: &f.TLS, ShutdownTimeout: time.Minute}, client)
		synctest.Wait() // until it is accepted
		drained := make(chan error, 1)
		begin := time.Now()
		go func() { drained <- s.drain() }()
		synctest.Wait()
		if err := c.Handshake(); err != nil {
			t.Fatal(err)
		}
		read := make(chan struct{})
		go func() { _, _ = io.Copy(io.Discard, c); close(read) }()
		_, _ = io.WriteString(c, http2Preface)                                  // and never a request
		if err := <-drained; err != nil || time.Since(begin) > 10*time.Second { // of the test's own clock
			t.Errorf("the drain took %v and ended with %v", time.Since(begin), err)
		}
		_ = c.NetConn().Close()
		<-read
	})
}

// bubbleFiles are those of a server inside a synctest bubble, and what its
// client trusts. In a bubble it is the year 2000, and no certificate good.
func bubbleFiles(t *testing.T) (*files, *tls.Config) {
	ca, today := newAuthority(t, "ca"), time.Now()
	return newFiles(t, ca.issue(nil)), &tls.Config{RootCAs: ca.pool(), ServerName: "localhost", NextProtos: []string{"h2"},
		Time: func() time.Time { return today }}
}

// serveInBubble serves the API of cfg without a network, until the bubble's
// test ends, and returns a connection over which nothing was sent yet.
func serveInBubble(t *testing.T, cfg Config, client *tls.Config) (s *Server, c *tls.Conn) {
	t.Helper()
	cfg.Logger, cfg.Answered = slog.New(slog.DiscardHandler), func(string, int) {}
	s = &Server{cfg: cfg}
	if err := s.configure(); err != nil {
		t.Fatal(err)
	}
	network := make(pipes)
	s.api.open = &connections{Listener: network, most: 8, memory: 1 << 20, refused: func() {}, logger: cfg.Logger}
	done := make(chan error)
	go func() { done <- s.api.serve() }()
	c = tls.Client(network.dial(), client)
	t.Cleanup(func() {
		_ = c.NetConn().Close()
		_ = s.api.http.Close() // and with it the network
		<-done
	})
	return s, c
}

// http2Preface is what a client sends first on an HTTP/2 connection.
const http2Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\x00\x00\x00\x04\x00\x00\x00\x00\x00"

// firstRequest begins a connection with HTTP/2 and asks to GET path, without
// Huffman coding.
func firstRequest(path string) string {
	header := "\x82\x87\x04" + string(rune(len(path))) + path + "\x01\x01x"
	return http2Preface + "\x00\x00" + string(rune(len(header))) + "\x01\x05\x00\x00\x00\x01" + header
}

func TestAnIncompleteAnswerOverHTTP2IsCutOff(t *testing.T) {
	ca := newAuthority(t, "ca")
	f := newFiles(t, ca.issue(nil))
	r := start(t, Config{TLS: &f.TLS, GraphQL: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("half an answer", 1000))
		panic("late")
	})}).trusting(&tls.Config{RootCAs: ca.pool()})
	res, err := r.client.Post(r.api+"/graphql", "", nil)
	if err == nil {
		_, err = io.ReadAll(res.Body)
		_ = res.Body.Close()
	}
	if err == nil {
		t.Error("an incomplete answer was read as a complete one")
	}
	if got := r.do("GET", r.api+"/healthz"); got.Status != 200 {
		t.Errorf("after the panic: %d", got.Status)
	}
}

func TestASlowTLSHandshakeIsCutOff(t *testing.T) {
	f, client := bubbleFiles(t)
	for _, said := range []string{"", "\x16\x03\x01\x02\x00\x01"} { // nothing; the begin of a ClientHello
		synctest.Test(t, func(t *testing.T) {
			_, c := serveInBubble(t, Config{TLS: &f.TLS}, client)
			begin, raw := time.Now(), c.NetConn()
			if _, err := io.WriteString(raw, said); err != nil {
				t.Fatal(err)
			}
			_, _ = io.ReadAll(raw)
			if took := time.Since(begin); took != readHeaderTimeout { // the clock is the test's own
				t.Errorf("after %q it was kept for %v", said, took)
			}
		})
	}
}

func TestAClientThatStopsReadingLosesItsConnection(t *testing.T) {
	f, client := bubbleFiles(t)
	synctest.Test(t, func(t *testing.T) {
		_, c := serveInBubble(t, Config{TLS: &f.TLS}, client)
		if err := c.Handshake(); err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.WriteString(c, firstRequest("/healthz")) }()
		if _, err := c.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * writeTimeout) // of the test's own clock
		synctest.Wait()
		if n, err := c.NetConn().Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("the connection is still there: %d, %v", n, err)
		}
	})
}

func TestAFailedHandshakeIsLoggedWithItsReasonOnly(t *testing.T) {
	const canary = "CANARY4711"
	ca, clients := newAuthority(t, "ca"), newAuthority(t, "clients")
	stranger := newAuthority(t, canary).issue(func(c *x509.Certificate) {
		forClients(c)
		c.Subject.CommonName = canary
	})
	f := newFiles(t, ca.issue(nil))
	f.ClientCA = f.authorities(clients)
	r := start(t, Config{TLS: &f.TLS})
	address := strings.TrimPrefix(r.api, "https://")
	shake := func(config *tls.Config) func() {
		return func() {
			if config.RootCAs == nil {
				config.RootCAs = ca.pool()
			}
			c, err := tls.Dial("tcp", address, config)
			if err == nil {
				_, err = c.Read(make([]byte, 1))
				_ = c.Close()
			}
			if err == nil {
				t.Error("the handshake did not fail")
			}
		}
	}
	raw := func(text string) func() {
		return func() {
			c, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.WriteString(c, text)
			_ = c.(*net.TCPConn).CloseWrite()
			_, _ = io.ReadAll(c)
			_ = c.Close()
		}
	}
	for _, c := range []struct {
		act  func()
		want string
	}{
		{raw("GET /" + canary + " HTTP/1.1\r\nHost: " + canary + "\r\n\r\n"), `reason="the client spoke plain HTTP"`},
		{shake(&tls.Config{}), `reason="the client presented no certificate"`},
		{shake(&tls.Config{GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &stranger, nil }}),
			`reason="the client's certificate is from an unknown authority`},
		{shake(&tls.Config{RootCAs: clients.pool()}), `reason="the client ended the handshake; it may not trust the certificate"`},
		{shake(&tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11, ServerName: canary}),
			`reason="the client does not support TLS 1.2 or later"`},
		{shake(&tls.Config{MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{tls.TLS_RSA_WITH_AES_128_CBC_SHA}}), `reason="no cipher suite in common"`},
		{raw(canary + "\r\n\r\n" + canary), `msg="http server" about="http: TLS handshake"`},
	} {
		before := strings.Count(r.log.String(), c.want)
		c.act()
		r.log.await(t, c.want, before+1)
	}
	_, log, _ := strings.Cut(r.log.String(), "msg=ready")
	if _, failures, _ := strings.Cut(log, "\n"); strings.Contains(failures, canary) || strings.Contains(failures, "127.0.0.1") {
		t.Errorf("the log repeats input of a client, or its address:\n%s", failures)
	}
}

// A server that sends more than one answer makes net/http's client log the second one.
func TestNothingThatAServerAnswersIsLogged(t *testing.T) {
	const canary = "words-of-the-server"
	var log buffer
	before, flags := stdlog.Writer(), stdlog.Flags()
	defer func() {
		stdlog.SetOutput(before)
		stdlog.SetFlags(flags)
	}()
	LogClients(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 "+canary+"\r\n\r\n")
		_, _ = io.Copy(io.Discard, conn) // until the client closes it
		_ = conn.Close()
	}))
	defer s.Close()
	answer, err := s.Client().Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	log.await(t, `msg="http client" about="Unsolicited response received"`, 1)
	if strings.Contains(log.String(), canary) {
		t.Errorf("the log repeats what a server answered:\n%s", &log)
	}
}

func TestAFloodOfBadHandshakesIsLoggedInPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log buffer
		errorLog := httpErrorLog(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
		flood := func() int {
			log = buffer{}
			for i := range 100 {
				errorLog.Printf("http: TLS handshake error from 192.0.2.1:%d: EOF", i)
				errorLog.Printf("http: TLS handshake error from [2001:db8::1]:%d: tls: client didn't provide a certificate", i)
			}
			return strings.Count(log.String(), "\n")
		}
		if n := flood(); n != lograte.PerSecond || !strings.Contains(log.String(), `reason="the client presented no certificate"`) {
			t.Errorf("%d lines of a flood:\n%s", n, &log)
		}
		time.Sleep(time.Second)
		if n := flood(); n != lograte.PerSecond || !strings.Contains(log.String(), "omitted=190") {
			t.Errorf("%d lines of the next second:\n%s", n, &log)
		}
		if strings.Contains(log.String(), "192.0.2.1") || strings.Contains(log.String(), "2001:db8") {
			t.Errorf("addresses of clients are in the log:\n%s", &log)
		}
	})
}

func TestTheClientsAddressReachesTheHandlerAndNotTheLog(t *testing.T) {
	seen := make(chan netip.Addr, 1)
	r := start(t, Config{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		GraphQL: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen <- domain.CallerFrom(r.Context()).Address })})
	r.do("POST", r.api+"/graphql", "X-Forwarded-For", "198.51.100.7, 203.0.113.9", "Forwarded", "for=198.51.100.8")
	if got := <-seen; got.String() != "203.0.113.9" {
		t.Errorf("address %v", got)
	}
	r.settle()
	if strings.Contains(r.log.String(), "203.0.113.9") || strings.Contains(r.log.String(), "198.51.100") {
		t.Errorf("the log:\n%s", r.log)
	}
}
