package domain

import (
	"encoding/json"
	"slices"
	"time"
)

// Attempts is the guess ledger of one account and credential type. It exists
// from the first try on, whether or not a credential was ever set, because
// "nothing set" and "wrong" must count the same.
//
// Failures and Pending are kept apart: a pending try has been durably reserved
// but its verdict is not known yet. It takes up room in the budget, so that
// two hundred parallel guesses cannot all pass the check together, but it is
// no failure, so that six parallel right answers lock nobody.
type Attempts struct {
	ID          string
	AccountID   string
	Type        CredentialType
	Version     int64       // rises by one with each change; every write compares and swaps on it
	Failures    int         // wrong verdicts in a row
	Recent      []time.Time // wrong verdicts inside the rolling window, oldest first
	LockedUntil time.Time   // zero: no lock in time
	Permanent   bool        // locked until an operator unlocks
	Pending     []Try       // reserved, not yet settled
	MAC         []byte      // over Canonical and Pending, keyed: an edited row is refused
}

// Try is one reserved guess. When its lease passes without a verdict, the
// process that held it died and the try counts as a failure.
type Try struct {
	ID    string
	Lease time.Time
}

// Canonical is the ledger's lasting state in the one form that its digest is
// taken of. Pending tries and Version are left out: reserving a try is not yet
// an audited event, so the audit trail could not hold a digest that covers it.
func (a Attempts) Canonical() []byte {
	permanent := []byte{0}
	if a.Permanent {
		permanent[0] = 1
	}
	out := Encode([]byte("attempts"), []byte(Tenant), []byte(a.AccountID), []byte(a.Type), []byte(a.ID),
		EncodeInt(int64(a.Failures)), EncodeTime(a.LockedUntil), permanent)
	for _, t := range a.Recent {
		out = appendField(out, EncodeTime(t))
	}
	return out
}

// Authenticated is everything the MAC covers: the lasting state, the version
// and the pending tries.
func (a Attempts) Authenticated() []byte {
	var pending []byte
	for _, t := range a.Pending {
		pending = appendField(pending, []byte(t.ID))
		pending = appendField(pending, EncodeTime(t.Lease))
	}
	return Encode(a.Canonical(), EncodeInt(a.Version), pending)
}

// MarshalPending and UnmarshalPending are the form in which an engine keeps
// the pending tries in one column.
func MarshalPending(tries []Try) string {
	rows := make([]pendingRow, len(tries))
	for i, t := range tries {
		rows[i] = pendingRow{t.ID, Micros(t.Lease)}
	}
	b, _ := json.Marshal(rows) // strings and integers always marshal
	return string(b)
}

type pendingRow struct {
	Try   string `json:"try"`
	Lease int64  `json:"lease"`
}

// UnmarshalPending is the inverse of [MarshalPending].
func UnmarshalPending(s string) ([]Try, error) {
	var rows []pendingRow
	if err := json.Unmarshal([]byte(s), &rows); err != nil {
		return nil, err
	}
	tries := make([]Try, len(rows))
	for i, r := range rows {
		tries[i] = Try{r.Try, FromMicros(r.Lease)}
	}
	return tries, nil
}

// AttemptPolicy is the rule of how many wrong verdicts an account may get. Its
// methods are pure: state and time in, new state out.
//
// The defaults follow PSD2 RTS (EU) 2018/389 art. 4(3)(b), at most five
// failures in a row, and PCI DSS 8.3.4, at least thirty minutes of lockout.
type AttemptPolicy struct {
	MaxFailures   int             // in a row, before the first lockout
	DeviceMax     int             // in a row by one device, before its first lockout; 0: devices have no budget of their own
	Lockouts      []time.Duration // after failure MaxFailures, MaxFailures+1, …; one failure more locks for good
	RollingMax    int             // failures inside RollingWindow, successes between them or not
	RollingWindow time.Duration
	Lease         time.Duration // how long a reserved try may stay without a verdict
}

// DefaultAttemptPolicy is the policy of a start without settings.
func DefaultAttemptPolicy() AttemptPolicy {
	return AttemptPolicy{
		MaxFailures:   5,
		Lockouts:      []time.Duration{30 * time.Minute, time.Hour, 4 * time.Hour, 24 * time.Hour, 24 * time.Hour},
		RollingMax:    20,
		RollingWindow: 24 * time.Hour,
		Lease:         30 * time.Second,
	}
}

// Admission is what the policy says to one more try.
type Admission int

// The three answers of [AttemptPolicy.Admit].
const (
	Admitted Admission = iota
	Full               // only pending tries stand in the way: wait for a verdict
	Locked             // no try until the lock ends
)

