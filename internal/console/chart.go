package console

import (
	"math"
	"strconv"
	"strings"
	"time"

	"strongroom/internal/domain"
)

// chart is bars over time: drawn here, so that it is there without script, and
// again by a script that answers the pointer.
type chart struct {
	Width  int64     `json:"width"` // of a bar, in seconds
	Start  []int64   `json:"start"` // Unix time of each bar
	All    []int64   `json:"all"`
	Failed []int64   `json:"failed,omitempty"`
	Millis []float64 `json:"millis,omitempty"` // on average; below 0: nothing to average
}

// steps are how wide bars can be.
var steps = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 2 * time.Hour, 6 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour, 28 * 24 * time.Hour}

// mostBars fit on a screen with room between them.
const mostBars = 100

// operationsChart puts the operations of the last hours into bars. What the
// store keeps is finer, and leaves out what had no operation.
func operationsChart(hours float64, width time.Duration, series []domain.Bucketed, now time.Time) chart {
	long := time.Duration(hours * float64(time.Hour))
	step := steps[len(steps)-1]
	for _, s := range steps {
		if s >= width && long/s < mostBars {
			step = s
			break
		}
	}
	first := now.Add(-long).Truncate(step)
	n := int(now.Sub(first)/step) + 1
	c := chart{Width: int64(step / time.Second), Start: make([]int64, n), All: make([]int64, n), Failed: make([]int64, n), Millis: make([]float64, n)}
	for i := range n {
		c.Start[i], c.Millis[i] = first.Add(time.Duration(i)*step).Unix(), -1
	}
	sums := make([]float64, n)
	for _, b := range series {
		i := int(b.Start.Sub(first) / step)
		if i < 0 || i >= n {
			continue // the bucket in which the window begins
		}
		c.All[i] += b.Operations
		c.Failed[i] += b.Failures
		sums[i] += b.AverageDuration.Seconds() * 1000 * float64(b.Operations)
	}
	for i, sum := range sums {
		if c.All[i] > 0 {
			c.Millis[i] = math.Round(sum/float64(c.All[i])*100) / 100
		}
	}
	return c
}

func locksChart(trend []domain.LockTrend) chart {
	c := chart{Width: 3600}
	for _, t := range trend {
		c.Start, c.All = append(c.Start, t.Start.Unix()), append(c.All, t.Locks)
	}
	return c
}

// Empty: there is nothing to be seen.
func (c chart) Empty() bool { return c.Most() == 0 }

// Most is the highest bar.
func (c chart) Most() (most int64) {
	for _, n := range c.All {
		most = max(most, n)
	}
	return most
}

// Bar is how much time one bar is, in words.
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

// Slowest is the highest average.
func (c chart) Slowest() (most float64) {
	for _, n := range c.Millis {
		most = max(most, n)
	}
	return most
}

// From and To are what the chart is about.
func (c chart) From() time.Time { return c.at(0) }

// To is where the last bar begins.
func (c chart) To() time.Time { return c.at(len(c.Start) - 1) }

func (c chart) at(i int) time.Time {
	if i < 0 || i >= len(c.Start) {
		return time.Time{}
	}
	return time.Unix(c.Start[i], 0).UTC()
}

// Rows are the bars that are not empty, the newest first, for who reads
// instead of looks.
func (c chart) Rows() (rows []chartRow) {
	for i := len(c.Start) - 1; i >= 0 && len(rows) < 50; i-- {
		if c.All[i] == 0 {
			continue
		}
		row := chartRow{At: c.at(i), All: c.All[i]}
		if c.Failed != nil {
			row.Failed = c.Failed[i]
		}
		if c.Millis != nil {
			row.Millis = c.Millis[i]
		}
		rows = append(rows, row)
	}
	return rows
}

type chartRow struct {
	At          time.Time
	All, Failed int64
	Millis      float64
}

// The size of what is drawn here; the browser stretches it.
const drawnWidth, drawnHeight = 1000, 100

// AllPath are the bars as a path of SVG.
func (c chart) AllPath() string { return c.bars(c.All) }

// FailedPath are those of failures.
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

// MillisPath is the line of averages.
func (c chart) MillisPath() string {
	most := c.Slowest()
	if most <= 0 {
		return ""
	}
	var path strings.Builder
	wide, pen := float64(drawnWidth)/float64(len(c.Millis)), "M"
	for i, ms := range c.Millis {
		if ms < 0 {
			pen = "M"
			continue
		}
		path.WriteString(pen + digits((float64(i)+0.5)*wide) + " " + digits(drawnHeight-ms/most*drawnHeight*0.92))
		pen = "L"
	}
	return path.String()
}

func digits(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }
