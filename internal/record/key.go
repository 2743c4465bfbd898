package record

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Associated data binds sealed values to their place: a value copied to another
// row, account, device, type or version does not decrypt there. The names are
// logical names, not table names, so a move between engines needs no new seals.
// Layout, each field preceded by its length:
//
//	format version, record type, tenant, account, device, record id, type,
//	algorithm, version, and other data that must belong to the value
func associatedData(record, account, device, id, typ, algorithm string, version int64, more ...[]byte) []byte {
	fields := [][]byte{{1}, []byte(record), []byte(domain.Tenant), []byte(account), []byte(device), []byte(id),
		[]byte(typ), []byte(algorithm), domain.EncodeInt(version)}
	return domain.Encode(append(fields, more...)...)
}

// keyData also binds a private key to its public key and validity. Otherwise an
// attacker who replaces the public key in the row could decrypt what clients
// encrypt to it. The version here is always 1, because a private key never changes.
// A rewrap seals it for the same place.
func keyData(k domain.DeviceKey) []byte {
	public := sha256.Sum256(k.PublicKey)
	return associatedData("device key", k.AccountID, k.DeviceID, k.ID, "private key", k.Algorithm, 1,
		public[:], domain.EncodeTime(k.CreatedAt), domain.EncodeTime(k.ExpiresAt))
}

// OpenKey decrypts the private key of a record.
func (r *Records) OpenKey(k domain.DeviceKey) (domain.Secret, error) {
	plain, err := r.cfg.Keys.Open(k.Sealed, keyData(k))
	if err != nil {
		return nil, &Tampered{domain.RecordKey, k.ID, err}
	}
	return plain, nil
}

// NewKey returns the record of a new key pair, with its private key sealed. The
// caller fills in account, device, algorithm, public key and times.
func (r *Records) NewKey(k domain.DeviceKey, private domain.Secret) (domain.DeviceKey, error) {
	k.ID, k.State, k.Version = domain.NewKeyID(r.cfg.Cell), domain.KeyActive, 1
	var err error
	if k.Sealed, err = r.SealKey(k, private); err != nil {
		return domain.DeviceKey{}, err
	}
	return r.signed(k), nil
}

// SealKey seals a private key for the place of k.
func (r *Records) SealKey(k domain.DeviceKey, private domain.Secret) ([]byte, error) {
	sealed, err := r.cfg.Keys.Seal(private, keyData(k))
	if err != nil {
		return nil, fmt.Errorf("sealing the private key: %w", err)
	}
	return sealed, nil
}

// signed returns a key record with its MAC. The seal alone does not cover the
// fields that change during a key's life: an attacker could write "active" over
// the state of a key in grace, and the rotated key could set credentials again.
func (r *Records) signed(k domain.DeviceKey) domain.DeviceKey {
	k.MAC = r.cfg.Keys.MAC(audit.KeyLabel, k.Canonical())
	return k
}

func (tx *Tx) checked(k domain.DeviceKey, err error) (domain.DeviceKey, error) {
	if err == nil {
		err = tx.r.CheckKey(k)
	}
	return k, err
}

// CheckKey refuses an edited record with [Tampered]. It does not open the
// private key: the MAC covers every column, so a replaced public key is detected
// too.
func (r *Records) CheckKey(k domain.DeviceKey) error {
	if !(Judge{r.cfg.Keys}).GenuineKey(k) {
		return &Tampered{domain.RecordKey, k.ID, ErrMAC}
	}
	return nil
}

// Key returns the key with this id, in any state, or [store.ErrNotFound]. All
// methods that read a key return a key that they refuse as [Tampered] with the
// error.
func (tx *Tx) Key(id string) (domain.DeviceKey, error) {
	if !domain.IsKeyID(id) {
		return domain.DeviceKey{}, store.ErrNotFound
	}
	return tx.checked(tx.tx.Key(id))
}

// KeyOf returns an account's key with this id (see [store.Keys.KeyOf]). As in Key, an id
// that no key can have does not reach the engine: PostgreSQL fails for a zero byte.
func (tx *Tx) KeyOf(accountID, id string) (domain.DeviceKey, error) {
	if !domain.IsKeyID(id) {
		return domain.DeviceKey{}, store.ErrNotFound
	}
	return tx.checked(tx.tx.KeyOf(accountID, id))
}

// ActiveKey returns a device's key in state active (see [store.Keys.ActiveKey]).
func (tx *Tx) ActiveKey(accountID, deviceID string) (domain.DeviceKey, error) {
	return tx.checked(tx.tx.ActiveKey(accountID, deviceID))
}

// AddKey adds a record that [Records.NewKey] returned. It fails with [store.ErrConflict]
// if the device has an active key.
func (tx *Tx) AddKey(e domain.Entry, k domain.DeviceKey) error {
	tx.Enter(keyEntry(e, domain.DeviceKey{}, k))
	return tx.tx.InsertKey(k)
}

// NoteAppVersion changes the appVersion of a key's record.
func (tx *Tx) NoteAppVersion(e domain.Entry, k domain.DeviceKey, appVersion string) (domain.DeviceKey, error) {
	changed := k
	changed.AppVersion = appVersion
	return tx.updateKey(e, k, changed)
}

// LastKey returns the device's active key. If it has none, it returns the newest
// of its keys, or [store.ErrNotFound] if there are none.
func (tx *Tx) LastKey(accountID, deviceID string) (domain.DeviceKey, error) {
	k, err := tx.ActiveKey(accountID, deviceID)
	if !errors.Is(err, store.ErrNotFound) {
		return k, err
	}
	return tx.NewestKey(accountID, deviceID)
}

