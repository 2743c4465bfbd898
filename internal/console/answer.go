package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"strongroom/internal/apierr"
	"strongroom/internal/domain"
	"strongroom/internal/trace"
)

// view is the result of a handler: a template and its data.
type view struct {
	template string
	title    string
	body     any
}

// request is a request for a page with its arguments.
type request struct {
	*http.Request
	query url.Values
	bad   *domain.Error
}

// page is the data of every template.
type page struct {
	Title     string
	Section   string // of the navigation
	Operator  domain.Operator
	SignedIn  bool
	Sent      bool // it answers a form
	MayWrite  bool
	Version   string
	Mode      domain.Mode
	ActResult *result
	Body      any
}

func (c *Console) get(w http.ResponseWriter, r *http.Request, serve func(*request) (view, error)) {
	asked := &request{Request: r, query: r.URL.Query()}
	v, err := serve(asked)
	if asked.bad != nil {
		c.refuse(w, r, asked.bad)
		return
	}
	if err != nil {
		c.fail(w, r, err)
		return
	}
	c.show(w, r, http.StatusOK, v)
}

// show writes a whole page, or an error.
func (c *Console) show(w http.ResponseWriter, r *http.Request, status int, v view) {
	o := domain.OperatorFrom(r.Context())
	p := page{Title: v.title, Section: section(r.URL.Path), Operator: o, SignedIn: o.Role > domain.NoRole, Sent: r.Method == http.MethodPost, MayWrite: o.Role >= domain.RoleOperator,
		Version: c.Version, Mode: c.Mode, Body: v.body}
	if p.SignedIn {
		p.ActResult = c.results.find(r.URL.Query().Get("result"), o.Name)
	}
	var text bytes.Buffer
	if err := c.templates()[v.template].ExecuteTemplate(&text, "layout", p); err != nil {
		c.Log.ErrorContext(r.Context(), "operation failed", "error", err)
		http.Error(w, "The page could not be rendered. Request id: "+domain.CallerFrom(r.Context()).RequestID, http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.Copy(w, &text) // an error means that the browser disconnected
}

// section returns the section of the navigation that a path belongs to.
func section(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch first {
	case "device", "keys":
		return "devices"
	case "", "posture":
		return "overview"
	}
	return first
}

// fail answers the error of a use case.
func (c *Console) fail(w http.ResponseWriter, r *http.Request, err error) {
	c.problem(w, r, apierr.ForOperator(r.Context(), c.Log, err))
}

// refuse answers a request that did not reach its use case.
func (c *Console) refuse(w http.ResponseWriter, r *http.Request, refusal *domain.Error) {
	c.Refused(r.Context(), refusal.Code)
	c.problem(w, r, refusal)
}

// trouble is the data of an error page.
type trouble struct {
	Status    int
	Headline  string
	Message   string
	RequestID string
	Trail     string // a page of the trail that may tell more; empty: none
	Of        string // the text of that link
}

// trail sets the link to the entries about a failed request. A failed read has
// no entries.
func (t *trouble) trail(r *http.Request) {
	switch account := r.PathValue("accountId"); {
	case t.Status == http.StatusNotFound && domain.IsID(account):
		t.Trail, t.Of = "/audit?accountId="+account, "Erased accounts are still in the audit trail. Search it for this account"
	case r.Method == http.MethodPost || t.Status == http.StatusInternalServerError:
		t.Trail, t.Of = "/audit?requestId="+t.RequestID, "Search the audit trail for this request"
	}
}

func (c *Console) problem(w http.ResponseWriter, r *http.Request, e *domain.Error) {
	trace.Outcome(r.Context(), e.Code)
	code := apierr.Status(e)
	t := trouble{Status: code, Headline: headlines[code], Message: e.Message, RequestID: domain.CallerFrom(r.Context()).RequestID}
	t.trail(r)
	if !wantsHTML(r) {
		c.answerJSON(w, code, map[string]any{"status": code, "code": e.Code, "detail": t.Message, "requestId": t.RequestID})
		return
	}
	c.show(w, r, code, view{"problem.html", t.Headline, t})
}

var headlines = map[int]string{
	http.StatusBadRequest: "Invalid request", http.StatusUnauthorized: "Sign in first", http.StatusForbidden: "Not allowed",
	http.StatusNotFound: "Nothing here", http.StatusConflict: "Conflict", http.StatusTooManyRequests: "Too many requests",
	http.StatusServiceUnavailable: "At capacity", http.StatusInternalServerError: "The service failed",
}

// wantsHTML reports whether a browser shows the answer to a person.
func wantsHTML(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

func (c *Console) answerJSON(w http.ResponseWriter, status int, v any) {
	text, err := json.Marshal(v)
	if err != nil { // unreachable: texts and numbers
		panic(fmt.Errorf("encoding an answer: %T", err))
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}
