package graph

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"strongroom/internal/domain"
	"strongroom/internal/stack"
	"strongroom/internal/trace"
)

// answer is the body of a response. Without data nothing was executed.
type answer struct {
	Errors     gqlerror.List   `json:"errors,omitempty"`
	Data       json.RawMessage `json:"data,omitempty"`
	Extensions map[string]any  `json:"extensions,omitempty"`
}

// status is the HTTP status of an answer. This is the whole table:
//
//	                                        application/json  application/graphql-response+json
//	executed, with or without errors        200               200
//	… an error is OVERLOADED                503               503
//	… the key-generation limit              429               429
//	document or variables refused           200               400
//	a persisted query                       200               200
//	no GraphQL request at all               its own           its own
//	failed before execution (INTERNAL)      500               500
//
// Under application/json a client must be able to tell an answer of ours from
// one of a proxy in between by its status, so a well-formed request is always
// 200; under the other type the body is known to be ours.
func status(media string, a answer) int {
	if len(a.Errors) == 0 {
		return http.StatusOK
	}
	if _, ok := errors.AsType[*domain.KeyGenerationLimitError](a.Errors); ok {
		return http.StatusTooManyRequests
	}
	code := codeOf(a.Errors[0])
	switch code {
	case domain.CodeBadRequest:
		return http.StatusBadRequest
	case domain.CodeMethodNotAllowed:
		return http.StatusMethodNotAllowed
	case domain.CodeNotAcceptable:
		return http.StatusNotAcceptable
	case domain.CodePayloadTooLarge:
		return http.StatusRequestEntityTooLarge
	case domain.CodeUnsupportedMedia:
		return http.StatusUnsupportedMediaType
	case domain.CodeOverloaded:
		return http.StatusServiceUnavailable
	}
	switch {
	case a.Data != nil, code == domain.CodePersistedQueryNotSupported: // clients take it for an answer by this status only
		return http.StatusOK
	case code == domain.CodeInternal:
		return http.StatusInternalServerError
	case media == mediaResponse:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// The headers that every answer carries. Nothing of it may be stored on the
// way: it tells whether a guess was right. Values are made once, not for each
// answer; net/http only reads them.
var (
	contentType = map[string][]string{
		mediaJSON:     {mediaJSON + "; charset=utf-8"},
		mediaResponse: {mediaResponse + "; charset=utf-8"},
	}
	noStore = []string{"no-store"}
	noSniff = []string{"nosniff"}
)

// write sends the answer.
func write(w http.ResponseWriter, media string, a answer) {
	body := bodyOf(media, a)
	h := w.Header()
	h["Content-Type"] = contentType[media]
	h["Cache-Control"] = noStore
	h["X-Content-Type-Options"] = noSniff
	code := status(media, a)
	if len(a.Errors) > 0 {
		writeErrorHeaders(h, code, a.Errors)
	}
	w.WriteHeader(code)
	_, _ = w.Write(body) // the client went away: nobody is left to tell
}

func writeErrorHeaders(h http.Header, code int, errs gqlerror.List) {
	var wait interface{ RetryAfterSeconds() int64 }
	if errors.As(errs, &wait) && wait.RetryAfterSeconds() > 0 {
		h.Set("Retry-After", strconv.FormatInt(wait.RetryAfterSeconds(), 10))
	}
	if code == http.StatusMethodNotAllowed {
		h.Set("Allow", "GET, POST")
	}
}

// bodyOf is what goes over the wire. Data is JSON already, and what nearly all answers are:
// then it is not read again.
func bodyOf(media string, a answer) []byte {
	if len(a.Errors) == 0 && len(a.Extensions) == 0 {
		return slices.Concat([]byte(`{"data":`), a.Data, []byte(`}`))
	}
	var body any = a
	if limit, ok := errors.AsType[*domain.KeyGenerationLimitError](a.Errors); ok && media == mediaJSON {
		body = limitAnswer(limit)
	}
	encoded, err := json.Marshal(body)
	if err != nil { // unreachable: data is JSON and the rest are strings and numbers
		panic(fmt.Errorf("encoding an answer: %T", err))
	}
	return encoded
}

// limitAnswer is the specification's body for the key-generation limit, which
// is no GraphQL answer.
func limitAnswer(e *domain.KeyGenerationLimitError) map[string]any {
	return map[string]any{
		"statusCode": http.StatusTooManyRequests,
		"message":    e.Error(),
		"error":      http.StatusText(http.StatusTooManyRequests),
	}
}

// refuse is the error of a request that is not executed, with its place in the
// document if it has one.
func refuse(err *domain.Error, at *ast.Position) gqlerror.List {
	e := &gqlerror.Error{Err: err, Message: err.Message, Extensions: err.Extensions()}
	if at != nil {
		e.Locations = []gqlerror.Location{{Line: at.Line, Column: at.Column}}
	}
	return gqlerror.List{e}
}

func codeOf(err *gqlerror.Error) domain.Code {
	code, _ := err.Extensions["code"].(domain.Code)
	return code
}

// present turns the error of a use case into what the client is told of it.
func (h *handler) present(ctx context.Context, err error) *gqlerror.Error {
	if limit, ok := errors.AsType[*domain.KeyGenerationLimitError](err); ok {
		ext := limitAnswer(limit)
		ext["code"] = domain.CodeTooManyRequests
		ext["reason"] = domain.ReasonKeyGenerationLimit
		ext["retryAfterSeconds"] = limit.RetryAfterSeconds()
		return &gqlerror.Error{Err: limit, Message: limit.Error(), Extensions: ext}
	}
	if refusal, ok := errors.AsType[*domain.Error](err); ok {
		return refuse(refusal, nil)[0]
	}
	level := slog.LevelError
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		level = slog.LevelDebug // the client went away: nothing is wrong here
	}
	h.log.Log(ctx, level, "operation failed", "field", graphql.GetFieldContext(ctx).Field.Name, "error", err)
	return internal(ctx)
}

// presentOwn lets through what present made. Any other error is the library's:
// its text may quote the request, so its type is all that is logged.
func (h *handler) presentOwn(ctx context.Context, err error) *gqlerror.Error {
	if e, ok := errors.AsType[*gqlerror.Error](err); ok && codeOf(e) != "" {
		return e
	}
	h.log.ErrorContext(ctx, "execution failed", "type", fmt.Sprintf("%T", err))
	failed := internal(ctx)
	failed.Path = graphql.GetPath(ctx)
	return failed
}

// recovered logs where a panic came from, without its value, which may hold
// part of the request.
func (h *handler) recovered(ctx context.Context, v any) *gqlerror.Error {
	h.log.ErrorContext(ctx, "panic", "type", fmt.Sprintf("%T", v), "stack", stack.Here())
	trace.Outcome(ctx, domain.CodeInternal)
	return internal(ctx)
}

func internal(ctx context.Context) *gqlerror.Error {
	return &gqlerror.Error{
		Message: "The service failed. Quote the requestId to its operator.",
		Extensions: map[string]any{
			"code":      domain.CodeInternal,
			"requestId": domain.CallerFrom(ctx).RequestID,
		},
	}
}
