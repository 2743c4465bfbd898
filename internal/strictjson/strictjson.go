// Package strictjson reads JSON from outside so that it can mean one thing
// only.
//
// The idea: two readers of the same bytes must never see two different
// requests. RFC 8259 leaves it to each parser what a repeated name or a lone
// surrogate means, encoding/json takes the last of the repeated names, matches
// names in any case and mends broken text to U+FFFD. A proxy that checked one
// deviceId and a service that used the other is the attack; a passcode whose
// bytes were silently replaced is the accident. Here both are refused.
//
// No error repeats any part of the input: it may hold a secret.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth is how deep objects and arrays may nest, the outermost counted.
const MaxDepth = 64

// Object reads one JSON object (RFC 8259, the I-JSON profile of RFC 7493 in
// what follows). Its values are nil, bool, string, [json.Number], []any and
// map[string]any. Numbers stay as written, so that nothing is lost before the
// reader knows which type it wants.
//
// Refused are: anything before or after the object but white space, a member
// name that occurs twice in an object (also when one of them is escaped), text
// that is not UTF-8, escapes of lone surrogates, and nesting beyond [MaxDepth].
// Member names are told apart by case. The error says what is wrong and, for
// syntax, at which byte.
func Object(data []byte) (map[string]any, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("it is not valid UTF-8")
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("it is empty")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, syntaxError(err)
	}
	if err := checkSurrogates(data); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := value(d, 0)
	if err != nil {
		return nil, err
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("it is not an object")
	}
	return object, nil
}

// syntaxError keeps the place of an error and drops its text, which quotes the
// input.
func syntaxError(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("it has a syntax error at byte %d", syntax.Offset)
	}
	return errors.New("it has a syntax error")
}

// value reads the next value inside depth others. The document as a whole is
// known to be well-formed, so what d can still refuse is of no interest.
func value(d *json.Decoder, depth int) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, syntaxError(err)
	}
	if _, nests := token.(json.Delim); nests && depth == MaxDepth {
		return nil, fmt.Errorf("it nests deeper than %d", MaxDepth)
	}
	switch token {
	case json.Delim('{'):
		return object(d, depth+1)
	case json.Delim('['):
		return array(d, depth+1)
	}
	return token, nil
}

func object(d *json.Decoder, depth int) (any, error) {
	members := map[string]any{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, syntaxError(err)
		}
		name, _ := token.(string) // the syntax allows nothing else here
		if _, twice := members[name]; twice {
			return nil, errors.New("an object in it has two members of the same name")
		}
		if members[name], err = value(d, depth); err != nil {
			return nil, err
		}
	}
	_, err := d.Token() // the closing brace
	return members, err
}

func array(d *json.Decoder, depth int) (any, error) {
	elements := []any{}
	for d.More() {
		v, err := value(d, depth)
		if err != nil {
			return nil, err
		}
		elements = append(elements, v)
	}
	_, err := d.Token() // the closing bracket
	return elements, err
}

// checkSurrogates refuses \u escapes that are one half of a UTF-16 pair. In a
// well-formed document a backslash stands in strings only, so strings need not
// be told from the rest.
func checkSurrogates(data []byte) error {
	for {
		i := bytes.IndexByte(data, '\\')
		if i < 0 {
			return nil
		}
		data = data[i:]
		r, isUnicode := escaped(data)
		switch {
		case !isUnicode:
			data = data[2:]
			continue
		case !utf16.IsSurrogate(r):
			data = data[6:]
			continue
		}
		low, _ := escaped(data[6:])
		if utf16.DecodeRune(r, low) == utf8.RuneError {
			return errors.New("it has an escape of a lone surrogate")
		}
		data = data[12:]
	}
}

// escaped returns the code unit of the \uXXXX that data begins with.
func escaped(data []byte) (rune, bool) {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(data[2:6]), 16, 16)
	return rune(n), err == nil
}
