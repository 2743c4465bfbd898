package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// operatorOf is somebody with the admin token of an instance, who holds every
// answer against the OpenAPI document of that instance.
type operatorOf struct {
	*instance
	document map[string]any
	schemas  *jsonschema.Compiler
}

const openAPI = "https://strongroom.invalid/openapi.json"

func operate(i *instance) operatorOf {
	i.t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(i.operator("/admin/v1/openapi.json")))
	if err != nil {
		i.t.Fatal(err)
	}
	o := operatorOf{i, doc.(map[string]any), jsonschema.NewCompiler()}
	o.schemas.DefaultDraft(jsonschema.Draft2020)
	o.schemas.AssertFormat()
	if err := o.schemas.AddResource(openAPI, doc); err != nil {
		i.t.Fatal(err)
	}
	return o
}

// ask sends one request below /admin/v1 and returns the answer, which must
// have this status.
func (o operatorOf) ask(status int, method, target, body string, header ...string) map[string]any {
	o.t.Helper()
	a := o.raw(method, target, body, header...)
	if a.Status != status {
		o.t.Fatalf("%s %s: %d %s", method, target, a.Status, a.Body)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(a.Body))
	if err != nil {
		o.t.Fatalf("%s %s: %v: %s", method, target, err, a.Body)
	}
	if err := o.schemaOf(method, target, status).Validate(value); err != nil {
		o.t.Errorf("%s %s: %v: %s", method, target, err, a.Body)
	}
	return value.(map[string]any)
}

func (o operatorOf) raw(method, target, body string, header ...string) answer {
	o.t.Helper()
	req, err := http.NewRequest(method, o.admin+"/admin/v1"+target, strings.NewReader(body))
	if err != nil {
		o.t.Fatal(err)
	}
	req.Header.Set("Authorization", o.bearer())
	req.Header.Set("Content-Type", "application/json")
	for n := 0; n < len(header); n += 2 {
		req.Header.Set(header[n], header[n+1])
	}
	resp, err := client.Do(req)
	if err != nil {
		o.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		o.t.Fatal(err)
	}
	return answer{Status: resp.StatusCode, Header: resp.Header, Body: text}
}

// schemaOf is how the document describes an answer.
func (o operatorOf) schemaOf(method, target string, status int) *jsonschema.Schema {
	o.t.Helper()
	target, _, _ = strings.Cut("/admin/v1"+target, "?")
	place := "components/schemas/Problem"
	if status == 200 {
		for path := range o.document["paths"].(map[string]any) {
			if regexp.MustCompile("^" + regexp.MustCompile(`\{[a-zA-Z]+\}`).ReplaceAllString(path, `[a-z2-7]{26}`) + "$").MatchString(target) {
				place = "paths/" + strings.ReplaceAll(path, "/", "~1") + "/" + strings.ToLower(method) + "/responses/200/content/application~1json/schema"
			}
		}
	}
	schema, err := o.schemas.Compile(openAPI + "#/" + strings.NewReplacer("{", "%7B", "}", "%7D").Replace(place))
	if err != nil {
		o.t.Fatalf("%s %s: %v", method, target, err)
	}
	return schema
}

// pages are the items of a list, read in parts.
func (o operatorOf) pages(target string, limit int) (items []map[string]any) {
	o.t.Helper()
	for after := ""; ; {
		page := o.ask(200, "GET", fmt.Sprintf("%s&limit=%d%s", target, limit, after), "")
		for _, item := range page["items"].([]any) {
			items = append(items, item.(map[string]any))
		}
		next, more := page["next"].(string)
		if !more {
			return items
		}
		after = "&after=" + url.QueryEscape(next)
	}
}

func items(answer map[string]any) []any { return answer["items"].([]any) }

// field follows names and indexes into an answer.
func field(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			v = v.(map[string]any)[p]
		case int:
			v = v.([]any)[p]
		}
	}
	return v
}

