package metrics

import (
	"errors"
	"fmt"
	"time"

	"strongroom/internal/domain"
)

// Prune deletes the oldest buckets of minutes and hours that no window needs
// any more. Buckets of days and of four weeks are kept for ever. Nothing else
// can be written meanwhile, so one call deletes at most a few hundred. Call it
// at least once an hour. After a long downtime it needs several calls.
func Prune(tx Tx, now time.Time) error {
	// Kept a little longer, by one wider bucket: a summary whose now is slightly
	// earlier must still find its first bucket.
	if err := prune(tx, domain.Minute, now.Add(-minutesUpTo-time.Hour)); err != nil {
		return fmt.Errorf("deleting minute buckets: %w", err)
	}
	if err := prune(tx, domain.Hour, now.Add(-hoursUpTo-24*time.Hour)); err != nil {
		return fmt.Errorf("deleting hour buckets: %w", err)
	}
	return nil
}

// maxPruned is how many start times one call of Prune deletes, of each width.
// One hour has 60.
const maxPruned = 80

var errEnough = errors.New("enough")

func prune(tx Tx, width domain.BucketWidth, before time.Time) error {
	before = startOf(width, before)
	starts, last := 0, time.Time{}
	err := tx.EachCount(domain.BucketSpan{Width: width, To: before}, func(b domain.Bucket) error {
		if b.Start.Equal(last) {
			return nil
		}
		if starts == maxPruned {
			before = b.Start
			return errEnough
		}
		starts, last = starts+1, b.Start
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	return tx.DeleteBuckets(width, before)
}
