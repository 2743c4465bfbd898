package backup

import (
	"strings"
	"testing"
)

// An edited database can have any number of chains, and values of any length.
func TestADifferenceIsToldInOneShortLine(t *testing.T) {
	var many []Head
	for range 400_000 {
		many = append(many, Head{Chain: "c", Seq: 1, Hash: strings.Repeat("0", 64)})
	}
	good := Manifest{Heads: many[:1], Store: "s"}
	for what, is := range map[string]Manifest{
		"400,000 chains":   {Heads: many, Store: "s"},
		"no chain":         {Store: "s"},
		"a long store":     {Heads: many[:1], Store: strings.Repeat("s", 1<<20)},
		"another hash":     {Heads: []Head{{Chain: "c", Seq: 1, Hash: strings.Repeat("0", 65)}}, Store: "s"},
		"another sequence": {Heads: []Head{{Chain: "c", Seq: 2, Hash: many[0].Hash}}, Store: "s"},
	} {
		if all := good.differences(is); len(all) != 1 || len(all[0]) > 500 {
			t.Errorf("%s: %d differences: %.1000s", what, len(all), strings.Join(all, "; "))
		}
	}
	if all := good.differences(good); len(all) > 0 {
		t.Errorf("the same manifest differs: %v", all)
	}
	want := "heads of the audit trail: no further ones in the manifest, c/1/" + many[0].Hash + " and 399998 more in the database"
	if all := good.differences(Manifest{Heads: many, Store: "s"}); all[0] != want {
		t.Errorf("%q, want %q", all[0], want)
	}
}
