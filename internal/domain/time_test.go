package domain

import (
	"testing"
	"time"
)

func TestATimeIsParsedAsListsShowItAndWithAnyOffset(t *testing.T) {
	for text, want := range map[string]Span{
		"2026-03-01 12:34:56Z":             span("2026-03-01T12:34:56Z", time.Second),
		"2026-03-01T12:34:56Z":             span("2026-03-01T12:34:56Z", time.Second),
		" 2026-03-01 12:34:56 UTC ":        span("2026-03-01T12:34:56Z", time.Second),
		"2026-03-01T14:34:56+02:00":        span("2026-03-01T12:34:56Z", time.Second),
		"2026-03-01 05:04:56 -07:30":       span("2026-03-01T12:34:56Z", time.Second),
		"2026-03-01T12:34:56":              span("2026-03-01T12:34:56Z", time.Second),
		"2026-03-01 12:34:56.789 UTC":      span("2026-03-01T12:34:56.789Z", time.Millisecond),
		"2026-03-01t12:34:56.123456789z":   span("2026-03-01T12:34:56.123456Z", time.Microsecond),
		"2026-03-01 12:34Z":                span("2026-03-01T12:34:00Z", time.Minute),
		"2026-03-01T14:34+02:00":           span("2026-03-01T12:34:00Z", time.Minute),
		"2026-03-01 12Z":                   span("2026-03-01T12:00:00Z", time.Hour),
		"2026-03-01T12h":                   span("2026-03-01T12:00:00Z", time.Hour),
		"2026-03-01":                       span("2026-03-01T00:00:00Z", 24*time.Hour),
		"1970-01-01":                       span("1970-01-01T00:00:00Z", 24*time.Hour),
		"2026-12-31T23:00:00-02:00":        span("2027-01-01T01:00:00Z", time.Second),
		"2026-03-01T12:34:56.500000+00:00": span("2026-03-01T12:34:56.5Z", time.Microsecond),
		"2026-03-01 12:34:56.000Z":         span("2026-03-01T12:34:56Z", time.Millisecond),
		"2026-03-01 12:34:56.5Z":           span("2026-03-01T12:34:56.5Z", 100*time.Millisecond),
		"1969-12-31T23:30:00-01:00":        span("1970-01-01T00:30:00Z", time.Second),
	} {
		got, ok := ParseTime(text)
		if !ok || !got.From.Equal(want.From) || !got.To.Equal(want.To) {
			t.Errorf("%q is %v to %v, %v; want %v to %v", text, got.From, got.To, ok, want.From, want.To)
		}
		if again, ok := ParseTime(got.String()); !ok || !again.From.Equal(got.From) || !again.To.Equal(got.To) {
			t.Errorf("%q is written as %q, which is %v to %v; want %v to %v", text, got, again.From, again.To, got.From, got.To)
		}
	}
	for _, text := range []string{"", "yesterday", "2026-13-01", "2026-02-30", "2026-03-01 25:00Z", "2026-03-01 12:60Z", "2026-03-01+02:00", "2026-03-01T12:34:56 02:00",
		"2026-03-01T12:34:56+0200", "1969-12-31", "1970-01-01T00:30:00+01:00", "12:34:56", "2026-03-01 12:34:56ZZ", "2026-03-01T", "20260301", "2026-03-01 12:34:56 CET"} {
		if got, ok := ParseTime(text); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func span(from string, width time.Duration) Span {
	at, _ := time.Parse(time.RFC3339Nano, from)
	return Span{at, at.Add(width)}
}
