package domain

import (
	"math"
	"slices"
	"time"
)

// Attempts is the attempt counter of one account and credential type. It exists
// from the first attempt on, whether or not a credential was ever set, because
// "nothing set" and "wrong" must count the same.
//
// Failures and Pending are separate. A pending attempt is durably reserved, but its
// verdict is not known yet. It counts against the limit, so 200 parallel guesses
// cannot all pass the check. It is not a failure, so six parallel right answers do
// not lock the account.
type Attempts struct {
	ID          string
	AccountID   string
	Type        CredentialType
	Version     int64            // rises by one with each change; every write compares and swaps on it
	Failures    int              // wrong verdicts in a row
	Recent      []time.Time      // wrong verdicts inside the rolling window, oldest first
	LockedUntil time.Time        // zero: no temporary lock
	Permanent   bool             // locked until an operator unlocks
	Pending     []PendingAttempt // reserved, not yet settled
	Devices     []DeviceAttempts // devices with wrong verdicts in a row, at most 32; none in device mode
	VerifiedAt  time.Time        // when a right answer was last recorded; zero: never
	VerifiedBy  string           // the device that gave it, in the form of PendingAttempt.Device
	MAC         []byte           // over Authenticated, keyed: an edited row is refused

	// Restored: the store was restored from a backup after the last right answer, so
	// failures may be missing. It is not stored: the code that reads the counter
	// sets it.
	Restored bool
}

// PendingAttempt is one reserved guess. When its lease passes without a verdict, the
// process that held it died and the attempt counts as a failure.
type PendingAttempt struct {
	ID     string
	Lease  time.Time
	Device string // keyed hash of the device that guesses, 26 characters; "" in device mode
}

// DeviceAttempts are the failures of one device of an account: its part of the
// attempt counter. A device without failures has no entry.
type DeviceAttempts struct {
	Device      string    // in the form of PendingAttempt.Device
	Failures    int       // wrong verdicts in a row by this device
	LockedUntil time.Time // zero: no temporary lock
	Permanent   bool      // locked until an operator unlocks
	LastFailure time.Time // when the newest of them was counted
}

// Canonical is the counter's lasting state in the one form that its digest is
// computed over. Pending attempts and Version are left out: reserving an attempt is not yet
// an audited event, so the audit trail could not hold a digest that covers it.
func (a Attempts) Canonical() []byte {
	out := Encode([]byte("attempts"), []byte(Tenant), []byte(a.AccountID), []byte(a.Type), []byte(a.ID),
		EncodeInt(int64(a.Failures)), EncodeTime(a.LockedUntil), encodeFlag(a.Permanent))
	for _, t := range a.Recent {
		out = appendField(out, EncodeTime(t))
	}
	if len(a.Devices) > 0 {
		out = appendPart(out, "devices", encodeDevices(a.Devices))
	}
	if !a.VerifiedAt.IsZero() || a.VerifiedBy != "" {
		out = appendPart(out, "verified at", Encode(EncodeTime(a.VerifiedAt), []byte(a.VerifiedBy)))
	}
	return out
}

// LockStandsUntil is when the last lock in the attempt counter ends, of the account or
// of one of its devices, as [Micros]. It is 0 without a lock, [math.MaxInt64] for a
// lock that only an operator ends, and in the past if all locks have ended.
func (a Attempts) LockStandsUntil() int64 {
	until, permanent := Micros(a.LockedUntil), a.Permanent
	for _, d := range a.Devices {
		until, permanent = max(until, Micros(d.LockedUntil)), permanent || d.Permanent
	}
	if permanent {
		return math.MaxInt64
	}
	return until
}

// LockedDevices are the devices that have a lock of their own at time now.
func (a Attempts) LockedDevices(now time.Time) (locked []DeviceAttempts) {
	for _, d := range a.Devices {
		if d.lockedAt(now) {
			locked = append(locked, d)
		}
	}
	return locked
}

// appendPart adds a part that attempt counters of version 0.1.0 do not have. Call it
// only if there is something to add: the MACs and digests of older attempt counters
// cover bytes without the part. The part is one field, and the field before it is its
// name. Names differ from each other, and are not eight bytes long as the times before
// them are. So two different attempt counters never have the same encoding.
func appendPart(encoded []byte, name string, part []byte) []byte {
	return appendField(appendField(encoded, []byte(name)), part)
}

func encodeDevices(devices []DeviceAttempts) []byte {
	var out []byte
	for _, d := range devices {
		out = appendField(out, Encode([]byte(d.Device), EncodeInt(int64(d.Failures)), EncodeTime(d.LockedUntil),
			encodeFlag(d.Permanent), EncodeTime(d.LastFailure)))
	}
	return out
}

