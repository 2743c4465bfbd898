package audit

import (
	"sync"
	"time"

	"strongroom/internal/domain"
)

// Counts collects what happens too often, or is too easy for a stranger to cause,
// to have an entry of its own: operations that changed nothing, and requests
// refused before their use case. They become one aggregate entry per kind, so
// that an anonymous flood cannot fill the disk. If the process is killed, what
// was collected since the last [Counts.Take] is lost. Safe for concurrent use.
type Counts struct {
	mu       sync.Mutex
	counts   map[countKey]*tally
	refusals time.Time // when the first of the collected refusals came
}

type countKey struct {
	event     domain.Event
	operation domain.Operation
	outcome   string
	account   string // keyed hash, or ""
}

type tally struct {
	count    int64
	duration time.Duration
}

// maxKinds limits memory in a flood by many callers: above it, their accounts are
// counted together.
const maxKinds = 1024

// refusalSpan is the time that one entry about refusals of one kind covers.
const refusalSpan = time.Minute

// Operation counts one operation that changed nothing. It does not keep the
// account: a stranger with many devices could fill the disk with entries.
func (c *Counts) Operation(op domain.Operation, outcome string, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(countKey{domain.EventOperationsCounted, op, outcome, ""}, tally{1, took})
}

// Refusal counts one request that was refused before its use case. account is the
// keyed hash of the account, or empty if it is not known.
func (c *Counts) Refusal(code domain.Code, account []byte, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.refusals.IsZero() {
		c.refusals = now
	}
	c.add(countKey{domain.EventRefusalsCounted, "", string(code), string(account)}, tally{count: 1})
}

func (c *Counts) add(k countKey, more tally) {
	if c.counts == nil {
		c.counts = map[countKey]*tally{}
	}
	t := c.counts[k]
	if t == nil && len(c.counts) >= maxKinds {
		k.account = ""
		t = c.counts[k]
	}
	if t == nil {
		t = &tally{}
		c.counts[k] = t
	}
	t.count += more.count
	t.duration += more.duration
}

// Due reports whether the minute of the collected refusals is over.
func (c *Counts) Due(now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.due(now)
}

func (c *Counts) due(now time.Time) bool {
	return !c.refusals.IsZero() && now.Sub(c.refusals) >= refusalSpan
}

// RefusedSince is the time of the first collected refusal; the zero time if there
// is none.
func (c *Counts) RefusedSince() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refusals
}

// Taken is the result of a Take.
type Taken map[countKey]*tally

// Take returns what was collected: operations always, refusals if their minute is
// over or all is true.
func (c *Counts) Take(now time.Time, all bool) Taken {
	c.mu.Lock()
	defer c.mu.Unlock()
	due := all || c.due(now)
	taken := Taken{}
	for k, t := range c.counts {
		if k.event == domain.EventRefusalsCounted && !due {
			continue
		}
		taken[k] = t
		delete(c.counts, k)
	}
	if due {
		c.refusals = time.Time{}
	}
	return taken
}

// Return takes back what could not be written.
func (c *Counts) Return(taken Taken, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, t := range taken {
		if k.event == domain.EventRefusalsCounted && c.refusals.IsZero() {
			c.refusals = now
		}
		c.add(k, *t)
	}
}

// Entries are the aggregate entries of what was taken. The operation's name is in
// the reason and not in Operation, because the roll-ups have counted these
// operations already, in memory.
func (t Taken) Entries() []domain.Entry {
	entries := make([]domain.Entry, 0, len(t))
	for k, n := range t {
		entries = append(entries, domain.Entry{
			Actor: "system", Event: k.event, Outcome: k.outcome, Count: n.count, Duration: n.duration,
			Account: []byte(k.account), Reason: string(k.operation),
		})
	}
	return entries
}
