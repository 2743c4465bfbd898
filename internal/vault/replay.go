package vault

import (
	"context"
	"errors"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// errReused is the answer to a ciphertext that was sent before.
var errReused = &domain.Error{Code: domain.CodeCiphertextReused,
	Message: "This ciphertext was sent before. Encrypt again: that gives another ciphertext each time."}

// ciphertextDigest is the keyed hash that replay protection compares. It covers
// the decoded ciphertext, which has only one form: it is exactly as long as the
// modulus and, as a number, smaller.
func (v *Credentials) ciphertextDigest(key domain.DeviceKey, ciphertext []byte) domain.CiphertextDigest {
	return v.cfg.Keys.Hash("ciphertext v1", domain.Encode([]byte(key.ID), ciphertext))
}

// checkCiphertexts refuses a repeat early, to save the work. It decides nothing:
// noteCiphertexts does. If one of two ciphertexts is new, it must be recorded as
// used, so checkCiphertexts lets both pass.
func (v *Credentials) checkCiphertexts(ctx context.Context, key domain.DeviceKey, ciphertexts [][]byte) error {
	if !v.cfg.ReplayProtection {
		return nil
	}
	return v.cfg.Records.View(ctx, func(tx *record.Tx) error {
		for _, ciphertext := range ciphertexts {
			noted, err := tx.CiphertextNoted(key.AccountID, key.ID, v.ciphertextDigest(key, ciphertext))
			if err != nil || !noted {
				return err
			}
		}
		return errReused
	})
}

// noteCiphertexts records ciphertexts that decrypted as used, however the
// operation ends. A captured ciphertext must never work again, even for another
// operation, after a lock, or after an overload. So it has a transaction of its
// own, which is durable before an attempt is reserved, and a repeat costs no
// attempt. It records both of two ciphertexts, even if one of them is a repeat.
func (v *Credentials) noteCiphertexts(ctx context.Context, key domain.DeviceKey, ciphertexts [][]byte) error {
	if !v.cfg.ReplayProtection {
		return nil
	}
	reused, err := record.Update(ctx, v.cfg.Records, record.System, func(tx *record.Tx) (reused bool, err error) {
		for _, ciphertext := range ciphertexts {
			err := tx.NoteCiphertext(key.AccountID, key.ID, v.ciphertextDigest(key, ciphertext))
			if err != nil && !errors.Is(err, store.ErrCiphertextReused) {
				return false, err
			}
			reused = reused || err != nil
		}
		return reused, nil
	})
	if err == nil && reused {
		return errReused
	}
	return err
}

const (
	sweptKeys   = 50  // keys checked in one call
	sweptChunks = 100 // deleted in one transaction, so that no request waits long
)

// SweepCiphertexts deletes the digests of ciphertexts of keys that can no longer
// decrypt. Each call continues after the previous one, and returns true if there
// may be more.
func (v *Credentials) SweepCiphertexts(ctx context.Context) (more bool, err error) {
	dead, err := record.View(ctx, v.cfg.Records, func(tx *record.Tx) (*domain.DeviceKey, error) {
		for range sweptKeys {
			account, id, err := tx.NextCiphertextKey(v.swept[0], v.swept[1])
			if errors.Is(err, store.ErrNotFound) {
				v.swept, more = [2]string{}, false
				return nil, nil
			}
			if err != nil {
				return nil, err
			}
			k, err := tx.KeyOf(account, id)
			if err != nil && !errors.Is(err, store.ErrNotFound) && !record.IsTampered(err) {
				return nil, err
			}
			more = true
			if len(k.Sealed) == 0 {
				return &domain.DeviceKey{AccountID: account, ID: id}, nil
			}
			v.swept = [2]string{account, id}
		}
		return nil, nil
	})
	if err != nil || dead == nil {
		return more, err
	}
	return true, v.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error {
		_, err := tx.DeleteCiphertexts(dead.AccountID, dead.ID, sweptChunks)
		return err
	})
}
