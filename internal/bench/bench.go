// Package bench measures a running service, and what the machine under it
// could do at best.
//
// The idea: a figure says something beside its floor only, taken in the same
// minutes on the same machine. So every measurement also takes the floors: the
// primitives of a verification without server and store, an echo over HTTP,
// a durable commit, a bare key generation. Requests are made, encrypted and
// written out before the clock runs, because the generator shares the cores
// with what it measures; how much of them it takes is reported as well.
//
// Two mistakes make such figures worthless, and both are avoided here. A
// generator that waits for a slow answer and leaves out the requests it should
// have sent meanwhile reports a stalled server as a quick one (coordinated
// omission): in an open loop latency counts from when a request was due. And a
// server that quickly refuses is not quick: what was not answered as it should
// be counts as such, by its code, and has no part in throughput and latency.
//
// The threat is a measurement that touches real records: the server that is
// started here gets nothing from the environment, and the store that it serves
// was made for a bench.
package bench

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Config says what to measure. Either URL or DataDir is given.
type Config struct {
	Executable string // this program: it serves, and echoes
	Version    string // of it
	Dir        string // for logs, and where the disk is measured: on the file system of the database

	// DataDir is served by a server of our own: its records were filled in.
	// The server gets ServeArgs before the arguments that say what it serves.
	DataDir   string
	ServeArgs []string
	Devices   int                // filled in, or for URL to be enrolled
	Name      func(n int) string // of the nth device filled in, from 1
	PIN       string             // of every device

	URL string // of the GraphQL endpoint of a server that runs already
	API API    // that it speaks
	PID int    // its process, if it is on this machine; 0: nothing is said of its CPU and memory

	Cost     Cost  // for the floors
	Runs     []Run // Operator is for a server of our own only
	Rounds   int   // how often all of them, one after another; of more than one the report has the medians
	Pool     int   // requests that are made ahead, for each scenario
	Warmup   time.Duration
	Duration time.Duration // of each run
	Floors   time.Duration // of each floor; 0: none is taken
	Idle     time.Duration // to wait after the last run, to see what memory is given back

	Progress io.Writer
}

// Run is loads that run together. Runs follow one another.
type Run struct {
	Name  string
	Loads []Load
	Cold  bool // without a warm-up: for what comes right after something else
}

// NewRun is a run named after its loads.
func NewRun(loads ...Load) Run {
	names := make([]string, len(loads))
	for i, l := range loads {
		names[i] = l.String()
	}
	return Run{Name: strings.Join(names, " + "), Loads: loads}
}

// Standard is the set of runs behind docs/performance.md. A baseline has no
// part in some of it.
func Standard(api API) []Run {
	closed := func(s Scenario, clients int) Load { return Load{Scenario: s, Clients: clients} }
	open := func(s Scenario, rate float64) Load { return Load{Scenario: s, Rate: rate, Clients: defaultOpenClients} }
	runs := []Run{
		NewRun(closed(Existing, 1)), NewRun(closed(Existing, 8)), NewRun(closed(Existing, 32)),
		NewRun(closed(Verify, 8)), NewRun(closed(Verify, 32)),
		NewRun(closed(Verify, 8), closed(Existing, 1)),
		NewRun(closed(Set, 8)), NewRun(closed(Wrong, 8)), NewRun(closed(Mix, 8)),
		NewRun(open(Issue, 2)), NewRun(closed(Verify, 8), open(Issue, 2)), NewRun(closed(Issue, 8)),
	}
	if api == Baseline {
		return runs
	}
	recovery := NewRun(closed(Verify, 8))
	recovery.Name, recovery.Cold = recovery.Name+", right after", true
	return append(runs,
		NewRun(closed(Summary, 1)), NewRun(closed(Verify, 8), open(Summary, 2)),
		NewRun(closed(Verify, 8)), NewRun(Load{Scenario: Verify, Times: 10, Clients: overloadClients}), recovery)
}

// measurement is one in the making.
type measurement struct {
	cfg     Config
	section Section
	clients *clientele
	pid     int // of the server; 0: unknown
	closed  map[Scenario]closedLoop
	alone   map[string]float64 // p99 of loads that ran alone, by what they are
	near    []Floor            // of the run under way: taken right before and right after it
}

// closedLoop is what a scenario reached in a closed loop of its own.
type closedLoop struct{ perSecond, cpuMillis float64 }

func (m *measurement) say(format string, args ...any) {
	fmt.Fprintf(m.cfg.Progress, format+"\n", args...)
}
