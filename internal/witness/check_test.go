package witness

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"strongroom/internal/record"
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
		{home: a, state: "s", restored: age{epoch: record.Epoch{Number: 2, At: time.Unix(1, 0)}}},
		{home: a, state: "t", restored: age{epoch: record.Epoch{Number: 2, At: time.Unix(1, 0)}}},
		{home: a, state: "s", restored: age{epoch: record.Epoch{Number: 2, At: time.Unix(2, 0)}}},
	} {
		if same, twice := names[l.name()]; twice {
			t.Errorf("%s names %v and %v", l.name(), same, l)
		}
		names[l.name()] = l
	}
}

// Each start of a process begins chains, and the note keeps a bounded number of heads. The
// chains of a process that has run for long are the first ones of the note.
func TestAFullNoteKeepsTheChainsThatMovedLast(t *testing.T) {
	heads := func(name string, n int, seq int64) (all []rollback.Head) {
		for i := range n {
			all = append(all, rollback.Head{Chain: fmt.Sprintf("%s/%d", name, i), Seq: seq})
		}
		return all
	}
	note := slices.Concat(heads("long", 12, 3), heads("ended", mostHeads-12, 1))
	now := slices.Concat(heads("new", 20, 1), heads("long", 12, 4))
	got := newestHeads(note, now)
	for _, h := range now {
		if !slices.ContainsFunc(got, func(g rollback.Head) bool { return g.Chain == h.Chain && g.Seq == h.Seq }) {
			t.Errorf("entry %d of chain %s is not in the note", h.Seq, h.Chain)
		}
	}
	many := slices.Concat(heads("quiet", mostHeads, 1), heads("long", 12, 5)) // more than the note keeps
	full := newestHeads(got, many)
	if again := newestHeads(full, many); !slices.EqualFunc(full, again, func(a, b rollback.Head) bool { return a.Chain == b.Chain }) {
		t.Error("a note about the same chains changes")
	}
	if len(got) != mostHeads || len(full) != mostHeads {
		t.Errorf("notes of %d and %d heads, want %d", len(got), len(full), mostHeads)
	}
}
