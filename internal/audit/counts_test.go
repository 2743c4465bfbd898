package audit

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"strongroom/internal/domain"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// lines are entries in words, sorted: event, outcome, operation, account,
// count and duration.
func lines(entries []domain.Entry) []string {
	out := make([]string, 0, len(entries))
	for _, e := range entries {
		out = append(out, fmt.Sprintf("%s %s %s %s %d %v", e.Event, e.Outcome, e.Reason, e.Account, e.Count, e.Duration))
	}
	slices.Sort(out)
	return out
}

func total(entries []domain.Entry) (n int64) {
	for _, e := range entries {
		n += e.Count
	}
	return n
}

func TestOperationsOfOneKindBecomeOneEntry(t *testing.T) {
	var c Counts
	for range 3 {
		c.Operation(domain.OpGenerateKey, "ok", 2*time.Millisecond)
	}
	c.Operation(domain.OpGenerateKey, "ok", time.Millisecond)
	c.Operation(domain.OpGenerateKey, "BAD_USER_INPUT", time.Millisecond)
	c.Operation(domain.OpEncrypt, "ok", time.Millisecond)
	entries := c.Take(noon, false).Entries()
	want := []string{
		"operations.counted BAD_USER_INPUT generateClientEncryptionKey  1 1ms",
		"operations.counted ok encryptDataLikeClient  1 1ms",
		"operations.counted ok generateClientEncryptionKey  4 7ms",
	}
	if diff := cmp.Diff(want, lines(entries)); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	for _, e := range entries {
		if e.Actor != "system" || e.Operation != "" || e.Failed {
			t.Errorf("an aggregate would be folded into the metrics as an operation: %+v", e)
		}
	}
	if again := c.Take(noon, true); len(again) != 0 {
		t.Errorf("taken twice: %v", lines(again.Entries()))
	}
}

func TestRefusalsAreTakenAfterAMinuteOrOnDemand(t *testing.T) {
	var c Counts
	c.Refusal(domain.CodeOverloaded, []byte("a"), noon)
	c.Refusal(domain.CodeOverloaded, []byte("a"), noon.Add(59*time.Second)) // does not begin a new minute
	c.Operation(domain.OpEncrypt, "ok", 0)
	early := noon.Add(time.Minute - time.Nanosecond)
	if c.Due(early) {
		t.Error("the minute is over too early")
	}
	if got := total(c.Take(early, false).Entries()); got != 1 {
		t.Errorf("%d taken before the minute is over, want the operation alone", got)
	}
	if !c.Due(noon.Add(time.Minute)) {
		t.Error("the minute does not end")
	}
	got := lines(c.Take(noon.Add(time.Minute), false).Entries())
	if diff := cmp.Diff([]string{"refusals.counted OVERLOADED  a 2 0s"}, got); diff != "" {
		t.Errorf("after the minute (-want +got):\n%s", diff)
	}
	if c.Due(noon.Add(time.Hour)) {
		t.Error("due with nothing gathered")
	}
	// The next refusal begins the next minute.
	c.Refusal(domain.CodeOverloaded, nil, noon.Add(time.Hour))
	if got := total(c.Take(noon.Add(time.Hour+59*time.Second), false).Entries()); got != 0 {
		t.Errorf("%d taken inside the second minute", got)
	}
	if got := total(c.Take(noon.Add(time.Hour+59*time.Second), true).Entries()); got != 1 {
		t.Errorf("%d taken when all counts were requested", got)
	}
}

func TestReturnedCountsAreTakenAgain(t *testing.T) {
	var c Counts
	c.Operation(domain.OpEncrypt, "ok", time.Millisecond)
	c.Refusal(domain.CodeOverloaded, nil, noon)
	taken := c.Take(noon, true)
	c.Operation(domain.OpEncrypt, "ok", 2*time.Millisecond)
	c.Return(taken, noon.Add(time.Second))
	c.Operation(domain.OpEncrypt, "ok", 4*time.Millisecond)
	want := []string{"operations.counted ok encryptDataLikeClient  3 7ms", "refusals.counted OVERLOADED   1 0s"}
	if diff := cmp.Diff(want, lines(c.Take(noon.Add(time.Second+time.Minute), false).Entries())); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	// Later counts do not change a batch that was returned.
	if got := lines(taken.Entries()); !slices.Contains(got, "operations.counted ok encryptDataLikeClient  1 1ms") {
		t.Errorf("a batch changed after it was returned: %v", got)
	}
}

