// Package graph is the GraphQL side of Strongroom: the schema, its transport
// over HTTP, and resolvers that each call one use case.
//
// All input is hostile until it is decoded, and may be a secret even if it is
// wrong: a client may put a plain PIN where a ciphertext belongs. So a request
// is decoded strictly and checked as a whole before anything runs, and no
// answer or log line repeats any part of it. Messages contain only rules,
// positions and names of our own schema, never the parser's wording, which
// quotes its input. For the same reason, a document that could contain a secret
// is never cached (see keepable). Other documents are cached, so that each is
// parsed and validated once.
//
// Aliases and fragments must not buy several guesses or RSA operations for the
// price of one request: an operation may have only one mutation field (see
// fewFields). A small document must not cause much work (see measure).
//
// Decoding, validation and answers are methods of handler, or read its schema,
// so handler.go and their files refer to each other.
//
// The transport follows GraphQL over HTTP, as the server audit of npm
// graphql-http 1.23.1 checks it.
package graph

import (
	"context"
	_ "embed"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"strongroom/internal/domain"
	"strongroom/internal/graph/generated"
)

//go:generate go tool gqlgen generate

// UseCases are the use cases behind the schema. An error that is or wraps a
// *domain.Error or *domain.KeyGenerationLimitError is shown to the client. Any
// other error is logged, and the client gets INTERNAL. The context contains the
// caller (see domain.CallerFrom).
type UseCases interface {
	GenerateKey(ctx context.Context, id domain.Identity) (domain.KeyPair, error)
	RotateKey(ctx context.Context, id domain.Identity) (domain.KeyPair, error)
	// SignKey returns a key pair of the caller as a signed key: a JWS.
	SignKey(ctx context.Context, pair domain.KeyPair) (string, error)
	// EncryptLikeClient returns the ciphertext as base64.
	EncryptLikeClient(ctx context.Context, e domain.Encryption) (string, error)
	// Set returns "" if the credential was set, or else the rule of the policy
	// that forbids it.
	Set(ctx context.Context, s domain.Submission) (domain.Rule, error)
	// Verify and Authorize return a verdict. Only a match has a receipt. A match
	// of Verify has one only if the operator turned that on.
	Verify(ctx context.Context, s domain.Submission) (domain.Verdict, error)
	Authorize(ctx context.Context, a domain.Authorization) (domain.Verdict, error)
	Status(ctx context.Context, in domain.StatusInput) (domain.CredentialStatus, error)
	// Summary checks the range of hours itself.
	Summary(ctx context.Context, hours float64) (domain.Summary, error)
	// Refused counts a request that was refused before any use case ran.
	Refused(ctx context.Context, code domain.Code)
}

// Config configures [Handler]. All fields except Routed are required.
type Config struct {
	UseCases UseCases

	// Introspection lets clients query the schema, and lets error messages list
	// the fields of a type.
	Introspection bool

	// Routed: a proxy routes requests for keys by the variable input, so these requests
	// must take their input from it.
	Routed bool

	// LookedUp is called for each document. known says that it was in the cache, so it
	// is not parsed and validated again. It must be quick.
	LookedUp func(known bool)

	// Log gets internal errors, with the context of the request.
	Log *slog.Logger
}

//go:embed schema.graphqls
var sdl string

// SDL returns the schema in the schema definition language, as GET
// /schema.graphql answers it.
func SDL() string { return sdl }

// schema is what documents are validated against. gqlparser defines @defer in
// every schema, but this transport cannot answer in parts.
var schema = func() *ast.Schema {
	s := generated.NewExecutableSchema(generated.Config{}).Schema()
	delete(s.Directives, "defer")
	return s
}()

type handler struct {
	Config
	executable    graphql.ExecutableSchema
	documents     *documents
	introspecting chan struct{} // holds an element while a query about the schema is executed
	waiting       atomic.Int32  // queries that wait for that
}

// Handler returns the handler of /graphql: POST for any operation, GET for
// queries. It is safe for concurrent use. The server sets the headers that all answers
// share, such as Cache-Control.
func Handler(cfg Config) http.Handler {
	return &handler{
		Config:        cfg,
		documents:     newDocuments(),
		introspecting: make(chan struct{}, 1),
		executable:    generated.NewExecutableSchema(generated.Config{Schema: schema, Resolvers: resolver{cfg.UseCases}}),
	}
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	media, acceptable := negotiate(r.Header.Values("Accept"))
	write(w, media, h.answer(w, r, acceptable))
}

// answer decodes, checks and executes the request. A panic gets INTERNAL.
func (h *handler) answer(w http.ResponseWriter, r *http.Request, acceptable bool) (a answer) {
	ctx := r.Context()
	defer func() {
		if v := recover(); v != nil {
			a = answer{Errors: gqlerror.List{h.recovered(ctx, v)}}
		}
	}()
	op, errs := h.decode(w, r, acceptable)
	if len(errs) > 0 {
		h.UseCases.Refused(ctx, refusalOf(errs[0]).Code)
		return answer{Errors: errs}
	}
	if p, ok := h.asPlain(op); ok {
		return h.answerPlain(ctx, p)
	}
	return h.execute(ctx, op)
}

