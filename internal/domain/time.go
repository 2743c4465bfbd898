package domain

import (
	"regexp"
	"strings"
	"time"
)

// Span is a time with the precision in which somebody wrote it: a time to the
// second is one second long, a date is one day long.
type Span struct {
	From time.Time // the first time in it, UTC
	To   time.Time // the first time after it
}

// written matches a time as tables, logs and RFC 3339 show it, to any precision.
// Its groups are the date, hour, minute, second, fraction and zone.
var written = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2})(?:h|:(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)? ?(Z|z|UTC|[+-]\d{2}:\d{2})?)?$`)

// ParseTime reads a time: as lists show it (2006-01-02 15:04:05Z, or only to
// the minute, hour or day), as RFC 3339, or with an offset. Without a zone it
// is UTC. Digits past microseconds are dropped. Times before 1970 are refused.
func ParseTime(text string) (s Span, ok bool) {
	parts := written.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return s, false
	}
	full, width := parts[1], 24*time.Hour
	for i, unit := range []time.Duration{time.Hour, time.Minute, time.Second} {
		part := parts[2+i]
		if part == "" {
			part = "00"
		} else {
			width = unit
		}
		full += "T::"[i:i+1] + part
	}
	if fraction := parts[5]; fraction != "" {
		full += "." + fraction
		for range min(len(fraction), 6) {
			width /= 10
		}
	}
	zone := strings.ToUpper(parts[6])
	if zone == "" || zone == "UTC" {
		zone = "Z"
	}
	at, err := time.Parse(time.RFC3339, full+zone)
	if err != nil {
		return s, false
	}
	at = at.UTC().Truncate(time.Microsecond)
	return Span{at, at.Add(width)}, at.Year() >= 1970
}

// String is the span as [ParseTime] reads it, in UTC.
func (s Span) String() string {
	layout := "2006-01-02"
	switch width := s.To.Sub(s.From); {
	case s.From.IsZero():
		return ""
	case width < time.Second:
		digits := 0
		for unit := time.Second; unit > max(width, time.Microsecond); unit /= 10 {
			digits++
		}
		layout = "2006-01-02 15:04:05." + strings.Repeat("0", digits) + "Z"
	case width < time.Minute:
		layout = "2006-01-02 15:04:05Z"
	case width < time.Hour:
		layout = "2006-01-02 15:04Z"
	case width < 24*time.Hour:
		layout = "2006-01-02 15Z"
	}
	return s.From.Format(layout)
}
