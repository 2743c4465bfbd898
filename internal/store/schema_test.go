package store

import (
	"errors"
	"strings"
	"testing"
)

func TestOnlyTheDifferingPartOfADefinitionIsShown(t *testing.T) {
	const table = "CREATE TABLE t ( id TEXT NOT NULL, mac BLOB NOT NULL, PRIMARY KEY (id) ) STRICT"
	for is, want := range map[string]string{
		strings.Replace(table, "mac BLOB NOT NULL, ", "", 1):       `table t is "… …" and should be "… mac BLOB NOT NULL, …"`,
		strings.Replace(table, "mac BLOB NOT NULL", "mac TEXT", 1): `table t is "… TEXT, …" and should be "… BLOB NOT NULL, …"`,
		strings.Replace(table, " STRICT", "", 1):                   `table t is "…" and should be "… STRICT"`,
	} {
		err := CheckSchema(1, map[string]string{"table t": is}, func(int64) (map[string]string, error) {
			return map[string]string{"table t": table}, nil
		})
		if !errors.Is(err, ErrSchemaDiffers) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}
