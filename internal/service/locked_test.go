package service

import (
	"strings"
	"testing"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// A lock that is missing in lists, because an earlier version wrote it or because
// the column was edited, is listed again.
func TestALockMissingFromListsIsListedAgain(t *testing.T) {
	v := tamperable(t)
	v.lock()
	listed := func() (n int) {
		t.Helper()
		err := v.cfg.Store.View(v.ctx, func(tx store.Tx) error {
			all, err := tx.LockedAttempts(tx.Now(), domain.LockPosition{}, 10)
			n = len(all)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, edit := range []string{"0", "1"} {
		v.insider().write("UPDATE attempts SET locked_to = " + edit + " WHERE @pin")
		if n := listed(); n != 0 {
			t.Fatalf("%d locks are listed", n)
		}
		if err := v.ListLocks(v.ctx); err != nil {
			t.Fatal(err)
		}
		if n := listed(); n != 1 {
			t.Errorf("%d locks are listed, want 1", n)
		}
	}
	if strings.Count(v.log.String(), "listed again") != 2 {
		t.Error("the log does not report it")
	}
	if err := v.ListLocks(v.ctx); err != nil || strings.Count(v.log.String(), "listed again") != 2 {
		t.Errorf("a listed lock was written again: %v", err)
	}
	v.expect("the right PIN", v.verifyPIN(v.issue("phone"), "1357"), "CREDENTIAL_LOCKED")
	v.intact()
}
