package admin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"strongroom/internal/domain"
	"strongroom/internal/trace"
)

// Problem is the answer to a request that was not done (RFC 9457), as
// application/problem+json.
type Problem struct {
	Type      string      `json:"type"`  // always "about:blank": Code says more
	Title     string      `json:"title"` // the name of the status
	Status    int         `json:"status"`
	Detail    string      `json:"detail"` // what is wrong and what to do about it
	Code      domain.Code `json:"code"`
	Reason    string      `json:"reason,omitempty"` // which case of the code it is, where there are several
	Field     string      `json:"field,omitempty"`  // the parameter, header or member that is wrong
	RequestID string      `json:"requestId,omitempty"`
}

// raw is an answer that is not made of a view.
type raw struct {
	contentType string
	text        []byte
	next        string // for the header Strongroom-Next; empty: none
}

// NextHeader is the header of an export that has the position to go on from.
const NextHeader = "Strongroom-Next"

// answer writes what a use case returned, and returns "ok" or the code of the
// refusal, as the others below do.
func (a *api) answer(w http.ResponseWriter, r *http.Request, v any, err error) (outcome string) {
	text, isRaw := v.(raw)
	if err == nil && !isRaw {
		text = raw{contentType: "application/json"}
		text.text, err = encode(v)
	}
	if err != nil {
		return a.fail(w, r, err)
	}
	header := w.Header()
	header.Set("Content-Type", text.contentType)
	if text.next != "" {
		header.Set(NextHeader, text.next)
	}
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(text.text) //nolint:gosec // JSON, and never taken for a page; a client that went away needs no answer
	return "ok"
}

// fail answers the error of a use case.
func (a *api) fail(w http.ResponseWriter, r *http.Request, err error) (outcome string) {
	refusal, ok := errors.AsType[*domain.Error](err)
	if !ok || status(refusal.Code) == http.StatusInternalServerError {
		a.Log.ErrorContext(r.Context(), "operation failed", "error", err)
		refusal = &domain.Error{Code: domain.CodeInternal, Message: "The service failed. Its log has why, under the request id."}
	}
	return problem(w, r, refusal)
}

// refuse answers a request that reached no use case.
func (a *api) refuse(w http.ResponseWriter, r *http.Request, refusal *domain.Error) (outcome string) {
	a.Refused(r.Context(), refusal.Code)
	return problem(w, r, refusal)
}

func problem(w http.ResponseWriter, r *http.Request, e *domain.Error) (outcome string) {
	trace.Outcome(r.Context(), e.Code)
	code := status(e.Code)
	text, err := encode(Problem{Type: "about:blank", Title: http.StatusText(code), Status: code, Detail: e.Message, Code: e.Code,
		Reason: e.Reason, Field: e.Field, RequestID: domain.CallerFrom(r.Context()).RequestID})
	if err != nil { // unreachable: strings and a number
		panic(fmt.Errorf("encoding a problem: %T", err))
	}
	header := w.Header()
	header.Set("Content-Type", "application/problem+json")
	if seconds := e.RetryAfterSeconds(); seconds > 0 {
		header.Set("Retry-After", strconv.FormatInt(seconds, 10))
	}
	w.WriteHeader(code)
	_, _ = w.Write(text)
	return string(e.Code)
}

// status is the HTTP status of each code that this API answers.
func status(code domain.Code) int {
	switch code {
	case domain.CodeBadUserInput, domain.CodeBadRequest:
		return http.StatusBadRequest
	case domain.CodeForbidden, domain.CodeOperationDisabled:
		return http.StatusForbidden
	case domain.CodeNotFound:
		return http.StatusNotFound
	case domain.CodeMethodNotAllowed:
		return http.StatusMethodNotAllowed
	case domain.CodeConflict:
		return http.StatusConflict
	case domain.CodePayloadTooLarge:
		return http.StatusRequestEntityTooLarge
	case domain.CodeUnsupportedMedia:
		return http.StatusUnsupportedMediaType
	case domain.CodeTooManyRequests:
		return http.StatusTooManyRequests
	case domain.CodeOverloaded:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// encode is v as JSON in which every character that does not print is escaped:
// what clients chose must not act on the terminal of an operator.
func encode(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.Grow(len(text) + 1)
	for len(text) > 0 {
		c, n := utf8.DecodeRune(text)
		switch {
		case unicode.IsPrint(c):
			out.Write(text[:n])
		case c <= 0xffff: // within a string: outside of one everything prints
			fmt.Fprintf(&out, `\u%04x`, c)
		default:
			high, low := utf16.EncodeRune(c)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		}
		text = text[n:]
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}
