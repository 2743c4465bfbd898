package custody

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// Change is a prepared change of root keys or data keys. The providers of root keys have
// already been called, so that [Change.Write] needs only one transaction.
type Change struct {
	c     *Custody
	from  int64 // generation that the change is based on
	next  seal.Stored
	keys  *seal.Keyset // nil: the data keys do not change
	event domain.Event
	what  string // added to the reason of the entry
	rows  int64  // of a newly used data key: how many rows must be rewrapped, as far as they were counted
}

// errChanged means that another process has changed the keyset meanwhile.
var errChanged = errors.New("another process changed the keys of the database at the same time; nothing was changed; run the command again")

// Write writes the change and its audit entry, which it makes from e. The keyset in use
// changes when the transaction commits.
func (ch Change) Write(tx *record.Tx, e domain.Entry) error {
	e.Event = ch.event
	if e.Reason != "" {
		e.Reason += "; "
	}
	e.Reason += ch.what
	keys := cmp.Or(ch.keys, ch.c.cfg.Keys)
	err := tx.ReplaceKeyset(e, ch.from, ch.next, keys)
	switch {
	case errors.Is(err, store.ErrConflict) && ch.event == domain.EventDataKeyActivated:
		return errNotActivated
	case errors.Is(err, store.ErrConflict):
		return errChanged
	}
	switch {
	case err != nil:
	case ch.event == domain.EventDataKeyDestroyed:
		err = tieOld(tx, keys)
	case ch.event == domain.EventDataKeyActivated:
		err = rewrapDue(tx, keys, ch.rows)
	}
	if ch.keys != nil {
		tx.OnCommit(func(context.Context) { ch.c.cfg.Keys.Become(keys) })
	}
	return err
}

// Generation returns the generation of the stored keyset after the change.
func (ch Change) Generation() int64 { return ch.from + 1 }

// Wraps returns the root keys that wrap the keyset, the oldest first, and then the
// configured ones that do not. Their state is that of the last check. If there was none,
// Wraps does one.
func (c *Custody) Wraps(ctx context.Context) ([]domain.RootKey, error) {
	if len(c.RootKeys()) == 0 {
		if err := c.Check(ctx); err != nil {
			return nil, err
		}
	}
	stored, err := c.stored(ctx)
	if err != nil {
		return nil, err
	}
	configured := c.RootKeys()
	all := make([]domain.RootKey, len(stored.Wraps))
	for i, w := range stored.Wraps {
		all[i] = domain.RootKey{ID: w.RootKey, URL: w.URL, AddedAt: w.AddedAt}
		at := slices.IndexFunc(configured, func(is domain.RootKey) bool {
			return is.ID == w.RootKey || is.ID == "" && is.URL == w.URL // a root key that cannot be opened has no id
		})
		if at >= 0 {
			is := configured[at]
			is.ID, is.AddedAt = w.RootKey, w.AddedAt
			all[i], configured = is, slices.Delete(configured, at, at+1)
		}
	}
	return append(all, configured...), nil
}

// Add prepares a wrap of the keyset under one more root key.
func (c *Custody) Add(ctx context.Context, url string) (Change, error) {
	stored, err := c.writable(ctx)
	if err != nil {
		return Change{}, err
	}
	w, err := c.wrap(ctx, url, stored, "")
	if err != nil {
		return Change{}, err
	}
	next := seal.Stored{Wraps: append(slices.Clone(stored.Wraps), w)}
	return Change{c, stored.Generation, next, nil, domain.EventRootKeyAdded, "root key " + w.RootKey, 0}, nil
}

// Remove prepares the removal of the wrap under a root key, named by its id or URL. It
// refuses unless one of the other root keys opens the database now.
func (c *Custody) Remove(ctx context.Context, name string) (Change, error) {
	stored, err := c.writable(ctx)
	if err != nil {
		return Change{}, err
	}
	i, err := find(stored, name)
	if err != nil {
		return Change{}, err
	}
	removed := stored.Wraps[i]
	left := slices.Delete(slices.Clone(stored.Wraps), i, i+1)
	if err := c.startable(ctx, stored, left); err != nil {
		return Change{}, fmt.Errorf("root key %s stays, because no server could start without it: %w; nothing was changed; add another root key first, or use root-key rotate", removed.RootKey, err)
	}
	next := seal.Stored{Wraps: left}
	return Change{c, stored.Generation, next, nil, domain.EventRootKeyRemoved, "root key " + removed.RootKey, 0}, nil
}

