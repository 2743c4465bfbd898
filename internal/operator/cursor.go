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
	maxCursor = 8192 // bytes of a position as it is handed out
	maxText   = 2048 // bytes of what a filter names; an issuer can be that long
)

// cursor is a place in a list as it is handed out: base64url of a JSON list of
// texts, the first of which names the list. It is no secret and no promise:
// whoever makes one up reads from another place of what he may read anyway.
func cursor(list string, fields ...string) string {
	text, _ := json.Marshal(append([]string{list}, fields...)) // texts always marshal
	return base64.RawURLEncoding.EncodeToString(text)
}

// place reads a cursor of the list: so many fields, or none where it is empty.
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
	// What does not come out again as it went in was not made here.
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

// checkPage refuses a page that is too long, or empty.
func checkPage(p domain.Page) error {
	if p.Limit < 1 || p.Limit > maxPage {
		return domain.BadInput("limit", fmt.Sprintf("must be 1 to %d", maxPage))
	}
	return nil
}

// checkText refuses what no name in the store can be: not every engine takes
// every text.
func checkText(field, text string) error {
	switch {
	case len(text) > maxText:
		return domain.BadInput(field, fmt.Sprintf("must be at most %d bytes", maxText))
	case !utf8.ValidString(text) || slices.ContainsFunc([]rune(text), unicode.IsControl):
		return domain.BadInput(field, "must be UTF-8 without control characters")
	}
	return nil
}

// checkTexts is checkText of several, each a field and its text.
func checkTexts(all ...[2]string) error {
	for _, named := range all {
		if err := checkText(named[0], named[1]); err != nil {
			return err
		}
	}
	return nil
}

// part cuts a list, of which one more than asked for was read, to the page,
// and says where the next part begins: empty at the end.
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

// chainPlace is the place in an export: the last entry that it has.
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
