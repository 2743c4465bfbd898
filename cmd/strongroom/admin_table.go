package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
)

// table prints rows in aligned columns. What it is given may be anything that
// a client chose: nothing of it may act on the terminal, or pass for another
// column.
type table struct {
	*tabwriter.Writer
}

// newTable begins a table with the names of its columns.
func newTable(w io.Writer, columns ...string) table {
	t := table{tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)}
	t.row(columns...)
	return t
}

// row adds cells that are safe to print: see [cell] and [words].
func (t table) row(cells ...string) { fmt.Fprintln(t, strings.Join(cells, "\t")) }

// cell is a value without spaces in it as it is, any other one in quotes, with
// what does not print escaped, and nothing at all as a dash.
func cell(value string) string {
	switch {
	case value == "":
		return "-"
	case strings.ContainsFunc(value, func(c rune) bool { return c == ' ' || c == '"' || c == unicode.ReplacementChar || !unicode.IsPrint(c) }):
		return strconv.Quote(value)
	}
	return value
}

// words is a text that may have spaces, for the last column of a row or a line
// of its own.
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
func moment(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
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

// until is when a lock ends.
func until(t time.Time, permanent bool) string {
	if permanent {
		return "for-good"
	}
	return moment(t)
}
