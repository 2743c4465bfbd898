package operator

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"strongroom/internal/domain"
)

const (
	maxPage   = 200
	maxText   = 2048     // bytes of a text in a filter; an issuer can be that long
	maxCursor = 40 << 10 // bytes of a cursor: JSON takes 6 bytes for a control character
)

// cursor encodes a position in a list for clients: base64url of a JSON array of
// texts, with the name of the list first. It is neither secret nor signed. A
// made-up cursor only reads another part of a list that the operator may read
// anyway. It is empty, as at the end of a list, if only edited rows can follow.
func cursor(list string, fields ...string) string {
	all := []field{field(list)}
	for _, f := range fields {
		if len(f) > maxField {
			if f = successor(start(f)); f == "" {
				return ""
			}
		}
		all = append(all, field(f))
	}
	text, _ := json.Marshal(all) // texts always marshal
	return base64.RawURLEncoding.EncodeToString(text)
}

// field is a text in a cursor. A row that was edited in the database can contain any
// bytes, and the list must still continue after it. JSON cannot express bytes that are
// not UTF-8, so they are an array with their base64.
type field string

// MarshalJSON writes a JSON string, or an array with one.
func (f field) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(f)) {
		return json.Marshal(string(f))
	}
	return json.Marshal([][]byte{[]byte(f)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *field) UnmarshalJSON(text []byte) error {
	var raw [1][]byte
	if json.Unmarshal(text, &raw) == nil {
		*f = field(raw[0])
		return nil
	}
	return json.Unmarshal(text, (*string)(f))
}

// maxField is the size of a field in a cursor. Only an edited row has longer texts. A
// cursor has the successor of their start, so it skips other rows whose texts start in the
// same way: all of them were edited.
const maxField = maxText + utf8.UTFMax

// start returns the first maxText bytes of a longer text, without a part of a character.
func start(text string) string {
	at := maxText
	for at > maxText-utf8.UTFMax && !utf8.RuneStart(text[at]) {
		at--
	}
	return text[:at]
}

// successor returns the first text, in byte order, after all texts that begin with the given
// one; "": there is none. It is UTF-8 if the text is.
func successor(text string) string {
	valid := utf8.ValidString(text)
	for text != "" {
		r, size := utf8.DecodeLastRuneInString(text)
		switch last := text[len(text)-1]; {
		case valid && r < utf8.MaxRune:
			if r++; r == 0xd800 { // surrogates have no encoding in UTF-8
				r = 0xe000
			}
			return text[:len(text)-size] + string(r)
		case valid:
			text = text[:len(text)-size]
		case last < 0xff:
			return text[:len(text)-1] + string([]byte{last + 1})
		default:
			text = text[:len(text)-1]
		}
	}
	return ""
}

// place decodes a cursor of the list with this number of fields. For an empty
// cursor it returns empty fields.
func place(after, list string, fields int) ([]string, error) {
	got := make([]string, fields)
	if after == "" {
		return got, nil
	}
	text, err := base64.RawURLEncoding.Strict().DecodeString(after)
	if err != nil || len(after) > maxCursor {
		return nil, errPlace
	}
	var all []field
	if json.Unmarshal(text, &all) != nil || len(all) != fields+1 || all[0] != field(list) {
		return nil, errPlace
	}
	for i, f := range all[1:] {
		got[i] = string(f)
	}
	// A cursor that encodes to different bytes was not made by this program.
	if cursor(list, got...) != after {
		return nil, errPlace
	}
	return got, nil
}

var errPlace = domain.BadInput("after", "must be the position that the part before ended with")

// checkPage refuses a limit that is too large or below 1.
func checkPage(p domain.Page) error {
	if p.Limit < 1 || p.Limit > maxPage {
		return domain.BadInput("limit", fmt.Sprintf("must be 1 to %d", maxPage))
	}
	return nil
}

// checkText refuses texts that no name in the store can be, because not every
// engine accepts every text.
func checkText(field, text string) error {
	switch {
	case len(text) > maxText:
		return domain.BadInput(field, fmt.Sprintf("must be at most %d bytes", maxText))
	case !utf8.ValidString(text) || slices.ContainsFunc([]rune(text), unicode.IsControl):
		return domain.BadInput(field, "must be UTF-8 without control characters")
	}
	return nil
}

// checkTexts is checkText for several pairs of field and text.
func checkTexts(all ...[2]string) error {
	for _, named := range all {
		if err := checkText(named[0], named[1]); err != nil {
			return err
		}
	}
	return nil
}

// part cuts a list to one page. The list must contain one more item than the
// limit if there is another page. next is where that page begins, or empty.
func part[T any](all []T, limit int, at func(T) string) (page []T, next string) {
	if len(all) <= limit {
		return all, ""
	}
	return all[:limit], at(all[limit-1])
}

func entryCursor(p domain.EntryPosition) string {
	if len(p.Chain) > maxField { // the next entries sort before it
		p.Chain = start(p.Chain)
	}
	return cursor("entries", strconv.FormatInt(domain.Micros(p.Time), 10), p.Chain, strconv.FormatInt(p.Seq, 10))
}

func entryPlace(after string) (p domain.EntryPosition, err error) {
	fields, err := place(after, "entries", 3)
	if err != nil || after == "" {
		return p, err
	}
	micros, err1 := strconv.ParseInt(fields[0], 10, 64)
	seq, err2 := strconv.ParseInt(fields[2], 10, 64)
	p = domain.EntryPosition{Time: domain.FromMicros(micros), Chain: fields[1], Seq: seq}
	// A forged entry has any number and time, but none before 1970 is listed.
	if err1 != nil || err2 != nil || micros < 0 || p == (domain.EntryPosition{}) {
		return domain.EntryPosition{}, errPlace
	}
	return p, nil
}

func lockCursor(l domain.ListedLock) string {
	return cursor("locks", strconv.FormatInt(l.At.Until, 10), l.At.AccountID, string(l.At.Type))
}

func lockPlace(after string) (p domain.LockPosition, err error) {
	fields, err := place(after, "locks", 3)
	if err != nil || after == "" {
		return p, err
	}
	until, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return p, errPlace
	}
	return domain.LockPosition{Until: until, AccountID: fields[1], Type: domain.CredentialType(fields[2])}, nil
}

// chainPlace decodes a position in an export: the last entry that it contains.
func chainPlace(after string) (chain string, seq int64, err error) {
	fields, err := place(after, "export", 2)
	if err != nil || after == "" {
		return "", 0, err
	}
	if seq, err = strconv.ParseInt(fields[1], 10, 64); err != nil || seq < 0 {
		return "", 0, errPlace
	}
	return fields[0], seq, nil
}
