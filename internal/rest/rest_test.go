package rest

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/apierr"
	"strongroom/internal/domain"
)

// fake replaces the service.
type fake struct {
	pair domain.KeyPair
	err  error

	claims   string
	asked    []domain.Identity
	redeemed []string
	caller   domain.Caller
	refused  []domain.Code
}

func (f *fake) SignKey(_ context.Context, pair domain.KeyPair) (string, error) {
	return "signed:" + pair.KeyID + ":" + pair.Challenge, nil
}

func (f *fake) GenerateKey(ctx context.Context, id domain.Identity) (domain.KeyPair, error) {
	f.asked = append(f.asked, id)
	f.caller = domain.CallerFrom(ctx)
	return f.pair, f.err
}

func (f *fake) Redeem(ctx context.Context, receipt string) (json.RawMessage, error) {
	f.redeemed = append(f.redeemed, receipt)
	f.caller = domain.CallerFrom(ctx)
	return json.RawMessage(f.claims), f.err
}

func (f *fake) Refused(_ context.Context, code domain.Code) { f.refused = append(f.refused, code) }

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

const (
	requestID = "therequestid"
	canary    = "hunter2canary"
)

// do sends one request and returns the answer, its text and what was logged.
func do(f *fake, method, contentType, body string) (w *httptest.ResponseRecorder, text, log string) {
	return doAt(Handler, "/api/encryption/keys", f, method, contentType, body)
}

func doAt(handler func(Config) http.Handler, path string, f *fake, method, contentType, body string) (w *httptest.ResponseRecorder, text, log string) {
	var logged bytes.Buffer
	h := handler(Config{UseCases: f, Log: slog.New(slog.NewTextHandler(&logged, nil))})
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	r = r.WithContext(domain.WithCaller(r.Context(), domain.Caller{Mode: domain.ModeDevice, RequestID: requestID}))
	w = httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w, w.Body.String(), logged.String()
}

