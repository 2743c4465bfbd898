package lograte

import (
	"sync"
	"time"
)

// RepeatEvery is how often a failure that goes on is logged.
const RepeatEvery = 10 * time.Second

// Repeats limits lines about jobs that fail again and again. Some jobs run several times
// a second, so an outage would bury everything else in the log. The program has a fixed
// set of job names, so the map stays small. The zero value is ready to use. It is safe
// for concurrent use.
type Repeats struct {
	mu   sync.Mutex
	last map[string]repeat // by job
}

// repeat is the last line written about a job.
type repeat struct {
	text    string
	at      time.Time
	omitted int // since then
}

// Next reports whether a line about a job's failure may be written now, and how many
// lines about the job were omitted since the last one. The same failure has to wait
// [RepeatEvery]. A different failure of the job does not.
func (r *Repeats) Next(job, failure string, now time.Time) (write bool, omitted int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := r.last[job]
	if last.text == failure && now.Sub(last.at) < RepeatEvery {
		last.omitted++
		r.last[job] = last
		return false, 0
	}
	if r.last == nil {
		r.last = map[string]repeat{}
	}
	r.last[job] = repeat{text: failure, at: now}
	return true, last.omitted
}
