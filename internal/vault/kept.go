package vault

import (
	"context"
	"errors"

	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// keptKey returns the record of the key that a submission names, if the key cache
// has it and it says that this caller may use it. The account of a token or gateway
// must be the key's, as in usableKey. If the record is read before the submission is
// used anyway, keptKey returns none.
func (v *Credentials) keptKey(o *operation, sub domain.Submission, use domain.Use) (domain.DeviceKey, *operation) {
	k, kept := v.cfg.KeyCache.Record(sub.KeyID)
	if !kept || !k.Usable(use, v.cfg.Now()) || v.refuses(k) || checkProof(k, o.caller) != nil || v.cfg.ReplayProtection || use == domain.ForSet && v.readsBeforeSet(sub) ||
		o.caller.Mode != domain.ModeDevice && k.AccountID != v.cfg.Records.AccountID(accountName(o.caller, "")) {
		return domain.DeviceKey{}, nil
	}
	before := *o
	return k, &before
}

// readsBeforeSet reports whether a set reads the stored credential before it
// stores one (see [Credentials.prepare]).
func (v *Credentials) readsBeforeSet(sub domain.Submission) bool {
	return sub.Current != nil || v.cfg.History > 0 || v.cfg.OverwriteRequiresCurrent || v.cfg.OverwriteMaxAuthAge != 0
}

// confirm returns the answer to a request that is refused, with err or by a
// policy (nil), before a transaction used its submission. If its key is from the
// key cache, confirm reads the key. If the key may not be used, that is the answer, and
// a failed decryption does not count: the key may be in its grace period, and verifies
// still need its budget. The next request reads the key first, so few ciphertexts are
// decrypted without being counted. If the key cannot be read, the failure counts, because
// a client can cause that by hanging up.
func (v *Credentials) confirm(ctx context.Context, o *operation, in decrypted, use domain.Use, err error) error {
	if in.before == nil {
		return err
	}
	key, unusable := v.readKey(ctx, o, in.key.ID, use)
	read := unusable == nil || errors.Is(unusable, domain.ErrKeyNotUsable) || errors.Is(unusable, domain.ErrAccountMoved)
	if unusable == nil {
		unusable = checkProofFor(use, key, o.caller)
	}
	if refusal := (*domain.Error)(nil); unusable == nil || err != nil && !errors.As(err, &refusal) {
		return err
	}
	v.cfg.KeyCache.Drop(in.key.ID)
	if read && (errors.Is(err, domain.ErrDecryptionFailed) || errors.Is(err, errNoAuthorization)) {
		v.failures.Forgive(in.key.ID, v.cfg.Now())
	}
	return v.unusable(o, in, unusable)
}

// unusable returns an error of a key. If the key from the key cache may not be used,
// the operation names no key, as with every other unusable key.
func (v *Credentials) unusable(o *operation, in decrypted, err error) error {
	if err = keyError(err); in.before != nil && errors.Is(err, domain.ErrKeyNotUsable) {
		v.cfg.KeyCache.Drop(in.key.ID)
		*o = *in.before
	}
	return err
}

// present reads the attempt counter of a submission. If its key is from the key
// cache, present reads that key's record in the same transaction, and checks again
// what was checked on the old one.
func (v *Credentials) present(tx *record.Tx, o *operation, in *decrypted, use domain.Use) (*record.Counter, error) {
	if in.before == nil {
		return tx.Attempts(in.key.AccountID, in.typ)
	}
	key, counter, err := tx.AttemptsBy(in.key.AccountID, in.typ, in.key.ID)
	switch {
	case (err == nil || record.IsTampered(err)) && key.ID != "" && (!key.Usable(use, tx.Now()) || v.refuses(key)):
		return nil, unusable(key)
	case err != nil:
		return counter, err
	}
	in.key = key
	return counter, checkProofFor(use, key, o.caller)
}
