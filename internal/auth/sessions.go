package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"sync"
	"time"

	"strongroom/internal/domain"
)

// Limits on sessions.
const (
	sessionIdle     = 30 * time.Minute // without a request that somebody made
	sessionMost     = 12 * time.Hour   // after which everyone signs in anew
	sessionMostOIDC = time.Hour        // the same for whom a provider let in: his role there may be gone
	maxSessions     = 1024             // at a time; past them, the one that was idle longest ends
	sessionIDBytes  = 32
)

// Names of the cookie. Browsers take one with the prefix only over TLS, for all
// paths of this very host, so that no neighbour can plant one (RFC 6265bis,
// 4.1.3.2).
const (
	plainCookie  = "strongroom-session"
	secureCookie = "__Host-strongroom-session"
)

// Sessions are browsers that showed an admin token, or came from the operators'
// provider, and carry a cookie instead.
//
// The threats: a stolen cookie (it ends with the sign-out, after half an hour
// of idleness, after twelve hours, and with the token that opened it); a memory
// that shows cookies (it has their SHA-256); a session that outlives a role (an
// admin token is looked up again at each request, a provider is asked anew
// after an hour); who fills the memory (nobody gets a session without a right
// token, and there is a bound).
//
// They are in memory: a restart ends them, and each instance has its own. Safe
// for concurrent use.
type Sessions struct {
	operators *Operators
	now       func() time.Time

	mu   sync.Mutex
	open map[[sha256.Size]byte]*session // by the SHA-256 of their ids
}

// session is one browser. What it may do is asked of who let it in, each time.
type session struct {
	who         func() (domain.Operator, bool)
	most        time.Duration // that it lasts, however busy
	began, used time.Time
}

// NewSessions has o decide who may open a session.
func NewSessions(o *Operators) *Sessions {
	return &Sessions{operators: o, now: o.now, open: map[[sha256.Size]byte]*session{}}
}

// SignIn opens a session for whoever holds the admin token, and sets its
// cookie. Wrong tokens are refused and limited as those of
// [Operators.Authenticate] are. A session that the browser had before ends.
func (s *Sessions) SignIn(w http.ResponseWriter, r *http.Request, token string) error {
	digest := sha256.Sum256([]byte(token))
	holder := func() (domain.Operator, bool) { return s.operators.holder(digest) }
	if _, ok := holder(); !ok {
		return s.operators.settle(r, wrongToken)
	}
	s.begin(w, r, &session{who: holder, most: sessionMost}, r.TLS != nil)
	return nil
}

// begin opens a session, and sets its cookie, for TLS only if secure. That which
// the browser had before ends, if it showed it.
func (s *Sessions) begin(w http.ResponseWriter, r *http.Request, opened *session, secure bool) {
	name := plainCookie
	if secure {
		name = secureCookie
	}
	s.end(w, r, name)
	raw := make([]byte, sessionIDBytes)
	rand.Read(raw) // never fails: crypto/rand ends the process instead
	id := base64.RawURLEncoding.EncodeToString(raw)
	now := s.now()
	opened.began, opened.used = now, now
	s.mu.Lock()
	s.makeRoom(now)
	s.open[sha256.Sum256([]byte(id))] = opened
	s.mu.Unlock()
	setCookie(w, name, id, 0)
	who, _ := opened.who()
	s.operators.log.InfoContext(r.Context(), "an operator signed in", "operator", who.Name, "may_write", who.Role >= domain.RoleOperator)
}

// SignOut ends the session and takes the cookie back.
func (s *Sessions) SignOut(w http.ResponseWriter, r *http.Request) { s.end(w, r, "") }

// Authenticate is who sends r, by its cookie, or not ok. A request that the
// browser sends by itself, as a page that is kept up to date does, is not idle's
// end.
func (s *Sessions) Authenticate(r *http.Request, byItself bool) (domain.Operator, bool) {
	// Without TLS here there may be some at a proxy before us, and the cookie of
	// a browser that came by it.
	name := plainCookie
	if r.TLS != nil || len(r.CookiesNamed(secureCookie)) > 0 {
		name = secureCookie
	}
	id, ok := idIn(r, name)
	if !ok {
		return domain.Operator{}, false
	}
	now := s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.open[id]
	if found == nil {
		return domain.Operator{}, false
	}
	who, good := found.who()
	if !good || found.over(now) {
		delete(s.open, id)
		return domain.Operator{}, false
	}
	if !byItself {
		found.used = now
	}
	return who, true
}

func (s *session) over(now time.Time) bool {
	return now.Sub(s.used) >= sessionIdle || now.Sub(s.began) >= s.most
}

// end ends what r has cookies of, and takes those back that do not get a new
// value.
func (s *Sessions) end(w http.ResponseWriter, r *http.Request, renewed string) {
	for _, name := range []string{plainCookie, secureCookie} {
		if name != renewed && len(r.CookiesNamed(name)) > 0 {
			setCookie(w, name, "", -1)
		}
		if id, ok := idIn(r, name); ok {
			s.mu.Lock()
			delete(s.open, id)
			s.mu.Unlock()
		}
	}
}

// makeRoom drops sessions that are over, and one more if there is no room.
func (s *Sessions) makeRoom(now time.Time) {
	if len(s.open) < maxSessions {
		return
	}
	var idlest [sha256.Size]byte
	oldest := now
	for id, o := range s.open {
		if o.over(now) {
			delete(s.open, id)
		} else if !o.used.After(oldest) {
			idlest, oldest = id, o.used
		}
	}
	if len(s.open) >= maxSessions {
		delete(s.open, idlest)
	}
}

// idIn is the SHA-256 of the session's id in the cookie of this name. Of two
// cookies neither is believed.
func idIn(r *http.Request, name string) (id [sha256.Size]byte, ok bool) {
	cookies := r.CookiesNamed(name)
	if len(cookies) != 1 || len(cookies[0].Value) != base64.RawURLEncoding.EncodedLen(sessionIDBytes) {
		return id, false
	}
	return sha256.Sum256([]byte(cookies[0].Value)), true
}

// setCookie sets it until the browser closes, or takes it back with an age
// below zero.
func setCookie(w http.ResponseWriter, name, id string, age int) {
	http.SetCookie(w, &http.Cookie{Name: name, Value: id, Path: "/", MaxAge: age, //nolint:gosec // Secure wherever there is TLS: without, it would never come back
		HttpOnly: true, Secure: name == secureCookie, SameSite: http.SameSiteStrictMode})
}
