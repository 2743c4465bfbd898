package console

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"strongroom/internal/domain"
)

// chart is a bar chart over time. The server draws it, so that it works without
// scripts. A script draws it again and reacts to the pointer.
type chart struct {
	Width   int64     `json:"width"` // of a bar, in seconds
	Start   []int64   `json:"start"` // Unix time of each bar
	All     []int64   `json:"all"`
	AtLeast bool      `json:"atLeast,omitempty"` // the first bar is a lower bound
	Failed  []int64   `json:"failed,omitempty"`
	P50     []float64 `json:"p50,omitempty"` // milliseconds; below 0: unknown, or no operations
	P95     []float64 `json:"p95,omitempty"`
	P99     []float64 `json:"p99,omitempty"`
	Known   string    `json:"known,omitempty"` // which operations the percentiles cover, if not all

	average []float64 // milliseconds
	timed   []int64   // operations of All with known durations
}

// steps are the possible widths of a bar.
var steps = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 2 * time.Hour, 6 * time.Hour, 24 * time.Hour}

// mostBars is how many bars fit on a screen with space between them.
const mostBars = 100

// barOf returns the width of the bars of a window. The store's intervals for
// that window have the same width or a smaller one.
func barOf(hours float64) time.Duration {
	for _, s := range steps {
		if time.Duration(hours*float64(time.Hour))/s < mostBars {
			return s
		}
	}
	return steps[len(steps)-1]
}

// operationsChart returns a chart with a bar for each interval of the last
// hours, including intervals without operations, which series leaves out.
func operationsChart(hours float64, series []domain.Bucketed, now time.Time) chart {
	step := barOf(hours)
	first := now.Add(-time.Duration(hours * float64(time.Hour))).Truncate(step)
	bars := make([]domain.Bucketed, int(now.Sub(first)/step)+1)
	for _, b := range series {
		if i := int(b.Start.Sub(first) / step); i >= 0 && i < len(bars) {
			bars[i] = b
		}
	}
	c := chart{Width: int64(step / time.Second)}
	for i, b := range bars {
		p, at := b.Percentiles, first.Add(time.Duration(i)*step)
		c.Start, c.All, c.Failed, c.timed = append(c.Start, at.Unix()), append(c.All, b.Operations), append(c.Failed, b.Failures), append(c.timed, p.Of)
		c.P50, c.P95, c.P99 = append(c.P50, ms(p.P50, p.Of)), append(c.P95, ms(p.P95, p.Of)), append(c.P99, ms(p.P99, p.Of))
		c.average = append(c.average, ms(b.AverageDuration, b.Operations))
	}
	c.Known = known(c.timed, c.All)
	return c
}

// ms returns a duration in milliseconds, or -1 if there are no operations.
func ms(d time.Duration, of int64) float64 {
	if of == 0 {
		return -1
	}
	return math.Round(float64(d.Microseconds())/10) / 100
}

// known returns a note on how many operations have known durations, or "" if all
// have.
func known(timed, all []int64) string {
	var some, whole int64
	for i, n := range all {
		some, whole = some+timed[i], whole+n
	}
	switch {
	case some >= whole:
		return ""
	case some == 0:
		return "Unknown: an earlier version counted these operations without durations."
	}
	return "Of " + number(some) + " of the " + number(whole) + " operations. An earlier version counted the others without durations."
}

func locksChart(trend []domain.LockTrend) chart {
	c := chart{Width: 3600}
	for i, t := range trend {
		c.Start, c.All = append(c.Start, t.Start.Unix()), append(c.All, t.Locks)
		c.AtLeast = c.AtLeast || i == 0 && t.AtLeast
	}
	return c
}

// Empty reports whether there is nothing to show.
func (c chart) Empty() bool { return c.Most() == 0 }

// Most returns the highest bar.
func (c chart) Most() (most int64) {
	for _, n := range c.All {
		most = max(most, n)
	}
	return most
}

// Bar returns the width of a bar in words.
func (c chart) Bar() string {
	switch d := time.Duration(c.Width) * time.Second; {
	case d < time.Hour:
		return plural(int(d.Minutes()), "minute", "minutes")
	case d < 24*time.Hour:
		return plural(int(d.Hours()), "hour", "hours")
	default:
		return plural(int(d.Hours()/24), "day", "days")
	}
}

// Slowest returns the highest percentile, in milliseconds.
func (c chart) Slowest() float64 { return slices.Max(append(slices.Clone(c.P99), 0)) }

// From returns the start of the first bar.
func (c chart) From() time.Time { return c.at(0) }

// To returns the start of the last bar.
func (c chart) To() time.Time { return c.at(len(c.Start) - 1) }

func (c chart) at(i int) time.Time {
	if i < 0 || i >= len(c.Start) {
		return time.Time{}
	}
	return time.Unix(c.Start[i], 0).UTC()
}

// Rows returns at most 50 bars that are not empty, newest first, for the table
// below the chart.
func (c chart) Rows() (rows []chartRow) {
	for i := len(c.Start) - 1; i >= 0 && len(rows) < 50; i-- {
		if c.All[i] == 0 {
			continue
		}
		row := chartRow{At: c.at(i), All: c.All[i], AtLeast: c.AtLeast && i == 0}
		if c.P50 != nil {
			row.Failed, row.Timed = c.Failed[i], c.timed[i]
			row.Durations = []float64{c.average[i], c.P50[i], c.P95[i], c.P99[i]}
		}
		rows = append(rows, row)
	}
	return rows
}

type chartRow struct {
	At                 time.Time
	All, Failed, Timed int64
	AtLeast            bool
	Durations          []float64 // the average and the percentiles, in milliseconds; below 0: unknown
}

// The size of the drawing. The browser scales it.
const drawnWidth, drawnHeight = 1000, 100

// AllPath returns the bars of all operations as an SVG path.
func (c chart) AllPath() string { return c.bars(c.All) }

// FailedPath returns the bars of failed operations as an SVG path.
func (c chart) FailedPath() string { return c.bars(c.Failed) }

func (c chart) bars(heights []int64) string {
	most := c.Most()
	if most == 0 {
		return ""
	}
	var path strings.Builder
	wide := float64(drawnWidth) / float64(len(heights))
	for i, n := range heights {
		if n == 0 {
			continue
		}
		h := max(1, float64(n)/float64(most)*drawnHeight)
		path.WriteString("M" + digits(float64(i)*wide+wide*0.12) + " " + digits(drawnHeight) + "v-" + digits(h) + "h" + digits(wide*0.76) + "v" + digits(h) + "z")
	}
	return path.String()
}

// Line returns a line of percentiles as an SVG path, with gaps where they are
// unknown.
func (c chart) Line(percentiles []float64) string {
	most := c.Slowest()
	if most <= 0 {
		return ""
	}
	var path strings.Builder
	wide, before := float64(drawnWidth)/float64(len(percentiles)), -1.0
	for i, ms := range percentiles {
		at := digits((float64(i)+0.5)*wide) + " " + digits(drawnHeight-ms/most*drawnHeight*0.92)
		switch {
		case ms < 0:
		case before < 0:
			path.WriteString("M" + at + "h0") // a dot, in case nothing follows
		default:
			path.WriteString("L" + at)
		}
		before = ms
	}
	return path.String()
}

func digits(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }
