package bench

import (
	"fmt"
	"runtime"
	"slices"
)

// relate holds a run against those before it and, if it is one load, against
// the floors.
func (m *measurement) relate(r *RunResult, loads []Load) {
	for i, l := range loads {
		p99 := r.Loads[i].p99()
		if alone := m.alone[l.String()]; len(loads) > 1 && alone > 0 {
			r.add(fmt.Sprintf("times the p99 of %s alone", l), p99/alone)
		} else if len(loads) == 1 {
			m.alone[l.String()] = p99
		}
	}
	if len(loads) > 1 {
		return
	}
	l, ok, other := loads[0], r.Loads[0].perSecond(), r.Loads[0].otherPerSecond()
	was, known := m.closed[l.Scenario]
	switch {
	case !l.open():
		m.closed[l.Scenario] = closedLoop{ok, r.ServerCPUMillis}
	case l.Times > 0 && known && was.perSecond > 0:
		r.add("of the closed loop's throughput", ok/was.perSecond)
		if other > 0 && r.ServerCPU > 0 {
			spent := r.ServerCPU*1000 - ok*r.Seconds*was.cpuMillis
			if spent <= 0 {
				break // a small difference of two large figures: it was too short a run
			}
			r.add("ms of server CPU for each request that failed", spent/(other*r.Seconds))
		}
	}
	m.ratios(r, l, ok)
}

// floor finds a floor: the mean of those taken beside the run, or the one that
// was taken first.
func (m *measurement) floor(name string) (Floor, bool) {
	if n := float64(len(m.near)); n > 0 && m.near[0].Name == name {
		mean := Floor{Name: name}
		for _, f := range m.near {
			mean.PerSecond += f.PerSecond / n
			mean.CPUMillis += f.CPUMillis / n
		}
		return mean, true
	}
	i := slices.IndexFunc(m.section.Floors, func(f Floor) bool { return f.Name == name })
	if i < 0 || m.section.Floors[i].PerSecond == 0 {
		return Floor{}, false
	}
	return m.section.Floors[i], true
}

// ratios holds a load that ran alone against its floor.
func (m *measurement) ratios(r *RunResult, l Load, ok float64) {
	switch l.Scenario {
	case Verify, Wrong, Set:
		f, found := m.floor(floorPrimitives)
		if !found || l.open() {
			return
		}
		r.add("primitives a second, right before and after", f.PerSecond)
		r.add("of the primitives' throughput", ok/f.PerSecond)
		if r.GeneratorCPU > 0 {
			left := 1 - r.GeneratorCPU/(r.Seconds*float64(runtime.GOMAXPROCS(0)))
			r.add("of it, with the generator's CPU taken off", ok/(f.PerSecond*left))
		}
		if r.ServerCPUMillis > 0 && f.CPUMillis > 0 {
			r.add("times the primitives' CPU", r.ServerCPUMillis/f.CPUMillis)
		}
		if all := r.Loads[0].Results; len(all) == 1 && all[0].Latency.P50 > 0 {
			r.add("times p50 is p99", all[0].Latency.P99/all[0].Latency.P50)
		}
	case Existing:
		if f, found := m.floor(fmt.Sprintf(floorEcho, l.Clients)); found && !l.open() {
			r.add("of the echo's throughput", ok/f.PerSecond)
		}
	case Issue:
		if f, found := m.floor(floorGenerate); found && !l.open() {
			r.add("of key generation's throughput", ok/f.PerSecond)
		}
		f, found := m.floor(floorCommit)
		if existing := m.alone[Load{Scenario: Existing, Clients: 1}.String()]; found && existing > 0 && l.open() {
			r.add("durable commits (their mean) is p99 beyond that of existing:1", (r.Loads[0].p99()-existing)*f.PerSecond/1000)
		}
	}
}
