package audit

import (
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
)

// HoldAtMost bounds how many records a verification holds in memory, and how
// many entries of those that it reads again, until the returned function is
// called.
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

func TestALineReadsBackWithEveryFieldOfItsEntry(t *testing.T) {
	var e domain.Entry
	for _, f := range reflect.VisibleFields(reflect.TypeFor[domain.Entry]()) {
		switch value := reflect.ValueOf(&e).Elem().FieldByIndex(f.Index); value.Addr().Interface().(type) {
		case *domain.About: // no part of the trail
		case *time.Time:
			value.Set(reflect.ValueOf(time.Date(2026, 3, 1, 12, 0, 0, 5000, time.UTC)))
		case *int64, *time.Duration:
			value.SetInt(7000)
		case *bool:
			value.SetBool(true)
		case *[]byte:
			value.SetBytes([]byte(f.Name))
		default:
			value.SetString(f.Name)
		}
	}
	e.Tampered = false // no part of the trail either
	text, err := json.Marshal(line(e))
	if err != nil {
		t.Fatal(err)
	}
	got, err := parseLine(text)
	if diff := cmp.Diff(e, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
