package admin

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/apierr"
	"strongroom/internal/domain"
	"strongroom/internal/operatorapi"
	"strongroom/internal/stack"
)

// In a synctest bubble the clock stands still, so no midnight passes.
func TestArgumentsReachTheUseCase(t *testing.T) { synctest.Test(t, argumentsReachTheUseCase) }

func argumentsReachTheUseCase(t *testing.T) {
	time.Sleep(time.Until(noon.AddDate(1, 0, 0))) // otherwise noon would be in the future
	page := domain.Page{Limit: defaultLimit}
	why := domain.Act{Reason: "lost"}
	for target, want := range map[string][]any{
		"GET /devices":                                       {domain.DeviceFilter{}, page},
		"GET /devices?deviceId=a%20b%2B":                     {domain.DeviceFilter{DeviceID: "a b+"}, page},
		"GET /devices?prefix=%F0%9F%98%80&after=x&limit=200": {domain.DeviceFilter{Prefix: "😀"}, domain.Page{After: "x", Limit: 200}},
		"GET /devices?accountId=" + id:                       {domain.DeviceFilter{AccountID: id}, page},
		"GET /devices?keyId=" + keyID + "&limit=1":           {domain.DeviceFilter{KeyID: keyID}, domain.Page{Limit: 1}},
		"GET /keys/" + keyID:                                 {keyID},
		"GET /accounts?prefix=al":                            {domain.AccountFilter{Prefix: "al"}, page},
		"GET /audit?to=2026-03-01%2012:00Z":                  {domain.EntryFilter{To: noon.Truncate(time.Hour)}, page},
		"GET /accounts?issuer=i&subject=s":                   {domain.AccountFilter{Issuer: "i", Subject: "s"}, page},
		"GET /accounts?prefix=p":                             {domain.AccountFilter{Prefix: "p"}, page},
		"GET /accounts/" + id:                                {id},
		"GET /locks?limit=7":                                 {domain.Page{Limit: 7}},
		"GET /locks/trend":                                   {24},
		"GET /locks/trend?hours=744":                         {744},
		"GET /operations?hours=0.25":                         {0.25},
		"GET /summary":                                       {24.0},
		"GET /audit?from=2026-03-01T13:00:00%2B01:00&to=2026-03-02T00:00:00.1234567Z&actor=operator&event=key.issued&outcome=ok": {domain.EntryFilter{Actor: "operator", Event: "key.issued", Outcome: "ok",
			From: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), To: time.Date(2026, 3, 2, 0, 0, 0, 123_456_000, time.UTC)}, page},
		"GET /audit?accountId=" + id + "&deviceId=d&keyId=" + keyID + "&record=key/x&requestId=" + requestID: {domain.EntryFilter{AccountID: id, DeviceID: "d", KeyID: keyID, Record: "key/x", RequestID: requestID}, page},
		"GET /audit?accountHash=441653b248b83f0e6bc94880f40da6cd":                                            {domain.EntryFilter{AccountHash: []byte("\x44\x16\x53\xb2\x48\xb8\x3f\x0e\x6b\xc9\x48\x80\xf4\x0d\xa6\xcd")}, page},
		"GET /rotation-plans/preview":                                                              {domain.RotationPlan{}}, // counts every key
		"GET /rotation-plans/preview?keySize=2048":                                                 {domain.RotationPlan{Bits: 2048}},
		"GET /audit/export?after=x&limit=3":                                                        {"x", 3},
		"GET /audit/export":                                                                        {"", maxExport},
		`POST /keys/` + keyID + `/revoke {"reason":" lost\n"}`:                                     {keyID, why},
		`POST /keys/` + keyID + `/unbind {"reason":"lost"}`:                                        {keyID, why},
		`POST /accounts/` + id + `/must-change {"reason":"lost","type":"TRANSACTION_PIN"}`:         {id, domain.TransactionPIN, why},
		`POST /accounts/` + id + `/unlock {"reason":"lost","type":"TRANSACTION_PIN"}`:              {id, domain.TransactionPIN, why},
		`POST /accounts/` + id + `/erase {"reason":"lost"}`:                                        {id, why},
		`POST /accounts/` + id + `/export {"reason":"lost"}`:                                       {id, why},
		"GET /webhook/dead-letters?limit=9&after=x":                                                {domain.DeadLetterFilter{}, domain.Page{After: "x", Limit: 9}},
		"GET /webhook/dead-letters?event=key.issued":                                               {domain.DeadLetterFilter{Event: "key.issued"}, page},
		`POST /webhook/dead-letters/resend {"reason":"lost"}`:                                      {domain.DeadLetterFilter{}, why},
		`POST /webhook/dead-letters/resend {"reason":"lost","event":"key.issued"}`:                 {domain.DeadLetterFilter{Event: "key.issued"}, why},
		`POST /webhook/dead-letters/` + requestID + `/resend {"reason":"lost"}`:                    {requestID, why},
		`POST /data-keys/rewrap/pause {"reason":"lost"}`:                                           {true, why},
		`POST /data-keys/rewrap/resume {"reason":"lost"}`:                                          {false, why},
		`POST /rotation-plans/` + requestID + `/stop {"reason":"lost"}`:                            {requestID, why},
		`POST /rotation-plans {"reason":"lost","keySize":2048,"refuseUse":true}`:                   {domain.RotationPlan{Bits: 2048, RefuseUse: true}, why},
		`POST /rotation-plans {"reason":"lost","algorithm":"RSA-OAEP-256","keySize":null}`:         {domain.RotationPlan{CreatedBefore: today(), Algorithm: "RSA-OAEP-256"}, why},
		`POST /rotation-plans {"reason":"lost","algorithm":"HPKE-X25519","refuseUse":true}`:        {domain.RotationPlan{Algorithm: "HPKE-X25519", RefuseUse: true}, why},
		`POST /rotation-plans {"reason":"lost","upgrade":true}`:                                    {domain.RotationPlan{Algorithm: "RSA-OAEP-256", Upgrade: true}, why},
		`POST /rotation-plans {"reason":"lost","algorithm":"HPKE-X25519","keySize":2048}`:          {domain.RotationPlan{Algorithm: "HPKE-X25519", Bits: 2048}, why},
		`POST /rotation-plans {"reason":"lost","createdBefore":"2026-03-01T13:00:00.44398+01:00"}`: {domain.RotationPlan{CreatedBefore: noon}, why},
		`POST /rotation-plans {"reason":"lost","olderThanDays":30}`:                                {domain.RotationPlan{CreatedBefore: today().AddDate(0, 0, -30)}, why},
	} {
		f := &fake{}
		if a := f.do(callOf(target)); a.Code != http.StatusOK {
			t.Errorf("%s: %d %s", target, a.Code, a.text)
		}
		if diff := cmp.Diff(want, f.asked); diff != "" {
			t.Errorf("%s:\n%s", target, diff)
		}
		if f.caller.Name != "token:1f2e3d4c" {
			t.Errorf("%s: by %q", target, f.caller.Name)
		}
	}
}

