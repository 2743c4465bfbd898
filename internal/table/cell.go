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

// Text is a value that is printed as it is. Nothing in it may come from a client.
type Text string

// Nothing stands where there is no value.
const Nothing Text = "-"

// Textf is a Text as fmt.Sprintf makes it.
func Textf(format string, args ...any) Text { return Text(fmt.Sprintf(format, args...)) }

// Cell is a value as a cell of a table has it. Anything textual stays as it is
// without spaces in it and stands in quotes otherwise, with what does not print
// escaped. An empty text and a time that is not known are a dash. Times are UTC,
// to the second.
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

// Words is a text with spaces, for a line of its own: as it is, if it prints.
func Words(text string) string {
	if text == "" || strings.ContainsFunc(text, unprintable) {
		return quoted(text)
	}
	return text
}

// Time is a time in UTC as layout has it. One that is zero is a dash.
func Time(layout string, t time.Time) Text {
	if t.IsZero() {
		return Nothing
	}
	return Text(t.UTC().Format(layout))
}

// Minute is a time to the minute, for lists.
func Minute(t time.Time) Text { return Time("2006-01-02T15:04Z", t) }

// Hour is a time that is known to the hour.
func Hour(t time.Time) Text { return Time("2006-01-02T15h", t) }

// Since is how long ago a time is, in whole days, hours or minutes.
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

// Wrap prints words in lines of at most so many columns where that is
// possible, each behind an indent.
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
