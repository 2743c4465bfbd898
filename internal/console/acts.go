package console

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"strongroom/internal/apierr"
	"strongroom/internal/domain"
	"strongroom/internal/trace"
)

// act is something that an operator can do: the page that asks for a reason and
// a confirmation, and the change itself.
type act struct {
	// about fills the form from the current state of the record.
	about func(*request, *form) error
	do    func(*request, *form, domain.Act) (domain.ActResult, error)
	// preview fills the form with the result that do would have. Optional.
	preview func(*request, *form) error
}

// form is the page of an act.
type form struct {
	Title   string
	Lead    string // what will happen
	Facts   []fact
	Button  string
	Danger  bool
	Confirm string // the text to type; empty: none
	What    string // describes that text, and says what cannot be undone
	Back    string // the page to return to, after the act or Cancel
	Done    string // the message after the act

	Until time.Time // the end of the lock; zero: there is no lock that ends by itself
	Note  string    // a warning above the form: why the act would be refused now
	Plan  *planForm // only for a rotation plan
	File  *file     // the answer is this file; nil: a redirect to Back

	Reason, Typed, Once string

	Message, Field, Request string // the error, the field that is wrong, and the request id
}

type fact struct{ Name, Value string }

func (c changes) acts() map[string]act {
	return map[string]act{
		"/keys/{keyId}/revoke":                     {about: c.aboutRevoke, do: writeTo("keyId", c.UseCases.RevokeKey)},
		"/keys/{keyId}/unbind":                     {about: c.aboutUnbind, do: writeTo("keyId", c.UseCases.UnbindKey)},
		"/accounts/{accountId}/unlock/{type}":      {about: c.aboutUnlock, do: writeToType(c.UseCases.Unlock)},
		"/accounts/{accountId}/must-change/{type}": {about: c.aboutRequireChange, do: writeToType(c.UseCases.RequireChange)},
		"/accounts/{accountId}/export":             {about: c.aboutExport, do: c.export},
		"/accounts/{accountId}/erase":              {about: c.aboutErase, do: c.erase},
		"/rotation/start":                          {about: c.aboutPlan, do: c.startPlan, preview: c.previewPlan},
		"/rotation/{planId}/stop":                  {about: c.aboutStop, do: writeTo("planId", c.UseCases.StopRotationPlan)},
		"/custody/pause":                           {about: c.aboutRewrap(true), do: c.setRewrap(true)},
		"/custody/resume":                          {about: c.aboutRewrap(false), do: c.setRewrap(false)},
		"/events/{eventId}/resend":                 {about: c.aboutResend, do: writeTo("eventId", c.UseCases.ResendDeadLetter)},
		"/events/resend":                           {about: c.aboutResendAll, do: c.resendAll},
	}
}

// writeTo returns a do for the record whose id is in the path.
func writeTo(id string, do func(context.Context, string, domain.Act) (domain.ActResult, error)) func(*request, *form, domain.Act) (domain.ActResult, error) {
	return func(r *request, _ *form, a domain.Act) (domain.ActResult, error) {
		return do(r.Context(), r.PathValue(id), a)
	}
}

// writeToType returns a do for the account and the type of credential that are in
// the path.
func writeToType(do func(context.Context, string, domain.CredentialType, domain.Act) (domain.ActResult, error)) func(*request, *form, domain.Act) (domain.ActResult, error) {
	return func(r *request, _ *form, a domain.Act) (domain.ActResult, error) {
		return do(r.Context(), r.PathValue("accountId"), domain.CredentialType(r.PathValue("type")), a)
	}
}

// ask shows the form to operators who may send it.
func (c *Console) ask(w http.ResponseWriter, r *http.Request, a act) {
	if refusal := domain.OperatorFrom(r.Context()).Refusal(domain.RoleOperator); refusal != nil {
		c.refuse(w, r, refusal)
		return
	}
	f := form{Once: domain.NewID()}
	if err := a.about(&request{Request: r, query: r.URL.Query()}, &f); err != nil {
		c.fail(w, r, err)
		return
	}
	c.show(w, r, http.StatusOK, view{"act.html", f.Title, f})
}

