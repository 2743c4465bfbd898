// Package admin is the operators' API, under /admin/v1 of the operator side: what
// the vault stores, without its secrets, and the few acts by which operators
// change it.
//
// One table has all operations. It gives the routes and what a request may
// contain. The OpenAPI document is written by hand, and tests compare it with the
// table. A handler reads its arguments, calls one use case and formats the
// answer. Handlers and the functions that write answers are methods of api, so
// admin.go and the files of handlers refer to each other.
//
// The threats, and what prevents them:
//
//   - A filter with a typing error selects everything. An unknown or repeated
//     parameter is refused.
//   - A page in an operator's browser acts with the operator's rights.
//     Cross-origin writes are refused, and writes are JSON, which no form can send.
//   - Text from clients, above all deviceIds, controls a terminal. Answers contain
//     only printable characters; all others are escaped.
//   - A viewer writes. This package and the use case both refuse that.
//   - An answer tells internals. Only a [domain.Error] is sent.
package admin

import (
	"context"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"

	"strongroom/internal/domain"
	"strongroom/internal/operatorapi"
	"strongroom/internal/trace"
)

// Config configures [Handler]. All fields are required unless they say otherwise.
type Config struct {
	UseCases operatorapi.UseCases
	Posture  []domain.PostureCheck // what the settings protect against or leave open
	Mode     domain.Mode           // of the store's accounts
	Version  string                // of the binary

	// Refused is called for every request that is refused before its use case.
	Refused func(context.Context, domain.Code)

	Log *slog.Logger

	Origin string // origin under which browsers reach the operator side: https://HOST:PORT. Optional
}

// Root is the path of the API. All its paths are below it.
const Root = "/admin/v1"

// operation is one operation of the API.
type operation struct {
	name   string   // its name in the log, in spans and in openapi.json
	method string   // GET, which includes HEAD, or POST
	path   string   // below Root. A name in braces is an id
	query  []string // allowed query parameters
	body   []string // allowed members of the body
	serve  func(*api, *request) (any, error)
}

var paging = []string{"after", "limit"}

// table returns all operations of the API. Each is in openapi.json too.
func table() []operation {
	return []operation{
		{"index", "GET", "", nil, nil, (*api).index},
		{"document", "GET", "/openapi.json", nil, nil, (*api).document},

		{"devices", "GET", "/devices", append([]string{"deviceId", "prefix", "accountId", "keyId"}, paging...), nil, (*api).devices},
		{"key", "GET", "/keys/{keyId}", nil, nil, (*api).key},
		{"revokeKey", "POST", "/keys/{keyId}/revoke", nil, []string{"reason"}, (*api).revoke},
		{"unbindKey", "POST", "/keys/{keyId}/unbind", nil, []string{"reason"}, (*api).unbind},

		{"accounts", "GET", "/accounts", append([]string{"issuer", "subject", "prefix"}, paging...), nil, (*api).accounts},
		{"account", "GET", "/accounts/{accountId}", nil, nil, (*api).account},
		{"unlock", "POST", "/accounts/{accountId}/unlock", nil, []string{"type", "reason"}, (*api).unlock},
		{"requireChange", "POST", "/accounts/{accountId}/must-change", nil, []string{"type", "reason"}, (*api).requireChange},
		{"eraseAccount", "POST", "/accounts/{accountId}/erase", nil, []string{"reason"}, (*api).erase},
		{"exportAccount", "POST", "/accounts/{accountId}/export", nil, []string{"reason"}, (*api).exportAccount},

		{"locks", "GET", "/locks", paging, nil, (*api).locks},
		{"lockTrend", "GET", "/locks/trend", []string{"hours"}, nil, (*api).lockTrend},
		{"suspicions", "GET", "/suspicions", nil, nil, (*api).suspicions},

		{"health", "GET", "/health", nil, nil, (*api).health},
		{"posture", "GET", "/posture", nil, nil, (*api).posture},
		{"operations", "GET", "/operations", []string{"hours"}, nil, (*api).operations},
		{"summary", "GET", "/summary", []string{"hours"}, nil, (*api).summary},

		{"audit", "GET", "/audit", append([]string{"accountId", "accountHash", "deviceId", "keyId", "record", "event", "outcome", "actor", "requestId", "from", "to"}, paging...), nil, (*api).audit},
		{"exportAudit", "GET", "/audit/export", paging, nil, (*api).export},

		{"rotationPlans", "GET", "/rotation-plans", nil, nil, (*api).rotationPlans},
		{"previewRotationPlan", "GET", "/rotation-plans/preview", []string{"olderThanDays", "createdBefore", "keySize", "algorithm", "upgrade"}, nil, (*api).previewPlan},
		{"startRotationPlan", "POST", "/rotation-plans", nil, []string{"olderThanDays", "createdBefore", "keySize", "algorithm", "upgrade", "refuseUse", "reason"}, (*api).startPlan},
		{"stopRotationPlan", "POST", "/rotation-plans/{planId}/stop", nil, []string{"reason"}, (*api).stopPlan},

		{"rootKeys", "GET", "/root-keys", nil, nil, (*api).rootKeys},
		{"dataKeys", "GET", "/data-keys", nil, nil, (*api).dataKeys},
		{"pauseRewrap", "POST", "/data-keys/rewrap/pause", nil, []string{"reason"}, (*api).pauseRewrap},
		{"resumeRewrap", "POST", "/data-keys/rewrap/resume", nil, []string{"reason"}, (*api).resumeRewrap},

		{"webhook", "GET", "/webhook", nil, nil, (*api).webhook},
		{"deadLetters", "GET", "/webhook/dead-letters", append([]string{"event"}, paging...), nil, (*api).deadLetters},
		{"resendDeadLetters", "POST", "/webhook/dead-letters/resend", nil, []string{"event", "reason"}, (*api).resendAll},
		{"resendDeadLetter", "POST", "/webhook/dead-letters/{eventId}/resend", nil, []string{"reason"}, (*api).resend},
	}
}

