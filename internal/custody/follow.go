package custody

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/rollback"
)

// A process must have a data key before another process uses it, and must use a new
// primary data key soon. So each process reads the stored keyset at an interval, and
// before a write if it last read it more than freshFor ago. While there is more than one
// data key, servers also write to the database which generation they have loaded.

const (
	freshFor    = 5 * time.Second  // how long a process relies on the keyset that it last read
	learnAgain  = 10 * time.Second // between attempts to load new data keys
	tellEvery   = time.Second      // between two writes of told
	toldFor     = 5 * time.Second  // an older told does not count, nor one from before a clock was set back
	firstTold   = 3 * time.Second  // within this time, every running server writes told
	followWait  = 2 * time.Minute  // how long AwaitFollowed waits
	followLook  = 250 * time.Millisecond
	settingTold = "keyset/" // and the name of the instance
)

// told is what a server writes about itself.
type told struct {
	Generation int64 `json:"generation"`
	At         int64 `json:"at"` // microseconds since 1970, by the store's clock
}

// Serve marks this process as a server, for which [Custody.AwaitFollowed] waits.
func (c *Custody) Serve() { c.serving.Store(true) }

// Glance reads the stored keyset through view, and calls [Custody.Follow] if it changed.
// It holds no lock while view waits.
func (c *Custody) Glance(ctx context.Context, view record.Viewer) error {
	began := c.cfg.Elapsed()
	c.following.Lock()
	followed := c.followed
	c.following.Unlock()
	changed := false
	err := view(ctx, func(tx *record.Tx) (err error) {
		changed, err = record.KeysetChanged(tx, followed)
		return err
	})
	switch {
	case err != nil:
		return err
	case changed:
		return c.Follow(ctx)
	}
	c.following.Lock()
	defer c.following.Unlock()
	c.looked.Store(max(c.looked.Load(), int64(began)))
	return c.tell(ctx)
}

// Follow reads the stored keyset, and takes over changes by other processes: data keys
// that were added, made primary or destroyed. It uses a root key only if there are new
// data keys.
func (c *Custody) Follow(ctx context.Context) error {
	c.following.Lock()
	defer c.following.Unlock()
	began := c.cfg.Elapsed()
	changed, err := record.View(ctx, c.cfg.Records, func(tx *record.Tx) (bool, error) {
		tx.Final()
		return record.KeysetChanged(tx, c.followed)
	})
	if err == nil && changed {
		err = c.read(ctx)
	}
	if err != nil {
		return err
	}
	c.looked.Store(int64(began))
	return c.tell(ctx)
}

// read reads the stored keyset and takes over its data keys.
func (c *Custody) read(ctx context.Context) error {
	var stored seal.Stored
	text, err := record.View(ctx, c.cfg.Records, func(tx *record.Tx) (text []byte, err error) {
		text, stored, err = record.KeysetText(tx)
		return text, err
	})
	if err != nil {
		return err
	}
	return c.learn(ctx, text, stored) // which takes over nothing of an older keyset
}

// learn takes over the data keys of the stored keyset. While that fails, this process
// continues with those that it has, if it uses the primary one.
func (c *Custody) learn(ctx context.Context, text []byte, stored seal.Stored) error {
	first := c.followed == nil
	if !first && stored.Generation <= c.generation { // each change increases it
		return fmt.Errorf("the stored keyset was put back from generation %d to %d: it is ignored; someone edited the database; "+
			"restore it from a backup and keep the root key", c.generation, stored.Generation)
	}
	c.moving = len(stored.DataKeys) > 1
	if len(stored.DataKeys) > 0 && !slices.Equal(stored.DataKeys, c.cfg.Keys.DataKeys()) {
		keys, err := c.newKeys(ctx, stored)
		if err != nil {
			if c.isPrimary(stored) {
				return nil
			}
			return fmt.Errorf("learning the data key that is now in use: %w", err)
		}
		c.cfg.Keys.Become(keys)
		c.cfg.Log.Info("data keys changed", "generation", stored.Generation, "data_keys", len(keys.DataKeys()))
	}
	c.followed, c.generation = text, stored.Generation
	if first {
		return nil
	}
	return c.Check(ctx) // a root key of this process may have been removed
}

// newKeys returns the data keys of the stored keyset. If this process has all of them,
// it does not use a root key.
func (c *Custody) newKeys(ctx context.Context, stored seal.Stored) (*seal.Keyset, error) {
	if slices.EqualFunc(stored.DataKeys, c.cfg.Keys.DataKeys(), func(a, b seal.DataKey) bool { return a.ID == b.ID }) {
		return stored.Applied("of this process", c.cfg.Keys)
	}
	if now := c.cfg.Elapsed(); now < c.retry {
		return nil, errors.New("the last try failed some seconds ago")
	}
	keys, err := c.reachable(stored).Unwrap(ctx, stored)
	if err != nil {
		c.retry = c.cfg.Elapsed() + learnAgain
		c.cfg.Log.Error("new data keys cannot be learnt: a rotation waits for this process", "error", err)
	}
	return keys, err
}

