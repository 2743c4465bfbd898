package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

var (
	// ErrSchemaNewer: a newer binary wrote the database, and this one could
	// misread its records. Only a newer binary helps.
	ErrSchemaNewer = errors.New("database was written by a newer strongroom")
	// ErrSchemaOutdated: the database must be migrated before it is used.
	ErrSchemaOutdated = errors.New("database is not migrated: run strongroom migrate")
	// ErrSchemaDiffers: the schema in the database is not the one that the
	// migrations of its version make.
	ErrSchemaDiffers = errors.New("the schema in the database differs")
)

// CheckNotNewer refuses a schema of a later version than the binary knows.
func CheckNotNewer(have, known int64) error {
	if have > known {
		return fmt.Errorf("%w (schema %d, this binary knows %d): upgrade the binary", ErrSchemaNewer, have, known)
	}
	return nil
}

// CheckNotOutdated refuses a schema of an earlier version than the binary needs.
func CheckNotOutdated(have, known int64) error {
	if have < known {
		return fmt.Errorf("%w (schema %d, this binary needs %d)", ErrSchemaOutdated, have, known)
	}
	return nil
}

// CheckSchema compares the parts of a schema, by name, with those that the
// migrations up to its version make. It compares nothing if there is no schema
// yet, or if made returns nil. Additional parts are allowed: an operator may have
// added an index, and an interrupted migration leaves some.
func CheckSchema(version int64, have map[string]string, made func(version int64) (map[string]string, error)) error {
	if version == 0 {
		return nil
	}
	want, err := made(version)
	if err != nil {
		return err
	}
	var differences []string
	for _, name := range slices.Sorted(maps.Keys(want)) {
		switch is, found := have[name]; {
		case !found:
			differences = append(differences, name+" is missing")
		case is != want[name]:
			is, should := differing(is, want[name])
			differences = append(differences, fmt.Sprintf("%s is %.200q and should be %.200q", name, is, should))
		}
	}
	if len(differences) == 0 {
		return nil
	}
	more := ""
	if n := len(differences) - differencesTold; n > 0 {
		more = fmt.Sprintf("; and %d more", n)
	}
	return fmt.Errorf("%w from schema version %d: %s%s. An unreleased binary made this schema, or someone changed it. "+
		"Nothing was migrated. Restore a backup that a released binary made, or correct the schema by hand",
		ErrSchemaDiffers, version, strings.Join(differences[:min(len(differences), differencesTold)], "; "), more)
}

const differencesTold = 3

// differing leaves out the words that two definitions begin with and end with alike:
// a table has many columns, and one of them differs.
func differing(a, b string) (string, string) {
	one, other := strings.Fields(a), strings.Fields(b)
	start := 0
	for start < min(len(one), len(other)) && one[start] == other[start] {
		start++
	}
	one, other = one[start:], other[start:]
	end := 0
	for end < min(len(one), len(other)) && one[len(one)-1-end] == other[len(other)-1-end] {
		end++
	}
	short := func(words []string) string {
		words = slices.Clone(words[:len(words)-end])
		if start > 0 {
			words = slices.Insert(words, 0, "…")
		}
		if end > 0 {
			words = append(words, "…")
		}
		return strings.Join(words, " ")
	}
	return short(one), short(other)
}
