package vault

import (
	"context"
	"errors"
	"sync"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/trace"
)

// opStatus is not an encryption operation, so the metrics summary does not count it.
const opStatus domain.Operation = "credentialStatus"

// Status returns what the account's own caller may know of a credential. It
// compares nothing, so it takes no attempt. Key, counter and credential are read
// from one snapshot, with their MACs.
func (v *Credentials) Status(ctx context.Context, in domain.StatusInput) (domain.CredentialStatus, error) {
	return inquire(ctx, v.gate, opStatus, func(ctx context.Context, o *operation) (domain.CredentialStatus, error) {
		if in.KeyID == "" {
			return domain.CredentialStatus{}, domain.BadInput("keyId", "must not be empty")
		}
		if !provable(o.caller) {
			return domain.CredentialStatus{}, errUnproven
		}
		limited := sync.OnceValue(func() error { return v.limitDevice(ctx, o) }) // the View may run again
		status, err := record.View(ctx, v.cfg.Records, func(tx *record.Tx) (domain.CredentialStatus, error) {
			key, err := v.usableKey(tx, o.caller, in.KeyID, domain.ForVerify)
			if err != nil {
				return domain.CredentialStatus{}, err
			}
			o.keyID = key.ID
			v.identify(o, key.DeviceID)
			if err := checkProof(key, o.caller); err != nil {
				return domain.CredentialStatus{}, err
			}
			if !proven(o.caller, key) {
				return domain.CredentialStatus{}, errUnproven
			}
			if err := limited(); err != nil {
				return domain.CredentialStatus{}, err
			}
			return v.status(tx, key, in.Type)
		})
		return status, v.seen(ctx, o, keyError(err))
	})
}

func (v *Credentials) status(tx *record.Tx, key domain.DeviceKey, t domain.CredentialType) (domain.CredentialStatus, error) {
	counter, err := tx.Attempts(key.AccountID, t)
	if err != nil {
		return domain.CredentialStatus{}, err
	}
	c, err := tx.Credential(key.AccountID, t)
	if err != nil {
		return domain.CredentialStatus{}, err
	}
	status := domain.CredentialStatus{IsSet: c.Version > 0, UpdatedAt: c.UpdatedAt}
	if status.IsSet {
		if status.MustChange, err = v.cfg.Records.MustChange(c); err != nil {
			return domain.CredentialStatus{}, err
		}
	}
	device := v.attemptDevice(key)
	status.AttemptsLeft = counter.Left(device)
	status.LockedUntil, status.PermanentlyLocked = counter.LockFor(device)
	return status, nil
}

// provable reports whether a caller may be able to prove that an account is its
// own. In device mode anyone can name any key.
func provable(c domain.Caller) bool { return c.Mode != domain.ModeDevice || c.Thumbprint != "" }

// proven reports whether a caller has proven that a key, which was read for it and
// passed checkProof, is of its own account: in device mode by the key that it is
// bound to.
func proven(c domain.Caller, k domain.DeviceKey) bool {
	return c.Mode != domain.ModeDevice || k.Thumbprint != "" && k.Thumbprint == c.Thumbprint
}

var errUnproven = &domain.Error{Code: domain.CodeForbidden, Reason: domain.ReasonCallerUnproven,
	Message: "The status of a credential is only for a caller that proves its account: with a token, through a gateway, or in device mode " +
		"with a DPoP proof by the key that the device is bound to. A first successful verify with a proof binds it."}

// inquire runs a query of a caller. It checks the caller like do, counts refusals,
// and counts no operation. A client that hung up was not refused.
func inquire[T any](ctx context.Context, g *gate, name domain.Operation, fn func(context.Context, *operation) (T, error)) (answer T, err error) {
	o := &operation{name: name, start: g.cfg.Now(), caller: domain.CallerFrom(ctx), outcome: "ok"}
	ctx, use := trace.Operation(ctx, string(name))
	defer func() { use.End(o.outcomeOf(err)) }()
	if err = g.permit(ctx, o); err == nil {
		answer, err = fn(ctx, o)
	}
	if !errors.Is(err, context.Canceled) {
		g.refusedBefore(ctx, o, err)
	}
	return answer, g.cfg.Records.Unavailable(ctx, err)
}
