package metrics

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/sqlite"
)

func mustOpen(t testing.TB, path string, now time.Time) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(context.Background(), sqlite.Config{Path: path, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Migrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s
}

func mustUpdate(t testing.TB, s *sqlite.Store, fn func(store.Tx) error) {
	t.Helper()
	if err := s.Update(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}

func TestRollupsOnARealDatabaseSurviveARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "strongroom.db")
	s, r := mustOpen(t, path, noon), NewRollup("a", "a")
	commit := func(from, to int64) {
		mustUpdate(t, s, func(tx store.Tx) error {
			for seq := from; seq <= to; seq++ {
				e := entry("a", noon, deviceHash(int(seq)), seq%2 == 0, 10*time.Millisecond)
				e.Seq = seq
				if err := tx.InsertEntry(e); err != nil {
					return err
				}
			}
			return nil
		})
	}
	commit(1, 600)
	r.Add(noon, deviceHash(1), false, 10*time.Second)
	mustUpdate(t, s, writing(r.Take()))
	commit(601, 1000)
	_ = s.Close() // a kill: 400 entries are committed and not folded

	later := noon.Add(400 * 24 * time.Hour)
	s = mustOpen(t, path, later)
	mustUpdate(t, s, writing(NewRollup("a", "a").Take()))
	mustUpdate(t, s, func(tx store.Tx) error { return Prune(tx, tx.Now()) })
	var got domain.Summary
	err := s.View(context.Background(), func(tx store.Tx) (err error) {
		got, _, err = Summarise(tx, 401*24, tx.Now())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := domain.Summary{TotalOperations: 1001, SuccessfulOperations: 501, FailedOperations: 500, SuccessRate: 50_100.0 / 1001,
		AverageDuration: 20_000.0 / 1001, UniqueDevices: 1000, TimeframeHours: 401 * 24}
	if diff := cmp.Diff(want, untimed(t, got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// BenchmarkSummarise measures windows over full tables: every bucket of each
// width is there, as busy as days of so many devices make it.
func BenchmarkSummarise(b *testing.B) {
	now := noon.Add(37 * time.Minute)
	for _, perDay := range []int{500, 20_000, 100_000} {
		s := mustOpen(b, filepath.Join(b.TempDir(), "strongroom.db"), now)
		fillTables(b, s, now, perDay)
		for _, hours := range []float64{1, 24, 40 * 24, 365 * 24, maxWindowHours} {
			b.Run(fmt.Sprintf("devices-a-day=%d/hours=%v", perDay, hours), func(b *testing.B) {
				for b.Loop() {
					err := s.View(context.Background(), func(tx store.Tx) error {
						_, _, err := Summarise(tx, hours, tx.Now())
						return err
					})
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		for _, hours := range []float64{1, 24, 40 * 24, 90 * 24, 1500 * 24} {
			b.Run(fmt.Sprintf("devices-a-day=%d/series/hours=%v", perDay, hours), func(b *testing.B) {
				for b.Loop() {
					err := s.View(context.Background(), func(tx store.Tx) error {
						_, _, err := Series(tx, hours, 0, tx.Now())
						return err
					})
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		b.Run(fmt.Sprintf("devices-a-day=%d/flush", perDay), func(b *testing.B) {
			r := NewRollup("a", "a")
			for b.Loop() {
				r.Add(now, deviceHash(1), false, 0)
				mustUpdate(b, s, writing(r.Take()))
			}
		})
	}
}

func fillTables(t testing.TB, s *sqlite.Store, now time.Time, perDay int) {
	fill := func(width domain.BucketWidth, rows, seen int) {
		sketch := counted(hashes(uint64(width), seen)).encode()
		durations := encodeDurations(someDurations(10 * seen))
		mustUpdate(t, s, func(tx store.Tx) error {
			for i := range rows {
				start := startOf(width, now).Add(-time.Duration(i) * time.Duration(width))
				err := tx.PutBucket(domain.Bucket{Instance: "a", Width: width, Start: start, Operations: 1, Devices: sketch, Durations: durations})
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	fill(domain.Minute, 27*60, max(1, perDay/1440))
	fill(domain.Hour, 41*24, max(1, perDay/24))
	fill(domain.Day, 3661, perDay)
	fill(domain.FourWeeks, 132, perDay)
}