func TestAKeyPairIsIssued(t *testing.T) {
	f := &fake{pair: testPair()}
	w, text, _ := do(f, "POST", "application/json; charset=utf-8", `{"deviceId":"<é😀\"/>","appVersion":"1.2"}`)
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/json; charset=utf-8" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	if diff := cmp.Diff([]domain.Identity{{DeviceID: `<é😀"/>`, AppVersion: "1.2"}}, f.asked); diff != "" {
		t.Error(diff)
	}
	if f.caller.RequestID != requestID || len(f.refused) > 0 {
		t.Errorf("caller %v, refused %v", f.caller, f.refused)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode([]byte(got["publicKey"].(string)))
	if block == nil || block.Type != "PUBLIC KEY" || !bytes.Equal(block.Bytes, f.pair.PublicKey) {
		t.Errorf("publicKey: %q", got["publicKey"])
	}
	// An RSAPublicKey is the tail of its SubjectPublicKeyInfo (RFC 5280, 4.1.2.7).
	pkcs1, err := base64.StdEncoding.DecodeString(got["publicKeyPkcs1"].(string))
	if err != nil || !bytes.HasSuffix(f.pair.PublicKey, pkcs1) || len(pkcs1) < 128 {
		t.Errorf("publicKeyPkcs1: %q", got["publicKeyPkcs1"])
	}
	delete(got, "publicKey")
	delete(got, "publicKeyPkcs1")
	want := map[string]any{"keyId": "thekeyid", "algorithm": "RSA-OAEP-256", "keySize": 1024.0,
		"createdAt": "2026-01-02T03:04:05Z", "expiresAt": nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	f.pair.ExpiresAt = time.Date(2027, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))
	if _, text, _ := do(f, "POST", "application/json", `{"deviceId":"d"}`); !strings.Contains(text, `"expiresAt":"2027-01-02T02:04:05Z"`) {
		t.Errorf("a key that expires: %s", text)
	}
}

func TestAChallengeReturnsASignedKey(t *testing.T) {
	f := &fake{pair: testPair()}
	f.pair.Challenge = "0123456789abcdef" // as the use case returns it
	w, text, _ := do(f, "POST", "application/json", `{"deviceId":"d","challenge":"0123456789abcdef"}`)
	if w.Code != http.StatusOK || !strings.Contains(text, `"signedKey":"signed:thekeyid:0123456789abcdef"`) {
		t.Errorf("%d %s", w.Code, text)
	}
	if diff := cmp.Diff([]domain.Identity{{DeviceID: "d", Challenge: new("0123456789abcdef")}}, f.asked); diff != "" {
		t.Error(diff)
	}
	if _, text, _ := do(f, "POST", "application/json", `{"deviceId":"d","challenge":null}`); strings.Contains(text, "signedKey") {
		t.Errorf("without a challenge: %s", text)
	}
}

// checkFailure compares an answer with the one format of all failures.
func checkFailure(t *testing.T, name string, w *httptest.ResponseRecorder, text string, status int, message string) {
	t.Helper()
	want := map[string]any{"statusCode": float64(status), "message": message, "error": http.StatusText(status)}
	var got map[string]any
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatalf("%s: %v: %s", name, err, text)
	}
	if diff := cmp.Diff(want, got); diff != "" || w.Code != status || w.Header().Get("Content-Type") != "application/json; charset=utf-8" {
		t.Errorf("%s: %d %v\n%s", name, w.Code, w.Header(), diff)
	}
}

func TestABadRequestGetsOneClearErrorAndReachesNothing(t *testing.T) {
	const plain = "application/json"
	const needsID = "deviceId is required and must be a string."
	const onlyThree = "The body must have no members except deviceId, appVersion, challenge and algorithms. Names are case-sensitive."
	for name, tc := range map[string]struct {
		contentType, body string
		status            int
		code              domain.Code
		message           string
	}{
		"no type":             {"", `{"deviceId":"d"}`, 415, domain.CodeUnsupportedMedia, "The body must be JSON in UTF-8, not compressed, and its Content-Type application/json."},
		"form":                {"application/x-www-form-urlencoded", `deviceId=hunter2canary`, 415, domain.CodeUnsupportedMedia, "The body must be JSON in UTF-8, not compressed, and its Content-Type application/json."},
		"huge":                {plain, `{"deviceId":"` + strings.Repeat("x", maxBody) + `"}`, 413, domain.CodePayloadTooLarge, "The body must be at most 65536 bytes."},
		"empty":               {plain, ``, 400, domain.CodeBadRequest, "The body must be one JSON object, but it is empty."},
		"malformed":           {plain, `{"deviceId":hunter2canary}`, 400, domain.CodeBadRequest, "The body must be one JSON object, but it has a syntax error at byte 13."},
		"trailing bytes":      {plain, `{"deviceId":"d"}{}`, 400, domain.CodeBadRequest, "The body must be one JSON object, but it has a syntax error at byte 17."},
		"a list":              {plain, `[{"deviceId":"d"}]`, 400, domain.CodeBadRequest, "The body must be one JSON object, but it is not an object."},
		"deviceId twice":      {plain, `{"deviceId":"d","device\u0049d":"e"}`, 400, domain.CodeBadRequest, "The body must be one JSON object, but an object in it has two members of the same name."},
		"deviceId missing":    {plain, `{}`, 400, domain.CodeBadUserInput, needsID},
		"deviceId null":       {plain, `{"deviceId":null}`, 400, domain.CodeBadUserInput, needsID},
		"deviceId a number":   {plain, `{"deviceId":5}`, 400, domain.CodeBadUserInput, needsID},
		"deviceId a boolean":  {plain, `{"deviceId":true}`, 400, domain.CodeBadUserInput, needsID},
		"in another case":     {plain, `{"deviceID":"hunter2canary"}`, 400, domain.CodeBadUserInput, onlyThree},
		"appVersion a number": {plain, `{"deviceId":"d","appVersion":1.5}`, 400, domain.CodeBadUserInput, "appVersion must be a string or null."},
		"an unknown member":   {plain, `{"deviceId":"d","hunter2canary":"hunter2canary"}`, 400, domain.CodeBadUserInput, onlyThree},
		"as in GraphQL":       {plain, `{"deviceId":"d","input":{"deviceId":"d"}}`, 400, domain.CodeBadUserInput, onlyThree},
	} {
		f := &fake{pair: testPair()}
		w, text, log := do(f, "POST", tc.contentType, tc.body)
		checkFailure(t, name, w, text, tc.status, tc.message)
		if diff := cmp.Diff([]domain.Code{tc.code}, f.refused); diff != "" || len(f.asked) > 0 {
			t.Errorf("%s: asked %v, refused %s", name, f.asked, diff)
		}
		if strings.Contains(text+log, canary) {
			t.Errorf("%s: the request is returned or logged: %s %s", name, text, log)
		}
	}
}

func TestUseCaseErrorsUseTheCommonErrorFormat(t *testing.T) {
	for name, tc := range map[string]struct {
		err        error
		status     int
		retryAfter string
		message    string
	}{
		"bad input": {domain.BadInput("deviceId", "must not be blank"), 400, "", "deviceId must not be blank."},
		"the limit": {fmt.Errorf("generating: %w", &domain.KeyGenerationLimitError{ResetIn: 61 * time.Second}), 429, "61",
			"Rate limit for key generation exceeded. Try again in 2 minutes."},
		"too many":   {domain.TooManyRequests(domain.ReasonCallerRate, "Slow down.", time.Second/2), 429, "1", "Slow down."},
		"overloaded": {fmt.Errorf("generating: %w", domain.Overloaded()), 503, "1", domain.Overloaded().Message},
		"a stranger": {&domain.Error{Code: domain.CodeUnauthenticated, Message: "Who are you?"}, 401, "", "Who are you?"},
		"no right":   {&domain.Error{Code: domain.CodeForbidden, Message: "Not you."}, 403, "", "Not you."},
		"unknown":    {errors.New("dialing 10.0.0.1"), 500, "", "The service failed. Quote the request id therequestid to its operator."},
	} {
		f := &fake{err: tc.err}
		w, text, log := do(f, "POST", "application/json", `{"deviceId":"hunter2canary"}`)
		checkFailure(t, name, w, text, tc.status, tc.message)
		if got := w.Header().Get("Retry-After"); got != tc.retryAfter {
			t.Errorf("%s: Retry-After is %q", name, got)
		}
		if len(f.asked) != 1 || len(f.refused) != 0 {
			t.Errorf("%s: asked %v, refused %v", name, f.asked, f.refused)
		}
		if logged := strings.Contains(log, "10.0.0.1"); logged != (tc.status == 500) {
			t.Errorf("%s: the log is %q", name, log)
		}
		if strings.Contains(text+log, canary) {
			t.Errorf("%s: the request is returned or logged: %s %s", name, text, log)
		}
	}
}

// FuzzRequest sends any bytes as the body. Whatever they are, the answer is a
// key pair or a failure of the one shape, and nothing panics.
func FuzzRequest(f *testing.F) {
	for _, body := range []string{``, `{}`, `{"deviceId":"d"}`, `{"deviceId":"d","appVersion":null}`, `{"deviceId":1}`, `[]`, `{"a":{}}`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		uc := &fake{pair: testPair()}
		w, text, log := do(uc, "POST", "application/json", string(body))
		if w.Code == http.StatusOK {
			if len(uc.asked) != 1 {
				t.Fatalf("answered without asking: %s", text)
			}
			return
		}
		var got apierr.REST
		if err := json.Unmarshal([]byte(text), &got); err != nil || got.StatusCode != w.Code || got.Message == "" ||
			got.Error != http.StatusText(w.Code) || w.Code >= 500 {
			t.Fatalf("%d %s\n%s", w.Code, text, log)
		}
	})
}
