package service

import (
	"context"
	"errors"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// errReused is the answer to a ciphertext that was sent before.
var errReused = &domain.Error{Code: domain.CodeCiphertextReused,
	Message: "This ciphertext was sent before. Encrypt again: RSA-OAEP gives another ciphertext each time."}

// What replay protection compares is the decoded ciphertext, which is exactly
// as long as the modulus and, as a number, below it: it has no second spelling.
func (s *Service) ciphertextDigest(key domain.DeviceKey, ciphertext []byte) []byte {
	digest := s.keys.Hash("ciphertext v1", domain.Encode([]byte(key.ID), ciphertext))
	return digest[:]
}

// checkCiphertext refuses a repeat before it costs anything. What decides is
// noteCiphertext.
func (s *Service) checkCiphertext(ctx context.Context, key domain.DeviceKey, ciphertext []byte) error {
	if !s.cfg.ReplayProtection {
		return nil
	}
	return s.cfg.Store.View(ctx, func(tx store.Tx) error {
		noted, err := tx.CiphertextNoted(key.AccountID, key.ID, s.ciphertextDigest(key, ciphertext))
		if noted {
			return errReused
		}
		return err
	})
}

// noteCiphertext spends a ciphertext that decrypted, whatever becomes of the
// operation: one that was captured in front of us must never work again, not
// for another operation, not after a lock, and not because we were too busy
// for it. So it has a transaction of its own, which is durable before a try is
// reserved; a repeat costs no try.
func (s *Service) noteCiphertext(ctx context.Context, key domain.DeviceKey, ciphertext []byte) error {
	if !s.cfg.ReplayProtection {
		return nil
	}
	digest := s.ciphertextDigest(key, ciphertext)
	err := s.write(ctx, func(tx store.Tx) error { return tx.NoteCiphertext(key.AccountID, key.ID, digest) })
	if errors.Is(err, store.ErrCiphertextReused) {
		return errReused
	}
	return err
}

const (
	sweptKeys    = 50   // looked at in one round of sweeping
	sweptDigests = 1000 // removed in one transaction, so that no request waits long

	sweepCiphersEvery = time.Minute // after a walk to the end
)

// sweepCiphertexts forgets the ciphertexts of keys that decrypt nothing any
// more. Each round goes on where the last one ended.
func (s *Service) sweepCiphertexts(ctx context.Context) error {
	now := s.cfg.Now()
	if now.Before(s.sweepCiphers) {
		return nil
	}
	var dead *domain.DeviceKey
	err := s.cfg.Store.View(ctx, func(tx store.Tx) error {
		for range sweptKeys {
			account, id, err := tx.NextCiphertextKey(s.swept[0], s.swept[1])
			if errors.Is(err, store.ErrNotFound) {
				s.swept, s.sweepCiphers = [2]string{}, now.Add(sweepCiphersEvery)
				return nil
			}
			if err != nil {
				return err
			}
			k, err := tx.KeyOf(account, id)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			if len(k.Sealed) == 0 {
				dead = &domain.DeviceKey{AccountID: account, ID: id}
				return nil
			}
			s.swept = [2]string{account, id}
		}
		return nil
	})
	if err != nil || dead == nil {
		return err
	}
	return s.write(ctx, func(tx store.Tx) error {
		_, err := tx.DeleteCiphertexts(dead.AccountID, dead.ID, sweptDigests)
		return err
	})
}
