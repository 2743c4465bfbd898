package audit

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
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

// The lines are those that every version since the first export wrote.
func TestALineMustHaveEachMemberOnceWithItsExactName(t *testing.T) {
	full := `{"chain":"c","seq":2,"time":"2026-03-01T12:00:00.005000Z","requestId":"r","actor":"caller","event":"credential.mismatch","outcome":"mismatch","operation":"verifyUserTransactionPin","failed":true,"count":1,"durationMicros":1000,"keyId":"k","account":"01","device":"02","record":"attempts/a","version":3,"before":"04","digest":"05","reason":"why \u001b\u003c\u0026\u003e","prev":"06","hash":"07"}`
	short := `{"chain":"c","seq":3,"time":"0001-01-01T00:00:00.000000Z","actor":"system","event":"operations.counted","outcome":"ok","count":9,"hash":"08"}`
	for _, text := range []string{full, short, strings.ReplaceAll(short, ",", ", ")} {
		if _, err := parseLine([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{
		strings.Replace(short, `"actor"`, `"actor":"caller","actor"`, 1),
		strings.Replace(short, `"actor"`, `"actor":"caller","\u0061ctor"`, 1),
		strings.Replace(short, `"actor"`, `"actor":"caller","ACTOR"`, 1),
		strings.Replace(short, `"actor"`, `"ACTOR"`, 1),
		strings.Replace(short, `"actor"`, `"note":"forged","actor"`, 1),
	} {
		if _, err := parseLine([]byte(text)); err == nil {
			t.Errorf("it was read: %s", text)
		}
	}
}

// noKey is the key of another store.
type noKey struct{}

func (noKey) MAC(string, []byte) []byte             { return nil }
func (noKey) VerifyMAC(string, []byte, []byte) bool { return false }
func (noKey) Past([]byte) bool                      { return false }
func (noKey) Knows([]byte) bool                     { return false }

// invented returns lines of as many chains, and how many of them are read.
func invented(chains int) (from io.Reader, read *int) {
	read = new(int)
	return readerFunc(func(p []byte) (int, error) {
		if *read == chains {
			return 0, io.EOF
		}
		*read++
		return copy(p, fmt.Sprintf("{\"chain\":\"c%d\",\"seq\":1,\"time\":\"2026-03-01T12:00:00.000000Z\",\"hash\":\"\"}\n", *read)), nil
	}), read
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestInventedChainsOfAnArchiveDoNotFillTheMemory(t *testing.T) {
	from, read := invented(10 * maxProblems)
	var r Report
	if err := r.CheckArchive(from, noKey{}); err != nil || len(r.Problems) != maxProblems || *read > 2*maxProblems {
		t.Errorf("%d problems after %d lines, %v", len(r.Problems), *read, err)
	}
}

func TestInventedChainsOfAContinuationDoNotFillTheMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: a hundred thousand chains, by -short")
	}
	follow := func(from io.Reader) (int64, error) {
		c := ContinueFrom(nil, noKey{})
		err := c.Follow(from, func(domain.Entry) { t.Error("an entry was accepted") })
		return c.Strange, err
	}
	from, read := invented(maxUnknownChains + 5000)
	if unknown, err := follow(from); err == nil || unknown != maxUnknownChains {
		t.Errorf("too many: %d unknown of %d lines, %v", unknown, *read, err)
	}
	line := `{"chain":%q,"seq":1,"time":"2026-03-01T12:00:00.000000Z","hash":%q}`
	long := strings.Repeat("00", 1000)
	for _, text := range []string{fmt.Sprintf(line, long, "00"), fmt.Sprintf(line, "c", long)} {
		if unknown, err := follow(strings.NewReader(text)); err == nil || unknown != 0 {
			t.Errorf("a long name or hash: %d unknown, %v", unknown, err)
		}
	}
}

// Anyone can write an export, and its errors reach a terminal.
func TestAContinuationNamesChainsPrintably(t *testing.T) {
	hash := strings.Repeat("00", 37)
	text := `{"chain":"\u001b[2J","seq":%d,"time":"2026-03-01T12:00:00.000000Z","prev":%q,"hash":%q}`
	for name, line := range map[string]string{
		"changed":         fmt.Sprintf(text, 4, hash, "01"),
		"missing":         fmt.Sprintf(text, 5, hash, hash),
		"of another one":  fmt.Sprintf(text, 3, hash, "01"),
		"does not follow": fmt.Sprintf(text, 4, "01", hash),
	} {
		c := ContinueFrom([]domain.Entry{{Chain: "\x1b[2J", Seq: 3, Hash: make([]byte, 37)}}, allKeys{})
		err := c.Follow(strings.NewReader(line), func(domain.Entry) {})
		if err == nil || !strings.Contains(err.Error(), `chain "\x1b[2J"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// allKeys are keys that know each hash and find none of them right.
type allKeys struct{ noKey }

func (allKeys) Knows([]byte) bool { return true }

// oldKeys are the keys of a store: they made each hash that begins with 01.
type oldKeys struct{ noKey }

func (oldKeys) VerifyMAC(string, []byte, []byte) bool { return true }
func (oldKeys) Knows(mac []byte) bool                 { return mac[0] == 1 }

// The store has chain a up to entry 2. Anyone can write a file that begins other chains.
func TestAContinuationMeetsAHeadOfItsStore(t *testing.T) {
	line := func(chain string, seq int, hash string) string {
		prev := ""
		if seq > 1 {
			prev = fmt.Sprintf(`"prev":"%s%02x",`, hash[:2], seq-1)
		}
		return fmt.Sprintf(`{"chain":%q,"seq":%d,"time":"2026-03-01T12:00:00.000000Z",%s"hash":"%s%02x"}`+"\n", chain, seq, prev, hash, seq)
	}
	const known, newer = "01", "02"
	rotated := strings.Replace(line("a", 3, newer), `"prev":"0202"`, `"prev":"0102"`, 1)
	for name, tt := range map[string]struct {
		text                   string
		meets                  bool
		read, unknown, strange int64
		chains                 int
	}{
		"another store":                   {line("x", 1, newer) + line("x", 2, newer) + line("y", 1, newer), false, 0, 0, 3, 2},
		"only old entries":                {line("a", 1, known), false, 0, 0, 0, 0},
		"begins after the backup":         {line("b", 1, known) + line("b", 2, known), false, 2, 0, 0, 0},
		"the head":                        {line("a", 2, known), true, 0, 0, 0, 0},
		"after the head":                  {line("a", 3, known), true, 1, 0, 0, 0},
		"a rotation at once":              {rotated + line("a", 4, newer), true, 0, 2, 0, 0},
		"all chains, and a rotation":      {line("a", 2, known) + line("b", 1, known) + strings.Replace(line("b", 2, newer), `"0201"`, `"0101"`, 1) + line("c", 1, newer), true, 1, 1, 1, 1},
		"an entry of a later chain twice": {line("b", 1, known) + line("b", 1, known), false, 1, 0, 0, 0},
	} {
		c := ContinueFrom([]domain.Entry{{Chain: "a", Seq: 2, Hash: []byte{1, 2}}}, oldKeys{})
		err := c.Follow(strings.NewReader(tt.text), func(domain.Entry) {})
		if err != nil || c.Meets != tt.meets || c.Read != tt.read || c.Unknown != tt.unknown || c.Strange != tt.strange || c.StrangeChains != tt.chains {
			t.Errorf("%s: meets %v, %d read, %d unknown, %d strange of %d chains, %v", name, c.Meets, c.Read, c.Unknown, c.Strange, c.StrangeChains, err)
		}
	}
}
