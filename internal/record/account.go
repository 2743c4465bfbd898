package record

import (
	"errors"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// encodeName encodes the external name of an account for keyed hashes.
func encodeName(a domain.Account) []byte {
	return domain.Encode([]byte(a.Mode), []byte(a.Issuer), []byte(a.Subject))
}

// AccountID is the id of the account of this mode, issuer and subject: a keyed
// hash of them. Without this, an attacker who can write to the database could
// swap the names of two accounts. The next key issued to one of them would then
// be for the other one's passcode and PIN.
func (r *Records) AccountID(a domain.Account) string {
	return domain.FormatID(r.cfg.Keys.Hash("account id v1", encodeName(a)))
}

// AccountID is [Records.AccountID].
func (tx *Tx) AccountID(a domain.Account) string { return tx.r.AccountID(a) }

// Hashes name an account and one of its devices in the trail. They are keyed
// hashes of the account's external name, so that the entries of an erased
// account can still be found by its name. In device mode the account is the device.
func (r *Records) Hashes(a domain.Account, deviceID string) (account, device []byte) {
	if a.Mode == domain.ModeDevice {
		deviceID = a.Subject
	}
	name := encodeName(a)
	h := r.cfg.Keys.Hash("account v1", name)
	d := r.cfg.Keys.Hash("device v1", domain.Encode(name, []byte(deviceID)))
	return h[:], d[:]
}

// Account finds the account of this mode, issuer and subject, or fails with
// [store.ErrNotFound]. It refuses an account that was renamed.
func (tx *Tx) Account(name domain.Account) (domain.Account, error) {
	a, err := tx.tx.Account(name.Mode, name.Issuer, name.Subject)
	return tx.named(a, err)
}

// AccountByID is Account by the account's id.
func (tx *Tx) AccountByID(id string) (domain.Account, error) {
	if !domain.IsID(id) {
		return domain.Account{}, store.ErrNotFound
	}
	a, err := tx.Rows.AccountByID(id)
	return tx.named(a, err)
}

func (tx *Tx) named(a domain.Account, err error) (domain.Account, error) {
	if err == nil && a.ID != tx.r.AccountID(a) {
		return a, &Tampered{domain.RecordAccount, a.ID, ErrRenamed}
	}
	return a, err
}

// EnsureAccount finds an account like Account, or adds it.
func (tx *Tx) EnsureAccount(name domain.Account) (domain.Account, error) {
	a, err := tx.Account(name)
	if errors.Is(err, store.ErrNotFound) {
		a = name
		a.ID, a.CreatedAt = tx.r.AccountID(name), tx.Now()
		err = tx.tx.InsertAccount(a)
	}
	return a, err
}

// EraseAccount erases an account's verifiers, attempt counters and row, and the parcel
// of a move that was not confirmed. It records what it erased; e is the start of the
// entries. The account's keys must have ended before.
func (tx *Tx) EraseAccount(e domain.Entry, a domain.Account) error {
	for _, t := range domain.CredentialTypes {
		if err := tx.eraseCredential(e, a.ID, t); err != nil {
			return err
		}
	}
	tx.markErased()
	e.Event, e.Record = domain.EventAccountErased, domain.RecordAccount+"/"+a.ID
	tx.Enter(e)
	return errors.Join(tx.DeleteParcel(a.ID), tx.DeleteKeyUses(a.ID), tx.tx.DeleteAccount(a.ID))
}

func (tx *Tx) eraseCredential(e domain.Entry, account string, t domain.CredentialType) error {
	a, c, err := tx.tx.Guarded(account, t)
	if err != nil {
		return err
	}
	if c != nil {
		e.Event = domain.EventCredentialErased
		tx.Enter(credentialEntry(e, *c, domain.Credential{}))
	}
	if a != nil {
		e.Event = domain.EventAttemptsErased
		tx.Enter(counterEntry(e, *a, domain.Attempts{}))
	}
	return errors.Join(tx.tx.DeleteCredential(account, t), tx.tx.DeletePrevious(account, t), tx.tx.DeleteAttempts(account, t))
}

// AttemptDevice is the name of a device in the attempt counters of its account:
// a keyed hash, because a counter only needs to distinguish devices.
func (r *Records) AttemptDevice(accountID, deviceID string) string {
	return domain.FormatID(r.cfg.Keys.Hash("ledger device v1", domain.Encode([]byte(accountID), []byte(deviceID))))
}

// Whose returns the account and the device of a key as the trail names them. It
// returns no names if the account was erased, because its name is no longer known.
func (tx *Tx) Whose(k domain.DeviceKey) (account, device []byte, err error) {
	a := domain.Account{Mode: domain.ModeDevice, Subject: k.DeviceID}
	if tx.r.cfg.Mode != domain.ModeDevice {
		a, err = tx.AccountByID(k.AccountID)
		if errors.Is(err, store.ErrNotFound) || IsTampered(err) {
			return nil, nil, nil
		}
		if err != nil {
			return nil, nil, err
		}
	}
	account, device = tx.r.Hashes(a, k.DeviceID)
	return account, device, nil
}
