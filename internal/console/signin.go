package console

import (
	"errors"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"strongroom/internal/apierr"
	"strongroom/internal/domain"
)

const (
	signInPath   = "/signin"
	providerPath = signInPath + "/oidc" // where a sign-in by the provider begins
	// CallbackPath is where the provider sends browsers back to.
	CallbackPath = providerPath + "/callback"
)

// Provider signs browsers in by the identity provider of operators.
type Provider interface {
	// Name is how people know it.
	Name() string
	// Begin sets a cookie for the way, and returns the address at the provider
	// where the browser must go. An error is one of those of Finish.
	Begin(w http.ResponseWriter, r *http.Request, next string) (to string, err error)
	// Finish sets a cookie for whom the provider sent back, or refuses with a
	// *domain.Error in words for people. With the code INTERNAL nobody can sign in
	// by it: with RetryAfter for the moment, without until that is mended. Any
	// other error: the browser went away. next is that of Begin, if nobody changed
	// it meanwhile.
	Finish(w http.ResponseWriter, r *http.Request) (next string, err error)
}

// signIn is what the sign-in page shows.
type signIn struct {
	Next    string // the path to go on to
	Problem string
	// Again: the browser did not send the cookie because a page of another site
	// led here. Asked for once more, by a page of ours, it does.
	Again     string
	RequestID string

	Provider string // its name; empty: there is none
	Begin    string // where a sign-in by it begins
}

// open serves what needs no session, and says whether it did.
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
			http.Redirect(w, r, next, http.StatusSeeOther) //nolint:gosec // local lets paths of ours through only
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

// showSignIn shows the page with all ways to sign in. That by the provider
// begins where browsers come back to, or they would come without their cookie.
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
	c.turnAway(w, r, next, refusal, "This is not an admin token of this service, or it was retired. Use the first line of DATA-DIR/admin.token on the server.")
}

// toProvider sends a browser to the provider. It is a link and no form that
// leads here: a policy that has forms stay here would stop the redirect.
func (c *Console) toProvider(w http.ResponseWriter, r *http.Request) {
	next := local(r.URL.Query().Get("next"))
	to, err := c.Provider.Begin(w, r, next)
	if err != nil {
		c.noProvider(w, r, next, err)
		return
	}
	http.Redirect(w, r, to, http.StatusSeeOther) //nolint:gosec // the provider's own address, by the settings
}

// fromProvider takes a browser in. A page of ours leads it on: the session's
// cookie does not come along where another site began the way.
func (c *Console) fromProvider(w http.ResponseWriter, r *http.Request) {
	next, err := c.Provider.Finish(w, r)
	next = local(next)
	refusal, refused := errors.AsType[*domain.Error](err)
	switch {
	case err == nil:
		w.Header().Set("Referrer-Policy", "no-referrer") // the address of this page has the code
		c.show(w, r, http.StatusOK, view{"signin.html", "Sign in", signIn{Next: next, Again: next}})
	case refused && refusal.Code != domain.CodeInternal:
		c.turnAway(w, r, next, refusal, refusal.Message)
	default:
		c.noProvider(w, r, next, err)
	}
}

// noProvider shows the page once more, with why nobody can sign in by the
// provider. That turns nobody away, and is not counted so.
func (c *Console) noProvider(w http.ResponseWriter, r *http.Request, next string, err error) {
	problem := c.Provider.Name() + " was not contacted. Start again."
	if why, ok := errors.AsType[*domain.Error](err); ok {
		problem = why.Message
		apierr.SetRetryAfter(w.Header(), why)
	}
	c.showSignIn(w, r, http.StatusServiceUnavailable, signIn{Next: next, Problem: problem, RequestID: domain.CallerFrom(r.Context()).RequestID})
}

// turnAway shows the page once more, with why nobody was let in.
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

// stranger answers requests without a session, the same at every path.
func (c *Console) stranger(w http.ResponseWriter, r *http.Request) {
	if !wantsHTML(r) || r.Method != http.MethodGet && r.Method != http.MethodHead {
		refusal := &domain.Error{Code: domain.CodeUnauthenticated,
			Message: "Sign in at " + signInPath + ", or send the first line of DATA-DIR/admin.token as Authorization: Bearer."}
		apierr.Challenge(w.Header(), refusal, false)
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

// local is the path, if it is one of ours, else the first page: browsers take
// //host and /\host for other hosts.
func local(to string) string {
	u, err := url.Parse(to)
	switch {
	case err != nil, u.Scheme != "", u.Host != "", u.Opaque != "", u.User != nil, len(to) > 4<<10,
		!strings.HasPrefix(to, "/"), path.Clean(u.Path) != u.Path, strings.ContainsAny(to, "\\\t\r\n"),
		u.Path == signInPath, u.Path == providerPath, u.Path == CallbackPath, u.Path == "/signout", strings.HasPrefix(u.Path, "/live/"):
		return "/"
	}
	if u.Fragment != "" {
		return u.RequestURI() + "#" + u.EscapedFragment()
	}
	return u.RequestURI()
}
