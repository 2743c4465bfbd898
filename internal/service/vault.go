package service

import (
	"cmp"
	"context"
	"crypto/rsa"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Names of the store's settings.
const (
	settingRootKeyID = "root_key_id"
	settingCanary    = "canary"
	settingKeyset    = "keyset"
	settingMode      = "account_mode"
	settingChain     = "audit_chain"
	settingEpoch     = "epoch" // raised by a restore, which rewinds counters
)

// SettingError refuses a start until an operator changes a setting. A retry
// without that fails again.
type SettingError struct{ cause error }

func (e *SettingError) Error() string { return e.cause.Error() }

func (e *SettingError) Unwrap() error { return e.cause }

// unlock opens the store's keyset, or makes keyset, canary and audit chain in
// a store that has none. The root key is made inside that transaction, so that
// of several processes that start at once only one makes it.
func (s *Service) unlock(ctx context.Context) (chain string, err error) {
	made := false
	err = s.cfg.Store.View(ctx, func(tx store.Tx) error {
		chain, made, err = s.unlockFrom(ctx, tx)
		return err
	})
	if err != nil || made {
		return chain, err
	}
	var rootKeyID string
	err = s.cfg.Store.Update(ctx, func(tx store.Tx) error {
		// First of all a write: of several processes that come here at once, on
		// an engine that lets them run beside each other, all but one wait here,
		// and make no root key.
		if err := tx.PutSetting(settingEpoch, []byte("1")); err != nil {
			return err
		}
		if chain, made, err = s.unlockFrom(ctx, tx); err != nil || made {
			return err
		}
		chain, rootKeyID, err = s.initialise(ctx, tx)
		return err
	})
	if err == nil && !made {
		s.cfg.Log.Warn("a new database was begun", "root_key", rootKeyID)
	}
	return chain, err
}

// unlockFrom opens the keyset that the store holds; made is false when it
// holds none.
func (s *Service) unlockFrom(ctx context.Context, tx store.Tx) (chain string, made bool, err error) {
	if err := store.CheckCopied(tx); err != nil {
		return "", false, err
	}
	values := map[string][]byte{}
	for _, name := range []string{settingKeyset, settingCanary, settingRootKeyID, settingMode, settingChain} {
		v, err := tx.Setting(name)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return "", false, err
		}
		values[name] = v
	}
	if values[settingKeyset] == nil && values[settingCanary] == nil {
		// A trail without a keyset is a store that lost rows, not a new one: a
		// new keyset would open none of its records.
		chains, err := tx.Chains()
		if err == nil && len(chains) > 0 {
			err = fmt.Errorf("%w: keyset and canary are gone; restore the database from a backup and keep the root key", seal.ErrDamaged)
		}
		return "", false, err
	}
	root, err := s.cfg.RootKey(false)
	if err != nil {
		return "", true, fmt.Errorf("this database needs root key %s: %w", values[settingRootKeyID], err)
	}
	s.keys, err = seal.Unlock(ctx, root, seal.Stored{
		RootKeyID: string(values[settingRootKeyID]), Canary: values[settingCanary], Keyset: values[settingKeyset]})
	if err != nil {
		return "", true, err
	}
	mode := domain.Mode(values[settingMode])
	if s.cfg.Mode == "" {
		s.cfg.Mode = mode
	}
	if mode != s.cfg.Mode {
		return "", true, &SettingError{fmt.Errorf("this database holds accounts of mode %q and cannot be served with --accounts %s: "+
			"keys and credentials are bound to their accounts; start with --accounts %s, or on another database", mode, s.cfg.Mode, mode)}
	}
	return string(values[settingChain]), true, nil
}

func (s *Service) initialise(ctx context.Context, tx store.Tx) (chain, rootKeyID string, err error) {
	root, err := s.cfg.RootKey(true)
	if err != nil {
		return "", "", err
	}
	if s.keys, err = seal.NewKeyset(); err != nil {
		return "", "", err
	}
	wrapped, err := s.keys.Wrap(ctx, root)
	if err != nil {
		return "", "", err
	}
	canary, err := seal.NewCanary(ctx, root)
	if err != nil {
		return "", "", err
	}
	chain = domain.NewID()
	values := []struct {
		name  string
		value []byte
	}{
		{settingRootKeyID, []byte(root.ID())}, {settingCanary, canary}, {settingKeyset, wrapped},
		{settingMode, []byte(s.cfg.Mode)}, {settingChain, []byte(chain)},
	}
	for _, v := range values {
		if err := tx.PutSetting(v.name, v.value); err != nil {
			return "", "", err
		}
	}
	return chain, root.ID(), audit.Trail{Chain: chain, Key: s.keys}.Begin(tx)
}

