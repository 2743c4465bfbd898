package domain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxReason bounds what an operator says about an act, in characters.
const MaxReason = 500

// ParseReason takes what an operator says about an act, for the audit trail,
// without the space around it. It refuses what could not stand in one line of
// the trail, or would show there as something else than it is: line
// separators, marks that turn the direction of writing, characters of no
// width. remedy is what must be mended, empty where nothing must.
func ParseReason(text string) (reason, remedy string) {
	text = strings.TrimSpace(text)
	if n := utf8.RuneCountInString(text); n < 1 || n > MaxReason || !utf8.ValidString(text) {
		return "", fmt.Sprintf("must be 1 to %d characters", MaxReason)
	}
	if strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }) {
		return "", "must hold printable characters and plain spaces only"
	}
	return text, ""
}
