package service

import (
	"cmp"
	"context"
	"errors"
	"time"

	"golang.org/x/text/unicode/norm"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
	"strongroom/internal/store"
	"strongroom/internal/trace"
	"strongroom/internal/workpool"
)

// presented is what a client sent, opened.
type presented struct {
	key         domain.DeviceKey
	device      string // as the ledger knows it; empty where devices have no budget of their own
	typ         domain.CredentialType
	secret      domain.Secret
	withCurrent bool          // a set came with the secret that it replaces
	current     domain.Secret // that secret
}

func (p presented) wipe() {
	p.secret.Wipe()
	p.current.Wipe()
}

// open checks what a client sent, fetches the key that it names and decrypts.
// Only the last step may fail on a secret, and it has one answer.
func (s *Service) open(ctx context.Context, o *operation, lane *workpool.Ticket, sub domain.Submission, use domain.Use) (presented, error) {
	if err := checkSubmission(sub); err != nil {
		return presented{}, err
	}
	key, err := record.View(ctx, s.records, func(tx *record.Tx) (domain.DeviceKey, error) {
		key, err := s.usableKey(tx, o.caller, sub.KeyID, use)
		if err == nil && s.plans.Refuses(key) {
			err = store.ErrKeyNotUsable
		}
		return key, err
	})
	if err = keyError(err); err != nil {
		if errors.Is(err, domain.ErrKeyNotUsable) {
			s.keyCache.Drop(key.ID) // the caller's own, which another process has ended
		}
		return presented{}, err
	}
	o.keyID = key.ID
	s.identify(o, key.DeviceID)
	o.about.Type = sub.Type
	lane.Identify([16]byte(o.account))
	if err := s.limitDevice(ctx, o); err != nil {
		return presented{}, err
	}
	// Only now: for a key that is not usable there is one answer, whatever it
	// was used for before.
	if err := s.budget(key.ID); err != nil {
		return presented{}, err
	}
	if use == domain.ForSet {
		if err := s.overwriteBudget(o.caller, key.AccountID, sub); err != nil {
			return presented{}, err
		}
	}
	ciphertexts, err := s.decode(sub, key)
	if err != nil {
		return presented{}, err
	}
	if err := s.checkCiphertexts(ctx, key, ciphertexts); err != nil {
		return presented{}, err
	}
	in := presented{key: key, device: s.ledgerDevice(key), typ: sub.Type, withCurrent: sub.Current != nil}
	refused := lane.First(ctx, func(*argon2.Matrix) {
		// Again: those ahead in the queue may have used the budget up.
		if err = s.budget(key.ID); err == nil {
			err = s.decryptAll(ctx, &in, use, ciphertexts)
		}
	})
	if err = cmp.Or(refused, err); err != nil {
		in.wipe()
		return presented{}, err
	}
	s.uses.note(key, s.cfg.Now())
	if err := s.noteCiphertexts(ctx, key, ciphertexts); err != nil {
		in.wipe()
		return presented{}, err
	}
	return in, nil
}

// decode reads the ciphertexts of a submission: that of the secret, and that of
// the current one, if it came.
func (s *Service) decode(sub domain.Submission, key domain.DeviceKey) ([][]byte, error) {
	texts := []string{sub.Ciphertext}
	if sub.Current != nil {
		texts = append(texts, *sub.Current)
	}
	ciphertexts := make([][]byte, len(texts))
	for i, text := range texts {
		var err error
		if ciphertexts[i], err = devicekey.DecodeCiphertext(text, key.Bits/8); err != nil {
			s.failures.Fail(key.ID, s.cfg.Now())
			return nil, domain.ErrDecryptionFailed
		}
	}
	return ciphertexts, nil
}

// Labels of RSA-OAEP with which a client can bind a ciphertext to its purpose. An
// intercepted ciphertext for one purpose does not decrypt for another.
const (
	purposeVerify  = "strongroom/verify"
	purposeSet     = "strongroom/set"
	purposeCurrent = "strongroom/current"
)

