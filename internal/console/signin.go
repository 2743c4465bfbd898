package console

import (
	"errors"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"strongroom/internal/domain"
)

const signInPath = "/signin"

// signIn is what the sign-in page shows. An identity provider would have its
// button beside the form, and its answer would open a session in the same way.
type signIn struct {
	Next    string // the path to go on to
	Problem string
	// Again: the browser did not send the cookie because a page of another site
	// led here. Asked for once more, by a page of ours, it does.
	Again     string
	RequestID string
}

// open serves what needs no session, and says whether it did.
func (c *Console) open(w http.ResponseWriter, r *http.Request) bool {
	get := r.Method == http.MethodGet || r.Method == http.MethodHead
	if a := c.assets[r.URL.Path]; a != nil && get && slices.Contains(forStrangers, a.name) {
		a.ServeHTTP(w, r)
		return true
	}
	if r.URL.Path != signInPath {
		return false
	}
	switch {
	case get:
		next := local(r.URL.Query().Get("next"))
		if _, ok := c.Sessions.Authenticate(r, false); ok {
			http.Redirect(w, r, next, http.StatusSeeOther) //nolint:gosec // local lets paths of ours through only
			return true
		}
		c.show(w, r, http.StatusOK, view{"signin.html", "Sign in", signIn{Next: next}})
	case r.Method == http.MethodPost:
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		c.signIn(w, r)
	default:
		return false
	}
	return true
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
	c.Refused(r.Context(), refusal.Code)
	problem := "This is not an admin token of this service, or it was retired. The first line of DATA-DIR/admin.token on its machine is one."
	if refusal.Code == domain.CodeTooManyRequests {
		seconds := strconv.FormatInt(refusal.RetryAfterSeconds(), 10)
		w.Header().Set("Retry-After", seconds)
		problem = "Too many wrong tokens were tried from here. Wait " + seconds + " seconds, or enter a right one, which is taken at once."
	}
	c.show(w, r, status(refusal.Code), view{"signin.html", "Sign in",
		signIn{Next: next, Problem: problem, RequestID: domain.CallerFrom(r.Context()).RequestID}})
}

func (c *Console) signOut(w http.ResponseWriter, r *http.Request) {
	c.Sessions.SignOut(w, r)
	http.Redirect(w, r, signInPath, http.StatusSeeOther)
}

// stranger answers whoever has no session, the same at every path.
func (c *Console) stranger(w http.ResponseWriter, r *http.Request) {
	if !wantsHTML(r) || r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("WWW-Authenticate", "Bearer")
		c.refuse(w, r, &domain.Error{Code: domain.CodeUnauthenticated,
			Message: "Sign in at " + signInPath + ", or send the first line of DATA-DIR/admin.token as Authorization: Bearer."})
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
		u.Path == signInPath, u.Path == "/signout", strings.HasPrefix(u.Path, "/live/"):
		return "/"
	}
	return u.RequestURI()
}