// Sealed values are bound to their place by associated data: a value copied to
// another row, account, device, type or version does not open there. The names
// are logical, never a table's, so that a move between engines seals nothing
// again. Layout, each field preceded by its length:
//
//	format version, record type, tenant, account, device, record id, type,
//	algorithm, version, and what else the value must not be parted from
func associatedData(record, account, device, id, typ, algorithm string, version int64, more ...[]byte) []byte {
	fields := [][]byte{{1}, []byte(record), []byte(domain.Tenant), []byte(account), []byte(device), []byte(id),
		[]byte(typ), []byte(algorithm), domain.EncodeInt(version)}
	return domain.Encode(append(fields, more...)...)
}

// keyData binds a private key to its public key and validity too: whoever
// exchanges the public key in the row would read what clients encrypt to it.
// A key is sealed once, so its version here is 1 for ever.
func keyData(k domain.DeviceKey) []byte {
	public := sha256.Sum256(k.PublicKey)
	return associatedData("device key", k.AccountID, k.DeviceID, k.ID, "private key", k.Algorithm, 1,
		public[:], domain.EncodeTime(k.CreatedAt), domain.EncodeTime(k.ExpiresAt))
}

func credentialData(c domain.Credential) []byte {
	return associatedData("credential", c.AccountID, "", c.ID, string(c.Type), "argon2id", c.Version)
}

// tampered is a row that failed its seal or MAC. Outside it is INTERNAL.
type tampered struct {
	kind, id string // of the record
	cause    error
}

func (t *tampered) Error() string { return "refusing " + t.record() + ": " + t.cause.Error() }

func (t *tampered) record() string { return t.kind + "/" + t.id }

var errMAC = errors.New("its MAC does not verify: the row was edited")

// accountID is the id of the account of this name: a keyed hash of it. Nothing
// else would tie the two together, and whoever writes to the database could
// have two accounts exchange their names, so that the next key issued to one
// is for the other's passcode and PIN.
func (s *Service) accountID(mode domain.Mode, issuer, subject string) string {
	return domain.FormatID(s.keys.Hash("account id v1", encodeName(mode, issuer, subject)))
}

// encodeName is what an account is called outside, as keyed hashes take it.
func encodeName(mode domain.Mode, issuer, subject string) []byte {
	return domain.Encode([]byte(mode), []byte(issuer), []byte(subject))
}

// accountOf finds the caller's account, and refuses one that was renamed.
func (s *Service) accountOf(tx store.Tx, c domain.Caller, deviceID string) (domain.Account, error) {
	mode, issuer, subject := accountName(c, deviceID)
	a, err := tx.Account(mode, issuer, subject)
	if err == nil && a.ID != s.accountID(mode, issuer, subject) {
		return a, &tampered{domain.RecordAccount, a.ID, errors.New("its name is not the one that it was made for")}
	}
	return a, err
}

// checkKey refuses an edited key record. It does not open the private key: the
// MAC covers every column, so a public key exchanged for another is found too.
func (s *Service) checkKey(k domain.DeviceKey) error {
	if !s.keys.VerifyMAC(audit.KeyLabel, k.Canonical(), k.MAC) {
		return &tampered{domain.RecordKey, k.ID, errMAC}
	}
	return nil
}

// checkAttempts refuses an edited guess ledger.
func (s *Service) checkAttempts(a domain.Attempts) error {
	if !s.keys.VerifyMAC(audit.AttemptsLabel, a.Authenticated(), a.MAC) {
		return &tampered{domain.RecordAttempts, a.ID, errMAC}
	}
	return nil
}

// privateKey opens the private key of a record, which the caller has checked.
// Those opened last are kept: a key's numbers never change, and whether it may
// still be used is read from its record each time.
func (s *Service) privateKey(k domain.DeviceKey) (*rsa.PrivateKey, error) {
	private, hit := s.opened.get(k.ID)
	s.cfg.Meters.KeyCache(hit)
	if hit {
		return private, nil
	}
	plain, err := s.keys.Open(k.Sealed, keyData(k))
	if err != nil {
		return nil, &tampered{domain.RecordKey, k.ID, err}
	}
	defer domain.Secret(plain).Wipe()
	private, err = devicekey.ParsePrivate(plain, k.PublicKey)
	if err != nil {
		return nil, &tampered{domain.RecordKey, k.ID, err}
	}
	devicekey.Wipe(private) // what it needs to decrypt is inside
	s.opened.put(k.ID, private, s.cfg.Now())
	return private, nil
}

