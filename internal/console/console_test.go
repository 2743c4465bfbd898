package console

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
)

// reads are one of each page. acts are one of each form, with the text to type.
var (
	reads = []string{"/", "/?hours=1", "/posture", "/devices", "/device?account=" + someAccount + "&id=" + url.QueryEscape(hostile), "/keys/" + someKey,
		"/accounts", "/accounts/" + someAccount, "/locks", "/rotation", "/custody", "/audit", "/events"}
	acts = map[string]string{
		"/keys/" + someKey + "/revoke":                         someKey[:6],
		"/keys/" + someKey + "/unbind":                         "",
		"/accounts/" + someAccount + "/unlock/PASSCODE":        "",
		"/accounts/" + someAccount + "/unlock/TRANSACTION_PIN": "",
		"/accounts/" + someAccount + "/must-change/PASSCODE":   "",
		"/accounts/" + someAccount + "/export":                 "",
		"/accounts/" + someAccount + "/erase":                  someAccount[:6],
		"/rotation/start":                                      "rotate",
		"/rotation/" + somePlan + "/stop":                      "",
		"/custody/pause":                                       "",
		"/custody/resume":                                      "",
		"/events/" + someEvent + "/resend":                     "",
		"/events/resend":                                       "",
	}
)

// statusOf is that of the answer when an act was done: a page, or a file.
func statusOf(act string) int {
	if strings.HasSuffix(act, "/export") {
		return http.StatusOK
	}
	return http.StatusSeeOther
}

func filled(confirm string) url.Values {
	return url.Values{"once": {"oooooooooooooooooooooooooo"}, "reason": {"asked"}, "confirm": {confirm}, "before": {then.Format(time.RFC3339)}}
}

func TestAVisitorWithoutASessionLearnsNoPaths(t *testing.T) {
	v := visitAs(t, domain.NoRole)
	for _, path := range append([]string{"/nothing", "/audit/check", "/audit/check/stop", "/live/overview", "/live/nothing", "/assets/nothing.js", "/signout", providerPath, CallbackPath}, reads...) {
		w := v.send("GET", path, nil)
		if to := w.Header().Get("Location"); w.Code != http.StatusSeeOther || !strings.HasPrefix(to, signInPath) {
			t.Errorf("GET %s: %d to %s", path, w.Code, to)
		}
		for _, method := range []string{"POST", "PUT", "DELETE"} {
			if w := v.send(method, path, url.Values{}); w.Code != http.StatusUnauthorized || !strings.Contains(w.Body.String(), "Nothing was done.") {
				t.Errorf("%s %s: %d %s", method, path, w.Code, w.Body)
			}
		}
		if w := v.send("GET", path, nil, "Accept", "application/json"); w.Code != http.StatusUnauthorized {
			t.Errorf("GET %s by a program: %d", path, w.Code)
		}
	}
	if len(v.store.done) > 0 {
		t.Error("something was done")
	}
}

// The operator side has few connections. A visitor without a session must not keep any.
func TestConnectionsWithoutASessionAreClosed(t *testing.T) {
	v := visitAs(t, domain.NoRole)
	paths := []string{"/", "/nothing", "/live/overview", signInPath, signInPath + "?next=/devices"}
	files := slices.Collect(maps.Keys(v.assets.All()))
	closed := func(what string, w *httptest.ResponseRecorder) {
		t.Helper()
		if w.Header().Get("Connection") != "close" {
			t.Errorf("%s: %d with Connection %q", what, w.Code, w.Header().Get("Connection"))
		}
	}
	for _, path := range append(paths, files...) {
		closed(path, v.send("GET", path, nil))
		closed(path+" by a program", v.send("GET", path, nil, "Accept", "*/*"))
		closed("POST "+path, v.send("POST", path, url.Values{"token": {"wrong"}}))
		closed(path+" from another site", v.send("GET", path, nil, "Sec-Fetch-Site", "cross-site"))
		closed("POST "+path+" from another site", v.send("POST", path, nil, "Sec-Fetch-Site", "cross-site"))
	}
	r, w := httptest.NewRequest("GET", signInPath, nil), httptest.NewRecorder()
	r.ProtoMajor = 2
	if v.ServeHTTP(w, r); w.Header().Get("Connection") != "" {
		t.Error("with HTTP/2 the files of the sign-in page are cut off")
	}
	v = visitAs(t, domain.RoleViewer)
	for _, path := range append(files, reads...) {
		if w := v.send("GET", path, nil); w.Code != http.StatusOK || w.Header().Get("Connection") != "" {
			t.Errorf("%s: a viewer gets %d with Connection %q", path, w.Code, w.Header().Get("Connection"))
		}
	}
}

