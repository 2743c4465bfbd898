package lograte

import (
	"maps"
	"sync"
	"time"
)

// repeatEvery is how often a failure that goes on is logged.
const repeatEvery = 10 * time.Second

// repeatTexts is how many different failures of a job are logged in that time. The text of
// one may differ each time, by the port of a connection for instance.
const repeatTexts = 3

// Repeats limits lines about jobs that fail again and again. Some jobs run several times
// a second, so an outage would bury everything else in the log. The program has a fixed
// set of job names, so the map stays small. The zero value is ready to use. It is safe
// for concurrent use.
type Repeats struct {
	mu   sync.Mutex
	jobs map[string]*repeats
}

// repeats is the lines about a job.
type repeats struct {
	written map[string]time.Time // in the last repeatEvery, by text
	omitted int                  // since the last line
}

// Next reports whether a line about a job's failure may be written now, and how many
// lines about the job were omitted since the last one. The same failure has to wait
// 10 s. A different failure of the job does not, up to three in that time.
func (r *Repeats) Next(job, failure string, now time.Time) (write bool, omitted int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.jobs == nil {
		r.jobs = map[string]*repeats{}
	}
	of := r.jobs[job]
	if of == nil {
		of = &repeats{written: map[string]time.Time{}}
		r.jobs[job] = of
	}
	maps.DeleteFunc(of.written, func(_ string, at time.Time) bool { return now.Sub(at) >= repeatEvery })
	if _, again := of.written[failure]; again || len(of.written) >= repeatTexts {
		of.omitted++
		return false, 0
	}
	omitted, of.omitted = of.omitted, 0
	of.written[failure] = now
	return true, omitted
}
