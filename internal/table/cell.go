package table

import (
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Text is a value that is printed unchanged. It must not contain anything from a client.
type Text string

// Nothing is printed if there is no value.
const Nothing Text = "-"

// Textf returns a Text in the format of fmt.Sprintf.
func Textf(format string, args ...any) Text { return Text(fmt.Sprintf(format, args...)) }

// Cell formats a value for a cell of a table. A text with spaces, quotes or unprintable
// characters is quoted and escaped. Other texts are unchanged. An empty text and a zero
// time are a dash. Times are in UTC, to the second.
func Cell(value any) string {
	switch v := value.(type) {
	case Text:
		return string(v)
	case string:
		return quoted(v)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case time.Time:
		return string(Time(time.RFC3339, v))
	}
	if v := reflect.ValueOf(value); v.Kind() == reflect.String {
		return quoted(v.String())
	}
	return quoted(fmt.Sprint(value))
}

func quoted(text string) string {
	switch {
	case text == "":
		return "-"
	case text == "-" || strings.ContainsFunc(text, func(c rune) bool { return c == ' ' || c == '"' || unprintable(c) }):
		return strconv.Quote(text)
	}
	return text
}

func unprintable(c rune) bool { return c == unicode.ReplacementChar || !unicode.IsPrint(c) }

// Words formats a text for a line of its own: spaces are allowed, and a text with
// unprintable characters is quoted and escaped.
func Words(text string) string {
	if text == "" || strings.ContainsFunc(text, unprintable) {
		return quoted(text)
	}
	return text
}

// Lines formats a text of several lines, each of them like [Words].
func Lines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = Words(line)
		}
	}
	return strings.Join(lines, "\n")
}

// Time formats a time in UTC. A zero time is a dash.
func Time(layout string, t time.Time) Text {
	if t.IsZero() {
		return Nothing
	}
	return Text(t.UTC().Format(layout))
}

// Minute formats a time to the minute, for lists.
func Minute(t time.Time) Text { return Time("2006-01-02T15:04Z", t) }

// Hour formats a time that is known only to the hour.
func Hour(t time.Time) Text { return Time("2006-01-02T15h", t) }

// Since formats how long ago a time is, in whole days, hours or minutes.
func Since(t time.Time) Text {
	switch d := time.Since(t); {
	case t.IsZero():
		return Nothing
	case d >= 48*time.Hour:
		return Textf("%dd", int(d.Hours()/24))
	case d >= 2*time.Hour:
		return Textf("%dh", int(d.Hours()))
	default:
		return Textf("%dm", int(max(d, 0).Minutes()))
	}
}

// Wrap prints text in lines of at most columns characters, each after the indent. Only a
// longer word makes a longer line.
func Wrap(w io.Writer, indent, text string, columns int) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && utf8.RuneCountInString(indent+line+" "+word) > columns {
			fmt.Fprintln(w, indent+line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	fmt.Fprintln(w, indent+line)
}
