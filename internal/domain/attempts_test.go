package domain

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var t0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// guess makes one attempt at time now and says what the policy answered.
func guess(p AttemptPolicy, a Attempts, now time.Time, match bool) (Attempts, Admission) {
	return guessBy(p, a, "", now, match)
}

func guessBy(p AttemptPolicy, a Attempts, device string, now time.Time, match bool) (Attempts, Admission) {
	a, _ = p.Lapse(a, now)
	if adm := p.Admit(a, device, now); adm != Admitted {
		return a, adm
	}
	id := NewID()
	a, ok := p.Settle(p.Reserve(a, id, device, now), id, match, now)
	if !ok {
		panic("the try was not pending")
	}
	return a, Admitted
}

func TestLockLadder(t *testing.T) {
	// Each row: guesses wrongly when the lock before it has just ended.
	ladder := []struct {
		failures  int
		lock      time.Duration
		permanent bool
	}{
		{1, 0, false}, {2, 0, false}, {3, 0, false}, {4, 0, false},
		{5, 30 * time.Minute, false},
		{6, time.Hour, false},
		{7, 4 * time.Hour, false},
		{8, 24 * time.Hour, false},
		{9, 24 * time.Hour, false},
		{10, 0, true},
	}
	p, a, now := DefaultAttemptPolicy(), Attempts{}, t0
	for _, step := range ladder {
		if now.Before(a.LockedUntil) {
			if _, adm := guess(p, a, a.LockedUntil.Add(-time.Microsecond), true); adm != Locked {
				t.Fatalf("before failure %d: a try inside the lock was answered %v", step.failures, adm)
			}
			now = a.LockedUntil
		}
		var adm Admission
		if a, adm = guess(p, a, now, false); adm != Admitted {
			t.Fatalf("failure %d: the try was answered %v", step.failures, adm)
		}
		lock := max(0, a.LockedUntil.Sub(now))
		if a.Failures != step.failures || lock != step.lock || a.Permanent != step.permanent {
			t.Fatalf("after failure %d: %d failures, lock %v, permanent %v; want lock %v, permanent %v",
				step.failures, a.Failures, lock, a.Permanent, step.lock, step.permanent)
		}
	}
	if _, adm := guess(p, a, now.AddDate(100, 0, 0), true); adm != Locked {
		t.Fatal("a permanent lock ended by itself")
	}
}

func TestAfterTheFirstLockoutAttemptsRunOneAtATime(t *testing.T) {
	p, a := DefaultAttemptPolicy(), Attempts{}
	for range 5 {
		a, _ = guess(p, a, t0, false)
	}
	now := a.LockedUntil
	if adm := p.Admit(a, "", now); adm != Admitted {
		t.Fatalf("after the lock: %v", adm)
	}
	a = p.Reserve(a, "one", "", now)
	if adm := p.Admit(a, "", now); adm != Full {
		t.Fatalf("a second attempt beside it was answered %v", adm)
	}
}

func TestSixConcurrentMatchesDoNotLock(t *testing.T) {
	p, a := DefaultAttemptPolicy(), Attempts{}
	for _, id := range []string{"1", "2", "3", "4", "5"} {
		if adm := p.Admit(a, "", t0); adm != Admitted {
			t.Fatalf("try %s: %v", id, adm)
		}
		a = p.Reserve(a, id, "", t0)
	}
	if adm := p.Admit(a, "", t0); adm != Full {
		t.Fatalf("the sixth: %v, want it to wait", adm)
	}
	for _, id := range []string{"1", "2", "3", "4", "5"} {
		a, _ = p.Settle(a, id, true, t0)
	}
	if diff := cmp.Diff(Attempts{Pending: []PendingAttempt{}}, a); diff != "" {
		t.Errorf("after five right answers (-want +got):\n%s", diff)
	}
}

func TestSuccessesDoNotResetTheDailyFailureLimit(t *testing.T) {
	p, a, now := DefaultAttemptPolicy(), Attempts{}, t0
	for n := range 20 {
		var adm Admission
		if a, adm = guess(p, a, now, false); adm != Admitted {
			t.Fatalf("failure %d was answered %v", n+1, adm)
		}
		now = now.Add(time.Minute)
		if n < 19 {
			a, _ = guess(p, a, now, true)
		}
	}
	if want := t0.Add(24 * time.Hour); !a.LockedUntil.Equal(want) {
		t.Errorf("locked until %v, want %v: when the oldest of the 20 failures is a day old", a.LockedUntil, want)
	}
	a, adm := guess(p, a, a.LockedUntil, true)
	if adm != Admitted || a.Failures != 0 {
		t.Errorf("the right answer a day later: %v with %d failures", adm, a.Failures)
	}
}

