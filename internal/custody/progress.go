package custody

import (
	"encoding/json"
	"errors"
	"time"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// settingRewrap is the progress of the rewrap, with its MAC.
const (
	settingRewrap = "rewrap"
	rewrapLabel   = "rewrap progress v1"
)

// progress is how far the rewrap is. It is stored in the same transaction as each part
// of the work, so no work is lost or repeated if a process is killed.
type progress struct {
	Primary uint32             `json:"primary"` // the data key under which all rows are sealed at the end
	Phase   domain.RewrapPhase `json:"phase"`
	At      record.Place       `json:"at"`
	Under   map[uint32]int64   `json:"under"` // rows by data key, as far as they were counted
	Rows    int64              `json:"rows"`  // total, at the start of the phase
	Visited int64              `json:"visited"`
	Done    int64              `json:"done"`    // rows that were sealed again
	Refused int64              `json:"refused"` // edited rows
	Paused  bool               `json:"paused"`
	Worker  string             `json:"worker"` // the process that works on it
	Until   int64              `json:"until"`  // end of the worker's lease
	Began   int64              `json:"began"`  // like Walked, Until and Updated, microseconds by the store's clock
	Walked  int64              `json:"walked"` // start of the walk of this phase; 0: unknown, because an older version did a part
	Updated int64              `json:"updated"`

	// Where renewing the MACs of what is not a sealed row is, at the end of a phase.
	Resigned int    `json:"resigned,omitempty"` // how many of [Config.Resign] are done
	After    string `json:"after,omitempty"`    // the place in the next one
}

type storedProgress struct {
	Progress json.RawMessage `json:"progress"`
	MAC      []byte          `json:"mac"`
}

// readProgress returns the stored progress. found is false if there is none, or if it
// was edited. Then the rewrap begins again, which is safe.
func readProgress(tx *record.Tx, keys *seal.Keyset) (p progress, found bool, err error) {
	text, err := tx.Setting(settingRewrap)
	if errors.Is(err, store.ErrNotFound) {
		return p, false, nil
	}
	var s storedProgress
	if err != nil || json.Unmarshal(text, &s) != nil || !keys.VerifyMAC(rewrapLabel, s.Progress, s.MAC) || json.Unmarshal(s.Progress, &p) != nil {
		return progress{}, false, err
	}
	return p, true, nil
}

// newProgress returns the progress of a rewrap that has done nothing yet.
func newProgress(tx *record.Tx, primary uint32, paused bool) progress {
	p := progress{Primary: primary, Paused: paused, Began: domain.Micros(tx.Now())}
	p.next(domain.RewrapCounting, tx.Now())
	return p
}

// rewrapDue stores that everything must be rewrapped under the primary data key of keys.
// From then on operators see the rewrap and can pause it, also if no server runs. If they
// had paused the previous one, this one is paused too.
func rewrapDue(tx *record.Tx, keys *seal.Keyset, rows int64) error {
	was, _, err := readProgress(tx, keys)
	if err != nil {
		return err
	}
	primary, _ := primaryOf(keys.DataKeys())
	p := newProgress(tx, primary, was.Paused)
	p.Rows = rows
	return p.write(tx, keys)
}

func (p progress) write(tx *record.Tx, keys *seal.Keyset) error {
	p.Updated = domain.Micros(tx.Now())
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	value, err := json.Marshal(storedProgress{text, keys.MAC(rewrapLabel, text)})
	if err != nil {
		return err
	}
	return tx.PutSetting(settingRewrap, value)
}

// left returns the number of rows that are known to be under older data keys.
func (p progress) left() (n int64) {
	for id, rows := range p.Under {
		if id != p.Primary {
			n += rows
		}
	}
	return n
}

// add adds the counts of one part of the phase.
func (p *progress) add(v record.Visited) {
	if p.Phase == domain.RewrapRewrapping {
		for id, rows := range v.Under {
			if id != p.Primary {
				p.Under[id] = max(p.Under[id]-rows, 0)
				p.Under[p.Primary] += rows
				p.Done += rows
			}
		}
		p.Done -= v.Refused
		p.Refused += v.Refused
	} else {
		for id, rows := range v.Under {
			p.Under[id] += rows
		}
		p.Refused += v.Refused
	}
	for _, rows := range v.Under {
		p.Visited += rows
	}
	p.Rows = max(p.Rows, p.Visited)
	p.At = v.Next
}

// next begins a phase.
func (p *progress) next(phase domain.RewrapPhase, now time.Time) {
	p.Phase, p.At, p.Visited, p.Walked = phase, record.Place{}, 0, domain.Micros(now)
	p.Resigned, p.After = 0, ""
	p.Refused = 0 // each walk that opens rows finds the edited ones again
	if phase != domain.RewrapRewrapping {
		p.Under = map[uint32]int64{}
	}
}

// clockSetBack corrects times that a clock wrote that was set back since. Otherwise the
// rewrap would wait until the clock is there again. A walk counts as too early again.
func (p *progress) clockSetBack(now int64) {
	if p.Until > now+rewrapLease.Microseconds() {
		p.Until = 0
	}
	if max(p.Began, p.Walked) > now {
		p.Began, p.Walked = now, 0
	}
}

// shown returns the progress for operators.
func (p progress) shown(now time.Time) domain.Rewrap {
	r := domain.Rewrap{Phase: p.Phase, Rows: p.Rows, Visited: p.Visited, Rewrapped: p.Done, Refused: p.Refused, Left: p.left(), Paused: p.Paused,
		BeganAt: domain.FromMicros(p.Began), UpdatedAt: domain.FromMicros(p.Updated), Under: map[string]int64{}}
	for id, rows := range p.Under {
		r.Under[dataKeyID(id)] = rows
	}
	if domain.FromMicros(p.Until).After(now) {
		r.Worker = p.Worker
	}
	return r
}
