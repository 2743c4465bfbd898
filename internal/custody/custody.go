// Package custody manages the keys of a store: the root keys that wrap its data keys,
// and the data keys themselves. It checks at an interval whether the root keys still
// open the keyset, changes the list of root keys, and follows changes by other
// processes.
//
// Root keys are used only here and when a process starts. No request waits for one: the
// data keys stay in memory, so a provider that is down only causes an alert.
package custody

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
)

// Config configures [New]. Every field is required.
type Config struct {
	Records  *record.Records
	Keys     *seal.Keyset // the data keys in use; only this package replaces them
	RootKeys record.RootKeys
	Instance string // name of this process, the same as in its beats
	// Resign renew the MACs of everything that is not a sealed row.
	Resign []Resign
	Busy   func() bool // reports whether requests are in progress
	// GenuineBeat checks the MAC of a beat (see [rollback.Running]).
	GenuineBeat func(beat, mac []byte) bool
	Report      func(work string, err error) // logs a failure of background work
	Log         *slog.Logger
	Metrics     *metrics.Metrics
	Now         func() time.Time
	Elapsed     func() time.Duration // monotonic clock
}

// Resign renews the MACs of the next values after a place, "" at first, and returns the
// place to continue after; "": it is done.
type Resign func(tx *record.Tx, after string) (next string, err error)

// AtOnce is a [Resign] of few values.
func AtOnce(do func(*record.Tx) error) Resign {
	return func(tx *record.Tx, _ string) (string, error) { return "", do(tx) }
}

// Custody manages the keys of one store. It is safe for concurrent use.
type Custody struct {
	cfg Config

	mu     sync.Mutex
	status []domain.RootKey // of the configured root keys, at the last check; guarded by mu

	following  sync.Mutex    // guards the next five fields
	followed   []byte        // the stored keyset that was loaded last
	generation int64         // of followed
	moving     bool          // the stored keyset has more than one data key
	retry      time.Duration // when to try again to load new data keys, by [Config.Elapsed]
	told       time.Time     // when tell last wrote
	looked     atomic.Int64  // when the stored keyset was read last, by [Config.Elapsed]
	serving    atomic.Bool
}

// New returns the custody of a store whose keyset is open.
func New(cfg Config) *Custody {
	c := &Custody{cfg: cfg}
	c.looked.Store(int64(cfg.Elapsed()))
	return c
}

// stored reads the stored keyset.
func (c *Custody) stored(ctx context.Context) (seal.Stored, error) {
	return record.View(ctx, c.cfg.Records, func(tx *record.Tx) (seal.Stored, error) { return record.StoredKeyset(tx) })
}

// Check opens the stored keyset with each configured root key, as a restart would.
func (c *Custody) Check(ctx context.Context) error {
	stored, err := c.stored(ctx)
	if err != nil {
		return err
	}
	status := make([]domain.RootKey, len(c.cfg.RootKeys.URLs))
	for i, url := range c.cfg.RootKeys.URLs {
		status[i] = c.check(ctx, url, stored)
	}
	if err := ctx.Err(); err != nil {
		return err // a check that was cancelled says nothing about the root keys
	}
	c.mu.Lock()
	before := c.status
	c.status = status
	c.mu.Unlock()
	c.cfg.Metrics.RootKeyUp(slices.ContainsFunc(status, domain.RootKey.Up))
	for _, is := range status {
		c.report(is, before)
	}
	return nil
}

func (c *Custody) check(ctx context.Context, url string, stored seal.Stored) domain.RootKey {
	is := domain.RootKey{URL: url, CheckedAt: c.cfg.Now()}
	root, err := c.cfg.RootKeys.Open(ctx, url)
	if err == nil {
		is.ID = root.ID()
		w, _ := stored.WrapOf(is.ID)
		is.AddedAt = w.AddedAt
		_, err = stored.Open(ctx, root)
	}
	if err != nil {
		is.Problem, is.Reason = err.Error(), c.cfg.RootKeys.Reason(err)
	}
	return is
}

// report sets the metrics of a root key, and logs a change of its state.
func (c *Custody) report(is domain.RootKey, before []domain.RootKey) {
	c.cfg.Metrics.RootKey(is)
	i := slices.IndexFunc(before, func(was domain.RootKey) bool { return was.URL == is.URL })
	wasUp := i < 0 || before[i].Up()
	switch {
	case !is.Up() && (wasUp || before[i].Reason != is.Reason):
		c.cfg.Log.Error("a root key does not open the database: this process continues, and a restart that finds no other root key will fail",
			"root_key", is.URL, "reason", is.Reason, "error", is.Problem)
	case is.Up() && !wasUp:
		c.cfg.Log.Info("the root key opens the database again", "root_key", is.URL)
	}
}

// RootKeys returns the configured root keys as they were at the last check.
func (c *Custody) RootKeys() []domain.RootKey {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.status)
}

// Up reports whether a configured root key opened the keyset at the last check. Before
// the first check it is true, because this process has just opened the keyset.
func (c *Custody) Up() bool {
	all := c.RootKeys()
	return len(all) == 0 || slices.ContainsFunc(all, domain.RootKey.Up)
}
