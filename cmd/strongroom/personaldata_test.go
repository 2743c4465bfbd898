package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/store"
)

// A new column must be listed as personal data, with a reason and an end, or as
// none.
func TestEveryColumnIsListedAsPersonalDataOrNot(t *testing.T) {
	const page = "docs/reference/personal-data.md"
	text := document(t, page)
	_, none, ok := strings.Cut(text, "\n## No personal data\n")
	if !ok {
		t.Fatal("the page does not say which columns have no personal data")
	}
	var listed, stored []string
	for line := range strings.Lines(text[:len(text)-len(none)]) {
		if cells := strings.Split(line, "|"); len(cells) == 5 {
			for _, m := range inCode.FindAllStringSubmatch(cells[1], -1) {
				listed = append(listed, m[1])
			}
		}
	}
	for line := range strings.Lines(none) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 {
			continue
		}
		for _, table := range inCode.FindAllStringSubmatch(cells[1], -1) {
			for _, column := range inCode.FindAllStringSubmatch(cells[2], -1) {
				listed = append(listed, table[1]+"."+column[1])
			}
		}
	}
	for _, table := range store.Tables {
		for _, column := range table.Columns {
			if column.Name != "tenant" {
				stored = append(stored, table.Name+"."+column.Name)
			}
		}
	}
	// A column that is listed twice, as personal data and as none, differs too.
	slices.Sort(stored)
	slices.Sort(listed)
	if diff := cmp.Diff(stored, listed); diff != "" {
		t.Errorf("columns (-in the schema +in %s):\n%s", page, diff)
	}
}
