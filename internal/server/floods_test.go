package server

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"strongroom/internal/auth"
	"strongroom/internal/domain"
	"strongroom/internal/graph"
	"strongroom/internal/lograte"
	"strongroom/internal/rest"
	"strongroom/internal/trace"
)

// nobody is a service from which a stranger gets only refusals.
type nobody struct {
	graph.UseCases
	log *slog.Logger
}

func (nobody) Refused(ctx context.Context, code domain.Code) { trace.Outcome(ctx, code) }

func (n nobody) RefusedCaller(ctx context.Context, why *domain.Error) *domain.Error {
	n.Refused(ctx, why.Code)
	return why
}

func (n nobody) Redeem(ctx context.Context, _ string) (json.RawMessage, error) {
	return nil, domain.Overloaded()
}

func (n nobody) GenerateKey(ctx context.Context, _ domain.Identity) (domain.KeyPair, error) {
	trace.Outcome(ctx, domain.CodeTooManyRequests)
	n.log.InfoContext(ctx, "operation refused", "code", domain.CodeTooManyRequests)
	return domain.KeyPair{}, domain.TooManyRequests(domain.ReasonAddressRate, "Too many.", 1)
}

func TestFloodsOfStrangersAreLoggedInPart(t *testing.T) {
	type flood struct{ method, url, header, body string }
	const gql = "application/json"
	for name, c := range map[string]flood{
		"405 of a probe":           {"POST", "http://api/healthz", "", ""},
		"405 of readiness":         {"DELETE", "http://api/readyz", "", ""},
		"405 of GraphQL":           {"PUT", "http://api/graphql", "", ""},
		"405 of REST":              {"GET", "http://api/api/encryption/keys", "", ""},
		"404":                      {"GET", "http://api/nothing", "", ""},
		"a made-up method":         {"CANARY", "http://api/graphql", "", ""},
		"a preflight":              {"OPTIONS", "http://api/graphql", "Access-Control-Request-Method: POST", ""},
		"a preflight of elsewhere": {"OPTIONS", "http://api/nothing", "Access-Control-Request-Method: POST", ""},
		"no JSON":                  {"POST", "http://api/graphql", "Content-Type: text/plain", "x"},
		"half JSON":                {"POST", "http://api/graphql", "Content-Type: " + gql, `{"query":`},
		"no GraphQL":               {"POST", "http://api/graphql", "Content-Type: " + gql, `{"query":"{"}`},
		"no such field":            {"POST", "http://api/graphql", "Content-Type: " + gql, `{"query":"{nothing}"}`},
		"no query":                 {"POST", "http://api/graphql", "Content-Type: " + gql, `{}`},
		"nothing acceptable":       {"GET", "http://api/graphql?query={__typename}", "Accept: image/png", ""},
		"a mutation by GET":        {"GET", "http://api/graphql?query=mutation{__typename}", "", ""},
		"too large":                {"POST", "http://api/graphql", "Content-Type: " + gql, strings.Repeat(" ", 70_000)},
		"bad input of REST":        {"POST", "http://api/api/encryption/keys", "Content-Type: " + gql, `{"deviceId":1}`},
		"a use case that refuses":  {"POST", "http://api/api/encryption/keys", "Content-Type: " + gql, `{"deviceId":"d"}`},
		"no token of an operator":  {"GET", "http://operator/metrics", "", ""},
		"a wrong token":            {"GET", "http://operator/admin/v1", "Authorization: Bearer wrong", ""},
		"405 of the operator":      {"PATCH", "http://operator/healthz", "Authorization: Bearer " + viewerToken, ""},
		"the console":              {"GET", "http://operator/", "", ""},
		"the signing keys":         {"GET", "http://api/.well-known/jwks.json", "", ""},
		"the schema":               {"GET", "http://api/schema.graphql", "", ""},
		"the sandbox":              {"GET", "http://api/sandbox/", "Accept: text/html", ""},
		"the explorer":             {"GET", "http://api/graphql", "Accept: text/html", ""},
	} {
		t.Run(name, func(t *testing.T) {
			operators := operatorsOf(t, nil, testToken+"\n"+viewerToken+" viewer\n")
			synctest.Test(t, func(t *testing.T) { // the clock stands still
				var log buffer
				logger := slog.New(LogRequestID(slog.NewTextHandler(&log, nil)))
				service := nobody{log: logger}
				page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(200) })
				s := &Server{cfg: Config{Logger: logger, Operators: operators, Authenticator: auth.Device(nil), CORSOrigins: []string{"https://a.example"},
					KeySet: func() ([]byte, string) { return []byte(`{"keys":[]}`), `"tag"` }, SDL: "type Query", Pages: map[string]Page{"/sandbox/": {Handler: page}}, Explorer: page,
					GraphQL: graph.Handler(graph.Config{UseCases: service, LookedUp: func(bool) {}, Log: logger}), REST: rest.Handler(rest.Config{UseCases: service, Log: logger}),
					Metrics: http.NotFoundHandler(), Console: page,
					Answered: func(string, int) {}, Refused: service.Refused, RefusedCaller: service.RefusedCaller, OperatorRefused: service.Refused}}
				if err := s.configure(); err != nil {
					t.Fatal(err)
				}
				handler := s.api.http.Handler
				if strings.HasPrefix(c.url, "http://operator") {
					handler = s.operator.http.Handler
				}
				const sent = 200
				for range sent {
					r := httptest.NewRequest(c.method, c.url, strings.NewReader(c.body))
					r.Header.Set("Origin", "https://a.example")
					if field, value, ok := strings.Cut(c.header, ": "); ok {
						r.Header.Set(field, value)
					}
					w := httptest.NewRecorder()
					handler.ServeHTTP(w, r)
					_, _ = io.Copy(io.Discard, w.Body)
				}
				// The request has a log line, and the use case another one.
				if n := strings.Count(log.String(), "\n"); n == 0 || n > 2*lograte.PerSecond+1 {
					t.Errorf("%d lines of %d requests in one second:\n%.500s", n, sent, log.String())
				}
			})
		})
	}
}
