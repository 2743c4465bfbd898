package metrics

import (
	"fmt"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// The longest windows, in hours, of which a series has buckets of a minute, an
// hour and a day: at most 1,501 of them. Minutes and hours are kept for longer.
const (
	seriesOfMinutes = 25
	seriesOfHours   = 40 * 24
	seriesOfDays    = 1500 * 24
)

// Series are the operations of all instances in the last hours before now,
// which should be tx.Now(), in stretches of one width, oldest first. Those
// without operations are left out. The first begins where its bucket does,
// with the window or before it. It refuses what [CheckWindow] refuses. Stored
// durations that it cannot read count as not known.
func Series(tx store.Tx, hours float64, now time.Time) (time.Duration, []domain.Bucketed, error) {
	if err := CheckWindow(hours); err != nil {
		return 0, nil, err
	}
	width := domain.FourWeeks
	switch {
	case hours <= seriesOfMinutes:
		width = domain.Minute
	case hours <= seriesOfHours:
		width = domain.Hour
	case hours <= seriesOfDays:
		width = domain.Day
	}
	var series []domain.Bucketed
	from := startOf(width, now.Add(-time.Duration(hours*float64(time.Hour))))
	err := tx.EachCount(width, from, now.Add(1), func(b domain.Bucket) error {
		if b.Operations <= 0 {
			return nil
		}
		if len(series) == 0 || !series[len(series)-1].Start.Equal(b.Start) {
			series = append(series, domain.Bucketed{Start: b.Start})
		}
		s := &series[len(series)-1]
		s.Operations += b.Operations
		s.Failures += b.Failures
		s.AverageDuration += b.Duration // the sum, for now
		_ = mergeDurations(&s.Durations, b.Durations)
		return nil
	})
	if err != nil {
		return 0, nil, fmt.Errorf("reading metrics buckets: %w", err)
	}
	for i := range series {
		series[i].AverageDuration /= time.Duration(series[i].Operations)
	}
	return time.Duration(width), series, nil
}
