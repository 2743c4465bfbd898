package domain

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// threePerDevice is the default policy where devices share an account.
func threePerDevice() AttemptPolicy {
	p := DefaultAttemptPolicy()
	p.DeviceMax = 3
	return p
}

// A thief guesses with a stolen device while its owner, who suspects nothing,
// goes on with another.
func TestAStolenDeviceLocksItselfBeforeItsOwner(t *testing.T) {
	ladder := []struct {
		failures  int
		lock      time.Duration
		permanent bool
	}{
		{1, 0, false}, {2, 0, false},
		{3, 30 * time.Minute, false},
		{4, time.Hour, false},
		{5, 4 * time.Hour, false},
		{6, 24 * time.Hour, false},
		{7, 24 * time.Hour, false},
		{8, 0, true},
	}
	p, a, now := threePerDevice(), Attempts{}, t0
	for _, step := range ladder {
		if end := a.device("stolen").LockedUntil; now.Before(end) {
			if _, adm := guessBy(p, a, "stolen", end.Add(-time.Microsecond), true); adm != Locked {
				t.Fatalf("before failure %d: a try inside the device's lock was answered %v", step.failures, adm)
			}
			now = end
		}
		var adm Admission
		if a, adm = guessBy(p, a, "stolen", now, false); adm != Admitted {
			t.Fatalf("failure %d: the try was answered %v", step.failures, adm)
		}
		want := DeviceAttempts{Device: "stolen", Failures: step.failures, Permanent: step.permanent, LastFailure: now}
		if step.failures >= 3 && !step.permanent {
			want.LockedUntil = now.Add(step.lock)
		} else if step.permanent {
			want.LockedUntil = now // when the previous lock ended
		}
		if diff := cmp.Diff([]DeviceAttempts{want}, a.Devices); diff != "" {
			t.Fatalf("after failure %d (-want +got):\n%s", step.failures, diff)
		}
		if a, adm = guessBy(p, a, "phone", now, true); adm != Admitted || a.Failures != 0 {
			t.Fatalf("after failure %d: the owner was answered %v, with %d failures left", step.failures, adm, a.Failures)
		}
	}
	now = now.AddDate(100, 0, 0)
	if a.LockedAt(now) || !a.LockedFor("stolen", now) || a.LockedFor("phone", now) {
		t.Error("the permanent lock must be of the stolen device only")
	}
	if a, adm := guessBy(p, a.Fresh(), "stolen", now, false); adm != Admitted || a.device("stolen").Failures != 1 {
		t.Errorf("after an operator's unlock: %v, %+v", adm, a.Devices)
	}
}

func TestDevicesShareTheBudgetOfTheirAccount(t *testing.T) {
	p, a := threePerDevice(), Attempts{}
	for i, device := range []string{"a", "b", "a", "b", "a"} {
		var adm Admission
		if a, adm = guessBy(p, a, device, t0, false); adm != Admitted {
			t.Fatalf("guess %d: %v", i+1, adm)
		}
	}
	for _, device := range []string{"a", "b", "c", ""} {
		if _, adm := guessBy(p, a, device, t0, true); adm != Locked {
			t.Errorf("device %q was answered %v after five failures of the account", device, adm)
		}
	}
}

