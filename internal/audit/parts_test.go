package audit

import (
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"testing"

	"strongroom/internal/domain"
)

// HoldAtMost bounds how many records a verification holds in memory, and how
// many entries of those that it reads again, until what it returns is called.
func HoldAtMost(records int) (undo func()) {
	records0, told0 := maxHistories, maxRecheckEntries
	maxHistories, maxRecheckEntries = records, records
	return func() { maxHistories, maxRecheckEntries = records0, told0 }
}

// What a verification keeps of each record, and what it takes to find it again.
func BenchmarkHistories(b *testing.B) {
	const records = 5_000_000
	key := newHashKey()
	found, left := key.of([]byte("found")), key.of([]byte("left"))
	e := domain.Entry{Version: 1, Digest: []byte("left")}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	t := newHistories()
	names := rand.New(rand.NewPCG(1, 2))
	name := func() string {
		var id [16]byte
		binary.BigEndian.PutUint64(id[:], names.Uint64())
		return domain.RecordKey + "/" + domain.FormatID(id)
	}
	for range records {
		t.of(name()).add(&e, 1, found, left, false, true)
	}
	each := float64(heap()-before) / records
	for n := 0; b.Loop(); n++ {
		if n%records == 0 {
			names = rand.New(rand.NewPCG(1, 2))
		}
		if h, _ := t.find(name()); h == nil {
			b.Fatal("one is lost")
		}
	}
	b.ReportMetric(each, "B/record")
}
