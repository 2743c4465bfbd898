package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Report is everything that was measured, as --json writes it. Times are in
// milliseconds, sizes in MiB, and the CPU of a whole run in seconds.
type Report struct {
	Version  string     `json:"version"`
	Go       string     `json:"go"`
	Machine  string     `json:"machine"`
	Cores    int        `json:"cores"`
	Began    time.Time  `json:"began"`
	Sections []*Section `json:"sections"`
}

// Section is the floors and runs of one target.
type Section struct {
	Target           string      `json:"target"`
	Algorithm        string      `json:"algorithm"`
	Bits             int         `json:"rsaBits,omitempty"`
	Argon2Time       uint32      `json:"argon2Time"`
	Argon2Memory     uint32      `json:"argon2MemoryKiB"`
	PBKDF2Iterations uint32      `json:"pbkdf2Iterations,omitempty"`
	Devices          int         `json:"devices"`
	Floors           []Floor     `json:"floors"`
	Start            *Start      `json:"start,omitempty"`
	Runs             []RunResult `json:"runs"`
	Medians          []RunResult `json:"medians,omitempty"` // of runs that were repeated
	IdleMiB          float64     `json:"idleMiB,omitempty"` // resident, some time after the last run
}

// Floor is a limit of the machine: what it does without a service.
type Floor struct {
	Name      string  `json:"name"`
	Threads   int     `json:"threads"` // or clients
	PerSecond float64 `json:"perSecond"`
	CPUMillis float64 `json:"cpuMillis,omitempty"` // of each operation
	Latency   Latency `json:"latencyMillis"`
}

// Start is the state of a server that bench started, when it had just become ready.
type Start struct {
	ReadyMillis float64 `json:"readyMillis"` // from the start of the process
	MiB         float64 `json:"residentMiB"`
	BinaryMiB   float64 `json:"binaryMiB"`
	DatabaseMiB float64 `json:"databaseMiB"`
}

// RunResult is one run.
type RunResult struct {
	Name    string       `json:"name"`
	Seconds float64      `json:"seconds"`
	Loads   []LoadResult `json:"loads"`

	ServerCPU       float64   `json:"serverCPUSeconds,omitempty"`
	ServerCPUMillis float64   `json:"serverCPUMillis,omitempty"` // for each answer
	GeneratorCPU    float64   `json:"generatorCPUSeconds,omitempty"`
	GeneratorMillis float64   `json:"generatorCPUMillis,omitempty"` // for each answer
	MiB             float64   `json:"residentMiB,omitempty"`        // at the end
	PeakMiB         float64   `json:"peakMiB,omitempty"`            // since the start
	EverySecond     []float64 `json:"residentMiBEverySecond,omitempty"`

	Ratios []Ratio `json:"ratios,omitempty"`
}

// Ratio compares a figure with another one of the same measurement.
type Ratio struct {
	Of    string  `json:"of"` // the unit, such as "of the primitives' throughput"
	Value float64 `json:"value"`
}

// LoadResult is one load of a run.
type LoadResult struct {
	Load    string           `json:"load"`
	Clients int              `json:"clients"`
	Rate    float64          `json:"rate,omitempty"`
	Results []Result         `json:"results"`
	Unsent  int64            `json:"unsent,omitempty"` // due, but no client was free until the end
	Codes   map[string]int64 `json:"codes,omitempty"`  // unexpected answers by error code
}

// Result is the requests of one kind in a load.
type Result struct {
	Kind           string  `json:"kind"`
	PerSecond      float64 `json:"perSecond"`                // answered as expected
	OtherPerSecond float64 `json:"otherPerSecond,omitempty"` // answered otherwise, or not at all
	Latency        Latency `json:"latencyMillis"`            // of those answered as expected
}

// NewReport returns a report of this machine without sections.
func NewReport(version string) *Report {
	return &Report{Version: version, Go: runtime.Version(), Machine: machine(), Cores: runtime.GOMAXPROCS(0), Began: time.Now().UTC()}
}

// machine returns the processor's name, if the system tells it, and the platform.
func machine() string {
	where := runtime.GOOS + "/" + runtime.GOARCH
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return where
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, value, _ := strings.Cut(lines.Text(), ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value) + ", " + where
		}
	}
	return where
}

func mebi(bytes int64) float64 { return float64(bytes) / (1 << 20) }

func (l LoadResult) perSecond() (sum float64) {
	for _, r := range l.Results {
		sum += r.PerSecond
	}
	return sum
}

func (l LoadResult) otherPerSecond() (sum float64) {
	for _, r := range l.Results {
		sum += r.OtherPerSecond
	}
	return sum
}

// p99 is the longest p99 of all kinds of request.
func (l LoadResult) p99() (most float64) {
	for _, r := range l.Results {
		most = max(most, r.Latency.P99)
	}
	return most
}

func (r *RunResult) add(of string, value float64) { r.Ratios = append(r.Ratios, Ratio{of, value}) }

// account divides the CPU that was used between the first and the last sample by the
// number of answers.
func (r *RunResult) account(own, server []usage) {
	answers := 0.0
	for _, l := range r.Loads {
		answers += (l.perSecond() + l.otherPerSecond()) * r.Seconds
	}
	spent := func(u []usage) (seconds, each float64) {
		if len(u) == 0 || !u[0].known || !u[len(u)-1].known || answers == 0 {
			return 0, 0
		}
		seconds = (u[len(u)-1].cpu - u[0].cpu).Seconds()
		return seconds, seconds * 1000 / answers
	}
	r.GeneratorCPU, r.GeneratorMillis = spent(own)
	r.ServerCPU, r.ServerCPUMillis = spent(server)
	for _, u := range server {
		r.EverySecond = append(r.EverySecond, mebi(u.rss))
		r.MiB, r.PeakMiB = mebi(u.rss), mebi(u.peak)
	}
}

