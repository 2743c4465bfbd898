package console

import (
	"errors"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
)

var tags = regexp.MustCompile(`<[^>]*>|\s+`)

// rowsOf are the rows of the table under a heading, as a person reads them.
func rowsOf(page, heading string) (rows []string) {
	_, rest, _ := strings.Cut(page, "<h2>"+heading+"</h2>")
	section, _, _ := strings.Cut(rest, "</section>")
	_, body, _ := strings.Cut(section, "<tbody>")
	for row := range strings.SplitSeq(strings.ReplaceAll(body, "</t", " </t"), "</tr>") {
		if text := strings.Join(strings.Fields(tags.ReplaceAllString(row, " ")), " "); text != "" {
			rows = append(rows, html.UnescapeString(text))
		}
	}
	return rows
}

// both are the pages of a device and of its account.
func (v *visit) both() map[string]string {
	return map[string]string{"account": v.send("GET", "/accounts/"+someAccount, nil).Body.String(),
		"device": v.send("GET", "/device?"+url.Values{"account": {someAccount}, "id": {plain}}.Encode(), nil).Body.String()}
}

func TestSupportReadsTheStatusOfACredentialInOneRow(t *testing.T) {
	v := visitOf(t, domain.RoleOperator, plain)
	later := then.Add(15 * time.Minute)
	for name, c := range map[string]struct {
		status domain.CredentialInfo
		want   []string
	}{
		"never set": {domain.CredentialInfo{AttemptsLeft: 5},
			[]string{"Transaction PIN not set 5 no no never not recorded"}},
		"in use": {domain.CredentialInfo{Set: true, AttemptsLeft: 3, Failures: 2, RecentFailures: 4, Pending: 1, UpdatedAt: then, VerifiedAt: then},
			[]string{"Transaction PIN set 3 2 failed in a row, 4 in 24 hours 1 pending no no 2026-03-01 12:00Z 2026-03-01 12:00Z Unlock… Demand change…"}},
		"to be changed": {domain.CredentialInfo{Set: true, AttemptsLeft: 5, MustChange: true, UpdatedAt: then},
			[]string{"Transaction PIN set 5 no yes 2026-03-01 12:00Z not recorded"}},
		"locked for a while": {domain.CredentialInfo{Set: true, MustChange: true, LockedUntil: later, Failures: 5, RecentFailures: 5, UpdatedAt: then},
			[]string{"Transaction PIN set 0 5 failed in a row, 5 in 24 hours locked until 2026-03-01 12:15Z yes 2026-03-01 12:00Z not recorded Unlock…"}},
		"locked for good": {domain.CredentialInfo{Set: true, MustChange: true, Permanent: true, Failures: 50, UpdatedAt: then},
			[]string{"Transaction PIN set 0 50 failed in a row, 0 in 24 hours locked until an operator unlocks yes 2026-03-01 12:00Z not recorded Unlock…"}},
		"locked at a device": {domain.CredentialInfo{Set: true, MustChange: true, AttemptsLeft: 5, UpdatedAt: then, LockedDevices: []domain.LockedDevice{{DeviceID: "old phone", Until: later}}},
			[]string{"Transaction PIN set 5 1 device yes 2026-03-01 12:00Z not recorded Unlock…", "Locked devices old phone until 2026-03-01 12:15:00Z"}},
		"edited": {domain.CredentialInfo{Set: true, MustChange: true, Tampered: true, UpdatedAt: then},
			[]string{"Transaction PIN set edited 0 no yes 2026-03-01 12:00Z not recorded Unlock…",
				"The record does not match its seal: it was edited in the database, and every attempt is refused. Check the trail before you unlock."}},
	} {
		c.status.Type = domain.TransactionPIN
		v.store.status = []domain.CredentialInfo{c.status}
		for page, body := range v.both() {
			if diff := cmp.Diff(c.want, rowsOf(body, "Credentials")); diff != "" {
				t.Errorf("%s, page of the %s (-want +got):\n%s", name, page, diff)
			}
		}
	}
}

