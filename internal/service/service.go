// Package service puts a running Strongroom together: it opens a store, gives the
// use cases of callers and operators what they share, and runs the work in the
// background.
//
// What a caller may ask for is in package vault, what an operator may ask for in
// package operator. Here is only who gets what, and what begins and ends when.
package service

import (
	"cmp"
	"context"
	"crypto/rsa"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/clock"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/fill"
	"strongroom/internal/guessing"
	"strongroom/internal/jobs"
	"strongroom/internal/keycache"
	"strongroom/internal/keypool"
	"strongroom/internal/metrics"
	"strongroom/internal/operator"
	"strongroom/internal/outbox"
	"strongroom/internal/ratelimit"
	"strongroom/internal/record"
	"strongroom/internal/rollback"
	"strongroom/internal/rotation"
	"strongroom/internal/store"
	"strongroom/internal/tally"
	"strongroom/internal/trail"
	"strongroom/internal/vault"
	"strongroom/internal/witness"
	"strongroom/internal/workpool"
)

// Config is what a Service is made of. Every field is required unless it says
// otherwise.
type Config struct {
	Store store.Store
	// Writers is how many transactions can write to the store at a time through
	// Store; 1 where only one can, by all processes together.
	Writers int
	// RootKey gives the key that wraps the data keyset. It is called with
	// create true only for a database that holds no keyset yet, and may then
	// make the key.
	RootKey func(create bool) (seal.RootKey, error)

	Mode domain.Mode // of the store's accounts; empty: whatever the store holds
	vault.Settings

	MaxWaiting int // requests for RSA and Argon2id work at once
	Lanes      int // of them running at once: as many as cores
	KeyPool    int // key pairs kept ready; 0 = none
	KeyCache   int // opened private keys kept in memory; 0 = none

	Checkpoints    trail.Checkpoints // of the audit trail
	Witness        witness.Settings  // a file outside the store that names the newest entries of the trail
	Webhook        *Webhook          // nil: the events that the server on this store sends are put into the outbox
	AuditRetention time.Duration     // how long its entries are kept; 0 = for ever

	SchemaVersion int64 // of the store, to be shown

	Log     *slog.Logger
	Metrics *metrics.Metrics
	// Now is the clock of what is kept in memory. The store's clock decides
	// everything else. Only tests set it to anything but time.Now.
	Now func() time.Time
	// Elapsed is the time that has passed, by a clock that nobody can set (see
	// [clock.Elapsed]). Only tests set it.
	Elapsed func() time.Duration
	// Rested is called when nothing was decrypted, hashed or generated for half a
	// minute: memory can be given back. It may be nil.
	Rested func()
	// NewPrivateKey makes an RSA key. Only tests, which have a stock of ready
	// keys, set it to anything but devicekey.Generate.
	NewPrivateKey func(bits int) (*rsa.PrivateKey, error)
}

// Service is the use cases on one store and the work beside them. It is safe for
// concurrent use.
type Service struct {
	*vault.Vault
	*operator.UseCases
	*trail.Upkeep

	cfg    Config // its Store is guard
	guard  *rollback.Store
	keys   *seal.Keyset
	home   string      // the first chain of the trail
	chains audit.Trail // those of this process

	records *record.Records
	clocks  *clock.Clocks
	plans   *rotation.Plans
	outbox  *outbox.Outbox
	rollup  *metrics.Rollup
	tally   *tally.Tally
	witness *witness.Witness

	verifying   *workpool.Pool // for decrypting and hashing
	generating  *workpool.Pool // for generating key pairs
	keyPool     *keypool.Pool
	keyCache    *keycache.Cache
	generations *ratelimit.KeyGeneration

	background  *jobs.Runner // nil: not started
	rooted      time.Time    // when the root key was last looked for
	rootKeyGone atomic.Bool  // when it was last looked for
}

