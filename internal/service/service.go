// Package service puts a running Strongroom together: it opens a store, gives the
// use cases of callers and operators what they share, and runs the work in the
// background.
//
// The use cases themselves are in packages vault and operator. This package only
// connects the parts, and starts and stops them.
package service

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/clock"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/custody"
	"strongroom/internal/domain"
	"strongroom/internal/issuer"
	"strongroom/internal/jobs"
	"strongroom/internal/keycache"
	"strongroom/internal/keypool"
	"strongroom/internal/lograte"
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

// report logs a failure of background work.
func (s *Service) report(work string, err error) {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, rollback.ErrSeen) {
		return
	}
	if write, omitted := s.failures.Next(work, err.Error(), time.Now()); write {
		s.cfg.Log.Error("background work failed", "work", work, "error", err, "omitted", omitted)
	}
}

// Service is the use cases on one store and their background work. It is safe for
// concurrent use.
type Service struct {
	*vault.Vault
	*operator.UseCases
	*trail.Upkeep

	cfg    Config // its Store is guard
	guard  *rollback.Store
	round  *record.Round
	keys   *seal.Keyset
	home   string      // the first chain of the trail
	chains audit.Trail // the chains of this process

	records *record.Records
	clocks  *clock.Clocks
	plans   *rotation.Plans
	custody *custody.Custody
	issuer  *issuer.Issuer
	outbox  *outbox.Outbox
	rollup  *metrics.Rollup
	tally   *tally.Tally
	witness *witness.Witness

	verifying   *workpool.Pool // for decrypting and hashing
	generating  *workpool.Pool // for generating key pairs
	keyPool     *keypool.Pool
	keyCache    *keycache.Cache
	generations *ratelimit.KeyGeneration

	deadNodes  atomic.Pointer[[]string] // at the last look; nil: none yet
	checks     checks                   // of the store
	backupMade atomic.Int64             // up to when the last verified backup is complete, in microseconds; 0: unknown

	background *jobs.Runner    // nil: not started
	failures   lograte.Repeats // of background work
}

// shared reports whether other processes write to the same store.
func (s *Service) shared() bool { return s.cfg.Writers > 1 }

// rest frees memory that only work needs, after a time without work.
func (s *Service) rest() {
	if s.verifying.AtRest() && s.generating.AtRest() {
		s.keyCache.Clear()
		s.cfg.Rested()
	}
}

// EndedKeys is what a witness knows of keys that ended. The store need not be the
// newest one.
func (s *Service) EndedKeys(ctx context.Context, at witness.Settings) domain.EndedKeys {
	return witness.New(witness.Config{Settings: at, Keys: s.keys, Home: s.home, Log: s.cfg.Log, Metrics: s.cfg.Metrics}).Ended(ctx)
}

// WitnessState is the state of a witness, for a restore. The store need not be the newest
// one.
func (s *Service) WitnessState(ctx context.Context, at witness.Settings) domain.WitnessState {
	return witness.New(witness.Config{Settings: at, Keys: s.keys, Home: s.home, Log: s.cfg.Log, Metrics: s.cfg.Metrics}).State(ctx)
}

// CheckWitness is [witness.Witness.Check]. From then on a rollback is noticed, even if
// this process has not written anything yet.
func (s *Service) CheckWitness(ctx context.Context) error {
	if err := s.witness.Check(ctx); err != nil {
		return err
	}
	return s.guard.Look(ctx)
}

// NonceKeys returns the keys of the nonces that DPoP proofs repeat. All instances
// on the store have the same.
func (s *Service) NonceKeys() *seal.Keyset { return s.keys }

// TendSigningKeys makes, erases and reads signing keys (see [issuer.Issuer.Tend]).
// Call it before the first request. Edited keys do not stop a start, because no
// verification needs them: they are logged, and KeySet is empty.
func (s *Service) TendSigningKeys(ctx context.Context) error {
	err := s.issuer.Tend(ctx)
	if record.IsTampered(err) {
		return nil
	}
	return err
}

// SignKey is [issuer.Issuer.SignKey] for the caller in ctx.
func (s *Service) SignKey(ctx context.Context, pair domain.KeyPair) (string, error) {
	return s.issuer.SignKey(domain.CallerFrom(ctx), pair)
}

// KeySet returns the public signing keys as a JWK Set (RFC 7517) and its entity
// tag. It is empty if they could not be read since the start.
func (s *Service) KeySet() (set []byte, tag string) {
	is := s.issuer.KeySet()
	return is.JSON, is.ETag
}

// Ready returns an error if the service cannot serve: the store does not answer within
// checkTimeout, does not accept writes, or was put back to an earlier state. It ends no
// sooner if ctx does: a client that gives up says nothing about the store.
func (s *Service) Ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), checkTimeout)
	defer cancel()
	note := s.beginCheck()
	// A check of a disk that hangs does not return when ctx ends.
	stop := context.AfterFunc(ctx, func() { note(ctx.Err()) })
	err := s.cfg.Store.Ping(ctx)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if s.guard.Seen() {
		err = rollback.ErrSeen
	}
	note(err)
	return err
}
