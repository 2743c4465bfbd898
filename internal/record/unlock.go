package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Names of the store's settings.
const (
	settingKeyset    = "keyset"
	settingRootKeyID = "root_key_id" // of versions before 0.8, like settingCanary
	settingCanary    = "canary"
	settingKeyLock   = "keyset_lock" // written before the keyset is read to be changed
	settingMode      = "account_mode"
	settingEpoch     = "epoch" // increased by a restore, which sets counters back
)

// Unlocked contains what is needed to read a store.
type Unlocked struct {
	Keys *seal.Keyset
	Home string      // the first chain of the trail, which identifies the store
	Mode domain.Mode // of the store's accounts
}

// RootKeys are the root keys that the operator named, as URLs.
type RootKeys struct {
	URLs []string
	Open func(ctx context.Context, url string) (seal.RootKey, error)
	// Reason is why a root key could not be used, in one word for metrics.
	Reason func(error) string
	// OnlyWraps reports that a root key can wrap and not unwrap.
	OnlyWraps func(url string) bool
	// Create makes the root key of a new store, if its provider's keys are made here.
	// It does nothing if there is one. nil: the store must not be new.
	Create func(ctx context.Context, url string) error
	// Wait is called with the reasons if no root key could be opened. It returns nil
	// when it is time to try again, and an error to give up. nil: give up at once.
	Wait func(ctx context.Context, reasons error) error
}

// Unwrap opens a keyset with the first of the root keys that can.
func (r RootKeys) Unwrap(ctx context.Context, stored seal.Stored) (*seal.Keyset, error) {
	var reasons error
	for _, url := range r.URLs {
		k, err := r.unwrap(ctx, url, stored)
		if err == nil {
			return k, nil
		}
		reasons = errors.Join(reasons, err)
	}
	return nil, reasons
}

func (r RootKeys) unwrap(ctx context.Context, url string, stored seal.Stored) (*seal.Keyset, error) {
	root, err := r.Open(ctx, url)
	if err != nil {
		return nil, fmt.Errorf("this database needs %s: %w", stored.Names(), err)
	}
	return stored.Open(ctx, root)
}

// Lock says how a store is unlocked.
type Lock struct {
	Store    store.Store
	RootKeys RootKeys
	// Mode is the mode of a new store's accounts. A store of another mode is
	// refused. If Mode is empty, the store's mode is used.
	Mode domain.Mode
	Log  *slog.Logger
}

// Unlock opens the store's keyset. In a store without one it creates keyset and
// audit chain. It creates the root key inside that transaction, so only one of
// several processes that start at the same time creates it.
func (l Lock) Unlock(ctx context.Context) (is Unlocked, err error) {
	for {
		is, found, err := l.open(ctx)
		if err == nil && !found {
			is, err = l.begin(ctx)
			if errors.Is(err, errBegun) { // by another process
				continue
			}
		}
		if err == nil || l.RootKeys.Wait == nil {
			return is, err
		}
		if err := l.RootKeys.Wait(ctx, err); err != nil {
			return is, err
		}
	}
}

// open opens the store's keyset. found is false if the store has none. The root key's
// provider is asked outside of a transaction, because it may be slow.
func (l Lock) open(ctx context.Context) (is Unlocked, found bool, err error) {
	var stored seal.Stored
	err = l.Store.View(ctx, func(tx store.Tx) (err error) {
		is, stored, found, err = read(tx)
		return err
	})
	if err != nil || !found {
		return is, found, err
	}
	if is.Keys, err = l.RootKeys.Unwrap(ctx, stored); err != nil {
		return is, true, err
	}
	if l.Mode != "" && l.Mode != is.Mode {
		return is, true, &domain.SettingError{Err: fmt.Errorf("this database holds accounts of mode %q and cannot be served with --accounts %s: "+
			"keys and credentials are bound to their accounts; start with --accounts %s, or on another database", is.Mode, l.Mode, is.Mode)}
	}
	return is, true, nil
}

func read(tx store.Tx) (is Unlocked, stored seal.Stored, found bool, err error) {
	if err := store.CheckCopied(tx); err != nil {
		return is, stored, false, err
	}
	values := map[string][]byte{}
	for _, name := range []string{settingKeyset, settingMode, store.HomeSetting} {
		v, err := tx.Setting(name)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return is, stored, false, err
		}
		values[name] = v
	}
	if values[settingKeyset] == nil {
		// A store with a trail but no keyset is not new: it lost rows. A new keyset
		// could not decrypt any of its records.
		chains, err := tx.Chains()
		if err == nil && len(chains) > 0 {
			err = fmt.Errorf("%w: the wrapped keyset is gone; restore the database from a backup and keep the root key", seal.ErrDamaged)
		}
		return is, stored, false, err
	}
	stored, err = StoredKeyset(tx)
	return Unlocked{Home: string(values[store.HomeSetting]), Mode: domain.Mode(values[settingMode])}, stored, true, err
}

// Settings is what reading the keyset needs of a transaction.
type Settings interface {
	Setting(name string) ([]byte, error)
}

// StoredKeyset is the keyset as a store keeps it, under its root keys. It fails with
// [store.ErrNotFound] if the store has none.
func StoredKeyset(tx Settings) (seal.Stored, error) {
	_, stored, err := KeysetText(tx)
	return stored, err
}

// KeysetText is StoredKeyset with the text as it is stored.
func KeysetText(tx Settings) (text []byte, stored seal.Stored, err error) {
	if text, err = tx.Setting(settingKeyset); err != nil {
		return nil, stored, err
	}
	id, err := tx.Setting(settingRootKeyID) // of versions before 0.8
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, stored, err
	}
	stored, err = seal.ParseStored(text, string(id))
	return text, stored, err
}

