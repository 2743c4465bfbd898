package bench

import (
	"cmp"
	"fmt"
	"slices"
)

// medians combines interleaved runs: one for each name, in the order in which they first
// ran. A machine that others use changes its speed within seconds, and one slow round
// hardly changes a median.
func medians(runs []RunResult) (all []RunResult) {
	var names []string
	rounds := map[string][]RunResult{}
	for _, r := range runs {
		if rounds[r.Name] == nil {
			names = append(names, r.Name)
		}
		rounds[r.Name] = append(rounds[r.Name], r)
	}
	for _, name := range names {
		all = append(all, median(rounds[name]))
	}
	return all
}

// median combines the rounds of one run: the median of each figure, but the maximum of
// the longest latencies, and the sum of the unexpected answers.
func median(rounds []RunResult) RunResult {
	last := rounds[len(rounds)-1]
	m := RunResult{Name: last.Name, Seconds: last.Seconds, MiB: last.MiB, PeakMiB: last.PeakMiB,
		ServerCPU:       middle(rounds, func(r RunResult) float64 { return r.ServerCPU }),
		ServerCPUMillis: middle(rounds, func(r RunResult) float64 { return r.ServerCPUMillis }),
		GeneratorCPU:    middle(rounds, func(r RunResult) float64 { return r.GeneratorCPU }),
		GeneratorMillis: middle(rounds, func(r RunResult) float64 { return r.GeneratorMillis })}
	for i, l := range last.Loads {
		l.Results, l.Unsent, l.Codes = nil, 0, map[string]int64{}
		var results []Result
		for _, r := range rounds {
			results = append(results, r.Loads[i].Results...)
			l.Unsent += r.Loads[i].Unsent
			for code, n := range r.Loads[i].Codes {
				l.Codes[code] += n
			}
		}
		l.Results = medianResults(results)
		m.Loads = append(m.Loads, l)
	}
	for _, of := range last.Ratios {
		var values []float64
		for _, r := range rounds {
			if i := slices.IndexFunc(r.Ratios, func(one Ratio) bool { return one.Of == of.Of }); i >= 0 {
				values = append(values, r.Ratios[i].Value)
			}
		}
		m.add(fmt.Sprintf("%s, median of %d (%.3f to %.3f)", of.Of, len(values), slices.Min(values), slices.Max(values)),
			middle(values, func(v float64) float64 { return v }))
	}
	return m
}

// medianResults returns one result for each kind, in order of appearance.
func medianResults(all []Result) (medians []Result) {
	for len(all) > 0 {
		kind := all[0].Kind
		var same, others []Result
		for _, r := range all {
			if r.Kind == kind {
				same = append(same, r)
			} else {
				others = append(others, r)
			}
		}
		of := func(value func(Result) float64) float64 { return middle(same, value) }
		p999 := func(r Result) float64 { return r.Latency.P999 }
		rare := of(p999)
		if slices.ContainsFunc(same, func(r Result) bool { return p999(r) == 0 }) {
			rare = 0 // a round had too few answers
		}
		medians = append(medians, Result{Kind: kind, PerSecond: of(func(r Result) float64 { return r.PerSecond }),
			OtherPerSecond: of(func(r Result) float64 { return r.OtherPerSecond }),
			Latency: Latency{P50: of(func(r Result) float64 { return r.Latency.P50 }), P90: of(func(r Result) float64 { return r.Latency.P90 }),
				P99: of(func(r Result) float64 { return r.Latency.P99 }), P999: rare,
				Max: slices.MaxFunc(same, func(a, b Result) int { return cmp.Compare(a.Latency.Max, b.Latency.Max) }).Latency.Max}})
		all = others
	}
	return medians
}

// middle returns the median of one figure: of an even number of values, the mean of the
// two in the middle.
func middle[T any](all []T, figure func(T) float64) float64 {
	values := make([]float64, len(all))
	for i, one := range all {
		values[i] = figure(one)
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