func encodeFlag(set bool) []byte {
	if set {
		return []byte{1}
	}
	return []byte{0}
}

// Authenticated is everything the MAC covers: the lasting state, the version
// and the pending attempts. If an attempt names its device, the devices of all
// pending attempts follow in the same order, as a part (see appendPart). So an
// attempt counter has three fields without devices, and five with them.
func (a Attempts) Authenticated() []byte {
	var pending []byte
	for _, t := range a.Pending {
		pending = appendField(pending, []byte(t.ID))
		pending = appendField(pending, EncodeTime(t.Lease))
	}
	out := Encode(a.Canonical(), EncodeInt(a.Version), pending)
	if slices.ContainsFunc(a.Pending, func(t PendingAttempt) bool { return t.Device != "" }) {
		var devices []byte
		for _, t := range a.Pending {
			devices = appendField(devices, []byte(t.Device))
		}
		out = appendPart(out, "devices", devices)
	}
	return out
}

// AttemptPolicy is the rule of how many wrong verdicts an account may get. Its
// methods are pure: state and time in, new state out.
//
// If several devices share an account's credential, each device also has a
// budget of its own, smaller than the account's: a stolen device locks itself
// before it locks its owner. Only a right answer by the device itself resets its
// failures, so the owner's right answers with another device give a thief no
// attempts beyond that budget.
//
// The defaults follow PSD2 RTS (EU) 2018/389 art. 4(3)(b), at most five
// failures in a row, and PCI DSS 8.3.4, at least 30 minutes of lockout.
type AttemptPolicy struct {
	MaxFailures   int             // in a row, before the first lockout
	DeviceMax     int             // in a row by one device, before its first lockout; 0: devices have no budget of their own
	Lockouts      []time.Duration // of failure MaxFailures, MaxFailures+1, …; the failure after the last of these locks permanently
	RollingMax    int             // failures inside RollingWindow, even with right answers between them
	RollingWindow time.Duration
	Lease         time.Duration // how long a reserved attempt may stay without a verdict
	KeepRestored  bool          // trust the failures in a restored counter; false: it is one failure away from its first lockout
}

// DefaultAttemptPolicy is the policy if no setting changes it.
func DefaultAttemptPolicy() AttemptPolicy {
	return AttemptPolicy{
		MaxFailures:   5,
		Lockouts:      []time.Duration{30 * time.Minute, time.Hour, 4 * time.Hour, 24 * time.Hour, 24 * time.Hour},
		RollingMax:    20,
		RollingWindow: 24 * time.Hour,
		Lease:         30 * time.Second,
	}
}

// Admission is the policy's answer to one more attempt.
type Admission int

// The three answers of [AttemptPolicy.Admit].
const (
	Admitted Admission = iota
	Full               // only pending attempts prevent it: wait for a verdict
	Locked             // no attempt until the lock ends
)

// Admit says whether one more attempt of device ("" in device mode) may be
// reserved at time now. Call [AttemptPolicy.Lapse] first.
func (p AttemptPolicy) Admit(a Attempts, device string, now time.Time) Admission {
	if a.LockedFor(device, now) {
		return Locked
	}
	// After the first lockout there is one attempt at a time: each failure locks for
	// longer, and a parallel guess would escape that lock.
	inRow := p.inRow(a)
	limit := max(p.MaxFailures, inRow+1)
	// RollingMax failures lock. If there are as many without a lock, RollingMax was
	// lowered since, and the next failure locks.
	recent := p.RecentFailures(a, now)
	if inRow+len(a.Pending) >= limit || recent+len(a.Pending) >= max(p.RollingMax, recent+1) {
		return Full
	}
	if p.budgets(device) {
		failures := a.device(device).Failures
		if failures+a.pendingOf(device) >= max(p.DeviceMax, failures+1) {
			return Full
		}
	}
	return Admitted
}

// inRow is the number of failures in a row that counts. In a restored counter it is
// at least one less than the first lockout takes.
func (p AttemptPolicy) inRow(a Attempts) int {
	if a.Restored && !p.KeepRestored {
		return max(a.Failures, p.MaxFailures-1)
	}
	return a.Failures
}

// budgets reports whether device has a budget of its own.
func (p AttemptPolicy) budgets(device string) bool { return p.DeviceMax > 0 && device != "" }

// LockedAt reports whether the attempt counter refuses attempts and sets of every device
// at time now.
func (a Attempts) LockedAt(now time.Time) bool {
	return a.Permanent || now.Before(a.LockedUntil)
}

