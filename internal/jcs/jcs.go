// Package jcs writes JSON in its canonical form (RFC 8785, the JSON
// Canonicalization Scheme), so that a client and this service compute the same
// hash of a transaction.
//
// The threat is a text that two programs read as different transactions with the
// same hash. So the text is read by [strictjson], which accepts only text with
// one meaning.
package jcs

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf16"

	"strongroom/internal/strictjson"
)

// MaxBytes is the maximum length of the text to canonicalize.
const MaxBytes = 4 << 10

var errTooLong = fmt.Errorf("it is longer than %d bytes", MaxBytes)

// canonical returns the canonical form of data and the object in it. Numbers are
// rounded to binary64, as RFC 8785 requires.
func canonical(data []byte) (out []byte, object map[string]any, err error) {
	if len(data) > MaxBytes {
		return nil, nil, errTooLong
	}
	if object, err = strictjson.Object(data); err != nil {
		return nil, nil, err
	}
	out, err = appendValue(make([]byte, 0, len(data)), object)
	return out, object, err
}

func appendValue(out []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(out, "null"...), nil
	case bool:
		return strconv.AppendBool(out, v), nil
	case json.Number:
		f, err := strconv.ParseFloat(string(v), 64)
		if err != nil {
			return nil, errors.New("it has a number that is too large")
		}
		return appendNumber(out, f), nil
	case string:
		return appendString(out, v), nil
	case []any:
		return appendArray(out, v)
	case map[string]any:
		return appendObject(out, v)
	}
	return nil, fmt.Errorf("strictjson returned a %T", v)
}

func appendArray(out []byte, elements []any) (_ []byte, err error) {
	out = append(out, '[')
	for i, v := range elements {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = appendValue(out, v); err != nil {
			return nil, err
		}
	}
	return append(out, ']'), nil
}

// appendObject sorts the members by the UTF-16 code units of their names (RFC
// 8785, 3.2.3). That differs from the order of UTF-8 for characters above
// U+FFFF.
func appendObject(out []byte, members map[string]any) (_ []byte, err error) {
	names := slices.SortedFunc(maps.Keys(members), func(a, b string) int {
		return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
	})
	out = append(out, '{')
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendString(out, name), ':')
		if out, err = appendValue(out, members[name]); err != nil {
			return nil, err
		}
	}
	return append(out, '}'), nil
}

// appendString escapes only what must be escaped (RFC 8785, 3.2.2.2). s is valid
// UTF-8.
func appendString(out []byte, s string) []byte {
	out = append(out, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c >= ' ':
			out = append(out, c)
		case shortEscapes[c] != 0:
			out = append(out, '\\', shortEscapes[c])
		default:
			out = fmt.Appendf(out, `\u%04x`, c)
		}
	}
	return append(out, '"')
}

var shortEscapes = [' ']byte{'\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r'}

// appendNumber writes a finite number as ECMAScript's Number::toString does (RFC
// 8785, 3.2.2.3): the shortest digits that read as f again.
func appendNumber(out []byte, f float64) []byte {
	abs := math.Abs(f)
	if abs == 0 {
		return append(out, '0') // minus zero too
	}
	if abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(out, f, 'f', -1, 64)
	}
	out = strconv.AppendFloat(out, f, 'e', -1, 64)
	if n := len(out); out[n-2] == '0' && out[n-3] == '-' { // Go writes e-07, ECMAScript e-7
		out = append(out[:n-2], out[n-1])
	}
	return out
}