// JSON writes the report as one JSON document.
func (r *Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// Table writes the report for people.
func (r *Report) Table(to io.Writer) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "strongroom %s, %s, %d cores of %s\n", r.Version, r.Go, r.Cores, r.Machine)
	for _, s := range r.Sections {
		s.table(w, r.Cores)
	}
	return w.Flush()
}

// keys names the kind of the devices' keys.
func (s *Section) keys() string {
	if s.Bits > 0 {
		return fmt.Sprintf("RSA-%d", s.Bits)
	}
	return s.Algorithm
}

// hash describes how passcodes and PINs are hashed.
func (s *Section) hash() string {
	if s.PBKDF2Iterations > 0 {
		return fmt.Sprintf("PBKDF2-HMAC-SHA-256 with %d iterations", s.PBKDF2Iterations)
	}
	return fmt.Sprintf("Argon2id t=%d m=%d KiB p=1", s.Argon2Time, s.Argon2Memory)
}

func (s *Section) table(w io.Writer, cores int) {
	fmt.Fprintf(w, "\nTarget: %s\n%s, %s, %d devices\n",
		strings.TrimSpace(s.Target), s.keys(), s.hash(), s.Devices)
	if st := s.Start; st != nil {
		fmt.Fprintf(w, "Ready %.0f ms after its start with %.1f MiB resident; binary %.1f MiB, database %.1f MiB\n",
			st.ReadyMillis, st.MiB, st.BinaryMiB, st.DatabaseMiB)
	}
	if len(s.Floors) > 0 {
		fmt.Fprintf(w, "\n"+columns+latencyHead, "floor", "threads", "", "per s", "CPU ms")
		for _, f := range s.Floors {
			fmt.Fprintf(w, columns+"%s\n", f.Name, fmt.Sprint(f.Threads), "", figure(f.PerSecond), orDash(f.CPUMillis), f.Latency.cells())
		}
	}
	runs, head := s.Runs, "run"
	if len(s.Medians) > 0 {
		runs, head = s.Medians, "run, medians of its rounds"
	}
	fmt.Fprintf(w, "\n"+columns+latencyHead, head, "clients", "due/s", "per s", "otherwise")
	for _, r := range runs {
		r.rows(w)
	}
	fmt.Fprintln(w)
	for _, r := range runs {
		r.notes(w, cores)
	}
	if s.IdleMiB > 0 {
		fmt.Fprintf(w, "Idle after the last run: %.1f MiB resident\n", s.IdleMiB)
	}
}

// The tables are as wide as their widest names.
const (
	columns     = "%-30s %7s %9s %9s %9s"
	latencyHead = "    p50 ms       p90       p99     p99.9       max\n"
)

// rows prints a run: one row, or below its name a row for each kind of request in each
// of its loads.
func (r RunResult) rows(w io.Writer) {
	alone := len(r.Loads) == 1 && len(r.Loads[0].Results) == 1
	if !alone {
		fmt.Fprintln(w, r.Name)
	}
	for _, l := range r.Loads {
		for _, one := range l.Results {
			name := r.Name
			if !alone {
				name = "  " + one.Kind
			}
			fmt.Fprintf(w, columns+"%s\n", name, fmt.Sprint(l.Clients), orDash(l.Rate),
				figure(one.PerSecond), figure(one.OtherPerSecond), one.Latency.cells())
		}
	}
}

func (l Latency) cells() string {
	rare := "-"
	if l.P999 > 0 {
		rare = fmt.Sprintf("%.2f", l.P999)
	}
	return fmt.Sprintf("%10.2f%10.2f%10.2f%10s%10.2f", l.P50, l.P90, l.P99, rare, l.Max)
}

// figure formats a number with the decimal places that are significant.
func figure(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v < 1:
		return fmt.Sprintf("%.3f", v)
	case v < 1000:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

func orDash(v float64) string {
	if v == 0 {
		return "-"
	}
	return figure(v)
}

// notes prints the costs and ratios of a run.
func (r RunResult) notes(w io.Writer, cores int) {
	fmt.Fprintf(w, "%s:\n", r.Name)
	if r.ServerCPU > 0 {
		fmt.Fprintf(w, "  server     %.3f ms of CPU per answer, %.0f %% of the machine; %.1f MiB resident, at most %.1f\n",
			r.ServerCPUMillis, 100*r.ServerCPU/r.Seconds/float64(cores), r.MiB, r.PeakMiB)
	}
	if r.GeneratorCPU > 0 {
		fmt.Fprintf(w, "  generator  %.3f ms of CPU per answer, %.1f %% of the machine\n",
			r.GeneratorMillis, 100*r.GeneratorCPU/r.Seconds/float64(cores))
	}
	for _, l := range r.Loads {
		for _, code := range slices.Sorted(maps.Keys(l.Codes)) {
			fmt.Fprintf(w, "  otherwise  %d times %s to %s\n", l.Codes[code], code, l.Load)
		}
		if l.Unsent > 0 {
			fmt.Fprintf(w, "  unsent     %d requests of %s were due, and every client was waiting\n", l.Unsent, l.Load)
		}
	}
	for _, ratio := range r.Ratios {
		fmt.Fprintf(w, "  %-9.3f  %s\n", ratio.Value, ratio.Of)
	}
}