// callOf is a call by an operator as "METHOD path body".
func callOf(text string) call {
	method, rest, _ := strings.Cut(text, " ")
	target, body, _ := strings.Cut(rest, " ")
	return call{method: method, target: Root + target, body: body, role: domain.RoleOperator}
}

func TestInvalidInputIsRefusedAndNamed(t *testing.T) {
	v := newValidator(t)
	long := strings.Repeat("x", 257)
	for target, want := range map[string]struct{ field, detail string }{
		"GET /devices?deviceId=":                                                        {"deviceId", "must not be empty"},
		"GET /devices?deviceId=" + long:                                                 {"deviceId", "must be at most 256 bytes"},
		"GET /devices?prefix=a%00" + canary:                                             {"prefix", "must be UTF-8 without control characters"},
		"GET /devices?prefix=%ff" + canary:                                              {"prefix", "must be UTF-8 without control characters"},
		"GET /devices?prefix=%C2%9B" + canary:                                           {"prefix", "must be UTF-8 without control characters"},
		"GET /devices?keyId=" + canary:                                                  {"keyId", "must be an id of 26 characters"},
		"GET /devices?accountId=" + strings.ToUpper(id):                                 {"accountId", "must be an id of 26 characters"},
		"GET /devices?" + canary + "=1":                                                 {"", "There is no such query parameter; allowed: deviceId,"},
		"GET /devices?deviceID=" + canary:                                               {"deviceID", "There is no such query parameter as deviceID; allowed: deviceId,"},
		"GET /devices?" + strings.Repeat("x", 25) + "=1":                                {"", "There is no such query parameter; allowed"},
		"GET /devices?%zz=" + canary:                                                    {"", "not well-formed"},
		"GET /devices?a;b=" + canary:                                                    {"", "not well-formed"},
		"GET /devices?prefix=" + strings.Repeat("x", 58e3):                              {"", "must be at most 57344 bytes"},
		"GET /devices?limit=0":                                                          {"limit", "must be a whole number from 1 to 200"},
		"GET /devices?limit=201":                                                        {"limit", "must be a whole number from 1 to 200"},
		"GET /devices?limit=-1":                                                         {"limit", "must be a whole number from 1 to 200"},
		"GET /devices?limit=%2B5":                                                       {"limit", "must be a whole number from 1 to 200"},
		"GET /devices?limit=99999999999999999999":                                       {"limit", "must be a whole number from 1 to 200"},
		"GET /audit/export?limit=1001":                                                  {"limit", "must be a whole number from 1 to 1000"},
		"GET /locks/trend?hours=0.5":                                                    {"hours", "must be a whole number from 1 to 744"},
		"GET /summary?hours=0":                                                          {"hours", "must be a number above 0"},
		"GET /summary?hours=NaN":                                                        {"hours", "must be a number above 0"},
		"GET /summary?hours=0x10":                                                       {"hours", "must be a number above 0"},
		"GET /summary?hours=1e3":                                                        {"hours", "must be a number above 0"},
		"GET /operations?hours=87841":                                                   {"hours", "must be a number above 0"},
		"GET /audit?from=yesterday":                                                     {"from", "must be a time as"},
		"GET /audit?from=1969-12-31T00:00:00Z":                                          {"from", "must be a time as"},
		"GET /audit?from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z":                  {"to", "must be later than from"},
		"GET /audit?event=" + long:                                                      {"event", "must be at most 64 bytes"},
		"GET /audit?accountHash=" + id:                                                  {"accountHash", "must be 32 hexadecimal digits"},
		"GET /audit?accountHash=441653B248B83F0E6BC94880F40DA6CD":                       {"accountHash", "must be 32 hexadecimal digits"},
		"GET /health?hours=1":                                                           {"hours", "There is no such query parameter as hours; this operation has none."},
		`POST /keys/` + keyID + `/revoke?reason=x {"reason":"lost"}`:                    {"reason", "There is no such query parameter as reason; this operation has none."},
		`POST /keys/` + keyID + `/revoke {}`:                                            {"reason", "is required and must be a string"},
		`POST /keys/` + keyID + `/revoke {"reason":7}`:                                  {"reason", "is required and must be a string"},
		`POST /keys/` + keyID + `/revoke {"reason":" "}`:                                {"reason", "must be 1 to 500 characters"},
		`POST /keys/` + keyID + `/revoke {"reason":"a\u202e` + canary + `"}`:            {"reason", "must hold printable characters"},
		`POST /keys/` + keyID + `/revoke {"reason":"lost","note":"` + canary + `"}`:     {"note", "There is no such member of the body as note; allowed: reason."},
		`POST /keys/` + keyID + `/revoke {"reason":"lost","` + canary + `":1}`:          {"", "There is no such member of the body; allowed: reason."},
		`POST /accounts/` + id + `/unlock {"reason":"lost"}`:                            {"type", "must be PASSCODE or TRANSACTION_PIN"},
		`POST /accounts/` + id + `/unlock {"reason":"lost","type":"` + canary + `"}`:    {"type", "must be PASSCODE or TRANSACTION_PIN"},
		`POST /rotation-plans {"reason":"lost"}`:                                        {"", "Select the keys"},
		`POST /rotation-plans {"reason":"lost","keySize":1024}`:                         {"keySize", "must be 2048, 3072 or 4096"},
		`POST /rotation-plans {"reason":"lost","keySize":"2048"}`:                       {"keySize", "must be 2048, 3072 or 4096"},
		`POST /rotation-plans {"reason":"lost","algorithm":"` + canary + `"}`:           {"algorithm", "must be one of RSA-OAEP-256, HPKE-X25519, HPKE-XWING"},
		`POST /rotation-plans {"reason":"lost","olderThanDays":1.5}`:                    {"olderThanDays", "must be a whole number from 1 to 36500"},
		`POST /rotation-plans {"reason":"lost","olderThanDays":0}`:                      {"olderThanDays", "must be a whole number from 1 to 36500"},
		`POST /rotation-plans {"reason":"lost","createdBefore":"2999-01-01T00:00:00Z"}`: {"createdBefore", "must not be in the future"},
		`POST /rotation-plans {"reason":"lost","createdBefore":"2026-01-01T00:00:00Z","olderThanDays":1}`: {"olderThanDays", "cannot be combined"},
		`POST /rotation-plans {"reason":"lost","keySize":2048,"refuseUse":"yes"}`:                         {"refuseUse", "must be true or false"},
	} {
		checkRefused(t, v, callOf(target), want.field, want.detail)
	}
}

