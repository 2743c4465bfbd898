package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestObjectReadsEveryKindOfValue(t *testing.T) {
	doc := ` {"a": [1, -2.50e+3, 12345678901234567890], "A": {"": null}, "t": true, "f": false,
		"s": "\u00e9\ud83d\ude00\\ud800 \"\n\/", "empty": [], "none": {}, "\b\f\r\t\u0000" : [ "\u0041\uFFFD\uffff" ,
		-0 , true,false , null ] , "e\u0301" :{ } , "\ud83d\ude00":"é😀"	} ` + "\n"
	want := map[string]any{
		"a": []any{json.Number("1"), json.Number("-2.50e+3"), json.Number("12345678901234567890")},
		"A": map[string]any{"": nil},
		"t": true, "f": false,
		"s":     "é😀\\ud800 \"\n/",
		"empty": []any{}, "none": map[string]any{},
		"\b\f\r\t\x00": []any{"A\ufffd\uffff", json.Number("-0"), true, false, nil},
		"e\u0301":      map[string]any{}, "😀": "é😀",
	}
	got, err := Object([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestObjectRefusesInvalidAndAmbiguousJSON(t *testing.T) {
	nested := func(n int) string {
		return `{"a":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}`
	}
	if _, err := Object([]byte(nested(MaxDepth))); err != nil {
		t.Errorf("the deepest allowed document: %v", err)
	}
	const secret = "hunter2"
	for name, doc := range map[string]string{
		"nothing":                      "",
		"white space":                  " \n",
		"an array":                     `[{"a":1}]`,
		"a string":                     `"hunter2"`,
		"null":                         `null`,
		"cut short":                    `{"a":"hunter2`,
		"a comma too many":             `{"a":1,}`,
		"a comma too few":              `{"a":1 "b":2}`,
		"a comment":                    `{"a":1 /* hunter2 */}`,
		"single quotes":                `{'a':'hunter2'}`,
		"NaN":                          `{"a":NaN}`,
		"a number with leading zero":   `{"a":01}`,
		"a raw control character":      "{\"a\":\"hunter2\n\"}",
		"an unknown escape":            `{"a":"\hunter2"}`,
		"a byte order mark":            "\ufeff{}",
		"a second value":               `{"a":1}{"b":"hunter2"}`,
		"trailing bytes":               `{"a":1} hunter2`,
		"a trailing NUL":               "{}\x00",
		"a name twice":                 `{"hunter2":1,"hunter2":2}`,
		"a name twice, once escaped":   `{"key":1,"k\u0065y":2}`,
		"a name twice, deep inside":    `{"a":[{"b":{"c":1,"d":2,"c":3}}]}`,
		"a name twice, one value null": `{"a":null,"a":null}`,
		"invalid UTF-8":                "{\"a\":\"hunter2\xff\"}",
		"an encoded surrogate":         "{\"a\":\"\xed\xa0\x80\"}",
		"a lone high surrogate":        `{"a":"\ud800hunter2"}`,
		"a lone low surrogate":         `{"a":"\udc00"}`,
		"a high surrogate at the end":  `{"a":"\ud800"}`,
		"two high surrogates":          `{"a":"\ud800\ud800\udc00"}`,
		"a surrogate pair turned":      `{"a":"\udc00\ud800"}`,
		"a lone surrogate in a name":   `{"\ud800":1}`,
		"nesting beyond the bound":     nested(MaxDepth + 1),
		"nesting without end":          strings.Repeat(`{"a":`, 100_000),
	} {
		got, err := Object([]byte(doc))
		if err == nil {
			t.Errorf("%s: accepted as %v", name, got)
		} else if strings.Contains(err.Error(), secret) {
			t.Errorf("%s: the error repeats the input: %v", name, err)
		}
	}
}

// FuzzObject holds Object against encoding/json: whatever is accepted means
// the same there, and survives being written and read again.
func FuzzObject(f *testing.F) {
	for _, doc := range []string{`{}`, `{"a":[1,2.5e3,"x",null,true,{"b":{}}]}`, `{"a":1,"a":2}`, `{"\u0061":"\ud83d\ude00"}`,
		`{"a":"\ud800"}`, `[1]`, `{"a":"\\u"}`, `{"a":1}x`, "{\"\xff\":0}", "\t{ \"\\b\\\"\" :\r[ 1 ,-0.5E+7,{ } , [ ] ] }\n",
		`{"a":"\ud83d\n","b":"\udc00\ud800"}`} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Object(data)
		if err != nil {
			return
		}
		if diff := cmp.Diff(reference(t, data), got); diff != "" {
			t.Fatalf("encoding/json reads it differently:\n%s", diff)
		}
		again, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Object(again)
		if err != nil {
			t.Fatalf("written and read again: %v", err)
		}
		if diff := cmp.Diff(got, back); diff != "" {
			t.Fatalf("written and read again:\n%s", diff)
		}
	})
}

func reference(t *testing.T, data []byte) map[string]any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("encoding/json refuses it: %v", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		t.Fatalf("encoding/json sees something after it: %v", err)
	}
	return v
}

func BenchmarkObject(b *testing.B) {
	doc := []byte(`{"query":"mutation Verify($input: EncryptedVerifyPasscodeInput!) { verifyUserPasscode(input: $input) }","variables":{"input":{"encryptedPasscode":"` +
		strings.Repeat("Zk9+", 128) + `","keyId":"abcdefghijklmnopqrstuvwxyz","passwordAuthType":"PASSCODE"}}}`)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Object(doc); err != nil {
			b.Fatal(err)
		}
	}
}

func TestSecretsAreReadAsStrictlyAsObjects(t *testing.T) {
	names := []string{"pin", "txn", ""}
	got, err := Secrets([]byte(` {"p\u0069n" : "8302","txn":"a\u00e9\ud83d\ude00\"\\","":""} `), names...)
	want := map[string][]byte{"pin": []byte("8302"), "txn": []byte("aé😀\"\\"), "": {}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for name, doc := range map[string]string{
		"a number":           `{"pin":8302}`,
		"null":               `{"pin":null}`,
		"an object":          `{"pin":{}}`,
		"two of one name":    `{"pin":"8302","p\u0069n":"8302"}`,
		"a lone surrogate":   `{"pin":"8302\ud800"}`,
		"one in a name":      `{"8302\ud800":"pin"}`,
		"another name":       `{"8302":"pin"}`,
		"a name's beginning": `{"pi":"8302"}`,
		"a name in capitals": `{"PIN":"8302"}`,
		"something behind":   `{"pin":"8302"}8302`,
		"cut short":          `{"pin":"8302`,
		"not an object":      `"8302"`,
		"not UTF-8":          "{\"pin\":\"8302\xff\"}",
		"a raw control char": "{\"pin\":\"8302\n\"}",
	} {
		if got, err := Secrets([]byte(doc), names...); err == nil || strings.Contains(err.Error(), "8302") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// A string that grows while it is read would leave a copy of a secret behind.
func TestASecretIsReadIntoOneBuffer(t *testing.T) {
	doc := []byte(`{"pin":"\"` + strings.Repeat(`\u0038\\`, 50) + `"}`)
	got, err := Secrets(doc, "pin")
	if err != nil || len(got["pin"]) != 101 {
		t.Fatal(got, err)
	}
	if n := len(doc) - len(`{"pin":`); cap(got["pin"]) != n {
		t.Errorf("the buffer has room for %d bytes, and was made for %d", cap(got["pin"]), n)
	}
}