// NewestKey returns the device's key that was created last (see [store.Keys].NewestKey).
func (tx *Tx) NewestKey(accountID, deviceID string) (domain.DeviceKey, error) {
	return tx.checked(tx.tx.NewestKey(accountID, deviceID))
}

// Issuing is what the next key of a device depends on.
type Issuing struct {
	Account domain.Account     // added if there was none
	Last    domain.DeviceKey   // that LastKey returns; zero: the device never had a key
	InGrace []domain.DeviceKey // see [store.KeyLists].KeysInGrace
}

// ForIssue reads what the next key of a device depends on, and adds the account if
// there is none, like EnsureAccount.
func (tx *Tx) ForIssue(name domain.Account, deviceID string) (is Issuing, err error) {
	name.ID = tx.AccountID(name)
	var account *domain.Account
	var active, newest *domain.DeviceKey
	var move domain.AccountMove
	err = tx.Interleave(
		store.Into(&account, func() (*domain.Account, error) { return found(tx.tx.Account(name.Mode, name.Issuer, name.Subject)) }),
		store.Into(&active, func() (*domain.DeviceKey, error) { return found(tx.tx.ActiveKey(name.ID, deviceID)) }),
		store.Into(&newest, func() (*domain.DeviceKey, error) { return found(tx.tx.NewestKey(name.ID, deviceID)) }),
		store.Into(&is.InGrace, func() ([]domain.DeviceKey, error) { return tx.KeysInGrace(name.ID, deviceID) }),
		store.Into(&move, func() (domain.AccountMove, error) { return tx.MoveOf(name.ID) }))
	if err != nil || move.Away {
		return is, cmp.Or(err, error(domain.ErrAccountMoved))
	}
	if last := cmp.Or(active, newest); last != nil {
		if is.Last, err = tx.checked(*last, nil); err != nil {
			return is, err
		}
	}
	if account != nil {
		is.Account, err = tx.named(*account, nil)
		return is, err
	}
	is.Account = name
	is.Account.CreatedAt = tx.Now()
	return is, tx.tx.InsertAccount(is.Account)
}

// found is a row that was read, or nil if there is none.
func found[T any](row T, err error) (*T, error) {
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return &row, err
}

// BindKey binds a device key to the device's own key with this thumbprint. An empty
// thumbprint ends the binding.
func (tx *Tx) BindKey(e domain.Entry, k domain.DeviceKey, thumbprint string) (domain.DeviceKey, error) {
	changed := k
	changed.Thumbprint = thumbprint
	return tx.updateKey(e, k, changed)
}

// EndKey ends a key and erases its private key, at once or when its grace period
// is over. A key whose record was edited stays refused (see RevokeEdited).
func (tx *Tx) EndKey(e domain.Entry, k domain.DeviceKey, state domain.KeyState, grace time.Duration) error {
	ended := k
	if k.State == domain.KeyActive {
		ended.EndedAt = tx.Now()
	}
	ended.State, ended.GraceUntil = state, time.Time{}
	if grace > 0 {
		ended.GraceUntil = tx.Now().Add(grace)
		if !k.ExpiresAt.IsZero() && k.ExpiresAt.Before(ended.GraceUntil) {
			ended.GraceUntil = k.ExpiresAt // no grace beyond its validity
		}
	} else {
		ended.Sealed = nil
		tx.markErased()
		tx.r.cfg.Erased(k.ID)
		tx.OnCommit(func(context.Context) { tx.r.cfg.Erased(k.ID) }) // a parallel verify may have put it into the key cache again
	}
	_, err := tx.updateKey(e, k, ended)
	return err
}

// RevokeEdited revokes a key whose record was refused as [Tampered], and makes the
// record valid again. It ends the binding, because an edit of the record may have
// forged it. Only an operator who has seen the finding may decide this.
func (tx *Tx) RevokeEdited(e domain.Entry, k domain.DeviceKey) error {
	k = tx.r.signed(k)
	if k.Thumbprint != "" {
		unbound := e
		unbound.Event = domain.EventKeyUnbound
		var err error
		if k, err = tx.BindKey(unbound, k, ""); err != nil {
			return err
		}
	}
	return tx.EndKey(e, k, domain.KeyRevoked, 0)
}

// RemoveKey removes the record of a key that has ended, with everything that
// describes its device. Its id then gets the same answer as an unknown one.
func (tx *Tx) RemoveKey(e domain.Entry, k domain.DeviceKey) error {
	e.Event = domain.EventKeyRemoved
	tx.Enter(keyEntry(e, k, domain.DeviceKey{}))
	tx.markErased()
	return tx.tx.DeleteKey(k.AccountID, k.ID)
}

// updateKey writes a changed record. A record that was edited in the database stays
// refused: a new MAC would cover the edited fields.
func (tx *Tx) updateKey(e domain.Entry, before, after domain.DeviceKey) (domain.DeviceKey, error) {
	after.Version++
	if tx.r.CheckKey(before) == nil {
		after = tx.r.signed(after)
	}
	tx.Enter(keyEntry(e, before, after))
	return after, tx.tx.UpdateKey(after)
}

// keyEntry and similar functions add to an entry how a row was before the change
// and how it is now. A zero value means that there is no row.
func keyEntry(e domain.Entry, before, after domain.DeviceKey) domain.Entry {
	e.KeyID = cmp.Or(after.ID, before.ID)
	e.About.Of(cmp.Or(after.AccountID, before.AccountID))
	e.About.DeviceID, e.About.AppVersion = after.DeviceID, after.AppVersion
	e.About.ExpiresAt, e.About.GraceUntil = after.ExpiresAt, after.GraceUntil
	return digested(e, domain.RecordKey+"/"+e.KeyID, before.Version, before.Canonical, after.Version, after.Canonical)
}
