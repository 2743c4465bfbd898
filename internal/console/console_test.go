package console

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"strongroom/internal/domain"
)

// reads are one of each page, and acts one of each form, with what it asks to
// be typed.
var (
	reads = []string{"/", "/?hours=1", "/posture", "/devices", "/device?account=" + someAccount + "&id=" + url.QueryEscape(hostile), "/keys/" + someKey,
		"/accounts", "/accounts/" + someAccount, "/locks", "/rotation", "/audit", "/events"}
	acts = map[string]string{
		"/keys/" + someKey + "/revoke":                         someKey[:6],
		"/accounts/" + someAccount + "/unlock/PASSCODE":        "",
		"/accounts/" + someAccount + "/unlock/TRANSACTION_PIN": "",
		"/accounts/" + someAccount + "/erase":                  someAccount[:6],
		"/rotation/start":                                      "rotate",
		"/rotation/" + somePlan + "/stop":                      "",
		"/events/" + someEvent + "/resend":                     "",
	}
)

func filled(confirm string) url.Values {
	return url.Values{"once": {"oooooooooooooooooooooooooo"}, "reason": {"asked"}, "confirm": {confirm}, "before": {then.Format(time.RFC3339)}}
}

func TestAStrangerLearnsOfNoPath(t *testing.T) {
	v := visitAs(t, domain.NoRole)
	for _, path := range append([]string{"/nothing", "/audit/check", "/live/overview", "/live/nothing", "/assets/nothing.js", "/signout"}, reads...) {
		w := v.send("GET", path, nil)
		if to := w.Header().Get("Location"); w.Code != http.StatusSeeOther || !strings.HasPrefix(to, signInPath) {
			t.Errorf("GET %s: %d to %s", path, w.Code, to)
		}
		for _, method := range []string{"POST", "PUT", "DELETE"} {
			if w := v.send(method, path, url.Values{}); w.Code != http.StatusUnauthorized {
				t.Errorf("%s %s: %d", method, path, w.Code)
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

func TestAnActIsDoneOnceItIsMeant(t *testing.T) {
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
		if w.Code != http.StatusSeeOther || len(v.store.done) != 1 || v.store.done[0].Reason != "asked" || v.store.done[0].IdempotencyKey != "console-oooooooooooooooooooooooooo" {
			t.Errorf("%s: %d %s, done %v", path, w.Code, w.Body, v.store.done)
		}
		v.store.done = nil
	}
	if w := v.send("GET", "/locks?receipt=rrrrrrrrrrrrrrrrrrrrrrrrrr", nil); !strings.Contains(w.Body.String(), "role=\"status\"") {
		t.Error("what was done is not said")
	}
	if w := v.send("GET", "/locks?receipt=ssssssssssssssssssssssssss", nil); strings.Contains(w.Body.String(), "role=\"status\"") {
		t.Error("a link says that something was done")
	}
}

func TestNobodyActsWhoMayNot(t *testing.T) {
	viewer := visitAs(t, domain.RoleViewer)
	for path, confirm := range acts {
		if w := viewer.send("GET", path, nil); w.Code != http.StatusForbidden {
			t.Errorf("a viewer gets the form %s: %d", path, w.Code)
		}
		if w := viewer.send("POST", path, filled(confirm)); w.Code != http.StatusForbidden {
			t.Errorf("a viewer at %s: %d", path, w.Code)
		}
	}
	if w := viewer.send("POST", "/audit/check", url.Values{}); w.Code != http.StatusForbidden {
		t.Errorf("a viewer starts a check: %d", w.Code)
	}
	if len(viewer.store.done) > 0 || viewer.checks.Load() > 0 {
		t.Error("something was done")
	}
	if len(viewer.refused) != 2*len(acts)+1 {
		t.Errorf("%d refusals were told of", len(viewer.refused))
	}
	for _, path := range reads {
		if body := viewer.send("GET", path, nil).Body.String(); strings.Count(body, `method="post"`) != 1 { // to sign out
			t.Errorf("a viewer sees a form at %s", path)
		}
	}
}

func TestASignInLeadsToAPathOfOurs(t *testing.T) {
	for to, want := range map[string]string{
		"/devices?q=ios-": "/devices?q=ios-", "/accounts/" + someAccount: "/accounts/" + someAccount, "": "/", "/": "/",
		"//evil.example": "/", "/\\evil.example": "/", "https://evil.example/": "/", "javascript:alert(1)": "/", "/\t/evil.example": "/",
		"/x//evil.example": "/", "/./": "/", "evil.example": "/", "/signin?next=/": "/", "/signout": "/", "/live/overview": "/", "/%zz": "/",
	} {
		if got := local(to); got != want {
			t.Errorf("%q leads to %q, want %q", to, got, want)
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
func TestUPlotIsAsItsPackageHasIt(t *testing.T) {
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
	v.Verify = func(ctx context.Context, progress func(int64)) (Report, error) {
		began <- struct{}{}
		progress(100_000)
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
		t.Error("the page does not say that it runs, or not how far to whoever has no script")
	}
	v.Close()
	if len(began) > 0 {
		t.Error("a second one began")
	}
	if w := v.send("POST", "/audit/check", url.Values{}); w.Code != http.StatusSeeOther || len(began) > 0 {
		t.Error("one began after the end")
	}
}
