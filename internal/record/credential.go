package record

import (
	"cmp"
	"errors"
	"fmt"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// credentialData binds a verifier to its account, credential and version. A
// replaced verifier is sealed again as record "previous credential". So if it is
// written back over its successor, the row does not decrypt. The algorithm here is
// always argon2id, which once was the only one; the real one is in the sealed verifier.
func credentialData(record string, c domain.Credential) []byte {
	return associatedData(record, c.AccountID, "", c.ID, string(c.Type), "argon2id", c.Version)
}

const (
	presentVerifier  = "credential"
	previousVerifier = "previous credential"
)

// mustChangeMark is sealed before the verifier of a credential whose secret must be
// changed. No verifier begins with it: the first byte of a verifier is its format, at
// least 1. In a column, the mark would outlive a set by an instance of version 0.6.0,
// which does not know it, and the digests of the row would differ between the versions.
const mustChangeMark = 0

// OpenCredential decrypts the encoded verifier of a credential, and reports whether
// the secret must be changed.
func (r *Records) OpenCredential(c domain.Credential) (encoded domain.Secret, mustChange bool, err error) {
	encoded, err = r.openVerifier(presentVerifier, c)
	if len(encoded) > 0 && encoded[0] == mustChangeMark {
		return encoded[1:], true, err
	}
	return encoded, false, err
}

// MustChange reports whether the secret of a credential must be changed.
func (r *Records) MustChange(c domain.Credential) (bool, error) {
	encoded, mustChange, err := r.OpenCredential(c)
	encoded.Wipe()
	return mustChange, err
}

// OpenPreviousVerifier decrypts the verifier of a replaced credential.
func (r *Records) OpenPreviousVerifier(c domain.Credential) (domain.Secret, error) {
	return r.openVerifier(previousVerifier, c)
}

func (r *Records) openVerifier(record string, c domain.Credential) (domain.Secret, error) {
	encoded, err := r.cfg.Keys.Open(c.Sealed, credentialData(record, c))
	if err != nil {
		return nil, &Tampered{domain.RecordCredential, c.ID, err}
	}
	return encoded, nil
}

// sealVerifier returns c with its verifier sealed as this record.
func (r *Records) sealVerifier(record string, c domain.Credential, encoded domain.Secret, mustChange bool) (domain.Credential, error) {
	if mustChange {
		encoded = append(domain.Secret{mustChangeMark}, encoded...)
		defer encoded.Wipe()
	}
	var err error
	if c.Sealed, err = r.cfg.Keys.Seal(encoded, credentialData(record, c)); err != nil {
		return c, fmt.Errorf("sealing a verifier: %w", err)
	}
	return c, nil
}

// Credential is an account's credential of a type as this transaction found it,
// or the zero value (version 0) if nothing is set. If its counter was read
// before, the credential was read with it. An edited credential is detected when
// its verifier is decrypted.
func (tx *Tx) Credential(accountID string, t domain.CredentialType) (domain.Credential, error) {
	if counter := tx.counter(accountID, t); counter != nil {
		return counter.guarded, nil
	}
	c, err := tx.tx.Credential(accountID, t)
	if errors.Is(err, store.ErrNotFound) {
		return domain.Credential{}, nil
	}
	return c, err
}

// PreviousCredentials returns the credentials that an account's current one
// replaced (see [store.PreviousCredentials]).
func (tx *Tx) PreviousCredentials(accountID string, t domain.CredentialType, limit int) ([]domain.Credential, error) {
	return tx.tx.PreviousCredentials(accountID, t, limit)
}

// CredentialsAfter returns the credentials of all accounts, page by page (see
// [store.SealedRows]).
func (tx *Tx) CredentialsAfter(last *domain.Credential, limit int) ([]domain.Credential, error) {
	return tx.tx.CredentialsAfter(last, limit)
}

// PutCredential stores an encoded verifier as the credential of k's account. Of the
// replaced credentials it keeps the newest, as many as keep says. before is the
// result of [Tx.Credential]. mustChange says that the new secret must be changed,
// whatever the replaced credential said. It fails with [store.ErrKeyNotUsable] if k
// may not be used for set, and with [store.ErrConflict] if before is no longer stored.
func (tx *Tx) PutCredential(e domain.Entry, k domain.DeviceKey, t domain.CredentialType, before domain.Credential, encoded domain.Secret, mustChange bool, keep int) error {
	c := before
	if before.Version == 0 {
		c = domain.Credential{ID: domain.NewID(), AccountID: k.AccountID, Type: t, CreatedAt: tx.Now()}
	}
	c, err := tx.sealed(c, encoded, mustChange)
	if err != nil {
		return err
	}
	if err := tx.keepPrevious(before, keep); err != nil {
		return err
	}
	tx.Enter(credentialEntry(e, before, c))
	return tx.tx.PutCredential(c, k.ID)
}

// Rehash replaces the verifier of a credential by one of the same secret. It
// does nothing if a set has replaced the credential meanwhile.
func (tx *Tx) Rehash(e domain.Entry, before domain.Credential, encoded domain.Secret) error {
	mustChange, err := tx.r.MustChange(before)
	if err != nil {
		return err
	}
	c, err := tx.sealed(before, encoded, mustChange)
	if err != nil {
		return err
	}
	switch err := tx.tx.RehashCredential(c); {
	case errors.Is(err, store.ErrConflict):
		return nil
	case err != nil:
		return err
	}
	tx.Enter(credentialEntry(e, before, c))
	return nil
}

// RequireChange marks a credential, so that its secret must be changed. before is
// the result of [Tx.Credential]. It reports false if the credential is marked
// already, and fails with [store.ErrConflict] if before is no longer stored.
func (tx *Tx) RequireChange(e domain.Entry, before domain.Credential) (changed bool, err error) {
	encoded, already, err := tx.r.OpenCredential(before)
	if err != nil || already {
		return false, err
	}
	defer encoded.Wipe()
	return true, tx.reseal(e, before, encoded, true)
}

// reseal writes the next version of a credential, of the same secret and verifier.
func (tx *Tx) reseal(e domain.Entry, before domain.Credential, encoded domain.Secret, mustChange bool) error {
	c, err := tx.sealed(before, encoded, mustChange)
	if err != nil {
		return err
	}
	c.UpdatedAt = before.UpdatedAt
	tx.Enter(credentialEntry(e, before, c))
	return tx.tx.RehashCredential(c)
}

// sealed returns the next version of a credential.
func (tx *Tx) sealed(c domain.Credential, encoded domain.Secret, mustChange bool) (domain.Credential, error) {
	c.Version++
	c.UpdatedAt = tx.Now()
	return tx.r.sealVerifier(presentVerifier, c, encoded, mustChange)
}

// keepPrevious adds a credential that is being replaced to the previous ones.
func (tx *Tx) keepPrevious(replaced domain.Credential, keep int) error {
	if replaced.Version == 0 {
		return nil
	}
	if keep > 0 {
		encoded, _, err := tx.r.OpenCredential(replaced)
		if err != nil {
			return err
		}
		defer encoded.Wipe()
		if replaced, err = tx.r.sealVerifier(previousVerifier, replaced, encoded, false); err != nil {
			return err
		}
	}
	return tx.tx.KeepPrevious(replaced, keep)
}

func credentialEntry(e domain.Entry, before, after domain.Credential) domain.Entry {
	e.About.Of(cmp.Or(after.AccountID, before.AccountID))
	e.About.Type = cmp.Or(after.Type, before.Type)
	return digested(e, domain.RecordCredential+"/"+cmp.Or(after.ID, before.ID), before.Version, before.Canonical, after.Version, after.Canonical)
}
