package console

import (
	"cmp"
	"crypto/subtle"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"strongroom/internal/apierr"
	"strongroom/internal/domain"
	"strongroom/internal/operatorapi"
	"strongroom/internal/trace"
)

// act is something that an operator can do: a page that asks why, and whether
// he means it, and what is done then.
type act struct {
	// about fills the form with what it is about, as it stands now.
	about func(*request, *form) error
	do    func(*request, *form, domain.Act) (domain.Receipt, error)
	// preview fills the form with what do would come to. Not all acts have one.
	preview func(*request, *form) error
}

// form is the page of an act.
type form struct {
	Title   string
	Lead    string // what will happen
	Facts   []fact
	Button  string
	Danger  bool
	Confirm string // what must be typed; empty: nothing
	What    string // that this is
	Back    string // where it leads, done or not
	Done    string // what is said then

	Until time.Time // when the lock ends by itself; zero: there is none that does
	Note  string    // what stands against it now
	Plan  *planForm // of a rotation plan only

	Reason, Typed, Once string

	Message, Field, Request string // what is wrong, with which field, and the request's id
}

type fact struct{ Name, Value string }

func (c *Console) acts() map[string]act {
	return map[string]act{
		"/keys/{keyId}/revoke":                {about: c.aboutRevoke, do: c.revoke},
		"/accounts/{accountId}/unlock/{type}": {about: c.aboutUnlock, do: c.unlock},
		"/accounts/{accountId}/erase":         {about: c.aboutErase, do: c.erase},
		"/rotation/start":                     {about: c.aboutPlan, do: c.startPlan, preview: c.previewPlan},
		"/rotation/{planId}/stop":             {about: c.aboutStop, do: c.stopPlan},
		"/events/{eventId}/resend":            {about: c.aboutResend, do: c.resend},
		"/events/resend":                      {about: c.aboutResendAll, do: c.resendAll},
	}
}

// ask shows the form, to whoever may send it.
func (c *Console) ask(w http.ResponseWriter, r *http.Request, a act) {
	if err := domain.OperatorFrom(r.Context()).Require(domain.RoleOperator); err != nil {
		c.refuse(w, r, &domain.Error{Code: domain.CodeForbidden, Message: "This needs the role operator. Your role, viewer, can only read."})
		return
	}
	f := form{Once: domain.NewID()}
	if err := a.about(&request{Request: r, query: r.URL.Query()}, &f); err != nil {
		c.fail(w, r, err)
		return
	}
	c.show(w, r, http.StatusOK, view{"act.html", f.Title, f})
}

