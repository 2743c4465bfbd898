package apierr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"strongroom/internal/domain"
)

func TestEachErrorHasItsStatusAndHeaders(t *testing.T) {
	for name, tc := range map[string]struct {
		err        *domain.Error
		status     int
		everywhere bool
		retryAfter string
		challenge  string // to a client that sent a token
	}{
		"bad input":       {domain.BadInput("deviceId", "must not be blank"), 400, false, "", ""},
		"bad request":     {&domain.Error{Code: domain.CodeBadRequest}, 400, true, "", ""},
		"unauthenticated": {&domain.Error{Code: domain.CodeUnauthenticated}, 401, false, "", `Bearer error="invalid_token"`},
		"bad proof": {&domain.Error{Code: domain.CodeUnauthenticated, Reason: domain.ReasonDPoPProofInvalid},
			401, false, "", `DPoP error="invalid_dpop_proof", algs="ES256 EdDSA Ed25519"`},
		"proof at the wrong time": {&domain.Error{Code: domain.CodeUnauthenticated, Reason: domain.ReasonDPoPProofTime},
			401, false, "", `DPoP error="invalid_dpop_proof", algs="ES256 EdDSA Ed25519"`},
		"no proof": {&domain.Error{Code: domain.CodeUnauthenticated, Reason: domain.ReasonDPoPProofRequired},
			401, false, "", `DPoP algs="ES256 EdDSA Ed25519"`},
		"no nonce": {&domain.Error{Code: domain.CodeUnauthenticated, Reason: domain.ReasonDPoPNonceRequired},
			401, false, "", `DPoP error="use_dpop_nonce", algs="ES256 EdDSA Ed25519"`},
		"forbidden":      {&domain.Error{Code: domain.CodeForbidden}, 403, false, "", `Bearer error="insufficient_scope"`},
		"disabled":       {&domain.Error{Code: domain.CodeOperationDisabled}, 403, false, "", ""},
		"not found":      {&domain.Error{Code: domain.CodeNotFound}, 404, false, "", ""},
		"method":         {&domain.Error{Code: domain.CodeMethodNotAllowed}, 405, true, "", ""},
		"not acceptable": {&domain.Error{Code: domain.CodeNotAcceptable}, 406, true, "", ""},
		"conflict":       {&domain.Error{Code: domain.CodeConflict}, 409, false, "", ""},
		"too large":      {&domain.Error{Code: domain.CodePayloadTooLarge}, 413, true, "", ""},
		"media type":     {&domain.Error{Code: domain.CodeUnsupportedMedia}, 415, true, "", ""},
		"too many":       {domain.TooManyRequests(domain.ReasonCallerRate, "Slow down.", 1500*time.Millisecond), 429, false, "2", ""},
		"the limit": {&domain.Error{Code: domain.CodeTooManyRequests, Reason: domain.ReasonKeyGenerationLimit, RetryAfter: time.Minute},
			429, true, "60", ""},
		"internal":       {&domain.Error{Code: domain.CodeInternal}, 500, false, "", ""},
		"no key set":     {&domain.Error{Code: domain.CodeInternal, Reason: domain.ReasonCallersUnverified}, 503, false, "5", ""},
		"overloaded":     {domain.Overloaded(), 503, true, "1", ""},
		"only GraphQL's": {&domain.Error{Code: domain.CodeCredentialLocked, RetryAfter: time.Hour}, 500, false, "3600", ""},
	} {
		h := http.Header{}
		SetRetryAfter(h, tc.err)
		Challenge(h, tc.err, []string{"Bearer x"}, true)
		if got := Status(tc.err); got != tc.status || Everywhere(tc.err) != tc.everywhere {
			t.Errorf("%s: %d, everywhere %t", name, got, Everywhere(tc.err))
		}
		if h.Get("Retry-After") != tc.retryAfter || h.Get("WWW-Authenticate") != tc.challenge {
			t.Errorf("%s: %v", name, h)
		}
	}
	const algorithms = `algs="ES256 EdDSA Ed25519"`
	unauthenticated := func(reason string) *domain.Error {
		return &domain.Error{Code: domain.CodeUnauthenticated, Reason: reason}
	}
	for _, tc := range []struct {
		sent      string
		dpop      bool
		err       *domain.Error
		challenge string
	}{
		{"", true, unauthenticated(domain.ReasonTokenMissing), "Bearer"},
		{"DPoP x", true, unauthenticated(domain.ReasonTokenExpired), `DPoP error="invalid_token", ` + algorithms},
		{"dpop x", true, &domain.Error{Code: domain.CodeForbidden}, `DPoP error="insufficient_scope", ` + algorithms},
		{"Bearer x", true, unauthenticated(domain.ReasonTokenBound), `Bearer error="invalid_token", DPoP ` + algorithms},
		{"DPoP x", true, unauthenticated(domain.ReasonTokenBound), `DPoP error="invalid_token", ` + algorithms},
		{"DPoP x", false, unauthenticated(domain.ReasonTokenInvalid), `Bearer error="invalid_token"`},
		{"Bearer x", false, unauthenticated(domain.ReasonTokenBound), `Bearer error="invalid_token"`},
	} {
		h, sent := http.Header{}, []string{tc.sent}
		if tc.sent == "" {
			sent = nil
		}
		if Challenge(h, tc.err, sent, tc.dpop); h.Get("WWW-Authenticate") != tc.challenge {
			t.Errorf("%q, %s: %v", tc.sent, tc.err.Reason, h)
		}
	}
}

