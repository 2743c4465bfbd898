package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/loglines"
)

// Limits on sessions.
const (
	sessionIdle     = 30 * time.Minute // without a request that somebody made
	sessionMost     = 12 * time.Hour   // after which everyone signs in anew
	sessionMostOIDC = time.Hour        // the same for whom a provider let in: his role there may be gone
	maxSessionsEach = 32               // of one operator at a time; past them, his that was idle longest ends
	maxSessions     = 1024             // of all; past them, the same of those who have the most
	sessionIDBytes  = 32
)

// Names of the cookie, before the port. Browsers take one with the prefix only
// over TLS, for all paths of this very host, so that no neighbour can plant one
// (RFC 6265bis, 4.1.3.2).
const (
	plainCookie  = "strongroom-session"
	securePrefix = "__Host-"
	secureCookie = securePrefix + plainCookie
)

// Sessions are browsers that showed an admin token, or came from the operators'
// provider, and carry a cookie instead.
//
// The threats: a stolen cookie (it ends with the sign-out, after half an hour
// of idleness, after twelve hours, and with the token that opened it); a memory
// that shows cookies (it has their SHA-256); a session that outlives a role (an
// admin token is looked up again at each request, a provider is asked anew
// after an hour); a cookie that a neighbour planted (where browsers come by
// https, only one is believed that nobody else can set); who fills the memory
// or ends the sessions of others by signing in again and again (nobody gets one
// without a right token, there is a bound, and each operator has one of his
// own); who hides another's sign-in in the log among many (lines are limited
// for each operator).
//
// They are in memory: a restart ends them, and each instance has its own. Safe
// for concurrent use.
type Sessions struct {
	operators *Operators
	secure    bool // browsers come over TLS, perhaps to a proxy of ours
	now       func() time.Time

	mu    sync.Mutex
	open  map[[sha256.Size]byte]*session // by the SHA-256 of their ids
	lines map[string]*loglines.Limit     // of sign-ins, by operator
}

// session is one browser. What it may do is asked of who let it in, each time.
type session struct {
	who         func() (domain.Operator, bool)
	name        string        // of who that was at the sign-in
	most        time.Duration // that it lasts, however busy
	began, used time.Time
}

// NewSessions has o decide who may open a session. secure: browsers reach us by
// https, though a proxy may speak it for us, so that no cookie is set or believed
// but one for TLS. Without, that holds of requests that came here over TLS.
func NewSessions(o *Operators, secure bool) *Sessions {
	return &Sessions{operators: o, secure: secure, now: o.now, open: map[[sha256.Size]byte]*session{}, lines: map[string]*loglines.Limit{}}
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
	s.begin(w, r, &session{who: holder, most: sessionMost})
	return nil
}

// begin opens a session, and sets its cookie. That which the browser had before
// ends, if it showed it.
func (s *Sessions) begin(w http.ResponseWriter, r *http.Request, opened *session) {
	cookie := s.cookie(r)
	s.end(w, r, cookie)
	raw := make([]byte, sessionIDBytes)
	rand.Read(raw) // never fails: crypto/rand ends the process instead
	id := base64.RawURLEncoding.EncodeToString(raw)
	now := s.now()
	who, _ := opened.who()
	opened.name, opened.began, opened.used = who.Name, now, now
	s.mu.Lock()
	s.makeRoom(who.Name, now)
	s.open[sha256.Sum256([]byte(id))] = opened
	lines := s.linesOf(who.Name)
	s.mu.Unlock()
	setCookie(w, cookie, id, 0)
	if write, omitted := lines.Next(now); write {
		s.operators.log.InfoContext(r.Context(), "an operator signed in", "operator", who.Name, "may_write", who.Role >= domain.RoleOperator, "omitted", omitted)
	}
}

// linesOf is an operator's own, so that nobody's sign-in hides among those of
// another. It needs the lock.
func (s *Sessions) linesOf(operator string) *loglines.Limit {
	lines := s.lines[operator]
	if lines == nil {
		if len(s.lines) >= maxSessions {
			clear(s.lines) // the worst is ten lines more
		}
		lines = new(loglines.Limit)
		s.lines[operator] = lines
	}
	return lines
}

// SignOut ends the session and takes the cookie back.
func (s *Sessions) SignOut(w http.ResponseWriter, r *http.Request) { s.end(w, r, "") }

// Authenticate is who sends r, by its cookie, or not ok. A request that the
// browser sends by itself, as a page that is kept up to date does, is not idle's
// end.
func (s *Sessions) Authenticate(r *http.Request, byItself bool) (domain.Operator, bool) {
	id, ok := idIn(r, s.cookie(r))
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
	for _, name := range []string{plainCookie + portOf(r), secureCookie + portOf(r)} {
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

// makeRoom drops sessions that are over, and one more if there is no room for
// another of this operator: one of his own where he has many, else one of those
// who have the most. It needs the lock.
func (s *Sessions) makeRoom(operator string, now time.Time) {
	maps.DeleteFunc(s.open, func(_ [sha256.Size]byte, o *session) bool { return o.over(now) })
	of := map[string]int{}
	for _, o := range s.open {
		of[o.name]++
	}
	if of[operator] >= maxSessionsEach {
		s.dropIdlest(func(o *session) bool { return o.name == operator })
	} else if len(s.open) >= maxSessions {
		most := slices.Max(slices.Collect(maps.Values(of)))
		s.dropIdlest(func(o *session) bool { return of[o.name] == most })
	}
}

func (s *Sessions) dropIdlest(among func(*session) bool) {
	var idlest [sha256.Size]byte
	var oldest *session
	for id, o := range s.open {
		if among(o) && (oldest == nil || o.used.Before(oldest.used)) {
			idlest, oldest = id, o
		}
	}
	delete(s.open, idlest)
}

// cookie is the name of the only cookie that counts with this request.
func (s *Sessions) cookie(r *http.Request) string {
	if s.secure || r.TLS != nil {
		return secureCookie + portOf(r)
	}
	return plainCookie + portOf(r)
}

// portOf is the port in the address that the browser has, behind a dash, or
// nothing. Cookies are of a host, whatever the port (RFC 6265, section 8.5), and
// of two tunnels that end at one machine each needs a name of its own. Whoever
// makes up a Host finds no cookie under it.
func portOf(r *http.Request) string {
	_, port, err := net.SplitHostPort(r.Host)
	if n, bad := strconv.ParseUint(port, 10, 16); err == nil && bad == nil {
		return "-" + strconv.FormatUint(n, 10)
	}
	return ""
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
		HttpOnly: true, Secure: strings.HasPrefix(name, securePrefix), SameSite: http.SameSiteStrictMode})
}