// Open unlocks the store (which must be migrated) and returns a Service on it.
// On a database without a keyset it makes one. It starts nothing: see
// [Service.Start].
func Open(ctx context.Context, cfg Config) (*Service, error) {
	cfg.fill()
	is, err := record.Lock{Store: cfg.Store, RootKey: cfg.RootKey, Mode: cfg.Mode, Log: cfg.Log}.Unlock(ctx)
	if err != nil {
		return nil, err
	}
	cfg.Mode = is.Mode
	s := &Service{cfg: cfg, keys: is.Keys, home: is.Home}
	s.openTrail()
	s.clocks = clock.New(clock.Config{OwnClock: s.shared(), Now: cfg.Now, Elapsed: cfg.Elapsed, Log: cfg.Log, Metrics: cfg.Metrics})
	s.keyCache = keycache.New(cfg.KeyCache)
	s.outbox = outbox.New(s.keys, s.home)
	s.records = record.New(record.Config{Store: s.guard, Writers: cfg.Writers, Keys: s.keys, Trail: s.chains, Mode: cfg.Mode,
		Attempts: cfg.Attempts, Steady: s.clocks.Steady, Outbox: s.outbox, Erased: s.keyCache.Drop, Counted: s.counted,
		Log: cfg.Log, Tampered: cfg.Metrics.Tampering, Now: cfg.Now})
	s.plans = rotation.New(s.records, s.keys, cfg.Now)
	if err := s.clocks.Look(ctx, s.records); err != nil {
		return nil, err
	}
	w := cmp.Or(cfg.Webhook, &Webhook{})
	if err := s.outbox.Open(ctx, s.records, w.Events, cfg.Webhook == nil); err != nil {
		return nil, err
	}
	s.openWorkers()
	s.openUseCases()
	s.watchMetrics()
	s.rooted = cfg.Now()
	return s, nil
}

// fill fills in what only tests set.
func (c *Config) fill() {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Elapsed == nil {
		c.Elapsed = clock.Elapsed
	}
	if c.Rested == nil {
		c.Rested = func() {}
	}
	if c.NewPrivateKey == nil {
		c.NewPrivateKey = devicekey.Generate
	}
}

// shared reports whether other processes write to the store beside this one.
func (s *Service) shared() bool { return s.cfg.Writers > 1 }

// openTrail names the chains that this process appends to, and guards the store.
// Where processes share a store, each has chains of its own, so that none
// contends with another for the head of one.
func (s *Service) openTrail() {
	s.chains = audit.Trail{Chain: s.home, Key: s.keys}
	names := []string{s.home}
	if s.shared() {
		s.chains.Chain, s.chains.Shared, names = domain.NewID(), true, nil
		for writer := range s.cfg.Writers {
			names = append(names, s.chains.Of(writer))
		}
	}
	s.rollup = metrics.NewRollup(s.chains.Chain, names...)
	s.guardStore()
}

const (
	// How long a request waits for a worker. Generating a key pair takes tens of
	// times as long as verifying, and has workers of its own, so that many new devices
	// at once do not delay those who verify.
	verifyWait   = 5 * time.Second
	generateWait = 30 * time.Second

	// How far the priority of the workers' threads is below that of the threads that
	// serve requests, which need a processor often and briefly, in steps of
	// setpriority(2).
	verifyNice   = 5
	generateNice = 10
)

func (s *Service) openWorkers() {
	s.verifying = s.newWorkers(metrics.WorkOnCredentials, verifyNice, verifyWait)
	s.generating = s.newWorkers(metrics.WorkOnKeys, generateNice, generateWait)
	s.keyPool = keypool.New(keypool.Config{Size: s.cfg.KeyPool, Bits: s.cfg.KeyBits, Generate: s.cfg.NewPrivateKey,
		Workers: s.generating, Log: s.cfg.Log, Metrics: s.cfg.Metrics})
	s.generations = ratelimit.NewKeyGeneration(s.cfg.KeyCounterEntries)
}

func (s *Service) newWorkers(work string, nice int, wait time.Duration) *workpool.Pool {
	return workpool.New(workpool.Config{MaxWaiting: s.cfg.MaxWaiting, Size: s.cfg.Lanes, Nice: nice, Wait: wait, Log: s.cfg.Log,
		Waiting: s.cfg.Metrics.Waiting, Metrics: s.cfg.Metrics.WorkPool(work), Idle: s.rest})
}

// rest forgets what only work needs, once there has been none for a while.
func (s *Service) rest() {
	if s.verifying.AtRest() && s.generating.AtRest() {
		s.keyCache.Clear()
		s.cfg.Rested()
	}
}

