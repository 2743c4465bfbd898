package metrics

import (
	"testing"
	"time"

	"strongroom/internal/domain"
)

func TestPercentilesCoverTheLastHour(t *testing.T) {
	var l latencies
	now := time.Unix(1_800_000_000, 0)
	l.observe(domain.OpVerifyPIN, time.Hour, now.Add(-61*time.Minute)) // of another hour
	for ms := range 1000 {
		l.observe(domain.OpVerifyPIN, time.Duration(ms+1)*time.Millisecond, now.Add(-time.Duration(ms%59)*time.Minute))
	}
	l.observe("something else", time.Second, now)
	all := l.last(now)
	if len(all) != 1 || all[0].Operation != domain.OpVerifyPIN || all[0].Of != 1000 {
		t.Fatalf("%+v", all)
	}
	for name, pair := range map[string][2]time.Duration{"p50": {all[0].P50, 500}, "p95": {all[0].P95, 950}, "p99": {all[0].P99, 990}} {
		if got, want := pair[0], pair[1]*time.Millisecond; got < want || got > want*110/100 {
			t.Errorf("%s is %v, want %v to 10%% above", name, got, want)
		}
	}
	if left := l.last(now.Add(2 * time.Hour)); len(left) != 0 {
		t.Errorf("two hours later: %+v", left)
	}
}
