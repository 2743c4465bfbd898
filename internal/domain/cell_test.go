package domain

import (
	"strings"
	"testing"
)

func TestAKeyIDHasTheTagOfItsCellOrNone(t *testing.T) {
	for _, cell := range []string{"", "a", "7", "eu1", "0189eu9z"} {
		id := NewKeyID(cell)
		if got, rest := CutCell(id); got != cell || !IsID(rest) || !IsKeyID(id) || InCell(got, rest) != id {
			t.Errorf("in cell %q: %s is of cell %q", cell, id, got)
		}
	}
	id := NewID()
	for _, text := range []string{"", "-", "eu1-", "-" + id, "EU1-" + id, "eu1" + id, "eu1--" + id, "eu1-x-" + id, "eu1-" + id + "a", "eu1-" + strings.ToUpper(id),
		"eu1_" + id, "ninechars-" + id, "é-" + id, " eu1-" + id, "eu1-" + id + "\n", SandboxCell + "-" + id, id + "-eu1"} {
		if IsKeyID(text) {
			t.Errorf("%q is taken for a keyId", text)
		}
	}
}
