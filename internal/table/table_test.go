package table

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

func TestLinesFitATerminalAndAPipeGetsWholeValues(t *testing.T) {
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
			table := New(&out, "DEVICE…", "KEY…", "STATE")
			table.line = tc.line
			table.Row(long, "keykeykeykeykeykeykey", "active")
			table.Print()
			if diff := cmp.Diff(tc.want, out.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestACellIsPrintedByItsType(t *testing.T) {
	type named string
	at := time.Date(2026, 3, 1, 13, 30, 15, 0, time.FixedZone("", 3600))
	for _, c := range []struct {
		value any
		want  string
	}{
		{"phone", "phone"}, {"", "-"}, {"-", `"-"`}, {named("a b"), `"a b"`}, {named(""), "-"}, {Text("12 of 20"), "12 of 20"},
		{7, "7"}, {int64(-8), "-8"}, {true, "yes"}, {false, "no"},
		{at, "2026-03-01T12:30:15Z"}, {time.Time{}, "-"}, {Minute(at), "2026-03-01T12:30Z"}, {Hour(at), "2026-03-01T12h"}, {Hour(time.Time{}), "-"},
	} {
		if got := Cell(c.value); got != c.want {
			t.Errorf("%v: %s, want %s", c.value, got, c.want)
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
		for name, text := range map[string]string{"cell": Cell(value), "words": Words(value)} {
			if text == "" || strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }) {
				t.Errorf("%s %q of %q", name, text, value)
			}
		}
		if value != "" && Cell(value) == "-" {
			t.Errorf("%q passes for nothing", value)
		}
		if text := Cell(value); strings.Contains(text, " ") && !strings.HasPrefix(text, `"`) {
			t.Errorf("cell %q of %q", text, value)
		}
	})
}
