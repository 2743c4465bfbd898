package trace

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	collect "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"strongroom/internal/outbound"
)

const (
	defaultTimeout = 10 * time.Second // of one export
	maxAnswer      = 64 << 10         // bytes of an answer that are read
)

// newClient returns a client for the collector. The exporter does not apply the variables
// for TLS and timeout to a client that it is given, so newClient does. rejected is called
// when the collector rejects spans.
func newClient(rejected func()) (*http.Client, error) {
	timeout := defaultTimeout
	if _, text := signalVariable("TIMEOUT"); text != "" {
		n, _ := strconv.Atoi(text) // collector has checked it
		timeout = time.Duration(n) * time.Millisecond
	}
	transport := outbound.Standard()
	var err error
	if transport.TLSClientConfig, err = tlsConfig(); err != nil {
		return nil, err
	}
	return &http.Client{
		Timeout:   timeout,
		Transport: wordless{outbound.New(transport, cmp.Or(timeout, defaultTimeout)), rejected},
		// A redirect could send the headers, which have a password, to another server.
		CheckRedirect: outbound.NoRedirect,
	}, nil
}

// tlsConfig reads the files that the environment names, as the exporter does.
func tlsConfig() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if name, path := signalVariable("CERTIFICATE"); path != "" {
		text, err := os.ReadFile(path) //nolint:gosec // the operator names the file
		config.RootCAs = x509.NewCertPool()
		if err != nil || !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%s must name a readable PEM file with the certificates of authorities", name)
		}
	}
	for _, prefix := range []string{"OTEL_EXPORTER_OTLP_", forTraces} {
		certificate, key := strings.TrimSpace(os.Getenv(prefix+"CLIENT_CERTIFICATE")), strings.TrimSpace(os.Getenv(prefix+"CLIENT_KEY"))
		if certificate == "" || key == "" {
			continue
		}
		pair, err := tls.LoadX509KeyPair(certificate, key)
		if err != nil {
			return nil, fmt.Errorf("%sCLIENT_CERTIFICATE and %[1]sCLIENT_KEY must name readable PEM files with a certificate and its key, not encrypted", prefix)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// wordless hides all text of the collector from the exporter, whose errors repeat it and
// are logged. The answer of a collector, or of a proxy, can contain the headers of the
// request.
type wordless struct {
	http.RoundTripper
	rejected func()
}

// RoundTrip implements [http.RoundTripper].
func (w wordless) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := w.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, &sendError{err}
	}
	defer func() { _ = answer.Body.Close() }()
	body, _ := io.ReadAll(io.LimitReader(answer.Body, maxAnswer)) // if it is cut off, the status still counts
	text := ""
	switch {
	case answer.StatusCode/100 != 2:
		text = fmt.Sprintf("answered %d", answer.StatusCode)
	case rejects(answer, body):
		w.rejected()
	}
	return &http.Response{
		StatusCode: answer.StatusCode,
		Status:     http.StatusText(answer.StatusCode),
		Header:     http.Header{"Retry-After": answer.Header["Retry-After"]}, // the exporter reads a time from it
		Body:       io.NopCloser(strings.NewReader(text)),
		Request:    r,
	}, nil
}

// rejects reports whether an answer of status 2xx says that spans were rejected.
func rejects(answer *http.Response, body []byte) bool {
	var says collect.ExportTraceServiceResponse
	return answer.Header.Get("Content-Type") == "application/x-protobuf" && proto.Unmarshal(body, &says) == nil &&
		says.PartialSuccess.GetRejectedSpans() > 0
}

// sendError means that there was no answer. Its text has nothing that the collector sent:
// the errors of net/http quote malformed answers and names in certificates.
type sendError struct{ cause error }

func (e *sendError) Error() string {
	var certificate *tls.CertificateVerificationError
	var name *net.DNSError
	var timeout net.Error
	var network *net.OpError
	var system syscall.Errno
	switch {
	case errors.As(e.cause, &certificate):
		return "the certificate of the collector is not trusted"
	case errors.As(e.cause, &name) && name.IsNotFound:
		return "the host name of the collector has no address"
	case errors.As(e.cause, &timeout) && timeout.Timeout():
		return "no answer in time"
	case errors.As(e.cause, &system):
		return system.Error()
	case errors.As(e.cause, &network) && network.Op == "remote error":
		return network.Err.Error() // a TLS alert, whose texts are Go's
	}
	return "no valid answer; check the scheme and port of the URL, and HTTPS_PROXY"
}

// Temporary reports whether the exporter tries again.
func (e *sendError) Temporary() bool {
	var is interface{ Temporary() bool }
	return errors.As(e.cause, &is) && is.Temporary()
}