func TestOnlyRefusalsAreShownAndOtherErrorsAreLoggedOnce(t *testing.T) {
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	failed := errors.New("dialing 10.0.0.1")
	for name, tc := range map[string]struct {
		ctx  context.Context
		err  error
		code domain.Code
		line string
	}{
		"a refusal":              {gone, fmt.Errorf("reading: %w", &domain.Error{Code: domain.CodeNotFound}), domain.CodeNotFound, ""},
		"the limit":              {gone, fmt.Errorf("making: %w", &domain.KeyGenerationLimitError{ResetIn: time.Minute}), domain.CodeTooManyRequests, ""},
		"a refusal of GraphQL's": {gone, domain.ErrKeyNotUsable, domain.CodeInternal, "level=ERROR msg=\"operation failed\" error=\"KEY_NOT_USABLE: "},
		"a failure":              {gone, failed, domain.CodeInternal, "level=ERROR msg=\"operation failed\" error=\"dialing 10.0.0.1\"\n"},
		"the client went away":   {gone, context.Canceled, domain.CodeInternal, "level=DEBUG msg=\"operation failed\" error=\"context canceled\"\n"},
		"the client stayed":      {context.Background(), context.Canceled, domain.CodeInternal, "level=ERROR msg=\"operation failed\" error=\"context canceled\"\n"},
		"one that has its line":  {gone, fmt.Errorf("reading: %w", domain.LoggedError{Err: failed}), domain.CodeInternal, ""},
	} {
		var log bytes.Buffer
		refusal := ForOperator(tc.ctx, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})), tc.err)
		_, line, _ := strings.Cut(log.String(), " ") // the time
		if refusal.Code != tc.code || !strings.HasPrefix(line, tc.line) || (line == "") != (tc.line == "") || strings.Contains(refusal.Message, "10.0.0.1") {
			t.Errorf("%s: %+v, log %q", name, refusal, line)
		}
	}
	if _, ok := Find(domain.LoggedError{Err: domain.Overloaded()}); !ok {
		t.Error("a logged refusal is not found")
	}
}

func TestEveryCodeHasARowOrIsGraphQLsOwn(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../domain/error.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	graphQLOnly := []domain.Code{domain.CodeKeyNotUsable, domain.CodeDecryptionFailed, domain.CodeCredentialLocked, domain.CodeCredentialRejected,
		domain.CodeCiphertextReused, domain.CodeTransactionMismatch, domain.CodeGraphQLInvalid, domain.CodePersistedQueryNotSupported}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		constant, ok := n.(*ast.ValueSpec)
		if !ok || len(constant.Values) != 1 {
			return true
		}
		value, ok := constant.Values[0].(*ast.BasicLit)
		if !ok || !strings.HasPrefix(constant.Names[0].Name, "Code") {
			return true
		}
		found++
		code := domain.Code(strings.Trim(value.Value, `"`))
		if _, ok := byCode[code]; ok == slices.Contains(graphQLOnly, code) {
			t.Errorf("%s: has a row %t", code, ok)
		}
		return true
	})
	if found != len(byCode)+len(graphQLOnly) {
		t.Errorf("the domain has %d codes", found)
	}
}
