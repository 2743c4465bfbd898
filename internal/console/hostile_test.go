package console

import (
	"context"
	"crypto/tls"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"strongroom/internal/domain"
)

// payloads are texts of somebody who wants a page to run, show or do something
// that it should not.
var payloads = map[string]string{
	"script":          hostile,
	"out of a tag":    `</title></textarea></noscript></svg><img src=x onerror=alert(1)>`,
	"an attribute":    `" autofocus onfocus="alert(1)" x="`,
	"without quotes":  "x onfocus=alert(1) autofocus",
	"a template":      `{{7*7}}${7*7}<%= 7*7 %>{{.Operator}}`,
	"a URL":           "javascript:alert(1)//",
	"data":            "data:text/html,<script>alert(1)</script>",
	"another host":    "//evil.example/%2f..",
	"a path":          "../../../../admin.token",
	"an escaped path": "..%2f..%2fadmin.token%00",
	"a comment":       "--><!--]]><![CDATA[",
	"turned":          "a\u202eb\u2066c\u200fd\ufeff",
	"long":            strings.Repeat("<A>", 5_000),
	"NUL":             "a\x00<b",
	"no UTF-8":        "\xff\xfe\xc0\xbcscript\xc0\xbe",
	"a line end":      "a\r\nSet-Cookie: strongroom-session=planted\r\n\r\n<script>alert(1)</script>",
	"a formula":       "=cmd|' /C calc'!A0",
	"SQL":             "' OR 1=1; DROP TABLE account; --",
}

// plain is a harmless text, used like a payload.
const plain = "something plain"

// place fills in a pattern's parts.
var places = strings.NewReplacer("{keyId}", someKey, "{accountId}", someAccount, "{planId}", somePlan, "{eventId}", someEvent, "{type}", "PASSCODE", "{$}", "")

