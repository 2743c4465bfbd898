package bench

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// While a server stalls, a client cannot send on time.
// All requests that were due in the meantime must show the delay, not only the
// one in flight.
func TestAStallShowsInEveryRequestThatWasDue(t *testing.T) {
	var seen atomic.Int64
	to := target(t, func(w http.ResponseWriter, _ *http.Request) {
		if seen.Add(1) == 20 {
			time.Sleep(300 * time.Millisecond)
		}
		_, _ = io.WriteString(w, `{"publicKey":""}`)
	})
	streams := drive(t, to, Load{Scenario: Existing, Clients: 1, Rate: 200}, time.Second)
	got := &streams[0].stats[kindExisting].latencies
	var late uint64
	for i := range got.buckets {
		if longestOf(i) > 100*time.Millisecond {
			late += got.buckets[i].Load()
		}
	}
	// 60 were due in the stall, 40 of them more than 100 ms before its end.
	if late < 35 {
		t.Errorf("%d requests were late, of %d", late, got.count())
	}
	if n := got.count(); n < 195 || n > 201 {
		t.Errorf("%d requests have a latency, and 200 were due", n)
	}
}

func TestAnOpenLoopCountsUnsentRequests(t *testing.T) {
	release := make(chan struct{})
	to := target(t, func(w http.ResponseWriter, _ *http.Request) {
		<-release
		_, _ = io.WriteString(w, `{"publicKey":""}`)
	})
	time.AfterFunc(time.Second, func() { close(release) })
	streams := drive(t, to, Load{Scenario: Existing, Clients: 2, Rate: 100}, 500*time.Millisecond)
	r := streams[0].outcome()
	if r.Unsent < 40 || r.perSecond() != 0 {
		t.Errorf("%+v", r)
	}
	if p50 := r.Results[0].Latency.P50; p50 < 200 {
		t.Errorf("half of what was due waited for at most %g ms", p50)
	}
}

func TestUnexpectedAnswersAreCountedByCode(t *testing.T) {
	var seen atomic.Int64
	to := target(t, func(w http.ResponseWriter, _ *http.Request) {
		switch seen.Add(1) % 4 {
		case 0:
			_, _ = io.WriteString(w, `{"publicKey":""}`)
		case 1:
			w.WriteHeader(503)
			_, _ = io.WriteString(w, `{"errors":[{"extensions":{"code":"OVERLOADED"}}]}`)
		case 2:
			w.WriteHeader(502)
		case 3:
			_, _ = io.WriteString(w, `{}`)
		}
	})
	r := drive(t, to, Load{Scenario: Existing, Clients: 2}, 200*time.Millisecond)[0].outcome()
	for _, code := range []string{"OVERLOADED", "HTTP 502", "unexpected answer"} {
		if r.Codes[code] == 0 {
			t.Errorf("nothing was counted as %s", code)
		}
	}
	if len(r.Codes) != 3 || r.perSecond() == 0 || r.otherPerSecond() < 2*r.perSecond() {
		t.Errorf("%+v", r)
	}
}

func drive(t *testing.T, to *url.URL, l Load, d time.Duration) []*stream {
	t.Helper()
	c := testClientele(to)
	streams, _, err := c.run(t.Context(), []Load{l}, 0, d, func([]*stream) {})
	if err != nil {
		t.Fatal(err)
	}
	return streams
}

func testClientele(to *url.URL) *clientele {
	return &clientele{to: to, api: dialects[Strongroom], tag: "test", size: 10, devices: []device{{name: "phone"}},
		pools: map[Scenario]*pool{}, say: func(string, ...any) {}}
}

func TestNewDeviceRequestsAreUnique(t *testing.T) {
	c := testClientele(&url.URL{Host: "nowhere"})
	p, err := c.pool(t.Context(), Issue)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var scratch []byte
	for range 3 * c.size {
		r := p.take(&scratch, &c.serial)
		if seen[string(r.bytes)] || !strings.Contains(string(r.bytes), `"deviceId":"bench-test-0000000`) {
			t.Fatalf("sent again, or broken: %s", r.bytes)
		}
		seen[string(r.bytes)] = true
	}
}

func report() *Report {
	var l latencies
	for i := range 1000 {
		l.add(time.Duration(i) * time.Millisecond)
	}
	one := Result{Kind: "verify", PerSecond: 250, Latency: l.summary()}
	two := Result{Kind: `</text><script>&"`, PerSecond: 1, OtherPerSecond: 2, Latency: Latency{}}
	r := NewReport("0.0.0")
	r.Sections = []*Section{{Bits: 2048, Floors: []Floor{{Name: floorPrimitives, PerSecond: 300, Latency: l.summary()}},
		Runs: []RunResult{
			{Name: "verify:8", Seconds: 1, Loads: []LoadResult{{Load: "verify:8", Clients: 8, Results: []Result{one}}}, Ratios: []Ratio{{"of the primitives' throughput", 0.83}}},
			{Name: "both", Seconds: 1, Loads: []LoadResult{{Load: "x", Results: []Result{one, two}, Codes: map[string]int64{"OVERLOADED": 3}, Unsent: 4}}},
			{Name: "nothing", Seconds: 1, Loads: []LoadResult{{Load: "y"}}},
		}}}
	return r
}

func TestTheReportReadsBackFromJSONAndFillsItsTable(t *testing.T) {
	var b bytes.Buffer
	if err := report().JSON(&b); err != nil {
		t.Fatal(err)
	}
	var again Report
	if err := json.Unmarshal(b.Bytes(), &again); err != nil || again.Sections[0].Runs[0].Loads[0].Results[0].Latency.P50 < 499 {
		t.Errorf("%v %+v", err, again)
	}
	b.Reset()
	if err := report().Table(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"primitives ", "verify:8 ", "250.0", "0.830      of the primitives' throughput",
		"3 times OVERLOADED to x", "4 requests of x were due"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, &b)
		}
	}
}