// act does what a form asks for. What was typed wrongly is asked for again.
func (c *Console) act(w http.ResponseWriter, r *http.Request, a act) {
	if err := r.ParseForm(); err != nil {
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
	receipt, err := c.try(asked, a, &f)
	if err == nil {
		c.receipts.put(receipt, f.Done, domain.OperatorFrom(r.Context()).Name)
		http.Redirect(w, r, withReceipt(f.Back, receipt.RequestID), http.StatusSeeOther)
		return
	}
	c.askAgain(w, r, f, err)
}

// askAgain shows what is wrong with a form, with what was typed.
func (c *Console) askAgain(w http.ResponseWriter, r *http.Request, f form, err error) {
	refusal, ok := errors.AsType[*domain.Error](err)
	if !ok || refusal.Code != domain.CodeBadUserInput && refusal.Code != domain.CodeConflict {
		c.fail(w, r, err)
		return
	}
	trace.Outcome(r.Context(), refusal.Code)
	f.Message, f.Field, f.Request = refusal.Message, refusal.Field, domain.CallerFrom(r.Context()).RequestID
	if f.Field == "idempotencyKey" {
		f.Message, f.Once = "This form was sent already, with another reason, and that was done. Look at what is there before you send it again.", domain.NewID()
	}
	c.show(w, r, apierr.Status(refusal), view{"act.html", f.Title, f})
}

// showPreview shows the form again, with what was typed and what it would come
// to. Nothing is done.
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

func (c *Console) try(r *request, a act, f *form) (domain.Receipt, error) {
	intent, err := intended(r, f)
	if refusal, ok := errors.AsType[*domain.Error](err); ok {
		c.Refused(r.Context(), refusal.Code)
	}
	if err != nil {
		return domain.Receipt{}, err
	}
	return a.do(r, f, intent)
}

// intended is what the form says of the act, if it is a form of ours and filled
// in as it asks.
func intended(r *request, f *form) (domain.Act, error) {
	if !domain.IsID(f.Once) {
		return domain.Act{}, &domain.Error{Code: domain.CodeBadRequest, Message: "This is not a form of ours. Nothing was done."}
	}
	intent, err := domain.Act{Reason: f.Reason, IdempotencyKey: "console-" + f.Once}.Checked()
	switch {
	case f.Reason == "":
		return domain.Act{}, wrong("reason", "The reason is missing: say why, for the audit trail. Nothing was done.")
	case err != nil:
		return domain.Act{}, err
	case r.bad != nil:
		return domain.Act{}, r.bad
	case f.Confirm != "" && subtle.ConstantTimeCompare([]byte(f.Confirm), []byte(strings.ToLower(f.Typed))) != 1:
		return domain.Act{}, wrong("confirm", "What was typed is not "+f.Confirm+": nothing was done. The reason is kept below.")
	}
	return intent, nil
}

// wrong is a field that has to be filled in again. The message does not call it
// by its name in the form, which nobody sees.
func wrong(field, message string) error {
	return &domain.Error{Code: domain.CodeBadUserInput, Field: field, Message: message}
}

// withReceipt is a page that says that something was done.
func withReceipt(to, id string) string {
	to, fragment, cut := strings.Cut(to, "#")
	if strings.Contains(to, "?") {
		to += "&receipt=" + id
	} else {
		to += "?receipt=" + id
	}
	if cut {
		to += "#" + fragment
	}
	return to
}

// receipts are what was done lately through this console, so that the page
// after it can say so: a link cannot, since it may be anybody's.
type receipts struct {
	mu     sync.Mutex
	newest []receipt
}

type receipt struct {
	domain.Receipt
	Text string
	by   string
}

const maxReceipts = 256

func (all *receipts) put(r domain.Receipt, text, by string) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, before := range all.newest {
		if before.RequestID == r.RequestID {
			r.Repeated, text = true, before.Text // what is there now, is so because of the first time
		}
	}
	all.newest = append(all.newest, receipt{r, text, by})
	if len(all.newest) > maxReceipts {
		all.newest = all.newest[1:]
	}
}

func (all *receipts) find(id, by string) *receipt {
	all.mu.Lock()
	defer all.mu.Unlock()
	for i := len(all.newest) - 1; i >= 0; i-- {
		if r := all.newest[i]; r.RequestID == id && r.by == by {
			return &r
		}
	}
	return nil
}

// end is what must be typed of an id.
func end(id string) string { return id[max(0, len(id)-6):] }

func (c *Console) aboutRevoke(r *request, f *form) error {
	d, err := c.UseCases.Key(r.Context(), r.PathValue("keyId"))
	if err != nil {
		return err
	}
	k := d.Keys[0]
	*f = form{Once: f.Once, Title: "Revoke this key", Button: "Revoke key", Danger: true, Confirm: end(k.ID), What: "the last six characters of the key id",
		Lead: "The key ends at once, and its private key is erased. What the device encrypted with it can never be read again. " +
			"The device keeps its passcode and PIN, and gets a new key when it next asks for one.",
		Facts: []fact{{"Key", k.ID}, {"Device", d.DeviceID}, {"State", string(k.State)}},
		Back:  deviceLink(d.Account.ID, d.DeviceID), Done: "The key was revoked."}
	return nil
}

func (c *Console) revoke(r *request, _ *form, a domain.Act) (domain.Receipt, error) {
	return c.UseCases.RevokeKey(r.Context(), r.PathValue("keyId"), a)
}