// slowLocks are locks that take a minute to read.
type slowLocks struct{ *store }

func (slowLocks) LockTrend(context.Context, int) ([]domain.LockTrend, error) {
	time.Sleep(time.Minute)
	return nil, nil
}

// A viewer who loads many pages at once must not fill the connections of the operator
// side, because operators need some to revoke a key.
func TestManyPagesOfOneOperatorLeaveRoomForActs(t *testing.T) {
	const maxReadsOfOperator = 8
	synctest.Test(t, func(t *testing.T) {
		v := visitAs(t, domain.RoleOperator)
		v.UseCases.Guesses = slowLocks{v.store}
		var reading sync.WaitGroup
		load := func(status int) {
			reading.Go(func() {
				if w := v.send("GET", "/locks", nil); w.Code != status {
					t.Errorf("a page: %d %s", w.Code, w.Body)
				}
			})
			synctest.Wait()
		}
		for name := range maxReads / maxReadsOfOperator {
			v.who.name = fmt.Sprint("viewer ", name)
			for range maxReadsOfOperator {
				load(http.StatusOK)
			}
			load(http.StatusTooManyRequests)
		}
		v.who.name = "the operator"
		load(http.StatusServiceUnavailable)
		start := time.Now()
		if w := v.send("POST", "/keys/"+someKey+"/revoke", filled(someKey[:6])); w.Code != http.StatusSeeOther || time.Since(start) > 0 {
			t.Errorf("the operator revokes a key: %d %s after %v", w.Code, w.Body, time.Since(start))
		}
		reading.Wait()
		load(http.StatusOK)
		reading.Wait()
	})
}

// Otherwise the answer would wait for the rest of the body.
func TestATooLongFormClosesItsConnection(t *testing.T) {
	v := visitAs(t, domain.RoleOperator)
	form := filled("rotate")
	form.Set("reason", strings.Repeat("x", maxForm))
	w := v.send("POST", "/rotation/start", form)
	if w.Code != http.StatusBadRequest || w.Header().Get("Connection") != "close" || len(v.store.done) > 0 {
		t.Errorf("%d with Connection %q, done %v", w.Code, w.Header().Get("Connection"), v.store.done)
	}
}

func TestTheTestsCoverEveryAct(t *testing.T) {
	c := visitAs(t, domain.RoleOperator)
	tried := map[string]bool{}
	for path := range acts {
		_, pattern := c.mux.Handler(httptest.NewRequest("POST", path, nil))
		tried[strings.TrimPrefix(pattern, "POST ")] = true
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(c.changes.acts())), slices.Sorted(maps.Keys(tried))); diff != "" {
		t.Errorf("acts (-in the console +in the tests):\n%s", diff)
	}
}

func TestAnActNeedsItsFormAReasonAndAConfirmation(t *testing.T) {
	v := visitAs(t, domain.RoleOperator)
	for path, confirm := range acts {
		for what, form := range map[string]url.Values{"no reason": {"once": filled("")["once"], "confirm": {confirm}, "before": filled("")["before"]},
			"wrong confirmation": filled("wrong"), "no form of ours": {"reason": {"asked"}, "confirm": {confirm}, "before": filled("")["before"]}} {
			if confirm == "" && what == "wrong confirmation" {
				continue
			}
			if w := v.send("POST", path, form); w.Code != http.StatusBadRequest || len(v.store.done) > 0 {
				t.Errorf("%s with %s: %d, done %v", path, what, w.Code, v.store.done)
			}
		}
		w := v.send("POST", path, filled(confirm))
		if w.Code != statusOf(path) || len(v.store.done) != 1 || v.store.done[0].Reason != "asked" || v.store.done[0].IdempotencyKey != "console-oooooooooooooooooooooooooo" {
			t.Errorf("%s: %d %s, done %v", path, w.Code, w.Body, v.store.done)
		}
		v.store.done = nil
	}
	if w := v.send("GET", "/locks?result=rrrrrrrrrrrrrrrrrrrrrrrrrr", nil); !strings.Contains(w.Body.String(), "role=\"status\"") {
		t.Error("the page does not report what was done")
	}
	if w := v.send("GET", "/locks?result=ssssssssssssssssssssssssss", nil); strings.Contains(w.Body.String(), "role=\"status\"") {
		t.Error("a link says that something was done")
	}
}