// Replace prepares a wrap of the keyset under a new root key in place of an old one,
// named by its id or URL. If old is "", it is the configured one, if there is only one.
func (c *Custody) Replace(ctx context.Context, old, url string) (Change, error) {
	stored, err := c.writable(ctx)
	if err != nil {
		return Change{}, err
	}
	if old == "" {
		if old, err = c.configured(ctx, stored); err != nil {
			return Change{}, err
		}
	}
	i, err := find(stored, old)
	if err != nil {
		return Change{}, err
	}
	w, err := c.wrap(ctx, url, stored, stored.Wraps[i].RootKey)
	if err != nil {
		return Change{}, err
	}
	what := fmt.Sprintf("root key %s replaced by %s", stored.Wraps[i].RootKey, w.RootKey)
	next := seal.Stored{Wraps: slices.Clone(stored.Wraps)}
	next.Wraps[i] = w
	if c.cfg.RootKeys.OnlyWraps(url) { // any other root key has just opened its wrap
		if err := c.startable(ctx, stored, next.Wraps); err != nil {
			return Change{}, fmt.Errorf("%s is for recovery, and no server could start with what is left: %w; nothing was changed; add it with root-key recovery add", url, err)
		}
	}
	return Change{c, stored.Generation, next, nil, domain.EventRootKeyRotated, what, 0}, nil
}

// startable opens one of the wraps, as a start does, with a configured root key or with
// the URL of a wrap. It fails if none opens. Wraps for recovery do not count, because they
// need an identity that servers do not have.
func (c *Custody) startable(ctx context.Context, stored seal.Stored, wraps []seal.Wrap) error {
	stored.Wraps = slices.DeleteFunc(slices.Clone(wraps), func(w seal.Wrap) bool { return c.cfg.RootKeys.OnlyWraps(w.URL) })
	if len(stored.Wraps) == 0 {
		return errors.New("the database has no other root key that a server can use")
	}
	var own []string
	for _, w := range stored.Wraps {
		own = append(own, w.URL)
	}
	var tried, reasons []string
	for _, url := range slices.Concat(c.cfg.RootKeys.URLs, own) {
		if url == "" || slices.Contains(tried, url) {
			continue
		}
		tried = append(tried, url)
		root, err := c.cfg.RootKeys.Open(ctx, url)
		if err == nil {
			_, err = stored.Open(ctx, root)
		}
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, seal.ErrWrongRootKey):
			reasons = append(reasons, strings.ReplaceAll(err.Error(), "\n", "; "))
		case slices.Contains(own, url):
			reasons = append(reasons, url+" has another key now")
		}
	}
	return fmt.Errorf("the database does not open with %s (%s); give a root key that opens it with --root-key", stored.Names(), strings.Join(reasons, "; "))
}

// configured returns the id of the only root key that is configured and wraps the keyset.
func (c *Custody) configured(ctx context.Context, stored seal.Stored) (string, error) {
	var found []string
	for _, url := range c.cfg.RootKeys.URLs {
		if root, err := c.cfg.RootKeys.Open(ctx, url); err == nil {
			if _, ok := stored.WrapOf(root.ID()); ok {
				found = append(found, root.ID())
			}
		}
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%d of the given root keys wrap the database; say which one is replaced with --from; the database is wrapped by %s", len(found), stored.Names())
	}
	return found[0], nil
}

// wrap wraps the keyset under a root key that does not wrap it yet. The replaced root key
// may wrap the keyset again if its provider has versions of it.
func (c *Custody) wrap(ctx context.Context, url string, stored seal.Stored, replaced string) (seal.Wrap, error) {
	root, err := c.cfg.RootKeys.Open(ctx, url)
	if strings.HasPrefix(url, "file:") && errors.Is(err, fs.ErrNotExist) {
		return seal.Wrap{}, fmt.Errorf("the new root key %s does not exist; nothing was changed; create it with: strongroom root-key create '%s'", url, url)
	}
	if err != nil {
		return seal.Wrap{}, err
	}
	_, versions := root.(interface{ Opens(id string) bool })
	if w, ok := stored.WrapOf(root.ID()); ok && (!versions || root.ID() != replaced) {
		return seal.Wrap{}, c.taken(ctx, w, root, url)
	}
	return c.tested(ctx, c.cfg.Keys, root, url, c.cfg.Now())
}

