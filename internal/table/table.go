// Package table prints tables and records for people, in which nothing that a
// client chose can act on the terminal or pass for another column.
package table

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// Table prints rows in aligned columns.
//
// On a terminal, columns that may be cut are, until a row fits a line. Anywhere
// else every value is whole, and one that is very long pushes its own row only.
type Table struct {
	w      io.Writer
	line   int    // columns of the terminal; 0: none
	left   []bool // which columns are left out
	cut    []bool // which columns may be cut
	widths []int  // so far: a table that goes on stays aligned
	rows   [][]string
}

const (
	// UsualLine is how many columns a terminal has that does not say.
	UsualLine = 80

	leastCut  = 8  // columns that are left of a value at least
	mostPad   = 40 // columns that a value makes others wait for at most
	columnGap = 2
)

// New begins a table with the names of its columns. A column whose name ends
// with … may be cut, and one without a name is left out.
func New(w io.Writer, columns ...string) *Table {
	t := &Table{w: w, line: terminalWidth(w)}
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

// NewRecord begins a table of one record: a field a row.
func NewRecord(w io.Writer) *Table { return New(w, "WHAT", "IS") }

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
		return UsualLine
	}
	return int(size.Col)
}

// Row adds a row: a value for each column that New was given, printed by its
// type as [Cell] says.
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

// Print writes the rows so far. A table may go on after it.
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

// measure says how wide the columns are.
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

// shortened is a value in at most so many columns.
func shortened(value string, columns int) string {
	if utf8.RuneCountInString(value) <= columns {
		return value
	}
	return string([]rune(value)[:columns-1]) + "…"
}
