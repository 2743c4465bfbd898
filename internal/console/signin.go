package console

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"strongroom/internal/apierr"
	"strongroom/internal/domain"
)

const (
	signInPath   = "/signin"
	providerPath = signInPath + "/oidc" // begins a sign-in at the provider
	// CallbackPath is the path to which the provider sends browsers back.
	CallbackPath = providerPath + "/callback"
)

// Provider signs browsers in at the operators' identity provider.
type Provider interface {
	// Name is the provider's name for people.
	Name() string
	// Begin sets a cookie for the sign-in, and returns the URL at the provider to
	// which the browser must go. Its errors are those of Finish.
	Begin(w http.ResponseWriter, r *http.Request, next string) (to string, err error)
	// Finish sets a cookie for the operator that the provider sent back, or
	// refuses with a *domain.Error whose message is for people. With the code
	// INTERNAL nobody can sign in at the provider; with RetryAfter that may end by
	// itself. Any other error means that the browser disconnected. next is that of
	// Begin, unless somebody changed it.
	Finish(w http.ResponseWriter, r *http.Request) (next string, err error)
}

// signIn is the data of the sign-in page.
type signIn struct {
	Next    string // path to open after the sign-in
	Problem string
	// Again is set if the browser did not send the cookie because a page of
	// another site led here. If our own page links to the path, the browser sends
	// the cookie.
	Again     string
	RequestID string

	Provider string // its name; empty: there is none
	Begin    string // where a sign-in at the provider begins
}

// open serves what needs no session, and reports whether it did.
func (c *Console) open(w http.ResponseWriter, r *http.Request, signedIn bool) bool {
	get := r.Method == http.MethodGet || r.Method == http.MethodHead
	if a := c.assets.All()[r.URL.Path]; a != nil && get && slices.Contains(forStrangers, a.Name) {
		a.ServeHTTP(w, r)
		return true
	}
	switch {
	case r.URL.Path == signInPath && get:
		next := local(r.URL.Query().Get("next"))
		if signedIn {
			http.Redirect(w, r, next, http.StatusSeeOther) //nolint:gosec // local returns only our own paths
			return true
		}
		c.showSignIn(w, r, http.StatusOK, signIn{Next: next})
	case r.URL.Path == signInPath && r.Method == http.MethodPost:
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		c.signIn(w, r)
	case r.URL.Path == providerPath && r.Method == http.MethodGet && c.Provider != nil:
		c.toProvider(w, r)
	case r.URL.Path == CallbackPath && r.Method == http.MethodGet && c.Provider != nil:
		c.fromProvider(w, r)
	default:
		return false
	}
	return true
}

// showSignIn shows the page with all ways to sign in. A sign-in at the provider
// begins at Origin, the origin of the callback, because otherwise the callback
// would get no cookie.
func (c *Console) showSignIn(w http.ResponseWriter, r *http.Request, status int, page signIn) {
	if c.Provider != nil {
		page.Provider, page.Begin = c.Provider.Name(), c.Origin+providerPath
		if page.Next != "/" {
			page.Begin += "?" + url.Values{"next": {page.Next}}.Encode()
		}
	}
	c.show(w, r, status, view{"signin.html", "Sign in", page})
}

func (c *Console) signIn(w http.ResponseWriter, r *http.Request) {
	next := local(r.PostFormValue("next"))
	err := c.Sessions.SignIn(w, r, strings.TrimSpace(r.PostFormValue("token")))
	if err == nil {
		http.Redirect(w, r, next, http.StatusSeeOther)
		return
	}
	refusal, ok := errors.AsType[*domain.Error](err)
	if !ok {
		c.fail(w, r, err)
		return
	}
	c.turnAway(w, r, next, refusal, "This is not an admin token of this service, or it was retired. Use the first line of DATA-DIR/admin.token on the server. Access tokens of an identity provider do not work here.")
}

// toProvider sends a browser to the provider. A link leads here, not a form,
// because the policy form-action 'self' would stop the redirect of a form.
func (c *Console) toProvider(w http.ResponseWriter, r *http.Request) {
	next := local(r.URL.Query().Get("next"))
	to, err := c.Provider.Begin(w, r, next)
	if err != nil {
		c.noProvider(w, r, next, err)
		return
	}
	http.Redirect(w, r, to, http.StatusSeeOther) //nolint:gosec // the provider's own address, from the settings
}