func TestAPreviewCountsKeysKeepsTheFormAndChangesNothing(t *testing.T) {
	v := visitAs(t, domain.RoleOperator)
	typed := filled("")
	for name, value := range map[string]string{"preview": "on", "days": "365", "bits": "2048", "refuse": "on", "reason": "size & age"} {
		typed.Set(name, value)
	}
	w := v.send("POST", "/rotation/start", typed)
	body := w.Body.String()
	for _, want := range []string{"<strong>48,210 active keys</strong> would be selected: 2048 bits, created before <time", `value="365"`, "<option selected>2048<",
		`value="on" checked`, `value="size &amp; age"`, `value="oooooooooooooooooooooooooo"`, `value="` + then.Format(time.RFC3339) + `"`} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if w.Code != http.StatusOK || len(v.store.done) > 0 || len(v.store.previewed) != 1 || v.store.previewed[0].Bits != 2048 ||
		!v.store.previewed[0].CreatedBefore.Equal(then.AddDate(0, 0, -365)) || !v.store.previewed[0].RefuseUse {
		t.Errorf("%d, previewed %+v, done %v", w.Code, v.store.previewed, v.store.done)
	}
	typed.Set("days", "soon")
	if w := v.send("POST", "/rotation/start", typed); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "Keys older than, in days: must be") || len(v.store.previewed) != 1 {
		t.Errorf("invalid days: %d", w.Code)
	}
	viewer := visitAs(t, domain.RoleViewer)
	if w := viewer.send("POST", "/rotation/start", typed); w.Code != http.StatusForbidden || len(viewer.store.previewed) > 0 {
		t.Errorf("a viewer: %d", w.Code)
	}
	// An act without a preview ignores the word, and acts.
	typed.Set("confirm", someKey[:6])
	if w := v.send("POST", "/keys/"+someKey+"/revoke", typed); w.Code != http.StatusSeeOther {
		t.Errorf("an act without one: %d", w.Code)
	}
}

func TestAPlanSelectsByAlgorithm(t *testing.T) {
	if diff := cmp.Diff(devicekey.Names(devicekey.Algorithms), strings.Join(algorithms, ", ")); diff != "" {
		t.Errorf("the form offers (-there are +it has):\n%s", diff)
	}
	v := visitAs(t, domain.RoleOperator)
	for name, c := range map[string]struct {
		algorithm, bits, upgrade string
		selected, wrong          string // the algorithm of the plan, or what is said
	}{
		"any":               {},
		"RSA":               {algorithm: "RSA-OAEP-256", selected: "RSA-OAEP-256"},
		"RSA of a size":     {algorithm: "RSA-OAEP-256", bits: "3072", selected: "RSA-OAEP-256"},
		"X-Wing":            {algorithm: "HPKE-XWING", selected: "HPKE-XWING"},
		"an upgrade":        {upgrade: "on", selected: "RSA-OAEP-256"},
		"an upgrade of RSA": {algorithm: "RSA-OAEP-256", upgrade: "on", selected: "RSA-OAEP-256"},
		"an upgrade of X-Wing": {algorithm: "HPKE-XWING", upgrade: "on",
			wrong: `Algorithm: must be RSA-OAEP-256 or any, because only RSA keys can move to HPKE.`},
		"X-Wing of a size": {algorithm: "HPKE-XWING", bits: "3072", wrong: "Size of RSA keys: must be any, because HPKE-XWING has one size."},
		"another":          {algorithm: "ECDH-ES", wrong: "Algorithm: must be RSA-OAEP-256, HPKE-X25519, HPKE-XWING or any."},
	} {
		v.store.previewed = nil
		typed := filled("")
		for field, value := range map[string]string{"preview": "on", "algorithm": c.algorithm, "bits": c.bits, "upgrade": c.upgrade} {
			typed.Set(field, value)
		}
		w := v.send("POST", "/rotation/start", typed)
		if c.wrong != "" {
			if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), c.wrong) || len(v.store.previewed) != 0 {
				t.Errorf("%s: %d, and not in these words: %s", name, w.Code, c.wrong)
			}
			continue
		}
		if w.Code != http.StatusOK || len(v.store.previewed) != 1 || v.store.previewed[0].Algorithm != c.selected {
			t.Errorf("%s: %d, previewed %+v", name, w.Code, v.store.previewed)
			continue
		}
		if says := "would be selected: " + c.selected; !strings.Contains(w.Body.String(), says) {
			t.Errorf("%s: the preview does not say %q", name, says)
		}
		if c.algorithm != "" && !strings.Contains(w.Body.String(), "<option selected>"+c.algorithm+"<") {
			t.Errorf("%s: what was chosen is lost", name)
		}
	}
}

