package service

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"strongroom/internal/domain"
)

// BenchmarkVerifyBesideAReceiverThatHangs verifies in turn on four vaults: one
// that sends nothing; one with a thousand events that wait for a receiver that
// hangs; one that also reports every verification; and the first kind once
// more, to show how much of a difference is chance. It reports what each takes.
func BenchmarkVerifyBesideAReceiverThatHangs(b *testing.B) {
	r := newReceiver(b)
	r.behaves(func(_ http.ResponseWriter, req *http.Request, _ int64) bool { <-req.Context().Done(); return false })
	hangs := sendTo(b, r, nil)
	type one struct {
		name string
		*instance
		key   domain.KeyPair
		times []time.Duration
	}
	var all []*one
	for _, c := range []struct {
		name  string
		tweak func(*Config)
	}{
		{"off", nil},
		{"hangs", func(c *Config) { hangs(c); c.Webhook.Events = domain.EventsOut }},
		{"hangs-each-verify", hangs},
		{"off-again", nil},
	} {
		v := openVault(b, c.tweak)
		o := &one{name: c.name, instance: v, key: v.issue("phone")}
		v.setPIN(o.key, "8302")
		for i := range 500 {
			v.rotate(fmt.Sprintf("other-%d", i%100))
		}
		v.runs()
		all = append(all, o)
	}
	time.Sleep(2 * time.Second) // the first attempts hang by now
	b.ResetTimer()
	for range b.N {
		for _, o := range all {
			start := time.Now()
			if got := o.verifyPIN(o.key, "8302"); got != "true" {
				b.Fatal(got)
			}
			o.times = append(o.times, time.Since(start))
		}
	}
	b.StopTimer()
	for _, o := range all {
		slices.Sort(o.times)
		at := func(p float64) float64 { return float64(o.times[int(p*float64(len(o.times)-1))].Microseconds()) }
		b.ReportMetric(at(0.5), o.name+"-p50-µs")
		b.ReportMetric(at(0.99), o.name+"-p99-µs")
	}
}