func TestRequestsOfTheWrongShapeAreRefused(t *testing.T) {
	v := newValidator(t)
	const revoke = "POST /keys/" + keyID + "/revoke "
	for name, tc := range map[string]struct {
		call
		code   domain.Code
		status int
	}{
		"an unknown path":          {callOf("GET /" + canary), domain.CodeNotFound, 404},
		"a path with a slash more": {callOf("GET /devices/"), domain.CodeNotFound, 404},
		"an unclean path":          {callOf("GET //devices/../" + canary), domain.CodeNotFound, 404},
		"an unclean path, encoded": {callOf("GET /%2e%2e/" + canary), domain.CodeNotFound, 404},
		"an invalid id":            {callOf("GET /keys/" + canary), domain.CodeNotFound, 404},
		"an id with a slash":       {callOf("GET /keys/" + keyID + "%2Frevoke"), domain.CodeNotFound, 404},
		"an id in capitals":        {callOf("POST /accounts/" + strings.ToUpper(id) + `/erase {"reason":"lost"}`), domain.CodeNotFound, 404},
		"an unsupported method":    {callOf("DELETE /accounts/" + id), domain.CodeMethodNotAllowed, 405},
		"a made-up method":         {callOf("HUNTER2CANARY /devices"), domain.CodeMethodNotAllowed, 405},
		"GET of a write":           {callOf("GET /keys/" + keyID + "/revoke"), domain.CodeMethodNotAllowed, 405},
		"a form":                   {withHeader(callOf(revoke+"reason=lost"), "Content-Type", "application/x-www-form-urlencoded"), domain.CodeUnsupportedMedia, 415},
		"no body":                  {callOf(revoke), domain.CodeBadRequest, 400},
		"a list":                   {callOf(revoke + `[]`), domain.CodeBadRequest, 400},
		"a member twice":           {callOf(revoke + `{"reason":"` + canary + `","reason":"b"}`), domain.CodeBadRequest, 400},
		"trailing bytes":           {callOf(revoke + `{"reason":"a"}{}`), domain.CodeBadRequest, 400},
		"a huge body":              {callOf(revoke + `{"reason":"` + strings.Repeat("x", maxBody) + `"}`), domain.CodePayloadTooLarge, 413},
		"another origin":           {withHeader(callOf(revoke+`{"reason":"a"}`), "Origin", "https://"+canary+".example"), domain.CodeForbidden, 403},
		"another site":             {withHeader(callOf(revoke+`{"reason":"a"}`), "Sec-Fetch-Site", "cross-site"), domain.CodeForbidden, 403},
		"two idempotency keys":     {withHeader(callOf(revoke+`{"reason":"a"}`), "Idempotency-Key", canary, "b"), domain.CodeBadUserInput, 400},
		"an empty idempotency key": {withHeader(callOf(revoke+`{"reason":"a"}`), "Idempotency-Key", ""), domain.CodeBadUserInput, 400},
		"a long idempotency key":   {withHeader(callOf(revoke+`{"reason":"a"}`), "Idempotency-Key", strings.Repeat("x", 129)), domain.CodeBadUserInput, 400},
	} {
		f := &fake{}
		a := f.do(tc.call)
		p := problemOf(t, v, tc.call, a)
		if p.Code != tc.code || a.Code != tc.status || f.asked != nil {
			t.Errorf("%s: %v, asked %v", name, p, f.asked)
		}
		if diff := cmp.Diff([]domain.Code{tc.code}, a.refused); diff != "" {
			t.Errorf("%s: refused %s", name, diff)
		}
		if allow := a.Header().Get("Allow"); (allow != "") != (tc.status == 405) {
			t.Errorf("%s: Allow is %q", name, allow)
		}
	}
	if allow := (&fake{}).do(callOf("PUT /rotation-plans")).Header().Get("Allow"); allow != "GET, HEAD, POST" {
		t.Errorf("Allow: %q", allow)
	}
}

