package auth

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"
	"unsafe"

	"strongroom/internal/domain"
	"strongroom/internal/lograte"
)

// browser is a client that keeps its cookie.
type browser struct {
	s      *Sessions
	tls    bool
	host   string       // that it sees; empty: vault.example
	cookie *http.Cookie // nil: none
}

func (b *browser) request() *http.Request {
	scheme := "http"
	if b.tls {
		scheme = "https" // which has httptest fill in the TLS state
	}
	r := httptest.NewRequest("POST", scheme+"://"+cmp.Or(b.host, "vault.example")+"/", nil)
	if b.cookie != nil {
		r.AddCookie(b.cookie)
	}
	return r.WithContext(domain.WithCaller(r.Context(), domain.Caller{Address: netip.MustParseAddr("192.0.2.1")}))
}

func (b *browser) signIn(token string) error {
	w := httptest.NewRecorder()
	err := b.s.SignIn(w, b.request(), token)
	if all := w.Result().Cookies(); len(all) > 0 {
		b.cookie = all[0]
	}
	return err
}

func (b *browser) role(byItself bool) domain.Role {
	o, ok := b.s.Authenticate(b.request(), byItself)
	if !ok {
		return domain.NoRole
	}
	return o.Role
}

func (b *browser) is(t *testing.T, what string, want domain.Role) {
	t.Helper()
	if got := b.role(false); got != want {
		t.Errorf("%s: role %d, want %d", what, got, want)
	}
}

var operatorToken, viewerToken = strings.Repeat("o", 43), strings.Repeat("v", 43)

func newSessions(t *testing.T) (*entrance, *Sessions) {
	e := newEntrance(t, operatorToken+"\n"+viewerToken+" viewer\n", nil)
	return e, NewSessions(e.Operators, false)
}

// suspended returns t with a wall clock that is ahead by d and the same monotonic reading.
func suspended(t time.Time, d time.Duration) time.Time {
	words := (*struct { // the beginning of time.Time
		wall uint64 // from bit 30: seconds
		ext  int64  // the monotonic reading
	})(unsafe.Pointer(&t))
	words.wall += uint64(d/time.Second) << 30
	return t
}

func TestASessionEnds(t *testing.T) {
	e, s := newSessions(t)
	e.at = time.Now() // with a monotonic reading
	for what, end := range map[string]func(*browser){
		"after half an hour of idleness": func(*browser) { e.at = e.at.Add(sessionIdleTimeout) },
		"with its sign-out":              func(b *browser) { s.SignOut(httptest.NewRecorder(), b.request()) },
		"with the next sign-in":          func(b *browser) { _ = (&browser{s: s, cookie: b.cookie}).signIn(operatorToken) },
		"while the machine is suspended": func(*browser) { e.at = suspended(e.at, sessionIdleTimeout) },
		"idle although the clock is set back": func(*browser) {
			e.at = suspended(e.at.Add(sessionIdleTimeout), -24*time.Hour)
		},
		"idle although a page polls": func(b *browser) {
			for range 3 {
				e.at = e.at.Add(sessionIdleTimeout/2 - time.Second)
				b.role(true)
			}
		},
		"after twelve hours, however busy": func(b *browser) {
			for range 25 {
				e.at = e.at.Add(sessionIdleTimeout - time.Minute)
				b.role(false)
			}
		},
	} {
		b := &browser{s: s}
		if err := b.signIn(operatorToken); err != nil {
			t.Fatal(err)
		}
		b.is(t, "before "+what, domain.RoleOperator)
		end(b)
		b.is(t, what, domain.NoRole)
	}
}

