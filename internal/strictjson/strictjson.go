// Package strictjson reads JSON from clients, and accepts only text with one meaning.
//
// The idea: two parsers of the same bytes must never see different requests. RFC 8259
// does not define what a repeated name or a lone surrogate means. encoding/json takes
// the last of the repeated names, ignores the case of names, and replaces invalid text
// by U+FFFD. Then a proxy could check one deviceId while the service uses another one,
// and bytes of a passcode could be replaced silently. This package refuses such input.
//
// No error repeats any part of the input, because it may contain a secret.
package strictjson

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth is how deep objects and arrays may nest, including the outermost.
const MaxDepth = 64

// Object reads one JSON object (RFC 8259), with the restrictions below, which are from
// the I-JSON profile (RFC 7493). Its values are nil, bool, string, [json.Number], []any
// and map[string]any. Numbers stay as written, so that no precision is lost. The result
// shares no memory with data.
//
// Object refuses anything but white space before or after the object, a member name that
// occurs twice in an object (also if one of them is escaped), text that is not UTF-8,
// escapes of lone surrogates, and nesting beyond [MaxDepth]. Member names are case
// sensitive. The error says what is wrong and, for a syntax error, at which byte. It
// completes a sentence about the text, such as "it is not valid UTF-8".
func Object(data []byte) (map[string]any, error) {
	r, err := open(data)
	if err != nil {
		return nil, err
	}
	return r.object(1)
}

// Secrets reads one JSON object of strings, as strictly as [Object]. It refuses members
// whose name is not in names. It leaves no copies of the strings except the values. The
// caller clears these, also if there is an error.
func Secrets(data []byte, names ...string) (map[string][]byte, error) {
	r, err := open(data)
	if err != nil {
		return nil, err
	}
	return r.secrets(names)
}

// open returns a reader of a well-formed object.
func open(data []byte) (*reader, error) {
	switch {
	case !utf8.Valid(data):
		return nil, errors.New("it is not valid UTF-8")
	case len(bytes.TrimSpace(data)) == 0:
		return nil, errors.New("it is empty")
	case !json.Valid(data):
		return nil, syntaxError(data)
	}
	r := &reader{data: data}
	if r.next() != '{' {
		return nil, errors.New("it is not an object")
	}
	return r, nil
}

// syntaxError keeps the position of an error and drops its text, which quotes the
// input.
func syntaxError(data []byte) error {
	var whole json.RawMessage
	if syntax, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(data, &whole)); ok {
		return fmt.Errorf("it has a syntax error at byte %d", syntax.Offset)
	}
	return errors.New("it has a syntax error")
}

// reader reads a document that encoding/json found well-formed. So it checks only the
// first byte of a value, and never checks for the end of the data. It refuses
// well-formed documents that have more than one meaning.
type reader struct {
	data []byte
	at   int
}

// next skips to the next byte that is not white space, and returns it.
func (r *reader) next() byte {
	for {
		switch c := r.data[r.at]; c {
		case ' ', '\t', '\r', '\n':
			r.at++
		default:
			return c
		}
	}
}

// value reads the next value, which is nested in depth others.
func (r *reader) value(depth int) (any, error) {
	c := r.next()
	switch c {
	case '{', '[':
		if depth == MaxDepth {
			return nil, fmt.Errorf("it nests deeper than %d", MaxDepth)
		}
		if c == '{' {
			return r.object(depth + 1)
		}
		return r.array(depth + 1)
	case '"':
		return r.text()
	case 't':
		r.at += len("true")
		return true, nil
	case 'f':
		r.at += len("false")
		return false, nil
	case 'n':
		r.at += len("null")
		return nil, nil
	}
	return r.number(), nil
}

var errTwice = errors.New("an object in it has two members of the same name")

// object reads an object from its opening brace on.
func (r *reader) object(depth int) (map[string]any, error) {
	r.at++
	members := map[string]any{}
	for r.next() != '}' {
		name, err := r.text()
		if err != nil {
			return nil, err
		}
		if _, twice := members[name]; twice {
			return nil, errTwice
		}
		r.next()
		r.at++ // the colon
		if members[name], err = r.value(depth); err != nil {
			return nil, err
		}
		if r.next() == ',' {
			r.at++
		}
	}
	r.at++
	return members, nil
}

