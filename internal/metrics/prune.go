package metrics

import (
	"errors"
	"fmt"
	"time"

	"strongroom/internal/domain"
)

// Prune deletes buckets that no window starts on any more, the oldest first.
// Those of a day and of four weeks stay for ever. It deletes no more than some
// hundred, as nothing else is written meanwhile: call it at least once an hour.
// After a long stop it takes several calls; no request waits for them.
func Prune(tx Tx, now time.Time) error {
	// One wider bucket of slack: a summary whose now is a moment earlier must
	// still find its first bucket.
	if err := prune(tx, domain.Minute, now.Add(-minutesUpTo-time.Hour)); err != nil {
		return fmt.Errorf("deleting minute buckets: %w", err)
	}
	if err := prune(tx, domain.Hour, now.Add(-hoursUpTo-24*time.Hour)); err != nil {
		return fmt.Errorf("deleting hour buckets: %w", err)
	}
	return nil
}

// maxPruned is how many starts of buckets one call of Prune deletes, of each
// width. An hour makes 60.
const maxPruned = 80

var errEnough = errors.New("enough")

func prune(tx Tx, width domain.BucketWidth, before time.Time) error {
	before = startOf(width, before)
	starts, last := 0, time.Time{}
	err := tx.EachBucket([]domain.BucketSpan{{Width: width, To: before}}, func(b domain.Bucket) error {
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