func withHeader(c call, name string, values ...string) call {
	c.header = http.Header{name: values}
	return c
}

func TestViewersOnlyReadAndCallersWithoutARoleDoNothing(t *testing.T) {
	s, v := readSpec(t), newValidator(t)
	for _, op := range table() {
		d := s.operation(t, op)
		c := call{method: op.method, target: d.target(op), body: `{"reason":"asked","type":"PASSCODE","keySize":2048}`}
		if op.method != http.MethodGet { // whatever else is wrong
			c.target = strings.NewReplacer(id, "x", keyID, "x", requestID, "x").Replace(c.target) + "?nope=1"
		}
		for _, role := range []domain.Role{domain.NoRole, domain.RoleViewer} {
			c.role = role
			f := &fake{}
			a := f.do(c)
			if role == domain.RoleViewer && op.method == http.MethodGet {
				if a.Code != http.StatusOK {
					t.Errorf("viewer, %s: %d", c.target, a.Code)
				}
				continue
			}
			if p := problemOf(t, v, c, a); p.Code != domain.CodeForbidden || f.asked != nil {
				t.Errorf("role %d, %s: %v, asked %v", role, c.target, p, f.asked)
			}
		}
	}
}

func TestTheRequestLogLineNamesOperationAndOutcome(t *testing.T) {
	failing := &fake{err: domain.Overloaded()}
	viewer := callOf(`POST /keys/` + keyID + `/revoke {"reason":"lost"}`)
	viewer.role = domain.RoleViewer
	for want, a := range map[string]answered{
		"[operation=key outcome=ok]":                     (&fake{}).do(callOf("GET /keys/" + keyID)),
		"[operation=key outcome=NOT_FOUND]":              (&fake{}).do(callOf("GET /keys/" + canary)),
		"[operation=devices outcome=BAD_USER_INPUT]":     (&fake{}).do(callOf("GET /devices?limit=0")),
		"[operation=exportAudit outcome=OVERLOADED]":     failing.do(callOf("GET /audit/export")),
		"[operation=revokeKey outcome=FORBIDDEN]":        (&fake{}).do(viewer),
		"[outcome=NOT_FOUND]":                            (&fake{}).do(callOf("GET /" + canary)),
		"[outcome=METHOD_NOT_ALLOWED]":                   (&fake{}).do(callOf("DELETE /devices")),
		"[operation=startRotationPlan outcome=ok]":       (&fake{}).do(callOf(`POST /rotation-plans {"reason":"lost","keySize":2048}`)),
		"[operation=rotationPlans outcome=ok]":           (&fake{}).do(callOf("HEAD /rotation-plans")),
		"[operation=eraseAccount outcome=BAD_REQUEST]":   (&fake{}).do(callOf("POST /accounts/" + id + "/erase")),
		"[operation=resendDeadLetter outcome=NOT_FOUND]": (&fake{}).do(callOf("POST /webhook/dead-letters/1/resend")),
	} {
		if a.line != want {
			t.Errorf("%s, want %s", a.line, want)
		}
	}
}