func TestAnAttemptPastItsLeaseCountsAsAFailure(t *testing.T) {
	p, a := DefaultAttemptPolicy(), Attempts{}
	for _, id := range []string{"1", "2", "3", "4", "5"} {
		a = p.Reserve(a, id, "", t0)
	}
	if _, n := p.Lapse(a, t0.Add(p.Lease)); n != 0 {
		t.Fatalf("%d attempts lapsed within their lease", n)
	}
	now := t0.Add(p.Lease + time.Microsecond)
	a, n := p.Lapse(a, now)
	if n != 5 || a.Failures != 5 || !a.LockedUntil.Equal(t0.Add(p.Lease+30*time.Minute)) {
		t.Errorf("%d lapsed, %d failures, locked until %v", n, a.Failures, a.LockedUntil)
	}
	if _, ok := p.Settle(a, "1", true, now); ok {
		t.Error("a verdict was accepted after its attempt had been counted")
	}
}

func TestARightAnswerDoesNotClearALockSetMeanwhile(t *testing.T) {
	p := DefaultAttemptPolicy()
	a := p.Reserve(Attempts{}, "right", "", t0)
	a.Failures, a.LockedUntil = 5, t0.Add(time.Hour) // an operator lowered the limit meanwhile
	a, ok := p.Settle(a, "right", true, t0)
	if !ok || a.Failures != 5 || !a.LockedAt(t0) {
		t.Errorf("after the right answer: %+v", a)
	}
}

// budget is one promised limit, of the account or of one device, computed from
// verdicts only.
type budget struct {
	max     int
	wrong   int       // verdicts in a row, including lapsed attempts
	last    time.Time // of them
	ends    time.Time // of the lock that the last of them caused
	forever bool
}

func (b *budget) fail(p AttemptPolicy, at time.Time) {
	b.wrong, b.last = b.wrong+1, later(b.last, at)
	switch step := b.wrong - b.max; {
	case step >= len(p.Lockouts):
		b.forever = true
	case step >= 0:
		b.ends = later(b.ends, at.Add(p.Lockouts[step]))
	}
}

func (b *budget) locked(now time.Time) bool { return b.forever || now.Before(b.ends) }

// allows reports whether one more attempt keeps the limit even if all pending ones
// are wrong.
func (b *budget) allows(pending int, now time.Time) bool {
	return !b.locked(now) && (b.wrong+pending < b.max || b.wrong >= b.max && pending == 0)
}

// limits are all the promises that one attempt counter must keep.
type limits struct {
	AttemptPolicy
	account budget
	devices map[string]*budget // those with a budget of their own
	wrong   []time.Time        // all, ever
}

func (l *limits) fail(device string, at time.Time) {
	l.account.fail(l.AttemptPolicy, at)
	l.wrong = append(l.wrong, at)
	if l.devices[device] == nil {
		return
	}
	for _, b := range l.devices {
		if b.wrong < b.max && at.Sub(b.last) > l.RollingWindow {
			*b = budget{max: b.max} // too long ago to count
		}
	}
	l.devices[device].fail(l.AttemptPolicy, at)
}

func (l *limits) succeed(device string) {
	l.account = budget{max: l.account.max}
	if b := l.devices[device]; b != nil {
		*b = budget{max: b.max}
	}
}

func (l *limits) allow(a Attempts, device string, now time.Time) bool {
	lately := len(a.Pending)
	for _, at := range l.wrong {
		if now.Sub(at) < l.RollingWindow {
			lately++
		}
	}
	b := l.devices[device]
	return lately < l.RollingMax && l.account.allows(len(a.Pending), now) && (b == nil || b.allows(a.pendingOf(device), now))
}