// reachable returns the configured root keys, and those that an operator has added or
// rotated to since this process started. A data key of this process authenticates their
// URLs, so someone who can only write to the database cannot add one.
func (c *Custody) reachable(stored seal.Stored) record.RootKeys {
	keys := c.cfg.RootKeys
	keys.URLs = slices.Clone(keys.URLs)
	for _, w := range stored.Wraps {
		if w.URL != "" && stored.IsSigned(c.cfg.Keys) && !keys.OnlyWraps(w.URL) && !slices.Contains(keys.URLs, w.URL) {
			keys.URLs = append(keys.URLs, w.URL)
		}
	}
	return keys
}

// tell writes to the database which generation this server has loaded.
func (c *Custody) tell(ctx context.Context) error {
	if !c.serving.Load() || !c.moving || c.cfg.Now().Sub(c.told) < tellEvery {
		return nil
	}
	err := c.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error {
		text, err := json.Marshal(told{c.generation, domain.Micros(tx.Now())})
		if err != nil {
			return err
		}
		return tx.PutSetting(settingTold+c.cfg.Instance, text)
	})
	if err == nil {
		c.told = c.cfg.Now()
	}
	return err
}

// Fresh makes sure that this process uses the primary data key. Call it before a write,
// and do not write if it fails.
func (c *Custody) Fresh(ctx context.Context) error {
	if c.cfg.Elapsed()-time.Duration(c.looked.Load()) < freshFor {
		return nil
	}
	if !c.following.TryLock() {
		return c.usesPrimary(ctx)
	}
	c.following.Unlock()
	return c.Follow(ctx)
}

// usesPrimary fails if this process does not use the primary data key of the store. Fresh
// calls it while another goroutine holds following, because that goroutine can wait for
// the provider of a root key.
func (c *Custody) usesPrimary(ctx context.Context) error {
	stored, err := c.stored(ctx)
	if err == nil && len(stored.DataKeys) > 0 && !c.isPrimary(stored) { // none: a version before 0.8 stored it
		err = errors.New("this process is still learning the data key that is now in use")
	}
	return err
}

// isPrimary reports whether this process uses the primary data key of a stored keyset.
func (c *Custody) isPrimary(stored seal.Stored) bool {
	used, _ := primaryOf(c.cfg.Keys.DataKeys())
	primary, _ := primaryOf(stored.DataKeys)
	return used == primary
}

// Renewed reads the stored keyset after a record was refused, and reports whether the
// data keys changed. Then the record may be genuine.
func (c *Custody) Renewed(ctx context.Context) bool {
	before := c.cfg.Keys.DataKeys()
	return c.Follow(ctx) == nil && !slices.Equal(before, c.cfg.Keys.DataKeys())
}

// AwaitFollowed waits until all running servers have loaded a generation, for at most
// followWait. It calls waiting repeatedly with the names of those that have not.
func (c *Custody) AwaitFollowed(ctx context.Context, generation int64, waiting func(instances []string)) error {
	began := time.Now()
	for {
		behind, err := c.behind(ctx, generation)
		switch {
		case ctx.Err() != nil:
			return errors.New("interrupted: the new data key is stored and not used yet; run the command again")
		case err != nil:
			return err
		case len(behind) == 0 && time.Since(began) > firstTold:
			return nil
		case time.Since(began) > followWait:
			return fmt.Errorf("instance %s has not learnt the new data key within %v: look at its log; instances of a version before 0.8 must be upgraded first; "+
				"the new data key is stored and not used yet; run the command again", strings.Join(behind, ", "), followWait)
		}
		if len(behind) > 0 {
			waiting(behind)
		}
		select {
		case <-ctx.Done():
		case <-time.After(followLook):
		}
	}
}

// behind returns the names of the running servers that have not loaded a generation.
func (c *Custody) behind(ctx context.Context, generation int64) (names []string, err error) {
	err = c.cfg.Records.View(ctx, func(tx *record.Tx) error {
		names = nil
		rows, err := tx.Settings(settingTold)
		if err != nil {
			return err
		}
		beats, err := tx.Settings(rollback.BeatPrefix)
		if err != nil {
			return err
		}
		running := rollback.Running(beats, c.cfg.GenuineBeat, tx.Now())
		for name, text := range rows {
			var t told
			instance := strings.TrimPrefix(name, settingTold)
			if json.Unmarshal(text, &t) != nil || tx.Now().Sub(domain.FromMicros(t.At)).Abs() > toldFor {
				continue // if it is running, its beat names it
			}
			running = slices.DeleteFunc(running, func(r string) bool { return r == instance })
			if t.Generation < generation {
				names = append(names, instance)
			}
		}
		names = append(names, running...)
		slices.Sort(names)
		return nil
	})
	return names, err
}
