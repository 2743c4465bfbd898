package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode"

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

// FuzzCell prints anything as a cell of a table. It stays one cell of one line,
// and says nothing to a terminal.
func FuzzCell(f *testing.F) {
	for _, value := range []string{"", "phone-1", "phone 1", `"phone"`, "a\tb", "a\nb", "\x1b[2J", "\u009b2J", "al\u202eice", "a\u200bb", "a\u2028b", "a\u00a0b", "\xff", "\ufffd"} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		for name, text := range map[string]string{"cell": cell(value), "words": words(value)} {
			if text == "" || strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }) {
				t.Errorf("%s %q of %q", name, text, value)
			}
		}
		if text := cell(value); strings.Contains(text, " ") && !strings.HasPrefix(text, `"`) {
			t.Errorf("cell %q of %q", text, value)
		}
	})
}
