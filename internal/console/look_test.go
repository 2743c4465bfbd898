package console

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"strongroom/internal/domain"
)

func TestOpenPostureChecksComeFirst(t *testing.T) {
	v := visitAs(t, domain.RoleViewer)
	v.Posture = []domain.PostureCheck{{Name: "closed", State: "on", Required: true}, {Name: "of-no-use", State: "n/a"}, {Name: "open-by-choice", State: "off"}, {Name: "open", State: "off", Required: true}}
	page := v.send("GET", "/posture", nil).Body.String()
	at := -1
	for _, name := range []string{"1 of the 2 checks", `id="open"`, `id="open-by-choice"`, `id="closed"`, `id="of-no-use"`} {
		next := strings.Index(page, name)
		if next <= at {
			t.Errorf("%s is at %d, and the one before it is at %d", name, next, at)
		}
		at = next
	}
}

// Two accounts can have devices with the same id, and the sizes of two algorithms say nothing
// beside each other.
func TestAKeyIsShownWithItsAccountAndAlgorithm(t *testing.T) {
	v := visitAs(t, domain.RoleOperator)
	v.store.text = "named here"
	for _, act := range []string{"/revoke", "/unbind"} {
		if page := v.send("GET", "/keys/"+someKey+act, nil).Body.String(); !strings.Contains(page, "<dt>Account</dt><dd><bdi>named here</bdi></dd>") {
			t.Errorf("%s does not name the account", act)
		}
	}
	for _, path := range []string{"/devices", "/accounts/" + someAccount} {
		if page := v.send("GET", path, nil).Body.String(); !strings.Contains(page, `<td data-label="Algorithm"><span class="algorithm">named here</span> <span class="hint">3072 bits</span></td>`) {
			t.Errorf("%s has no algorithm of the key", path)
		}
	}
}

// A set that failed because the current secret was wrong is no worse than a verify.
func TestAMismatchHasOneColour(t *testing.T) {
	v := visitAs(t, domain.RoleViewer)
	v.store.entries = []domain.Entry{{Event: domain.EventCredentialMismatch, Outcome: "mismatch", Failed: true}, {Event: domain.EventCredentialMismatch, Outcome: "mismatch"},
		{Event: domain.EventCredentialSet, Outcome: "CREDENTIAL_LOCKED", Failed: true}}
	page := v.send("GET", "/audit", nil).Body.String()
	if strings.Count(page, `<span class="outcome warned">mismatch</span>`) != 2 || strings.Count(page, `class="outcome failed"`) != 1 {
		t.Error("mismatches have different colours")
	}
}

// A screen reader goes to the invalid field and reads the reason there.
func TestAFormMarksTheInvalidFieldAndSaysWhy(t *testing.T) {
	v := visitAs(t, domain.RoleOperator)
	once := "oooooooooooooooooooooooooo"
	for field, c := range map[string]struct {
		form url.Values
		says string
	}{
		"reason":  {url.Values{"once": {once}, "confirm": {end(someKey)}}, "The reason is missing"},
		"confirm": {url.Values{"once": {once}, "reason": {"stolen"}, "confirm": {"other"}}, "The text you typed is not " + end(someKey)},
	} {
		w := v.send("POST", "/keys/"+someKey+"/revoke", c.form)
		page := w.Body.String()
		input := regexp.MustCompile(`<input id="` + field + `"[^>]*>`).FindString(page)
		if w.Code != http.StatusBadRequest || !strings.Contains(page, c.says) {
			t.Errorf("%s: %d, and not in these words: %s", field, w.Code, c.says)
		}
		if !strings.Contains(input, `aria-invalid="true"`) || !strings.Contains(input, "problem") || strings.Count(page, " autofocus") != 1 || !strings.Contains(input, " autofocus") {
			t.Errorf("%s: the field is not marked: %s", field, input)
		}
		if !regexp.MustCompile(`Request <code[^>]*>[a-z2-7]{26}<`).MatchString(page) {
			t.Errorf("%s: no request id", field)
		}
	}
	if len(v.store.done) != 0 {
		t.Errorf("%d acts were done", len(v.store.done))
	}
}

// Two values that differ must look different, or an operator acts on another device.
func TestDifferentValuesLookDifferent(t *testing.T) {
	seen := map[string]string{}
	for text, want := range map[string]string{
		"ios-1": "ios-1", " ios-1": `\u0020ios-1`, "ios-1 ": `ios-1\u0020`, "ios 1": "ios 1", "ios  1": `ios \u00201`, "ios\u00a01": `ios\u00a01`, " ": `\u0020`,
		"a\u200b": `a\u200b`, `a\u200b`: `a\u005cu200b`, `a\u005cu200b`: `a\u005cu005cu200b`, "\\\u200b": `\\u200b`, `\\u200b`: `\\u005cu200b`, `C:\phone\`: `C:\phone\`,
		"\ue000" + "1": `\ue0001`, "\U000e0001": `\U000e0001`, `\U000e0001`: `\u005cU000e0001`,
	} {
		got := shown(text)
		if got != want {
			t.Errorf("%q is shown as %s, want %s", text, got, want)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("%q and %q are both shown as %s", text, other, got)
		}
		seen[got] = text
	}
}

func TestAnEmptiedPageOfAListSaysThatItIsNotTheFirst(t *testing.T) {
	v := visitAs(t, domain.RoleViewer)
	v.store.none = true
	for path, first := range map[string]string{"/locks": "No account is locked", "/devices": "No device yet", "/accounts": "No account yet", "/events": "No dead letters.",
		"/devices?q=a": "No matching devices", "/accounts?q=a": "No matching accounts", "/events?event=key.issued": "No matching events"} {
		if page := v.send("GET", path, nil).Body.String(); !strings.Contains(page, first) || strings.Contains(page, ">First</a>") {
			t.Errorf("the first page of %s does not say %q, or links to itself", path, first)
		}
		separator := "?"
		if strings.Contains(path, "?") {
			separator = "&"
		}
		page := v.send("GET", path+separator+"after=x", nil).Body.String()
		if strings.Contains(page, first) || !strings.Contains(page, "The list ended before this page.") || !strings.Contains(page, ">First</a>") {
			t.Errorf("a later page of %s says %q, or has no link to the first", path, first)
		}
	}
}