func TestPartiallyKnownValuesAreMarked(t *testing.T) {
	v := visitAs(t, domain.RoleViewer)
	for path, wants := range map[string][]string{
		"/": {"Of 1 of the 10 operations. An earlier version counted the others without durations.</p>", `<th scope="col" class="num">Timed</th>`,
			`<td class="num">1.00 ms</td><td class="num">1.02 ms</td>`, "p95\u00a031.2\u00a0ms · p99\u00a0450\u00a0ms"},
		"/locks":  {"at least 4,003</td>", ">5</td>", "since <time", "the first hour is not fully counted"},
		"/events": {`tried again <time datetime="2026-03-01T12:07:00.000Z"`},
	} {
		body := v.send("GET", path, nil).Body.String()
		for _, want := range wants {
			if !strings.Contains(body, want) {
				t.Errorf("%s lacks %s", path, want)
			}
		}
	}
	if body := v.send("GET", "/live/overview?hours=1", nil, "Accept", "application/json").Body.String(); !strings.Contains(body, `"known":"Of 1 of`) || !strings.Contains(body, `"p99":[`) {
		t.Errorf("the update is %s", body)
	}
}

func TestChartLinesAreDrawnOnlyForKnownValues(t *testing.T) {
	at := then.Truncate(time.Hour)
	bar := func(back time.Duration, operations, timed int64, p50, p99 time.Duration) domain.Bucketed {
		return domain.Bucketed{Start: at.Add(-back), Operations: operations, AverageDuration: 20 * time.Millisecond,
			Percentiles: domain.Percentiles{Of: timed, P50: p50, P95: p99, P99: p99}}
	}
	before := bar(5*time.Hour, 7, 0, 0, 0)
	c := operationsChart(24, []domain.Bucketed{
		before, // by a version that kept no durations
		bar(3*time.Hour, 6, 6, 16*time.Millisecond, 4*time.Second),
		bar(3*time.Hour-15*time.Minute, 3, 1, 16*time.Millisecond, time.Second), // known in part
		bar(time.Hour, 1, 1, 16*time.Millisecond, time.Second),                  // alone
	}, at)
	n := len(c.Start)
	one := func(of []float64) (known []float64) {
		for _, back := range []int{20, 12, 11, 10, 4} { // quarters of an hour
			known = append(known, of[n-1-back])
		}
		return known
	}
	if diff := cmp.Diff([][]float64{{-1, 16, 16, -1, 16}, {-1, 4000, 1000, -1, 1000}}, [][]float64{one(c.P50), one(c.P99)}); diff != "" || c.Slowest() != 4000 {
		t.Errorf("p50 and p99, slowest %v (-want +got):\n%s", c.Slowest(), diff)
	}
	if c.Known != "Of 8 of the 17 operations. An earlier version counted the others without durations." {
		t.Error(c.Known)
	}
	if line := c.Line(c.P95); strings.Count(line, "M") != 2 || strings.Count(line, "L") != 1 {
		t.Errorf("the line is %s", line)
	}
	rows := c.Rows()
	if len(rows) != 4 || rows[2].All != 6 || rows[2].Timed != 6 || rows[3].Timed != 0 || rows[3].Durations[0] != 20 || rows[3].Durations[3] != -1 {
		t.Errorf("rows %+v", rows)
	}
	if c := operationsChart(24, []domain.Bucketed{before}, at); !strings.HasPrefix(c.Known, "Unknown: ") || c.Line(c.P50) != "" || c.Slowest() != 0 {
		t.Errorf("of a previous version: %q %q", c.Known, c.Line(c.P50))
	}
}

