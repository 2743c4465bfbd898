// Package table prints tables and records for people. Text from clients can neither
// control the terminal nor look like another column.
package table

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// Table prints rows in aligned columns.
//
// On a terminal, columns that may be cut are shortened until a row fits into a line.
// Elsewhere no value is cut, and a very long one shifts only its own row.
type Table struct {
	w      io.Writer
	line   int    // width of the terminal; 0: not a terminal
	left   []bool // which columns of New are left out
	cut    []bool // which of the others may be cut
	widths []int  // kept between calls of Print, so that later rows stay aligned
	rows   [][]string
}

const (
	// UsualLine is the width in characters of a terminal that does not tell its width.
	UsualLine = 80

	leastCut  = 8  // minimum width to which a column is cut
	mostPad   = 40 // a longer value does not widen its column, unless it may be cut
	columnGap = 2
)

// New returns a table with these columns. A column whose name ends with … may be cut.
// A column without a name is left out, with its values.
func New(w io.Writer, columns ...string) *Table {
	t := &Table{w: w, line: TerminalWidth(w)}
	var names []string
	for _, name := range columns {
		t.left = append(t.left, name == "")
		if name != "" {
			name, cut := strings.CutSuffix(name, "…")
			names, t.cut = append(names, name), append(t.cut, cut)
		}
	}
	t.widths, t.rows = make([]int, len(names)), [][]string{names}
	return t
}

// NewRecord returns a table for one record, with a row for each field.
func NewRecord(w io.Writer) *Table { return New(w, "WHAT", "IS") }

// TerminalWidth returns the width of a terminal, 0 if w is not a terminal.
func TerminalWidth(w io.Writer) int {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok {
		return 0
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	switch {
	case err != nil:
		return 0
	case size.Col == 0:
		return UsualLine
	}
	return int(size.Col)
}

// Row adds a row, with a value for each column of [New], formatted by [Cell].
func (t *Table) Row(values ...any) {
	var cells []string
	for i, v := range values {
		if !t.left[i] {
			cells = append(cells, Cell(v))
		}
	}
	t.rows = append(t.rows, cells)
}

// Field adds a field of a record.
func (t *Table) Field(name string, value any) { t.Row(Text(name), value) }

// Print writes the rows so far. More rows can be added and printed after it.
func (t *Table) Print() {
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

// measure computes the widths of the columns.
func (t *Table) measure() {
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

// shortened cuts a value to at most columns characters.
func shortened(value string, columns int) string {
	if utf8.RuneCountInString(value) <= columns {
		return value
	}
	return string([]rune(value)[:columns-1]) + "…"
}
