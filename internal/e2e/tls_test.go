package e2e

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// certificates are those of a self-made authority, in files of a test.
type certificates struct {
	t             *testing.T
	ca, cert, key string // paths
	authority     *x509.Certificate
	signer        *ecdsa.PrivateKey
	days          int // of new ones; 0: 80
}

func newCertificates(t *testing.T) *certificates {
	t.Helper()
	dir := t.TempDir()
	c := &certificates{t: t, ca: filepath.Join(dir, "ca.pem"), cert: filepath.Join(dir, "cert.pem"), key: filepath.Join(dir, "key.pem")}
	c.authority = &x509.Certificate{Subject: pkix.Name{CommonName: "Strongroom test authority"}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	c.signer = c.make(c.authority, c.ca, filepath.Join(dir, "ca.key"))
	c.renew()
	return c
}

// renew replaces the server's certificate and key by new ones.
func (c *certificates) renew() {
	c.t.Helper()
	c.make(&x509.Certificate{Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}, c.cert, c.key)
}

func (c *certificates) make(template *x509.Certificate, certPath, keyPath string) *ecdsa.PrivateKey {
	c.t.Helper()
	must := func(err error) {
		if err != nil {
			c.t.Helper()
			c.t.Fatal(err)
		}
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	template.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	must(err)
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Duration(cmp.Or(c.days, 80))*24*time.Hour)
	signer := c.signer
	if signer == nil {
		signer = key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, c.authority, &key.PublicKey, signer)
	must(err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	must(err)
	for path, block := range map[string]*pem.Block{certPath: {Type: "CERTIFICATE", Bytes: der}, keyPath: {Type: "PRIVATE KEY", Bytes: keyDER}} {
		must(os.WriteFile(path+".new", pem.EncodeToMemory(block), 0o600))
		must(os.Rename(path+".new", path))
	}
	return key
}

// serve starts a server with them and returns it with its host and port as
// the certificate names it.
func (c *certificates) serve(args ...string) (*instance, string) {
	c.t.Helper()
	i := start(c.t, append([]string{"--tls-cert", c.cert, "--tls-key", c.key}, args...)...)
	u, err := url.Parse(i.base)
	if err != nil {
		c.t.Fatal(err)
	}
	return i, "localhost:" + u.Port()
}

func (c *certificates) client() *http.Client {
	c.t.Helper()
	text, err := os.ReadFile(c.ca)
	if err != nil {
		c.t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
	c.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 30 * time.Second}
}

func TestTLSIsServedAndRenewedWhileAConnectionStaysOpen(t *testing.T) {
	t.Parallel()
	c := newCertificates(t)
	i, host := c.serve("--admin-tls")
	get := func(client *http.Client) (serial string, reused bool) {
		trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) { reused = info.Reused }}
		r, err := http.NewRequestWithContext(httptrace.WithClientTrace(t.Context(), trace), "GET", "https://"+host+"/readyz", nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if _, err := io.ReadAll(res.Body); err != nil || res.StatusCode != 200 || res.Proto != "HTTP/2.0" {
			t.Fatalf("%v, status %d, %s", err, res.StatusCode, res.Proto)
		}
		return res.TLS.PeerCertificates[0].SerialNumber.String(), reused
	}
	open := c.client()
	first, _ := get(open)
	c.renew()
	for deadline := time.Now().Add(30 * time.Second); ; { // the renewal is awaited as a monitor would see it
		serial, _ := get(c.client())
		if serial != first {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the renewed certificate is not served after 30 s")
		}
		time.Sleep(100 * time.Millisecond)
	}
	if serial, reused := get(open); serial != first || !reused {
		t.Errorf("the open connection did not stay: certificate %s, reused %v", serial, reused)
	}

	t.Run("curl", func(t *testing.T) {
		need(t, "curl")
		curl := func(args ...string) (string, error) {
			out, err := exec.Command("curl", append([]string{"--silent", "--show-error", "--max-time", "20"}, args...)...).CombinedOutput()
			return string(out), err
		}
		const generate = `{"query":"mutation { generateClientEncryptionKey(input: {deviceId: \"d\"}) { keyId } }"}`
		if out, err := curl("--cacert", c.ca, "--json", generate, "https://"+host+"/graphql"); err != nil || !strings.Contains(out, `"keyId"`) {
			t.Errorf("%v: %s", err, out)
		}
		if out, err := curl("https://" + host + "/readyz"); err == nil {
			t.Errorf("without the authority it is trusted: %s", out)
		}
		admin := strings.Replace(i.admin, "http://127.0.0.1", "https://localhost", 1)
		if out, err := curl("--cacert", c.ca, admin+"/metrics"); err != nil || !strings.Contains(out, "UNAUTHENTICATED") {
			t.Errorf("the operator side: %v: %s", err, out)
		}
	})
	if code := i.stop(); code != 0 {
		t.Errorf("SIGTERM: exit code %d", code)
	}
}

func TestAStartWithAMismatchedCertificateNamesTheSetting(t *testing.T) {
	t.Parallel()
	c := newCertificates(t)
	cmd := exec.Command(binary(t), "serve", "--data-dir", filepath.Join(t.TempDir(), "data"), "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0",
		"--tls-cert", c.ca, "--tls-key", c.key)
	cmd.Env = append(cleanEnv(), "STRONGROOM_KEY_POOL=0")
	out, err := cmd.CombinedOutput()
	const want = "strongroom: tls-key: must hold the private key of tls-cert, as PEM and not encrypted: private key does not match public key\n"
	if err == nil || !strings.HasSuffix(string(out), want) {
		t.Errorf("%v, and it says:\n%s", err, out)
	}
}

// trustOnly are findings that say no more than that the test's authority is
// self-made: it has no revocation service.
var trustOnly = []string{"cert_revocation"}

func TestTestsslFindsNothingAboveLow(t *testing.T) {
	if !everything() {
		t.Skip("takes minutes: set E2E_ALL=1, as make soak does")
	}
	t.Parallel()
	need(t, "testssl")
	c := newCertificates(t)
	_, host := c.serve()
	report := filepath.Join(t.TempDir(), "report.json")
	// Protocols, headers, the server's defaults, kinds of ciphers, forward secrecy and the
	// server's choice. All of its checks, -U among them, take some minutes more.
	cmd := exec.Command("testssl", "--quiet", "--color", "0", "--warnings", "off", "--nodns", "none", "--ip", "127.0.0.1", "--openssl-timeout", "20",
		"--add-ca", c.ca, "--jsonfile", report, "-p", "-h", "-S", "-s", "-f", "-P", "https://"+host+"/healthz")
	cmd.Dir = t.TempDir()
	out, runErr := cmd.CombinedOutput() // its exit code counts findings
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatalf("testssl gave no report (%v): %v\n%s", runErr, err, out)
	}
	var findings []struct{ ID, IP, Severity, Finding string }
	if err := json.Unmarshal(text, &findings); err != nil {
		t.Fatalf("testssl's report (%v): %v\n%s", runErr, err, out)
	}
	seen := map[string]string{}
	for _, f := range findings {
		// What testssl says of its own machine, such as that an engine is
		// missing from its OpenSSL, comes before it has a server to name.
		if f.IP == "/" {
			t.Logf("not about the server: %s: %s: %s", f.Severity, f.ID, f.Finding)
			continue
		}
		seen[f.ID] = f.Finding
		if !slices.Contains([]string{"OK", "INFO", "LOW"}, f.Severity) && !slices.Contains(trustOnly, f.ID) {
			t.Errorf("%s: %s: %s", f.Severity, f.ID, f.Finding)
		}
	}
	// Or nothing was looked at.
	for id, want := range map[string]string{"TLS1_1": "not offered", "TLS1_2": "offered", "TLS1_3": "offered with final",
		"ALPN_HTTP2": "h2", "HSTS_time": "730 days", "cert_chain_of_trust": "passed"} {
		if !strings.Contains(seen[id], want) {
			t.Errorf("%s is %q, want %q\n%s", id, seen[id], want, out)
		}
	}
}