func TestUseCaseErrorsBecomeProblemsWithoutInternalDetails(t *testing.T) {
	v := newValidator(t)
	for name, tc := range map[string]struct {
		err        error
		status     int
		retryAfter string
		want       apierr.Problem
	}{
		"bad input": {fmt.Errorf("reading: %w", domain.BadInput("after", "is not a position")), 400, "", apierr.Problem{Code: domain.CodeBadUserInput, Detail: "after is not a position.", Field: "after"}},
		"unknown":   {&domain.Error{Code: domain.CodeNotFound, Message: "There is no key."}, 404, "", apierr.Problem{Code: domain.CodeNotFound, Detail: "There is no key."}},
		"conflict":  {&domain.Error{Code: domain.CodeConflict, Message: "One runs."}, 409, "", apierr.Problem{Code: domain.CodeConflict, Detail: "One runs."}},
		"full":      {domain.Overloaded(), 503, "1", apierr.Problem{Code: domain.CodeOverloaded, Detail: domain.Overloaded().Message}},
		"a failure": {errors.New("SELECT " + "10.0.0.1"), 500, "", apierr.Problem{Code: domain.CodeInternal, Detail: "The service failed. Its log has the cause under the request id."}},
		"a code that is not ours": {&domain.Error{Code: domain.CodeGraphQLInvalid, Message: "10.0.0.1"}, 500, "",
			apierr.Problem{Code: domain.CodeInternal, Detail: "The service failed. Its log has the cause under the request id."}},
	} {
		for _, target := range []string{"GET /devices", "GET /audit/export", `POST /accounts/` + id + `/erase {"reason":"lost"}`} {
			c := callOf(target)
			a := (&fake{err: tc.err}).do(c)
			p := problemOf(t, v, c, a)
			if p.Code != tc.want.Code || p.Detail != tc.want.Detail || p.Field != tc.want.Field || a.Code != tc.status || a.Header().Get("Retry-After") != tc.retryAfter {
				t.Errorf("%s: %d %v %v", name, a.Code, a.Header(), p)
			}
			if logged := strings.Count(a.log, "10.0.0.1"); logged != 0 != (tc.status == 500) || logged > 1 || len(a.refused) > 0 {
				t.Errorf("%s: the log is %q, refused %v", name, a.log, a.refused)
			}
		}
	}
}