// Between two of its locks, an account gets exactly its budget of wrong verdicts, and a
// device gets exactly its own budget. The order of attempts, verdicts, lapses and clock
// changes does not matter, and neither does the device.
func TestNoOrderOfEventsExceedsTheLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := DefaultAttemptPolicy()
		p.DeviceMax = rapid.IntRange(0, 6).Draw(t, "failures of a device")
		p.RollingMax = rapid.SampledFrom([]int{8, 20}).Draw(t, "failures in the window")
		l := &limits{AttemptPolicy: p, account: budget{max: p.MaxFailures}, devices: map[string]*budget{}}
		names := []string{"", "phone", "tablet", "stolen"}
		if p.DeviceMax > 0 {
			for _, name := range names[1:] {
				l.devices[name] = &budget{max: p.DeviceMax}
			}
		}
		a, now := Attempts{}, t0
		for range rapid.IntRange(100, 400).Draw(t, "events") {
			now = now.Add(drawStep(t))
			a = l.lapse(t, a, now)
			switch rapid.IntRange(0, 2).Draw(t, "event") {
			case 0:
				device := rapid.SampledFrom(names).Draw(t, "device")
				adm, allowed := p.Admit(a, device, now), l.allow(a, device, now)
				if (adm == Admitted) != allowed {
					t.Fatalf("an attempt of %q was answered %v, the limits allow it: %v; the ledger: %+v", device, adm, allowed, a)
				}
				if allowed {
					a = p.Reserve(a, NewID(), device, now)
				}
			case 1, 2:
				if len(a.Pending) > 0 {
					a = l.settle(t, a, now)
				}
			}
		}
	})
}

// drawStep is mostly seconds, in which attempts lapse, and sometimes hours, in
// which locks end and failures are forgotten.
func drawStep(t *rapid.T) time.Duration {
	if rapid.IntRange(0, 9).Draw(t, "long step") == 0 {
		return time.Duration(rapid.IntRange(0, 30*60).Draw(t, "minutes")) * time.Minute
	}
	return time.Duration(rapid.IntRange(0, 40_000).Draw(t, "ms")) * time.Millisecond
}

func (l *limits) lapse(t *rapid.T, a Attempts, now time.Time) Attempts {
	before := a.Pending
	a, n := l.Lapse(a, now)
	for _, try := range before { // they are in order of their leases
		if try.Lease.Before(now) {
			l.fail(try.Device, try.Lease)
			n--
		}
	}
	if n != 0 {
		t.Fatalf("%d more tries lapsed than died", n)
	}
	return a
}

func (l *limits) settle(t *rapid.T, a Attempts, now time.Time) Attempts {
	try := rapid.SampledFrom(a.Pending).Draw(t, "try")
	match := rapid.IntRange(0, 3).Draw(t, "one in four is right") == 0
	a, ok := l.Settle(a, try.ID, match, now)
	if !ok {
		t.Fatal("a pending try was not found")
	}
	if match {
		l.succeed(try.Device)
	} else {
		l.fail(try.Device, now)
	}
	return a
}

// Databases hold MACs and digests of these bytes, so the bytes must never change.
// Version 0.1.0 wrote the literals.
func TestTheAuthenticatedEncodingOfALedgerStaysTheSame(t *testing.T) {
	const (
		canonical = "\x00\x00\x00\battempts\x00\x00\x00\adefault\x00\x00\x00\aaccount\x00\x00\x00\x0fTRANSACTION_PIN\x00\x00\x00\x02id" +
			"\x00\x00\x00\b\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\b\x00\x06L\xaaBAp\x00\x00\x00\x00\x01\x01" +
			"\x00\x00\x00\b\x00\x06L\xaaBAp\x00\x00\x00\x00\b\x00\x06L\xaaBP\xb2@"
		authenticated = "\x00\x00\x00p" + canonical + "\x00\x00\x00\b\x00\x00\x00\x00\x00\x00\x00\a" +
			"\x00\x00\x00#\x00\x00\x00\x03try\x00\x00\x00\b\x00\x06L\xaaBAp\x00\x00\x00\x00\x00\x00\x00\x00\b\x00\x00\x00\x00\x00\x00\x00\x00"
		pending = `[{"try":"try","lease":1773144000000000},{"try":"","lease":0}]`
	)
	at := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	a := Attempts{ID: "id", AccountID: "account", Type: TransactionPIN, Version: 7, Failures: 3, LockedUntil: at, Permanent: true,
		Recent: []time.Time{at.Add(1), at.Add(time.Second)}, Pending: []PendingAttempt{{ID: "try", Lease: at}, {}}}
	if got := string(a.Canonical()); got != canonical {
		t.Errorf("canonical form %q, want %q", got, canonical)
	}
	if got := string(a.Authenticated()); got != authenticated {
		t.Errorf("authenticated form %q, want %q", got, authenticated)
	}
	tries, err := UnmarshalPending(pending)
	if diff := cmp.Diff(a.Pending, tries); diff != "" || err != nil {
		t.Errorf("pending tries (-want +got) %v:\n%s", err, diff)
	}
	a.Devices = []DeviceAttempts{{Device: "stolen", Failures: 3, LockedUntil: at, LastFailure: at.Add(time.Second)}, {Device: "b", Permanent: true}}
	a, a.Pending[1].Device = a.Verified("phone", at), "stolen"
	longer := canonical + string(Encode([]byte("devices"), Encode(
		Encode([]byte("stolen"), EncodeInt(3), EncodeTime(at), []byte{0}, EncodeTime(at.Add(time.Second))),
		Encode([]byte("b"), EncodeInt(0), EncodeInt(0), []byte{1}, EncodeInt(0))),
		[]byte("verified at"), Encode(EncodeTime(at), []byte("phone"))))
	if got := string(a.Canonical()); got != longer {
		t.Errorf("canonical form with devices %q, want %q", got, longer)
	}
	want := Encode([]byte(longer), EncodeInt(7), Encode([]byte("try"), EncodeTime(at), nil, EncodeInt(0)),
		[]byte("devices"), Encode(nil, []byte("stolen")))
	if got := a.Authenticated(); !bytes.Equal(got, want) {
		t.Errorf("authenticated form with devices %q, want %q", got, want)
	}
	fresh := Attempts{}
	if got, want := fresh.Authenticated(), Encode(fresh.Canonical(), EncodeInt(0), nil); !bytes.Equal(got, want) {
		t.Errorf("authenticated form of an empty ledger %x, want %x", got, want)
	}
}

