// Package custody looks after the keys of a store: the root keys that wrap its data
// keys, and the data keys themselves. It checks at an interval whether the root keys
// still open the keyset, changes the list of root keys, and follows changes that
// other processes made.
//
// Root keys are asked here and when a process starts. No request waits for one: the
// data keys stay in memory, so a provider that is away is an alert and nothing else.
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
	Instance string // the name of this process, as beats have it
	// Resign renews the MACs of what is not a sealed row, in one transaction each.
	Resign []func(*record.Tx) error
	Busy   func() bool // requests are worked on
	// GenuineBeat checks the MAC of a beat (see [rollback.Running]).
	GenuineBeat func(beat, mac []byte) bool
	Log         *slog.Logger
	Metrics     *metrics.Metrics
	Now         func() time.Time
	Elapsed     func() time.Duration // a clock that cannot be set
}

// Custody looks after the keys of one store. It is safe for concurrent use.
type Custody struct {
	cfg Config

	mu     sync.Mutex
	status []domain.RootKey // of the configured root keys, at the last check

	following  sync.Mutex
	followed   []byte        // the stored keyset that was learnt last; guarded by following, as all below
	generation int64         // of it
	moving     bool          // there is more than one data key
	retry      time.Duration // when root keys are asked again for data keys that could not be learnt
	told       time.Time
	looked     atomic.Int64 // when the stored keyset was read last, by [Config.Elapsed]
	serving    atomic.Bool
}

// New returns the custody of a store whose keyset is open.
func New(cfg Config) *Custody {
	c := &Custody{cfg: cfg}
	c.looked.Store(int64(cfg.Elapsed()))
	return c
}

// stored reads the keyset as the store keeps it.
func (c *Custody) stored(ctx context.Context) (seal.Stored, error) {
	return record.View(ctx, c.cfg.Records, func(tx *record.Tx) (seal.Stored, error) { return record.StoredKeyset(tx) })
}

// Check asks the provider of each configured root key to open the keyset, as a
// restart would.
func (c *Custody) Check(ctx context.Context) error {
	stored, err := c.stored(ctx)
	if err != nil {
		return err
	}
	status := make([]domain.RootKey, len(c.cfg.RootKeys.URLs))
	for i, url := range c.cfg.RootKeys.URLs {
		status[i] = c.check(ctx, url, stored)
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

// report measures the state of a root key, and logs a change of it.
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
// the first one it is so, because this process has just opened it.
func (c *Custody) Up() bool {
	all := c.RootKeys()
	return len(all) == 0 || slices.ContainsFunc(all, domain.RootKey.Up)
}
