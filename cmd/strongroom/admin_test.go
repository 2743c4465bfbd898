package main

import (
	"strings"
	"testing"
	"unicode"
)

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