// Every attempt counter here differs from every other one in one field, or looks like
// another one if a reader mistakes one field for the next.
func TestDifferentLedgersHaveDifferentAuthenticatedEncodings(t *testing.T) {
	micros := func(b string) time.Time { return FromMicros(int64(binary.BigEndian.Uint64([]byte(b)))) }
	device := DeviceAttempts{Device: "stolen", Failures: 3, LockedUntil: t0, LastFailure: t0}
	changed := func(change func(*DeviceAttempts)) Attempts {
		d := device
		change(&d)
		return Attempts{Devices: []DeviceAttempts{d}}
	}
	seen := map[string]int{}
	for i, a := range []Attempts{
		{},
		{Recent: []time.Time{t0}},
		{Recent: []time.Time{micros("\x00devices")}},
		{Recent: []time.Time{micros("verified")}},
		{Devices: []DeviceAttempts{{}}},
		{Devices: []DeviceAttempts{{}, {}}},
		{Devices: []DeviceAttempts{device}},
		{Devices: []DeviceAttempts{device, device}},
		{Devices: []DeviceAttempts{device, {}}},
		{Devices: []DeviceAttempts{{}, device}},
		{Recent: []time.Time{t0}, Devices: []DeviceAttempts{device}},
		changed(func(d *DeviceAttempts) { d.Device = "verified at" }),
		changed(func(d *DeviceAttempts) { d.Failures++ }),
		changed(func(d *DeviceAttempts) { d.LockedUntil = t0.Add(time.Microsecond) }),
		changed(func(d *DeviceAttempts) { d.Permanent = true }),
		changed(func(d *DeviceAttempts) { d.LastFailure = t0.Add(time.Microsecond) }),
		{VerifiedAt: t0},
		{VerifiedBy: "stolen"},
		{VerifiedAt: t0, VerifiedBy: "stolen"},
		{VerifiedAt: t0, VerifiedBy: "phone"},
		{VerifiedAt: t0, VerifiedBy: "stolen", Devices: []DeviceAttempts{device}},
		{Pending: []PendingAttempt{{}}},
		{Pending: []PendingAttempt{{Device: "stolen"}}},
		{Pending: []PendingAttempt{{Device: "phone"}}},
		{Pending: []PendingAttempt{{ID: "stolen"}}},
		{Pending: []PendingAttempt{{ID: "devices", Lease: micros("\x00\x00\x00\x00\x00\x00\x00\x01")}}},
		{Pending: []PendingAttempt{{Device: "stolen"}, {}}},
		{Pending: []PendingAttempt{{}, {Device: "stolen"}}},
		{Pending: []PendingAttempt{{}, {ID: "devices"}}},
	} {
		got := string(a.Authenticated())
		if other, ok := seen[got]; ok {
			t.Errorf("ledgers %d and %d have the same authenticated encoding: %q", other, i, got)
		}
		seen[got] = i
		withPending := len(a.Pending) > 0
		if withPending != bytes.Equal(a.Canonical(), Attempts{}.Canonical()) && i > 0 {
			t.Errorf("ledger %d: its canonical form must cover everything except pending attempts", i)
		}
	}
}
