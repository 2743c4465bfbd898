package custody

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// dataKeyID formats a data key's id for operators.
func dataKeyID(id uint32) string { return fmt.Sprintf("%08x", id) }

// primaryOf returns the ids of the primary and of the newest data key.
func primaryOf(all []seal.DataKey) (primary, newest uint32) {
	for _, k := range all {
		newest = k.ID
		if k.Primary {
			primary = k.ID
		}
	}
	return primary, newest
}

// DataKeys returns the data keys, the oldest first, and how far the rewrap is.
func (c *Custody) DataKeys(ctx context.Context) (all []domain.DataKey, rewrap domain.Rewrap, err error) {
	err = c.cfg.Records.View(ctx, func(tx *record.Tx) error {
		all = nil
		stored, err := record.StoredKeyset(tx)
		if err != nil {
			return err
		}
		p, _, err := readProgress(tx, c.cfg.Keys)
		if err != nil {
			return err
		}
		list := stored.DataKeys
		if len(list) == 0 { // stored by a version before 0.8
			list = c.cfg.Keys.DataKeys()
		}
		primary, newest := primaryOf(list)
		for _, k := range list {
			one := domain.DataKey{ID: dataKeyID(k.ID), State: domain.DataKeyOld, Rows: -1}
			switch k.ID {
			case primary:
				one.State = domain.DataKeyPrimary
			case newest:
				one.State = domain.DataKeyAdded
			}
			if p.Primary == primary && p.Phase != domain.RewrapCounting {
				one.Rows = p.Under[k.ID]
			}
			all = append(all, one)
		}
		if p.Primary == primary {
			rewrap = p.shown(tx.Now())
		}
		return nil
	})
	return all, rewrap, err
}

// AddDataKey prepares the addition of a new data key, which is not used yet. It wraps the
// keyset for all root keys, so their providers must answer. If the newest data key is not
// used yet, no other one is needed, and AddDataKey returns false.
func (c *Custody) AddDataKey(ctx context.Context) (ch Change, needed bool, err error) {
	stored, err := c.writable(ctx)
	if err != nil {
		return ch, false, err
	}
	if primary, newest := primaryOf(c.cfg.Keys.DataKeys()); primary != newest {
		return ch, false, nil
	}
	keys, err := c.cfg.Keys.WithNewDataKey()
	if err != nil {
		return ch, false, err
	}
	_, newest := primaryOf(keys.DataKeys())
	ch, err = c.rewrapped(ctx, stored, keys, domain.EventDataKeyAdded, "data key "+dataKeyID(newest))
	return ch, true, err
}

// errNotActivated means that another process has changed the keyset after a rotation
// added its data key.
var errNotActivated = errors.New("another process changed the keys of the database at the same time; the new data key was added, " +
	"but this command did not make it the primary one; if data-key list shows it as added, run the command again")

// ActivateDataKey prepares that new values are sealed under the newest data key. It does
// not use a root key.
func (c *Custody) ActivateDataKey(ctx context.Context) (ch Change, err error) {
	stored, err := c.writable(ctx)
	if errors.Is(err, errChanged) {
		return ch, errNotActivated
	}
	if err != nil {
		return ch, err
	}
	keys, err := c.cfg.Keys.WithNewestPrimary()
	if err != nil {
		return ch, err
	}
	// Not in the transaction of the change: on PostgreSQL that would conflict with all requests.
	rows, err := record.View(ctx, c.cfg.Records, func(tx *record.Tx) (int64, error) { return tx.CountSealed(mostCounted) })
	if err != nil {
		return ch, err
	}
	_, newest := primaryOf(keys.DataKeys())
	return Change{c, stored.Generation, seal.Stored{Wraps: stored.Wraps}, keys, domain.EventDataKeyActivated, "data key " + dataKeyID(newest), rows}, nil
}

// Errors of [Custody.DestroyDataKeys].
var (
	errNothingOld = errors.New("there is one data key, and it is in use; nothing was changed; data-key rotate makes a new one")
	errAdded      = errors.New("the newest data key was added and is not used yet; nothing was changed; if no data-key rotate is running, run it again: it continues")
	errNotDone    = errors.New("rows are still under an older data key, or were not counted yet; nothing was changed; data-key list shows the progress")
)

