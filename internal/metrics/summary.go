package metrics

import (
	"fmt"
	"time"

	"strongroom/internal/domain"
)

// The longest windows that begin with buckets of a minute and of an hour. They
// decide how long these buckets are kept.
const (
	minutesUpTo = 26 * time.Hour
	hoursUpTo   = 40 * 24 * time.Hour
)

// maxWindowHours is the longest window of [Summarise]: ten years.
const maxWindowHours = 87840

// CheckWindow returns [domain.BadInput] for a window outside (0,
// maxWindowHours], or NaN.
func CheckWindow(hours float64) error {
	if hours > 0 && hours <= maxWindowHours {
		return nil
	}
	return domain.BadInput("timeframeHours", fmt.Sprintf("must be a number greater than 0 and at most %d", maxWindowHours))
}

// Summarise returns the summary of the operations of all instances in the last
// hours before now, which should be tx.Now(). The start of the window is
// rounded down: to the minute for windows up to 26 hours, to the hour up to 40
// days, and to the UTC day above. Errors are those of [CheckWindow].
//
// One damaged row must not hide what all others count. So unreadable stored
// durations count as unknown, and the devices of a bucket whose devices are
// unreadable are left out. unread are these buckets. Log them as tampering.
func Summarise(tx Tx, hours float64, now time.Time) (sum domain.Summary, unread []domain.BucketPosition, err error) {
	if err := CheckWindow(hours); err != nil {
		return domain.Summary{}, nil, err
	}
	var total tally
	err = tx.EachBucket(cover(now, time.Duration(hours*float64(time.Hour))), func(b domain.Bucket) error {
		total.addStored(b)
		if total.devices.mergeStored(b.Devices) != nil {
			unread = append(unread, domain.BucketPosition{Width: b.Width, Start: b.Start})
		}
		return nil
	})
	if err != nil {
		return domain.Summary{}, nil, fmt.Errorf("reading metrics buckets: %w", err)
	}
	return total.summary(hours), unread, nil
}

func (t *tally) summary(hours float64) domain.Summary {
	s := domain.Summary{
		TotalOperations:      t.operations,
		SuccessfulOperations: t.operations - t.failures,
		FailedOperations:     t.failures,
		UniqueDevices:        t.devices.count(),
		TimeframeHours:       hours,
		Percentiles:          t.durations.Percentiles(),
	}
	if t.operations > 0 {
		s.SuccessRate = 100 * float64(s.SuccessfulOperations) / float64(t.operations)
		s.AverageDuration = float64(t.duration) / float64(t.operations) / float64(time.Millisecond)
	}
	return s
}

// widths are the widths of buckets, finest first.
var widths = []domain.BucketWidth{domain.Minute, domain.Hour, domain.Day, domain.FourWeeks}

// cover returns the fewest buckets that together cover the window: fine buckets
// up to the start of a wider one, and so on. So a window of up to 26 hours
// needs at most 84 buckets of each instance, a year 42, and ten years 159.
func cover(now time.Time, window time.Duration) []domain.BucketSpan {
	finest := 2
	switch {
	case window <= minutesUpTo:
		finest = 0
	case window <= hoursUpTo:
		finest = 1
	}
	var spans []domain.BucketSpan
	width, from := widths[finest], startOf(widths[finest], now.Add(-window))
	for _, wider := range widths[finest+1:] {
		full := startOf(wider, from.Add(time.Duration(wider)-1))
		if full.After(now) {
			break
		}
		if from.Before(full) {
			spans = append(spans, domain.BucketSpan{Width: width, From: from, To: full})
		}
		width, from = wider, full
	}
	return append(spans, domain.BucketSpan{Width: width, From: from, To: startOf(width, now).Add(time.Duration(width))})
}

// startOf returns the start of the bucket of t, in UTC and without a monotonic
// reading, so that it can be compared and used as a map key.
// [time.Time.Truncate] would be wrong: it counts four weeks from the year 1.
func startOf(w domain.BucketWidth, t time.Time) time.Time {
	width := int64(time.Duration(w) / time.Second)
	return time.Unix(t.Unix()/width*width, 0).UTC()
}
