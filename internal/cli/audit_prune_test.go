package cli

import (
	"bytes"
	"testing"
	"time"

	"strongroom/internal/audit"
)

func TestPruneTimesAreParsedStrictly(t *testing.T) {
	for text, good := range map[string]bool{"400d": true, "24h": true, "23h": false, "0": false, "year": false, "-400d": false} {
		var a oldAge
		if err := a.UnmarshalText([]byte(text)); (err == nil) != good {
			t.Errorf("--older-than %s: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"2026-01-31": "2026-01-31T00:00:00Z", "2026-01-31T12:00:00+01:00": "2026-01-31T11:00:00Z", "31.1.2026": "", "400d": "", "": "",
	} {
		var d dayOrTime
		err := d.UnmarshalText([]byte(text))
		if got := time.Time(d).UTC().Format(time.RFC3339); (err == nil) != (want != "") || err == nil && got != want {
			t.Errorf("--before %s: %s, %v", text, got, err)
		}
	}
}

func TestACutIsShownWithItsAuthorTimeAndReason(t *testing.T) {
	var out bytes.Buffer
	tellCuts(&out, []audit.Cut{{Chain: "home", Removed: 7, At: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), By: "operator:command:alice",
		Why: "old", Request: "r", Archived: 2}})
	want := "Pruned: entries 1 to 7 of chain home, on 2026-03-01T12:00:00Z by operator:command:alice (\"old\", request r).\n" +
		"  The archives contain entries 2 to 7 unchanged.\n"
	if out.String() != want {
		t.Errorf("it says %q, want %q", out.String(), want)
	}
}