func TestAKeyShowsTheKeyThatItIsBoundTo(t *testing.T) {
	jkt := "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"
	for heading, page := range map[string]string{"Keys": "device", "Devices": "account"} {
		v := visitOf(t, domain.RoleOperator, plain)
		v.store.unbound = true
		if rows := rowsOf(v.both()[page], heading); len(rows) != 1 || !strings.Contains(rows[0], "not bound") || strings.Contains(rows[0], "Unbind…") {
			t.Errorf("%s of a key that is not bound: %q", page, rows)
		}
		v.store.unbound, v.store.text = false, jkt
		pages := v.both()
		if page == "device" { // whose id is the text too
			pages[page] = v.send("GET", "/keys/"+someKey, nil).Body.String()
		}
		if rows := rowsOf(pages[page], heading); len(rows) != 1 || !strings.Contains(rows[0], "0ZcOCORZ…") || !strings.Contains(pages[page], "(jkt): "+jkt+`"`) ||
			strings.Contains(rows[0], "Unbind…") != (page == "device") {
			t.Errorf("%s of a bound key: %q", page, rows)
		}
	}
}

func TestAKeySaysItsAlgorithm(t *testing.T) {
	v := visitOf(t, domain.RoleViewer, "HPKE-XWING")           // every text is
	page := v.send("GET", "/keys/"+someKey, nil).Body.String() // a device's page
	if !regexp.MustCompile(`<th scope="col">Algorithm</th>`).MatchString(page) || !strings.Contains(page, `<td data-label="Algorithm"><span class="algorithm">HPKE-XWING</span> <span class="hint set">3072 bits</span></td>`) {
		t.Error("the page of a device does not say it")
	}
}

func TestReceiptsAreReadFromTheTrail(t *testing.T) {
	v := visitOf(t, domain.RoleOperator, plain)
	entry := func(minute int, event domain.Event, d domain.ReceiptDetail) domain.Entry {
		return domain.Entry{Time: then.Add(time.Duration(minute) * time.Minute), Event: event, Reason: d.String()}
	}
	paid := domain.ReceiptDetail{ID: "aaaaaaaaaaaaaaaaaappppaaid", Type: domain.TransactionPIN, TxnHash: "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"}
	signedIn := domain.ReceiptDetail{ID: "aaaaaaaaaaaaaaaasignedinaa", Type: domain.Passcode}
	before := domain.ReceiptDetail{ID: "aaaaaaaaaaaaaaaaaabeforeaa", Type: domain.TransactionPIN}
	v.store.entries = []domain.Entry{
		entry(9, domain.EventReceiptRedeemed, before), // by a copy of the database
		entry(8, domain.EventReceiptRedeemed, paid), entry(7, domain.EventReceiptIssued, paid), {Event: domain.EventCredentialVerified, Reason: paid.String()},
		entry(6, domain.EventReceiptIssued, signedIn), entry(5, domain.EventReceiptRedeemed, before),
	}
	want := []string{
		"…beforeaa Transaction PIN earlier 2026-03-01 12:05:00Z 2 times none",
		"…ppppaaid Transaction PIN 2026-03-01 12:07:00Z 2026-03-01 12:08:00Z n4bQgYhM…",
		"…gnedinaa Passcode 2026-03-01 12:06:00Z no none",
	}
	for page, body := range v.both() {
		if diff := cmp.Diff(want, rowsOf(body, "Receipts")); diff != "" {
			t.Errorf("page of the %s (-want +got):\n%s", page, diff)
		}
		for _, text := range []string{`title="` + paid.ID + `"`, "txn_hash: " + paid.TxnHash, "event=receipt.issued", "event=receipt.redeemed", "accountId=" + someAccount} {
			if !strings.Contains(body, text) {
				t.Errorf("page of the %s lacks %s", page, text)
			}
		}
		if strings.Contains(html.UnescapeString(body), "&deviceId="+url.QueryEscape(plain)+"&event=receipt.issued") != (page == "device") {
			t.Errorf("page of the %s: the search is for the wrong receipts", page)
		}
	}
	v.store.entries[3].Tampered, v.store.entries[2].Tampered = true, true
	if body := v.both()["account"]; !strings.Contains(rowsOf(body, "Receipts")[1], "…ppppaaid edited Transaction PIN") {
		t.Errorf("an edited entry is not marked: %q", rowsOf(body, "Receipts"))
	}
	for range 300 {
		v.store.entries = append(v.store.entries, entry(1, domain.EventReceiptIssued, domain.ReceiptDetail{ID: domain.NewID()}))
	}
	if body := v.both()["device"]; len(rowsOf(body, "Receipts")) != mostReceipts || len(rowsOf(body, "History")) > 2*mostHistory {
		t.Error("the lists are not limited")
	}
	v.store.entries = v.store.entries[3:4]
	for more, says := range map[string]string{"": "The trail has no receipts.", "a position": "The latest 1 entry has no receipt. Search the trail for earlier ones."} {
		v.store.more = more
		if body := v.both()["device"]; !strings.Contains(body, says) {
			t.Errorf("the page does not say: %s", says)
		}
	}
}

