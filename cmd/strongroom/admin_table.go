package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// table prints rows in aligned columns. What it is given may be anything that
// a client chose: nothing of it may act on the terminal, or pass for another
// column.
//
// On a terminal, columns that may be cut are, until a row fits a line. Anywhere
// else every value is whole, and one that is very long pushes its own row only.
type table struct {
	w      io.Writer
	line   int    // columns of the terminal; 0: none
	cut    []bool // which columns may be cut
	widths []int  // so far: a table that goes on stays aligned
	rows   [][]string
}

const (
	usualLine = 80 // columns of a terminal that does not say
	leastCut  = 8  // columns that are left of a value at least
	mostPad   = 40 // columns that a value makes others wait for at most
	columnGap = 2
)

// newTable begins a table with the names of its columns. A column whose name
// ends with … may be cut.
func newTable(w io.Writer, columns ...string) *table {
	t := &table{w: w, line: terminalWidth(w), cut: make([]bool, len(columns)), widths: make([]int, len(columns))}
	names := make([]string, len(columns))
	for i, name := range columns {
		names[i], t.cut[i] = strings.CutSuffix(name, "…")
	}
	t.row(names...)
	return t
}

// newRecord begins a table of one record: what there is, below each other.
func newRecord(w io.Writer) *table { return newTable(w, "WHAT", "IS") }

// terminalWidth is how many columns a terminal has; 0: w is none.
func terminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	switch {
	case err != nil:
		return 0
	case size.Col == 0:
		return usualLine
	}
	return int(size.Col)
}

// row adds cells that are safe to print: see [cell].
func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// print writes the rows so far.
func (t *table) print() {
	t.measure()
	for _, row := range t.rows {
		var line strings.Builder
		for i, value := range row {
			if t.line > 0 && t.cut[i] {
				value = shortened(value, t.widths[i])
			}
			line.WriteString(value)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", max(t.widths[i]-utf8.RuneCountInString(value), 0)+columnGap))
			}
		}
		fmt.Fprintln(t.w, line.String())
	}
	t.rows = nil
}

// measure says how wide the columns are.
func (t *table) measure() {
	for _, row := range t.rows {
		for i, value := range row {
			if n := utf8.RuneCountInString(value); n <= mostPad || t.line > 0 && t.cut[i] {
				t.widths[i] = max(t.widths[i], n)
			}
		}
	}
	if t.line == 0 {
		return
	}
	for {
		total, widest := -columnGap, -1
		for i, n := range t.widths {
			total += n + columnGap
			if t.cut[i] && n > leastCut && (widest < 0 || n > t.widths[widest]) {
				widest = i
			}
		}
		if total <= t.line || widest < 0 {
			return
		}
		t.widths[widest]--
	}
}

// shortened is a value in at most so many columns.
func shortened(value string, columns int) string {
	if utf8.RuneCountInString(value) <= columns {
		return value
	}
	return string([]rune(value)[:columns-1]) + "…"
}

// wrapped prints words in lines of at most so many columns where that is
// possible, each behind an indent.
func wrapped(w io.Writer, indent, text string, columns int) {
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

// cell is a value without spaces in it as it is, any other one in quotes, with
// what does not print escaped, and nothing at all as a dash.
func cell(value string) string {
	switch {
	case value == "":
		return "-"
	case value == "-" || strings.ContainsFunc(value, func(c rune) bool { return c == ' ' || c == '"' || c == unicode.ReplacementChar || !unicode.IsPrint(c) }):
		return strconv.Quote(value)
	}
	return value
}

// words is a text of ours that has spaces, for a line of its own.
func words(text string) string {
	if text == "" || strings.ContainsFunc(text, func(c rune) bool { return c == unicode.ReplacementChar || !unicode.IsPrint(c) }) {
		return cell(text)
	}
	return text
}

func number[N int | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// moment is a time to the second, in UTC.
func moment(t time.Time) string { return timeAs(time.RFC3339, t) }

// minute is a time to the minute, in UTC, for lists.
func minute(t time.Time) string { return timeAs("2006-01-02T15:04Z", t) }

// inHour is a time that is known to the hour, in UTC.
func inHour(t time.Time) string { return timeAs("2006-01-02T15h", t) }

func timeAs(layout string, t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(layout)
}

// since is how long ago a time is, in whole days, hours or minutes.
func since(t time.Time) string {
	switch d := time.Since(t); {
	case t.IsZero():
		return "-"
	case d >= 48*time.Hour:
		return strconv.Itoa(int(d.Hours()/24)) + "d"
	case d >= 2*time.Hour:
		return strconv.Itoa(int(d.Hours())) + "h"
	default:
		return strconv.Itoa(int(max(d, 0).Minutes())) + "m"
	}
}
