package operator

import (
	"strings"
	"testing"
)

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
