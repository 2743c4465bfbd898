package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"strongroom/internal/admin"
	"strongroom/internal/config"
	"strongroom/internal/domain"
)

// connection says where the vault is that a command is about: behind a server,
// or here, to be opened by the settings of the store. Either way the command
// speaks to the admin API, so that there is one way to do each thing.
type connection struct {
	kong.Plugins
	Server    string `placeholder:"URL" help:"Ask the operator side of this server instead of opening the store."`
	TokenFile string `placeholder:"FILE" help:"File whose first word is the token for --server. Without it the token is taken from $STRONGROOM_ADMIN_TOKEN."`
	ServerCA  string `name:"server-ca" placeholder:"FILE" help:"Certificates (PEM) of the authority of --server, if this machine does not know it."`
	JSON      bool   `name:"json" help:"Print the answer of the admin API as it is."`
}

// adminAPI is the admin API of a vault.
type adminAPI struct {
	base  string // URL before the path
	token string // of a server
	http  *http.Client
}

const (
	adminTimeout = 70 * time.Second // a server has 60 to answer
	maxAnswer    = 64 << 20         // bytes
	maxTokenFile = 64 << 10
)

// with runs what a command does with the API.
func (c connection) with(ctx context.Context, p *process, do func(context.Context, *adminAPI) error) (err error) {
	if c.Server != "" {
		a, err := c.remote()
		if err != nil {
			return exit{exitUsage, err}
		}
		return do(ctx, a)
	}
	if c.TokenFile != "" || c.ServerCA != "" {
		return exit{exitUsage, errors.New("--token-file and --server-ca go with --server")}
	}
	s, err := p.settings()
	if err != nil {
		return err
	}
	log := p.logger(s)
	v, err := openVault(ctx, s, log, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	return do(ctx, &adminAPI{base: "http://localhost", http: &http.Client{Transport: inProcess{adminHandler(s, v, log)}}})
}

// adminHandler is the admin API of an open vault.
func adminHandler(s *config.Settings, v *vault, log *slog.Logger) http.Handler {
	parts := s.Posture()
	posture := make([]admin.Part, len(parts))
	for i, part := range parts {
		posture[i] = admin.Part{Name: part.Name, State: string(part.State), Demanded: part.Demanded, Settings: part.Settings, Gain: part.Gain}
	}
	return admin.Handler(admin.Config{UseCases: v, Posture: posture, Mode: v.Mode(), Version: version, Refused: v.OperatorRefused, Log: log, Origin: s.AdminURL})
}

// inProcess has a handler of this process answer, as to whoever runs it.
type inProcess struct{ http.Handler }

func (t inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := asOperator(domain.WithCaller(r.Context(), domain.Caller{RequestID: domain.NewRequestID(time.Now())}))
	w := kept{status: http.StatusOK, header: http.Header{}}
	t.ServeHTTP(&w, r.WithContext(ctx))
	return &http.Response{StatusCode: w.status, Header: w.header, Body: io.NopCloser(&w.body), Request: r}, nil
}

// kept is an answer in memory.
type kept struct {
	status int
	header http.Header
	body   bytes.Buffer
}

func (w *kept) Header() http.Header { return w.header }

func (w *kept) WriteHeader(status int) { w.status = status }

func (w *kept) Write(b []byte) (int, error) { return w.body.Write(b) }

func (c connection) remote() (*adminAPI, error) {
	base, err := serverURL(c.Server)
	if err != nil {
		return nil, err
	}
	token, err := c.token()
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	if c.ServerCA != "" {
		if transport.TLSClientConfig.RootCAs, err = authorities(c.ServerCA); err != nil {
			return nil, err
		}
	}
	return &adminAPI{base: base, token: token, http: &http.Client{
		Transport:     transport,
		Timeout:       adminTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // the token is for this server
	}}, nil
}

// serverURL is where a server is, without the path of the API. A token may
// leave this machine only under TLS.
func serverURL(text string) (string, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return "", errors.New("--server: must be a URL as https://vault.example.com:8081")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "", errors.New("--server: must be without user, query and fragment")
	case u.Scheme == "http" && !isThisMachine(u.Hostname()):
		return "", errors.New("--server: must be https, or on this machine: whoever is on the path would read the token")
	}
	return strings.TrimRight(u.Scheme+"://"+u.Host+u.EscapedPath(), "/"), nil
}