// Admit says whether one more try may be reserved at time now. Call
// [AttemptPolicy.Lapse] first.
func (p AttemptPolicy) Admit(a Attempts, now time.Time) Admission {
	if a.LockedAt(now) {
		return Locked
	}
	// Past the first lockout there is one try at a time: a failure there locks
	// for longer, so a second guess beside it would be a guess too many.
	limit := max(p.MaxFailures, a.Failures+1)
	if a.Failures+len(a.Pending) >= limit || p.recent(a, now)+len(a.Pending) >= p.RollingMax {
		return Full
	}
	return Admitted
}

// LockedAt reports whether the ledger refuses tries and sets at time now.
func (a Attempts) LockedAt(now time.Time) bool {
	return a.Permanent || now.Before(a.LockedUntil)
}

// Lapse counts every pending try whose lease passed before now as a failure
// at the end of its lease, and says how many there were.
func (p AttemptPolicy) Lapse(a Attempts, now time.Time) (Attempts, int) {
	var lapsed []Try
	pending := make([]Try, 0, len(a.Pending))
	for _, t := range a.Pending {
		if t.Lease.Before(now) {
			lapsed = append(lapsed, t)
		} else {
			pending = append(pending, t)
		}
	}
	a.Pending = pending
	slices.SortFunc(lapsed, func(x, y Try) int { return x.Lease.Compare(y.Lease) })
	for _, t := range lapsed {
		a = p.fail(a, t.Lease)
	}
	return a, len(lapsed)
}

// Reserve adds a pending try. The caller has asked [AttemptPolicy.Admit].
func (p AttemptPolicy) Reserve(a Attempts, try string, now time.Time) Attempts {
	a.Pending = append(slices.Clone(a.Pending), Try{try, now.Add(p.Lease)})
	return a
}

// Settle turns a pending try into its verdict at time now. It reports false,
// and changes nothing, when the try is not pending any more: its lease passed
// and it was counted as a failure, so its verdict must not be given either.
func (p AttemptPolicy) Settle(a Attempts, try string, match bool, now time.Time) (Attempts, bool) {
	a, ok := p.GiveBack(a, try)
	switch {
	case !ok:
		return a, false
	case !match:
		return p.fail(a, now), true
	case a.LockedAt(now):
		// A lock that arose meanwhile stands: a right answer beside many wrong
		// ones must not wipe what they brought about.
		return a, true
	}
	a.Failures, a.LockedUntil = 0, time.Time{}
	return a, true
}

// GiveBack removes a pending try whose comparison never ran. It reports
// whether the try was pending.
func (p AttemptPolicy) GiveBack(a Attempts, try string) (Attempts, bool) {
	i := slices.IndexFunc(a.Pending, func(t Try) bool { return t.ID == try })
	if i < 0 {
		return a, false
	}
	a.Pending = slices.Delete(slices.Clone(a.Pending), i, i+1)
	return a, true
}

// Fresh is the ledger without failures and locks: what the first set of a
// credential starts with, and what an operator's unlock leaves. Pending tries
// stay, so that their verdicts still find their place.
func (a Attempts) Fresh() Attempts {
	a.Failures, a.Recent, a.LockedUntil, a.Permanent = 0, nil, time.Time{}, false
	return a
}

func (p AttemptPolicy) fail(a Attempts, at time.Time) Attempts {
	a.Failures++
	a.Recent = p.append(a.Recent, at)
	switch step := a.Failures - p.MaxFailures; {
	case step < 0:
	case step < len(p.Lockouts):
		a.LockedUntil = later(a.LockedUntil, at.Add(p.Lockouts[step]))
	default:
		a.Permanent = true
	}
	if len(a.Recent) >= p.RollingMax {
		a.LockedUntil = later(a.LockedUntil, a.Recent[0].Add(p.RollingWindow))
	}
	return a
}

// append adds a failure and drops those that have left the window. At most
// RollingMax stay, which is all the policy ever looks at.
func (p AttemptPolicy) append(recent []time.Time, at time.Time) []time.Time {
	out := make([]time.Time, 0, len(recent)+1)
	for _, t := range recent {
		if at.Sub(t) < p.RollingWindow {
			out = append(out, t)
		}
	}
	out = append(out, at)
	slices.SortFunc(out, time.Time.Compare)
	return out[max(0, len(out)-p.RollingMax):]
}

func (p AttemptPolicy) recent(a Attempts, now time.Time) int {
	n := 0
	for _, t := range a.Recent {
		if now.Sub(t) < p.RollingWindow {
			n++
		}
	}
	return n
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
