package record

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A use case that changes a record has to enter that, because [Tx] demands an
// entry. So only these may use the store's own transactions, which do not.
func TestUseCasesChangeRecordsByTheUnitOfWorkOnly(t *testing.T) {
	may := []string{
		"internal/store/",           // the contract and the engines
		"internal/rollback/",        // compares what it reads
		"internal/record/",          // the unit of work
		"internal/metrics/store.go", // measures
		"internal/cli/",             // reads settings
	}
	root := filepath.Join("..", "..")
	seen := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), "store.Tx") {
			return err
		}
		seen++
		if !slices.ContainsFunc(may, func(prefix string) bool { return strings.HasPrefix(filepath.ToSlash(name), prefix) }) {
			t.Errorf("%s uses store.Tx: it must use record.Tx, so that no change is without its entry", name)
		}
		return nil
	})
	if err != nil || seen < 5 {
		t.Errorf("%d files use store.Tx: %v", seen, err)
	}
}
