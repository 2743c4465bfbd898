package witness

import (
	"testing"

	"strongroom/internal/rollback"
)

// An operator accepts a loss by its name, so the name must match no other loss.
func TestTheNameOfALossCoversEveryField(t *testing.T) {
	head := func(chain string, seq int64, hash string) rollback.Head {
		return rollback.Head{Chain: chain, Seq: seq, Hash: []byte(hash)}
	}
	a, b := head("a", 3, "x"), head("b", 4, "x")
	names := map[string]loss{}
	for _, l := range []loss{
		{home: a, missing: []rollback.Head{a}},
		{home: a, missing: []rollback.Head{a, b}},
		{home: a, missing: []rollback.Head{b, a}},
		{home: a, missing: []rollback.Head{head("a", 3, "y")}},
		{home: b, missing: []rollback.Head{a}},
		{home: a, missing: []rollback.Head{a}, accepted: []byte("entry")},
		{home: a, wrong: "is missing"},
		{home: a, wrong: "was edited", text: []byte("1")},
		{home: a, wrong: "was edited", text: []byte("2")},
		{home: b, wrong: "is missing"},
		{home: a, missing: []rollback.Head{a}, wrong: "is missing"},
	} {
		if same, twice := names[l.name()]; twice {
			t.Errorf("%s names %v and %v", l.name(), same, l)
		}
		names[l.name()] = l
	}
}
