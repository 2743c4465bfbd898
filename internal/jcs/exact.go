package jcs

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// Exact returns the canonical form of data, a JSON object of at most [MaxBytes]
// bytes in UTF-8. The result shares no memory with data, and is up to 6 times
// longer: 1e20 is written with 21 digits.
//
// It refuses what [strictjson.Object] refuses (repeated names, lone surrogates,
// invalid UTF-8, nesting beyond [strictjson.MaxDepth]) and numbers beyond the
// range of IEEE 754 binary64. It also refuses a number whose value changes when it
// is rounded to binary64, such as 9007199254740993. Otherwise two different amounts
// could have one hash. 12.50 passes: its canonical form 12.5 is the same number.
//
// The error completes a sentence about the text ("it is not valid UTF-8"), and
// has no part of it.
func Exact(data []byte) ([]byte, error) {
	out, object, err := canonical(data)
	if err == nil && !exact(object) {
		err = errors.New("it has a number that JSON parsers round: write it as a string")
	}
	return out, err
}

// exact reports whether all numbers in v keep their value in canonical form.
func exact(v any) bool {
	switch v := v.(type) {
	case json.Number:
		f, err := strconv.ParseFloat(string(v), 64)
		return err == nil && decimalOf(string(v)) == decimalOf(string(appendNumber(nil, f)))
	case []any:
		for _, element := range v {
			if !exact(element) {
				return false
			}
		}
	case map[string]any:
		for _, member := range v {
			if !exact(member) {
				return false
			}
		}
	}
	return true
}

// decimal is the value of a JSON number: 0.digits times ten to the power of
// exponent. Two numbers are equal if and only if their decimals are.
type decimal struct {
	negative bool
	digits   string // without zeros at either end; empty: zero
	exponent int
}

// decimalOf reads a well-formed number of at most [MaxBytes] bytes. It computes
// with no number of its size: 1e999999999 costs no more than 1.
func decimalOf(number string) (d decimal) {
	text, negative := strings.CutPrefix(number, "-")
	text, power, _ := strings.Cut(strings.ToLower(text), "e")
	whole, fraction, _ := strings.Cut(text, ".")
	d.exponent, _ = strconv.Atoi(power) // out of range: the largest int, which no canonical form has
	d.exponent += len(whole)
	d.digits = whole + fraction
	significant := strings.TrimLeft(d.digits, "0")
	d.exponent -= len(d.digits) - len(significant)
	if d.digits = strings.TrimRight(significant, "0"); d.digits == "" {
		return decimal{} // minus zero too
	}
	d.negative = negative
	return d
}
