package bench

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Scenario is what the clients of a load do.
type Scenario string

// The scenarios.
const (
	Issue    Scenario = "issue"    // the first key of a device that is new each time
	Existing Scenario = "existing" // the key that a device has
	Set      Scenario = "set"      // a PIN
	Verify   Scenario = "verify"   // the right PIN
	Wrong    Scenario = "wrong"    // four wrong PINs, then the right one, for each device, so that it is not locked at once; 20 wrong ones lock it
	Mix      Scenario = "mix"      // of 100 requests: 70 verify, 20 existing, 5 wrong, 3 set, 2 issue
	Summary  Scenario = "summary"  // the metrics summary, for windows from an hour to ten years
	Operator Scenario = "operator" // all reads of the admin API, one after another; only for a server that bench starts
)

// Scenarios are all of them.
var Scenarios = []Scenario{Issue, Existing, Set, Verify, Wrong, Mix, Summary, Operator}

// Load is one stream of requests.
type Load struct {
	Scenario Scenario
	Clients  int // connections
	// Rate is requests per second in an open loop: they are due at fixed times,
	// whether or not earlier ones were answered, and their latency counts from
	// when they were due. 0 is a closed loop: each client sends its next
	// request when it has the answer to the last.
	Rate float64
	// Times, if not 0, makes an open loop whose rate is this multiple of what the
	// scenario last reached when it ran alone in a closed loop.
	Times float64
}

const (
	defaultClients     = 8
	defaultOpenClients = 64   // connections of an open loop
	overloadClients    = 1024 // with Times: more than the requests that may wait in the server
	maxClients         = 4096
)

// String returns the load in the form that ParseLoad takes.
func (l Load) String() string {
	switch {
	case l.Times > 0:
		return fmt.Sprintf("%s:rate=%gx,clients=%d", l.Scenario, l.Times, l.Clients)
	case l.Rate > 0:
		return fmt.Sprintf("%s:rate=%g,clients=%d", l.Scenario, l.Rate, l.Clients)
	}
	return fmt.Sprintf("%s:%d", l.Scenario, l.Clients)
}

// ParseLoad reads SCENARIO, SCENARIO:CLIENTS (closed loop), or
// SCENARIO:rate=N[x][,clients=N] (open loop; x: multiple of its closed loop).
func ParseLoad(text string) (Load, error) {
	name, rest, more := strings.Cut(text, ":")
	l := Load{Scenario: Scenario(name), Clients: defaultClients}
	if !slices.Contains(Scenarios, l.Scenario) {
		names := make([]string, len(Scenarios))
		for i, s := range Scenarios {
			names[i] = string(s)
		}
		return l, fmt.Errorf("%q is not a scenario: a load begins with one of %s", name, strings.Join(names, ", "))
	}
	if !more {
		return l, nil
	}
	if _, err := strconv.Atoi(rest); err == nil {
		rest = "clients=" + rest
	}
	l.Clients = 0
	for part := range strings.SplitSeq(rest, ",") {
		key, value, _ := strings.Cut(part, "=")
		if err := l.set(key, value); err != nil {
			return l, fmt.Errorf("%s: %w", text, err)
		}
	}
	switch {
	case l.Clients > 0:
	case l.Times > 0:
		l.Clients = overloadClients
	default:
		l.Clients = defaultOpenClients
	}
	return l, nil
}

func (l *Load) set(key, value string) (err error) {
	switch key {
	case "clients":
		l.Clients, err = strconv.Atoi(value)
		if err != nil || l.Clients < 1 || l.Clients > maxClients {
			return fmt.Errorf("clients must be 1 to %d", maxClients)
		}
	case "rate":
		number, times := strings.CutSuffix(value, "x")
		n, err := strconv.ParseFloat(number, 64)
		if err != nil || !(n > 0 && n <= 1e6) {
			return fmt.Errorf("rate must be requests per second, or a multiple of the closed loop's rate such as 10x")
		}
		l.Rate = n
		if times {
			l.Rate, l.Times = 0, n
		}
	default:
		return fmt.Errorf("must be SCENARIO:CLIENTS or SCENARIO:rate=N,clients=N")
	}
	return nil
}

func (l Load) open() bool { return l.Rate > 0 || l.Times > 0 }
