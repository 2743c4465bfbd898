package apierr

import (
	"context"
	"net/http"

	"strongroom/internal/domain"
)

// REST is the body of every error below /api/. The specification defines it for
// the key-generation limit.
type REST struct {
	StatusCode int    `json:"statusCode"`
	Message    string `json:"message"`
	Error      string `json:"error"` // the name of the status
}

// ToREST returns the body with which the REST path answers e.
func ToREST(e *domain.Error) REST {
	status := Status(e)
	return REST{status, e.Message, http.StatusText(status)}
}

// GraphQL is a GraphQL response with one error and no data.
type GraphQL struct {
	Errors [1]GraphQLError `json:"errors"`
}

// GraphQLError is an error in a GraphQL response.
type GraphQLError struct {
	Message    string         `json:"message"`
	Extensions map[string]any `json:"extensions"`
}

// ToGraphQL returns the body with which /graphql answers e before it reads the
// request.
func ToGraphQL(e *domain.Error) GraphQL {
	return GraphQL{[1]GraphQLError{{e.Message, e.Extensions()}}}
}

// Problem is an error of the admin API (RFC 9457), as application/problem+json.
type Problem struct {
	Type      string      `json:"type"`  // always "about:blank": see Code
	Title     string      `json:"title"` // the name of the status
	Status    int         `json:"status"`
	Detail    string      `json:"detail"` // what is wrong and how to fix it
	Code      domain.Code `json:"code"`
	Reason    string      `json:"reason,omitempty"` // tells errors of the same code apart
	Field     string      `json:"field,omitempty"`  // the parameter, header or member that is wrong
	RequestID string      `json:"requestId,omitempty"`
}

// ToProblem returns the body with which the admin API answers e to the request
// of ctx.
func ToProblem(ctx context.Context, e *domain.Error) Problem {
	status := Status(e)
	return Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: e.Message, Code: e.Code,
		Reason: e.Reason, Field: e.Field, RequestID: domain.CallerFrom(ctx).RequestID}
}
