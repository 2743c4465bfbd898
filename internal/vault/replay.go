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
	Message: "This ciphertext was sent before. Encrypt again: RSA-OAEP gives another ciphertext each time."}

// What replay protection compares is the decoded ciphertext, which is exactly
// as long as the modulus and, as a number, below it: it has no second spelling.
func (v *Credentials) ciphertextDigest(key domain.DeviceKey, ciphertext []byte) []byte {
	digest := v.cfg.Keys.Hash("ciphertext v1", domain.Encode([]byte(key.ID), ciphertext))
	return digest[:]
}

// checkCiphertexts refuses a repeat before it costs anything. Of two, one that
// is new has to be spent all the same, so noteCiphertexts refuses them. That is
// also what decides.
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

// noteCiphertexts spends ciphertexts that decrypted, whatever becomes of the
// operation: one that was captured in front of us must never work again, not
// for another operation, not after a lock, and not because we were too busy
// for it. So it has a transaction of its own, which is durable before an attempt is
// reserved; a repeat costs no attempt. Of two ciphertexts, both are spent even
// where one of them is a repeat.
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
	sweptKeys    = 50   // looked at in one round of sweeping
	sweptDigests = 1000 // removed in one transaction, so that no request waits long

)

// SweepCiphertexts forgets the ciphertexts of keys that decrypt nothing any
// more. Each round goes on where the last one ended.
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
		_, err := tx.DeleteCiphertexts(dead.AccountID, dead.ID, sweptDigests)
		return err
	})
}
