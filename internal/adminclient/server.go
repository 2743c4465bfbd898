package adminclient

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"strongroom/internal/config"
	"strongroom/internal/domain"
	"strongroom/internal/outbound"
)

const (
	timeout      = 70 * time.Second // the server's limit is 60 s
	silent       = 10 * time.Second // of a connection over which nothing arrives
	maxTokenFile = 64 << 10         // bytes
)

// Server names a server and how to reach it. Errors about it name the flags of
// commands.
type Server struct {
	URL       string
	TokenFile string // empty: the token is in the environment
	CAFile    string // empty: the CAs that this machine trusts
}

// Dial returns a client of a server. It does not connect yet.
func Dial(s Server) (*Client, error) {
	base, err := serverURL(s.URL)
	if err != nil {
		return nil, err
	}
	token, err := tokenIn(s.TokenFile)
	if err != nil {
		return nil, err
	}
	transport := outbound.Standard()
	transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	if s.CAFile != "" {
		if transport.TLSClientConfig.RootCAs, err = authorities(s.CAFile); err != nil {
			return nil, err
		}
	}
	return &Client{base: base, token: token, http: &http.Client{
		Transport:     outbound.New(transport, silent),
		Timeout:       timeout,
		CheckRedirect: outbound.NoRedirect, // the token is for this server
	}}, nil
}

// serverURL checks the URL of a server, and returns it without the path of the
// API. A token may leave this machine only over TLS.
func serverURL(text string) (string, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return "", errors.New("--server: must be a URL such as https://vault.example.com:8081")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "", errors.New("--server: must not have a user, query or fragment")
	case u.Scheme == "http" && !config.IsThisMachine(u.Hostname()):
		return "", errors.New("--server: must be https, or on this machine: anyone on the network path could read the token")
	}
	return strings.TrimRight(u.Scheme+"://"+u.Host+u.EscapedPath(), "/"), nil
}

// tokenIn reads the token from the file, or else from the environment. A token
// in a flag could be read by every user of the machine.
func tokenIn(file string) (string, error) {
	text := []byte(os.Getenv(config.AdminTokenVariable))
	if file != "" {
		f, err := os.Open(file) //nolint:gosec // the operator names the file
		if err != nil {
			return "", fmt.Errorf("--token-file: %w", err)
		}
		defer f.Close()
		if text, err = io.ReadAll(io.LimitReader(f, maxTokenFile)); err != nil {
			return "", fmt.Errorf("--token-file: %w", err)
		}
	}
	token, from := firstWord(string(text)), config.AdminTokenVariable
	if file != "" {
		from = "--token-file"
	}
	switch {
	case token == "" && file == "":
		return "", fmt.Errorf("--server needs a token: give its file with --token-file, or set %s", config.AdminTokenVariable)
	case token == "":
		return "", errors.New("--token-file: the file contains no token; give a file such as the server's DATA-DIR/admin.token")
	case !domain.IsVisible(token):
		return "", fmt.Errorf("%s: its first word is not a token, because it has control or non-ASCII characters; copy the token again", from)
	}
	return token, nil
}

// firstWord returns the first word of a token file. Lines that begin with # are
// comments.
func firstWord(text string) string {
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 0 && !strings.HasPrefix(words[0], "#") {
			return words[0]
		}
	}
	return ""
}

func authorities(path string) (*x509.CertPool, error) {
	text, err := os.ReadFile(path) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, fmt.Errorf("--server-ca: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, errors.New("--server-ca: the file contains no certificate; give a PEM file")
	}
	return pool, nil
}
