package service

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/clock"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/custody"
	"strongroom/internal/domain"
	"strongroom/internal/fill"
	"strongroom/internal/guessing"
	"strongroom/internal/issuer"
	"strongroom/internal/keycache"
	"strongroom/internal/keypool"
	"strongroom/internal/metrics"
	"strongroom/internal/operator"
	"strongroom/internal/outbox"
	"strongroom/internal/ratelimit"
	"strongroom/internal/record"
	"strongroom/internal/rollback"
	"strongroom/internal/rotation"
	"strongroom/internal/tally"
	"strongroom/internal/trail"
	"strongroom/internal/vault"
	"strongroom/internal/witness"
	"strongroom/internal/workpool"
)

// Open unlocks the store, which must be migrated, and returns a Service. If the
// database has no keyset, Open creates one. [Service.Start] starts the background
// work.
func Open(ctx context.Context, cfg Config) (*Service, error) {
	cfg.fill()
	is, err := record.Lock{Store: cfg.Store, RootKeys: cfg.RootKeys, Mode: cfg.Mode, Log: cfg.Log}.Unlock(ctx)
	if err != nil {
		return nil, err
	}
	cfg.Mode = is.Mode
	s := &Service{cfg: cfg, keys: is.Keys, home: is.Home}
	s.openTrail()
	s.clocks = clock.New(clock.Config{OwnClock: s.shared(), Now: cfg.Now, Elapsed: cfg.Elapsed, Log: cfg.Log, Metrics: cfg.Metrics})
	s.keyCache = keycache.New(cfg.KeyCache)
	s.outbox = outbox.New(s.keys, s.home)
	s.records = record.New(record.Config{Store: s.guard, Writers: cfg.Writers, Keys: s.keys, Trail: s.chains, Mode: cfg.Mode, Cell: cfg.Cell,
		Attempts: cfg.Attempts, Steady: s.clocks.Steady, Outbox: s.outbox, Erased: s.keyCache.Drop, Counted: s.counted,
		Log: cfg.Log, Tampered: cfg.Metrics.Tampering, Now: cfg.Now})
	if err := errors.Join(s.records.CheckKeyset(ctx), s.records.LearnEpoch(ctx)); err != nil {
		return nil, err
	}
	s.round = record.NewRound(s.records)
	s.plans = rotation.New(s.records, s.keys, cfg.Now)
	s.openCustody()
	s.issuer = issuer.New(issuer.Config{Records: s.records, URL: cfg.IssuerURL, TTL: cfg.SigningKeyTTL, Now: cfg.Now})
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
	return s, nil
}

