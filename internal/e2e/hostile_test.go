package e2e

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// These are what clients, identity providers and operators may choose, and must
// never be more than text; and what nobody may choose at all.
var (
	hostileTexts = []string{hostileDevice, turnedDevice, hostileApp, `" autofocus onfocus="alert(6)" x="`, "javascript:alert(7)//", "</title></textarea></noscript><img src=x onerror=alert(8)>",
		"../../admin.token", "//evil.example/..%2f%00", "' OR 1=1; DROP TABLE account; --", " a space before", "Ünïcode 🔐 名前", strings.Repeat("<A>", 85)}
	refusedTexts = []string{"a\x00b", "a\r\nSet-Cookie: x=y", "\u0085next", strings.Repeat("x", 257), "", "   "}
)

// door is somebody's browser at the operator side, as far as cookies go. It
// follows no redirects.
type door struct {
	i      *instance
	client *http.Client
	cookie string // as it is sent; empty: none
}

func (i *instance) door() *door {
	return &door{i: i, client: &http.Client{Timeout: 30 * time.Second, Transport: client.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// send sends a form, or asks for a page where there is none.
func (d *door) send(method, path string, form url.Values, header ...string) (answer, []*http.Cookie) {
	d.i.t.Helper()
	r, err := http.NewRequest(method, d.i.admin+path, strings.NewReader(form.Encode()))
	if err != nil {
		d.i.t.Fatal(err)
	}
	r.Header.Set("Accept", "text/html")
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if d.cookie != "" {
		r.Header.Set("Cookie", d.cookie)
	}
	for n := 0; n < len(header); n += 2 {
		r.Header.Set(header[n], header[n+1])
	}
	resp, err := d.client.Do(r)
	if err != nil {
		d.i.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		d.i.t.Fatal(err)
	}
	return answer{Status: resp.StatusCode, Header: resp.Header, Body: body}, resp.Cookies()
}

// signIn opens a session and returns its cookie.
func (d *door) signIn(token string) *http.Cookie {
	d.i.t.Helper()
	a, cookies := d.send("POST", "/signin", url.Values{"token": {token}})
	if a.Status != http.StatusSeeOther || len(cookies) != 1 {
		d.i.t.Fatalf("the sign-in: %d %v", a.Status, cookies)
	}
	d.cookie = cookies[0].Name + "=" + cookies[0].Value
	return cookies[0]
}

// inside reports whether the console takes the browser for an operator's.
func (d *door) inside() bool {
	d.i.t.Helper()
	a, _ := d.send("GET", "/devices", nil)
	if a.Status != http.StatusOK && (a.Status != http.StatusSeeOther || !strings.HasPrefix(a.Header.Get("Location"), "/signin")) {
		d.i.t.Errorf("/devices: %d %v", a.Status, a.Header)
	}
	return a.Status == http.StatusOK
}

func TestForgedPlantedAndOldSessionCookiesAreRefused(t *testing.T) {
	t.Parallel()
	i, other := start(t), start(t)
	token := i.tokensOf()[0]
	d := i.door()
	first := d.signIn(token)
	if !d.inside() || !first.HttpOnly || first.Secure || first.SameSite != http.SameSiteStrictMode || first.Path != "/" || first.Domain != "" || !first.Expires.IsZero() || first.MaxAge != 0 {
		t.Errorf("the cookie: %v", first)
	}

	thief := func(cookie string) *door { s := i.door(); s.cookie = cookie; return s }
	planted := strings.Repeat("p", len(first.Value))
	for what, cookie := range map[string]string{
		"a made-up one": first.Name + "=" + planted, "an empty one": first.Name + "=", "none": "",
		"a longer one": d.cookie + "A", "a shorter one": d.cookie[:len(d.cookie)-1], "two": d.cookie + "; " + first.Name + "=" + planted, "twice the same": d.cookie + "; " + d.cookie,
	} {
		if thief(cookie).inside() {
			t.Errorf("with %s the console opens", what)
		}
	}
	elsewhere := other.door()
	elsewhere.cookie = elsewhere.signIn(other.tokensOf()[0]).Name + "=" + first.Value // by the name that it has there
	if elsewhere.inside() {
		t.Error("another service accepts the cookie")
	}

	// A cookie that was planted before the sign-in opens nothing after it.
	victim := thief(first.Name + "=" + planted)
	if fresh := victim.signIn(token); fresh.Value == planted || thief(first.Name+"="+planted).inside() || !victim.inside() {
		t.Error("a planted cookie became a session")
	}
	stolen := d.cookie
	if d.signIn(token); thief(stolen).inside() {
		t.Error("a cookie outlives the next sign-in of its browser")
	}
	stolen = d.cookie
	a, cookies := d.send("POST", "/signout", url.Values{})
	if a.Status != http.StatusSeeOther || len(cookies) != 1 || cookies[0].MaxAge >= 0 || thief(stolen).inside() {
		t.Errorf("after the sign-out: %d %v", a.Status, cookies)
	}

	d.signIn(token)
	for _, command := range []string{"rotate", "retire"} {
		if out, code := i.command("admin", "token", command); code != 0 {
			t.Fatalf("%s: %s", command, out)
		}
	}
	await(t, "the session of a retired token to end", 5*time.Second, func() bool { return !d.inside() })
	d.signIn(i.tokensOf()[0])
	i.stop()
	i.run()
	if d.inside() {
		t.Error("a session outlives the process")
	}
	i.auditIntact()
}

func TestOverTLSTheCookieHasTheHostPrefix(t *testing.T) {
	t.Parallel()
	c := newCertificates(t)
	i, _ := c.serve("--admin-tls")
	i.admin = strings.Replace(i.admin, "http://127.0.0.1", "https://localhost", 1)
	d := i.door()
	d.client.Transport = c.client().Transport
	cookie := d.signIn(i.tokensOf()[0])
	if !strings.HasPrefix(cookie.Name, "__Host-") || !cookie.Secure || !cookie.HttpOnly || cookie.Path != "/" || cookie.Domain != "" || cookie.SameSite != http.SameSiteStrictMode {
		t.Errorf("the cookie: %v", cookie)
	}
	if !d.inside() {
		t.Error("it opens nothing")
	}
	if d.cookie = strings.TrimPrefix(d.cookie, "__Host-"); d.inside() {
		t.Error("a cookie without the host prefix opens the console")
	}
}

// A proxy terminates TLS and sends plain HTTP to the service.
func TestBehindATLSProxyTheCookieHasTheHostPrefixToo(t *testing.T) {
	t.Parallel()
	i := start(t, "--admin-url", "https://ops.example")
	d := i.door()
	cookie := d.signIn(i.tokensOf()[0])
	if !strings.HasPrefix(cookie.Name, "__Host-") || !cookie.Secure || !d.inside() {
		t.Errorf("the cookie: %v", cookie)
	}
	if d.cookie = strings.TrimPrefix(d.cookie, "__Host-"); d.inside() {
		t.Error("a cookie without the host prefix opens the console")
	}
	says(t, i.log.String(), "the proxy in front of the console is not in --trusted-proxies")
}

// Clients without a session open every connection of the operator listener and keep it.
func TestIdleStrangersDoNotBlockOperators(t *testing.T) {
	t.Parallel()
	i := start(t)
	fresh := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}} // a connection of the test's own would do
	right, err := http.NewRequest("GET", i.admin+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	right.Header.Set("Authorization", "Bearer "+i.tokensOf()[0])
	for _, path := range []string{"/", "/signin", "/live/overview"} {
		for range 64 {
			c, err := net.Dial("tcp", strings.TrimPrefix(i.admin, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n", path)
			if _, err := c.Read(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
		}
		await(t, "an operator to get in", time.Second, func() bool { // above 10 s there is a fault
			resp, err := fresh.Do(right)
			if err != nil {
				return false
			}
			resp.Body.Close()
			return resp.StatusCode == http.StatusOK
		})
	}
}

// site is what somebody finds who follows every link of the console.
type site struct {
	pages []string              // one of each kind
	forms map[string]url.Values // by where they are sent, of those that change something
}

var (
	aLink  = regexp.MustCompile(`href="(/[^"]*)"`)
	aForm  = regexp.MustCompile(`(?s)<form([^>]*method="post"[^>]*)>(.*?)</form>`)
	aField = regexp.MustCompile(`<(?:input|select)[^>]*name="([^"]*)"`)
	aValue = regexp.MustCompile(`name="([^"]*)" value="([^"]*)"`)
	anID   = regexp.MustCompile(`[a-z2-7]{26}`)
	aQuery = regexp.MustCompile(`=[^&]*`)
)

// explore follows the links, and checks that each page shows texts as texts.
func (d *door) explore(from ...string) site {
	d.i.t.Helper()
	s, seen, kinds := site{forms: map[string]url.Values{}}, map[string]bool{}, map[string]int{}
	for queue := from; len(queue) > 0; queue = queue[1:] {
		path, _, _ := strings.Cut(queue[0], "#")
		kind := aQuery.ReplaceAllString(anID.ReplaceAllString(path, "id"), "=")
		if seen[path] || kinds[kind] >= 2*len(hostileTexts) || strings.HasPrefix(path, "/assets/") {
			continue
		}
		seen[path] = true
		kinds[kind]++
		a, cookies := d.send("GET", path, nil)
		d.textOnly(path, a)
		if a.Status != http.StatusOK || len(cookies) > 0 {
			d.i.t.Errorf("%s: %d %v", path, a.Status, cookies)
			continue
		}
		if kinds[kind] == 1 {
			s.pages = append(s.pages, path)
		}
		body := string(a.Body)
		for _, m := range aLink.FindAllStringSubmatch(body, -1) {
			queue = append(queue, html.UnescapeString(m[1]))
		}
		for _, m := range aForm.FindAllStringSubmatch(body, -1) {
			to := path
			if action := regexp.MustCompile(`action="([^"]*)"`).FindStringSubmatch(m[1]); action != nil {
				to = html.UnescapeString(action[1])
			}
			form := url.Values{"reason": {"forged"}}
			for _, f := range aField.FindAllStringSubmatch(m[2], -1) {
				form.Set(f[1], "")
			}
			for _, f := range aValue.FindAllStringSubmatch(m[2], -1) {
				form.Set(f[1], html.UnescapeString(f[2]))
			}
			if confirm := regexp.MustCompile(`Type <code>([^<]*)</code>`).FindStringSubmatch(m[2]); confirm != nil {
				form.Set("confirm", confirm[1])
			}
			s.forms[to] = form
		}
	}
	return s
}

var typed = regexp.MustCompile(` value="[^"]*"`)

// textOnly holds an answer against everything that must never be in one.
func (d *door) textOnly(path string, a answer) {
	d.i.t.Helper()
	shown := typed.ReplaceAllString(string(a.Body), "") // a field has what was typed into it
	for _, bad := range []string{"<script>alert", "<svg/onload", "<img src=x", "<A>", "<b>", `onfocus="alert`, `="javascript:`, "\u202e"} {
		if strings.Contains(shown, bad) {
			d.i.t.Errorf("%s has %q", path, bad)
		}
	}
	if csp := a.Header.Get("Content-Security-Policy"); a.Status >= 500 || !strings.Contains(csp, "script-src 'self'; style-src 'self';") || strings.Contains(csp, "unsafe") {
		d.i.t.Errorf("%s: %d %s", path, a.Status, csp)
	}
}

// changes are how many entries of the trail are of changes and verdicts, not of
// counts.
func (i *instance) changes() (n int) {
	i.t.Helper()
	out, _ := i.command("audit", "export")
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "{") && !strings.Contains(line, `s.counted"`) {
			n++
		}
	}
	return n
}

// refusedOperators are the counts of refusals of the operator side, by outcome.
func (i *instance) refusedOperators() map[string]int {
	i.t.Helper()
	out, _ := i.command("audit", "export")
	counts := map[string]int{}
	for line := range strings.Lines(out) {
		var e struct {
			Event, Outcome string
			Count          int
		}
		if err := json.Unmarshal([]byte(line), &e); err == nil && e.Event == "refusals.counted" && strings.HasPrefix(e.Outcome, "OPERATOR_") {
			counts[e.Outcome] += e.Count
		}
	}
	return counts
}

// lockedAndHostile is a service whose accounts, devices and apps are named as
// badly as they can be, one of them locked, with events that were set aside.
func lockedAndHostile(t *testing.T, p *provider) *instance {
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) }))
	t.Cleanup(refuses.Close)
	second := filepath.Join(t.TempDir(), "jwks.json")
	if err := os.Link(p.keySet, second); err != nil {
		t.Fatal(err)
	}
	i := startWith(t, []string{"HOOK_SECRET=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}, "--webhook-url", refuses.URL+"/in",
		"--webhook-secret", "env:HOOK_SECRET", "--webhook-allow", "127.0.0.1", "--webhook-events", "credential.locked",
		"--accounts", "jwt", "--jwt-issuer", tokenIssuer+","+otherIssuer, "--jwt-audience", tokenAudience, "--jwt-jwks", p.keySet+","+second)
	for n, text := range hostileTexts {
		issuer, wrong := tokenIssuer, 0
		if n%3 == 1 {
			issuer = otherIssuer
		}
		if n == 0 {
			wrong = 5
		}
		short := text[:min(len(text), 64)]
		if n == len(hostileTexts)-2 {
			short = "Ünï 🔐"
		}
		one := i.withToken(p.token(text, map[string]any{"iss": issuer}))
		one.enrol(text, short, 1, wrong)
		if n < 2 {
			one.enrol("second "+short, "1.0", 0, wrong)
		}
	}
	alice := i.withToken(p.token("alice", nil))
	for _, text := range refusedTexts {
		for _, input := range []map[string]any{{"deviceId": text}, {"deviceId": "phone", "appVersion": "1" + text}} {
			a, err := alice.graphql("mutation($input: ClientIdentityInput!) { "+generate+"(input: $input) { keyId } }", input)
			if harmless := strings.TrimSpace(text) == "" && len(input) == 2; err != nil || !harmless && a.code() != "BAD_USER_INPUT" {
				t.Errorf("%q: %v %s", input, err, a.Body)
			}
		}
		if a, err := i.withToken(p.token(text, nil)).graphql("{ __typename }", nil); strings.TrimSpace(text) != "" && (err != nil || a.Status != http.StatusUnauthorized) {
			t.Errorf("a subject %q: %v %d %s", text, err, a.Status, a.Body)
		}
	}
	key := one(i, p, "to be revoked")
	if out, code := i.command("admin", "revoke", "--key", key, "--reason", hostileReason); code != 0 {
		t.Fatal(out)
	}
	if out, code := i.command("admin", "token", "rotate", "--role", "viewer"); code != 0 {
		t.Fatal(out)
	}
	return i
}

