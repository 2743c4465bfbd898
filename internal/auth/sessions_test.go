package auth

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"strongroom/internal/domain"
)

// browser is a client that keeps its cookie.
type browser struct {
	s      *Sessions
	tls    bool
	cookie *http.Cookie // nil: none
}

func (b *browser) request() *http.Request {
	scheme := "http"
	if b.tls {
		scheme = "https" // which has httptest fill in the TLS state
	}
	r := httptest.NewRequest("POST", scheme+"://vault.example/", nil)
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
	return e, NewSessions(e.Operators)
}

func TestASessionEnds(t *testing.T) {
	e, s := newSessions(t)
	for what, end := range map[string]func(*browser){
		"after half an hour of idleness": func(*browser) { e.at = e.at.Add(sessionIdle) },
		"with its sign-out":              func(b *browser) { s.SignOut(httptest.NewRecorder(), b.request()) },
		"with the next sign-in":          func(b *browser) { _ = (&browser{s: s, cookie: b.cookie}).signIn(operatorToken) },
		"idle, though a page asked": func(b *browser) {
			for range 3 {
				e.at = e.at.Add(sessionIdle/2 - time.Second)
				b.role(true)
			}
		},
		"after twelve hours, however busy": func(b *browser) {
			for range 25 {
				e.at = e.at.Add(sessionIdle - time.Minute)
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

func TestASessionIsAsGoodAsItsToken(t *testing.T) {
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
	e.Operators.tokens.looked = time.Time{} // two seconds later
	operator.is(t, "of a token that was retired", domain.NoRole)
	viewer.is(t, "of a token that may do more now", domain.RoleOperator)
}

func TestWrongTokensAtTheSignInAreLimitedAsAllOthers(t *testing.T) {
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

func TestTheCookieIsForThisHostAndNobodyElse(t *testing.T) {
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
	// What somebody planted beside it makes neither good.
	r := secure.request()
	r.AddCookie(&http.Cookie{Name: secure.cookie.Name, Value: strings.Repeat("A", 43)})
	if _, ok := s.Authenticate(r, false); ok {
		t.Error("one of two cookies was believed")
	}
	for id := range s.open {
		if strings.Contains(string(id[:]), plain.cookie.Value) {
			t.Error("memory has the cookie as it is")
		}
	}
}

func TestTheNumberOfSessionsIsBounded(t *testing.T) {
	e, s := newSessions(t)
	first, second := &browser{s: s}, &browser{s: s}
	for _, b := range []*browser{first, second} {
		if err := b.signIn(operatorToken); err != nil {
			t.Fatal(err)
		}
		e.at = e.at.Add(time.Second)
	}
	first.is(t, "used after the second one", domain.RoleOperator)
	for range maxSessions - 1 {
		e.at = e.at.Add(time.Millisecond)
		if err := (&browser{s: s}).signIn(operatorToken); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.open) != maxSessions {
		t.Errorf("%d sessions", len(s.open))
	}
	second.is(t, "idle longest", domain.NoRole)
	first.is(t, "the others", domain.RoleOperator)
}