func TestAViewerCannotAct(t *testing.T) {
	viewer := visitAs(t, domain.RoleViewer)
	for path, confirm := range acts {
		if w := viewer.send("GET", path, nil); w.Code != http.StatusForbidden {
			t.Errorf("a viewer gets the form %s: %d", path, w.Code)
		}
		if w := viewer.send("POST", path, filled(confirm)); w.Code != http.StatusForbidden {
			t.Errorf("a viewer at %s: %d", path, w.Code)
		}
	}
	for _, path := range []string{"/audit/check", "/audit/check/stop"} {
		if w := viewer.send("POST", path, url.Values{}); w.Code != http.StatusForbidden {
			t.Errorf("a viewer at %s: %d", path, w.Code)
		}
	}
	if len(viewer.store.done) > 0 || viewer.checks.Load() > 0 {
		t.Error("something was done")
	}
	if len(viewer.refused) != 2*len(acts)+2 {
		t.Errorf("%d refusals were reported", len(viewer.refused))
	}
	for _, path := range reads {
		if body := viewer.send("GET", path, nil).Body.String(); strings.Count(body, `method="post"`) != 1 { // to sign out
			t.Errorf("a viewer sees a form at %s", path)
		}
	}
}

func TestASignInRedirectsOnlyToLocalPaths(t *testing.T) {
	for to, want := range map[string]string{
		"/devices?q=ios-": "/devices?q=ios-", "/accounts/" + someAccount: "/accounts/" + someAccount, "": "/", "/": "/",
		"//evil.example": "/", "/\\evil.example": "/", "https://evil.example/": "/", "javascript:alert(1)": "/", "/\t/evil.example": "/",
		"/signin/oidc?next=/": "/", "/signin/oidc/callback?code=x": "/", "/x//evil.example": "/", "/./": "/", "evil.example": "/", "/signin?next=/": "/", "/signout": "/", "/live/overview": "/", "/%zz": "/",
		"/docs/runbook.html#a": "/docs/runbook.html#a", "/docs/": "/docs/", "/docs//": "/", "//evil.example#/": "/",
	} {
		if got := local(to); got != want {
			t.Errorf("%q leads to %q, want %q", to, got, want)
		}
	}
}

// elsewhere is a provider that does what a test wants.
type elsewhere struct {
	next string // that comes back
	err  error
}

func (e *elsewhere) Name() string { return "login.example" }
func (e *elsewhere) Begin(_ http.ResponseWriter, _ *http.Request, next string) (string, error) {
	e.next = next
	return "https://login.example/authorize?state=x", e.err
}
func (e *elsewhere) Finish(http.ResponseWriter, *http.Request) (string, error) { return e.next, e.err }

