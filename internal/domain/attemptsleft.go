package domain

import "time"

// Left is how many more attempts of device ("" in device mode) the policy would
// admit at time now, one after the other, if each of them is wrong. Each pending
// attempt counts as one of them. It is 0 during a lock. Call
// [AttemptPolicy.Lapse] first.
func (p AttemptPolicy) Left(a Attempts, device string, now time.Time) int {
	if p.Admit(a, device, now) != Admitted {
		return 0
	}
	// At least one of each, because one is admitted: after the first lockout there is
	// one attempt at a time.
	left := max(1, p.MaxFailures-p.inRow(a)-len(a.Pending))
	left = min(left, max(1, p.RollingMax-p.RecentFailures(a, now)-len(a.Pending)))
	if p.budgets(device) {
		d := a.device(device)
		if p.forgotten(d, now) { // the next failure is its first
			d.Failures = 0
		}
		left = min(left, max(1, p.DeviceMax-d.Failures-a.pendingOf(device)))
	}
	return left
}

// LockFor is the lock of device ("" in device mode) at time now, its own or the
// account's, whichever ends later. A permanent lock has no end. Without a lock
// both results are zero.
func (a Attempts) LockFor(device string, now time.Time) (until time.Time, permanent bool) {
	d := a.device(device)
	switch {
	case a.Permanent || d.Permanent:
		return time.Time{}, true
	case !a.LockedFor(device, now):
		return time.Time{}, false
	}
	return later(a.LockedUntil, d.LockedUntil), false
}

// StatusInput names the credential that a caller asks about: that of the account
// that the key belongs to.
type StatusInput struct {
	KeyID string
	Type  CredentialType
}

// CredentialStatus is what the account's own caller may know of a credential.
type CredentialStatus struct {
	IsSet             bool
	AttemptsLeft      int       // until the next lock, if each is wrong; 0 during a lock
	LockedUntil       time.Time // zero: no lock, or a permanent one
	PermanentlyLocked bool      // until an operator unlocks
	MustChange        bool
	UpdatedAt         time.Time // zero: not set
}

// Verdict is the answer to a verify or an authorization.
type Verdict struct {
	Match        bool
	MustChange   bool // only with Match: the secret should be replaced
	AttemptsLeft *int // only without Match, as in CredentialStatus; nil: this caller may not know it

	Receipt   string    // a JWS that proves the match to others; empty: none
	ExpiresAt time.Time // of the receipt
}