const otherIssuer = "https://accounts.example.org/realms/o'neill?<b>"

func one(i *instance, p *provider, subject string) (key string) {
	return i.withToken(p.token(subject, nil)).enrol(subject, "1.0", 0, 0).ID
}

// Somebody follows every link and sends every form, from outside, from another
// origin, as a viewer and with nonsense in each field and parameter: nothing of
// it becomes more than text, nothing is changed, and all of it is in the trail.
// Then a browser looks at it all.
func TestHostileInputThroughTheConsole(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	i := lockedAndHostile(t, p)
	tokens := i.tokensOf()
	operator, viewer, stranger := i.door(), i.door(), i.door()
	operator.signIn(tokens[0])
	viewer.signIn(strings.Fields(tokens[1])[0])

	s := operator.explore("/", "/rotation/start")
	kinds := map[string]string{}
	for to := range s.forms {
		kinds[anID.ReplaceAllString(to, "id")] = to
	}
	if got := slices.Sorted(maps.Keys(kinds)); len(got) != 10 { // and stopping a plan, where none runs
		t.Errorf("the forms are %v", got)
	}
	before, sent := i.changes(), map[string]int{}
	for _, to := range kinds {
		form := s.forms[to]
		form.Del("preview") // of the button that does nothing
		expect := func(what string, a answer, status int, code string) {
			t.Helper()
			operator.textOnly(to, a)
			if sent[code]++; a.Status != status {
				t.Errorf("%s to %s: %d, want %d", what, to, a.Status, status)
			}
		}
		for _, header := range [][]string{{"Origin", "https://evil.example"}, {"Origin", "null"}, {"Sec-Fetch-Site", "same-site"}, {"Sec-Fetch-Site", "cross-site"}} {
			a, _ := operator.send("POST", to, form, header...)
			expect(fmt.Sprint("of another origin, ", header), a, 403, "OPERATOR_FORBIDDEN")
		}
		a, _ := stranger.send("POST", to, form)
		expect("of a stranger", a, 401, "OPERATOR_UNAUTHENTICATED")
		if to == "/signout" {
			continue
		}
		a, _ = viewer.send("POST", to, form)
		expect("of a viewer", a, 403, "OPERATOR_FORBIDDEN")
		if to == "/audit/check" {
			continue
		}
		a, _ = operator.send("POST", to+"?"+form.Encode(), url.Values{})
		expect("in the address", a, 400, "OPERATOR_BAD_REQUEST")
		a, _ = operator.send("POST", to, url.Values{"x": {strings.Repeat("x", 16<<10)}})
		expect("too long", a, 400, "OPERATOR_BAD_REQUEST")
		for _, text := range []string{hostileDevice, "a\x00b", "\xff\xfe", "a\r\nSet-Cookie: x=y"} {
			for field, code := range map[string]string{"once": "OPERATOR_BAD_REQUEST", "confirm": "OPERATOR_BAD_USER_INPUT", "reason": "OPERATOR_BAD_USER_INPUT"} {
				wrong := maps.Clone(form)
				if wrong.Set(field, text); !form.Has(field) || field == "reason" && text == hostileDevice {
					continue
				}
				a, _ := operator.send("POST", to, wrong)
				expect(fmt.Sprintf("with %q as %s", text, field), a, 400, code)
			}
		}
	}
	for _, path := range s.pages {
		for _, text := range []string{hostileDevice, turnedDevice, "\xff\x00", "a\r\nb", strings.Repeat("<A>", 100)} {
			query := url.Values{"q": {text}, "after": {text}, "result": {text}, "deviceId": {text}, "issuer": {text}, "actor": {text}, "id": {text}}
			plain, _, _ := strings.Cut(path, "?")
			a, _ := operator.send("GET", plain+"?"+query.Encode(), nil)
			operator.textOnly(plain, a)
		}
	}
	if after := i.changes(); after != before {
		t.Errorf("%d things were done", after-before)
	}

	key := anID.FindString(kinds["/keys/id/revoke"])
	known, err := json.Marshal(map[string]any{"texts": hostileTexts, "issuers": []string{tokenIssuer, otherIssuer}, "pages": s.pages, "keys": map[string]string{"hostile": key}})
	if err != nil {
		t.Fatal(err)
	}
	counted := refusalsOf(i)
	if code := i.stop(); code != 0 { // which writes what was counted
		t.Fatalf("it ended with %d", code)
	}
	inTrail := i.refusedOperators()
	for code, n := range sent {
		if inTrail[code] < n || inTrail[code] != counted[code] {
			t.Errorf("%d of %s were sent, %d counted, and %d are in the trail", n, code, counted[code], inTrail[code])
		}
	}
	i.run()
	browse(t, []string{"console.mjs", "jwt"}, "BASE="+i.admin, "API="+i.base, "TOKEN="+tokens[0], "VIEWER="+strings.Fields(tokens[1])[0], "KNOWN="+string(known))
	i.auditIntact()
}

// refusalsOf are the counts of the metric.
func refusalsOf(i *instance) map[string]int {
	counts := map[string]int{}
	for _, m := range regexp.MustCompile(`strongroom_operator_refusals_total\{code="([A-Z_]+)"\} (\d+)`).FindAllStringSubmatch(string(i.get(i.admin+"/metrics", "Bearer "+i.tokensOf()[0]).Body), -1) {
		counts["OPERATOR_"+m[1]], _ = strconv.Atoi(m[2])
	}
	return counts
}
