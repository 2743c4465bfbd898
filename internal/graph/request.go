package graph

import (
	"net/http"
	"net/url"
	"unicode/utf8"

	"strongroom/internal/domain"
	"strongroom/internal/strictjson"
)

// maxBody limits a request in bytes: the body of a POST, or the query string of
// a GET. The largest legitimate ones have a PEM of 4 KiB.
const maxBody = 64 << 10

// params are the parameters of a GraphQL request.
type params struct {
	query         string
	operationName string
	variables     map[string]any
}

// decodeRequest refuses what is not a GraphQL request.
func decodeRequest(w http.ResponseWriter, r *http.Request, acceptable bool) (params, *domain.Error) {
	if r.Method != http.MethodGet && r.Method != http.MethodPost {
		return params{}, methodNotAllowed("Send POST, or GET for a query.")
	}
	if !acceptable {
		return params{}, &domain.Error{Code: domain.CodeNotAcceptable,
			Message: "The answer is application/json or application/graphql-response+json. Accept one of them."}
	}
	var members map[string]any
	var err *domain.Error
	if r.Method == http.MethodPost {
		members, err = strictjson.Request(w, r, maxBody)
	} else {
		members, err = queryString(r.URL.RawQuery)
	}
	if err != nil {
		return params{}, err
	}
	return decodeParams(members)
}

// decodeParams reads the four parameters of GraphQL over HTTP. As that
// specification says, it ignores other members. It also ignores the contents of
// extensions.
func decodeParams(members map[string]any) (params, *domain.Error) {
	var p params
	var ok bool
	if p.query, ok = members["query"].(string); !ok {
		if asksForPersisted(members) {
			return params{}, errNotPersisted
		}
		return params{}, badRequest("query must be a string that contains a GraphQL document.")
	}
	if v := members["operationName"]; v != nil {
		if p.operationName, ok = v.(string); !ok {
			return params{}, badRequest("operationName must be a string or null.")
		}
	}
	if v := members["variables"]; v != nil {
		if p.variables, ok = v.(map[string]any); !ok {
			return params{}, badRequest("variables must be an object or null.")
		}
	}
	if v := members["extensions"]; v != nil {
		if _, ok = v.(map[string]any); !ok {
			return params{}, badRequest("extensions must be an object or null.")
		}
	}
	return p, nil
}

// queryString parses the parameters of a GET: strings, of which two contain
// JSON objects.
func queryString(raw string) (map[string]any, *domain.Error) {
	if len(raw) > maxBody {
		return nil, &domain.Error{Code: domain.CodePayloadTooLarge, Message: "The query string is too long. Send POST."}
	}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, badRequest("The query string must be URL-encoded.")
	}
	members := map[string]any{}
	for _, name := range []string{"query", "operationName", "variables", "extensions"} {
		given := values[name]
		switch {
		case len(given) == 0:
			continue
		case len(given) > 1:
			return nil, badRequest(name + " must be given once.")
		case !utf8.ValidString(given[0]):
			return nil, badRequest(name + " must be valid UTF-8.")
		}
		members[name] = given[0]
		if name == "variables" || name == "extensions" {
			object, err := strictjson.Object([]byte(given[0]))
			if err != nil {
				return nil, badRequest(name + " must be a JSON object, but " + err.Error() + ".")
			}
			members[name] = object
		}
	}
	return members, nil
}

// errNotPersisted tells a client to send the query itself instead of its hash
// (Apollo's automatic persisted queries). Clients recognize Apollo's message
// and code.
var errNotPersisted = &domain.Error{Code: domain.CodePersistedQueryNotSupported, Message: "PersistedQueryNotSupported"}

func asksForPersisted(members map[string]any) bool {
	extensions, _ := members["extensions"].(map[string]any)
	return members["query"] == nil && extensions["persistedQuery"] != nil
}

func badRequest(message string) *domain.Error {
	return &domain.Error{Code: domain.CodeBadRequest, Message: message}
}

func methodNotAllowed(message string) *domain.Error {
	return &domain.Error{Code: domain.CodeMethodNotAllowed, Message: message}
}
