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
	settingEpoch     = "epoch" // raised by a restore, which rewinds counters
)

// Unlocked is what a store needs to be read.
type Unlocked struct {
	Keys *seal.Keyset
	Home string      // the first chain of the trail, which identifies the store
	Mode domain.Mode // of the store's accounts
}

// Lock says how a store is unlocked.
type Lock struct {
	Store store.Store
	// RootKey gives the key that wraps the keyset. It is called with create true only
	// for a store that holds no keyset yet, and may then make the key.
	RootKey func(create bool) (seal.RootKey, error)
	// Mode is that of a new store's accounts. A store of another mode is refused.
	// Empty: the one that the store has.
	Mode domain.Mode
	Log  *slog.Logger
}

// Unlock opens the store's keyset, or makes keyset, canary and audit chain in a
// store that has none. The root key is made inside that transaction, so that of
// several processes that start at once only one makes it.
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
		// The write comes first: of several processes that come here at once, on an
		// engine that lets them run beside each other, all but one wait here, and make
		// no root key.
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

// open opens the keyset that the store holds. found is false if it holds none.
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
		// A trail without a keyset is a store that lost rows, not a new one: a new
		// keyset would open none of its records.
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

// begin makes what a new store needs.
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
