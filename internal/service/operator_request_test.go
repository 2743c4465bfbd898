package service

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// One call finds the entries of a request, even after many later entries.
func TestOneCallFindsTheEntriesOfARequest(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel, and the race detector makes its 25,000 entries slow")
	}
	v := openVault(t, nil)
	start, seq := v.clock.Now().Add(-24*time.Hour), int64(0)
	enter := func(id string, at time.Time) {
		t.Helper()
		err := v.cfg.Store.Update(v.ctx, func(tx store.Tx) error {
			seq++
			return tx.InsertEntry(domain.Entry{Chain: "other", Seq: seq, Time: at, RequestID: id, Actor: "caller", Event: domain.EventKeyIssued, Outcome: "ok", Count: 1})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	timed, apart, random, long := domain.NewRequestID(start), domain.NewRequestID(start.Add(-time.Hour)), domain.NewID(), domain.NewRequestID(start.Add(time.Hour))
	random = "z" + random[1:] // the time in it is far away
	enter(random, start.Add(-time.Minute))
	enter(apart, start.Add(-time.Minute)) // by a store whose clock is an hour ahead
	for _, after := range []time.Duration{-20 * time.Second, 0, time.Millisecond, time.Second} {
		enter(timed, start.Add(after))
	}
	for i := range 20 { // an act in portions, for eight minutes
		enter(long, start.Add(time.Hour).Add(time.Duration(i)*25*time.Second))
	}
	const others, portion = 25_000, 500
	for first := 0; first < others; first += portion {
		err := v.cfg.Store.Update(v.ctx, func(tx store.Tx) error {
			for i := first; i < first+portion; i++ {
				e := domain.Entry{Chain: "other", Seq: seq + int64(i) + 1, Time: start.Add(12*time.Hour + time.Duration(i)*time.Second), RequestID: "another", Actor: "caller",
					Event: domain.EventCredentialVerified, Outcome: "ok", Count: 1}
				if err := tx.InsertEntry(e); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	find := func(f domain.EntryFilter, limit int) (got []int64, calls int) {
		t.Helper()
		for after := ""; ; calls++ {
			found, next, _, err := v.Audit(v.ctx, f, domain.Page{After: after, Limit: limit})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range found {
				got = append(got, e.Seq)
			}
			if after = next; next == "" {
				return got, calls + 1
			}
		}
	}
	var portions []int64
	for i := range int64(20) {
		portions = append(portions, 26-i)
	}
	for what, c := range map[string]struct {
		filter domain.EntryFilter
		limit  int
		want   []int64
		calls  int
	}{
		"an id with a time":            {domain.EntryFilter{RequestID: timed}, 50, []int64{6, 5, 4, 3}, 1},
		"in parts":                     {domain.EntryFilter{RequestID: timed}, 2, []int64{6, 5, 4, 3}, 2},
		"one by one":                   {domain.EntryFilter{RequestID: timed}, 1, []int64{6, 5, 4, 3}, 4},
		"of one event":                 {domain.EntryFilter{RequestID: timed, Event: domain.EventKeyIssued}, 50, []int64{6, 5, 4, 3}, 1},
		"of another event":             {domain.EntryFilter{RequestID: timed, Event: domain.EventCredentialSet}, 50, nil, 1},
		"from a time":                  {domain.EntryFilter{RequestID: timed, From: start}, 50, []int64{6, 5, 4}, 1},
		"before a time":                {domain.EntryFilter{RequestID: timed, To: start}, 50, []int64{3}, 1},
		"an act that took long":        {domain.EntryFilter{RequestID: long}, 50, portions, 1},
		"an id without a time":         {domain.EntryFilter{RequestID: random}, 50, []int64{1}, 1},
		"of a store with another time": {domain.EntryFilter{RequestID: apart}, 50, []int64{2}, 1},
		"an unknown id":                {domain.EntryFilter{RequestID: domain.NewRequestID(start)}, 50, nil, 1},
	} {
		got, calls := find(c.filter, c.limit)
		if diff := cmp.Diff(c.want, got); diff != "" || calls != c.calls {
			t.Errorf("%s: in %d calls, not %d (-want +got):\n%s", what, calls, c.calls, diff)
		}
	}
	got, _ := find(domain.EntryFilter{RequestID: long}, 7)
	if slices.Sort(got); !slices.Equal(slices.Compact(got), got) || len(got) != 20 {
		t.Errorf("an act that took long, in parts: %v", got)
	}
}