func TestUnprintableCharactersAreEscaped(t *testing.T) {
	f := &fake{}
	a := f.do(callOf("GET /devices"))
	var got List[Device]
	if err := json.Unmarshal([]byte(a.text), &got); err != nil {
		t.Fatal(err)
	}
	d := got.Items[0]
	if d.Account.Subject != "al\u202eice" || d.Keys[0].AppVersion != "4.2\u009b2J" {
		t.Errorf("what was stored: %q %q", d.Account.Subject, d.Keys[0].AppVersion)
	}
	for _, want := range []string{`"al\u202eice"`, `"4.2\u009b2J"`} {
		if !strings.Contains(a.text, want) {
			t.Errorf("%s is not in %s", want, a.text)
		}
	}
	beyond, err := encode("\U000e0001é😀\x7f")
	if err != nil || string(beyond) != `"\udb40\udc01é😀\u007f"`+"\n" {
		t.Errorf("%s, %v", beyond, err)
	}
}

func TestEditedTimesDoNotBreakAnswers(t *testing.T) {
	defer func(was time.Time) { noon = was }(noon)
	for micros, want := range map[int64]string{
		300_000_000_000_000_000: `"9999-12-31T23:59:59.999999Z"`, // in the year 11476
		math.MaxInt64:           `"9999-12-31T23:59:59.999999Z"`,
		math.MinInt64:           `"0001-01-01T00:00:01Z"`,
	} {
		noon = domain.FromMicros(micros)
		for _, target := range []string{"/devices", "/keys/" + keyID, "/accounts", "/accounts/" + id, "/locks", "/suspicions", "/health",
			"/operations", "/audit", "/rotation-plans", "/root-keys", "/data-keys", "/webhook", "/webhook/dead-letters"} {
			if a := (&fake{}).do(callOf("GET " + target)); a.Code != http.StatusOK || !strings.Contains(a.text, want) {
				t.Errorf("%s of %d: %d %s", target, micros, a.Code, a.text)
			}
		}
	}
}

