package operator

import (
	"strings"
	"testing"
)

// A list continues after the texts that begin like an edited one, not before them.
func TestASuccessorIsAfterAllTextsWithTheStart(t *testing.T) {
	for text, want := range map[string]string{
		"a":           "b",
		"a\x7f":       "a\u0080",
		"a\ud7ff":     "a\ue000",
		"a\U0010ffff": "b",
		"\U0010ffff":  "",
		"a\xff":       "b",
		"é\xf0":       "é\xf1",
		"\xff\xff":    "",
		"":            "",
	} {
		got := successor(text)
		if got != want || got != "" && got <= text+"\U0010ffff\U0010ffff" {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzPlace(f *testing.F) {
	f.Add(cursor("entries", "1", "chain", "1"))
	f.Add(cursor("devices", "phone", "a"))
	f.Add(cursor("devices", "\x01", "\xff"))
	f.Add(cursor("devices", strings.Repeat("é", maxText), ""))
	f.Add("W10")
	f.Fuzz(func(t *testing.T, after string) {
		if p, err := entryPlace(after); err == nil && after != "" && entryCursor(p) != after {
			t.Errorf("%q was taken for %+v, which is %q", after, p, entryCursor(p))
		}
		if fields, err := place(after, "devices", 2); err == nil && after != "" && cursor("devices", fields...) != after {
			t.Errorf("%q was taken for %q", after, fields)
		}
	})
}