// decryptAll decrypts the ciphertexts that decode has read. It always decrypts
// all of them: the duration of a refusal must not reveal which one failed.
func (s *Service) decryptAll(ctx context.Context, in *presented, use domain.Use, ciphertexts [][]byte) error {
	purpose := purposeVerify
	if use == domain.ForSet {
		purpose = purposeSet
	}
	secret, err := s.decrypt(ctx, in.key, ciphertexts[0], purpose)
	in.secret = normalise(in.typ, secret)
	if in.withCurrent {
		current, wrong := s.decrypt(ctx, in.key, ciphertexts[1], purposeCurrent)
		in.current, err = normalise(in.typ, current), cmp.Or(err, wrong)
	}
	return err
}

// ledgerDevice is a device as the guess ledger knows it: by keyed hash, since
// a ledger needs to tell devices apart and nothing more.
func (s *Service) ledgerDevice(k domain.DeviceKey) string {
	if s.cfg.Attempts.DeviceMax == 0 {
		return ""
	}
	return s.records.AttemptDevice(k.AccountID, k.DeviceID)
}

// budget refuses a key too many of whose ciphertexts did not decrypt of late.
// It bounds what anyone can learn from how failures differ, however they do.
func (s *Service) budget(keyID string) error {
	wait, ok := s.failures.Check(keyID, s.cfg.Now())
	if ok {
		return nil
	}
	s.cfg.Meters.Limited(metrics.LimitDecryptions)
	return domain.TooManyRequests(domain.ReasonDecryptionFailures, "Too many ciphertexts of this key did not decrypt. "+
		"Check the client's encryption and try again after retryAfterSeconds.", wait)
}

func checkSubmission(sub domain.Submission) error {
	switch {
	case sub.Declared != sub.Type:
		return domain.BadInput("passwordAuthType", "must be "+string(sub.Type)+" for this operation")
	case sub.KeyID == "":
		return domain.BadInput("keyId", "must not be empty")
	case sub.Ciphertext == "":
		return domain.BadInput(operations[sub.Type].field, "must not be empty")
	case sub.Current != nil && *sub.Current == "":
		return domain.BadInput(operations[sub.Type].current, "must not be empty; leave it out where nothing is set yet")
	}
	return nil
}

func (s *Service) decrypt(ctx context.Context, key domain.DeviceKey, ciphertext []byte, purpose string) (domain.Secret, error) {
	defer trace.Since(ctx, trace.Decrypt, time.Now())
	private, err := s.privateKey(key)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	secret, form, err := devicekey.OpenForm(private, ciphertext, s.forms[purpose])
	s.cfg.Meters.Decrypted(time.Since(start))
	if err != nil {
		s.failures.Fail(key.ID, s.cfg.Now())
		return nil, domain.ErrDecryptionFailed
	}
	s.cfg.Meters.Variant(form.String())
	return secret, nil
}

// normalise brings a passcode to NFC, so that "é" typed on one keyboard equals
// "é" typed on another. It never trims. A PIN stays as it is.
func normalise(t domain.CredentialType, secret domain.Secret) domain.Secret {
	if t != domain.Passcode || norm.NFC.IsNormal(secret) {
		return secret
	}
	defer secret.Wipe()
	return norm.NFC.Bytes(secret)
}

// usableKey is the key that the caller names, if it is his and may be used so.
// A key of another account is not looked for at all: finding it, even to
// refuse it, would take another time than not finding one.
func (s *Service) usableKey(tx *record.Tx, c domain.Caller, keyID string, use domain.Use) (k domain.DeviceKey, err error) {
	if c.Mode == domain.ModeDevice {
		k, err = tx.Key(keyID)
	} else {
		k, err = tx.KeyOf(s.records.AccountID(accountName(c, "")), keyID)
	}
	if (err == nil || record.IsTampered(err)) && !k.Usable(use, tx.Now()) {
		return k, store.ErrKeyNotUsable
	}
	return k, err
}

// keyError makes one answer of every reason why a key cannot be used.
func keyError(err error) error {
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrKeyNotUsable) {
		return domain.ErrKeyNotUsable
	}
	return err
}