func TestAnExportSaysWhereToContinue(t *testing.T) {
	a := (&fake{}).do(callOf("GET /audit/export"))
	if a.Header().Get(NextHeader) != "position" || a.text != `{"chain":"chain"}`+"\n" {
		t.Errorf("%v %s", a.Header(), a.text)
	}
	if a := (&fake{bare: true}).do(callOf("GET /audit/export")); a.Header()[NextHeader] != nil {
		t.Errorf("at the end: %v", a.Header())
	}
}

// FuzzRequest sends any bytes to any path. The answer is always JSON of the described
// form, nothing fails, and nothing of the request comes back.
func FuzzRequest(f *testing.F) {
	for _, op := range table() {
		path := strings.NewReplacer("{keyId}", keyID, "{accountId}", id, "{planId}", requestID).Replace(op.path)
		f.Add(op.method, path, "limit=1&"+strings.Join(op.query, "=1&"), `{"reason":"a","type":"PASSCODE","keySize":2048}`, "key")
	}
	f.Add("POST", "/rotation-plans", "", `{"reason":"a","createdBefore":"2026-01-01T00:00:00Z","olderThanDays":1e1}`, "\xff")
	f.Add("GET", "/../x", "after=%00&hours=1e999", `{"reason":{"a":[]}}`, "")
	v := newValidator(f)
	f.Fuzz(func(t *testing.T, method, path, query, body, key string) {
		v.t = t
		target := (&url.URL{Path: Root + path, RawQuery: query}).String()
		if _, err := http.ReadRequest(bufio.NewReader(strings.NewReader(method + " " + target + " HTTP/1.0\r\n\r\n"))); err != nil {
			t.Skip("not a request that net/http hands on")
		}
		uc := &fake{}
		a := uc.do(call{method: method, target: target, body: body, header: http.Header{"Idempotency-Key": {key}}, role: domain.RoleOperator})
		if a.Code == http.StatusOK {
			return
		}
		var p apierr.Problem
		if err := json.Unmarshal([]byte(a.text), &p); err != nil || a.Code >= 500 || uc.asked != nil || a.log != "" {
			t.Fatalf("%d %s, asked %v, log %s", a.Code, a.text, uc.asked, a.log)
		}
		v.checkText(target, problemSchema, a.text)
	})
}

// Reads take turns, and a client that disconnects gives up its turn.
func TestReadsHappenOneAtATime(t *testing.T) {
	p := newPace()
	reading, finish, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = p.read(t.Context(), func() (any, error) {
			close(reading)
			<-finish
			return nil, nil
		})
	}()
	<-reading
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := p.read(gone, func() (any, error) { t.Error("two read at once"); return nil, nil }); err == nil {
		t.Error("a client that disconnected was answered")
	}
	close(finish)
	<-ended
	if got, err := p.read(t.Context(), func() (any, error) { return "read", nil }); got != "read" || err != nil {
		t.Errorf("after the rest: %v, %v", got, err)
	}
}