// LockedFor reports whether the attempt counter refuses attempts and sets of device at
// time now: the account is locked, or this device is. Like the account's lock, the
// lock of a device stays active if the setting that caused it changes.
func (a Attempts) LockedFor(device string, now time.Time) bool {
	return a.LockedAt(now) || a.device(device).lockedAt(now)
}

func (d DeviceAttempts) lockedAt(now time.Time) bool {
	return d.Permanent || now.Before(d.LockedUntil)
}

// device is the entry of a device, or an empty one if it has none.
func (a Attempts) device(device string) DeviceAttempts {
	if i := a.indexOf(device); i >= 0 {
		return a.Devices[i]
	}
	return DeviceAttempts{Device: device}
}

func (a Attempts) indexOf(device string) int {
	return slices.IndexFunc(a.Devices, func(d DeviceAttempts) bool { return d.Device == device })
}

func (a Attempts) pendingOf(device string) int {
	n := 0
	for _, t := range a.Pending {
		if t.Device == device {
			n++
		}
	}
	return n
}

// Lapse counts every pending attempt whose lease passed before now as a failure
// at the end of its lease, and says how many there were.
func (p AttemptPolicy) Lapse(a Attempts, now time.Time) (Attempts, int) {
	return p.lapse(a, func(t PendingAttempt) bool { return t.Lease.Before(now) })
}

// LapseAll is Lapse without regard to the time: nobody can settle a pending attempt
// any more.
func (p AttemptPolicy) LapseAll(a Attempts) (Attempts, int) {
	return p.lapse(a, func(PendingAttempt) bool { return true })
}

func (p AttemptPolicy) lapse(a Attempts, over func(PendingAttempt) bool) (Attempts, int) {
	var lapsed []PendingAttempt
	pending := make([]PendingAttempt, 0, len(a.Pending))
	for _, t := range a.Pending {
		if over(t) {
			lapsed = append(lapsed, t)
		} else {
			pending = append(pending, t)
		}
	}
	a.Pending = pending
	slices.SortFunc(lapsed, func(x, y PendingAttempt) int { return x.Lease.Compare(y.Lease) })
	for _, t := range lapsed {
		a = p.fail(a, t.Device, t.Lease)
	}
	return a, len(lapsed)
}

// Reserve adds a pending attempt of device ("" in device mode). The caller has
// asked [AttemptPolicy.Admit].
func (p AttemptPolicy) Reserve(a Attempts, try, device string, now time.Time) Attempts {
	a.Pending = append(slices.Clone(a.Pending), PendingAttempt{try, now.Add(p.Lease), device})
	return a
}

// Settle records the verdict of a pending attempt at time now. If the attempt is no
// longer pending, it reports false and changes nothing: the lease has ended and the
// attempt counted as a failure, so the caller must withhold the verdict.
func (p AttemptPolicy) Settle(a Attempts, try string, match bool, now time.Time) (Attempts, bool) {
	device := ""
	if i := a.pendingIndex(try); i >= 0 {
		device = a.Pending[i].Device
	}
	a, ok := a.GiveBack(try)
	switch {
	case !ok:
		return a, false
	case !match:
		return p.fail(a, device, now), true
	case a.LockedFor(device, now):
		// A lock that began meanwhile stays: a right answer among many wrong ones
		// must not clear it.
		return a, true
	}
	a.Failures, a.LockedUntil, a.Restored = 0, time.Time{}, false
	if i := a.indexOf(device); i >= 0 {
		a.Devices = slices.Delete(slices.Clone(a.Devices), i, i+1)
	}
	return a, true
}

// pendingIndex is the index of a pending attempt, -1 when the attempt is not pending.
func (a Attempts) pendingIndex(try string) int {
	return slices.IndexFunc(a.Pending, func(t PendingAttempt) bool { return t.ID == try })
}

// IsPending reports whether an attempt is reserved and not settled.
func (a Attempts) IsPending(try string) bool { return a.pendingIndex(try) >= 0 }

// Verified records that device ("" in device mode) gave a right answer at time
// now. Operators see it, and after a restore the counter is trusted again (see
// Restored).
func (a Attempts) Verified(device string, now time.Time) Attempts {
	a.VerifiedAt, a.VerifiedBy = now, device
	return a
}

// GiveBack removes a pending attempt whose comparison never ran. It reports
// whether the attempt was pending.
func (a Attempts) GiveBack(try string) (Attempts, bool) {
	i := a.pendingIndex(try)
	if i < 0 {
		return a, false
	}
	a.Pending = slices.Delete(slices.Clone(a.Pending), i, i+1)
	return a, true
}