// fill sets defaults. All keys in the pool are RSA keys, so without RSA there is no
// pool.
func (c *Config) fill() {
	if !slices.Contains(c.Algorithms, devicekey.RSAOAEP256) {
		c.KeyPool = 0
	}
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

// openTrail names the chains that this process appends to, and guards the store.
// Processes that share a store have chains of their own, so that they do not
// contend for one head.
func (s *Service) openTrail() {
	s.chains = audit.Trail{Chain: s.home, Key: s.keys}
	names := []string{s.home}
	if s.shared() {
		s.chains.Chain, s.chains.Shared, names = domain.NewID(), true, nil
		for writer := range s.cfg.Writers {
			name := s.chains.Of(writer)
			if s.cfg.ChainOf != nil {
				name = s.cfg.ChainOf(s.chains.Chain, writer)
			}
			names = append(names, name)
		}
		s.chains.Names = names
	}
	s.rollup = metrics.NewRollup(s.chains.Chain, names...)
	s.guardStore()
}

const (
	// How long a request waits for a worker. Generating a key pair takes tens of
	// times as long as verifying. It has workers of its own, so that many new devices
	// do not delay verifications.
	verifyWait   = 5 * time.Second
	generateWait = 30 * time.Second

	// The nice values of the workers' threads (setpriority(2)). They are lower in
	// priority than the threads that serve requests, which need a processor often and
	// briefly.
	verifyNice   = 5
	generateNice = 10
)

// openCustody looks after the data keys from now on.
func (s *Service) openCustody() {
	s.custody = custody.New(custody.Config{Records: s.records, Keys: s.keys, RootKeys: s.cfg.RootKeys, Instance: s.chains.Chain,
		Resign: []custody.Resign{s.outbox.Resign, custody.AtOnce(s.plans.Resign),
			custody.AtOnce((*record.Tx).ResignEpoch), custody.AtOnce((*record.Tx).ResealMoveKey)},
		Busy:        func() bool { return s.verifying.State().Busy > 0 },
		GenuineBeat: s.genuineBeat, Report: s.report,
		Log: s.cfg.Log, Metrics: s.cfg.Metrics, Now: s.cfg.Now, Elapsed: s.cfg.Elapsed})
	s.records.FollowKeys(s.custody.Fresh, s.custody.Renewed)
}

// runningChains are the chains of the instances that run on the store.
func (s *Service) runningChains(tx *record.Tx) ([]string, error) {
	beats, err := tx.Settings(rollback.BeatPrefix)
	return rollback.RunningChains(beats, s.genuineBeat, tx.Now()), err
}

func (s *Service) genuineBeat(beat, mac []byte) bool { return s.keys.VerifyMAC(beatLabel, beat, mac) }

func (s *Service) openWorkers() {
	s.verifying = s.newWorkers(metrics.WorkOnCredentials, verifyNice, verifyWait)
	s.generating = s.newWorkers(metrics.WorkOnKeys, generateNice, generateWait)
	s.keyPool = keypool.New(keypool.Config{Size: s.cfg.KeyPool, Bits: s.cfg.KeyBits, Generate: s.cfg.NewPrivateKey,
		Workers: s.generating, Log: s.cfg.Log, Metrics: s.cfg.Metrics})
	s.generations = ratelimit.NewKeyGeneration(s.cfg.KeyCounterEntries)
}

func (s *Service) newWorkers(work string, nice int, wait time.Duration) *workpool.Pool {
	return workpool.New(workpool.Config{MaxWaiting: s.cfg.MaxWaiting, Size: s.cfg.Workers, Nice: nice, Wait: wait,
		Waiting: s.cfg.Metrics.Waiting, Metrics: s.cfg.Metrics.WorkPool(work), Idle: s.rest})
}

// openUseCases creates the use cases and the parts that they share.
func (s *Service) openUseCases() {
	cfg := s.cfg
	s.tally = tally.New(tally.Config{Records: s.records, Rollup: s.rollup, Shared: s.shared(), Now: cfg.Now, Log: cfg.Log, Metrics: cfg.Metrics})
	guesses := guessing.New(guessing.Config{Device: s.guessingDevice, Enter: s.tally.Enter, Log: cfg.Log, Metrics: cfg.Metrics, Now: cfg.Now})
	s.Upkeep = trail.New(trail.Config{Records: s.records, Keys: s.keys, Plans: s.plans, Trail: s.chains, Home: s.home,
		Running: s.runningChains, Checkpoints: cfg.Checkpoints, Retention: cfg.AuditRetention, Now: cfg.Now, Log: cfg.Log, Metrics: cfg.Metrics})
	s.witness = witness.New(witness.Config{Settings: cfg.Witness, Records: s.records, Memory: s.guard, Keys: s.keys, Home: s.home,
		Checkpoints: cfg.Checkpoints.Kept, Log: cfg.Log, Metrics: cfg.Metrics})
	s.Vault = vault.New(vault.Config{Settings: cfg.Settings, Mode: cfg.Mode, Records: s.records, Keys: s.keys, Plans: s.plans,
		Tally: s.tally, Guessing: guesses, Guard: s.guard, Issuer: s.issuer, Verifying: s.verifying, Generating: s.generating, KeyPool: s.keyPool,
		KeyCache: s.keyCache, Generations: s.generations, NewPrivateKey: cfg.NewPrivateKey, Log: cfg.Log, Metrics: cfg.Metrics, Now: cfg.Now})
	forOperators := operator.Config{Records: s.records, Keys: s.keys, Plans: s.plans, Issuer: s.issuer, Custody: s.custody, Outbox: s.outbox, Tally: s.tally, Guessing: guesses,
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

// guessingDevice is the hash of a device for package guessing. Unlike the hash in
// the trail it does not depend on the account.
func (s *Service) guessingDevice(deviceID string) [16]byte {
	return s.keys.Hash("guessing device v1", []byte(deviceID))
}

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
		Algorithm: s.cfg.Algorithms[0], KeyBits: s.cfg.KeyBits, KeyTTL: s.cfg.KeyTTL, Verifier: s.cfg.Verifier, Now: s.cfg.Now})
}