// DestroyDataKeys prepares the destruction of all data keys except the primary one. It
// fails unless the rewrap is done, and counts all rows once more. If it finds rows under
// another data key, it fails, and the rewrap begins again. It wraps the keyset for all
// root keys, so their providers must answer.
func (c *Custody) DestroyDataKeys(ctx context.Context) (ch Change, err error) {
	stored, err := c.writable(ctx)
	if err != nil {
		return ch, err
	}
	p, err := record.View(ctx, c.cfg.Records, func(tx *record.Tx) (progress, error) {
		p, _, err := readProgress(tx, c.cfg.Keys)
		return p, err
	})
	if err != nil {
		return ch, err
	}
	all := c.cfg.Keys.DataKeys()
	primary, newest := primaryOf(all)
	switch {
	case len(all) < 2:
		return ch, errNothingOld
	case primary != newest:
		return ch, errAdded
	case p.Primary != primary || p.Phase != domain.RewrapDone:
		return ch, errNotDone
	}
	if err := c.nothingLeft(ctx, primary); err != nil {
		return ch, err
	}
	keys, err := c.cfg.Keys.WithoutOld()
	if err != nil {
		return ch, err
	}
	return c.rewrapped(ctx, stored, keys, domain.EventDataKeyDestroyed, "all but data key "+dataKeyID(primary))
}

// nothingLeft fails if rows are under other data keys than the primary one, except the
// edited rows, which no data key opens. A process that was paused during the rewrap may
// have written them after it was done.
func (c *Custody) nothingLeft(ctx context.Context, primary uint32) error {
	is := progress{Primary: primary, Phase: domain.RewrapVerifying, Under: map[uint32]int64{}}
	for end := false; !end; {
		visited, err := record.View(ctx, c.cfg.Records, func(tx *record.Tx) (record.Visited, error) {
			return tx.CheckSealed(is.At, countedRows)
		})
		if err != nil {
			return err
		}
		is.add(visited)
		end = visited.End
	}
	if is.left() <= is.Refused {
		return nil
	}
	err := c.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error {
		p, _, err := readProgress(tx, c.cfg.Keys)
		if err != nil || p.Phase != domain.RewrapDone {
			return err
		}
		p.next(domain.RewrapRewrapping, tx.Now())
		p.Under, p.Rows = is.Under, is.Rows
		return p.write(tx, c.cfg.Keys)
	})
	return cmp.Or(err, fmt.Errorf("%d rows are under an older data key: a process that was paused during the rewrap has written them since, "+
		"or someone put them back; no data key was destroyed, and the rewrap begins again; "+
		"when data-key list says that it is done, run the command again", is.left()-is.Refused))
}

// tieOld enters into the current chain the heads of chains whose last entry has a MAC by
// a destroyed data key. These are chains of processes that have ended.
func tieOld(tx *record.Tx, primary *seal.Keyset) error {
	heads, err := tx.Heads(time.Time{})
	for _, head := range heads {
		if primary.Past(head.Hash) {
			tx.Enter(audit.Tie(head))
		}
	}
	return err
}

// rewrapped prepares a change of the data keys: it wraps the new keyset under every root
// key.
func (c *Custody) rewrapped(ctx context.Context, stored seal.Stored, keys *seal.Keyset, event domain.Event, what string) (Change, error) {
	next := seal.Stored{}
	for _, w := range stored.Wraps {
		root, err := c.rootOf(ctx, w)
		if err != nil {
			return Change{}, err
		}
		again, err := c.tested(ctx, keys, root, w.URL, w.AddedAt)
		if err != nil {
			return Change{}, err
		}
		next.Wraps = append(next.Wraps, again)
	}
	return Change{c, stored.Generation, next, keys, event, what, 0}, nil
}

// rootOf opens the root key of a wrap, by one of the configured URLs or by the URL of the
// wrap.
func (c *Custody) rootOf(ctx context.Context, w seal.Wrap) (seal.RootKey, error) {
	var reasons error
	for _, url := range append(slices.Clone(c.cfg.RootKeys.URLs), w.URL) {
		if url == "" {
			continue
		}
		root, err := c.cfg.RootKeys.Open(ctx, url)
		if err == nil && root.ID() == w.RootKey {
			return root, nil
		}
		if url == w.URL {
			reasons = err
		}
	}
	return nil, errors.Join(fmt.Errorf("data keys are wrapped for every root key of the database, and root key %s cannot be used; nothing was changed; "+
		"give it with --root-key, or remove it with root-key remove", w.RootKey), reasons)
}

// Pause pauses the rewrap, or resumes it.
func (c *Custody) Pause(tx *record.Tx, pause bool) error {
	p, found, err := readProgress(tx, c.cfg.Keys)
	if err != nil {
		return err
	}
	if !found || p.Phase == domain.RewrapDone {
		return &domain.Error{Code: domain.CodeConflict, Message: "No rewrap is under way. Nothing was changed."}
	}
	p.Paused, p.Until = pause, 0
	return p.write(tx, c.cfg.Keys)
}