// Fresh is the attempt counter without failures, locks and right answers. The first
// set of a credential, a reset and an operator's unlock leave it so. Pending attempts
// stay, so that they can still be settled.
func (a Attempts) Fresh() Attempts {
	a.Failures, a.Recent, a.LockedUntil, a.Permanent = 0, nil, time.Time{}, false
	a.Devices, a.VerifiedAt, a.VerifiedBy = nil, time.Time{}, ""
	return a
}

func (p AttemptPolicy) fail(a Attempts, device string, at time.Time) Attempts {
	a.Failures = p.inRow(a) + 1
	until, permanent := p.lockout(a.Failures-p.MaxFailures, at)
	a.LockedUntil, a.Permanent = later(a.LockedUntil, until), a.Permanent || permanent
	a = p.failRecent(a, at)
	if p.budgets(device) {
		a.Devices = p.failDevice(a.Devices, device, at)
	}
	return a
}

// failRecent counts a failure in the rolling window only.
func (p AttemptPolicy) failRecent(a Attempts, at time.Time) Attempts {
	a.Recent = p.append(a.Recent, at)
	if len(a.Recent) >= p.RollingMax {
		a.LockedUntil = later(a.LockedUntil, a.Recent[0].Add(p.RollingWindow))
	}
	return a
}

// Replay counts failures that a lacks after a restore, the oldest first. If a right
// answer came after them, inRow is false, and they count in the rolling window only. It
// removes none, and Restored stays as it is.
func (p AttemptPolicy) Replay(a Attempts, failures []time.Time, inRow bool) Attempts {
	restored := a.Restored
	a.Restored = false // otherwise the first one would lock
	for _, at := range failures {
		if inRow {
			a = p.fail(a, "", at)
		} else {
			a = p.failRecent(a, at)
		}
	}
	a.Restored = restored
	return a
}

// lockout is the lock that a failure at time at causes. step is its index in
// Lockouts: below 0 there is no lock yet, and past the end it is permanent.
func (p AttemptPolicy) lockout(step int, at time.Time) (until time.Time, permanent bool) {
	switch {
	case step < 0:
		return time.Time{}, false
	case step < len(p.Lockouts):
		return at.Add(p.Lockouts[step]), false
	default:
		return time.Time{}, true
	}
}

// maxDevices bounds the devices whose failures an attempt counter remembers: it is one
// row, which every verification reads and writes.
const maxDevices = 32

// failDevice counts a failure of one device. Only here are the failures of other
// devices forgotten, because an entry of the trail records this change. Reserving an
// attempt has no entry, so it must not change what Canonical covers.
func (p AttemptPolicy) failDevice(devices []DeviceAttempts, device string, at time.Time) []DeviceAttempts {
	devices = slices.DeleteFunc(slices.Clone(devices), func(d DeviceAttempts) bool { return p.forgotten(d, at) })
	i := slices.IndexFunc(devices, func(d DeviceAttempts) bool { return d.Device == device })
	if i < 0 {
		devices = append(makeRoom(devices, at), DeviceAttempts{Device: device})
		i = len(devices) - 1
	}
	d := &devices[i]
	d.Failures++
	d.LastFailure = at
	until, permanent := p.lockout(d.Failures-p.DeviceMax, at)
	d.LockedUntil, d.Permanent = later(d.LockedUntil, until), d.Permanent || permanent
	return devices
}

// forgotten reports whether a device's failures no longer count: the newest is
// older than the window, and they never locked the device. One that was locked
// keeps its place on the ladder until its own right answer.
func (p AttemptPolicy) forgotten(d DeviceAttempts, now time.Time) bool {
	return d.Failures < p.DeviceMax && !d.lockedAt(now) && now.Sub(d.LastFailure) > p.RollingWindow
}

// makeRoom removes one entry if the list is full: the one whose last failure is the
// oldest, among the devices without a lock at time now, or among all if all are
// locked. Its device then starts anew. To cause that, an attacker must fail with 32
// other devices of the account, and the account's own limits still apply to all
// of them together: MaxFailures in a row, and RollingMax in
// RollingWindow.
func makeRoom(devices []DeviceAttempts, now time.Time) []DeviceAttempts {
	if len(devices) < maxDevices {
		return devices
	}
	first := slices.MinFunc(devices, func(x, y DeviceAttempts) int {
		if x.lockedAt(now) != y.lockedAt(now) {
			if x.lockedAt(now) {
				return 1
			}
			return -1
		}
		return x.LastFailure.Compare(y.LastFailure)
	})
	return slices.DeleteFunc(devices, func(d DeviceAttempts) bool { return d.Device == first.Device })
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

// RecentFailures is how many wrong verdicts lie inside the rolling window.
func (p AttemptPolicy) RecentFailures(a Attempts, now time.Time) int {
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
