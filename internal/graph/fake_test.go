package graph

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"strongroom/internal/domain"
)

// call is one call of a use case.
type call struct {
	Name        string
	Identity    domain.Identity
	Submission  domain.Submission
	Transaction string
	Body        string
	PublicKey   string
	Hours       float64
	Status      domain.StatusInput
	Caller      domain.Caller
}

// fake replaces the service. It records its calls and returns what the test
// wants.
type fake struct {
	mu      sync.Mutex
	calls   []call
	refused []domain.Code

	err   error
	panic any
	rule  domain.Rule
	match bool
	pair  domain.KeyPair

	mustChange bool
	left       *int
	status     domain.CredentialStatus
	receipt    string
}

func (f *fake) record(ctx context.Context, c call) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	c.Caller = domain.CallerFrom(ctx)
	f.calls = append(f.calls, c)
	if f.panic != nil {
		panic(f.panic)
	}
	return f.err
}

func (f *fake) SignKey(_ context.Context, pair domain.KeyPair) (string, error) {
	return "signed:" + pair.KeyID + ":" + pair.Challenge, nil
}

func (f *fake) GenerateKey(ctx context.Context, id domain.Identity) (domain.KeyPair, error) {
	return f.pair, f.record(ctx, call{Name: "GenerateKey", Identity: id})
}

func (f *fake) RotateKey(ctx context.Context, id domain.Identity) (domain.KeyPair, error) {
	return f.pair, f.record(ctx, call{Name: "RotateKey", Identity: id})
}

func (f *fake) EncryptLikeClient(ctx context.Context, e domain.Encryption) (string, error) {
	return "Y2lwaGVydGV4dA==", f.record(ctx, call{Name: "EncryptLikeClient", Body: string(e.Body), PublicKey: e.PublicKey})
}

func (f *fake) Set(ctx context.Context, s domain.Submission) (domain.Rule, error) {
	return f.rule, f.record(ctx, call{Name: "Set", Submission: s})
}

func (f *fake) Verify(ctx context.Context, s domain.Submission) (domain.Verdict, error) {
	return domain.Verdict{Match: f.match, MustChange: f.mustChange, AttemptsLeft: f.left, Receipt: f.receipt}, f.record(ctx, call{Name: "Verify", Submission: s})
}

func (f *fake) Status(ctx context.Context, in domain.StatusInput) (domain.CredentialStatus, error) {
	return f.status, f.record(ctx, call{Name: "Status", Status: in})
}

func (f *fake) Authorize(ctx context.Context, a domain.Authorization) (domain.Verdict, error) {
	verdict := domain.Verdict{Match: f.match, Receipt: f.receipt, AttemptsLeft: f.left}
	if f.receipt != "" {
		verdict.ExpiresAt = time.Date(2026, 1, 2, 3, 4, 5, 678_000, time.UTC)
	}
	return verdict, f.record(ctx, call{Name: "Authorize", Submission: a.Submission, Transaction: a.Transaction})
}

func (f *fake) Summary(ctx context.Context, hours float64) (domain.Summary, error) {
	return domain.Summary{TotalOperations: 4, SuccessfulOperations: 3, FailedOperations: 1, SuccessRate: 75,
		AverageDuration: 1.5, UniqueDevices: 2, TimeframeHours: hours, Percentiles: domain.Percentiles{Of: 4, P50: 1, P95: 1, P99: 1}}, f.record(ctx, call{Name: "Summary", Hours: hours})
}

func (f *fake) Refused(_ context.Context, code domain.Code) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refused = append(f.refused, code)
}

// stand is a handler on a fake, with what it logs.
type stand struct {
	*fake
	handler http.Handler
	log     *bytes.Buffer
}

const requestID = "therequestid"

func newStand(introspection bool) *stand {
	return standOf(Config{Introspection: introspection})
}

func standOf(cfg Config) *stand {
	s := &stand{fake: &fake{pair: testPair()}, log: &bytes.Buffer{}}
	cfg.UseCases, cfg.LookedUp = s.fake, func(bool) {}
	cfg.Log = slog.New(withRequestID{slog.NewJSONHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug})})
	s.handler = Handler(cfg)
	return s
}

// withRequestID adds the request id of the context to each line, as the
// server's logger does.
type withRequestID struct{ slog.Handler }

func (h withRequestID) Handle(ctx context.Context, r slog.Record) error {
	r.AddAttrs(slog.String("request_id", domain.CallerFrom(ctx).RequestID))
	return h.Handler.Handle(ctx, r)
}

// testPair has a key too short to be of use, because it is quick to make.
var testPair = sync.OnceValue(func() domain.KeyPair {
	key, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		panic(err)
	}
	spki, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		panic(err)
	}
	return domain.KeyPair{KeyID: "thekeyid", PublicKey: spki, Algorithm: "RSA-OAEP-256", Bits: 1024,
		CreatedAt: time.Date(2026, 1, 2, 3, 4, 5, 678_000, time.UTC)}
})

// response is an answer over HTTP.
type response struct {
	Status int
	Header http.Header
	Text   string // without the spaces at its end
	size   int
	answer
}

func (s *stand) do(t testing.TB, r *http.Request) response {
	t.Helper()
	r = r.WithContext(domain.WithCaller(r.Context(), domain.Caller{Mode: domain.ModeDevice, RequestID: requestID}))
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	got := response{Status: w.Code, Header: w.Header(), Text: strings.TrimRight(w.Body.String(), " "), size: w.Body.Len()}
	var body struct {
		Errors []struct {
			Message    string
			Locations  []struct{ Line, Column int }
			Path       []any
			Extensions map[string]any
		}
	}
	for _, into := range []any{&body, &got.answer} {
		if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
			t.Fatalf("the answer is not JSON: %v\n%s", err, got.Text)
		}
	}
	return got
}

// code is the code of the first error, as a client reads it.
func (r response) code() domain.Code {
	if len(r.Errors) == 0 {
		return ""
	}
	code, _ := r.Errors[0].Extensions["code"].(string)
	return domain.Code(code)
}

func (r response) message() string {
	if len(r.Errors) == 0 {
		return ""
	}
	return r.Errors[0].Message
}

// request is a POST of body in JSON.
func request(body string, accept ...string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for _, a := range accept {
		r.Header.Add("Accept", a)
	}
	return r
}

// post sends a document with variables in JSON ("" for none).
func (s *stand) post(t testing.TB, query, variables string, accept ...string) response {
	t.Helper()
	return s.do(t, request(encode(t, query, variables), accept...))
}

func encode(t testing.TB, query, variables string) string {
	t.Helper()
	body := map[string]any{"query": query}
	if variables != "" {
		body["variables"] = json.RawMessage(variables)
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}