// secrets reads an object of strings from its opening brace on.
func (r *reader) secrets(names []string) (map[string][]byte, error) {
	r.at++
	members := map[string][]byte{}
	for r.next() != '}' {
		name, err := r.nameOf(names)
		if err != nil {
			return members, err
		}
		if _, twice := members[name]; twice {
			return members, errTwice
		}
		r.next()
		r.at++ // the colon
		if r.next() != '"' {
			return members, errors.New("it has a member that is not a string")
		}
		// Room for the rest of the data: a string never grows when it is unescaped, and a
		// buffer that must grow leaves a copy in memory.
		if members[name], err = r.appendText(make([]byte, 0, len(r.data)-r.at)); err != nil {
			return members, err
		}
		if r.next() == ',' {
			r.at++
		}
	}
	return members, nil
}

// nameOf reads the name of a member, which must be one of names. It leaves no copy of
// any other name: a client may have put its secret there by mistake.
func (r *reader) nameOf(names []string) (string, error) {
	text, err := r.appendText(make([]byte, 0, len(r.data)-r.at))
	defer clear(text)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		if string(text) == name {
			return name, nil
		}
	}
	return "", errors.New("it has a member with another name")
}

// array reads an array from its opening bracket on.
func (r *reader) array(depth int) ([]any, error) {
	r.at++
	elements := []any{}
	for r.next() != ']' {
		v, err := r.value(depth)
		if err != nil {
			return nil, err
		}
		elements = append(elements, v)
		if r.next() == ',' {
			r.at++
		}
	}
	r.at++
	return elements, nil
}

// number reads a number. It is never at the end of the data, because it is in an
// object.
func (r *reader) number() json.Number {
	rest := r.data[r.at:]
	end := bytes.IndexAny(rest, ",}] \t\r\n")
	r.at += end
	return json.Number(rest[:end])
}

// text reads a string from its opening quote on.
func (r *reader) text() (string, error) {
	r.next()
	r.at++
	rest := r.data[r.at:]
	end := bytes.IndexByte(rest, '"')
	if bytes.IndexByte(rest[:end], '\\') >= 0 {
		r.at--
		out, err := r.appendText(make([]byte, 0, 2*end))
		return string(out), err
	}
	r.at += end + 1
	return string(rest[:end]), nil
}

// appendText appends to out the string whose opening quote is next.
func (r *reader) appendText(out []byte) ([]byte, error) {
	r.next()
	r.at++
	rest := r.data[r.at:]
	end := bytes.IndexByte(rest, '"')
	if escape := bytes.IndexByte(rest[:end], '\\'); escape >= 0 {
		r.at += escape
		return r.unescape(append(out, rest[:escape]...))
	}
	r.at += end + 1
	return append(out, rest[:end]...), nil
}

// escapes has the character for each letter after a backslash, except u.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape appends to out the rest of a string. It refuses \u escapes of a lone half of
// a UTF-16 surrogate pair, which each parser replaces in its own way.
func (r *reader) unescape(out []byte) ([]byte, error) {
	for {
		c := r.data[r.at]
		r.at++
		switch {
		case c == '"':
			return out, nil
		case c != '\\':
			out = append(out, c)
		case r.data[r.at] != 'u':
			out = append(out, escapes[r.data[r.at]])
			r.at++
		default:
			char := r.codeUnit()
			if utf16.IsSurrogate(char) {
				if char = utf16.DecodeRune(char, r.lowHalf()); char == utf8.RuneError {
					return out, errors.New("it has an escape of a lone surrogate")
				}
			}
			out = utf8.AppendRune(out, char)
		}
	}
}

// codeUnit reads the rest of a \uXXXX, from its u on.
func (r *reader) codeUnit() rune {
	var unit [2]byte
	_, _ = hex.Decode(unit[:], r.data[r.at+1:r.at+5]) // well-formed, so four digits
	r.at += 5
	return rune(binary.BigEndian.Uint16(unit[:]))
}

// lowHalf reads the escape that must follow the first half of a surrogate pair. If there
// is none, it returns utf8.RuneError, which is not a half of a pair.
func (r *reader) lowHalf() rune {
	if !bytes.HasPrefix(r.data[r.at:], []byte(`\u`)) {
		return utf8.RuneError
	}
	r.at++
	return r.codeUnit()
}
