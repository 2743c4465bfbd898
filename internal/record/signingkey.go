package record

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
)

const signingKeyLabel = "signing key v1"

// signingKeyData binds a private signing key to its place and to its public key.
// The version here is always 1, because a private key never changes.
func signingKeyData(k domain.SigningKey) []byte {
	public := sha256.Sum256(k.PublicKey)
	return associatedData("signing key", "", "", k.ID, "private key", k.Algorithm, 1,
		public[:], domain.EncodeInt(k.Number), domain.EncodeTime(k.CreatedAt))
}

// SealSigningKey returns k with its private key sealed.
func (r *Records) SealSigningKey(k domain.SigningKey, private domain.Secret) (domain.SigningKey, error) {
	var err error
	if k.Sealed, err = r.sealSigningKey(k, private); err != nil {
		return domain.SigningKey{}, err
	}
	return k, nil
}

func (r *Records) sealSigningKey(k domain.SigningKey, private domain.Secret) ([]byte, error) {
	sealed, err := r.cfg.Keys.Seal(private, signingKeyData(k))
	if err != nil {
		return nil, fmt.Errorf("sealing the signing key: %w", err)
	}
	return sealed, nil
}

// OpenSigningKey decrypts the private key of a record, PKCS #8. The caller wipes it.
func (r *Records) OpenSigningKey(k domain.SigningKey) (domain.Secret, error) {
	plain, err := r.cfg.Keys.Open(k.Sealed, signingKeyData(k))
	if err != nil {
		return nil, &Tampered{domain.RecordSigningKey, signingName(k), err}
	}
	return plain, nil
}

// signingName is the name of a signing key in entries: its number. The kid, which has
// another form than other ids, is in the entry's reason.
func signingName(k domain.SigningKey) string { return strconv.FormatInt(k.Number, 10) }

// SigningKeys returns all signing keys, in order of their numbers. One edited
// record refuses all of them, because each key ends when the next begins. So does
// one that was withdrawn and put back: others may have its private key. The trail
// is read first. Otherwise the first key, if another process makes it in between,
// would count as missing.
func (tx *Tx) SigningKeys() ([]domain.SigningKey, error) {
	made, withdrawn, err := audit.SigningKeys(tx, tx.r.cfg.Keys)
	if err != nil {
		return nil, err
	}
	keys, err := tx.tx.SigningKeys()
	if err != nil {
		return nil, err
	}
	if made && len(keys) == 0 { // a withdrawal makes a key in the same transaction
		return nil, &Tampered{domain.RecordSigningKey, "1", errMissing}
	}
	for i, k := range keys {
		if k.Number != int64(i)+1 {
			return nil, &Tampered{domain.RecordSigningKey, strconv.Itoa(i + 1), errMissing}
		}
		if !tx.r.cfg.Keys.VerifyMAC(signingKeyLabel, k.Canonical(), k.MAC) {
			return nil, &Tampered{domain.RecordSigningKey, signingName(k), ErrMAC}
		}
		if withdrawn[k.ID] {
			return nil, &Tampered{domain.RecordSigningKey, signingName(k), errWithdrawn}
		}
	}
	return keys, nil
}

// AddSigningKey adds a record whose private key is sealed. It fails with
// [store.ErrConflict] if there is one of this number.
func (tx *Tx) AddSigningKey(e domain.Entry, k domain.SigningKey) error {
	k.Version = 1
	e.Event = domain.EventSigningCreated
	tx.enterSigning(e, k)
	return tx.tx.InsertSigningKey(tx.r.signedSigningKey(k))
}

// ActivateSigningKey lets a key sign from an earlier time than its record says.
func (tx *Tx) ActivateSigningKey(e domain.Entry, k domain.SigningKey, from time.Time) error {
	k.ActiveFrom = from
	e.Event = domain.EventSigningActivated
	return tx.updateSigningKey(e, k)
}

// EraseSigningKey erases the private key of a record. The next [Records.Scrub]
// makes it physical.
func (tx *Tx) EraseSigningKey(e domain.Entry, k domain.SigningKey) error {
	k.Sealed, k.ErasedAt = nil, tx.Now()
	tx.markErased()
	e.Event = domain.EventSigningErased
	return tx.updateSigningKey(e, k)
}

// RemoveSigningKeys removes all signing keys, edited records too: nothing that
// one of them signed is accepted. The next [Records.Scrub] makes it
// physical.
func (tx *Tx) RemoveSigningKeys(e domain.Entry) error {
	keys, err := tx.tx.SigningKeys()
	if err != nil {
		return err
	}
	e.Event = domain.EventSigningWithdrawn
	for _, k := range keys {
		if !tx.r.cfg.Keys.VerifyMAC(signingKeyLabel, k.Canonical(), k.MAC) {
			k.ID = "unknown, the record was edited"
		}
		tx.enterSigning(e, k)
	}
	tx.markErased()
	return tx.tx.DeleteSigningKeys()
}

func (tx *Tx) updateSigningKey(e domain.Entry, k domain.SigningKey) error {
	k.Version++
	tx.enterSigning(e, k)
	return tx.tx.UpdateSigningKey(tx.r.signedSigningKey(k))
}

func (r *Records) signedSigningKey(k domain.SigningKey) domain.SigningKey {
	k.MAC = r.cfg.Keys.MAC(signingKeyLabel, k.Canonical())
	return k
}

// enterSigning adds an entry about a key. An operator's reason comes before the kid.
func (tx *Tx) enterSigning(e domain.Entry, k domain.SigningKey) {
	e.Record = domain.RecordSigningKey + "/" + signingName(k)
	if e.Reason != "" {
		e.Reason += "; "
	}
	e.Reason += "kid " + k.ID
	tx.Enter(e)
}
