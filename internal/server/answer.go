package server

import (
	"encoding/json"
	"net/http"
	"strings"

	"strongroom/internal/apierr"
	"strongroom/internal/domain"
	"strongroom/internal/trace"
)

// answerError answers with e in the format of the API that the path belongs
// to: REST below /api/, else GraphQL.
func answerError(w http.ResponseWriter, r *http.Request, e *domain.Error) {
	trace.Outcome(r.Context(), e.Code)
	apierr.SetRetryAfter(w.Header(), e)
	if strings.HasPrefix(r.URL.Path, "/api/") {
		answerJSON(w, apierr.Status(e), apierr.ToREST(e))
		return
	}
	answerJSON(w, apierr.Status(e), apierr.ToGraphQL(e))
}

// answerProblem answers with e in the format of the admin API.
func answerProblem(w http.ResponseWriter, r *http.Request, e *domain.Error) {
	trace.Outcome(r.Context(), e.Code)
	apierr.SetRetryAfter(w.Header(), e)
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(apierr.Status(e))
	_ = json.NewEncoder(w).Encode(apierr.ToProblem(r.Context(), e))
}

func answerJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // an error means that the client disconnected
}