func TestPendingAttemptsCountAgainstTheirDevice(t *testing.T) {
	tests := []struct {
		name     string
		failures int // of the device, whose lock has ended
		pending  []string
		device   string
		want     Admission
	}{
		{"two of three", 0, []string{"a", "a"}, "a", Admitted},
		{"three of three", 0, []string{"a", "a", "a"}, "a", Full},
		{"attempts of another device do not count", 0, []string{"b", "b", "b"}, "a", Admitted},
		{"attempts do not count for another device", 0, []string{"a", "a", "a"}, "b", Admitted},
		{"all attempts count for the account", 0, []string{"a", "a", "b", "b", "c"}, "c", Full},
		{"failures and pending together", 2, []string{"a"}, "a", Full},
		{"one attempt after the first lockout", 3, nil, "a", Admitted},
		{"no second attempt after the first lockout", 3, []string{"a"}, "a", Full},
		{"after the first lockout of another device", 3, []string{"b"}, "b", Admitted},
		{"without a device there is no device budget", 0, []string{"", "", "", ""}, "", Admitted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, a := threePerDevice(), Attempts{}
			if tt.failures > 0 {
				a.Devices = []DeviceAttempts{{Device: "a", Failures: tt.failures, LockedUntil: t0, LastFailure: t0}}
			}
			for _, device := range tt.pending {
				a = p.Reserve(a, NewID(), device, t0)
			}
			if got := p.Admit(a, tt.device, t0); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

func TestOnlyADevicesOwnRightAnswerClearsItsFailures(t *testing.T) {
	a := Attempts{Failures: 4, Devices: []DeviceAttempts{{Device: "a", Failures: 2}, {Device: "b", Failures: 3, LockedUntil: t0}}}
	for device, want := range map[string][]DeviceAttempts{
		"a": {a.Devices[1]}, "b": {a.Devices[0]}, "c": a.Devices, "": a.Devices,
	} {
		got, adm := guessBy(threePerDevice(), a, device, t0, true)
		if diff := cmp.Diff(want, got.Devices); diff != "" || adm != Admitted || got.Failures != 0 {
			t.Errorf("after the right answer of %q: %v, %d failures of the account, devices (-want +got):\n%s", device, adm, got.Failures, diff)
		}
	}
}

func TestARightAnswerFromADeviceLockedMeanwhileChangesNothing(t *testing.T) {
	p := threePerDevice()
	a := p.Reserve(Attempts{Failures: 2}, "right", "a", t0)
	a.Devices = []DeviceAttempts{{Device: "a", Failures: 3, LockedUntil: t0.Add(time.Hour)}} // the limit was lowered
	want := a
	want.Pending = []PendingAttempt{}
	got, ok := p.Settle(a, "right", true, t0)
	if diff := cmp.Diff(want, got); diff != "" || !ok {
		t.Errorf("settled: %v (-want +got):\n%s", ok, diff)
	}
}

func TestALapsedAttemptCountsAgainstItsDevice(t *testing.T) {
	p := threePerDevice()
	a := p.Reserve(p.Reserve(Attempts{}, "1", "a", t0), "2", "b", t0.Add(time.Second))
	a, n := p.Lapse(a, t0.Add(time.Hour))
	want := []DeviceAttempts{
		{Device: "a", Failures: 1, LastFailure: t0.Add(p.Lease)},
		{Device: "b", Failures: 1, LastFailure: t0.Add(p.Lease + time.Second)},
	}
	if diff := cmp.Diff(want, a.Devices); diff != "" || n != 2 || a.Failures != 2 {
		t.Errorf("%d lapsed, %d failures of the account, devices (-want +got):\n%s", n, a.Failures, diff)
	}
}

// The list is full and in order of the last failures, oldest first, and one more
// device fails.
func TestTheListOfDevicesIsBounded(t *testing.T) {
	p := threePerDevice()
	locked := func(d *DeviceAttempts) { d.Failures, d.LockedUntil = 3, t0.Add(time.Minute) }
	forGood := func(d *DeviceAttempts) { d.Failures, d.Permanent = 8, true }
	wasLocked := func(d *DeviceAttempts) { d.Failures, d.LockedUntil = 3, t0 }
	past := func(d *DeviceAttempts) { d.LastFailure = t0.Add(-p.RollingWindow - time.Microsecond) }
	limit := func(d *DeviceAttempts) { d.LastFailure = t0.Add(-p.RollingWindow) }
	tests := []struct {
		name   string
		change func(devices []DeviceAttempts)
		gone   string
	}{
		{"the oldest goes", func([]DeviceAttempts) {}, "0"},
		{"wherever it stands", func(d []DeviceAttempts) { limit(&d[7]) }, "7"},
		{"the oldest without a lock", func(d []DeviceAttempts) { locked(&d[0]); forGood(&d[1]); wasLocked(&d[2]) }, "2"},
		{"the oldest when all are locked", func(d []DeviceAttempts) {
			for i := range d {
				locked(&d[i])
			}
		}, "0"},
		{"those that are too old, and no more", func(d []DeviceAttempts) {
			for i := range 3 {
				past(&d[10+i])
			}
			limit(&d[13])
		}, "10 11 12"},
		{"none that was locked for being old, while there is room", func(d []DeviceAttempts) {
			past(&d[10])
			past(&d[11])
			wasLocked(&d[11])
			past(&d[12])
			forGood(&d[12])
		}, "10"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			devices := make([]DeviceAttempts, 32)
			for i := range devices {
				devices[i] = DeviceAttempts{Device: fmt.Sprint(i), Failures: 1, LastFailure: t0.Add(time.Duration(i-100) * time.Second)}
			}
			tt.change(devices)
			before := slices.Clone(devices)
			want := slices.DeleteFunc(slices.Clone(devices), func(d DeviceAttempts) bool {
				return slices.Contains(strings.Fields(tt.gone), d.Device)
			})
			want = append(want, DeviceAttempts{Device: "one more", Failures: 1, LastFailure: t0})
			a, _ := guessBy(p, Attempts{Devices: devices}, "one more", t0, false)
			if diff := cmp.Diff(want, a.Devices); diff != "" {
				t.Errorf("devices (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, devices); diff != "" {
				t.Errorf("the ledger that was given has changed (-before +after):\n%s", diff)
			}
		})
	}
}

func TestWithoutDeviceBudgetsNoDeviceIsRecorded(t *testing.T) {
	a, _ := guessBy(DefaultAttemptPolicy(), Attempts{}, "a", t0, false)
	if a.Failures != 1 || a.Devices != nil {
		t.Errorf("after a failure: %+v", a)
	}
}

func TestALockErrorNamesItsScopeAndDuration(t *testing.T) {
	end := func(minutes int) time.Time { return t0.Add(time.Duration(minutes) * time.Minute) }
	tests := []struct {
		name    string
		account Attempts
		device  DeviceAttempts
		caller  string
		retry   time.Duration // 0: permanently
		says    string
	}{
		{"the account", Attempts{LockedUntil: end(5)}, DeviceAttempts{}, "a", 5 * time.Minute, "The credential is locked after"},
		{"the device", Attempts{}, DeviceAttempts{LockedUntil: end(7)}, "a", 7 * time.Minute, "This device is locked after"},
		{"the device, after the account's lock ended", Attempts{LockedUntil: end(0)}, DeviceAttempts{LockedUntil: end(7)}, "a", 7 * time.Minute, "This device is locked after"},
		{"both, the account for longer", Attempts{LockedUntil: end(9)}, DeviceAttempts{LockedUntil: end(7)}, "a", 9 * time.Minute, "The credential is locked after"},
		{"both, the device for longer", Attempts{LockedUntil: end(5)}, DeviceAttempts{LockedUntil: end(7)}, "a", 7 * time.Minute, "The credential is locked after"},
		{"another device is locked besides", Attempts{LockedUntil: end(5)}, DeviceAttempts{Permanent: true}, "b", 5 * time.Minute, "The credential is locked after"},
		{"the account permanently", Attempts{Permanent: true}, DeviceAttempts{LockedUntil: end(7)}, "a", 0, "The credential is locked permanently"},
		{"the device permanently", Attempts{}, DeviceAttempts{Permanent: true}, "a", 0, "This device is locked permanently"},
		{"the device permanently, the account temporarily", Attempts{LockedUntil: end(5)}, DeviceAttempts{Permanent: true}, "a", 0, "This device is locked permanently"},
		{"both permanently", Attempts{Permanent: true}, DeviceAttempts{Permanent: true}, "a", 0, "The credential is locked permanently"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := tt.account
			tt.device.Device = "a"
			a.Devices = []DeviceAttempts{tt.device}
			e := LockedError(a, tt.caller, t0)
			if e.Code != CodeCredentialLocked || e.RetryAfter != tt.retry || e.Permanent != (tt.retry == 0) || !strings.HasPrefix(e.Message, tt.says) {
				t.Errorf("%+v", e)
			}
		})
	}
}

func TestAFreshLedgerForgetsDevicesAndTheLastVerification(t *testing.T) {
	a := Attempts{ID: "id", Version: 3, Devices: []DeviceAttempts{{Device: "a", Permanent: true}}}.Verified("b", t0)
	if a.VerifiedAt != t0 || a.VerifiedBy != "b" {
		t.Errorf("after a right answer: %+v", a)
	}
	if diff := cmp.Diff(Attempts{ID: "id", Version: 3}, a.Fresh()); diff != "" {
		t.Errorf("fresh (-want +got):\n%s", diff)
	}
}

func TestAPlaceInTheListOfLocksFitsItsCounter(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	lock := now.Add(time.Hour)
	account, device := Attempts{LockedUntil: lock}, Attempts{Devices: []DeviceAttempts{{Device: "d", LockedUntil: lock}}}
	for name, c := range map[string]struct {
		counter Attempts
		place   int64
		want    bool
	}{
		"its own":                       {account, Micros(lock), true},
		"none":                          {account, 0, false},
		"earlier":                       {account, Micros(lock) - 1, false},
		"later":                         {account, Micros(lock) + 1, false},
		"without end":                   {account, math.MaxInt64, false},
		"permanent":                     {Attempts{Permanent: true}, math.MaxInt64, true},
		"permanent, but listed as none": {Attempts{Permanent: true}, 0, false},
		"by the migration to 0.5.0":     {device, math.MaxInt64, true},
		"a device's, and none":          {device, 0, false},
		"of a lock that has ended":      {Attempts{LockedUntil: now}, 0, true},
		"without a lock, left behind":   {Attempts{}, Micros(lock), true},
	} {
		if got := (ListedLock{At: LockPosition{Until: c.place}, Counter: c.counter}).Fits(now); got != c.want {
			t.Errorf("%s: fits is %v", name, got)
		}
	}
}
