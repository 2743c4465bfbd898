package record

import (
	"context"
	"errors"

	"strongroom/internal/audit"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
)

// Tampered is the error of a record that is refused: it failed its seal or MAC,
// or the trail shows that its row was put back or removed. Clients get INTERNAL.
type Tampered struct {
	Kind, ID string // of the record, as in [domain.Entry.Record]
	Cause    error
}

func (t *Tampered) Error() string { return "refusing " + t.Record() + ": " + t.Cause.Error() }

// Record returns the record's name as entries have it.
func (t *Tampered) Record() string { return t.Kind + "/" + t.ID }

// IsTampered reports whether err is, or wraps, a [Tampered].
func IsTampered(err error) bool {
	var t *Tampered
	return errors.As(err, &t)
}

// ErrMAC is the cause of a [Tampered] whose MAC does not match its row.
var ErrMAC = errors.New("its MAC does not verify: the row was edited")

// ErrRenamed is the cause of a [Tampered] account whose name was edited.
var ErrRenamed = errors.New("its name is not the one that it was made for")

// errMissing is the cause of a [Tampered] that has no row.
var errMissing = errors.New("its row was removed")

// errWithdrawn is the cause of a [Tampered] whose row was put back.
var errWithdrawn = errors.New("the audit trail says that it was withdrawn")

// Report logs and counts a refused record, and writes an entry about it, at most one a
// minute for each record. e is the start of the entry. The record stays refused even if
// the entry cannot be written. Report returns a [domain.LoggedError], and any error that
// is not a [Tampered] unchanged.
func (r *Records) Report(ctx context.Context, e domain.Entry, err error) error {
	var t *Tampered
	if !errors.As(err, &t) {
		return err
	}
	r.cfg.Log.ErrorContext(ctx, "a stored row was refused", "record", t.Record(), "error", t.Cause)
	r.cfg.Tampered(t.Kind)
	if _, ok := r.sightings.Check(t.Record(), r.cfg.Now()); !ok {
		return domain.LoggedError{Err: t} // entered within the last minute
	}
	r.sightings.Fail(t.Record(), r.cfg.Now())
	e.Event, e.Outcome, e.Reason = domain.EventTamperingSeen, "refused", t.Record()
	if err := r.Enter(context.WithoutCancel(ctx), e); err != nil {
		r.cfg.Log.ErrorContext(ctx, "auditing a refused row failed", "error", err)
	}
	return domain.LoggedError{Err: t}
}

// Judge reports which rows and entries are genuine: [rollback.Judge].
type Judge struct{ Keys *seal.Keyset }

// GenuineAttempts reports whether an attempt counter has a valid MAC.
func (j Judge) GenuineAttempts(a domain.Attempts) bool {
	return j.Keys.VerifyMAC(audit.AttemptsLabel, a.Authenticated(), a.MAC)
}

// GenuineCredential reports whether a verifier opens.
func (j Judge) GenuineCredential(c domain.Credential) bool {
	encoded, err := j.Keys.Open(c.Sealed, credentialData(presentVerifier, c))
	domain.Secret(encoded).Wipe()
	return err == nil
}

// GenuineKey reports whether a key's record has a valid MAC.
func (j Judge) GenuineKey(k domain.DeviceKey) bool {
	return j.Keys.VerifyMAC(audit.KeyLabel, k.Canonical(), k.MAC)
}

// GenuineEntry reports whether an entry has a valid MAC.
func (j Judge) GenuineEntry(e domain.Entry) bool { return audit.Genuine(j.Keys, e) }
