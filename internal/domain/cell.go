package domain

import "strings"

// SandboxCell is the tag of the sandbox's keyIds, which are in no store. No cell
// may have this tag.
const SandboxCell = "sandbox"

const maxCellBytes = 8

// IsCell reports whether text can be the tag of a cell. A cell is one of several
// independent databases. The keyIds that it issues begin with its tag, so that a
// proxy can tell from a keyId which cell has the key.
func IsCell(text string) bool {
	return text != "" && len(text) <= maxCellBytes && text != SandboxCell &&
		!strings.ContainsFunc(text, func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') })
}

// NewKeyID returns an id in the form of [NewID], preceded by the tag of a cell
// and a hyphen if cell is not empty. A hyphen is in neither alphabet, so the
// two forms cannot be confused.
func NewKeyID(cell string) string {
	if cell == "" {
		return NewID()
	}
	return InCell(cell, NewID())
}

// InCell is the inverse of [CutCell].
func InCell(cell, id string) string {
	if cell == "" {
		return id
	}
	return cell + "-" + id
}

// CutCell splits a keyId into the tag of its cell, empty if it has none, and
// the id after it. It checks neither: see [IsKeyID].
func CutCell(keyID string) (cell, id string) {
	cell, id, ok := strings.Cut(keyID, "-")
	if !ok {
		return "", keyID
	}
	return cell, id
}

// IsKeyID reports whether text has the form of [NewKeyID], with any tag or none.
func IsKeyID(text string) bool {
	cell, id := CutCell(text)
	return IsID(id) && InCell(cell, id) == text && (cell == "" || IsCell(cell))
}
