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
		"all":            {21, 0, false, "21 events wait to be sent again. The audit trail has them as request request-1.\n", "", 1},
		"none":           {0, 0, false, "No event was sent again.\n", "", 1},
		"very many":      {2500, 0, false, "1000 events wait to be sent again. The audit trail has them as request request-3.\n", "", 3},
		"one was edited": {21, 1, false, "20 events wait to be sent again. The audit trail has them as request request-1.\n", "1 events stay set aside", 1},
		"one fails":      {2500, 0, true, "request request-1.\n", "stopped after 1000 events: ", 1},
	} {
		t.Run(name, func(t *testing.T) {
			url, asked := deadLetterServer(t, tc.letters, tc.edited, tc.fails)
			var out bytes.Buffer
			err := resendCmd{connection: connection{Server: url}, All: true, Event: "key.issued", Reason: "mended"}.Run(t.Context(), &process{stdout: &out})
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
