package audit_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/stracetest"
)

// The entries of an archive are removed from the database next.
func TestAnArchiveIsSyncedToDiskWhenItIsClosed(t *testing.T) {
	calls := stracetest.Calls(t, func(dir string) error {
		to, err := audit.CreateArchive(filepath.Join(dir, "archive"))
		if err != nil {
			return err
		}
		return errors.Join(to.Add([]domain.Entry{{Chain: "chain", Seq: 1}}), to.Close())
	})
	if diff := cmp.Diff([]string{"fsync archive", "fsync ."}, calls); diff != "" {
		t.Errorf("system calls (-want +got):\n%s", diff)
	}
}
