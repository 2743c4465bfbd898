package trace

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	collect "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"
)

// export sends one span to the collector in the environment, and returns the log.
func export(t *testing.T) string {
	t.Helper()
	var log bytes.Buffer
	tracer, err := Open(Config{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	_, r := tracer.Begin(t.Context(), Arrival{At: time.Now(), Method: "GET", Route: "/x"})
	r.End(200, time.Millisecond)
	tracer.Close(t.Context())
	return log.String()
}

// raw is a server that answers each request with a text, and tells when the client closed
// the connection.
func raw(t *testing.T, text string) (url string, closed <-chan struct{}) {
	t.Helper()
	ends := make(chan struct{}, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, text)
		_, _ = io.Copy(io.Discard, conn)
		ends <- struct{}{}
	}))
	t.Cleanup(server.Close)
	return server.URL, ends
}

func TestTheLogHasNoTextOfTheCollectorAndNoRedirectIsFollowed(t *testing.T) {
	clean(t)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("another server got %s with the key %s", r.URL, r.Header.Get("Api-Key"))
	}))
	defer elsewhere.Close()
	partial := func(rejected int64) string {
		body, err := proto.Marshal(&collect.ExportTraceServiceResponse{PartialSuccess: &collect.ExportTracePartialSuccess{
			RejectedSpans: rejected, ErrorMessage: "the key hunter2 is over its quota"}})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	}
	sized := func(body string) string { return fmt.Sprintf("\r\nContent-Length: %d\r\n\r\n%s", len(body), body) }
	for name, tt := range map[string]struct{ answer, want string }{
		"accepted":      {"200 hunter2" + sized(""), ""},
		"a warning":     {partial(0), ""},
		"rejected":      {partial(1), "the collector rejected spans"},
		"refused":       {"400 hunter2" + sized("bad key hunter2"), "Bad Request (answered 400)"},
		"overloaded":    {"503 hunter2\r\nRetry-After: 3600" + sized("bad key hunter2"), "retry-able request failure: answered 503"},
		"a redirect":    {"307 hunter2\r\nLocation: " + elsewhere.URL + "/hunter2" + sized(""), "(answered 307)"},
		"no location":   {"307 hunter2\r\nLocation: http://hunter2:x" + sized(""), "(answered 307)"},
		"malformed":     {"2 hunter2\r\n\r\n", "no valid answer"},
		"another":       {"101 hunter2\r\nConnection: Upgrade\r\nUpgrade: hunter2\r\n\r\n", "(answered 101)"},
		"JSON":          {"200 hunter2\r\nContent-Type: application/json" + sized(`{"hunter2":1}`), ""},
		"not a message": {"200 hunter2\r\nContent-Type: application/x-protobuf" + sized("hunter2"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			url, closed := raw(t, "HTTP/1.1 "+tt.answer)
			set(t, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + url + "/hunter2%41", "OTEL_EXPORTER_OTLP_HEADERS=api-key=hunter2"})
			log := export(t)
			if strings.Contains(log, "hunter2") || (log == "") != (tt.want == "") || !strings.Contains(log, tt.want) {
				t.Errorf("the log, want %q:\n%s", tt.want, log)
			}
			if name != "another" {
				return
			}
			select {
			case <-closed:
			case <-time.After(10 * time.Second):
				t.Error("the exporter still holds its connection")
			}
		})
	}
}

func TestTheCollectorIsAuthenticatedByTheFilesInTheEnvironment(t *testing.T) {
	clean(t)
	var shown []byte
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { shown = r.TLS.PeerCertificates[0].Raw }))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	server.StartTLS()
	defer server.Close()
	pair := server.TLS.Certificates[0] // is its own authority, and serves as the client's too
	der, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, kind string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	certificate, key := write("certificate", "CERTIFICATE", pair.Certificate[0]), write("key", "PRIVATE KEY", der)
	set(t, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + server.URL})
	if log := export(t); !strings.Contains(log, "the certificate of the collector is not trusted") {
		t.Errorf("without its authority:\n%s", log)
	}
	set(t, []string{"OTEL_EXPORTER_OTLP_CERTIFICATE=" + certificate})
	if log := export(t); !strings.Contains(log, "tls: certificate required") {
		t.Errorf("without a certificate of the client:\n%s", log)
	}
	for _, prefix := range []string{"OTEL_EXPORTER_OTLP_", forTraces} {
		shown = nil
		set(t, []string{prefix + "CLIENT_CERTIFICATE=" + certificate, prefix + "CLIENT_KEY=" + key})
		if log := export(t); log != "" || !bytes.Equal(shown, pair.Certificate[0]) {
			t.Errorf("with %s…: shown %d bytes\n%s", prefix, len(shown), log)
		}
		set(t, []string{prefix + "CLIENT_CERTIFICATE=", prefix + "CLIENT_KEY="})
	}
}

func TestTheTimeoutOfAnExportIsConfigured(t *testing.T) {
	clean(t)
	for _, step := range []struct {
		variable string
		want     time.Duration
	}{
		{"OTEL_SERVICE_NAME=x", 10 * time.Second},
		{"OTEL_EXPORTER_OTLP_TIMEOUT=1500", 1500 * time.Millisecond},
		{"OTEL_EXPORTER_OTLP_TRACES_TIMEOUT=0", 0},
	} {
		set(t, []string{step.variable})
		client, err := newClient(func() {})
		if err != nil || client.Timeout != step.want {
			t.Errorf("%s: %v, %v", step.variable, client.Timeout, err)
		}
	}
}
