package record

import (
	"cmp"
	"errors"
	"fmt"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// credentialData binds a verifier to its account, credential and version. A
// replaced verifier is sealed anew as record "previous credential", so that
// writing it back over its successor gives a row that does not open.
func credentialData(record string, c domain.Credential) []byte {
	return associatedData(record, c.AccountID, "", c.ID, string(c.Type), "argon2id", c.Version)
}

const (
	presentVerifier  = "credential"
	previousVerifier = "previous credential"
)

// OpenVerifier opens the encoded verifier of a credential.
func (r *Records) OpenVerifier(c domain.Credential) (domain.Secret, error) {
	return r.openVerifier(presentVerifier, c)
}

// OpenPreviousVerifier opens that of a credential that was replaced.
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

// Credential is an account's credential of a type as this transaction found it,
// or the zero value (of version 0) if nothing is set. A counter that was read
// before has it already. Its verifier shows whether it is genuine when it is
// opened.
func (tx *Tx) Credential(accountID string, t domain.CredentialType) (domain.Credential, error) {
	for _, c := range tx.counters {
		if c.found.AccountID == accountID && c.found.Type == t {
			return c.guarded, nil
		}
	}
	c, err := tx.tx.Credential(accountID, t)
	if errors.Is(err, store.ErrNotFound) {
		return domain.Credential{}, nil
	}
	return c, err
}

// PreviousCredentials are the credentials that an account's present one
// replaced (see [store.PreviousCredentials]).
func (tx *Tx) PreviousCredentials(accountID string, t domain.CredentialType, limit int) ([]domain.Credential, error) {
	return tx.tx.PreviousCredentials(accountID, t, limit)
}

// PutCredential stores an encoded verifier as the credential of k's account and
// keeps the one that it replaces among the keep previous ones. before is what
// [Tx.Credential] read. It fails with [store.ErrKeyNotUsable] if k may not be
// used for set, and with [store.ErrConflict] if before is not there any more.
func (tx *Tx) PutCredential(e domain.Entry, k domain.DeviceKey, t domain.CredentialType, before domain.Credential, encoded domain.Secret, keep int) error {
	c := before
	if before.Version == 0 {
		c = domain.Credential{ID: domain.NewID(), AccountID: k.AccountID, Type: t, CreatedAt: tx.Now()}
	}
	c, err := tx.sealed(c, encoded)
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
// does nothing if a set came between: that wins.
func (tx *Tx) Rehash(e domain.Entry, before domain.Credential, encoded domain.Secret) error {
	c, err := tx.sealed(before, encoded)
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

// sealed is the next version of a credential.
func (tx *Tx) sealed(c domain.Credential, encoded domain.Secret) (domain.Credential, error) {
	c.Version++
	c.UpdatedAt = tx.Now()
	var err error
	if c.Sealed, err = tx.r.cfg.Keys.Seal(encoded, credentialData(presentVerifier, c)); err != nil {
		return c, fmt.Errorf("sealing the verifier: %w", err)
	}
	return c, nil
}

// keepPrevious moves a credential that is being replaced among the previous
// ones.
func (tx *Tx) keepPrevious(replaced domain.Credential, keep int) error {
	if replaced.Version == 0 {
		return nil
	}
	if keep > 0 {
		encoded, err := tx.r.OpenVerifier(replaced)
		if err != nil {
			return err
		}
		defer encoded.Wipe()
		if replaced.Sealed, err = tx.r.cfg.Keys.Seal(encoded, credentialData(previousVerifier, replaced)); err != nil {
			return fmt.Errorf("sealing a previous verifier: %w", err)
		}
	}
	return tx.tx.KeepPrevious(replaced, keep)
}

func credentialEntry(e domain.Entry, before, after domain.Credential) domain.Entry {
	e.About.Of(cmp.Or(after.AccountID, before.AccountID))
	e.About.Type = cmp.Or(after.Type, before.Type)
	return digested(e, domain.RecordCredential+"/"+cmp.Or(after.ID, before.ID), before.Version, before.Canonical, after.Version, after.Canonical)
}