func TestAFloodByManyCallersIsBoundedAndLosesNoCount(t *testing.T) {
	var c Counts
	const flood = 3 * maxKinds
	for n := range flood {
		c.Refusal(domain.CodeOverloaded, fmt.Appendf(nil, "caller %d", n), noon)
	}
	c.Operation(domain.OpEncrypt, "ok", 0)
	entries := c.Take(noon, true).Entries()
	// One kind without an account for each event, operation and outcome may
	// come on top, and these are closed sets.
	if len(entries) > maxKinds+2 {
		t.Errorf("%d entries", len(entries))
	}
	if got := total(entries); got != flood+1 {
		t.Errorf("%d counted, want %d", got, flood+1)
	}
	if !slices.ContainsFunc(entries, func(e domain.Entry) bool { return e.Reason == string(domain.OpEncrypt) && len(e.Account) == 0 }) {
		t.Error("past the bound an operation was not counted without its account")
	}
	// Returning a full batch to a full Counts keeps both bound and count.
	for n := range maxKinds {
		c.Refusal(domain.CodeOverloaded, fmt.Appendf(nil, "other %d", n), noon)
	}
	full := c.Take(noon, true)
	for n := range maxKinds {
		c.Refusal(domain.CodeBadRequest, fmt.Appendf(nil, "third %d", n), noon)
	}
	c.Return(full, noon)
	entries = c.Take(noon, true).Entries()
	if got := total(entries); len(entries) > maxKinds+2 || got != 2*maxKinds {
		t.Errorf("%d entries count %d, want at most %d that count %d", len(entries), got, maxKinds+2, 2*maxKinds)
	}
}

// In any order of operations, refusals, takes, failed writes and clock steps,
// what was counted is written or still there.
func TestNoCountIsLostOrDoubled(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var c Counts
		var counted, written int64
		now := noon
		account := rapid.SampledFrom([]string{"", "a", "b"})
		rt.Repeat(map[string]func(*rapid.T){
			"operation": func(*rapid.T) {
				c.Operation(domain.OpEncrypt, "ok", time.Millisecond)
				counted++
			},
			"refusal": func(rt *rapid.T) {
				c.Refusal(domain.CodeOverloaded, []byte(account.Draw(rt, "account")), now)
				counted++
			},
			"write": func(rt *rapid.T) {
				taken := c.Take(now, rapid.Bool().Draw(rt, "all"))
				if rapid.Bool().Draw(rt, "fails") {
					c.Return(taken, now)
					return
				}
				written += total(taken.Entries())
			},
			"wait": func(rt *rapid.T) {
				now = now.Add(time.Duration(rapid.IntRange(0, 90).Draw(rt, "seconds")) * time.Second)
			},
		})
		if written += total(c.Take(now, true).Entries()); written != counted {
			rt.Fatalf("%d of %d were written", written, counted)
		}
	})
}

func TestCountsAreSafeForConcurrentUse(t *testing.T) {
	var c Counts
	var written int64
	var wg sync.WaitGroup
	const workers, each = 4, 500
	for range workers {
		wg.Go(func() {
			for n := range each {
				c.Operation(domain.OpEncrypt, "ok", time.Microsecond)
				c.Refusal(domain.CodeOverloaded, fmt.Append(nil, n%7), noon)
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	for n, running := 0, true; running; n++ {
		select {
		case <-done:
			running = false
		default:
		}
		taken := c.Take(noon, true)
		if n%2 == 0 { // every other write fails
			c.Return(taken, noon)
			continue
		}
		written += total(taken.Entries())
	}
	if written += total(c.Take(noon, true).Entries()); written != 2*workers*each {
		t.Errorf("%d written, want %d", written, 2*workers*each)
	}
}

func TestAProblemSaysWhereItIs(t *testing.T) {
	for want, p := range map[string]Problem{
		"chain c, entry 7: the entry is missing":                               {Chain: "c", Seq: 7, What: "the entry is missing"},
		"attempts/x: the record was edited":                                    {Record: "attempts/x", What: "the record was edited"},
		"key/x: the record was edited or rolled back (see entry 7 of chain c)": {Chain: "c", Seq: 7, Record: "key/x", What: "the record was edited or rolled back"},
		"credential/x: no entry about this record":                             {Record: "credential/x", What: "no entry about this record"},
		"attempts/x: the record had been rolled back (see entry 9 of chain c)": {Chain: "c", Seq: 9, Record: "attempts/x", What: "the record had been rolled back"},
	} {
		if got := p.String(); got != want || strings.Contains(got, "\n") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
