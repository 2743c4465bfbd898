package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/alecthomas/kong"

	"strongroom/internal/config"
)

type healthcheckCmd struct {
	kong.Plugins
	Timeout time.Duration `default:"5s" help:"How long to wait for the answer."`
}

// Run asks the API of the server with these settings on this machine whether it is
// ready. Every failure is exit code 1: Docker allows no other.
func (c healthcheckCmd) Run(ctx context.Context, p *Program) error {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	s, _, err := config.Load(p.flags, os.Environ())
	if err == nil {
		err = askReady(ctx, s)
	}
	if err != nil {
		return ExitError{ExitFailed, err}
	}
	fmt.Fprintln(p.Stdout, "ready")
	return nil
}

// askReady returns nil if the API answers that it is ready.
func askReady(ctx context.Context, s *config.Settings) error {
	address, err := hereOf(s.Listen)
	if err != nil {
		return err
	}
	url := "http://" + address + "/readyz"
	transport := &http.Transport{DisableKeepAlives: true}
	if s.TLSCert != "" {
		url = "https://" + address + "/readyz"
		if transport.TLSClientConfig, err = ownTLS(s); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := transport.RoundTrip(req)
	if err != nil {
		if s.TLSClientCA != "" {
			return fmt.Errorf("not ready: %w; with tls-client-ca, this check shows the certificate of tls-cert, which must be valid for clients too", err)
		}
		return fmt.Errorf("not ready: %w; start the service, or give this command the settings of the service (--config, --listen)", err)
	}
	_ = res.Body.Close() // only the status is needed
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s answered %s", url, res.Status)
	}
	return nil
}

// ownTLS accepts any certificate: the name in it is not the address that is asked, and
// the probe sends no secret.
func ownTLS(s *config.Settings) (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: true} //nolint:gosec // see above
	if s.TLSClientCA == "" {
		return c, nil
	}
	own, err := tls.LoadX509KeyPair(s.TLSCert, s.TLSKey)
	if err != nil {
		return nil, errors.New("tls-cert, tls-key: cannot be read, or do not belong together")
	}
	c.Certificates = []tls.Certificate{own}
	return c, nil
}

// hereOf returns the address at which this machine reaches a listener of its own.
func hereOf(listen string) (string, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", err
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port), nil
}