// all are the routes with one method, the sign-in among them, as paths.
func (v *visit) all(method string) (paths []string) {
	for pattern := range v.routes() {
		if path, ok := strings.CutPrefix(places.Replace(pattern), method+" "); ok {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	for _, path := range paths {
		if strings.Contains(path, "{") {
			v.t.Fatalf("tests do not know what to write into %s", path)
		}
	}
	return append(paths, signInPath)
}

// skeleton is what is left of a page without its texts and values: elements and
// the names of attributes, which no payload may change; and where it leads to
// or loads from. All that is current of the navigation is left out.
func skeleton(page string) (shape string, references []string) {
	var all, tag strings.Builder
	for _, rest, more := strings.Cut(page, "<"); more; _, rest, more = strings.Cut(rest, "<") {
		tag.Reset()
		for ; rest != "" && rest[0] != '>'; rest = rest[1:] {
			if rest[0] != '"' && rest[0] != '\'' {
				tag.WriteByte(rest[0])
				continue
			}
			value, after, closed := strings.Cut(rest[1:], rest[:1])
			if !closed {
				tag.WriteString(" and a quote that does not end")
				break
			}
			before := tag.String()
			if slices.ContainsFunc([]string{" href=", " src=", " action=", " content="}, func(name string) bool { return strings.HasSuffix(before, name) }) {
				references = append(references, value)
			}
			rest = rest[:1] + after
		}
		all.WriteString(strings.ReplaceAll(tag.String(), " aria-current=", "") + "\n")
	}
	return all.String(), references
}

func shape(w *httptest.ResponseRecorder) string {
	if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		return ""
	}
	all, _ := skeleton(w.Body.String())
	return all
}

// harmless reports what is wrong with an answer, whatever the request was.
func harmless(t *testing.T, what string, w *httptest.ResponseRecorder) {
	t.Helper()
	if w.Code >= 500 || w.Code == http.StatusOK && !strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'") {
		t.Errorf("%s: %d, %v", what, w.Code, w.Header())
	}
	if to := w.Header().Get("Location"); to != "" && (to[0] != '/' || strings.HasPrefix(to, "//") || strings.Contains(to, `\`)) {
		t.Errorf("%s leads to %s", what, to)
	}
	for name, all := range w.Header() {
		if strings.ContainsFunc(strings.Join(all, ""), unicode.IsControl) || name == "Set-Cookie" {
			t.Errorf("%s: header %s: %q", what, name, all)
		}
	}
	_, references := skeleton(w.Body.String())
	for _, to := range references {
		if to != "" && !strings.Contains("/#?wln", to[:1]) || strings.HasPrefix(to, "//") { // w, l, n: of the meta elements
			t.Errorf("%s refers to %s", what, to)
		}
	}
}

// Everything that a page shows is hostile here, in every way. The page must
// have the same elements and attributes as with harmless texts.
func TestStoredValuesAreShownAsPlainText(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: hundreds of pages, by -short")
	}
	shown := func(text string) map[string]*httptest.ResponseRecorder {
		v := visitOf(t, domain.RoleOperator, text)
		v.send("POST", "/audit/check", url.Values{})
		v.check.running.Wait()
		pages := map[string]*httptest.ResponseRecorder{}
		for _, path := range v.all("GET") {
			target := path
			if path == "/device" {
				target += "?" + url.Values{"account": {someAccount}, "id": {text}}.Encode()
			}
			if path == "/search" {
				target += "?q=a" // what is found is named by the text
			}
			pages[path] = v.send("GET", target, nil)
		}
		return pages
	}
	wanted := shown(plain)
	for name, text := range payloads {
		for path, w := range shown(text) {
			what := name + " at " + path
			harmless(t, what, w)
			body := w.Body.String()
			if path == "/device" && w.Code == http.StatusBadRequest && !fit(text, domain.MaxDeviceIDBytes) {
				continue // no device has such an id
			}
			if w.Code != wanted[path].Code || shape(w) != shape(wanted[path]) {
				t.Errorf("%s: %d, another page than of plain text:\n%s", what, w.Code, body)
			}
			if shape(w) != "" && strings.ContainsFunc(body, func(c rune) bool { return c != '\n' && c != '\u00a0' && !unicode.IsPrint(c) }) || !utf8.ValidString(body) {
				t.Errorf("%s contains characters that do not print", what)
			}
		}
	}
}

func fit(text string, most int) bool {
	return len(text) <= most && utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

var fieldName = regexp.MustCompile(`name="([a-zA-Z]+)"`)

// fields are the names of the fields of a page.
func fields(page string) map[string]bool {
	names := map[string]bool{}
	for _, m := range fieldName.FindAllStringSubmatch(page, -1) {
		names[m[1]] = true
	}
	return names
}

// Each page refuses a hostile parameter with a message, or shows it as text.
// Parameters that only other pages know are tried with one payload.
func TestRequestParametersAreShownAsPlainText(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: thousands of pages, by -short")
	}
	v := visitOf(t, domain.RoleOperator, plain)
	problem := shape(v.send("GET", "/devices?q=%00", nil))
	everywhere := map[string]bool{"after": true, "result": true, "hours": true, "account": true, "id": true, "next": true}
	own := map[string]map[string]bool{}
	for _, path := range v.all("GET") {
		own[path] = fields(v.send("GET", path, nil).Body.String())
		maps.Copy(everywhere, own[path])
	}
	if len(everywhere) < 20 {
		t.Fatalf("only %v", everywhere)
	}
	for path, known := range own {
		maps.Copy(known, map[string]bool{"after": true, "result": true, "hours": path == "/", "account": path == "/device", "id": path == "/device", "next": path == signInPath})
		for name := range everywhere {
			wanted := shape(v.send("GET", path+"?"+url.Values{name: {plain}}.Encode(), nil))
			for kind, text := range payloads {
				if !known[name] && kind != "script" {
					continue
				}
				w := v.send("GET", path+"?"+url.Values{name: {text}}.Encode(), nil)
				harmless(t, kind+" in "+name+" of "+path, w)
				if got := shape(w); got != wanted && (w.Code == http.StatusOK || got != problem) {
					t.Errorf("%s in %s of %s: %d, another page than of plain text:\n%s", kind, name, path, w.Code, w.Body)
				}
			}
		}
	}
	for _, target := range []string{"/%2e%2e/admin.token", "/..%2f..%2fadmin.token", "//evil.example", "/devices//", "/keys/%3Cscript%3E", "/accounts/" + someAccount + "/unlock/<b>",
		"/accounts/..%2f..%2fx/erase", "/assets/%2e%2e/style.css", "/devices;x=y", "/\\evil", "/%00", "/%ff%fe", "/" + strings.Repeat("a/", 4000), "/?%zz=%zz&;;&=&q=%u0041"} {
		w := v.send("GET", target, nil)
		harmless(t, target, w)
		if strings.Contains(w.Body.String(), "evil") || strings.Contains(w.Body.String(), "%00") {
			t.Errorf("%s is repeated: %s", target, w.Body)
		}
	}
	if len(v.store.done) > 0 || v.checks.Load() > 0 {
		t.Error("something was done")
	}
}

// A form acts only with a reason that the trail can store, and the reason
// is kept exactly as typed.
func TestHostileFormFieldsAreRefusedOrKeptAsText(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel")
	}
	v := visitOf(t, domain.RoleOperator, plain)
	for path, confirm := range acts {
		form := url.Values{}
		for name := range fields(v.send("GET", path, nil).Body.String()) {
			if !slices.Contains([]string{"viewport", "color-scheme", "robots", "q"}, name) { // of the layout
				form.Set(name, filled(confirm).Get(name))
			}
		}
		for field := range form {
			for kind, text := range payloads {
				sent := maps.Clone(form)
				sent.Set(field, text)
				w := v.send("POST", path, sent)
				what := kind + " as " + field + " of " + path
				harmless(t, what, w)
				meant := field == "reason" && w.Code == statusOf(path) && len(v.store.done) == 1 && v.store.done[0].Reason == text
				if !meant && (len(v.store.done) > 0 || w.Code != http.StatusBadRequest || len(v.refused) != 1) {
					t.Errorf("%s: %d, done %q, reported %v", what, w.Code, v.store.done, v.refused)
				}
				v.store.done, v.refused = nil, nil
			}
		}
		for what, send := range map[string]func() *httptest.ResponseRecorder{
			"in the address": func() *httptest.ResponseRecorder { return v.send("POST", path+"?"+form.Encode(), url.Values{}) },
			"as JSON": func() *httptest.ResponseRecorder {
				return v.send("POST", path, form, "Content-Type", "application/json")
			},
			"as plain text": func() *httptest.ResponseRecorder { return v.send("POST", path, form, "Content-Type", "text/plain") },
			"in parts": func() *httptest.ResponseRecorder {
				return v.send("POST", path, form, "Content-Type", "multipart/form-data; boundary=x")
			},
			"of a megabyte": func() *httptest.ResponseRecorder {
				return v.send("POST", path, url.Values{"x": {strings.Repeat("x", 1<<20)}, "once": form["once"]})
			},
		} {
			if w := send(); w.Code != http.StatusBadRequest || len(v.store.done) > 0 || len(v.refused) != 1 {
				t.Errorf("%s %s: %d, done %q, reported %v", path, what, w.Code, v.store.done, v.refused)
			}
			v.refused = nil
		}
	}
	for kind, text := range payloads {
		w := v.send("POST", signInPath, url.Values{"token": {text}, "next": {text}})
		harmless(t, kind+" at the sign-in", w)
		if w.Code != http.StatusUnauthorized || strings.Contains(w.Body.String(), text) {
			t.Errorf("%s at the sign-in: %d %s", kind, w.Code, w.Body)
		}
	}
}

// Every request that changes something is refused if a page of another origin
// sends it, and each refusal is reported.
func TestRequestsFromAnotherOriginChangeNothing(t *testing.T) {
	v := visitAs(t, domain.RoleOperator)
	routes := v.all("POST")
	if len(routes) < 9 {
		t.Fatalf("only %v", routes)
	}
	sent := 0
	for _, path := range routes {
		confirm := acts[path]
		for _, header := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Sec-Fetch-Site", "none of these"},
			{"Origin", "https://evil.example"}, {"Origin", "null"}, {"Origin", "http://vault.example.evil.example"}, {"Origin", "http://vault.example:8080"},
			{"Sec-Fetch-Site", "cross-site", "Origin", "http://vault.example"}} {
			for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
				w := v.send(method, path, filled(confirm), header...)
				sent++
				if w.Code != http.StatusForbidden || w.Header().Get("Set-Cookie") != "" {
					t.Errorf("%s %s with %v: %d %v", method, path, header, w.Code, w.Header())
				}
			}
		}
	}
	if len(v.store.done) > 0 || v.checks.Load() > 0 || v.who.entered > 0 || v.who.Role != domain.RoleOperator {
		t.Error("something was done")
	}
	if len(v.refused) != sent {
		t.Errorf("%d refusals of %d were reported", len(v.refused), sent)
	}
}

// A web page that reaches this machine by DNS rebinding gets no console.
// Operators get it.
func TestAConsoleOnLoopbackAcceptsOnlyItsOwnHostNames(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel")
	}
	loopback, network := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8081}, &net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 8081}
	for _, tc := range []struct {
		host    string
		arrived *net.TCPAddr
		tls     bool
		open    bool
	}{
		{"127.0.0.1:8081", loopback, false, true},
		{"[::1]:8081", &net.TCPAddr{IP: net.IPv6loopback, Port: 8081}, false, true},
		{"localhost:9000", loopback, false, true}, // through a tunnel
		{"LOCALHOST", loopback, false, true},
		{"ops.localhost:8081", loopback, false, true},
		{"ops.example.com", loopback, false, true}, // from a proxy on this machine
		{"OPS.example.com:8443", loopback, false, true},
		{"evil.example:8081", loopback, false, false},
		{"evil.example:8081", &net.TCPAddr{IP: net.IPv6loopback, Port: 8081}, false, false},
		{"localhost.evil.example", loopback, false, false},
		{"127.0.0.1.evil.example:8081", loopback, false, false},
		{"ops.example.com.evil.example", loopback, false, false},
		{"ops.example.com@evil.example", loopback, false, false},
		{"notlocalhost", loopback, false, false},
		{"", loopback, false, false},
		{"%zz", loopback, false, false},
		{"evil.example", loopback, true, true}, // its certificate is what a browser looks at
		{"vault.lan:8081", network, false, true},
	} {
		for _, path := range []string{"/", "/devices", signInPath, providerPath, CallbackPath, "/nowhere"} {
			v := visitAs(t, domain.RoleOperator)
			v.Origin, v.Provider = "https://ops.example.com", &elsewhere{}
			w, r := httptest.NewRecorder(), httptest.NewRequest("GET", path, nil)
			r.Host = tc.host
			if tc.tls {
				r.TLS = &tls.ConnectionState{}
			}
			v.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, tc.arrived)))
			if told := slices.Contains(v.refused, domain.CodeForbidden); (w.Code != http.StatusForbidden) != tc.open || told == tc.open {
				t.Errorf("%s of %q at %s: %d %s", path, tc.host, tc.arrived, w.Code, w.Body)
			}
		}
	}
	v := visitAs(t, domain.NoRole) // with no admin-url no other name is known
	w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "http://ops.example.com/", nil)
	v.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, loopback)))
	if w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "admin-url") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