// decode turns the request into an operation that can be executed, or returns
// what is wrong with it.
func (h *handler) decode(w http.ResponseWriter, r *http.Request, acceptable bool) (*graphql.OperationContext, gqlerror.List) {
	p, err := decodeRequest(w, r, acceptable)
	if err != nil {
		return nil, refuse(err, nil)
	}
	doc, op, errs := h.document(r.Method, p)
	if errs != nil {
		return nil, errs
	}
	variables, errs := h.coerceVariables(op, p.variables, doc.uses)
	if errs != nil {
		return nil, errs
	}
	opCtx := h.operation(doc.QueryDocument, op, variables)
	if errs := fewFields(opCtx); errs != nil {
		return nil, errs
	}
	if errs := h.asRouted(opCtx); errs != nil {
		return nil, errs
	}
	return opCtx, nil
}

// document returns the request's document, which is valid, and the operation in
// it to execute.
func (h *handler) document(method string, p params) (*document, *ast.OperationDefinition, gqlerror.List) {
	doc := h.documents.get(p.query)
	h.LookedUp(doc != nil)
	if doc == nil {
		var errs gqlerror.List
		if doc, errs = parse(p.query); errs != nil {
			return nil, nil, errs
		}
	}
	op, errs := doc.operation(p.operationName)
	if errs != nil {
		return nil, nil, errs
	}
	if method == http.MethodGet && op.Operation != ast.Query {
		return nil, nil, refuse(methodNotAllowed("Send a mutation with POST."), op.Position)
	}
	if doc.uses == nil { // not from the cache
		if doc.uses, errs = h.validate(doc.QueryDocument); errs != nil {
			return nil, nil, errs
		}
		h.documents.put(doc)
	}
	return doc, op, nil
}

// operation returns the request in the executor's terms.
func (h *handler) operation(doc *ast.QueryDocument, op *ast.OperationDefinition, variables map[string]any) *graphql.OperationContext {
	return &graphql.OperationContext{
		Doc:                  doc,
		Operation:            op,
		Variables:            variables,
		DisableIntrospection: !h.Introspection,
		RecoverFunc:          func(ctx context.Context, v any) error { return h.recovered(ctx, v) },
		ResolverMiddleware: func(ctx context.Context, next graphql.Resolver) (any, error) {
			v, err := next(ctx)
			if err != nil {
				return nil, h.present(ctx, err, graphql.GetFieldContext(ctx).Field.Name)
			}
			return v, nil
		},
		RootResolverMiddleware: func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler { return next(ctx) },
	}
}

func (h *handler) execute(ctx context.Context, op *graphql.OperationContext) answer {
	if introspects(op) {
		return h.introspect(ctx, op)
	}
	return h.run(ctx, op)
}

// run executes an operation with gqlgen's executor.
func (h *handler) run(ctx context.Context, op *graphql.OperationContext) answer {
	ctx = graphql.WithOperationContext(ctx, op)
	ctx = graphql.WithResponseContext(ctx, h.presentOwn, op.RecoverFunc)
	response := h.executable.Exec(ctx)(ctx)
	return answer{Data: response.Data, Errors: graphql.GetErrors(ctx), Extensions: graphql.GetExtensions(ctx)}
}

// maxQueries limits the query fields that one operation executes. They run at the
// same time, and each reads the database.
const maxQueries = 4

// fewFields refuses an operation that would execute several mutation fields, or more
// than maxQueries query fields. It counts fields as the executor does: after fragments,
// @skip and @include, and with equal selections merged. Fields about the schema do not
// count.
func fewFields(op *graphql.OperationContext) gqlerror.List {
	if _, field := op.Operation.SelectionSet[0].(*ast.Field); field && len(op.Operation.SelectionSet) == 1 {
		return nil
	}
	root, most, refusal := schema.Mutation.Name, 1, errSeveralMutations
	if op.Operation.Operation == ast.Query {
		root, most, refusal = schema.Query.Name, maxQueries, errManyQueries
	}
	n := 0
	for _, f := range graphql.CollectFields(op, op.Operation.SelectionSet, []string{root}) {
		if !strings.HasPrefix(f.Name, "__") {
			n++
		}
	}
	if n <= most {
		return nil
	}
	return refuse(refusal, op.Operation.Position)
}

// asRouted refuses a request for a key whose device the proxy could not read: its input
// must be the value that the request gives the variable input. Otherwise a client could
// choose the cell of its request by a variable that nothing uses.
func (h *handler) asRouted(op *graphql.OperationContext) gqlerror.List {
	if !h.Routed {
		return nil
	}
	for _, f := range graphql.CollectFields(op, op.Operation.SelectionSet, []string{schema.Mutation.Name}) {
		if f.Name != "generateClientEncryptionKey" && f.Name != "rotateClientEncryptionKey" {
			continue
		}
		v := f.Arguments.ForName("input").Value // validation has refused a field without it
		if v.Kind != ast.Variable || v.Raw != "input" || op.Operation.VariableDefinitions.ForName("input").DefaultValue != nil {
			return refuse(errNotRouted, f.Position)
		}
	}
	return nil
}

var errNotRouted = domain.BadInput("input", "must be the GraphQL variable $input without a default value, because a proxy routes the request by this variable")

var (
	errSeveralMutations = &domain.Error{Code: domain.CodeBadUserInput, Reason: domain.ReasonSeveralMutations,
		Message: "An operation must contain only one mutation field. Send each in its own request."}
	errManyQueries = &domain.Error{Code: domain.CodeGraphQLInvalid,
		Message: fmt.Sprintf("An operation must execute at most %d query fields. Send the others in another request.", maxQueries)}
)
