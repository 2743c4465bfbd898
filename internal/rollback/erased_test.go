package rollback

import (
	"math"
	"testing"
)

func TestTheIdsOfErasedRowsAreBounded(t *testing.T) {
	m := newMemory()
	m.remember([]state{version("a", 3, 33)})
	m.erase([]uint64{m.sum("a")})
	if !m.wasErased("a", math.MaxUint64) {
		t.Error("an erased row is not remembered")
	}
	if m.wasErased("a", 1) {
		t.Error("a transaction that began before the erasure was known may find the row")
	}
	for n := range rowsOfAGeneration {
		m.erase([]uint64{uint64(n)})
	}
	if !m.wasErased("a", math.MaxUint64) {
		t.Errorf("forgotten after %d others", rowsOfAGeneration)
	}
	for n := range 3 * rowsOfAGeneration {
		m.erase([]uint64{uint64(n)})
	}
	if n := len(m.erased.now) + len(m.erased.past); n > 2*rowsOfAGeneration {
		t.Errorf("%d ids are remembered, want at most %d", n, 2*rowsOfAGeneration)
	}
}

func TestTheAbsenceOfAnErasedRowIsNoRollback(t *testing.T) {
	m := newMemory()
	m.remember([]state{version("a", 3, 33)})
	m.erase([]uint64{m.sum("a")})
	if m.behind(state{place: pinOfPhone}, math.MaxUint64) {
		t.Error("its absence is taken for a rollback")
	}
	m.remember([]state{version("a", 3, 33)}) // by a transaction that read it before
	if m.behind(state{place: pinOfPhone}, math.MaxUint64) {
		t.Error("it is remembered again")
	}
	m.remember([]state{version("b", 1, 11)})
	if !m.behind(state{place: pinOfPhone}, math.MaxUint64) {
		t.Error("the absence of the recreated row is not detected")
	}
}
