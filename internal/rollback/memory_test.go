package rollback

import (
	"math"
	"testing"

	"strongroom/internal/domain"
)

var pinOfPhone = place{domain.RecordAttempts, "phone", "TRANSACTION_PIN"}

func version(record string, n int64, digest uint64) state {
	return state{pinOfPhone, record, n, digest}
}

func TestARowOlderThanTheRememberedOneIsBehind(t *testing.T) {
	for what, tt := range map[string]struct {
		read  state
		began uint64
		want  bool
	}{
		"the newest":                            {version("a", 3, 33), math.MaxUint64, false},
		"a newer one, of another process":       {version("a", 4, 44), math.MaxUint64, false},
		"an older one":                          {version("a", 2, 22), math.MaxUint64, true},
		"another of the same version":           {version("a", 3, 99), math.MaxUint64, true},
		"another record, at a higher version":   {version("b", 9, 99), math.MaxUint64, true},
		"none":                                  {state{place: pinOfPhone}, math.MaxUint64, true},
		"an older one, by a snapshot of before": {version("a", 2, 22), 0, false},
	} {
		m := newMemory()
		m.remember([]state{version("a", 2, 22)})
		m.remember([]state{version("a", 3, 33)})
		if got := m.behind(tt.read, tt.began); got != tt.want {
			t.Errorf("%s: behind is %v, want %v", what, got, tt.want)
		}
	}
}

func TestWritingAVersionTwiceRevealsARollback(t *testing.T) {
	m := newMemory()
	for n := int64(1); n <= 6; n++ {
		if m.remember([]state{version("a", n, uint64(10*n))}) != nil {
			t.Fatalf("version %d is reported as a repeat", n)
		}
	}
	if m.remember([]state{version("a", 5, 50)}) != nil {
		t.Error("the same version, read once more, is reported as a repeat")
	}
	if m.remember([]state{version("a", 5, 99)}) == nil {
		t.Error("another version 5 was not detected")
	}
}

func TestARowInUseStaysRememberedAcrossGenerations(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel")
	}
	m := newMemory()
	m.remember([]state{version("a", 3, 33)})
	for n := range 3 * rowsOfAGeneration {
		if n%(rowsOfAGeneration/2) == 0 && !m.behind(version("a", 2, 22), math.MaxUint64) {
			t.Fatalf("forgotten after %d others", n)
		}
		m.remember([]state{{place{domain.RecordKey, "", string(rune(n))}, "x", 1, 1}})
	}
}

func entry(seq int64, hash byte) domain.Entry {
	return domain.Entry{Chain: "chain", Seq: seq, Hash: []byte{hash, 0, 0, 0, 0, 0, 0, 1}}
}

// appended is a memory of a chain to which this process appended entries 1 to 3.
func appended() *memory {
	m := newMemory()
	for n := int64(1); n <= 3; n++ {
		e := entry(n, byte(n))
		m.wrote(e)
		m.committed(map[string]domain.Entry{"chain": e})
	}
	return m
}

func TestAChainMustReachItsRememberedEntry(t *testing.T) {
	pending := entry(4, 4)
	for what, tt := range map[string]struct {
		newest domain.Entry
		want   verdict
	}{
		"the newest":                       {entry(3, 3), sound},
		"its tail is cut off":              {entry(2, 2), lost},
		"another stands in its place":      {entry(3, 9), lost},
		"one of ours, not yet known":       {pending, sound},
		"another in the place of that one": {entry(4, 9), further},
		"entries of another process":       {entry(9, 9), further},
	} {
		m := appended()
		m.wrote(pending)
		if got, _ := m.head(tt.newest, "chain", math.MaxUint64); got != tt.want {
			t.Errorf("%s: got %d, want %d", what, got, tt.want)
		}
	}
	if got, _ := appended().head(entry(2, 2), "chain", 0); got != sound {
		t.Errorf("a snapshot of before: got %d, want %d", got, sound)
	}
}

func TestAppendingAnEntryTwiceRevealsARollback(t *testing.T) {
	m := appended()
	m.wrote(entry(3, 9))
	if cut := m.committed(map[string]domain.Entry{"chain": entry(3, 9)}); cut == nil {
		t.Error("another entry 3 was not detected")
	}
	m = appended()
	mine := entry(4, 4)
	m.wrote(mine)
	m.wrote(entry(4, 9)) // before the first one is known to be durable
	if cut := m.committed(map[string]domain.Entry{"chain": mine}); cut == nil {
		t.Error("that entry 4 was overwritten was not detected")
	}
}

// A transaction gives its turn back before it is remembered. The next one must
// not append to the entry before that.
func TestTheNewestEntryIsUnknownWhileALaterOneIsWritten(t *testing.T) {
	m := newMemory()
	at := func(seq int64, hash string) domain.Entry {
		return domain.Entry{Chain: "chain", Seq: seq, Hash: []byte(hash)}
	}
	known := func(when string, want int64) {
		t.Helper()
		if e, is := m.newest("chain"); e.Seq != want || is != (want > 0) {
			t.Errorf("%s: entry %d is known (%v), want %d", when, e.Seq, is, want)
		}
	}
	commit := func(e domain.Entry) {
		t.Helper()
		if cut := m.committed(map[string]domain.Entry{"chain": e}); cut != nil {
			t.Errorf("entry %d is missing", cut.Seq)
		}
	}
	known("at first", 0)
	m.wrote(at(1, "the first"))
	known("before the first commit", 0)
	commit(at(1, "the first"))
	known("after it", 1)
	m.wrote(at(2, "the second"))
	known("while the second is under way", 0)
	commit(at(2, "the second"))
	known("after the second", 2)
	m.wrote(at(3, "a third that failed"))
	m.wrote(at(3, "the third"))
	known("after a failure", 0)
	commit(at(3, "the third"))
	known("after the third", 3)
}

func TestIdleChecksReadAllTouchedRowsInTurn(t *testing.T) {
	m := newMemory()
	var newest place
	for i := range touchedKept {
		newest = place{kind: "key", id: string(rune('a' + i))}
		m.touch(newest)
	}
	seen := map[place]bool{}
	if first := m.touchedLast(1)[0]; first != newest {
		t.Errorf("the first is %v, want the last one that was touched", first)
	}
	m.touch(newest)
	for range touchedKept / touchedWhenIdle {
		for _, p := range m.touchedLast(touchedWhenIdle) {
			seen[p] = true
		}
	}
	if len(seen) != touchedKept {
		t.Errorf("%d of %d rows were read", len(seen), touchedKept)
	}
}