func TestOperatorsInspectAndManageTheServiceThroughItsAPI(t *testing.T) {
	t.Parallel()
	i := start(t)
	o := operate(i)
	phone := i.mustIssue(generate, "phone")
	for _, device := range []string{"phone 2", "phone-\u202etxt", "tablet"} {
		i.mustIssue(generate, device)
	}
	i.expect("set", i.try("setTransactionPin", phone, "493817"), "true")
	for range 5 {
		i.expect("guess", i.try("verifyTransactionPin", phone, "000000"), "false")
	}
	for path := range o.document["paths"].(map[string]any) {
		if a := i.get(i.base+path, i.bearer()); a.Status != 404 {
			t.Errorf("%s on the public side: %d", path, a.Status)
		}
	}
	for _, target := range []string{"", "/health", "/posture", "/operations", "/operations?hours=0.5", "/summary", "/suspicions", "/rotation-plans", "/rotation-plans/preview", "/openapi.json"} {
		o.ask(200, "GET", target, "")
	}

	devices := o.pages("/devices?prefix=phone", 1)
	if len(devices) != 3 || devices[0]["deviceId"] != "phone" || field(devices[0], "keys", 0, "keyId") != phone.ID || field(devices[0], "keyGeneration", "count") != json.Number("1") {
		t.Errorf("devices: %v", devices)
	}
	if a := o.raw("GET", "/devices?prefix=phone-", ""); !bytes.Contains(a.Body, []byte(`"phone-\u202etxt"`)) {
		t.Errorf("a deviceId with a right-to-left override: %s", a.Body)
	}
	key := o.ask(200, "GET", "/keys/"+phone.ID, "")
	account, _ := field(key, "account", "id").(string)
	if field(key, "keys", 0, "lastUsedAt") == nil {
		t.Errorf("a key that was used: %v", key)
	}
	if got := field(o.ask(200, "GET", "/accounts?subject=phone", ""), "items", 0, "id"); got != account {
		t.Errorf("the account of this subject: %v, not %v", got, account)
	}
	if got := field(o.ask(200, "GET", "/accounts/"+account, ""), "credentials", 1); field(got, "failures") != json.Number("5") || field(got, "lockedUntil") == nil {
		t.Errorf("a locked credential: %v", got)
	}
	if got := o.ask(200, "GET", "/locks", ""); len(items(got)) != 1 || field(got, "items", 0, "account", "subject") != "phone" {
		t.Errorf("locks: %v", got)
	}
	if trend := items(o.ask(200, "GET", "/locks/trend?hours=2", "")); field(trend[0], "locks") != json.Number("1") && field(trend[1], "locks") != json.Number("1") {
		t.Errorf("trend: %v", trend)
	}

	const why = `{"type":"TRANSACTION_PIN","reason":"she called back"}`
	first := o.ask(200, "POST", "/accounts/"+account+"/unlock", why, "Idempotency-Key", "ticket 1")
	again := o.ask(200, "POST", "/accounts/"+account+"/unlock", why, "Idempotency-Key", "ticket 1")
	if first["repeated"] != false || again["repeated"] != true || first["requestId"] != again["requestId"] || first["at"] != again["at"] {
		t.Errorf("a write and its repeat: %v, %v", first, again)
	}
	o.ask(400, "POST", "/accounts/"+account+"/erase", `{"reason":"she called back"}`, "Idempotency-Key", "ticket 1")
	i.expect("unlocked", i.try("verifyTransactionPin", phone, "493817"), "true")
	entry := o.ask(200, "GET", "/audit?requestId="+first["requestId"].(string), "")
	if len(items(entry)) != 1 || field(entry, "items", 0, "event") != "attempts.unlocked" || field(entry, "items", 0, "reason") != "she called back" ||
		!strings.HasPrefix(field(entry, "items", 0, "actor").(string), "operator:token:") {
		t.Errorf("the entry of the unlock: %v", entry)
	}
	if mine := o.pages("/audit?accountId="+account, 2); len(mine) < 5 || len(o.pages("/audit?actor=operator", 3)) != 1 {
		t.Errorf("the entries of the account: %v", mine)
	}

	plan := o.ask(200, "POST", "/rotation-plans", `{"keySize":2048,"refuseUse":true,"reason":"too short"}`)
	o.ask(409, "POST", "/rotation-plans", `{"keySize":2048,"reason":"too short"}`)
	i.expect("refused by the plan", i.try("verifyTransactionPin", phone, "493817"), "KEY_NOT_USABLE")
	if fresh := i.mustIssue(generate, "phone"); fresh.ID == phone.ID {
		t.Error("the plan replaced nothing")
	} else {
		i.expect("the next key", i.try("verifyTransactionPin", fresh, "493817"), "true")
		o.ask(200, "POST", "/keys/"+fresh.ID+"/revoke", `{"reason":"lost"}`)
		o.ask(409, "POST", "/keys/"+fresh.ID+"/revoke", `{"reason":"lost"}`)
	}
	stop := "/rotation-plans/" + plan["requestId"].(string) + "/stop"
	o.ask(200, "POST", stop, `{"reason":"enough"}`)
	o.ask(409, "POST", stop, `{"reason":"enough"}`)
	if plans := items(o.ask(200, "GET", "/rotation-plans", "")); len(plans) != 1 || field(plans[0], "selected") != json.Number("4") || field(plans[0], "stoppedAt") == nil {
		t.Errorf("plans: %v", plans)
	}

	o.ask(200, "POST", "/accounts/"+account+"/erase", `{"reason":"left"}`)
	o.ask(404, "GET", "/accounts/"+account, "")
	o.ask(404, "POST", "/accounts/"+account+"/erase", `{"reason":"left"}`)
	o.checkExport()
	i.auditIntact()
}

