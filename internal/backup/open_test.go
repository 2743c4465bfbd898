package backup

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A small file can claim to need any amount of memory.
func TestAManifestThatNeedsTooMuchMemoryIsRefused(t *testing.T) {
	const end = `],"size":1}` + "\n"
	for name, heads := range map[string]string{
		"empty heads":      strings.Repeat("{},", 8_000_000) + "{}",
		"one empty head":   `{"chain":"c","seq":1,"hash":"` + strings.Repeat("0", 64) + `"},{}`,
		"a short head":     `{"chain":"c","seq":1,"hash":"0"}`,
		"an unknown field": `{"chain":"c","seq":1,"hash":"` + strings.Repeat("0", 64) + `","more":1}`,
		"a long manifest":  `{"chain":"` + strings.Repeat("c", mostManifest) + `"}`,
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		_, err := readManifest(bufio.NewReader(strings.NewReader(magic + `{"heads":[` + heads + end)))
		runtime.ReadMemStats(&after)
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v, want %v", name, err, ErrDamaged)
		}
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 400 {
			t.Errorf("%s took %d MiB", name, took)
		}
	}
}

// A decoder reads in portions, one of which can end exactly with the object.
func TestOnlyTheManifestIsReadOfABackup(t *testing.T) {
	text, err := json.Marshal(Manifest{Size: 1})
	if err != nil {
		t.Fatal(err)
	}
	for padding := range 5000 {
		in := bufio.NewReader(strings.NewReader(magic + strings.Repeat(" ", padding) + string(text) + "\ndatabase"))
		if _, err := readManifest(in); err != nil {
			t.Fatal(err)
		}
		if rest, _ := io.ReadAll(in); string(rest) != "database" {
			t.Errorf("after an object that ends at byte %d, %q is left", len(text)+padding, rest)
		}
	}
}

func TestAManifestOfManyChainsIsRead(t *testing.T) {
	head := `{"chain":"01JDWQ2V6N8X4M3P5R7T9Y1Z2B-12","seq":1000000,"hash":"` + strings.Repeat("0", 64) + `","time":"` + time.Now().UTC().Format(time.RFC3339Nano) + `"}`
	const many = 50_000
	m, err := readManifest(bufio.NewReader(strings.NewReader(magic + `{"heads":[` + strings.Repeat(head+",", many-1) + head + `],"size":1}` + "\n")))
	if err != nil || len(m.Heads) != many {
		t.Errorf("%d heads, %v", len(m.Heads), err)
	}
}
