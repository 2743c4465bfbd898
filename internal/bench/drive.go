package bench

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// window is the time in which requests count.
type window struct{ begin, end time.Time }

func (w window) has(t time.Time) bool { return !t.Before(w.begin) && t.Before(w.end) }

func (w window) seconds() float64 { return w.end.Sub(w.begin).Seconds() }

// stream is one load while it runs.
type stream struct {
	Load
	pool   *pool
	serial *atomic.Uint64
	start  time.Time // of the warm-up; open loops count their due times from it
	window
	stats   [kinds]stats
	tickets atomic.Int64
	unsent  atomic.Int64 // requests due within the window for which no client was free

	mu    sync.Mutex
	codes map[string]int64 // guarded by mu
}

// stats counts the requests of one kind.
type stats struct {
	ok, other atomic.Int64 // answered within the window, as expected and otherwise
	latencies latencies    // of those that were answered as expected
}

// client makes requests on a connection of its own until the window ends.
func (s *stream) client(ctx context.Context, c *conn) {
	defer c.close()
	var scratch []byte
	if s.open() {
		for s.due(ctx, func(due time.Time) { s.one(ctx, c, &scratch, due) }) {
		}
		return
	}
	for ctx.Err() == nil {
		now := time.Now()
		if !now.Before(s.end) {
			return
		}
		s.one(ctx, c, &scratch, now)
	}
}

// due takes the next request of an open loop, waits until it is due and sends it. It
// returns false if there are no more. A request that is not sent before the window
// ends is never sent: its latency counts as the time that it had waited by then.
func (s *stream) due(ctx context.Context, request func(due time.Time)) bool {
	n := s.tickets.Add(1) - 1
	due := s.start.Add(time.Duration(float64(n) / s.Rate * float64(time.Second)))
	if !due.Before(s.end) || ctx.Err() != nil {
		return false
	}
	if wait := time.Until(due); wait > 0 {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return false
		}
	}
	if time.Now().Before(s.end) {
		request(due)
	} else if s.has(due) {
		s.unsent.Add(1)
		k := s.pool.requests[0].kind
		s.stats[k].latencies.add(s.end.Sub(due))
	}
	return true
}

// one sends one request and counts it. A closed loop counts the answers within the
// window. An open loop does so for the throughput. Its latencies are those of the
// requests that were due within the window, however late their answers are.
func (s *stream) one(ctx context.Context, c *conn, scratch *[]byte, start time.Time) {
	r := s.pool.take(scratch, s.serial)
	status, answer, err := c.do(ctx, r.bytes)
	end := time.Now()
	to := &s.stats[r.kind]
	ok := err == nil && bytes.Contains(answer, r.want)
	within, counted := s.has(end), s.has(end)
	if s.open() {
		counted = s.has(start)
	}
	switch {
	case ok && counted:
		to.latencies.add(end.Sub(start))
	case ok || !within:
	case err != nil:
		s.note("no answer")
	default:
		s.note(codeOf(status, answer))
	}
	switch {
	case within && ok:
		to.ok.Add(1)
	case within:
		to.other.Add(1)
	}
	if err != nil {
		time.Sleep(10 * time.Millisecond) // do not flood a server that is gone
	}
}

func (s *stream) note(code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.codes[code]++
}

// answered returns how many requests were answered within the window so far, as
// expected and otherwise.
func (s *stream) answered() (ok, other int64) {
	for k := range s.stats {
		ok += s.stats[k].ok.Load()
		other += s.stats[k].other.Load()
	}
	return ok, other
}

// run runs loads at the same time: a warm-up, then the window that counts. It calls
// each at the beginning of the window, every second within it, and at its end.
func (c *clientele) run(ctx context.Context, loads []Load, warmup, duration time.Duration, each func(streams []*stream)) ([]*stream, window, error) {
	streams := make([]*stream, len(loads))
	for i, l := range loads {
		p, err := c.pool(ctx, l.Scenario)
		if err != nil {
			return nil, window{}, err
		}
		streams[i] = &stream{Load: l, pool: p, serial: &c.serial, codes: map[string]int64{}}
	}
	start := time.Now().Add(20 * time.Millisecond)
	w := window{start.Add(warmup), start.Add(warmup + duration)}
	var clients sync.WaitGroup
	for _, s := range streams {
		s.start, s.window = start, w
		to := c.to
		if s.Scenario == Operator {
			to = c.operator.to
		}
		for range s.Clients {
			clients.Go(func() { s.client(ctx, &conn{to: to, deadline: w.end.Add(answerTimeout)}) })
		}
	}
	for at := w.begin; wait(ctx, time.Until(at)); at = at.Add(min(time.Second, w.end.Sub(at))) {
		each(streams)
		if !at.Before(w.end) {
			break
		}
	}
	clients.Wait()
	return streams, w, ctx.Err()
}

// wait waits for d, and reports whether it did so to the end.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

// results returns the rows of a stream: one for each kind of request that was
// answered, but at least one.
func (s *stream) results() []Result {
	var all []Result
	for k := range s.stats {
		st := &s.stats[k]
		ok, other := st.ok.Load(), st.other.Load()
		if ok+other == 0 && st.latencies.count() == 0 {
			continue
		}
		all = append(all, Result{Kind: kindNames[k], PerSecond: float64(ok) / s.seconds(),
			OtherPerSecond: float64(other) / s.seconds(), Latency: st.latencies.summary()})
	}
	if len(all) == 0 {
		all = []Result{{Kind: kindNames[s.pool.requests[0].kind]}}
	}
	return all
}

func (s *stream) outcome() LoadResult {
	s.mu.Lock()
	defer s.mu.Unlock()
	return LoadResult{Load: s.String(), Clients: s.Clients, Rate: s.Rate, Results: s.results(),
		Unsent: s.unsent.Load(), Codes: maps.Clone(s.codes)}
}

// answered is how many requests of a load were answered, as expected and
// otherwise.
type answered struct{ ok, other int64 }

// progress returns a line with the answers of each stream since the second before.
func progress(at time.Duration, streams []*stream, last []answered) string {
	line := []string{fmt.Sprintf("%3.0f s", at.Seconds())}
	for i, s := range streams {
		var now answered
		now.ok, now.other = s.answered()
		line = append(line, fmt.Sprintf("%s %d/s", s.Scenario, now.ok-last[i].ok))
		if now.other > last[i].other {
			line = append(line, fmt.Sprintf("(%d/s otherwise)", now.other-last[i].other))
		}
		last[i] = now
	}
	return strings.Join(line, "  ")
}
