package vault

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

func (p decrypted) wipe() {
	p.secret.Wipe()
	p.current.Wipe()
}

// open checks a submission, finds the key that it names, and decrypts it. Only
// the last step depends on secrets, and it has a single error.
//
// If the key cache has the key, open does not read its record: the transaction
// that uses the submission does (see [Credentials.present]), so that a request
// waits for one transaction less. Every refusal before that reads the record first
// (see [Credentials.confirm]): a key that has ended is refused as unusable, and for
// no other reason.
func (v *Credentials) open(ctx context.Context, o *operation, ticket *workpool.Ticket, sub domain.Submission, purpose string) (decrypted, error) {
	if err := checkSubmission(sub, purpose); err != nil {
		return decrypted{}, err
	}
	in := decrypted{typ: sub.Type, withCurrent: sub.Current != nil, mustChange: sub.MustChange != nil && *sub.MustChange}
	use := useOf(purpose)
	var err error
	if in.key, in.before = v.keptKey(o, sub, use); in.before == nil {
		in.key, err = v.readKey(ctx, o, sub.KeyID, use)
	}
	if err == nil {
		err = v.openWith(ctx, o, ticket, sub, purpose, &in)
	}
	if err != nil {
		in.wipe()
		return decrypted{}, v.confirm(ctx, o, in, use, err)
	}
	return in, nil
}

// readKey reads the key that a submission names, and refuses one that may not be used.
func (v *Credentials) readKey(ctx context.Context, o *operation, id string, use domain.Use) (domain.DeviceKey, error) {
	key, err := record.View(ctx, v.cfg.Records, func(tx *record.Tx) (domain.DeviceKey, error) {
		tx.Final()
		key, err := v.usableKey(tx, o.caller, id, use)
		if err == nil && v.refuses(key) {
			err = store.ErrKeyNotUsable
		}
		return key, err
	})
	if err = keyError(err); errors.Is(err, domain.ErrKeyNotUsable) {
		v.cfg.KeyCache.Drop(key.ID) // it is the caller's own key, and another process has ended it
	}
	return key, err
}

// openWith decrypts a submission with the key of in.
func (v *Credentials) openWith(ctx context.Context, o *operation, ticket *workpool.Ticket, sub domain.Submission, purpose string, in *decrypted) error {
	key := in.key
	o.keyID = key.ID
	v.identify(o, key.DeviceID)
	o.about.Type = sub.Type
	ticket.Identify([16]byte(o.account))
	if err := checkProofFor(useOf(purpose), key, o.caller); err != nil {
		return err
	}
	if err := v.limitDevice(ctx, o); err != nil {
		return err
	}
	// Only after the key was found usable: an unusable key gets the same answer
	// however often its ciphertexts failed.
	if err := v.budget(key.ID); err != nil {
		return err
	}
	if useOf(purpose) == domain.ForSet {
		if err := v.overwriteBudget(o.caller, key.AccountID, sub); err != nil {
			return err
		}
	}
	ciphertexts, err := v.decode(sub, key)
	if err != nil {
		return err
	}
	if err := v.checkCiphertexts(ctx, key, ciphertexts); err != nil {
		return err
	}
	in.device = v.attemptDevice(key)
	refused := ticket.First(ctx, func(*argon2.Matrix) {
		// Check again: requests ahead in the queue may have used up the budget.
		if err = v.budget(key.ID); err == nil {
			err = v.decryptAll(ctx, o, in, purpose, ciphertexts)
		}
	})
	if err = cmp.Or(refused, err); err != nil {
		return err
	}
	if in.before == nil {
		v.cfg.Tally.KeyUsed(key)
	}
	return v.noteCiphertexts(ctx, key, ciphertexts)
}

// decode reads the ciphertexts of a submission: of the secret, and of the
// current secret if there is one.
func (v *Credentials) decode(sub domain.Submission, key domain.DeviceKey) ([][]byte, error) {
	texts := []string{sub.Ciphertext}
	if sub.Current != nil {
		texts = append(texts, *sub.Current)
	}
	ciphertexts := make([][]byte, len(texts))
	for i, text := range texts {
		var err error
		if ciphertexts[i], err = devicekey.DecodeCiphertextFor(devicekey.Algorithm(key.Algorithm), key.Bits, text); err != nil {
			v.failures.Fail(key.ID, v.cfg.Now())
			return nil, domain.ErrDecryptionFailed
		}
	}
	return ciphertexts, nil
}

// decryptAll decrypts the ciphertexts that decode returned. It always decrypts
// all of them: the duration of a refusal must not reveal which one failed.
func (v *Credentials) decryptAll(ctx context.Context, o *operation, in *decrypted, purpose string, ciphertexts [][]byte) error {
	by := devicekey.Binding{Forms: v.forms[purpose], AAD: aad(o.name, in)}
	secret, err := v.decrypt(ctx, in.key, ciphertexts[0], by)
	if in.secret = secret; purpose != devicekey.LabelAuthorize { // its secret is a part of the plaintext
		in.secret = normalise(in.typ, secret)
	}
	if in.withCurrent {
		by = devicekey.Binding{Forms: v.forms[devicekey.LabelCurrent], AAD: aad(o.name.Current(), in), OldAAD: by.AAD}
		if v.cfg.PurposeRequired {
			by.OldAAD = nil
		}
		current, wrong := v.decrypt(ctx, in.key, ciphertexts[1], by)
		in.current, err = normalise(in.typ, current), cmp.Or(err, wrong)
	}
	return err
}

