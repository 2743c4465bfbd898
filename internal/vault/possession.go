package vault

import (
	"errors"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// A device key can be bound to a key of its device's own: the thumbprint of that
// key is in the record, under its MAC. Then a request that uses the device key
// must prove that it comes from the holder of the device's own key, by DPoP or a
// client certificate. Anyone else can neither guess nor use up the limits of the
// device, because the proof is checked before anything is counted.

var (
	errProofRequired = &domain.Error{Code: domain.CodeUnauthenticated, Reason: domain.ReasonDPoPProofRequired,
		Message: "This request needs a proof that the client holds the device's own key. Send a DPoP proof (RFC 9449) by this key in the header DPoP."}
	errProvesAnotherKey = &domain.Error{Code: domain.CodeUnauthenticated, Reason: domain.ReasonDPoPProofInvalid,
		Message: "The device is bound to another key than the one that this request proves. Make the DPoP proof by the device's first key. " +
			"If that key is lost, an operator or a caller with credential:reset must end the binding."}
)

// mayAskForKey refuses a request for a key without a proof, if one is required.
func (g *gate) mayAskForKey(c domain.Caller) error {
	if g.cfg.ProofRequired && c.Thumbprint == "" {
		return errProofRequired
	}
	return nil
}

// checkProof refuses a caller that does not prove the key that k is bound to.
func checkProof(k domain.DeviceKey, c domain.Caller) error {
	switch {
	case k.Thumbprint == "" || k.Thumbprint == c.Thumbprint:
		return nil
	case c.Thumbprint == "":
		return errProofRequired
	}
	return errProvesAnotherKey
}

// checkProofFor is checkProof for a use of the key's ciphertexts. It accepts a set that ends
// the binding.
func checkProofFor(use domain.Use, k domain.DeviceKey, c domain.Caller) error {
	if use == domain.ForSet && mayUnbind(c) {
		return nil
	}
	return checkProof(k, c)
}

// mayUnbind reports whether a request that fails checkProof may go on because it
// ends the binding: a set or a rotation by a caller with credential:reset.
func mayUnbind(c domain.Caller) bool { return c.Permissions&domain.MayResetCredential != 0 }

// binding is what the next key of a device is bound to.
type binding struct {
	thumbprint string         // empty: to nothing
	events     []domain.Event // to enter, if this differs from the key before
}

// nextBinding returns the binding of the key that follows a device's last one, or
// refuses the caller. last is zero if the device never had a key.
//
// The binding passes from key to key, also from one that has ended. A device that
// never had a key is bound to the key that its first request proves. A device
// with an unbound key is not: anyone who knows its deviceId can ask for its next
// key, and would keep its owner out. But a token that names the key of its sender
// proves who that is.
func nextBinding(last domain.DeviceKey, c domain.Caller, rotate bool) (binding, error) {
	bound := binding{thumbprint: c.Thumbprint}
	if c.Thumbprint != "" {
		bound.events = []domain.Event{domain.EventKeyBound}
	}
	err := checkProof(last, c)
	switch {
	case last.ID == "", last.Thumbprint == "" && c.TokenBound:
		return bound, nil
	case err == nil:
		return binding{thumbprint: last.Thumbprint}, nil
	case rotate && mayUnbind(c):
		bound.events = append([]domain.Event{domain.EventKeyUnbound}, bound.events...)
		return bound, nil
	}
	return binding{}, err
}

// bind binds a key that is not bound yet to the key that the caller proves. A
// correct passcode or PIN has shown that the caller is its owner.
func (v *Credentials) bind(tx *record.Tx, o *operation, k domain.DeviceKey) error {
	if o.caller.Thumbprint == "" || k.Thumbprint != "" {
		return nil
	}
	k, err := tx.KeyOf(k.AccountID, k.ID)
	switch {
	case errors.Is(err, store.ErrNotFound), record.IsTampered(err):
		return nil // the verdict does not depend on it; the next use of the key is refused
	case err != nil:
		return err
	case k.State != domain.KeyActive || k.Thumbprint != "":
		return nil
	}
	_, err = tx.BindKey(o.note(domain.EventKeyBound, "ok"), k, o.caller.Thumbprint)
	return err
}

// unbind ends the binding of the key that a set used without its proof (see
// mayUnbind).
func (v *Credentials) unbind(tx *record.Tx, o *operation, k domain.DeviceKey) error {
	if checkProof(k, o.caller) == nil {
		return nil
	}
	k, err := tx.KeyOf(k.AccountID, k.ID)
	if err != nil || k.Thumbprint == "" {
		return err
	}
	_, err = tx.BindKey(o.note(domain.EventKeyUnbound, "ok"), k, "")
	return err
}