// openUseCases makes the use cases and what they share.
func (s *Service) openUseCases() {
	cfg := s.cfg
	s.tally = tally.New(tally.Config{Records: s.records, Rollup: s.rollup, Shared: s.shared(), Now: cfg.Now, Log: cfg.Log, Metrics: cfg.Metrics})
	guesses := guessing.New(guessing.Config{Device: s.guessingDevice, Enter: s.tally.Enter, Log: cfg.Log, Metrics: cfg.Metrics, Now: cfg.Now})
	s.Upkeep = trail.New(trail.Config{Records: s.records, Keys: s.keys, Plans: s.plans, Trail: s.chains, Home: s.home,
		Checkpoints: cfg.Checkpoints, Retention: cfg.AuditRetention, Now: cfg.Now, Log: cfg.Log, Metrics: cfg.Metrics})
	s.witness = witness.New(witness.Config{Settings: cfg.Witness, Records: s.records, Memory: s.guard, Keys: s.keys, Home: s.home,
		LastCheckpoint: cfg.Checkpoints.Last, Log: cfg.Log})
	s.Vault = vault.New(vault.Config{Settings: cfg.Settings, Mode: cfg.Mode, Records: s.records, Keys: s.keys, Plans: s.plans,
		Tally: s.tally, Guessing: guesses, Guard: s.guard, Verifying: s.verifying, Generating: s.generating, KeyPool: s.keyPool,
		KeyCache: s.keyCache, Generations: s.generations, NewPrivateKey: cfg.NewPrivateKey, Log: cfg.Log, Metrics: cfg.Metrics, Now: cfg.Now})
	forOperators := operator.Config{Records: s.records, Keys: s.keys, Plans: s.plans, Outbox: s.outbox, Tally: s.tally, Guessing: guesses,
		Trail: s.Upkeep, Mode: cfg.Mode, Attempts: cfg.Attempts, Ready: s.Ready, Process: s.process,
		Background: func() bool { return s.background != nil }, Report: s.report, Log: cfg.Log, Metrics: cfg.Metrics, Now: cfg.Now}
	if !cfg.KeyCounterInStore {
		forOperators.KeyGenerations = s.generations
	}
	if w := cfg.Webhook; w != nil && len(w.Events) > 0 {
		forOperators.Webhook = w.Status
	}
	s.UseCases = operator.New(forOperators)
}

// guessingDevice is the hash of a device that is watched for guesses. It is not
// the one of the trail, which is about one account.
func (s *Service) guessingDevice(deviceID string) [16]byte {
	return s.keys.Hash("guessing device v1", []byte(deviceID))
}

// CheckWitness is [witness.Witness.Check].
func (s *Service) CheckWitness(ctx context.Context) error { return s.witness.Check(ctx) }

// Fill fills the store with synthetic records (see [fill.Filler.Fill]), and stops
// the service.
func (s *Service) Fill(ctx context.Context, want fill.Amounts, progress func(what string, done, of int64)) error {
	if err := s.filler().Fill(ctx, want, progress); err != nil {
		return err
	}
	return s.Stop(ctx)
}

// Filled is [fill.Filler.Filled].
func (s *Service) Filled(ctx context.Context) (devices int, err error) { return s.filler().Filled(ctx) }

func (s *Service) filler() *fill.Filler {
	return fill.New(fill.Config{Records: s.records, Rollup: s.rollup, KeyPool: s.keyPool, Workers: s.verifying, Mode: s.cfg.Mode,
		KeyBits: s.cfg.KeyBits, KeyTTL: s.cfg.KeyTTL, Verifier: s.cfg.Verifier, Now: s.cfg.Now})
}

// Stop ends the background work and writes what it still held. Call it after
// the last request and before closing the store.
func (s *Service) Stop(ctx context.Context) error {
	if s.background != nil {
		s.background.Stop()
	}
	err := s.tally.Flush(ctx, true) // first: a generation that nobody waits for can take long to end
	err = errors.Join(err, s.guard.EndBeats(ctx))
	s.verifying.Close()
	s.generating.Close()
	s.keyPool.Empty()
	return errors.Join(err, s.tally.Flush(ctx, true), s.witness.Write(ctx))
}

// Ready reports whether the service can serve: the store answers and takes
// writes, the keyset was opened (or there would be no Service), and the store
// was not put back to an earlier state.
func (s *Service) Ready(ctx context.Context) error {
	err := s.cfg.Store.Ping(ctx)
	if s.guard.Seen() {
		err = rollback.ErrSeen
	}
	s.cfg.Metrics.StoreUp(err == nil)
	return err
}

// counted logs and counts locks that have just arisen, and attempts that count as
// failures because their process died.
func (s *Service) counted(ctx context.Context, keyID string, c *record.Counter) {
	s.cfg.Metrics.TriesLapsed(c.Lapsed())
	for _, event := range c.Locks() {
		t := c.State().Type
		if event == domain.EventDeviceLocked {
			s.cfg.Metrics.DeviceLocked(t)
			s.cfg.Log.WarnContext(ctx, "device locked", "type", t, "key", keyID)
			continue
		}
		s.cfg.Metrics.Locked(t)
		s.cfg.Log.WarnContext(ctx, "credential locked", "type", t, "key", keyID)
	}
}
