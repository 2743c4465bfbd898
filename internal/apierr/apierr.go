// Package apierr is the single table of errors: the HTTP status and headers of
// each [domain.Code], and the bodies in which the APIs return it. GraphQL,
// REST, admin API, console, sandbox and the server's middleware all use it, so
// a code means the same everywhere.
package apierr

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"strongroom/internal/domain"
)

// row is the HTTP side of an error.
type row struct {
	status int

	// GraphQL answers with this status too. For other errors, GraphQL puts the
	// error in the body and answers with the status that its media type requires.
	everywhere bool

	retryAfter int64 // seconds, for an error that has no RetryAfter of its own
}

// byCode is the table. A code that only GraphQL returns has no row.
var byCode = map[domain.Code]row{
	domain.CodeBadRequest:        {status: http.StatusBadRequest, everywhere: true},
	domain.CodeBadUserInput:      {status: http.StatusBadRequest},
	domain.CodeUnauthenticated:   {status: http.StatusUnauthorized},
	domain.CodeForbidden:         {status: http.StatusForbidden},
	domain.CodeOperationDisabled: {status: http.StatusForbidden},
	domain.CodeNotFound:          {status: http.StatusNotFound},
	domain.CodeMethodNotAllowed:  {status: http.StatusMethodNotAllowed, everywhere: true},
	domain.CodeNotAcceptable:     {status: http.StatusNotAcceptable, everywhere: true},
	domain.CodeAccountMoved:      {status: http.StatusMisdirectedRequest},
	domain.CodeConflict:          {status: http.StatusConflict},
	domain.CodePayloadTooLarge:   {status: http.StatusRequestEntityTooLarge, everywhere: true},
	domain.CodeUnsupportedMedia:  {status: http.StatusUnsupportedMediaType, everywhere: true},
	domain.CodeTooManyRequests:   {status: http.StatusTooManyRequests},
	domain.CodeInternal:          {status: http.StatusInternalServerError},
	domain.CodeOverloaded:        {status: http.StatusServiceUnavailable, everywhere: true},
}

// byReason contains the errors whose row differs from that of their code.
var byReason = map[string]row{
	domain.ReasonKeyGenerationLimit: {status: http.StatusTooManyRequests, everywhere: true}, // the specification requires it
	domain.ReasonCallersUnverified:  {status: http.StatusServiceUnavailable, retryAfter: 5},
}

func find(e *domain.Error) (r row, ok bool) {
	if r, ok = byReason[e.Reason]; !ok {
		r, ok = byCode[e.Code]
	}
	return r, ok
}

// Status returns the HTTP status of e. A code without a row is a bug and gets
// 500.
func Status(e *domain.Error) int {
	if r, ok := find(e); ok {
		return r.status
	}
	return http.StatusInternalServerError
}

// Everywhere reports whether GraphQL also answers e with its [Status].
func Everywhere(e *domain.Error) bool {
	r, _ := find(e)
	return r.everywhere
}

// SetRetryAfter sets the Retry-After header, in seconds, if waiting helps.
func SetRetryAfter(h http.Header, e *domain.Error) {
	seconds := e.RetryAfterSeconds()
	if r, _ := find(e); seconds <= 0 {
		seconds = r.retryAfter
	}
	if seconds > 0 {
		h.Set("Retry-After", strconv.FormatInt(seconds, 10))
	}
}

// proofAlgorithms are the algorithms of DPoP proofs, in a challenge.
const proofAlgorithms = `algs="ES256 EdDSA Ed25519"`

// Challenge sets the WWW-Authenticate header, which tells a refused client how
// to authenticate (RFC 6750, 3; RFC 9449, 7.1). sent is the Authorization header of
// the request. If it is not nil, the answer says that its token is invalid. nil: there is
// none, or the answer must not tell. dpop says whether a token may have the scheme DPoP.
func Challenge(h http.Header, e *domain.Error, sent []string, dpop bool) {
	challenge := ""
	switch {
	case e.Reason == domain.ReasonDPoPProofRequired:
		challenge = "DPoP " + proofAlgorithms
	case e.Reason == domain.ReasonDPoPProofInvalid, e.Reason == domain.ReasonDPoPProofTime:
		challenge = `DPoP error="invalid_dpop_proof", ` + proofAlgorithms
	case e.Reason == domain.ReasonDPoPNonceRequired:
		challenge = `DPoP error="use_dpop_nonce", ` + proofAlgorithms
	case e.Code == domain.CodeForbidden:
		challenge = refusedToken(e, sent, dpop, "insufficient_scope")
	case e.Code == domain.CodeUnauthenticated && len(sent) > 0:
		challenge = refusedToken(e, sent, dpop, "invalid_token")
	case e.Code == domain.CodeUnauthenticated:
		challenge = "Bearer"
	}
	if challenge != "" {
		h.Set("WWW-Authenticate", challenge)
	}
}

// refusedToken is a challenge of the scheme that the client used. A token that is bound to
// a key may have been sent as Bearer, so both schemes are named.
func refusedToken(e *domain.Error, sent []string, dpop bool, code string) string {
	bearer := `Bearer error="` + code + `"`
	if !dpop || len(sent) == 0 {
		return bearer
	}
	if scheme, _, _ := strings.Cut(sent[0], " "); strings.EqualFold(scheme, "DPoP") {
		return `DPoP error="` + code + `", ` + proofAlgorithms
	}
	if e.Reason == domain.ReasonTokenBound {
		return bearer + ", DPoP " + proofAlgorithms
	}
	return bearer
}

// Find returns the refusal in err, which may be shown to the client. Any other
// error is INTERNAL: log it with [Log], and answer with a general message.
func Find(err error) (*domain.Error, bool) {
	if limit, ok := errors.AsType[*domain.KeyGenerationLimitError](err); ok {
		return &domain.Error{Code: domain.CodeTooManyRequests, Reason: domain.ReasonKeyGenerationLimit,
			Message: limit.Error(), RetryAfter: limit.ResetIn}, true
	}
	return errors.AsType[*domain.Error](err)
}

// Log logs an error that clients see as INTERNAL, unless it was logged before.
func Log(ctx context.Context, log *slog.Logger, err error, attrs ...any) {
	if _, ok := errors.AsType[domain.LoggedError](err); ok {
		return
	}
	level := slog.LevelError
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		level = slog.LevelDebug // the client disconnected
	}
	log.Log(ctx, level, "operation failed", append(attrs, "error", err)...)
}

// ForOperator returns the answer to an operator for the error of a use case. A
// refusal with status 500 is logged and replaced like any other error.
func ForOperator(ctx context.Context, log *slog.Logger, err error) *domain.Error {
	if refusal, ok := Find(err); ok && Status(refusal) != http.StatusInternalServerError {
		return refusal
	}
	Log(ctx, log, err)
	return &domain.Error{Code: domain.CodeInternal, Message: "The service failed. Its log has the cause under the request id."}
}
