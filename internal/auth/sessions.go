package auth

import (
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/lograte"
)

// Limits on sessions.
const (
	sessionIdleTimeout     = 30 * time.Minute // without a request that a person made
	sessionMaxAge          = 12 * time.Hour
	sessionMaxAgeOIDC      = time.Hour // a provider may have withdrawn the role meanwhile
	maxSessionsPerOperator = 32        // above it, the operator's longest idle session ends
	maxSessions            = 1024      // above it, one session of the operator with the most ends
	sessionIDBytes         = 32
)

// Sessions are the signed-in browsers of operators. A browser signs in with an
// admin token or at the operators' provider, and gets a cookie.
//
// A stolen cookie ends with the sign-out, after 30 minutes of idleness, after 12
// hours, and with the token that opened the session. Memory has only the SHA-256
// of a cookie. Each request looks up the admin token again, so a session never
// outlives a role; one from the provider ends after one hour. If browsers use
// https, only cookies count that no other site can set. Limits for each operator
// and for all keep one operator from filling memory or ending the sessions of
// others. Log lines are limited by operator, so that no sign-in hides among many.
//
// Sessions are in memory. A restart ends them, and each instance has its own.
// Safe for concurrent use.
type Sessions struct {
	operators *Operators
	secure    bool // browsers use TLS, perhaps to a proxy
	now       func() time.Time

	mu         sync.Mutex
	open       map[[sha256.Size]byte]*session // by the SHA-256 of their ids
	signInLogs map[string]*lograte.Limit      // by operator
}

// session is one browser.
type session struct {
	operator    func() (domain.Operator, bool) // called at each request; not ok: the session ends
	name        string                         // of the operator at the sign-in
	maxAge      time.Duration
	began, used time.Time
}

// NewSessions makes sessions for operators that o authenticates. secure: browsers
// use https, perhaps to a proxy, so that only cookies for TLS are set and
// accepted. Without it, the same holds for requests that arrive over TLS.
func NewSessions(o *Operators, secure bool) *Sessions {
	return &Sessions{operators: o, secure: secure, now: o.now, open: map[[sha256.Size]byte]*session{}, signInLogs: map[string]*lograte.Limit{}}
}

// SignIn opens a session with an admin token, and sets its cookie. Wrong tokens
// are refused and limited as in [Operators.Authenticate]. The browser's previous
// session ends.
func (s *Sessions) SignIn(w http.ResponseWriter, r *http.Request, token string) error {
	digest := sha256.Sum256([]byte(token))
	holder := func() (domain.Operator, bool) { return s.operators.tokenHolder(digest) }
	if _, ok := holder(); !ok {
		return s.operators.refuse(r, wrongToken)
	}
	s.start(w, r, &session{operator: holder, maxAge: sessionMaxAge})
	return nil
}

// start opens a session and sets its cookie. The browser's previous session ends if
// the request has its cookie. Browsers do not send a strict cookie with the answer of
// the provider, so that session ends only when it was idle.
func (s *Sessions) start(w http.ResponseWriter, r *http.Request, opened *session) {
	cookie := s.cookieName(r)
	s.end(w, r, cookie)
	id := base64.RawURLEncoding.EncodeToString(randomBytes(sessionIDBytes))
	now := s.now()
	who, _ := opened.operator()
	opened.name, opened.began, opened.used = who.Name, now, now
	s.mu.Lock()
	s.makeRoom(who.Name, now)
	s.open[sha256.Sum256([]byte(id))] = opened
	limit := s.signInLog(who.Name)
	s.mu.Unlock()
	setCookie(w, cookie, id, 0, http.SameSiteStrictMode)
	if write, omitted := limit.Next(now); write {
		s.operators.log.InfoContext(r.Context(), "an operator signed in", "operator", who.Name, "may_write", who.Role >= domain.RoleOperator, "omitted", omitted)
	}
}