// checkExport holds an export in parts against that of the command.
func (o operatorOf) checkExport() {
	o.t.Helper()
	var whole []byte
	for after := ""; ; {
		a := o.raw("GET", "/audit/export?limit=7"+after, "")
		if a.Status != 200 || a.Header.Get("Content-Type") != "application/jsonl" {
			o.t.Fatalf("export: %d %s", a.Status, a.Body)
		}
		whole = append(whole, a.Body...)
		next := a.Header.Get("Strongroom-Next")
		if next == "" {
			break
		}
		after = "&after=" + url.QueryEscape(next)
	}
	out, code := o.command("audit", "export")
	if code != 0 || len(whole) < 1000 || !strings.HasPrefix(out, string(whole)) {
		o.t.Errorf("the export by the API has %d bytes, and is not how that of the command begins, %d:\n%s\n%s", len(whole), code, whole, out)
	}
}

func TestAdminCommandsAskAServerWithATokenFileOrVariable(t *testing.T) {
	t.Parallel()
	i := start(t)
	k := i.mustIssue(generate, "phone one")
	i.expect("set", i.try("setTransactionPin", k, "493817"), "true")
	elsewhere := filepath.Join(t.TempDir(), "nothing")
	file := filepath.Join(i.dataDir, "admin.token")
	ask := func(code int, words string, args ...string) string {
		t.Helper()
		args = append(append([]string{"admin"}, args...), "--data-dir", elsewhere, "--server", i.admin, "--token-file", file)
		out, got := strongroom(t, nil, args...)
		if got != code || !strings.Contains(out, words) {
			t.Errorf("%q: exit code %d, want %d and %q:\n%s", args, got, code, words, out)
		}
		return out
	}
	ask(0, `"phone one"  `+k.ID+"  active", "devices")
	ask(0, k.ID+"  active", "device", "phone one")
	ask(0, `"phone one"`, "key", k.ID)
	ask(1, "no device with this deviceId", "device", "phone two")
	ask(1, "with this name or id", "key", strings.Repeat("a", 26))
	ask(0, `"phone one"`, "accounts", "--prefix", "phone")
	ask(0, "WHAT               PASSCODE", "account", "--device", "phone one")
	for _, command := range []string{"locks", "locks --trend 2", "suspicions", "health", "posture", "operations", "operations --summary", "audit", "rotation status", "rotation preview --older-than-days 365"} {
		ask(0, "", strings.Fields(command)...)
	}
	var list struct{ Items []map[string]any }
	if out := ask(0, "", "devices", "--json"); json.Unmarshal([]byte(out), &list) != nil || len(list.Items) != 1 {
		t.Errorf("--json: %s", out)
	}
	i.expect("a guess", i.try("verifyTransactionPin", k, "000000"), "false")
	ask(0, "Unlocked. Request ", "unlock", "--device", "phone one", "--type", "TRANSACTION_PIN", "--reason", "asked")
	mark := []string{"credential", "must-change", "--device", "phone one", "--type", "TRANSACTION_PIN", "--reason", "leaked"}
	ask(0, "Marked. Request ", mark...)
	ask(1, "the credential must be changed already: nothing was changed", mark...)
	ask(0, "Started. ", "rotation", "start", "--key-size", "2048", "--reason", "too short")
	ask(1, "a rotation plan is already running", "rotation", "start", "--older-than-days", "9", "--reason", "too old")
	ask(0, "Stopped. ", "rotation", "stop", "--reason", "enough")
	ask(0, "Revoked. ", "revoke", "--key", k.ID, "--reason", "lost")
	ask(1, "the key has ended already: nothing was changed", "revoke", "--key", k.ID, "--reason", "lost")
	var export struct {
		Account struct{ Subject string }
		Devices []struct {
			DeviceID string
			Keys     []struct{ KeyID, PublicKey string }
		}
		Entries []struct{ Event string }
	}
	out := ask(0, "", "account", "export", "--device", "phone one", "--reason", "asked")
	if err := json.Unmarshal([]byte(out), &export); err != nil || export.Account.Subject != "phone one" || len(export.Devices) != 1 ||
		export.Devices[0].Keys[0].KeyID != k.ID || len(export.Devices[0].Keys[0].PublicKey) < 300 ||
		export.Entries[0].Event != "account.exported" || export.Entries[len(export.Entries)-1].Event != "key.issued" {
		t.Errorf("the export (%v): %s", err, out)
	}
	ask(0, "Erased. ", "erase", "--device", "phone one", "--reason", "left")
	ask(1, "limit must be a whole number from 1 to 200", "devices", "--limit", "0")
	if _, err := os.Stat(elsewhere); err == nil {
		t.Error("a command that asked a server touched a store")
	}

	token := strings.TrimPrefix(i.bearer(), "Bearer ")
	for name, tc := range map[string]struct {
		env   []string
		code  int
		words string
		args  []string
	}{
		"by environment":           {[]string{"STRONGROOM_ADMIN_TOKEN=" + token}, 0, "DEVICE", []string{"--server", i.admin}},
		"without":                  {nil, 2, "--server needs a token", []string{"--server", i.admin}},
		"a wrong one":              {[]string{"STRONGROOM_ADMIN_TOKEN=wrong"}, 1, "the server refused the token", []string{"--server", i.admin}},
		"with a control character": {[]string{"STRONGROOM_ADMIN_TOKEN=wr\x01ong"}, 2, "STRONGROOM_ADMIN_TOKEN: its first word is not a token", []string{"--server", i.admin}},
		"over plain HTTP":          {[]string{"STRONGROOM_ADMIN_TOKEN=" + token}, 2, "must be https, or on this machine", []string{"--server", "http://192.0.2.1:8081"}},
		"with a user in it":        {[]string{"STRONGROOM_ADMIN_TOKEN=" + token}, 2, "must not have a user", []string{"--server", "https://a:b@127.0.0.1:8081"}},
		"to the API's side":        {[]string{"STRONGROOM_ADMIN_TOKEN=" + token}, 1, "the answer is not from the admin API", []string{"--server", i.base}},
		"to nobody":                {[]string{"STRONGROOM_ADMIN_TOKEN=" + token}, 1, "the server did not answer", []string{"--server", "http://127.0.0.1:1"}},
		"a file without --server":  {nil, 2, "need --server", []string{"--token-file", file}},
	} {
		out, code := strongroom(t, tc.env, append([]string{"admin", "devices", "--data-dir", elsewhere}, tc.args...)...)
		if code != tc.code || !strings.Contains(out, tc.words) || strings.Contains(out, token) {
			t.Errorf("%s: exit code %d, want %d and %q:\n%s", name, code, tc.code, tc.words, out)
		}
	}
}

