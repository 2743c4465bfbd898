package sqlite

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"testing"

	"strongroom/internal/store"
)

// After each commit, the files must contain all that was committed, because a power cut
// must not lose it. The test has commits that are larger than what is collected, and
// commits of which SQLite wrote pages before.
func TestSmallAndLargeCommitsAreInTheFiles(t *testing.T) {
	ctx := context.Background()
	for name, pragma := range map[string]string{"all at the commit": "PRAGMA cache_size = -65536", "some before the commit": "PRAGMA cache_size = 10"} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			s := migrated(t, path)
			setWriter(t, s, pragma)
			other := opened(t, path)
			for round, settings := range []int{1, 3, 14, 16, 40, 100, 1} {
				values := map[string][]byte{}
				err := s.Update(ctx, func(tx store.Tx) error { return putTwice(tx, settings, values) })
				if err != nil {
					t.Fatal(err)
				}
				undone := s.Update(ctx, func(tx store.Tx) error {
					return errors.Join(tx.PutSetting("setting 0", make([]byte, 100_000)), errors.New("undone"))
				})
				wantError(t, undone, "undone")
				wantValues(t, fmt.Sprint("another connection, round ", round), other, values)
				wantValues(t, fmt.Sprint("a copy of the files, round ", round), afterPowerCut(t, path), values)
			}
		})
	}
}

// putTwice puts random values, notes them in values, and puts each setting twice, so that
// SQLite changes pages that it has already written.
func putTwice(tx store.Tx, settings int, values map[string][]byte) error {
	var errs []error
	for i := range 2 * settings {
		name, value := fmt.Sprint("setting ", i%settings), make([]byte, 3000)
		_, _ = rand.Read(value)
		values[name] = value
		errs = append(errs, tx.PutSetting(name, value))
	}
	return errors.Join(errs...)
}

// afterPowerCut opens a copy of the files as they are now.
func afterPowerCut(t *testing.T, path string) *Store {
	t.Helper()
	cut := newPath(t)
	for _, suffix := range []string{"", "-wal"} {
		if err := os.WriteFile(cut+suffix, must(os.ReadFile(path+suffix)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return opened(t, cut)
}

func wantValues(t *testing.T, where string, s *Store, want map[string][]byte) {
	t.Helper()
	err := s.View(context.Background(), func(tx store.Tx) error {
		for name, value := range want {
			if got, err := tx.Setting(name); err != nil || !bytes.Equal(got, value) {
				t.Errorf("%s: %s is wrong (%v)", where, name, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestACommitThatIsNotSyncedFails(t *testing.T) {
	s := migrated(t, newPath(t))
	setWriter(t, s, "PRAGMA synchronous = OFF")
	err := s.Update(context.Background(), func(tx store.Tx) error { return tx.PutSetting("name", []byte("value")) })
	wantError(t, err, "was not synced")
}