func TestASessionFollowsTheRoleOfItsToken(t *testing.T) {
	e, s := newSessions(t)
	operator, viewer := &browser{s: s}, &browser{s: s}
	for b, token := range map[*browser]string{operator: operatorToken, viewer: viewerToken} {
		if err := b.signIn(token); err != nil {
			t.Fatal(err)
		}
	}
	viewer.is(t, "a viewer's", domain.RoleViewer)
	if err := os.WriteFile(e.path, []byte(strings.Repeat("n", 43)+"\n"+viewerToken+" operator\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e.at = e.at.Add(checkInterval)
	operator.is(t, "of a token that was retired", domain.NoRole)
	viewer.is(t, "of a token that may do more now", domain.RoleOperator)
}

func TestWrongTokensAtSignInAreRateLimited(t *testing.T) {
	_, s := newSessions(t)
	b := &browser{s: s}
	var last error
	for range wrongByAddress + 1 {
		last = b.signIn(strings.Repeat("x", 43))
	}
	if refusal, ok := last.(*domain.Error); !ok || refusal.Code != domain.CodeTooManyRequests || b.cookie != nil {
		t.Errorf("the last one: %v, cookie %v", last, b.cookie)
	}
	if err := b.signIn(operatorToken); err != nil {
		t.Errorf("a right one after them: %v", err)
	}
}

func TestTheSessionCookieIsBoundToThisHost(t *testing.T) {
	_, s := newSessions(t)
	plain, secure := &browser{s: s}, &browser{s: s, tls: true}
	for _, b := range []*browser{plain, secure} {
		if err := b.signIn(operatorToken); err != nil {
			t.Fatal(err)
		}
		if c := b.cookie; !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" || c.MaxAge != 0 || c.Secure != b.tls {
			t.Errorf("%+v", c)
		}
	}
	if !strings.HasPrefix(secure.cookie.Name, "__Host-") {
		t.Errorf("over TLS it is called %s", secure.cookie.Name)
	}
	secure.is(t, "its own", domain.RoleOperator)
	// If there is another cookie of the same name, neither is accepted.
	r := secure.request()
	r.AddCookie(&http.Cookie{Name: secure.cookie.Name, Value: strings.Repeat("A", 43)})
	if _, ok := s.Authenticate(r, false); ok {
		t.Error("one of two cookies was accepted")
	}
	for id := range s.open {
		if strings.Contains(string(id[:]), plain.cookie.Value) {
			t.Error("memory has the cookie as it is")
		}
	}
}

// Behind a proxy that terminates TLS, only --admin-url shows that browsers
// use HTTPS.
func TestOverHTTPSOnlyTheSecureCookieIsSetAndAccepted(t *testing.T) {
	e, _ := newSessions(t)
	s := NewSessions(e.Operators, true)
	b := &browser{s: s}
	if err := b.signIn(operatorToken); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.cookie.Name, "__Host-") || !b.cookie.Secure || b.cookie.Path != "/" || b.cookie.Domain != "" {
		t.Errorf("%+v", b.cookie)
	}
	b.is(t, "its own", domain.RoleOperator)
	r := b.request()
	r.AddCookie(&http.Cookie{Name: plainCookie, Value: strings.Repeat("A", 43)})
	if _, ok := s.Authenticate(r, false); !ok {
		t.Error("an additional plain cookie made the session invalid")
	}
	b.cookie.Name = plainCookie // as another site can set it, with a session of its own
	b.is(t, "one that anybody can have set", domain.NoRole)
}

func TestTwoServicesOnOneHostUseSeparateCookies(t *testing.T) {
	_, s := newSessions(t)
	names := map[string]string{}
	for host, tls := range map[string]bool{"127.0.0.1:8081": false, "127.0.0.1:8082": false, "[::1]:8083": false, "vault.example": false, "ops.example:8443": true, "ops.example": true, "127.0.0.1:x;y": false} {
		b := &browser{s: s, tls: tls, host: "vault.example"}
		r := b.request()
		r.Host = host
		w := httptest.NewRecorder()
		if err := s.SignIn(w, r, operatorToken); err != nil {
			t.Fatal(err)
		}
		names[host] = w.Result().Cookies()[0].Name
	}
	want := map[string]string{"127.0.0.1:8081": "strongroom-session-8081", "127.0.0.1:8082": "strongroom-session-8082", "[::1]:8083": "strongroom-session-8083", "vault.example": "strongroom-session",
		"ops.example:8443": "__Host-strongroom-session-8443", "ops.example": "__Host-strongroom-session", "127.0.0.1:x;y": "strongroom-session"}
	if !maps.Equal(names, want) {
		t.Errorf("%v", names)
	}
	one, other := &browser{s: s, host: "127.0.0.1:8081"}, &browser{s: s, host: "127.0.0.1:8082"}
	for _, b := range []*browser{one, other} {
		if err := b.signIn(operatorToken); err != nil {
			t.Fatal(err)
		}
	}
	r := one.request()
	r.AddCookie(other.cookie) // whatever the port, a browser sends both
	w := httptest.NewRecorder()
	s.SignOut(w, r)
	if all := w.Result().Cookies(); len(all) != 1 || all[0].Name != one.cookie.Name {
		t.Errorf("a sign-out removes %v", all)
	}
	one.is(t, "signed out", domain.NoRole)
	other.is(t, "the other one", domain.RoleOperator)
}

