package record

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"strongroom/internal/audit"
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
	settingEpoch     = "epoch" // increased by a restore, which sets counters back
)

// Unlocked contains what is needed to read a store.
type Unlocked struct {
	Keys *seal.Keyset
	Home string      // the first chain of the trail, which identifies the store
	Mode domain.Mode // of the store's accounts
}

// Lock says how a store is unlocked.
type Lock struct {
	Store store.Store
	// RootKey returns the key that wraps the keyset. create is true only if the
	// store has no keyset yet. RootKey may then create the key.
	RootKey func(create bool) (seal.RootKey, error)
	// Mode is the mode of a new store's accounts. A store of another mode is
	// refused. If Mode is empty, the store's mode is used.
	Mode domain.Mode
	Log  *slog.Logger
}

// Unlock opens the store's keyset. In a store without one it creates keyset,
// canary and audit chain. It creates the root key inside that transaction, so
// only one of several processes that start at the same time creates it.
func (l Lock) Unlock(ctx context.Context) (is Unlocked, err error) {
	found := false
	err = l.Store.View(ctx, func(tx store.Tx) error {
		is, found, err = l.open(ctx, tx)
		return err
	})
	if err != nil || found {
		return is, err
	}
	var rootKeyID string
	err = l.Store.Update(ctx, func(tx store.Tx) error {
		// The write comes first. If several processes start at the same time, all but
		// one wait here, even on an engine that runs transactions in parallel, and
		// create no root key.
		if err := tx.PutSetting(settingEpoch, []byte("1")); err != nil {
			return err
		}
		if is, found, err = l.open(ctx, tx); err != nil || found {
			return err
		}
		is, rootKeyID, err = l.begin(ctx, tx)
		return err
	})
	if err == nil && !found {
		l.Log.Warn("a new database was begun", "root_key", rootKeyID)
	}
	return is, err
}

// open opens the store's keyset. found is false if the store has none.
func (l Lock) open(ctx context.Context, tx store.Tx) (is Unlocked, found bool, err error) {
	if err := store.CheckCopied(tx); err != nil {
		return is, false, err
	}
	values := map[string][]byte{}
	for _, name := range []string{settingKeyset, settingCanary, settingRootKeyID, settingMode, settingChain} {
		v, err := tx.Setting(name)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return is, false, err
		}
		values[name] = v
	}
	if values[settingKeyset] == nil && values[settingCanary] == nil {
		// A store with a trail but no keyset is not new: it lost rows. A new keyset
		// could not decrypt any of its records.
		chains, err := tx.Chains()
		if err == nil && len(chains) > 0 {
			err = fmt.Errorf("%w: keyset and canary are gone; restore the database from a backup and keep the root key", seal.ErrDamaged)
		}
		return is, false, err
	}
	root, err := l.RootKey(false)
	if err != nil {
		return is, true, fmt.Errorf("this database needs root key %s: %w", values[settingRootKeyID], err)
	}
	is = Unlocked{Home: string(values[settingChain]), Mode: domain.Mode(values[settingMode])}
	is.Keys, err = seal.Unlock(ctx, root, seal.Stored{
		RootKeyID: string(values[settingRootKeyID]), Canary: values[settingCanary], Keyset: values[settingKeyset]})
	if err != nil {
		return is, true, err
	}
	if l.Mode != "" && l.Mode != is.Mode {
		return is, true, &domain.SettingError{Err: fmt.Errorf("this database holds accounts of mode %q and cannot be served with --accounts %s: "+
			"keys and credentials are bound to their accounts; start with --accounts %s, or on another database", is.Mode, l.Mode, is.Mode)}
	}
	return is, true, nil
}

// begin creates what a new store needs.
func (l Lock) begin(ctx context.Context, tx store.Tx) (is Unlocked, rootKeyID string, err error) {
	root, err := l.RootKey(true)
	if err != nil {
		return is, "", err
	}
	is = Unlocked{Home: domain.NewID(), Mode: l.Mode}
	if is.Keys, err = seal.NewKeyset(); err != nil {
		return is, "", err
	}
	wrapped, err := is.Keys.Wrap(ctx, root)
	if err != nil {
		return is, "", err
	}
	canary, err := seal.NewCanary(ctx, root)
	if err != nil {
		return is, "", err
	}
	for name, value := range map[string][]byte{
		settingRootKeyID: []byte(root.ID()), settingCanary: canary, settingKeyset: wrapped,
		settingMode: []byte(is.Mode), settingChain: []byte(is.Home),
	} {
		if err := tx.PutSetting(name, value); err != nil {
			return is, "", err
		}
	}
	return is, root.ID(), audit.Trail{Chain: is.Home, Key: is.Keys}.Begin(tx)
}

// RootKeyID is the id of the root key that opens the store.
func (tx *Tx) RootKeyID() (string, error) {
	id, err := tx.Setting(settingRootKeyID)
	return string(id), err
}
