package console

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"strongroom/internal/domain"
)

// lacks reports which of these texts a page does not have.
func (v *visit) lacks(path string, wants ...string) {
	v.t.Helper()
	body := v.send("GET", path, nil).Body.String()
	for _, want := range wants {
		if !strings.Contains(body, want) {
			v.t.Errorf("%s lacks %s", path, want)
		}
	}
}

func TestTheOverviewShowsThatTheStoreWasEdited(t *testing.T) {
	v := visitOf(t, domain.RoleOperator, plain)
	v.lacks("/", `<p class="verdict warn"`, `href="/locks">See Locks</a>`)
	var refused int64
	v.Tampered = func() int64 { return refused }
	v.lacks("/", `<p class="verdict warn"`)
	refused = 3
	v.lacks("/", `<p class="verdict bad"`, "refused records that were edited in the database 3 times", `href="/audit?event=tampering.seen">See Audit</a>`)
	v.send("POST", "/audit/check", url.Values{})
	v.check.running.Wait()
	v.lacks("/", `<p class="verdict bad"`, "found 1 place at which the audit trail was changed, and 1 record that is not as the trail left it", `href="/audit#check">See Audit</a>`)
	v.lacks("/live/overview", `"state":"bad"`, `"link":"/audit#check"`)
}

func TestTheOverviewShowsNoNumbersWhileTheDatabaseIsAway(t *testing.T) {
	v := visitOf(t, domain.RoleOperator, plain)
	v.store.away = true
	v.lacks("/", "The database is unreachable.", "The operations are unknown", `<section class="empty panel" data-unknown>`)
	body := v.send("GET", "/", nil).Body.String()
	tiles := body[strings.Index(body, `<dl class="tiles">`):]
	tiles = tiles[:strings.Index(tiles, "</dl>")]
	if n := strings.Count(tiles, `data-value>–</span> <span class="hint" data-note>unknown</span>`); n != 6 || strings.Count(tiles, "data-value") != n {
		t.Errorf("not 6 unknown tiles: %s", tiles)
	}
	if strings.Contains(body, "NaN") || strings.Contains(body, "No operation in the last") {
		t.Errorf("the page shows numbers although the database is unreachable: %s", body)
	}
	v.lacks("/live/overview", `{"id":"locks","value":"–","note":"unknown","state":""`, `"unknown":true`)
	v.store.away = false
	v.lacks("/live/overview", `{"id":"locks","value":"1"`, `"unknown":false`)
}

func TestProblemsAreCountedPerRecordAndCertainOnesShownSeparately(t *testing.T) {
	v := visitOf(t, domain.RoleOperator, plain)
	problems := []Problem{{Record: "attempts/one", What: "it was edited", Own: true}, {Record: "key/other", What: "it is gone", Chain: "c", Seq: 9, At: then},
		{Record: "attempts/one", What: "it was rolled back", Chain: "c", Seq: 8, At: then}}
	v.Verify = func(context.Context, func(Progress)) (Report, error) {
		return Report{Entries: 9, Problems: problems}, nil
	}
	check := func() string {
		v.send("POST", "/audit/check", url.Values{})
		v.check.running.Wait()
		return v.send("GET", "/audit", nil).Body.String()
	}
	body := check()
	if !strings.Contains(body, "Changed: 2 records are not as the trail left them.") || strings.Count(body, `<tr class="found"><th scope="row">`) != 2 || !strings.Contains(body, "it was edited; it was rolled back") {
		t.Errorf("not two records: %s", body)
	}
	problems = append([]Problem{{Chain: "c", Seq: 7, What: "the entry was changed", At: then}}, problems...)
	body = check()
	shown, hidden, _ := strings.Cut(body, "<summary>1 record does not agree with the proven entries")
	if !strings.Contains(shown, "1 record was edited, whatever the trail says") || !strings.Contains(shown, "it was edited; it was rolled back") || !strings.Contains(hidden, "it is gone") {
		t.Errorf("certain problems are not shown separately: %s", body)
	}
}

func TestAnErasedAccountIsShownAsErasedWithATrailLink(t *testing.T) {
	v := visitOf(t, domain.RoleOperator, plain)
	if body := v.send("GET", "/devices", nil).Body.String(); !strings.Contains(body, "same as the device") || strings.Contains(body, "erased") {
		t.Error("an existing account is not shown as the device's own")
	}
	v.store.erased = true
	trail := `href="/audit?accountId=` + someAccount + `"`
	if body := v.send("GET", "/devices", nil).Body.String(); strings.Contains(body, "same as the device") || !strings.Contains(body, "erased</span> <a "+trail) {
		t.Error("an erased account is not shown as erased")
	}
	v.lacks("/device?account="+someAccount+"&id="+url.QueryEscape(plain), "erased</span> <a "+trail)
	v.lacks("/accounts/"+someAccount, "Nothing here", trail)
	if body := v.send("GET", "/keys/"+someKey, nil).Body.String(); strings.Contains(body, "/audit?") {
		t.Error("the page of a key links to the trail")
	}
	if w := v.send("GET", "/device?id=a%26b", nil); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/devices?q=a%26b" {
		t.Errorf("an unknown device: %d to %s", w.Code, w.Header().Get("Location"))
	}
}