func TestAProviderSignInReturnsOnlyToLocalPaths(t *testing.T) {
	v, p := visitAs(t, domain.NoRole), &elsewhere{}
	v.Provider, v.Origin = p, "https://ops.example"
	for asked, link := range map[string]string{"": "https://ops.example/signin/oidc\"", "?next=/devices": "https://ops.example/signin/oidc?next=%2Fdevices\"",
		"?next=https://evil.example": "https://ops.example/signin/oidc\""} {
		if w := v.send("GET", "/signin"+asked, nil); !strings.Contains(w.Body.String(), "href=\""+link) || !strings.Contains(w.Body.String(), "Sign in with login.example") {
			t.Errorf("%s has no link to %s: %s", asked, link, w.Body)
		}
	}
	for next, want := range map[string]string{"/devices?q=ios-": "/devices?q=ios-", "//evil.example": "/", "javascript:alert(1)": "/", CallbackPath: "/"} {
		w := v.send("GET", providerPath+"?next="+url.QueryEscape(next), nil)
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "https://login.example/authorize?state=x" || p.next != want {
			t.Errorf("%s: %d, and the way leads to %s", next, w.Code, p.next)
		}
		p.next = next // as a neighbour changes it on the way
		w = v.send("GET", CallbackPath+"?code=c", nil)
		if body := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(body, `content="0;url=`+want+`"`) || strings.Contains(body, "evil") || w.Header().Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %d %s", next, w.Code, body)
		}
	}
	for status, err := range map[int]error{401: &domain.Error{Code: domain.CodeUnauthenticated, Message: "Begin again."}, 403: &domain.Error{Code: domain.CodeForbidden, Message: "No role."},
		429: domain.TooManyRequests(domain.ReasonCallerRate, "Too many.", 7*time.Second), 503: &domain.Error{Code: domain.CodeInternal, Message: "login.example is away.", RetryAfter: 10 * time.Second}} {
		*p = elsewhere{"/locks", err}
		before := len(v.refused)
		w := v.send("GET", CallbackPath+"?error=%3Cscript%3Ealert(1)%3C/script%3E", nil)
		body := w.Body.String()
		if w.Code != status || strings.Contains(body, "script>alert") || !strings.Contains(body, `value="/locks"`) || !strings.Contains(body, `id="problem"`) || strings.Contains(body, "aria-invalid") {
			t.Errorf("%v: %d %s", err, w.Code, body)
		}
		if told := len(v.refused) - before; (told == 1) != (status != 503) {
			t.Errorf("%v: %d refusals were reported", err, told)
		}
		if (w.Header().Get("Retry-After") != "") != (status == 429 || status == 503) {
			t.Errorf("%v: Retry-After %q", err, w.Header().Get("Retry-After"))
		}
	}
	for why, want := range map[error]struct{ text, wait string }{
		&domain.Error{Code: domain.CodeInternal, Message: "It is away.", RetryAfter: 10 * time.Second}: {"It is away.", "10"},
		&domain.Error{Code: domain.CodeInternal, Message: "It wants another secret."}:                  {"It wants another secret.", ""},
		context.Canceled: {"login.example was not contacted", ""},
	} {
		*p = elsewhere{"/", why}
		for _, path := range []string{providerPath, CallbackPath} {
			if w := v.send("GET", path, nil); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), want.text) || w.Header().Get("Retry-After") != want.wait {
				t.Errorf("%v at %s: %d, Retry-After %q\n%s", why, path, w.Code, w.Header().Get("Retry-After"), w.Body)
			}
		}
	}
	*p = elsewhere{}
	for _, method := range []string{"POST", "HEAD", "PUT"} { // no browser comes back with these
		if w := v.send(method, CallbackPath, nil); w.Code == http.StatusOK {
			t.Errorf("%s: %d", method, w.Code)
		}
	}
}

func TestAllScriptAndStyleStaysSmall(t *testing.T) {
	total := 0
	for _, name := range []string{"web/style.css", "web/console.js", "web/charts.js"} {
		total += len(must(web.ReadFile(name)))
	}
	for _, name := range []string{"uplot.js", "uplot.css"} {
		total += len(must(thirdParty.ReadFile("third_party/" + name)))
	}
	if total > 150_000 {
		t.Errorf("%d bytes before compression", total)
	}
}

// The files of uPlot are those of npm's uplot@1.6.32, whose package has the
// hash sha512-KIMVnG68zvu5XXUbC4LQEPnhwOxBuLyW1AHtpm6IKTXImkbLgkMy+jabjLgSLMasNuGGzQm/ep3tOkyTxpiQIw==.
func TestUPlotMatchesItsPublishedPackage(t *testing.T) {
	for name, want := range map[string]string{
		"uplot.js":      "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
		"uplot.css":     "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
		"uplot.LICENSE": "8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd",
	} {
		if sum := sha256.Sum256(must(thirdParty.ReadFile("third_party/" + name))); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s was changed", name)
		}
	}
}

