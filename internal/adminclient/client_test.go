package adminclient

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/big"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An attacker on the network path can choose the names in a certificate. The error
// shows them before the certificate is verified.
func TestCertificateNamesInErrorsAreEscaped(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"a\x1b[2J\nready"}}
	der, err := x509.CreateCertificate(rand.Reader, of, of, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(nil)
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	server.StartTLS()
	defer server.Close()
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte(strings.Repeat("t", 43)), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := Dial(Server{URL: strings.Replace(server.URL, "127.0.0.1", "localhost", 1), TokenFile: token})
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.Get(context.Background(), "/health", nil)
	if !errors.As(err, new(x509.HostnameError)) || strings.ContainsAny(err.Error(), "\x1b\n") || !strings.Contains(err.Error(), `a\x1b[2J\nready`) {
		t.Errorf("got %q", err)
	}
}
