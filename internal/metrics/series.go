package metrics

import (
	"fmt"
	"time"

	"strongroom/internal/domain"
)

// The longest windows, in hours, for which a series has buckets of a minute, an
// hour and a day: at most 1,501 buckets. Minutes and hours are kept for longer.
const (
	seriesOfMinutes = 25
	seriesOfHours   = 40 * 24
	seriesOfDays    = 1500 * 24
)

// Series returns the operations of all instances in the last hours before now,
// which should be tx.Now(), oldest first, in intervals of one width: the finest
// that is kept, or step if that is a multiple of it. Intervals without
// operations are left out. The first interval may begin before the window.
// Errors are those of [CheckWindow]. Unreadable stored durations count as
// unknown.
func Series(tx Tx, hours float64, step time.Duration, now time.Time) (time.Duration, []domain.Bucketed, error) {
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
	all := stretches{width: max(width, domain.BucketWidth(step))}
	from := startOf(width, now.Add(-time.Duration(hours*float64(time.Hour))))
	err := tx.EachCount(domain.BucketSpan{Width: width, From: from, To: now.Add(time.Microsecond)}, func(b domain.Bucket) error { all.add(b); return nil })
	if err != nil {
		return 0, nil, fmt.Errorf("reading metrics buckets: %w", err)
	}
	all.end()
	return time.Duration(all.width), all.done, nil
}

// stretches are intervals, made of buckets in order of their start. Only the
// last interval still has sums.
type stretches struct {
	width domain.BucketWidth
	done  []domain.Bucketed
	last  tally
}

func (s *stretches) add(b domain.Bucket) {
	if b.Operations <= 0 {
		return
	}
	if start := startOf(s.width, b.Start); len(s.done) == 0 || !s.done[len(s.done)-1].Start.Equal(start) {
		s.end()
		s.done = append(s.done, domain.Bucketed{Start: start})
	}
	s.last.addStored(b)
}

// end turns the sums of the last interval into averages and percentiles.
func (s *stretches) end() {
	if len(s.done) == 0 {
		return
	}
	b, t := &s.done[len(s.done)-1], &s.last
	b.Operations, b.Failures, b.Percentiles = t.operations, t.failures, t.durations.Percentiles()
	if t.operations > 0 { // counts that someone edited can overflow
		b.AverageDuration = t.duration / time.Duration(t.operations)
	}
	s.last = tally{}
}