// A client that reads page after page waits. A person who looks something up does not.
func TestAReaderWithoutAPauseIsSlowedDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPace()
		took := func(reads int) time.Duration {
			start := time.Now()
			for range reads {
				_, _ = p.read(t.Context(), func() (any, error) { time.Sleep(10 * time.Millisecond); return nil, nil })
			}
			return time.Since(start)
		}
		if first := took(10); first != 100*time.Millisecond {
			t.Errorf("the first ten reads of 10 ms took %v", first)
		}
		// Each read of 10 ms has a pause of 190 ms.
		if took(10); took(10) < 1900*time.Millisecond {
			t.Error("ten reads after many did not wait for their pauses")
		}
		time.Sleep(restLater)
		if again := took(10); again != 100*time.Millisecond {
			t.Errorf("after a quiet time, ten reads of 10 ms took %v", again)
		}
	})
}

// A panic of a read reaches the request's goroutine, with the place where it began.
func TestAPanicOfAReadReachesItsRequest(t *testing.T) {
	p := newPace()
	func() {
		defer func() {
			if kind, where := stack.Of(recover()); kind != "string" || !strings.Contains(where, "TestAPanicOfAReadReachesItsRequest") {
				t.Errorf("%s at %s", kind, where)
			}
		}()
		_, _ = p.read(t.Context(), func() (any, error) { panic("a read") })
	}()
	if got, err := p.read(t.Context(), func() (any, error) { return "read", nil }); got != "read" || err != nil {
		t.Errorf("after the panic: %v, %v", got, err)
	}
}

// slow is a service whose health takes a minute to read.
type slow struct{ *fake }

func (slow) Health(context.Context) (domain.Health, error) {
	time.Sleep(time.Minute)
	return domain.Health{}, nil
}

// The operator side has few connections. A viewer who sends many reads at once must not
// fill them, because operators need some to revoke a key.
func TestManyReadsOfOneOperatorLeaveRoomForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const maxReadsOfOperator = 8
		f := &fake{}
		refused := 0
		h := Handler(Config{UseCases: operatorapi.UseCases{Inventory: f, Status: slow{f}}, Log: slog.New(slog.DiscardHandler),
			Refused: func(context.Context, domain.Code) { refused++ }})
		ask := func(operator, text string) *httptest.ResponseRecorder {
			c, w := callOf(text), httptest.NewRecorder()
			r := httptest.NewRequest(c.method, c.target, strings.NewReader(c.body))
			r.Header.Set("Content-Type", "application/json")
			h.ServeHTTP(w, r.WithContext(domain.WithOperator(r.Context(), domain.Operator{Name: operator, Role: domain.RoleOperator})))
			return w
		}
		var reading sync.WaitGroup
		read := func(operator string, times int) {
			for range times {
				reading.Go(func() {
					if w := ask(operator, "GET /health"); w.Code != http.StatusOK {
						t.Errorf("a read of %s: %d %s", operator, w.Code, w.Body)
					}
				})
			}
			synctest.Wait()
		}
		start := time.Now()
		mustRefuse := func(operator string, status int, reason string) {
			t.Helper()
			w := ask(operator, "GET /health")
			if w.Code != status || !strings.Contains(w.Body.String(), reason) || w.Header().Get("Retry-After") != "1" || time.Since(start) > 0 {
				t.Errorf("one more read of %s: %d %v %s after %v", operator, w.Code, w.Header(), w.Body, time.Since(start))
			}
		}
		read("the viewer", maxReadsOfOperator)
		mustRefuse("the viewer", http.StatusTooManyRequests, domain.ReasonReadsInProgress)
		for n := 1; n < maxReads/maxReadsOfOperator; n++ {
			read(fmt.Sprint("viewer ", n), maxReadsOfOperator)
		}
		mustRefuse("the operator", http.StatusServiceUnavailable, domain.ReasonAtCapacity)
		if w := ask("the operator", `POST /keys/`+keyID+`/revoke {"reason":"stolen phone"}`); w.Code != http.StatusOK || time.Since(start) > 0 {
			t.Errorf("the operator revokes a key: %d %s after %v", w.Code, w.Body, time.Since(start))
		}
		reading.Wait()
		read("the viewer", maxReadsOfOperator)
		reading.Wait()
		if refused != 2 {
			t.Errorf("%d refusals were counted", refused)
		}
	})
}
