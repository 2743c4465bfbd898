package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"strongroom/internal/cli"
)

// A container's check has the settings of its server, and no token.
func TestTheHealthCheckUsesTheSettingsOfTheServer(t *testing.T) {
	for name, settings := range map[string][]string{
		"plain HTTP":          nil,
		"TLS":                 {"--tls-cert", "CERT", "--tls-key", "KEY"},
		"client certificates": {"--tls-cert", "CERT", "--tls-key", "KEY", "--tls-client-ca", "CERT"},
	} {
		t.Run(name, func(t *testing.T) {
			cert, key := certificate(t)
			for i, text := range settings {
				settings[i] = map[string]string{"CERT": cert, "KEY": key}[text]
				if settings[i] == "" {
					settings[i] = text
				}
			}
			s := serve(t, filepath.Join(t.TempDir(), "data"), settings...)
			check := append([]string{"healthcheck", "--listen", strings.TrimPrefix(s.api, "http://")}, settings...)
			var problem strings.Builder
			if code := run(t.Context(), check, io.Discard, &problem); code != cli.ExitOK {
				t.Errorf("of a ready server: exit code %d: %s", code, &problem)
			}
			s.stop()
			<-s.code
			if code := run(t.Context(), check, io.Discard, &problem); code != cli.ExitFailed || !strings.Contains(problem.String(), "not ready") {
				t.Errorf("of a stopped server: exit code %d: %s", code, &problem)
			}
		})
	}
}

// certificate writes a certificate of a server that is also its own authority's client.
func certificate(t *testing.T) (certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"vault.example.com"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, content []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("cert.pem", "CERTIFICATE", der), write("key.pem", "PRIVATE KEY", private)
}
