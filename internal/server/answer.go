package server

import (
	"encoding/json"
	"net/http"
	"strings"

	"strongroom/internal/domain"
)

// answerError answers with e in the shape of the API that the path belongs
// to: the specification's three fields below /api/, else GraphQL's.
func answerError(w http.ResponseWriter, r *http.Request, status int, e *domain.Error) {
	if strings.HasPrefix(r.URL.Path, "/api/") {
		answerJSON(w, status, restError{status, e.Message, http.StatusText(status)})
		return
	}
	var body graphQLErrors
	body.Errors = make([]graphQLError, 1)
	body.Errors[0].Message = e.Message
	body.Errors[0].Extensions.Code = e.Code
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
	Message    string `json:"message"`
	Extensions struct {
		Code domain.Code `json:"code"`
	} `json:"extensions"`
}

func answerJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // a client that is gone needs no answer
}
