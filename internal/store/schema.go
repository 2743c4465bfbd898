package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ErrSchemaDiffers: the schema in the database is not the one that the
// migrations of its version make.
var ErrSchemaDiffers = errors.New("the schema in the database differs")

// CheckSchema compares the parts of a schema, by name, with those that the
// migrations up to a version make. Further parts are no difference: an operator
// may have added an index, and a migration that was interrupted leaves some.
func CheckSchema(version int64, want, have map[string]string) error {
	var differences []string
	for _, name := range slices.Sorted(maps.Keys(want)) {
		switch is, found := have[name]; {
		case !found:
			differences = append(differences, name+" is missing")
		case is != want[name]:
			differences = append(differences, fmt.Sprintf("%s is %q and should be %q", name, is, want[name]))
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
