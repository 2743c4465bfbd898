package bench

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// An operator makes every read of one device and then of the next, with the
// token and with nothing left in braces, and each read has a row of its own.
func TestAnOperatorMakesEveryReadInTurn(t *testing.T) {
	const id = "a2345672345672345672345672"
	var mu sync.Mutex
	seen := map[string]int{} // guarded by mu
	to := target(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		mu.Lock()
		seen[r.URL.String()]++
		mu.Unlock()
		next := "more"
		if r.URL.Query().Get("after") != "" {
			next = ""
		}
		fmt.Fprintf(w, `{"items":[{"account":{"id":%q}}],"next":%q}`, id, next)
	})
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "admin.token"), []byte("secret viewer\nolder\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := testClientele(&url.URL{Host: "nowhere"})
	c.devices = []device{{name: "phone-1000", keyID: "k1"}, {name: "phone-2000", keyID: "k2"}}
	var err error
	if c.operator, err = newOperator(dir, to.Host); err != nil {
		t.Fatal(err)
	}
	p, err := c.pool(t.Context(), Operator)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.requests) != 2*len(reads) {
		t.Fatalf("%d requests for two devices", len(p.requests))
	}
	mu.Lock()
	clear(seen)
	mu.Unlock()
	var scratch []byte
	names := map[string]bool{}
	wire := &conn{to: c.operator.to}
	defer wire.close()
	for i := range p.requests {
		r := p.take(&scratch, &c.serial)
		if strings.ContainsAny(string(r.bytes), "{}") || kindNames[r.kind] != reads[i%len(reads)].name {
			t.Errorf("%s is %s", kindNames[r.kind], r.bytes)
		}
		names[kindNames[r.kind]] = true
		if status, _, err := wire.do(t.Context(), r.bytes); status != 200 || err != nil {
			t.Fatalf("%s: %d %v", r.bytes, status, err)
		}
	}
	if len(names) != len(reads) {
		t.Errorf("%d rows for %d reads", len(names), len(reads))
	}
	mu.Lock()
	defer mu.Unlock()
	for path, want := range map[string]int{"/admin/v1/audit?limit=200&after=more": 2, "/admin/v1/keys/k2": 1, "/admin/v1/accounts/" + id: 2,
		"/admin/v1/devices?limit=200&prefix=phone-2": 1, "/admin/v1/health": 2} {
		if seen[path] != want {
			t.Errorf("%s was read %d times, want %d", path, seen[path], want)
		}
	}
}

func TestOneSlowRoundDoesNotMoveTheMedians(t *testing.T) {
	var runs []RunResult
	for i, p99 := range []float64{30, 500, 31, 29} {
		alone := RunResult{Name: "verify:8", Loads: []LoadResult{{Results: []Result{{Kind: "verify", Latency: Latency{P99: 28}}}}}}
		both := RunResult{Name: "both", Ratios: []Ratio{{"times alone", p99 / 20}}, Loads: []LoadResult{
			{Results: []Result{{Kind: "verify", Latency: Latency{P99: p99, Max: p99}}}, Codes: map[string]int64{"OVERLOADED": 1}, Unsent: 2},
			{Results: []Result{{Kind: "locks", PerSecond: float64(i)}, {Kind: "key"}}},
		}}
		runs = append(runs, alone, both)
	}
	got := medians(runs)
	if len(got) != 2 || got[0].Name != "verify:8" || got[1].Name != "both" {
		t.Fatalf("%+v", got)
	}
	verify, looked := got[1].Loads[0], got[1].Loads[1]
	if l := verify.Results[0].Latency; l.P99 != 30.5 || l.Max != 500 || verify.Codes["OVERLOADED"] != 4 || verify.Unsent != 8 {
		t.Errorf("%+v", verify)
	}
	if len(looked.Results) != 2 || looked.Results[0].PerSecond != 1.5 {
		t.Errorf("%+v", looked)
	}
	if r := got[1].Ratios[0]; r.Value != 1.525 || r.Of != "times alone, median of 4 (1.450 to 25.000)" {
		t.Errorf("%+v", r)
	}
	if runs[1].Loads[0].Codes["OVERLOADED"] != 1 {
		t.Error("a round was changed")
	}
}
