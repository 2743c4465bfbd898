package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/user"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"strongroom/internal/admin"
	"strongroom/internal/config"
	"strongroom/internal/domain"
)

// deadLetterServer has so many dead letters and sends 1,000 in one request. They
// come back at once, as they do while their receiver refuses them.
func deadLetterServer(t *testing.T, letters, edited int, fails bool) (url string, asked map[string]string) {
	asked = map[string]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case r.URL.Path == "/admin/v1/webhook":
			fmt.Fprintf(w, `{"enabled":true,"waiting":0,"deadLetters":%d}`, letters)
		case r.URL.Path != "/admin/v1/webhook/dead-letters/resend", fails && len(asked) == 1:
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, `{"status":503,"detail":"The store is away.","requestId":"r"}`)
		default:
			asked[r.Header.Get("Idempotency-Key")] = string(body)
			left := min(letters-edited, 1000)
			fmt.Fprintf(w, `{"requestId":"request-%d","events":%d,"edited":%d,"more":%v}`, len(asked), left, edited, letters > 1000)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

func TestAllDeadLettersAreSentAgainInFewRequests(t *testing.T) {
	t.Setenv(config.AdminTokenVariable, "token")
	for name, tc := range map[string]struct {
		letters, edited int
		fails           bool
		says, failed    string
		requests        int
	}{
		"all":  {21, 0, false, "21 events are queued to be sent again. Request request-1 in the audit trail.\n", "", 1},
		"none": {0, 0, false, "No event was sent again.\n", "", 1},
		"very many": {2500, 0, false, "1000 events are queued to be sent again. Request request-3 in the audit trail.\n" +
			"Dead letters are left. Run this command again. If strongroom admin webhook status does not show fewer then, the receiver refuses them: see the errors in strongroom admin webhook dead-letters.\n", "", 3},
		"one was edited": {21, 1, false, "20 events are queued to be sent again. Request request-1 in the audit trail.\n", "1 event remains a dead letter", 1},
		"one fails":      {2500, 0, true, "Request request-1 in the audit trail.\n", "stopped after 1000 events: ", 1},
	} {
		t.Run(name, func(t *testing.T) {
			url, asked := deadLetterServer(t, tc.letters, tc.edited, tc.fails)
			var out bytes.Buffer
			err := resendCmd{connection: connection{Server: url}, All: true, Event: "key.issued", Reason: "mended"}.Run(t.Context(), &Program{Stdout: &out})
			if !strings.HasSuffix(out.String(), tc.says) || (err == nil) != (tc.failed == "") || err != nil && !strings.HasPrefix(err.Error(), tc.failed) {
				t.Errorf("it says %q and fails with %v", out.String(), err)
			}
			if _, none := asked[""]; len(asked) != tc.requests || none {
				t.Errorf("requests: %v, want %d", asked, tc.requests)
			}
			for _, body := range asked {
				if body != `{"event":"key.issued","reason":"mended"}` {
					t.Errorf("the body is %s", body)
				}
			}
		})
	}
}

func TestANameThatNoCellKnowsIsAnError(t *testing.T) {
	t.Setenv(config.AdminTokenVariable, "token")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("subject") == "alice" {
			fmt.Fprint(w, `{"items":[{"id":"a","subject":"alice"}]}`)
		} else {
			fmt.Fprint(w, `{"items":[]}`)
		}
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "cells.list")
	token := filepath.Join(t.TempDir(), "token")
	for path, text := range map[string]string{file: "eu1 " + server.URL + " " + token + "\n", token: strings.Repeat("t", 43) + "\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, code := range map[string]int{"alice": ExitOK, "alcie": ExitFailed} {
		for _, form := range [][]string{nil, {"--json"}} {
			var out, errs strings.Builder
			p := &Program{Stdout: &out, Stderr: &errs}
			got := p.Run(t.Context(), append([]string{"admin", "cells", file, "--find", name}, form...))
			if says := strings.Contains(errs.String(), "no cell has an account with the name alcie"); got != code || says != (code == ExitFailed) {
				t.Errorf("%s: exit code %d: %s%s", name, got, out.String(), errs.String())
			}
		}
	}
}

