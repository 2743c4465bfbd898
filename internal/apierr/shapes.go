package apierr

import (
	"context"
	"net/http"

	"strongroom/internal/domain"
)

// REST is the shape that the specification gives to the key-generation limit.
// Every error below /api/ has it.
type REST struct {
	StatusCode int    `json:"statusCode"`
	Message    string `json:"message"`
	Error      string `json:"error"` // the name of the status
}

// ToREST is e as the REST path answers it.
func ToREST(e *domain.Error) REST {
	status := Status(e)
	return REST{status, e.Message, http.StatusText(status)}
}

// GraphQL is an answer of GraphQL that has one error and no data.
type GraphQL struct {
	Errors [1]GraphQLError `json:"errors"`
}

// GraphQLError is an error as GraphQL answers it.
type GraphQLError struct {
	Message    string         `json:"message"`
	Extensions map[string]any `json:"extensions"`
}

// ToGraphQL is e as /graphql answers it before it has read the request.
func ToGraphQL(e *domain.Error) GraphQL {
	return GraphQL{[1]GraphQLError{{e.Message, e.Extensions()}}}
}

// Problem is an error of the admin API (RFC 9457), as application/problem+json.
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

// ToProblem is e as the admin API answers it to the request of ctx.
func ToProblem(ctx context.Context, e *domain.Error) Problem {
	status := Status(e)
	return Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: e.Message, Code: e.Code,
		Reason: e.Reason, Field: e.Field, RequestID: domain.CallerFrom(ctx).RequestID}
}
