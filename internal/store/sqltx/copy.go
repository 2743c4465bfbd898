package sqltx

import (
	"strconv"
	"strings"

	"strongroom/internal/store"
)

// SelectTable reads all rows of a table, or those after a key, in order of the
// primary key. It is built from the list of tables, because it is the same for
// all of them.
func SelectTable(t store.Table, after store.Row) string {
	query := []string{"SELECT", ColumnNames(t.Columns), "FROM", t.Name}
	if after != nil {
		marks := make([]string, t.Keys)
		for i := range marks {
			marks[i] = "$" + strconv.Itoa(i+1)
		}
		query = append(query, "WHERE ("+ColumnNames(t.Key())+") > ("+strings.Join(marks, ", ")+")")
	}
	return strings.Join(append(query, "ORDER BY", ColumnNames(t.Key())), " ")
}

// ColumnNames lists columns as a statement does.
func ColumnNames(columns []store.Column) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}

// CountTable counts the rows of a table.
func CountTable(t store.Table) string {
	return strings.Join([]string{"SELECT", "count(*)", "FROM", t.Name}, " ")
}

// InsertRow adds a row to a table: a value for each column.
func InsertRow(t store.Table) string {
	marks := make([]string, len(t.Columns))
	for i := range marks {
		marks[i] = "$" + strconv.Itoa(i+1)
	}
	return strings.Join([]string{"INSERT", "INTO", t.Name, "(" + ColumnNames(t.Columns) + ")", "VALUES", "(" + strings.Join(marks, ", ") + ")"}, " ")
}