// fromProvider ends a sign-in at the provider. It answers with a page that
// leads on, because browsers do not send the session's cookie in a navigation
// that another site began.
func (c *Console) fromProvider(w http.ResponseWriter, r *http.Request) {
	next, err := c.Provider.Finish(w, r)
	next = local(next)
	refusal, refused := errors.AsType[*domain.Error](err)
	switch {
	case err == nil:
		w.Header().Set("Referrer-Policy", "no-referrer") // the URL of this page has the code
		c.show(w, r, http.StatusOK, view{"signin.html", "Sign in", signIn{Next: next, Again: next}})
	case refused && refusal.Code != domain.CodeInternal:
		c.turnAway(w, r, next, refusal, refusal.Message)
	default:
		c.noProvider(w, r, next, err)
	}
}

// noProvider shows the sign-in page again, with why nobody can sign in at the
// provider. That refuses nobody, so it is not counted as a refusal.
func (c *Console) noProvider(w http.ResponseWriter, r *http.Request, next string, err error) {
	problem := c.Provider.Name() + " was not contacted. Start again."
	if why, ok := errors.AsType[*domain.Error](err); ok {
		problem = why.Message
		apierr.SetRetryAfter(w.Header(), why)
	}
	c.showSignIn(w, r, http.StatusServiceUnavailable, signIn{Next: next, Problem: problem, RequestID: domain.CallerFrom(r.Context()).RequestID})
}

// turnAway shows the sign-in page again, with why the sign-in was refused.
func (c *Console) turnAway(w http.ResponseWriter, r *http.Request, next string, refusal *domain.Error, problem string) {
	c.Refused(r.Context(), refusal.Code)
	apierr.SetRetryAfter(w.Header(), refusal)
	if seconds := refusal.RetryAfterSeconds(); seconds > 0 && refusal.Code == domain.CodeTooManyRequests {
		problem = "Too many sign-in attempts from this address. Wait " + strconv.FormatInt(seconds, 10) + " s, or enter a valid admin token, which is accepted at once."
	}
	c.showSignIn(w, r, apierr.Status(refusal), signIn{Next: next, Problem: problem, RequestID: domain.CallerFrom(r.Context()).RequestID})
}

func (c *Console) signOut(w http.ResponseWriter, r *http.Request) {
	c.Sessions.SignOut(w, r)
	http.Redirect(w, r, signInPath, http.StatusSeeOther)
}

// stranger answers requests without a session, in the same way for every path.
func (c *Console) stranger(w http.ResponseWriter, r *http.Request) {
	get := r.Method == http.MethodGet || r.Method == http.MethodHead
	if !wantsHTML(r) || !get {
		refusal := &domain.Error{Code: domain.CodeUnauthenticated,
			Message: "Sign in at " + signInPath + ", or send the first line of DATA-DIR/admin.token as Authorization: Bearer."}
		if !get {
			refusal.Message = "You are not signed in. Nothing was done. " + refusal.Message
		}
		apierr.Challenge(w.Header(), refusal, nil, false)
		c.refuse(w, r, refusal)
		return
	}
	asked := local(r.URL.RequestURI())
	if r.Header.Get("Sec-Fetch-Site") == "cross-site" {
		c.show(w, r, http.StatusOK, view{"signin.html", "Sign in", signIn{Next: asked, Again: asked}})
		return
	}
	to := signInPath
	if asked != "/" {
		to += "?next=" + url.QueryEscape(asked)
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// local returns the path if it is one of ours, or else "/". Browsers treat
// //host and /\host as other hosts.
func local(to string) string {
	u, err := url.Parse(to)
	switch {
	case err != nil, u.Scheme != "", u.Host != "", u.Opaque != "", u.User != nil, len(to) > 4<<10,
		!strings.HasPrefix(to, "/"), !clean(u.Path), strings.ContainsAny(to, "\\\t\r\n"),
		u.Path == signInPath, u.Path == providerPath, u.Path == CallbackPath, u.Path == "/signout", strings.HasPrefix(u.Path, "/live/"):
		return "/"
	}
	if u.Fragment != "" {
		return u.RequestURI() + "#" + u.EscapedFragment()
	}
	return u.RequestURI()
}