func TestOneCheckRunsAtATimeAndEndsWithTheConsole(t *testing.T) {
	v := visitAs(t, domain.RoleOperator)
	began := make(chan struct{}, 2)
	v.Verify = func(ctx context.Context, progress func(Progress)) (Report, error) {
		began <- struct{}{}
		progress(Progress{Of: "entries", Done: 3_200_000, All: 10_092_582, Part: 1, Parts: 1})
		<-ctx.Done()
		return Report{}, ctx.Err()
	}
	for range 2 {
		if w := v.send("POST", "/audit/check", url.Values{}); w.Code != http.StatusSeeOther {
			t.Fatalf("%d", w.Code)
		}
	}
	<-began
	if body := v.send("GET", "/audit", nil).Body.String(); !strings.Contains(body, "entries checked") || strings.Contains(body, `action="/audit/check"`) || !strings.Contains(body, `<noscript> <a href="/audit">`) {
		t.Error("the page does not say that it runs, or not how far without scripts")
	}
	v.Close()
	if len(began) > 0 {
		t.Error("a second one began")
	}
	if w := v.send("POST", "/audit/check", url.Values{}); w.Code != http.StatusSeeOther || len(began) > 0 {
		t.Error("one began after the end")
	}
}

func TestARunningCheckShowsProgressAndCanBeStopped(t *testing.T) {
	v := visitAs(t, domain.RoleOperator)
	began := make(chan struct{})
	v.Verify = func(ctx context.Context, progress func(Progress)) (Report, error) {
		progress(Progress{Of: "entries", Done: 3_200_000, All: 10_092_582, Part: 2, Parts: 4})
		close(began)
		<-ctx.Done()
		return Report{}, ctx.Err()
	}
	v.send("POST", "/audit/check", url.Values{})
	<-began
	body := v.send("GET", "/audit", nil).Body.String()
	for _, want := range []string{"3,200,000 of 10,092,582 entries checked (31 %), for part 2 of 4 of the records", `<progress max="100" value="31"`, `action="/audit/check/stop"`} {
		if !strings.Contains(body, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if live := v.send("GET", "/live/check", nil).Body.String(); !strings.Contains(live, `"percent":31`) {
		t.Errorf("the update is %s", live)
	}
	if w := v.send("POST", "/audit/check/stop", url.Values{}); w.Code != http.StatusSeeOther {
		t.Errorf("stopping: %d", w.Code)
	}
	v.check.running.Wait()
	body = v.send("GET", "/audit", nil).Body.String()
	if !strings.Contains(body, "The check was stopped before its end.") || !strings.Contains(body, ": 3,200,000 of 10,092,582 entries checked (31 %)") || !strings.Contains(body, `action="/audit/check"`) {
		t.Error("the page does not say that it was stopped, or offers no other")
	}
	if w := v.send("POST", "/audit/check/stop", url.Values{}); w.Code != http.StatusSeeOther {
		t.Errorf("stopping what does not run: %d", w.Code)
	}
}

func TestTheDocumentationIsServedUnderCleanPathsOnly(t *testing.T) {
	v := visitAs(t, domain.RoleViewer)
	v.Console = New(Config{UseCases: v.store.useCases(), Sessions: v.who, Mode: domain.ModeJWT, Log: slog.New(slog.DiscardHandler), Refused: func(context.Context, domain.Code) {},
		Docs: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("page " + r.URL.Path)) })})
	t.Cleanup(v.Close)
	for _, path := range []string{"/docs/", "/docs/runbook.html"} {
		if w := v.send("GET", path, nil); w.Code != http.StatusOK || w.Body.String() != "page "+path {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	for _, path := range []string{"/docs//", "/docs/./", "//docs/", "/devices/"} {
		if w := v.send("GET", path, nil); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", path, w.Code)
		}
	}
}

func TestResendingEventsSaysHowManyAreLeft(t *testing.T) {
	v := visitAs(t, domain.RoleOperator)
	w := v.send("POST", "/events/resend", filled(""))
	w = v.send("GET", w.Header().Get("Location"), nil)
	for _, part := range []string{"21 events wait to be sent again.", "1 event stays here", "send the form again", "1 dead letter is left."} {
		if !strings.Contains(w.Body.String(), part) {
			t.Errorf("the page does not say %q", part)
		}
	}
}
