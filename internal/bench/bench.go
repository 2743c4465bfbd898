// Package bench measures a running service, and the limits of the machine that it
// runs on (the floors).
//
// A figure is only meaningful beside its floor, taken in the same minutes on the
// same machine. So every measurement also takes the floors: the primitives of a
// verification without server and store, an echo over HTTP, a durable commit, and
// a key generation alone. Requests are built, encrypted and serialized before the
// clock runs, because the generator shares the cores with the server. The report
// also says how much CPU the generator used.
//
// Two mistakes make such figures worthless. First, coordinated omission: a
// generator that waits for a slow answer, and does not send the requests that are
// due meanwhile, reports a stalled server as fast. So in an open loop, latency
// counts from when a request was due. Second, a server that refuses fast is not
// fast. So an unexpected answer is counted by its code, and not in throughput and
// latency.
//
// The threat is a measurement that touches real records. So a server that this
// package starts gets no settings from the environment, and the store that it
// serves was created for a benchmark.
package bench

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Config says what to measure. Set either URL or DataDir.
type Config struct {
	Executable string // path of this program, started as the server and as the echo server
	Version    string // of this program
	Dir        string // for logs and for the disk's floor; on the file system of the database

	// DataDir is a filled data directory, for which Measure starts a server.
	// The server gets ServeArgs before the arguments that name the directory.
	DataDir   string
	ServeArgs []string
	Devices   int                // in DataDir, or with URL the number to enrol
	Name      func(n int) string // of the nth device in DataDir, from 1
	PIN       string             // of every device

	URL string // of the GraphQL endpoint of a running server
	API API    // of the server at URL
	PID int    // of the server at URL, if it is on this machine; 0: its CPU and memory are not reported

	Cost     Cost  // for the floors
	Runs     []Run // the scenario Operator needs DataDir
	Rounds   int   // how often to repeat all runs, interleaved; if more than 1, the report has medians
	Pool     int   // requests that are prepared for each scenario
	Warmup   time.Duration
	Duration time.Duration // of each run
	Floors   time.Duration // of each floor; 0: none is taken
	Idle     time.Duration // to wait after the last run, to see how much memory is released

	Progress io.Writer
}

// Run is loads that run at the same time. Runs follow one another.
type Run struct {
	Name  string
	Loads []Load
	Cold  bool // without a warm-up, to measure right after the run before
}

// NewRun returns a run that is named after its loads.
func NewRun(loads ...Load) Run {
	names := make([]string, len(loads))
	for i, l := range loads {
		names[i] = l.String()
	}
	return Run{Name: strings.Join(names, " + "), Loads: loads}
}

// Standard returns the runs of docs/performance.md. Some of them are not possible
// with the API Baseline.
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

// measurement is the state of Measure.
type measurement struct {
	cfg     Config
	section Section
	clients *clientele
	pid     int // of the server; 0: unknown
	closed  map[Scenario]closedLoop
	alone   map[string]float64 // p99 in ms of loads that ran alone, by Load.String
	near    []Floor            // of the current run: taken right before and right after it
}

// closedLoop is what a scenario reached when it ran alone in a closed loop.
type closedLoop struct{ perSecond, cpuMillis float64 }

func (m *measurement) say(format string, args ...any) {
	fmt.Fprintf(m.cfg.Progress, format+"\n", args...)
}