func (c *Console) aboutUnlock(r *request, f *form) error {
	info, err := c.UseCases.Account(r.Context(), r.PathValue("accountId"))
	if err != nil {
		return err
	}
	t := domain.CredentialType(r.PathValue("type"))
	if t != domain.Passcode && t != domain.TransactionPIN {
		return errNoPage
	}
	name := strings.ToLower(credential(t)[:1]) + credential(t)[1:]
	*f = form{Once: f.Once, Title: "Unlock the " + name, Button: "Unlock",
		Lead: "The lock ends, of the account and of its devices, and all wrong guesses are forgotten: whoever has been guessing gets as many again. " +
			"Make sure that the user has been identified.",
		Facts: []fact{{"Account", subject(info.Account)}, {"Credential", credential(t)}},
		Back:  "/accounts/" + info.Account.ID, Done: "The " + name + " was unlocked."}
	for _, cr := range info.Credentials {
		if cr.Type != t {
			continue
		}
		f.Facts = append(f.Facts, fact{"State", lockState(cr)})
		for _, d := range cr.LockedDevices {
			f.Facts = append(f.Facts, fact{"Locked device", lockedDevice(d)})
		}
		if f.Until = cr.LockedUntil; !locked(cr) {
			f.Done = "The " + name + " was not locked. Its wrong guesses are forgotten."
		}
		if cr.Tampered {
			f.Lead += " The ledger was edited in the database: unlocking replaces it. Look at the audit trail first."
		}
	}
	return nil
}

// locked: something ends when it is unlocked.
func locked(cr domain.CredentialInfo) bool {
	return cr.Permanent || cr.Tampered || !cr.LockedUntil.IsZero() || len(cr.LockedDevices) > 0
}

func lockState(cr domain.CredentialInfo) string {
	failures := plural(cr.Failures, "wrong guess", "wrong guesses") + " in a row"
	switch {
	case cr.Permanent:
		return "locked until an operator unlocks, after " + failures
	case !cr.LockedUntil.IsZero():
		return "locked, after " + failures
	case len(cr.LockedDevices) > 0:
		return "the account is not locked, " + plural(len(cr.LockedDevices), "device is", "devices are")
	}
	return "not locked; " + failures
}

func lockedDevice(d domain.LockedDevice) string {
	name := cmp.Or(d.DeviceID, "unknown device")
	if d.Permanent {
		return name + ", until an operator unlocks"
	}
	return name + ", until " + stamp(d.Until)
}

func (c *Console) unlock(r *request, _ *form, a domain.Act) (domain.Receipt, error) {
	return c.UseCases.Unlock(r.Context(), r.PathValue("accountId"), domain.CredentialType(r.PathValue("type")), a)
}

func subject(a domain.Account) string {
	if a.Subject == "" {
		return a.ID
	}
	return a.Subject
}

func (c *Console) aboutErase(r *request, f *form) error {
	info, err := c.UseCases.Account(r.Context(), r.PathValue("accountId"))
	if f.Once == "" && isNotFound(err) {
		// It was sent twice, and is erased already: the receipt will say so.
		info.Account.ID, err = r.PathValue("accountId"), nil
	}
	if err != nil {
		return err
	}
	a := info.Account
	*f = form{Once: f.Once, Title: "Erase this account", Button: "Erase account", Danger: true, Confirm: end(a.ID), What: "the last six characters of the account id",
		Lead: "Its private keys, passcode, PIN and locks are removed, and cannot be brought back. The audit trail stays, and names the account by a keyed hash only. " +
			"A user who comes back is a new account.",
		Facts: []fact{{"Account", subject(a)}, {"Account id", a.ID}}, Back: "/accounts/" + a.ID, Done: "The account was erased."}
	if a.Issuer != "" {
		f.Facts = append(f.Facts, fact{"Issuer", a.Issuer})
	}
	return nil
}

func (c *Console) erase(r *request, f *form, a domain.Act) (domain.Receipt, error) {
	f.Back = "/accounts"
	return c.UseCases.EraseAccount(r.Context(), r.PathValue("accountId"), a)
}

// planForm is what a rotation plan selects, as it was typed.
type planForm struct {
	Days   string
	Bits   string
	Refuse bool
	Before string // when the form was opened: keys made later are never meant, also when it is sent twice

	Preview *domain.RotationPlan // what it would select; nil: nobody asked
}