// KeysetChanged reports whether the stored keyset is another one than text.
func KeysetChanged(tx Settings, text []byte) (bool, error) {
	stored, err := tx.Setting(settingKeyset)
	return !bytes.Equal(stored, text), err
}

// errBegun: another process has created the keyset of the store.
var errBegun = errors.New("another process has begun this database")

// begin creates what a new store needs.
func (l Lock) begin(ctx context.Context) (is Unlocked, err error) {
	if l.RootKeys.Create == nil {
		return is, errors.New("the database is empty: start the service on it once, or check --database")
	}
	is = Unlocked{Home: domain.NewID(), Mode: l.Mode}
	if is.Keys, err = seal.NewKeyset(); err != nil {
		return is, err
	}
	var stored seal.Stored
	err = l.Store.Update(ctx, func(tx store.Tx) error {
		// The write comes first. If several processes start at the same time, all but
		// one wait here, even on an engine that runs transactions in parallel, and
		// create no root key.
		if err := tx.PutSetting(settingEpoch, []byte("1")); err != nil {
			return err
		}
		if _, _, found, err := read(tx); err != nil || found {
			return errors.Join(err, errBegun)
		}
		if stored, err = l.wrap(ctx, is.Keys, tx.Now()); err != nil {
			return err
		}
		text, err := stored.Sign(is.Keys)
		if err != nil {
			return err
		}
		for name, value := range map[string][]byte{settingKeyset: text, settingMode: []byte(is.Mode), store.HomeSetting: []byte(is.Home)} {
			if err := tx.PutSetting(name, value); err != nil {
				return err
			}
		}
		return audit.Trail{Chain: is.Home, Key: is.Keys}.Begin(tx)
	})
	if err == nil {
		l.Log.Warn("a new database was begun", "wrapped_by", stored.Names())
	}
	return is, err
}

// wrap wraps a new keyset under all root keys, and opens each wrap to test it. After a
// restart, the wraps are the only copies of the keyset.
func (l Lock) wrap(ctx context.Context, keys *seal.Keyset, now time.Time) (seal.Stored, error) {
	stored := seal.Stored{Generation: 1, DataKeys: keys.DataKeys()}
	for _, url := range l.RootKeys.URLs {
		if err := l.RootKeys.Create(ctx, url); err != nil {
			return stored, err
		}
		root, err := l.RootKeys.Open(ctx, url)
		if err != nil {
			return stored, err
		}
		w, err := keys.WrapFor(ctx, root, url, now)
		if err != nil {
			return stored, err
		}
		if _, err := w.Open(ctx, root); err != nil {
			return stored, fmt.Errorf("%s wrapped the keys of a new database and cannot open the result; nothing was stored: %w", url, err)
		}
		stored.Wraps = append(stored.Wraps, w)
	}
	return stored, nil
}

// ReplaceKeyset stores a changed list of wraps or data keys, signed by keys, if the
// stored one still has the generation from. Otherwise it fails with
// [store.ErrConflict].
func (tx *Tx) ReplaceKeyset(e domain.Entry, from int64, next seal.Stored, keys *seal.Keyset) error {
	// The write comes first, so that of two changes one waits here and then sees the
	// other, whichever isolation level the engine has.
	if err := tx.PutSetting(settingKeyLock, domain.EncodeTime(tx.Now())); err != nil {
		return err
	}
	stored, err := StoredKeyset(tx)
	if err != nil {
		return err
	}
	if stored.Generation != from {
		return store.ErrConflict
	}
	if err := tx.checkKeyset(stored); err != nil {
		return err
	}
	e.Version = from + 1
	next.Generation, next.DataKeys = from+1, keys.DataKeys()
	text, err := next.Sign(keys)
	if err != nil {
		return err
	}
	tx.Enter(e)
	return errors.Join(tx.PutSetting(settingKeyset, text), tx.DeleteSetting(settingRootKeyID), tx.DeleteSetting(settingCanary))
}

// keysetEvents are those of [Tx.ReplaceKeyset]. Their version is the generation of the
// keyset.
var keysetEvents = []domain.Event{domain.EventRootKeyAdded, domain.EventRootKeyRemoved, domain.EventRootKeyRotated,
	domain.EventDataKeyAdded, domain.EventDataKeyActivated, domain.EventDataKeyDestroyed}

// mostKeysetEntries is how many of the newest entries of each of keysetEvents are read.
const mostKeysetEntries = 100

// CheckKeyset refuses a stored keyset that was put back to before a change that is in
// the trail. Otherwise a root key that was removed would be back in the list, and
// the next data key would be wrapped under it.
func (r *Records) CheckKeyset(ctx context.Context) error {
	return r.View(ctx, func(tx *Tx) error {
		stored, err := StoredKeyset(tx)
		if err != nil {
			return err
		}
		return tx.checkKeyset(stored)
	})
}

// checkKeyset implements [Records.CheckKeyset]. The entry of a change is made with the
// keys from before it, so each earlier keyset verifies it.
func (tx *Tx) checkKeyset(stored seal.Stored) error {
	for _, event := range keysetEvents {
		entries, err := tx.EntriesOfEvent(event, time.Time{}, domain.EntryPosition{}, mostKeysetEntries)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.Version > stored.Generation && audit.Genuine(tx.r.cfg.Keys, e) {
				return fmt.Errorf("%w: the wrapped keyset was put back to generation %d, and the audit trail tells of generation %d (%s, %s); "+
					"restore the database from a backup and keep the root key", seal.ErrDamaged, stored.Generation, e.Version, e.Event, e.Reason)
			}
		}
	}
	return nil
}