func TestSearchLeadsToTheTrailOrSaysNoMatch(t *testing.T) {
	v := visitOf(t, domain.RoleOperator, plain)
	v.store.erased, v.store.none = true, true
	id := strings.ToUpper(someAccount)
	for name, has := range map[string]func(domain.EntryFilter) bool{
		"accountId": func(domain.EntryFilter) bool { return true },
		"requestId": func(f domain.EntryFilter) bool { return f.RequestID == someAccount },
	} {
		v.store.trail = has
		if to := v.send("GET", "/search?q="+id, nil).Header().Get("Location"); to != "/audit?"+name+"="+someAccount {
			t.Errorf("it leads to %q, not to the trail by %s", to, name)
		}
	}
	v.store.trail = func(domain.EntryFilter) bool { return false }
	for _, q := range []string{id, "nobody-has-this"} {
		v.lacks("/search?q="+q, "No match", q, "the first characters of a device or account name")
	}
}

func TestSearchFindsAccountsAndDevicesByNamePrefix(t *testing.T) {
	v := visitOf(t, domain.RoleOperator, plain)
	q := url.QueryEscape(plain[:2])
	v.lacks("/search?q="+q, "<h2>Accounts</h2>", "<h2>Devices</h2>", `href="/accounts/`+someAccount+`"`, "All accounts that begin with this")
	for query, want := range map[string]string{q: "/devices?q=" + q, url.QueryEscape(plain): deviceLink(someAccount, plain), "": "/devices"} {
		v.store.noAccount = true
		if to := v.send("GET", "/search?q="+query, nil).Header().Get("Location"); to != want {
			t.Errorf("with devices only, %q leads to %q, not to %q", query, to, want)
		}
	}
	v.store.noAccount, v.store.noDevice = false, true
	for query, want := range map[string]string{q: "/accounts?q=" + q, url.QueryEscape(plain): "/accounts/" + someAccount} {
		if to := v.send("GET", "/search?q="+query, nil).Header().Get("Location"); to != want {
			t.Errorf("with accounts only, %q leads to %q, not to %q", query, to, want)
		}
	}
}

func TestUnlockingSaysWhetherThereWasALock(t *testing.T) {
	v := visitOf(t, domain.RoleOperator, plain)
	for path, says := range map[string]string{"PASSCODE": "The passcode was not locked. Its failed attempts were reset.", "TRANSACTION_PIN": "The transaction PIN was unlocked."} {
		v.results.newest = nil
		w := v.send("POST", "/accounts/"+someAccount+"/unlock/"+path, filled(""))
		v.lacks(w.Header().Get("Location"), says)
	}
	// Sent twice, the second finds what the first one left.
	v.results.put(domain.ActResult{RequestID: someEvent}, "It was unlocked.", plain)
	v.results.put(domain.ActResult{RequestID: someEvent}, "It was not locked.", plain)
	v.lacks("/locks?result="+someEvent, "It was unlocked.", "the change was made once")
}

func TestRotationFormsShowTheRunningPlan(t *testing.T) {
	v := visitOf(t, domain.RoleOperator, plain)
	v.lacks("/rotation/start", "A plan is already running.")
	v.lacks("/rotation/"+somePlan+"/stop", "Plan&#39;s reason")
}

func TestAUseIsShownToTheHour(t *testing.T) {
	if got := string(hour(then.Add(59*60e9), "")); got != `<time datetime="2026-03-01T12:00:00.000Z" title="between 12:00 and 13:00 UTC" data-hour>2026-03-01 12Z</time>` {
		t.Error(got)
	}
}

func TestTheTrailFilterAcceptsTimesAsListsShowThem(t *testing.T) {
	v := visitOf(t, domain.RoleViewer, plain)
	at := then.Add(34*time.Minute + 56*time.Second + 789*time.Millisecond)
	v.store.trail = func(f domain.EntryFilter) bool { return !at.Before(f.From) && at.Before(f.To) }
	for _, text := range []string{stamp(at), at.Format("2006-01-02 15:04Z"), "2026-03-01 14:34:56+02:00", "2026-03-01 12Z", "2026-03-01 12:34:56.789 UTC", "2026-03-01"} {
		page := v.send("GET", "/audit?"+url.Values{"from": {text}, "to": {text}}.Encode(), nil)
		if page.Code != http.StatusOK || strings.Contains(page.Body.String(), "No entry matches") {
			t.Errorf("%s finds nothing: %d", text, page.Code)
		}
	}
	v.lacks("/audit?from=2026-03-01+14:34:56%2B02:00", `value="2026-03-01 12:34:56Z"`)
	v.lacks("/audit?from=2026-03-02&to=2026-03-01", "To: must not be before From.")
	v.lacks("/audit?to=never", "To: must be a time in UTC as 2006-01-02 15:04:05Z")
}
