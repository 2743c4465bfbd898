package auth

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"go.uber.org/goleak"

	"strongroom/internal/domain"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const audience = "https://vault.bank.example"

// The keys that the tests share: making RSA keys takes long.
var (
	rsaKey    = sync.OnceValue(func() *rsa.PrivateKey { return must(rsa.GenerateKey(rand.Reader, 2048)) })
	otherRSA  = sync.OnceValue(func() *rsa.PrivateKey { return must(rsa.GenerateKey(rand.Reader, 2048)) })
	ecKey     = sync.OnceValue(func() *ecdsa.PrivateKey { return must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)) })
	edKey     = sync.OnceValue(func() ed25519.PrivateKey { return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, 32)) })
	wellKnown = "/.well-known/openid-configuration"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// provider is an identity provider: real HTTP, real keys.
type provider struct {
	*httptest.Server
	mux       *http.ServeMux
	discovery func(issuer string) string // its document

	mu   sync.Mutex
	keys string        // its key set; empty: it is down
	hold chan struct{} // not nil: key sets are sent when it is closed

	fetches atomic.Int64 // of its key set
}

func newProvider(t testing.TB, keys ...jose.JSONWebKey) *provider {
	p := &provider{keys: keySetOf(keys...), discovery: func(issuer string) string {
		return fmt.Sprintf(`{"issuer":%q,"jwks_uri":%q}`, issuer, issuer+"/keys")
	}}
	mux := http.NewServeMux()
	p.mux = mux
	mux.HandleFunc("GET "+wellKnown, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, p.discovery(p.URL)) })
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, r *http.Request) {
		p.fetches.Add(1)
		p.mu.Lock()
		keys, hold := p.keys, p.hold
		p.mu.Unlock()
		if hold != nil {
			select {
			case <-hold:
			case <-r.Context().Done():
			}
		}
		if keys == "" {
			http.Error(w, "down", http.StatusInternalServerError)
			return
		}
		fmt.Fprint(w, keys)
	})
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

// publish changes the key set; with no keys at all the provider is down.
func (p *provider) publish(keys ...jose.JSONWebKey) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys = ""
	if len(keys) > 0 {
		p.keys = keySetOf(keys...)
	}
}

func keySetOf(keys ...jose.JSONWebKey) string {
	return string(must(json.Marshal(jose.JSONWebKeySet{Keys: keys})))
}

// jwk is the public half of a key as a provider publishes it.
func jwk(keyID string, key crypto.Signer) jose.JSONWebKey {
	return jose.JSONWebKey{Key: key.Public(), KeyID: keyID, Use: "sig"}
}

// fields are a header or claims; a nil value takes one away.
type fields map[string]any

func (f fields) with(more fields) fields {
	f = maps.Clone(f)
	maps.Copy(f, more)
	maps.DeleteFunc(f, func(_ string, v any) bool { return v == nil })
	return f
}

// claims are those of a good token.
func (p *provider) claims(now time.Time) fields {
	return fields{"iss": p.URL, "sub": "alice", "aud": audience, "exp": now.Add(10 * time.Minute).Unix(), "iat": now.Unix()}
}

func encode(v any) string {
	return base64.RawURLEncoding.EncodeToString(must(json.Marshal(v)))
}

// signed makes a token by hand, so that it can be wrong in any way.
func signed(header, claims fields, key crypto.Signer) string {
	text := encode(header) + "." + encode(claims)
	return text + "." + base64.RawURLEncoding.EncodeToString(signature(header["alg"], text, key))
}

func signature(algorithm any, text string, key crypto.Signer) []byte {
	digest := sha256.Sum256([]byte(text))
	switch key := key.(type) {
	case *rsa.PrivateKey:
		if algorithm == "PS256" {
			return must(rsa.SignPSS(rand.Reader, key, crypto.SHA256, digest[:], &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}))
		}
		return must(rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:]))
	case *ecdsa.PrivateKey:
		r, s, err := ecdsa.Sign(rand.Reader, key, digest[:])
		if err != nil {
			panic(err)
		}
		return append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	}
	return must(key.Sign(nil, []byte(text), crypto.Hash(0)))
}

// world is an authenticator of jwt mode with a clock that stands still and a
// background that waits to be woken.
type world struct {
	*JWT
	clock  atomic.Pointer[time.Time]
	paused chan time.Duration // gets each pause of the background
	wake   chan time.Time     // ends one
	log    *syncBuffer
}

type syncBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}

// newWorld starts the authenticator and waits until each key set was fetched
// once, or could not be.
func newWorld(t testing.TB, cfg JWTConfig) *world {
	t.Helper()
	w := &world{paused: make(chan time.Duration, 16), wake: make(chan time.Time), log: &syncBuffer{}}
	cfg.Logger = slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if cfg.Audiences == nil {
		cfg.Audiences = []string{audience}
	}
	if cfg.Algorithms == nil {
		cfg.Algorithms = []string{"RS256", "PS256", "ES256", "EdDSA"}
	}
	j, err := NewJWT(cfg)
	if err != nil {
		t.Fatal(err)
	}
	w.JWT = j
	start := time.Now().Truncate(time.Second)
	w.clock.Store(&start)
	j.now = w.time
	for _, set := range j.issuers {
		set.now = w.time
		set.after = func(d time.Duration) <-chan time.Time {
			w.paused <- d
			return w.wake
		}
	}
	j.Start()
	t.Cleanup(j.Close)
	for range j.issuers {
		<-w.paused
	}
	return w
}

func (w *world) time() time.Time { return *w.clock.Load() }

func (w *world) pass(d time.Duration) {
	later := w.time().Add(d)
	w.clock.Store(&later)
}

// refreshed lets the background of the only issuer refresh once and returns
// how long it wants to pause then.
func (w *world) refreshed() time.Duration {
	w.wake <- time.Time{}
	return <-w.paused
}

func (w *world) ask(tokens ...string) (domain.Caller, error) {
	r := httptest.NewRequest("POST", "/graphql", nil)
	for _, token := range tokens {
		r.Header.Add("Authorization", "Bearer "+token)
	}
	return w.Authenticate(r)
}

func (w *world) mustTake(t *testing.T, token string) domain.Caller {
	t.Helper()
	c, err := w.ask(token)
	if err != nil {
		t.Fatalf("refused: %v\n%s", err, w.log)
	}
	return c
}

// mustRefuse also checks that a refusal does not repeat its input.
func mustRefuse(t *testing.T, err error) *domain.Error {
	t.Helper()
	var refusal *domain.Error
	if !errors.As(err, &refusal) || refusal.Code != domain.CodeUnauthenticated {
		t.Fatalf("got %v, want %s", err, domain.CodeUnauthenticated)
	}
	return refusal
}

func (w *world) mustRefuse(t *testing.T, token string) *domain.Error {
	t.Helper()
	c, err := w.ask(token)
	if (c != domain.Caller{}) {
		t.Errorf("a refused token names the caller %+v", c)
	}
	refusal := mustRefuse(t, err)
	for part := range strings.SplitSeq(token, ".") {
		if len(part) > 3 && strings.Contains(refusal.Message, part) {
			t.Errorf("the refusal repeats the token: %s", refusal.Message)
		}
	}
	return refusal
}