// Paths returns the paths of all operations, each once, sorted, with the names of
// ids in braces.
func Paths() []string {
	var all []string
	for _, op := range table() {
		all = append(all, Root+op.path)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

type api struct {
	Config
	mux   *http.ServeMux
	reads *operatorapi.Reads // those that run or wait
	pace  *pace
}

// maxReads is how many reads may run or wait: half of the connections of this side.
const maxReads = 32

// Handler serves [Root] and all paths below it. It expects the operator
// ([domain.WithOperator]) and the request id ([domain.WithCaller]) in the context
// of each request. It is safe for concurrent use.
func Handler(cfg Config) http.Handler {
	a := &api{cfg, http.NewServeMux(), operatorapi.NewReads(maxReads), newPace()}
	byPath := map[string]map[string]operation{}
	for _, op := range table() {
		methods := byPath[op.path]
		if methods == nil {
			methods = map[string]operation{}
			byPath[op.path] = methods
			a.mux.HandleFunc(Root+op.path, func(w http.ResponseWriter, r *http.Request) { a.dispatch(w, r, methods) })
		}
		methods[op.method] = op
	}
	return a
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	if refusal := domain.OperatorFrom(r.Context()).Refusal(domain.RoleViewer); refusal != nil {
		a.refuse(w, r, refusal)
		return
	}
	// The mux would answer a path like //x itself, with a redirect that repeats the
	// path.
	if _, pattern := a.mux.Handler(r); pattern == "" || path.Clean(r.URL.Path) != r.URL.Path {
		a.refuse(w, r, errNoPath)
		return
	}
	a.mux.ServeHTTP(w, r)
}

var errNoPath = &domain.Error{Code: domain.CodeNotFound, Message: "This path does not exist. GET " + Root + " lists what there is."}

// errNoRecord answers an id of a wrong form. The use cases answer an unknown id
// in the same way.
var errNoRecord = &domain.Error{Code: domain.CodeNotFound, Message: "Nothing with this name or id exists."}

// dispatch finds the operation of a method and performs it.
func (a *api) dispatch(w http.ResponseWriter, r *http.Request, methods map[string]operation) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet // net/http omits the body
	}
	op, ok := methods[method]
	if !ok {
		allow := allowed(methods)
		w.Header().Set("Allow", allow)
		a.refuse(w, r, &domain.Error{Code: domain.CodeMethodNotAllowed, Message: "This path accepts " + allow + " only."})
		return
	}
	ctx, use := trace.Operation(r.Context(), op.name)
	use.End(a.perform(op, w, r.WithContext(ctx)))
}

// perform decodes a request, runs the operation and answers. It returns "ok" or
// the code of the refusal.
func (a *api) perform(op operation, w http.ResponseWriter, r *http.Request) (outcome string) {
	asked, refusal := a.read(op, w, r)
	if refusal != nil {
		return a.refuse(w, r, refusal)
	}
	answer, refusal, err := a.do(r.Context(), op, asked)
	if refusal != nil {
		return a.refuse(w, r, refusal)
	}
	return a.answer(w, r, answer, err)
}

// do runs an operation, or refuses it before its use case.
func (a *api) do(ctx context.Context, op operation, asked *request) (answer any, refusal *domain.Error, err error) {
	if op.method != http.MethodGet {
		answer, err = op.serve(a, asked)
		return answer, asked.bad, err
	}
	leave, refusal := a.reads.Enter(domain.OperatorFrom(ctx).Name)
	if refusal != nil {
		return nil, refusal, nil
	}
	defer leave()
	answer, err = a.pace.read(ctx, func() (any, error) { return op.serve(a, asked) })
	return answer, asked.bad, err
}

func allowed(methods map[string]operation) string {
	var all []string
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		if _, ok := methods[method]; ok {
			all = append(all, method)
		}
	}
	return strings.Replace(strings.Join(all, ", "), http.MethodGet, http.MethodGet+", "+http.MethodHead, 1)
}
