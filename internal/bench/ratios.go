package bench

import (
	"fmt"
	"runtime"
	"slices"
)

// relate compares a run with earlier runs and, if it is one load, with the floors.
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
				break // a small difference of two large figures: the run was too short
			}
			r.add("ms of server CPU for each request that failed", spent/(other*r.Seconds))
		}
	}
	m.ratios(r, l, ok)
}

// floor returns a floor: the mean of those taken right before and after the run, or
// else the one that was taken at the beginning.
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

// ratios compares a load that ran alone with its floor.
func (m *measurement) ratios(r *RunResult, l Load, ok float64) {
	switch l.Scenario {
	case Verify, Wrong, Set:
		f, found := m.floor(floorPrimitives)
		if !found || l.open() {
			return
		}
		r.add("primitives per second, right before and after the run", f.PerSecond)
		r.add("of the primitives' throughput", ok/f.PerSecond)
		if r.GeneratorCPU > 0 {
			left := 1 - r.GeneratorCPU/(r.Seconds*float64(runtime.GOMAXPROCS(0)))
			r.add("of the primitives' throughput, without the generator's CPU", ok/(f.PerSecond*left))
		}
		if r.ServerCPUMillis > 0 && f.CPUMillis > 0 {
			r.add("times the primitives' CPU", r.ServerCPUMillis/f.CPUMillis)
		}
		if all := r.Loads[0].Results; len(all) == 1 && all[0].Latency.P50 > 0 {
			r.add("times the p50 is the p99", all[0].Latency.P99/all[0].Latency.P50)
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
			r.add("mean durable commits: the p99 minus the p99 of existing:1", (r.Loads[0].p99()-existing)*f.PerSecond/1000)
		}
	}
}