// The user of an account must receive everything that is stored about it.
func TestAnIncompleteExportOfAnAccountIsAnError(t *testing.T) {
	t.Setenv(config.AdminTokenVariable, "token")
	for answer, want := range map[string]string{
		`{}`:                                  "",
		`{"moreKeys":true}`:                   "has more keys (moreKeys) than one export holds",
		`{"moreKeys":true,"moreEvents":true}`: "has more keys (moreKeys) and undelivered events (moreEvents) than one export holds",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				fmt.Fprint(w, answer)
			} else {
				fmt.Fprint(w, `{"items":[]}`)
			}
		}))
		var out, errs strings.Builder
		p := &Program{Stdout: &out, Stderr: &errs}
		code := p.Run(t.Context(), []string{"admin", "account", "export", "--server", server.URL, "--id", "a", "--reason", "asked"})
		server.Close()
		if (code == ExitOK) != (want == "") || !strings.Contains(errs.String(), want) || !json.Valid([]byte(out.String())) {
			t.Errorf("%s: exit code %d: %s%s", answer, code, out.String(), errs.String())
		}
	}
}

// A search continues where the first part ends. When it is interrupted, the last thing
// that it prints is where to continue.
func TestATrailSearchReadsAllPartsAndSaysWhereToContinue(t *testing.T) {
	t.Setenv(config.AdminTokenVariable, "token")
	parts := map[string]string{
		"":  `{"items":[],"next":"a","searchedTo":"2026-03-01T12:00:00Z"}`,
		"a": `{"items":[{"event":"key.issued","time":"2026-02-01T12:00:00Z"}],"next":"b"}`,
		"b": `{"items":[{"event":"key.revoked","time":"2026-01-01T12:00:00Z"}]}`,
	}
	search := func(limit *int, interruptAt string) (string, error) {
		ctx, interrupt := context.WithCancel(t.Context())
		defer interrupt()
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			after := r.URL.Query().Get("after")
			if after == interruptAt {
				interrupt()
			}
			fmt.Fprint(w, parts[after])
		}))
		defer server.Close()
		var out bytes.Buffer
		err := trailCmd{connection: connection{Server: server.URL}, paging: paging{Limit: limit}, All: true}.Run(ctx, &Program{Stdout: &out, Stderr: io.Discard})
		return out.String(), err
	}
	out, err := search(nil, "never")
	if err != nil || !strings.Contains(out, "key.issued") || !strings.Contains(out, "key.revoked") || strings.Contains(out, "more") || strings.Count(out, "TIME") != 1 {
		t.Errorf("%v:\n%s", err, out)
	}
	one := 1
	out, err = search(&one, "never")
	if err != nil || strings.Contains(out, "key.revoked") || !strings.HasSuffix(out, "More results: --after b\n") {
		t.Errorf("with a limit: %v:\n%s", err, out)
	}
	if out, err = search(nil, "b"); err == nil || err.Error() != "interrupted: to continue, add --after b" || !strings.Contains(out, "key.issued") {
		t.Errorf("interrupted: %v:\n%s", err, out)
	}
}

func TestACommandNamesItsUserAndTheSignedInUser(t *testing.T) {
	for login, want := range map[string]string{
		"": "strongroom", noLogin: "strongroom", "990": "strongroom", "1001": "strongroom by eve", "1002": "strongroom by 1002",
	} {
		got := commandName(user.User{Uid: "990", Username: "strongroom"}, login, func(uid string) string {
			if uid == "1001" {
				return "e\x1bve"
			}
			return uid
		})
		if got != want {
			t.Errorf("signed in as %q: %q, want %q", login, got, want)
		}
	}
}

func TestAReasonIsOnePrintableLine(t *testing.T) {
	for text, want := range map[string]string{
		"asked":                                 "asked",
		" \n\u00a0asked by phone\u2029 ":        "asked by phone",
		strings.Repeat("é", domain.MaxReason):   strings.Repeat("é", domain.MaxReason),
		strings.Repeat("é", domain.MaxReason+1): "",
		"":                                      "",
		" \t\u2028":                             "",
		"a\u2028b":                              "",
		"a\u202eb":                              "", // turns the direction of writing
		"a\u200bb":                              "", // has no width
		"a\u00a0b":                              "",
		"a\x1b[2Jb":                             "",
		"a\xffb":                                "",
	} {
		var r reason
		if err := r.UnmarshalText([]byte(text)); string(r) != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", text, r, err)
		}
	}
}

func TestAnAccountSaysWhyItHasNoLastRightAnswer(t *testing.T) {
	if set, unset := lastRight(admin.Credential{Set: true}), lastRight(admin.Credential{}); set != "not-recorded" || unset != "nothing-set" {
		t.Errorf("%s where something is set, %s where nothing is", set, unset)
	}
}

func TestTheJSONLogFormatWritesJSON(t *testing.T) {
	var log strings.Builder
	p := Program{Stderr: &log}
	s, err := p.settings()
	if err != nil {
		t.Fatal(err)
	}
	s.LogFormat = "json"
	p.logger(s).Info("hello", "n", 1)
	var line map[string]any
	if err := json.Unmarshal([]byte(log.String()), &line); err != nil || line["msg"] != "hello" || line["n"] != 1.0 {
		t.Errorf("%v: %s", err, log.String())
	}
}

func TestTheDetailsOfAnEntryHaveEveryField(t *testing.T) {
	e := admin.Entry{Time: time.Unix(1, 0)}
	v := reflect.ValueOf(&e).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString("of-" + v.Type().Field(i).Name)
		case reflect.Int64:
			f.SetInt(7)
		case reflect.Bool:
			f.SetBool(true)
		}
	}
	var out strings.Builder
	printEntry(&out, e)
	if lines := strings.Count(strings.TrimSpace(out.String()), "\n"); lines != v.NumField() {
		t.Errorf("%d lines below the first for %d fields:\n%s", lines, v.NumField(), &out)
	}
}

func TestEveryCommandTakesItsSettings(t *testing.T) {
	wantSettings(t, "commands", reflect.ValueOf(newCommands(nil)).Elem())
}

// A command is built with its own settings only, but has the same manual as among all.
func TestACommandKeepsItsSettingsWhenOthersAreLeftOut(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel, and the race detector makes its hundred models of the command line slow")
	}
	commands := func(args ...string) *kong.Node {
		k, err := kong.New(newCommands(args), config.Flags{}, kong.Name("strongroom"))
		if err != nil {
			t.Fatal(err)
		}
		return k.Model.Node
	}
	find := func(root *kong.Node, path string) (found *kong.Node) {
		_ = eachCommand(root, func(node *kong.Node) error {
			if node.FullPath() == path {
				found = node
			}
			return nil
		})
		return found
	}
	if find(commands(), "strongroom bench run") == nil || find(commands(), "strongroom bench echo") != nil {
		t.Error("the manual lacks a command, or has a hidden one")
	}
	few, all := len(flagsOf(find(commands("version"), "strongroom serve"))), commands()
	_ = eachCommand(all, func(node *kong.Node) error {
		path := node.FullPath()
		one := find(commands(strings.Fields(path)[1:]...), path)
		if got, want := manPage(one, ""), manPage(node, ""); got != want {
			t.Errorf("the manual of %s:\n%s\nwant:\n%s", path, got, want)
		}
		if path == "strongroom serve" && len(flagsOf(one)) < few+100 {
			t.Errorf("serve has %d flags if it is run, %d otherwise: the settings of other commands are not left out", len(flagsOf(one)), few)
		}
		return nil
	})
}

func wantSettings(t *testing.T, name string, v reflect.Value) {
	if v.Type() == reflect.TypeFor[kong.Plugins]() && v.Len() == 0 {
		t.Errorf("addSettings leaves out %s", name)
	}
	if v.Kind() == reflect.Struct {
		for field, value := range v.Fields() {
			wantSettings(t, name+" "+field.Name, value)
		}
	}
}

func TestMoreAccountsOfADeviceIDHaveACommandThatListsThem(t *testing.T) {
	t.Setenv(config.AdminTokenVariable, "token")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"items":[{"deviceId":"a phone"}],"next":"position"}`)
	}))
	t.Cleanup(server.Close)
	var out, errs strings.Builder
	p := &Program{Stdout: &out, Stderr: &errs}
	code := p.Run(t.Context(), []string{"admin", "device", "a phone", "--server", server.URL})
	if want := "More results: strongroom admin devices --device 'a phone' --after position\n"; code != ExitOK || !strings.HasSuffix(out.String(), want) {
		t.Errorf("exit code %d, %s\n%s", code, &errs, &out)
	}
}
