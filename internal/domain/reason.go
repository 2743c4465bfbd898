package domain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxReason bounds the reason that an operator gives for an act, in characters.
const MaxReason = 500

// ParseReason checks the reason that an operator gives for an act, and trims it.
// It refuses characters that would break a line of the audit trail or make it
// look different: line separators, bidirectional controls, zero-width characters.
// remedy says how to correct a refused reason; it is empty if the reason is good.
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