// taken returns the error for a new root key with the id of a wrap. Two keys of HSMs have
// one id if they have the same label and the same short CKA_ID.
func (c *Custody) taken(ctx context.Context, w seal.Wrap, root seal.RootKey, url string) error {
	if !c.cfg.RootKeys.OnlyWraps(url) {
		_, err := w.Open(ctx, root)
		switch {
		case errors.Is(err, seal.ErrSeal):
			return fmt.Errorf("%s has the id %s of a root key of the database (%s), but is another key: it does not open what that one wrapped; nothing was changed; "+
				"create the key again with another id (in an HSM, with a CKA_ID of 8 random bytes or more); if that root key is lost, run root-key remove %s before you add this one",
				url, root.ID(), cmp.Or(w.URL, "no URL"), root.ID())
		case err != nil:
			return err
		}
	}
	return fmt.Errorf("%s is root key %s, which wraps the database already; give another root key", url, root.ID())
}

// tested wraps a keyset under a root key, and opens the result to test it. A wrap that
// cannot be opened must not replace one that can. If a root key can only wrap, the result
// is not tested.
func (c *Custody) tested(ctx context.Context, keys *seal.Keyset, root seal.RootKey, url string, at time.Time) (seal.Wrap, error) {
	w, err := keys.WrapFor(ctx, root, url, at)
	if err != nil || c.cfg.RootKeys.OnlyWraps(url) {
		return w, err
	}
	if _, err := w.Open(ctx, root); err != nil {
		return w, fmt.Errorf("%s wrapped the keys of the database and cannot open the result; nothing was changed: %w", cmp.Or(url, root.ID()), err)
	}
	return w, nil
}

// writable returns the stored keyset, if it is the one that this process has opened and
// has all its data keys: otherwise the change would drop those that another process added.
// If it is in the format before 0.8, its wrap is made again in the current format.
func (c *Custody) writable(ctx context.Context) (seal.Stored, error) {
	stored, err := c.stored(ctx)
	if err != nil {
		return stored, err
	}
	behind := len(stored.DataKeys) > 0 && !slices.Equal(stored.DataKeys, c.cfg.Keys.DataKeys())
	if behind || !stored.IsSigned(c.cfg.Keys) {
		return stored, errChanged
	}
	if !stored.First() {
		return stored, nil
	}
	for _, url := range c.cfg.RootKeys.URLs {
		root, err := c.cfg.RootKeys.Open(ctx, url)
		if err == nil && root.ID() == stored.Wraps[0].RootKey {
			stored.Wraps[0], err = c.tested(ctx, c.cfg.Keys, root, url, c.cfg.Now())
			return stored, err
		}
	}
	return stored, fmt.Errorf("none of the given root keys is %s", stored.Names())
}

// find returns the wrap under a root key, named by its id or its URL. Several root keys
// have one URL if the key at that place was replaced by another one.
func find(stored seal.Stored, name string) (int, error) {
	if i := slices.IndexFunc(stored.Wraps, func(w seal.Wrap) bool { return w.RootKey == name }); i >= 0 {
		return i, nil
	}
	var at []int
	var ids []string
	for i, w := range stored.Wraps {
		if w.URL == name && name != "" {
			at, ids = append(at, i), append(ids, fmt.Sprintf("%s (added %s)", w.RootKey, w.AddedAt.UTC().Format(time.RFC3339)))
		}
	}
	switch len(at) {
	case 0:
		return 0, fmt.Errorf("%s does not wrap the database, which is wrapped by %s; strongroom root-key list shows all", name, stored.Names())
	case 1:
		return at[0], nil
	}
	return 0, fmt.Errorf("%s is the URL of %d root keys of the database: %s; nothing was changed; name one by its id; root-key list --root-key '%s' shows which one opens the database", name, len(at), strings.Join(ids, " and "), name)
}
