package jcs

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/strictjson"
)

func mustCanonical(t testing.TB, text string) string {
	t.Helper()
	out, _, err := canonical([]byte(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return string(out)
}

func read(t testing.TB, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{"testdata"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestThePublishedDocumentsGiveThePublishedOutput also covers the sorting of RFC 8785, 3.2.3 (weird)
// and its example 3.2.2 (values). One of the documents is an array, so each is
// put into an object.
func TestThePublishedDocumentsGiveThePublishedOutput(t *testing.T) {
	for _, name := range []string{"arrays", "french", "structures", "unicode", "values", "weird"} {
		want := strings.TrimSuffix(read(t, "output", name+".json"), "\n")
		got := mustCanonical(t, `{"document": `+read(t, "input", name+".json")+`}`)
		if diff := cmp.Diff(`{"document":`+want+`}`, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestNumbersOfAppendixBAreFormattedAsPublished(t *testing.T) {
	lines := bufio.NewScanner(strings.NewReader(read(t, "appendix-b.txt")))
	n := 0
	for ; lines.Scan(); n++ {
		bits, want, _ := strings.Cut(lines.Text(), " ")
		f := math.Float64frombits(must(strconv.ParseUint(bits, 16, 64)))
		text := fmt.Sprintf(`{"n":%s}`, strconv.FormatFloat(f, 'g', 40, 64))
		if want == "error" {
			if out, _, err := canonical([]byte(text)); err == nil {
				t.Errorf("%s: got %s", text, out)
			}
			continue
		}
		if got := mustCanonical(t, text); got != `{"n":`+want+`}` {
			t.Errorf("%s: got %s, want %s", bits, got, want)
		}
	}
	if n != 26 {
		t.Errorf("read %d lines", n)
	}
}

// TestThePublishedNumberSequenceHasItsHash makes the published sequence of edge cases and
// random numbers, of which only the SHA-256 of all lines is published.
func TestThePublishedNumberSequenceHasItsHash(t *testing.T) {
	length, want := 100_000, "22776e6d4b49fa294a0d0f349268e5c28808fe7e0cb2bcbe28f63894e494d4c7"
	if testing.Short() {
		length, want = 10_000, "b9f7a8e75ef22a835685a52ccba7f7d6bdc99e34b010992cbc5864cd12be6892"
	}
	var bits []uint64
	for line := range strings.Lines(read(t, "numbers.txt")) {
		bits = append(bits, must(strconv.ParseUint(strings.TrimSpace(line), 16, 64)))
	}
	for i := range uint64(2000) {
		bits = append(bits, 0x0010000000000000+i)
	}
	var block [sha256.Size]byte
	for len(bits) < length {
		block = sha256.Sum256(block[:])
		for part := block[:]; len(part) > 0; part = part[8:] {
			b := binary.LittleEndian.Uint64(part)
			if f := math.Float64frombits(b); f != 0 && !math.IsNaN(f) && !math.IsInf(f, 0) {
				bits = append(bits, b)
			}
		}
	}
	sum := sha256.New()
	for _, b := range bits[:length] {
		_, _ = fmt.Fprintf(sum, "%x,%s\n", b, appendNumber(nil, math.Float64frombits(b)))
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		t.Errorf("SHA-256 over %d numbers: got %s, want %s", length, got, want)
	}
}

func TestStringsAreEscapedOnlyWhereTheyMustBe(t *testing.T) {
	for in, want := range map[string]string{
		`"\u0000\u0001\u001f"`:             `"\u0000\u0001\u001f"`,
		`"\u0008\u0009\u000a\u000c\u000d"`: `"\b\t\n\f\r"`,
		`"\/\u002f\u0022\u005c"`:           `"//\"\\"`,
		`"\u007f\u0080\u2028\u2029<>&"`:    "\"\u007f\u0080\u2028\u2029<>&\"",
		`"\uD83D\uDE00\ufffd"`:             "\"\U0001F600\ufffd\"",
	} {
		if got := mustCanonical(t, `{"s":`+in+`}`); got != `{"s":`+want+`}` {
			t.Errorf("%s: got %s", in, got)
		}
	}
}

// TestNamesAreSortedByUTF16 has two names that UTF-8 would sort the other way.
func TestNamesAreSortedByUTF16(t *testing.T) {
	if got, want := mustCanonical(t, `{"\uff5e":1,"\ud800\udc00":2}`), "{\"\U00010000\":2,\"\uff5e\":1}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestInvalidOrAmbiguousTextIsRefused includes all that
// github.com/gowebpki/jcs v1.0.1 accepts.
func TestInvalidOrAmbiguousTextIsRefused(t *testing.T) {
	const secret = "canary"
	for name, text := range map[string]string{
		"repeated name":          `{"canary":1,"canary":2}`,
		"repeated name, escaped": `{"canary":1,"\u0063anary":2}`,
		"lone high surrogate":    `{"canary":"\ud800"}`,
		"lone low surrogate":     `{"canary":"\udead"}`,
		"lone surrogate in name": `{"\ud800canary":1}`,
		"invalid UTF-8":          "{\"canary\":\"\xff\"}",
		"overlong UTF-8":         "{\"canary\":\"\xc0\xaf\"}",
		"surrogate in UTF-8":     "{\"canary\":\"\xed\xa0\x80\"}",
		"cut off in a name":      `{"canary":1,"b`,
		"unknown escape":         `{"canary":1,"\x`,
		"two numbers":            `{"canary":1 2}`,
		"hexadecimal":            `{"canary":0x1p4}`,
		"leading zero":           `{"canary":01}`,
		"plus":                   `{"canary":+1}`,
		"no integer part":        `{"canary":.5}`,
		"Infinity":               `{"canary":Infinity}`,
		"NaN":                    `{"canary":NaN}`,
		"beyond binary64":        `{"canary":1e400}`,
		"byte order mark":        "\ufeff" + `{"canary":1}`,
		"two documents":          `{"canary":1}{}`,
		"trailing comma":         `{"canary":1,}`,
		"comment":                `{"canary":1}//`,
		"array":                  `["canary"]`,
		"string":                 `"canary"`,
		"empty":                  ``,
		"too deep":               `{"canary":` + strings.Repeat("[", strictjson.MaxDepth) + strings.Repeat("]", strictjson.MaxDepth) + `}`,
		"too long":               `{"canary":"` + strings.Repeat("x", MaxBytes) + `"}`,
	} {
		out, _, err := canonical([]byte(text))
		if err == nil {
			t.Errorf("%s: got %s", name, out)
		} else if strings.Contains(err.Error(), secret) {
			t.Errorf("%s: the error repeats the text: %v", name, err)
		}
	}
}

func TestTheLargestDocumentIsAccepted(t *testing.T) {
	frame := len(`{"a":""}`)
	if got := mustCanonical(t, `{"a":"`+strings.Repeat("x", MaxBytes-frame)+`"}`); len(got) != MaxBytes {
		t.Errorf("got %d bytes", len(got))
	}
	if got := mustCanonical(t, `{"a":[`+strings.Repeat("1e20,", 800)+`0]}`); len(got) > 6*MaxBytes {
		t.Errorf("got %d bytes, more than documented", len(got))
	}
	mustCanonical(t, `{"a":`+strings.Repeat("[", strictjson.MaxDepth-1)+strings.Repeat("]", strictjson.MaxDepth-1)+`}`)
}

// FuzzCanonical holds two promises: the canonical form has the meaning that
// encoding/json reads in the text, and is its own canonical form.
func FuzzCanonical(f *testing.F) {
	for _, name := range []string{"arrays", "french", "structures", "unicode", "values", "weird"} {
		f.Add([]byte(`{"":` + read(f, "input", name+".json") + `}`))
	}
	f.Add([]byte(`{"a":-0.0,"b":[1e-7,1E21,5e-324],"\ud800\udc00":"\u001f"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		out, _, err := canonical(data)
		if err != nil {
			return
		}
		var before, after any
		if err := json.Unmarshal(data, &before); err != nil {
			t.Fatalf("accepted what encoding/json refuses: %v", err)
		}
		if err := json.Unmarshal(out, &after); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("another meaning:\n%s", diff)
		}
		if len(out) > MaxBytes {
			return
		}
		if again := mustCanonical(t, string(out)); again != string(out) {
			t.Errorf("%s became %s", out, again)
		}
	})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