func (c *Console) aboutPlan(r *request, f *form) error {
	*f = form{Once: f.Once, Title: "Start a rotation plan", Button: "Start rotation", Danger: true, Confirm: "rotate", What: "the word rotate",
		Lead: "Each selected key is replaced when its device next asks for a key; passcodes and PINs stay. One plan runs at a time, and ends by itself " +
			"when none of its keys is left. Keys that were replaced do not come back when it is stopped.",
		Back: "/rotation", Done: "The rotation plan was started.",
		Plan: &planForm{Days: r.text("days", 6), Bits: r.text("bits", 6), Refuse: r.box("refuse"),
			Before: r.text("before", 64)}}
	// A list that fails is no reason against a plan; the use case decides.
	plans, _ := c.UseCases.RotationPlans(r.Context())
	if slices.ContainsFunc(plans, func(p domain.RotationPlan) bool { return p.StoppedAt.IsZero() }) {
		f.Note = "A plan runs already. Stop it, or wait until it ends, before you start another."
	}
	if r.Method != http.MethodPost {
		f.Plan.Before = time.Now().UTC().Format(time.RFC3339)
	}
	return nil
}

func (c *Console) startPlan(r *request, f *form, a domain.Act) (domain.Receipt, error) {
	p, refusal := f.Plan.selected()
	if refusal != nil {
		c.Refused(r.Context(), refusal.Code)
		return domain.Receipt{}, refusal
	}
	return c.UseCases.StartRotationPlan(r.Context(), p, a)
}

func (c *Console) previewPlan(r *request, f *form) error {
	p, refusal := f.Plan.selected()
	if refusal != nil {
		c.Refused(r.Context(), refusal.Code)
		return refusal
	}
	p, err := c.UseCases.PreviewRotationPlan(r.Context(), p)
	if err != nil {
		return err
	}
	f.Plan.Preview = &p
	return nil
}

// selected is what was typed.
func (f *planForm) selected() (domain.RotationPlan, *domain.Error) {
	p := domain.RotationPlan{RefuseUse: f.Refuse}
	opened, err := time.Parse(time.RFC3339, f.Before)
	if err != nil || opened.After(time.Now()) {
		return p, &domain.Error{Code: domain.CodeBadRequest, Message: "This is not a form of ours. Nothing was done."}
	}
	p.CreatedBefore = opened
	if f.Days != "" {
		n, err := strconv.Atoi(f.Days)
		if err != nil || n < 1 || n > operatorapi.MaxPlanDays {
			return p, badInput("days", "must be a whole number from 1 to "+strconv.Itoa(operatorapi.MaxPlanDays)+", or empty")
		}
		p.CreatedBefore = opened.AddDate(0, 0, -n)
	}
	switch f.Bits {
	case "":
	case "2048", "3072", "4096":
		p.Bits, _ = strconv.Atoi(f.Bits)
	default:
		return p, badInput("bits", "must be 2048, 3072 or 4096")
	}
	return p, nil
}

func (c *Console) aboutStop(r *request, f *form) error {
	if r.PathValue("planId") == domain.CurrentPlan { // also where only the trail can tell which one runs
		*f = form{Once: f.Once, Title: "Stop whatever rotation plan runs", Button: "Stop rotation",
			Lead: "Keys that were not replaced yet stay in use. Those that were replaced do not come back.",
			Back: "/rotation", Done: "The rotation plan was stopped."}
		return nil
	}
	plans, err := c.UseCases.RotationPlans(r.Context())
	if err != nil {
		return err
	}
	for _, p := range plans {
		if p.ID == r.PathValue("planId") {
			*f = form{Once: f.Once, Title: "Stop the rotation plan", Button: "Stop rotation",
				Lead:  "Keys that were not replaced yet stay in use. Those that were replaced do not come back.",
				Facts: []fact{{"Plan", p.ID}, {"Plan's reason", p.Reason}, {"Remaining", plural(p.Remaining, "key", "keys") + " of " + number(p.Selected)}},
				Back:  "/rotation", Done: "The rotation plan was stopped."}
			return nil
		}
	}
	return &domain.Error{Code: domain.CodeNotFound, Message: "There is no such plan."}
}

func (c *Console) stopPlan(r *request, _ *form, a domain.Act) (domain.Receipt, error) {
	return c.UseCases.StopRotationPlan(r.Context(), r.PathValue("planId"), a)
}
