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
	maxCursor = 8192 // bytes of a cursor
	maxText   = 2048 // bytes of a text in a filter; an issuer can be that long
)

// cursor encodes a position in a list for clients: base64url of a JSON array of
// strings, with the name of the list first. It is neither secret nor signed. A
// made-up cursor only reads another part of a list that the operator may read
// anyway.
func cursor(list string, fields ...string) string {
	text, _ := json.Marshal(append([]string{list}, fields...)) // texts always marshal
	return base64.RawURLEncoding.EncodeToString(text)
}

// place decodes a cursor of the list with this number of fields. For an empty
// cursor it returns empty fields.
func place(after, list string, fields int) ([]string, error) {
	if after == "" {
		return make([]string, fields), nil
	}
	bad := domain.BadInput("after", "must be the position that the part before ended with")
	if len(after) > maxCursor {
		return nil, bad
	}
	text, err := base64.RawURLEncoding.Strict().DecodeString(after)
	if err != nil {
		return nil, bad
	}
	var got []string
	// A cursor that encodes to different bytes was not made by this program.
	if json.Unmarshal(text, &got) != nil || len(got) != fields+1 || got[0] != list || cursor(got[0], got[1:]...) != after {
		return nil, bad
	}
	for _, field := range got[1:] {
		if checkText("after", field) != nil {
			return nil, bad
		}
	}
	return got[1:], nil
}

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
	return cursor("entries", strconv.FormatInt(domain.Micros(p.Time), 10), p.Chain, strconv.FormatInt(p.Seq, 10))
}

func entryPlace(after string) (p domain.EntryPosition, err error) {
	fields, err := place(after, "entries", 3)
	if err != nil || after == "" {
		return p, err
	}
	micros, err1 := strconv.ParseInt(fields[0], 10, 64)
	seq, err2 := strconv.ParseInt(fields[2], 10, 64)
	if err1 != nil || err2 != nil || micros <= 0 { // seq: a forged entry has any
		return p, domain.BadInput("after", "must be the position that the part before ended with")
	}
	return domain.EntryPosition{Time: domain.FromMicros(micros), Chain: fields[1], Seq: seq}, nil
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
		return p, domain.BadInput("after", "must be the position that the part before ended with")
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
		return "", 0, domain.BadInput("after", "must be the position that the part before ended with")
	}
	return fields[0], seq, nil
}