// A viewer who signs in many times ends only the viewer's own sessions, and
// hides no other log line.
func TestAnOperatorWhoSignsInManyTimesEndsOnlyOwnSessions(t *testing.T) {
	e, s := newSessions(t)
	operator, first, busy := &browser{s: s}, &browser{s: s}, &browser{s: s}
	for b, token := range map[*browser]string{operator: operatorToken, first: viewerToken, busy: viewerToken} {
		if err := b.signIn(token); err != nil {
			t.Fatal(err)
		}
	}
	lines := func(role string) int { return strings.Count(e.log.String(), "may_write="+role) }
	for n := range maxSessions + 100 {
		e.at = e.at.Add(time.Microsecond)
		busy.is(t, "a viewer's that is in use", domain.RoleViewer)
		if err := (&browser{s: s}).signIn(viewerToken); err != nil {
			t.Fatal(err)
		}
		if n == maxSessions {
			if err := (&browser{s: s}).signIn(operatorToken); err != nil || lines("true") != 2 {
				t.Errorf("of an operator among them: %v, %d lines", err, lines("true"))
			}
		}
	}
	operator.is(t, "an operator's, idle longest of all", domain.RoleOperator)
	first.is(t, "the viewer's that was idle longest", domain.NoRole)
	if len(s.open) != maxSessionsPerOperator+2 {
		t.Errorf("%d sessions", len(s.open))
	}
	if n := lines("false"); n != lograte.PerSecond {
		t.Errorf("%d lines of a viewer", n)
	}
	e.at = e.at.Add(time.Second)
	if err := first.signIn(viewerToken); err != nil || !strings.Contains(e.log.String(), fmt.Sprint(" omitted=", maxSessions+100+2-lines("false")+1)) {
		t.Errorf("the next line does not count them: %v\n%.2000s", err, e.log.String())
	}
}

func TestAboveTheSessionLimitTheOperatorWithMostLosesOne(t *testing.T) {
	e, s := newSessions(t)
	begin := func(name string) *browser {
		e.at = e.at.Add(time.Microsecond)
		b, w := &browser{s: s}, httptest.NewRecorder()
		s.start(w, b.request(), &session{maxAge: sessionMaxAge, operator: func() (domain.Operator, bool) { return domain.Operator{Name: name, Role: domain.RoleViewer}, true }})
		b.cookie = w.Result().Cookies()[0]
		return b
	}
	alone, few := begin("alone"), begin("few")
	for n := 2; n < maxSessionsPerOperator-1; n++ {
		begin("few")
	}
	many := begin("many")
	for n := 1; len(s.open) < maxSessions; n++ {
		begin([]string{"many", fmt.Sprint("others-", n/maxSessionsPerOperator)}[min(n/maxSessionsPerOperator, 1)])
	}
	late := begin("late")
	if len(s.open) != maxSessions {
		t.Errorf("%d sessions", len(s.open))
	}
	alone.is(t, "the only one of somebody", domain.RoleViewer)
	few.is(t, "one of somebody who has less than others", domain.RoleViewer)
	late.is(t, "the newest", domain.RoleViewer)
	many.is(t, "the idlest of those who have the most", domain.NoRole)
	e.at = e.at.Add(sessionMaxAge)
	if begin("alone"); len(s.open) != 1 {
		t.Errorf("%d sessions once all others are over", len(s.open))
	}
}