// A search of the trail reads a limited number of entries. If it stops there, the trail may
// still have matches.
func TestAStoppedSearchIsNotAnEmptyTrail(t *testing.T) {
	v := visitOf(t, domain.RoleViewer, plain)
	v.store.entries = []domain.Entry{}
	for _, body := range v.both() {
		if !strings.Contains(body, "The trail has no receipts.") || !strings.Contains(body, "The trail has no entries") {
			t.Error("the page does not say that the trail has nothing")
		}
	}
	v.store.more = "a position"
	for page, body := range v.both() {
		if strings.Count(body, " was found among the entries searched.") != 2 || strings.Contains(body, "The trail has no") || strings.Contains(body, "latest 0") {
			t.Errorf("the page of the %s says what the search did not find out", page)
		}
	}
}

func TestTheTrailOfADeviceIsThatOfItsExactID(t *testing.T) {
	v := visitOf(t, domain.RoleViewer, " phone ")
	var asked domain.EntryFilter
	v.store.trail = func(f domain.EntryFilter) bool { asked = f; return true }
	page := v.send("GET", "/device?"+url.Values{"account": {someAccount}, "id": {" phone "}}.Encode(), nil).Body.String()
	link := regexp.MustCompile(`/audit\?[^"]*deviceId=[^"]*`).FindString(page)
	if !strings.Contains(page, `\u0020phone\u0020`) || link == "" {
		t.Fatalf("the page shows no spaces, or has no link to the trail: %q", link)
	}
	if w := v.send("GET", html.UnescapeString(link), nil); w.Code != http.StatusOK || asked.DeviceID != " phone " {
		t.Errorf("%s: %d, and searches for %q", link, w.Code, asked.DeviceID)
	}
}

func TestAnExportIsAFileForOperators(t *testing.T) {
	path := "/accounts/" + someAccount + "/export"
	v := visitOf(t, domain.RoleOperator, plain)
	if body := v.both()["account"]; !strings.Contains(body, `href="`+path+`"`) {
		t.Error("the page of the account has no link to the export")
	}
	if body := v.send("GET", path, nil).Body.String(); strings.Contains(body, "data-once") || !strings.Contains(body, "contains personal data") {
		t.Error("the form can be sent once only, or does not warn")
	}
	for range 2 { // the browser stays on the page
		w := v.send("POST", path, filled(""))
		if got := w.Header(); w.Code != http.StatusOK || w.Body.String() != exported || got.Get("Content-Type") != "application/json" || got.Get("Location") != "" || got.Get("Cache-Control") != "no-store" ||
			got.Get("Content-Disposition") != "attachment; filename=strongroom-account-"+someAccount+".json" {
			t.Fatalf("%d %v %s", w.Code, w.Header(), w.Body)
		}
	}
	if done := v.store.done; len(done) != 2 || done[0] != done[1] || done[0].Reason != "asked" {
		t.Errorf("done %+v", done)
	}

	v.store.erased = true
	if w := v.send("POST", path, filled("")); w.Code != http.StatusNotFound || w.Header().Get("Content-Disposition") != "" {
		t.Errorf("of an erased account: %d %v", w.Code, w.Header())
	}
	v.store.erased, v.store.broken = false, errors.New("the database is gone")
	cut := func() (cut any) {
		defer func() { cut = recover() }()
		v.send("POST", path, filled(""))
		return nil
	}()
	if cut != http.ErrAbortHandler {
		t.Errorf("half a file ends with %v", cut)
	}

	viewer := visitOf(t, domain.RoleViewer, plain)
	if strings.Contains(viewer.both()["account"], path) {
		t.Error("a viewer has a link to the export")
	}
}