// act does what a form asks for. If a field is wrong, it shows the form again.
func (c *Console) act(w http.ResponseWriter, r *http.Request, a act) {
	if err := r.ParseForm(); err != nil {
		// [http.MaxBytesReader] cannot do this, because w is not the writer of net/http.
		w.Header().Set("Connection", "close") // so that the answer does not wait for the rest of a long body
		c.refuse(w, r, &domain.Error{Code: domain.CodeBadRequest, Message: "The form could not be read. Nothing was done."})
		return
	}
	asked := &request{Request: r, query: r.PostForm}
	var f form
	if err := a.about(asked, &f); err != nil {
		c.fail(w, r, err)
		return
	}
	f.Reason, f.Typed, f.Once = strings.TrimSpace(r.PostForm.Get("reason")), strings.TrimSpace(r.PostForm.Get("confirm")), r.PostForm.Get("once")
	if a.preview != nil && asked.box("preview") {
		c.showPreview(w, asked, a, &f)
		return
	}
	if f.File != nil {
		f.File.to = w
	}
	result, err := c.try(asked, a, &f)
	if f.File.begun() {
		c.endFile(r, err)
		return
	}
	if err == nil {
		c.results.put(result, f.Done, domain.OperatorFrom(r.Context()).Name)
		http.Redirect(w, r, withActResult(f.Back, result.RequestID), http.StatusSeeOther)
		return
	}
	c.askAgain(w, r, f, err)
}

// askAgain shows the form again, with the error and what was typed.
func (c *Console) askAgain(w http.ResponseWriter, r *http.Request, f form, err error) {
	refusal, ok := errors.AsType[*domain.Error](err)
	if !ok || refusal.Code != domain.CodeBadUserInput && refusal.Code != domain.CodeConflict {
		c.fail(w, r, err)
		return
	}
	trace.Outcome(r.Context(), refusal.Code)
	f.Message, f.Field, f.Request = refusal.Message, refusal.Field, domain.CallerFrom(r.Context()).RequestID
	if f.Field == "idempotencyKey" {
		f.Message, f.Once = "This form was already sent with another reason, and its change was made. Check the current state before you send it again.", domain.NewID()
	}
	c.show(w, r, apierr.Status(refusal), view{"act.html", f.Title, f})
}

// showPreview shows the form again, with what was typed and the result that it
// would have. Nothing is done.
func (c *Console) showPreview(w http.ResponseWriter, r *request, a act, f *form) {
	if r.bad != nil {
		c.Refused(r.Context(), r.bad.Code)
		c.askAgain(w, r.Request, *f, r.bad)
		return
	}
	if err := a.preview(r, f); err != nil {
		c.askAgain(w, r.Request, *f, err)
		return
	}
	c.show(w, r.Request, http.StatusOK, view{"act.html", f.Title, *f})
}

func (c *Console) try(r *request, a act, f *form) (domain.ActResult, error) {
	intent, err := intended(r, f)
	if refusal, ok := errors.AsType[*domain.Error](err); ok {
		c.Refused(r.Context(), refusal.Code)
	}
	if err != nil {
		return domain.ActResult{}, err
	}
	return a.do(r, f, intent)
}

// intended returns the act of a form, if the form is ours and is filled in
// completely.
func intended(r *request, f *form) (domain.Act, error) {
	if !domain.IsID(f.Once) {
		return domain.Act{}, &domain.Error{Code: domain.CodeBadRequest, Message: "This form is not from the console. Nothing was done."}
	}
	intent, err := domain.Act{Reason: f.Reason, IdempotencyKey: "console-" + f.Once}.Checked()
	switch {
	case f.Reason == "":
		return domain.Act{}, wrong("reason", "The reason is missing; the audit trail needs one. Nothing was done.")
	case err != nil:
		return domain.Act{}, err
	case r.bad != nil:
		return domain.Act{}, r.bad
	case f.Confirm != "" && subtle.ConstantTimeCompare([]byte(f.Confirm), []byte(strings.ToLower(f.Typed))) != 1:
		return domain.Act{}, wrong("confirm", "The text you typed is not "+f.Confirm+": nothing was done. The reason is kept below.")
	}
	return intent, nil
}

// wrong returns the error of a field that must be filled in again. The message
// does not have the field's internal name, which nobody sees.
func wrong(field, message string) error {
	return &domain.Error{Code: domain.CodeBadUserInput, Field: field, Message: message}
}

// withActResult returns the link to a page that shows the result of an act.
func withActResult(to, id string) string {
	to, fragment, cut := strings.Cut(to, "#")
	if strings.Contains(to, "?") {
		to += "&result=" + id
	} else {
		to += "?result=" + id
	}
	if cut {
		to += "#" + fragment
	}
	return to
}

// results are the latest acts through this console, for the page after an act.
// The link to that page contains only the id, because anybody can make up a
// link.
type results struct {
	mu     sync.Mutex
	newest []result
}

type result struct {
	domain.ActResult
	Text string
	by   string
}

const maxActResults = 256

func (all *results) put(r domain.ActResult, text, by string) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, before := range all.newest {
		if before.RequestID == r.RequestID {
			r.Repeated, text = true, before.Text // the first act made the change
		}
	}
	all.newest = append(all.newest, result{r, text, by})
	if len(all.newest) > maxActResults {
		all.newest = all.newest[1:]
	}
}

func (all *results) find(id, by string) *result {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, r := range slices.Backward(all.newest) {
		if r.RequestID == id && r.by == by {
			return &r
		}
	}
	return nil
}
