package graph

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"strongroom/internal/apierr"
	"strongroom/internal/domain"
	"strongroom/internal/stack"
	"strongroom/internal/trace"
)

// answer is the body of a response. If it has no data, nothing was executed.
type answer struct {
	Errors     gqlerror.List   `json:"errors,omitempty"`
	Data       json.RawMessage `json:"data,omitempty"`
	Extensions map[string]any  `json:"extensions,omitempty"`
}

// status is the HTTP status of an answer: that of [apierr.Status] for the few
// errors that have it everywhere, and else
//
//	                                        application/json  application/graphql-response+json
//	executed, with or without errors        200               200
//	document or variables refused           200               400
//	a persisted query                       200               200
//	failed before execution (INTERNAL)      500               500
//
// With application/json, a well-formed request always gets 200, so that a client can
// tell our answer from that of a proxy by the status. The other media type already
// shows that the answer is ours.
func status(media string, a answer) int {
	if len(a.Errors) == 0 {
		return http.StatusOK
	}
	first := refusalOf(a.Errors[0])
	switch {
	case apierr.Everywhere(first):
		return apierr.Status(first)
	case a.Data != nil, first.Code == domain.CodePersistedQueryNotSupported: // Apollo's clients recognize it only with this status
		return http.StatusOK
	case first.Code == domain.CodeInternal:
		return apierr.Status(first)
	case media == mediaResponse:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// contentType has the values of the header, which answers share; net/http only reads them.
var contentType = map[string][]string{
	mediaJSON:     {mediaJSON + "; charset=utf-8"},
	mediaResponse: {mediaResponse + "; charset=utf-8"},
}

// write sends the answer.
func write(w http.ResponseWriter, media string, a answer) {
	body := padded(bodyOf(media, a))
	h := w.Header()
	h["Content-Type"] = contentType[media]
	h["Content-Length"] = []string{strconv.Itoa(len(body))} // the server sends HTTP/2 answers before net/http would count them
	code := status(media, a)
	if len(a.Errors) > 0 {
		writeErrorHeaders(h, code, a.Errors)
	}
	w.WriteHeader(code)
	_, _ = w.Write(body) // an error means that the client disconnected
}

func writeErrorHeaders(h http.Header, code int, errs gqlerror.List) {
	if refusal, ok := errors.AsType[*domain.Error](errs); ok {
		apierr.SetRetryAfter(h, refusal)
	}
	if code == http.StatusMethodNotAllowed {
		h.Set("Allow", "GET, POST")
	}
}

// answerUnit divides the size of every answer. TLS does not hide the size, and the log
// contains it. So the size must not distinguish a match from a mismatch, or a locked
// credential from an unlocked one. The answers to a verify have this size, with
// attemptsLeft or mustChange and any alias too. The statuses of credentials also have it,
// with all fields and no long aliases. An answer with a receipt is longer.
const answerUnit = 256

var spaces = bytes.Repeat([]byte{' '}, answerUnit)

// padded appends spaces, which JSON allows, to fill the last unit.
func padded(body []byte) []byte {
	return append(body, spaces[:(answerUnit-len(body)%answerUnit)%answerUnit]...)
}

// bodyOf encodes an answer. Almost all answers have only data, which is JSON
// already, so it is not encoded again.
func bodyOf(media string, a answer) []byte {
	if len(a.Errors) == 0 && len(a.Extensions) == 0 {
		return slices.Concat([]byte(`{"data":`), a.Data, []byte(`}`))
	}
	var body any = a
	if media == mediaJSON && len(a.Errors) > 0 {
		if first := refusalOf(a.Errors[0]); first.Reason == domain.ReasonKeyGenerationLimit {
			body = apierr.ToREST(first) // the specification's body, which is not a GraphQL response
		}
	}
	encoded, err := json.Marshal(body)
	if err != nil { // unreachable: data is JSON and the rest are strings and numbers
		panic(fmt.Errorf("encoding an answer: %T", err))
	}
	return encoded
}

// refuse returns the error of a request that is not executed, with its position in
// the document if it has one.
func refuse(err *domain.Error, at *ast.Position) gqlerror.List {
	e := &gqlerror.Error{Err: err, Message: err.Message, Extensions: err.Extensions()}
	if at != nil {
		e.Locations = []gqlerror.Location{{Line: at.Line, Column: at.Column}}
	}
	return gqlerror.List{e}
}

// refusalOf returns the refusal in an error. Each of our errors has at least a code.
func refusalOf(err *gqlerror.Error) *domain.Error {
	if refusal, ok := errors.AsType[*domain.Error](err); ok {
		return refusal
	}
	code, _ := err.Extensions["code"].(domain.Code)
	return &domain.Error{Code: code}
}

// present turns the error of a field's use case into the error that the client gets.
func (h *handler) present(ctx context.Context, err error, field string) *gqlerror.Error {
	refusal, ok := apierr.Find(err)
	if !ok {
		apierr.Log(ctx, h.Log, err, "field", field)
		return internal(ctx)
	}
	said := refuse(refusal, nil)[0]
	if refusal.Reason == domain.ReasonKeyGenerationLimit {
		body := apierr.ToREST(refusal)
		said.Extensions["statusCode"], said.Extensions["message"], said.Extensions["error"] = body.StatusCode, body.Message, body.Error
		said.Extensions["retryAfterSeconds"] = refusal.RetryAfterSeconds() // 0 too
	}
	return said
}

// presentOwn returns errors that present made. Any other error is the library's, and
// its text may quote the request, so only its type is logged.
func (h *handler) presentOwn(ctx context.Context, err error) *gqlerror.Error {
	if e, ok := errors.AsType[*gqlerror.Error](err); ok && refusalOf(e).Code != "" {
		return e
	}
	h.Log.ErrorContext(ctx, "execution failed", "type", fmt.Sprintf("%T", err))
	failed := internal(ctx)
	failed.Path = graphql.GetPath(ctx)
	return failed
}

// recovered logs the type and the stack of a panic, without its value, which may
// contain a part of the request.
func (h *handler) recovered(ctx context.Context, v any) *gqlerror.Error {
	kind, where := stack.Of(v)
	h.Log.ErrorContext(ctx, "panic", "type", kind, "stack", where)
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