func aad(o domain.Operation, in *decrypted) []byte {
	return devicekey.AAD(string(o), in.key.ID, string(in.typ))
}

// attemptDevice is the keyed hash by which the attempt counter identifies a
// device. The counter only has to distinguish devices.
func (v *Credentials) attemptDevice(k domain.DeviceKey) string {
	if v.cfg.Attempts.DeviceMax == 0 {
		return ""
	}
	return v.cfg.Records.AttemptDevice(k.AccountID, k.DeviceID)
}

// budget refuses a key if too many of its ciphertexts failed to decrypt in the
// last 15 minutes. It bounds what an attacker can learn from differences between
// failures.
func (v *Credentials) budget(keyID string) error {
	wait, ok := v.failures.Check(keyID, v.cfg.Now())
	if ok {
		return nil
	}
	v.cfg.Metrics.Limited(metrics.LimitDecryptions)
	return domain.TooManyRequests(domain.ReasonDecryptionFailures, "Too many ciphertexts of this key did not decrypt. "+
		"Check the client's encryption and try again after retryAfterSeconds.", wait)
}

func checkSubmission(sub domain.Submission, purpose string) error {
	field := operations[sub.Type].field
	if purpose == devicekey.LabelAuthorize {
		field = "encryptedAuthorization"
	}
	switch {
	case sub.Declared != sub.Type:
		return domain.BadInput("passwordAuthType", "must be "+string(sub.Type)+" for this operation")
	case sub.KeyID == "":
		return domain.BadInput("keyId", "must not be empty")
	case sub.Ciphertext == "":
		return domain.BadInput(field, "must not be empty")
	case sub.Current != nil && *sub.Current == "":
		return domain.BadInput(operations[sub.Type].current, "must not be empty; leave it out where nothing is set yet")
	}
	return nil
}

func (v *Credentials) decrypt(ctx context.Context, key domain.DeviceKey, ciphertext []byte, by devicekey.Binding) (domain.Secret, error) {
	defer trace.Since(ctx, trace.Decrypt, time.Now())
	private, err := v.privateKey(key)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	secret, form, err := private.Open(ciphertext, by)
	v.cfg.Metrics.Decrypted(time.Since(start))
	if err != nil {
		v.failures.Fail(key.ID, v.cfg.Now())
		return nil, domain.ErrDecryptionFailed
	}
	v.cfg.Metrics.Variant(form)
	return secret, nil
}

// normalise converts a passcode to NFC, so that "é" typed on one keyboard equals
// "é" typed on another. It never trims. A PIN stays as it is.
func normalise(t domain.CredentialType, secret domain.Secret) domain.Secret {
	if t != domain.Passcode || norm.NFC.IsNormal(secret) {
		return secret
	}
	defer secret.Wipe()
	return norm.NFC.Bytes(secret)
}

// usableKey returns the key that the caller names, if it belongs to the caller
// and allows this use. A key of another account is not read at all: reading it,
// even to refuse it, would take a different time than reading an unknown key.
func (v *Credentials) usableKey(tx *record.Tx, c domain.Caller, keyID string, use domain.Use) (k domain.DeviceKey, err error) {
	if c.Mode == domain.ModeDevice {
		k, err = tx.Key(keyID)
	} else {
		k, err = tx.KeyOf(v.cfg.Records.AccountID(accountName(c, "")), keyID)
	}
	if (err == nil || record.IsTampered(err)) && !k.Usable(use, tx.Now()) {
		return k, unusable(k)
	}
	return k, err
}

// unusable is the error of a key that may not be used.
func unusable(k domain.DeviceKey) error {
	if k.State == domain.KeyMoved {
		return domain.ErrAccountMoved
	}
	return store.ErrKeyNotUsable
}

// privateKey opens the private key of a record that was checked. The key cache
// keeps opened keys. This is safe because a key's numbers never change, and its
// record, which says whether it may be used, is read each time.
func (v *Credentials) privateKey(k domain.DeviceKey) (devicekey.PrivateKey, error) {
	private, hit := v.cfg.KeyCache.Get(k.ID)
	v.cfg.Metrics.KeyCache(hit)
	if hit {
		return private, nil
	}
	plain, err := v.cfg.Records.OpenKey(k)
	if err != nil {
		return nil, err
	}
	defer plain.Wipe()
	private, err = devicekey.ParsePrivate(devicekey.Algorithm(k.Algorithm), plain, k.PublicKey)
	if err != nil {
		return nil, &record.Tampered{Kind: domain.RecordKey, ID: k.ID, Cause: err}
	}
	private.Wipe() // decrypting uses only precomputed values, which stay
	v.cfg.KeyCache.Put(k, private, v.cfg.Now())
	return private, nil
}
