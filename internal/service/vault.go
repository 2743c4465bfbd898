package service

import (
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/keypool"
	"strongroom/internal/record"
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

// accountName is what the caller's account is called outside.
func accountName(c domain.Caller, deviceID string) domain.Account {
	if c.Mode == domain.ModeDevice {
		return domain.Account{Mode: c.Mode, Subject: deviceID}
	}
	return domain.Account{Mode: c.Mode, Issuer: c.Issuer, Subject: c.Subject}
}

// privateKey opens the private key of a record, which the caller has checked.
// Those opened last are kept: a key's numbers never change, and whether it may
// still be used is read from its record each time.
func (s *Service) privateKey(k domain.DeviceKey) (*rsa.PrivateKey, error) {
	private, hit := s.keyCache.Get(k.ID)
	s.cfg.Meters.KeyCache(hit)
	if hit {
		return private, nil
	}
	plain, err := s.records.OpenKey(k)
	if err != nil {
		return nil, err
	}
	defer plain.Wipe()
	private, err = devicekey.ParsePrivate(plain, k.PublicKey)
	if err != nil {
		return nil, &record.Tampered{Kind: domain.RecordKey, ID: k.ID, Cause: err}
	}
	devicekey.Wipe(private) // what it needs to decrypt is inside
	s.keyCache.Put(k.ID, private, s.cfg.Now())
	return private, nil
}

// newRecord is the record of a fresh key pair, sealed.
func (s *Service) newRecord(account string, id domain.Identity, pair keypool.Pair, now time.Time) (domain.DeviceKey, error) {
	k := domain.DeviceKey{AccountID: account, DeviceID: id.DeviceID, AppVersion: id.AppVersion,
		Algorithm: domain.AlgorithmRSAOAEP256, Bits: pair.Bits, PublicKey: pair.Public, CreatedAt: now}
	if s.cfg.KeyTTL > 0 {
		k.ExpiresAt = now.Add(s.cfg.KeyTTL)
	}
	return s.records.NewKey(k, pair.Private)
}

// seen reports a record that was refused (see [record.Records.Report]).
func (s *Service) seen(ctx context.Context, o *operation, err error) error {
	return s.records.Report(ctx, o.note("", ""), err)
}