func isThisMachine(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// token is from the file, else from the environment: a flag could be read by
// every user of the machine.
func (c connection) token() (string, error) {
	text := []byte(os.Getenv(config.AdminTokenVariable))
	if c.TokenFile != "" {
		f, err := os.Open(c.TokenFile)
		if err != nil {
			return "", fmt.Errorf("--token-file: %w", err)
		}
		defer f.Close()
		if text, err = io.ReadAll(io.LimitReader(f, maxTokenFile)); err != nil {
			return "", fmt.Errorf("--token-file: %w", err)
		}
	}
	token := firstWord(string(text))
	switch {
	case token == "" && c.TokenFile == "":
		return "", fmt.Errorf("--server needs a token: name its file with --token-file, or set %s", config.AdminTokenVariable)
	case token == "" || strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }):
		return "", errors.New("there is no token where it should be")
	}
	return token, nil
}

// firstWord is the first one of a token file, in which lines that begin with #
// are comments.
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
		return nil, errors.New("--server-ca: there is no certificate in the file")
	}
	return pool, nil
}

// write does one act and returns its receipt, and that as it was answered. It
// has an idempotency key of its own, so that net/http may send it once more
// over a new connection where one broke under it.
func (a *adminAPI) write(ctx context.Context, path string, body map[string]any) (text []byte, receipt admin.Receipt, err error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, receipt, err
	}
	if text, err = a.ask(ctx, http.MethodPost, path, encoded); err != nil {
		return nil, receipt, err
	}
	return text, receipt, decoded(text, &receipt)
}

// get reads from the API.
func (a *adminAPI) get(ctx context.Context, path string, query url.Values) ([]byte, error) {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return a.ask(ctx, http.MethodGet, path, nil)
}

// read is get into v.
func (a *adminAPI) read(ctx context.Context, path string, query url.Values, v any) error {
	text, err := a.get(ctx, path, query)
	if err != nil {
		return err
	}
	return decoded(text, v)
}

func decoded(text []byte, v any) error {
	if err := json.Unmarshal(text, v); err != nil {
		return errNotTheAPI
	}
	return nil
}

var errNotTheAPI = errors.New("the answer is not one of the admin API: is --server the operator side of a strongroom, with nothing in between")

// ask sends a request and returns the body of its answer. That it was refused
// is the error, in the words of the API.
func (a *adminAPI) ask(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, a.base+admin.Root+path, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the request cannot be sent: --server is no usable URL")
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", domain.NewID())
	}
	if a.token != "" {
		r.Header.Set("Authorization", "Bearer "+a.token)
	}
	res, err := a.http.Do(r)
	if err != nil {
		return nil, unreachable(err)
	}
	defer func() { _ = res.Body.Close() }() // all of it that counts was read
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return nil, unreachable(err)
	}
	if res.StatusCode == http.StatusOK {
		return text, nil
	}
	var problem admin.Problem
	if res.Header.Get("Content-Type") != "application/problem+json" || json.Unmarshal(text, &problem) != nil || problem.Detail == "" {
		return nil, fmt.Errorf("%w? It answered with status %d", errNotTheAPI, res.StatusCode)
	}
	if problem.Status == http.StatusUnauthorized {
		return nil, fmt.Errorf("the server does not take the token: is it in its admin token file, or of its identity provider and not expired? (request %s)", cell(problem.RequestID))
	}
	if problem.Status >= http.StatusInternalServerError {
		return nil, fmt.Errorf("%s (request %s)", asError(problem.Detail), cell(problem.RequestID))
	}
	return nil, errors.New(asError(problem.Detail))
}

// asError is a sentence of the API as commands say what is wrong.
func asError(sentence string) string {
	sentence = strings.TrimSuffix(sentence, ".")
	if begin, rest, ok := strings.Cut(sentence, " "); ok && begin != "" && begin == strings.ToUpper(begin[:1])+strings.ToLower(begin[1:]) {
		sentence = strings.ToLower(begin) + " " + rest
	}
	return words(sentence)
}

// unreachable is the error of a request that was not answered, without the URL
// that net/http puts before it: a query in it may name anybody.
func unreachable(err error) error {
	var about *url.Error
	if errors.As(err, &about) {
		err = about.Err
	}
	var op *net.OpError
	if errors.As(err, &op) {
		err = op
	}
	return fmt.Errorf("the server did not answer: %w", err)
}
