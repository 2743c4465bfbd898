package bench

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// The chart has a panel for each run, two in a row, with the same axes: down
// the side milliseconds, along the bottom the share of requests, each step to
// the right a tenth of the rest, so that the slowest requests have room.
const (
	panelWidth, panelHeight = 460, 270
	plotLeft, plotTop       = 56, 52
	plotWidth, plotHeight   = 380, 170
	headHeight              = 46
	mostSteps               = 4 // to 99.99 %
)

// Colours that stand out on white and on black; the dashes tell lines apart
// without them.
var (
	strokes = []string{"#1f77c9", "#d9730d", "#2a9d5c", "#b455c8", "#c0392b", "#8a8d00"}
	dashes  = []string{"", "6 3", "2 2", "8 3 2 3", "1 3", "10 2"}
)

const style = `<style>
  .paper { fill: #ffffff } .ink { fill: #1c1c1c } .faint { fill: #666666 }
  .grid { stroke: #dddddd; stroke-width: 1 } .line { fill: none; stroke-width: 2 }
  text { font: 12px system-ui, sans-serif } .title { font-size: 13px; font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #14161a } .ink { fill: #ececec } .faint { fill: #9aa0a6 } .grid { stroke: #33383f }
  }
</style>
`

// line is one curve of a panel.
type line struct {
	name  string
	curve []Point
}

type panel struct {
	title string
	lines []line
}

// SVG draws the latencies of every run.
func (r *Report) SVG(w io.Writer) error {
	panels := r.panels()
	rows := (len(panels) + 1) / 2
	width, height := 2*panelWidth, headHeight+rows*panelHeight
	if len(panels) == 1 {
		width = panelWidth
	}
	low, high := span(panels)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="Latency percentiles">`+"\n",
		width, height, width, height)
	b.WriteString(style)
	fmt.Fprintf(&b, `<rect class="paper" width="%d" height="%d"/>`+"\n", width, height)
	text(&b, 16, 22, "ink title", "start", "Latency by percentile, in ms")
	text(&b, 16, 39, "faint", "start", fmt.Sprintf("strongroom %s, %d cores", r.Version, r.Cores))
	for i, p := range panels {
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", i%2*panelWidth, headHeight+i/2*panelHeight)
		p.draw(&b, low, high)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) panels() []panel {
	var all []panel
	for _, s := range r.Sections {
		for _, run := range s.Runs {
			p := panel{title: run.Name}
			if len(r.Sections) > 1 {
				p.title += fmt.Sprintf(" (RSA-%d)", s.Bits)
			}
			for _, l := range run.Loads {
				for _, one := range l.Results {
					name := one.Kind
					if len(l.Results) == 1 { // there is room
						name += fmt.Sprintf(", %.0f/s", one.PerSecond)
					}
					p.lines = append(p.lines, line{name, one.Latency.Curve})
				}
			}
			all = append(all, p)
		}
	}
	return all
}

// span is the powers of ten around all latencies.
func span(panels []panel) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, p := range panels {
		for _, l := range p.lines {
			for _, at := range l.curve {
				if at.Millis > 0 {
					low, high = min(low, math.Log10(at.Millis)), max(high, math.Log10(at.Millis))
				}
			}
		}
	}
	if low > high {
		return 0, 1
	}
	low, high = math.Floor(low), math.Ceil(high)
	return low, max(high, low+1)
}

func (p panel) draw(b *strings.Builder, low, high float64) {
	text(b, plotLeft, 16, "ink title", "start", shorten(p.title))
	x := func(share float64) float64 {
		steps := float64(mostSteps)
		if share < 1 {
			steps = min(steps, -math.Log10(1-share))
		}
		return plotLeft + steps/mostSteps*plotWidth
	}
	y := func(ms float64) float64 {
		return plotTop + plotHeight - (math.Log10(max(ms, math.Pow(10, low)))-low)/(high-low)*plotHeight
	}
	for i := range int(high-low) + 1 {
		ms := math.Pow(10, low+float64(i))
		grid(b, plotLeft, y(ms), plotLeft+plotWidth, y(ms))
		text(b, plotLeft-6, y(ms)+4, "faint", "end", fmt.Sprintf("%g", ms))
	}
	for _, share := range []float64{0, 0.5, 0.9, 0.99, 0.999, 0.9999} {
		grid(b, x(share), plotTop, x(share), plotTop+plotHeight)
		if share > 0 { // its label would touch the next
			text(b, x(share), plotTop+plotHeight+18, "faint", "middle", fmt.Sprintf("%g %%", math.Round(share*1e4)/100))
		}
	}
	left := float64(plotLeft)
	for i, l := range p.lines {
		stroke, dash := strokes[i%len(strokes)], dashes[i%len(dashes)]
		fmt.Fprintf(b, `<path class="line" stroke="%s" stroke-dasharray="%s" d="%s"/>`+"\n", stroke, dash, path(l.curve, x, y))
		fmt.Fprintf(b, `<path class="line" stroke="%s" stroke-dasharray="%s" d="M%.1f 32h22"/>`+"\n", stroke, dash, left)
		text(b, left+27, 36, "ink", "start", l.name)
		left += 44 + 6.6*float64(len(l.name))
	}
}

// path is a curve in the plot, up to where its axis ends.
func path(curve []Point, x, y func(float64) float64) string {
	var d strings.Builder
	for i, at := range curve {
		command := "L"
		if i == 0 {
			command = "M"
		}
		fmt.Fprintf(&d, "%s%.1f %.1f", command, x(at.Share), y(at.Millis))
		if x(at.Share) >= plotLeft+plotWidth {
			break
		}
	}
	return d.String()
}

func grid(b *strings.Builder, x1, y1, x2, y2 float64) {
	fmt.Fprintf(b, `<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", x1, y1, x2, y2)
}

func text(b *strings.Builder, x, y float64, class, anchor, s string) {
	fmt.Fprintf(b, `<text class="%s" x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", class, x, y, anchor, html.EscapeString(s))
}

// shorten keeps a title within its panel.
func shorten(s string) string {
	const most = 52
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
