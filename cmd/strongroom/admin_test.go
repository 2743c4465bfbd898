package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/user"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/config"
)

// deadLetterServer has as many dead letters as there are reasons. Those that
// are sent again come back behind the others at once, as they do while their
// receiver refuses them. It refuses to send the one at place conflict.
func deadLetterServer(t *testing.T, conflict int, reasons ...string) (url string, keys map[string]bool) {
	keys = map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var at int
		switch {
		case r.URL.Path == "/admin/v1/webhook":
			fmt.Fprintf(w, `{"enabled":true,"waiting":0,"deadLetters":%d}`, len(reasons))
		case r.Method == http.MethodGet:
			_, _ = fmt.Sscan(r.URL.Query().Get("after"), &at)
			if len(reasons) == 0 {
				fmt.Fprint(w, `{"items":[]}`)
				return
			}
			fmt.Fprintf(w, `{"items":[{"id":"event-%d","sequence":%d,"event":"key.issued","reason":%q}],"next":"%d"}`,
				at%len(reasons), at, reasons[at%len(reasons)], at+1)
		default:
			keys[r.Header.Get("Idempotency-Key")] = true
			if _, err := fmt.Sscanf(r.URL.Path, "/admin/v1/webhook/dead-letters/event-%d/resend", &at); err == nil && at == conflict {
				w.Header().Set("Content-Type", "application/problem+json")
				w.WriteHeader(http.StatusConflict)
				fmt.Fprint(w, `{"status":409,"detail":"Somebody was faster.","requestId":"r"}`)
				return
			}
			fmt.Fprintf(w, `{"requestId":"request-%d"}`, at)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, keys
}

func TestAllDeadLettersAreSentAgainOnceUntilOneIsRefused(t *testing.T) {
	t.Setenv(config.AdminTokenVariable, "token")
	for name, tc := range map[string]struct {
		conflict     int
		reasons      []string
		says, failed string
		keys         int
	}{
		"all":             {-1, []string{"refused", "given_up", "refused"}, "3 of 3: key.issued event-2, request request-2\nEvents that wait to be sent again: 3.\n", "", 3},
		"none":            {-1, nil, "Events that wait to be sent again: 0.\n", "", 0},
		"one was edited":  {-1, []string{"refused", "tampered", "refused"}, "again: 2.\n", "left where they are, because they were edited in the database and are never sent: 1", 2},
		"one is refused":  {1, []string{"refused", "refused", "refused"}, "1 of 3: key.issued event-0, request request-0\n", "stopped after 1 of them: event event-1: somebody was faster", 2},
		"the first is so": {0, []string{"refused", "refused"}, "", "stopped after 0 of them: event event-0: somebody was faster", 1},
	} {
		t.Run(name, func(t *testing.T) {
			url, keys := deadLetterServer(t, tc.conflict, tc.reasons...)
			var out bytes.Buffer
			err := resendCmd{connection: connection{Server: url}, All: true, Reason: "mended"}.Run(t.Context(), &process{stdout: &out})
			if !strings.HasSuffix(out.String(), tc.says) || (err == nil) != (tc.failed == "") || err != nil && !strings.HasPrefix(err.Error(), tc.failed) {
				t.Errorf("it says %q and fails with %v", out.String(), err)
			}
			if len(keys) != tc.keys || keys[""] {
				t.Errorf("idempotency keys: %v, want %d", keys, tc.keys)
			}
		})
	}
}

func TestATerminalGetsLinesThatFitAndAPipeWholeValues(t *testing.T) {
	long := strings.Repeat("x", 200)
	for name, tc := range map[string]struct {
		line int
		want string
	}{
		"terminal": {40, "DEVICE           KEY              STATE\nxxxxxxxxxxxxxx…  keykeykeykeyke…  active\n"},
		"narrow":   {1, "DEVICE    KEY       STATE\nxxxxxxx…  keykeyk…  active\n"},
		"pipe":     {0, "DEVICE  KEY                    STATE\n" + long + "  keykeykeykeykeykeykey  active\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			table := newTable(&out, "DEVICE…", "KEY…", "STATE")
			table.line = tc.line
			table.row(long, "keykeykeykeykeykeykey", "active")
			table.print()
			if diff := cmp.Diff(tc.want, out.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The second part of a trail is found where the first one ends; what a search
// tells last, when it is interrupted, is where to go on.
func TestASearchOfTheTrailGoesOnToItsEndAndSaysWhereItWasInterrupted(t *testing.T) {
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
		err := trailCmd{connection: connection{Server: server.URL}, paging: paging{Limit: limit}, All: true}.Run(ctx, &process{stdout: &out, stderr: io.Discard})
		return out.String(), err
	}
	out, err := search(nil, "never")
	if err != nil || !strings.Contains(out, "key.issued") || !strings.Contains(out, "key.revoked") || strings.Contains(out, "more") || strings.Count(out, "TIME") != 1 {
		t.Errorf("%v:\n%s", err, out)
	}
	one := 1
	out, err = search(&one, "never")
	if err != nil || strings.Contains(out, "key.revoked") || !strings.HasSuffix(out, "There is more: --after b\n") {
		t.Errorf("with a limit: %v:\n%s", err, out)
	}
	if out, err = search(nil, "b"); err == nil || err.Error() != "interrupted: to go on from there, add --after b" || !strings.Contains(out, "key.issued") {
		t.Errorf("interrupted: %v:\n%s", err, out)
	}
}

func TestACommandIsOfTheUserAndOfWhoSignedIn(t *testing.T) {
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

// FuzzCell prints anything as a cell of a table. It stays one cell of one line,
// and says nothing to a terminal.
func FuzzCell(f *testing.F) {
	for _, value := range []string{"", "-", "phone-1", "phone 1", `"phone"`, "a\tb", "a\nb", "\x1b[2J", "\u009b2J", "al\u202eice", "a\u200bb", "a\u2028b", "a\u00a0b", "\xff", "\ufffd"} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		for name, text := range map[string]string{"cell": cell(value), "words": words(value)} {
			if text == "" || strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }) {
				t.Errorf("%s %q of %q", name, text, value)
			}
		}
		if value != "" && cell(value) == "-" {
			t.Errorf("%q passes for nothing", value)
		}
		if text := cell(value); strings.Contains(text, " ") && !strings.HasPrefix(text, `"`) {
			t.Errorf("cell %q of %q", text, value)
		}
	})
}