// signInLog needs mu.
func (s *Sessions) signInLog(operator string) *lograte.Limit {
	limit := s.signInLogs[operator]
	if limit == nil {
		if len(s.signInLogs) >= maxSessions {
			clear(s.signInLogs) // at worst ten more lines
		}
		limit = new(lograte.Limit)
		s.signInLogs[operator] = limit
	}
	return limit
}

// SignOut ends the session and deletes the cookie.
func (s *Sessions) SignOut(w http.ResponseWriter, r *http.Request) { s.end(w, r, "") }

// Authenticate returns the operator of r's session. automatic: the page sent r
// to update itself, which does not count as use of the session.
func (s *Sessions) Authenticate(r *http.Request, automatic bool) (domain.Operator, bool) {
	id, ok := sessionIn(r, s.cookieName(r))
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
	who, ok := found.operator()
	if !ok || found.hasExpired(now) {
		delete(s.open, id)
		return domain.Operator{}, false
	}
	if !automatic {
		found.used = now
	}
	return who, true
}

func (s *session) hasExpired(now time.Time) bool {
	return passed(s.used, now) >= sessionIdleTimeout || passed(s.began, now) >= s.maxAge
}

// passed returns the time from t to now. On Linux the monotonic clock stops while the
// machine is suspended, and the wall clock can be set back. So the larger difference
// counts.
func passed(t, now time.Time) time.Duration {
	return max(now.Sub(t), now.Round(0).Sub(t.Round(0))) // Round removes the monotonic reading
}

// end ends the sessions that r has cookies of, and deletes those cookies except
// renewed, which gets a new value.
func (s *Sessions) end(w http.ResponseWriter, r *http.Request, renewed string) {
	for _, name := range []string{plainCookie + portSuffix(r), secureCookie + portSuffix(r)} {
		if name != renewed && len(r.CookiesNamed(name)) > 0 {
			setCookie(w, name, "", -1, http.SameSiteStrictMode)
		}
		if id, ok := sessionIn(r, name); ok {
			s.mu.Lock()
			delete(s.open, id)
			s.mu.Unlock()
		}
	}
}

// makeRoom removes expired sessions. If there is still no room for a session of
// this operator, it removes one more. It needs mu.
func (s *Sessions) makeRoom(operator string, now time.Time) {
	maps.DeleteFunc(s.open, func(_ [sha256.Size]byte, o *session) bool { return o.hasExpired(now) })
	count := map[string]int{}
	for _, o := range s.open {
		count[o.name]++
	}
	if count[operator] >= maxSessionsPerOperator {
		s.removeIdlest(func(o *session) bool { return o.name == operator })
	} else if len(s.open) >= maxSessions {
		most := slices.Max(slices.Collect(maps.Values(count)))
		s.removeIdlest(func(o *session) bool { return count[o.name] == most })
	}
}

func (s *Sessions) removeIdlest(among func(*session) bool) {
	var idlest [sha256.Size]byte
	var oldest *session
	for id, o := range s.open {
		if among(o) && (oldest == nil || o.used.Before(oldest.used)) {
			idlest, oldest = id, o
		}
	}
	delete(s.open, idlest)
}

// cookieName is the name of the only cookie that counts with this request.
func (s *Sessions) cookieName(r *http.Request) string {
	if s.secure || r.TLS != nil {
		return secureCookie + portSuffix(r)
	}
	return plainCookie + portSuffix(r)
}

// sessionIn returns the SHA-256 of the session id in the cookie with this name.
// It accepts neither of two such cookies.
func sessionIn(r *http.Request, name string) (id [sha256.Size]byte, ok bool) {
	cookies := r.CookiesNamed(name)
	if len(cookies) != 1 || len(cookies[0].Value) != base64.RawURLEncoding.EncodedLen(sessionIDBytes) {
		return id, false
	}
	return sha256.Sum256([]byte(cookies[0].Value)), true
}