// TestAdminAPIExamplesPrintTheDocumentedOutput runs the shell blocks of
// the document one after the other, in one shell.
func TestAdminAPIExamplesPrintTheDocumentedOutput(t *testing.T) {
	t.Parallel()
	need(t, "sh", "curl", "sed")
	i := start(t)
	i.mustIssue(generate, "phone-1")
	i.mustIssue(generate, "phone-2")
	const end = "--- end of the block ---\n"
	var script, want strings.Builder
	doc, compared := blocks(t, "docs/admin-api.md"), 0
	for n, b := range doc {
		switch {
		case b.lang != "sh":
			continue
		case n+1 < len(doc) && doc[n+1].lang == "text":
			compared++
			want.WriteString(strings.TrimSpace(doc[n+1].text) + "\n")
		}
		script.WriteString(strings.NewReplacer("http://127.0.0.1:8081", i.admin, "./data", i.dataDir).Replace(b.text))
		script.WriteString("echo\necho '" + strings.TrimSpace(end) + "'\n")
		want.WriteString(end)
	}
	if compared < 7 {
		t.Errorf("docs/admin-api.md shows the output of %d examples", compared)
	}
	cmd := exec.Command("sh", "-eu")
	cmd.Stdin, cmd.Env = strings.NewReader(script.String()), cleanEnv()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	compare(t, regexp.MustCompile(`\n{2,}`).ReplaceAllString(strings.TrimLeft(string(out), "\n"), "\n"), want.String())
}

func TestAdminCommandsTrustTheGivenCertificateAuthority(t *testing.T) {
	t.Parallel()
	c := newCertificates(t)
	i, _ := c.serve("--admin-tls")
	ask := []string{"admin", "health", "--server", strings.Replace(i.admin, "http://127.0.0.1", "https://localhost", 1),
		"--token-file", filepath.Join(i.dataDir, "admin.token")}
	if out, code := strongroom(t, nil, append(ask, "--server-ca", c.ca)...); code != 0 || !strings.Contains(out, "store            yes") {
		t.Errorf("with the authority: exit code %d\n%s", code, out)
	}
	if out, code := strongroom(t, nil, ask...); code != 1 || !strings.Contains(out, "the server did not answer: tls: failed to verify certificate") {
		t.Errorf("without it: exit code %d\n%s", code, out)
	}
	if code := i.stop(); code != 0 {
		t.Errorf("SIGTERM: exit code %d", code)
	}
}