// newRecord is the record of a fresh key pair, sealed.
func (s *Service) newRecord(account string, id domain.Identity, pair keyPair, now time.Time) (domain.DeviceKey, error) {
	k := domain.DeviceKey{ID: domain.NewID(), AccountID: account, DeviceID: id.DeviceID, AppVersion: id.AppVersion,
		Algorithm: domain.AlgorithmRSAOAEP256, Bits: pair.bits, PublicKey: pair.public,
		State: domain.KeyActive, Version: 1, CreatedAt: now}
	if s.cfg.KeyTTL > 0 {
		k.ExpiresAt = now.Add(s.cfg.KeyTTL)
	}
	var err error
	k.Sealed, err = s.keys.Seal(pair.private, keyData(k))
	if err != nil {
		return domain.DeviceKey{}, fmt.Errorf("sealing the private key: %w", err)
	}
	return s.signed(k), nil
}

// signed is a key record with its MAC. The seal alone would leave out what
// changes in a key's life: whoever wrote "active" over the state of a key in
// grace would have a rotated key that sets credentials again.
func (s *Service) signed(k domain.DeviceKey) domain.DeviceKey {
	k.MAC = s.keys.MAC(audit.KeyLabel, k.Canonical())
	return k
}

// attempts reads a ledger and refuses an edited one. Where there is none it
// returns a fresh one of version 0, which is not stored yet.
func (s *Service) attempts(tx store.Tx, account string, t domain.CredentialType) (domain.Attempts, error) {
	a, err := tx.Attempts(account, t)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return domain.Attempts{ID: domain.NewID(), AccountID: account, Type: t}, nil
	case err != nil:
		return a, err
	}
	return a, s.checkAttempts(a)
}

// next is the ledger as it is written: one version on, with its MAC.
func (s *Service) next(a domain.Attempts) domain.Attempts {
	a.Version++
	a.MAC = s.keys.MAC(audit.AttemptsLabel, a.Authenticated())
	return a
}

// seen logs and audits a row that was refused. The trail must not depend on
// it: the refusal stands whether or not the entry can be written.
func (s *Service) seen(ctx context.Context, o *operation, err error) error {
	return s.sighted(ctx, o.note("", ""), err)
}

// sighted is seen for those who are no operation of a client: e says who.
func (s *Service) sighted(ctx context.Context, e domain.Entry, err error) error {
	var t *tampered
	if !errors.As(err, &t) {
		return err
	}
	s.cfg.Log.ErrorContext(ctx, "a stored row was refused", "record", t.record(), "error", t.cause)
	s.cfg.Meters.Tampering(t.kind)
	if _, ok := s.sightings.Check(t.record(), s.cfg.Now()); !ok {
		return t // entered within the last minute
	}
	s.sightings.Fail(t.record(), s.cfg.Now())
	e.Event, e.Outcome, e.Reason = domain.EventTamperingSeen, "refused", t.record()
	if err := s.write(context.WithoutCancel(ctx), func(tx store.Tx) error { return s.enter(tx, e) }); err != nil {
		s.cfg.Log.ErrorContext(ctx, "auditing a refused row failed", "error", err)
	}
	return t
}

// keyEntry and its kin make an entry tell of a row as the change found it and
// as it now is. A zero value stands for no row.

func keyEntry(e domain.Entry, before, after domain.DeviceKey) domain.Entry {
	e.KeyID, e.Record, e.Version = after.ID, domain.RecordKey+"/"+after.ID, after.Version
	e.Before, e.Digest = digest(before.Version, before.Canonical()), digest(after.Version, after.Canonical())
	e.About.Of(after.AccountID)
	e.About.DeviceID, e.About.AppVersion = after.DeviceID, after.AppVersion
	e.About.ExpiresAt, e.About.GraceUntil = after.ExpiresAt, after.GraceUntil
	return e
}

func credentialEntry(e domain.Entry, before, after domain.Credential) domain.Entry {
	e.Record, e.Version = domain.RecordCredential+"/"+cmp.Or(after.ID, before.ID), after.Version
	e.Before, e.Digest = digest(before.Version, before.Canonical()), digest(after.Version, after.Canonical())
	e.About.Of(cmp.Or(after.AccountID, before.AccountID))
	e.About.Type = cmp.Or(after.Type, before.Type)
	return e
}

func attemptsEntry(e domain.Entry, before, after domain.Attempts) domain.Entry {
	e.Record, e.Version = domain.RecordAttempts+"/"+cmp.Or(after.ID, before.ID), after.Version
	e.Before, e.Digest = digest(before.Version, before.Canonical()), digest(after.Version, after.Canonical())
	e.About.Of(cmp.Or(after.AccountID, before.AccountID))
	e.About.Type = cmp.Or(after.Type, before.Type)
	return e
}

// digest is that of a row, or nothing where there is no row: versions of
// stored rows begin at 1.
func digest(version int64, canonical []byte) []byte {
	if version == 0 {
		return nil
	}
	return audit.Digest(canonical)
}
