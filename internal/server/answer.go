package server

import (
	"encoding/json"
	"net/http"
	"strings"

	"strongroom/internal/domain"
	"strongroom/internal/trace"
)

// answerError answers with e in the shape of the API that the path belongs
// to: the specification's three fields below /api/, else GraphQL's.
func answerError(w http.ResponseWriter, r *http.Request, status int, e *domain.Error) {
	trace.Outcome(r.Context(), e.Code)
	if strings.HasPrefix(r.URL.Path, "/api/") {
		answerJSON(w, status, restError{status, e.Message, http.StatusText(status)})
		return
	}
	var body graphQLErrors
	body.Errors = make([]graphQLError, 1)
	body.Errors[0].Message = e.Message
	body.Errors[0].Extensions = e.Extensions()
	answerJSON(w, status, body)
}

type restError struct {
	StatusCode int    `json:"statusCode"`
	Message    string `json:"message"`
	Error      string `json:"error"`
}

type graphQLErrors struct {
	Errors []graphQLError `json:"errors"`
}

type graphQLError struct {
	Message    string         `json:"message"`
	Extensions map[string]any `json:"extensions"`
}

// problem is the answer of an error of the admin API (RFC 9457), which
// internal/admin shapes alike.
type problem struct {
	Type      string      `json:"type"`
	Title     string      `json:"title"`
	Status    int         `json:"status"`
	Detail    string      `json:"detail"`
	Code      domain.Code `json:"code"`
	Reason    string      `json:"reason,omitempty"`
	RequestID string      `json:"requestId"`
}

func answerProblem(w http.ResponseWriter, r *http.Request, status int, e *domain.Error) {
	trace.Outcome(r.Context(), e.Code)
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(problem{"about:blank", http.StatusText(status), status, e.Message, e.Code, e.Reason, domain.CallerFrom(r.Context()).RequestID})
}

func answerJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // a client that is gone needs no answer
}
