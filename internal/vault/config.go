package vault

import (
	"context"
	"crypto/rsa"
	"log/slog"
	"time"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/crypto/verifier"
	"strongroom/internal/domain"
	"strongroom/internal/guessing"
	"strongroom/internal/keycache"
	"strongroom/internal/keypool"
	"strongroom/internal/metrics"
	"strongroom/internal/ratelimit"
	"strongroom/internal/record"
	"strongroom/internal/rotation"
	"strongroom/internal/tally"
	"strongroom/internal/workpool"
)

// Settings are what operators decide about callers. Every field is required
// unless it says otherwise.
type Settings struct {
	KeyBits       int           // of new RSA moduli: 2048, 3072 or 4096
	KeyTTL        time.Duration // validity of new keys; 0 = until rotated or revoked
	RotationGrace time.Duration // how long verify may still use a rotated key; 0 = not at all
	Variants      []devicekey.Variant
	// PurposeRequired refuses ciphertexts that no label binds to their purpose;
	// see purposeVerify.
	PurposeRequired bool
	Verifier        verifier.Params
	Attempts        domain.AttemptPolicy

	ReplayProtection bool
	Blocklist        *domain.Blocklist // nil: none
	History          int               // previous credentials that may not be set again; 0 = none

	OverwriteRequiresCurrent bool          // see mayOverwrite
	OverwriteMaxAuthAge      time.Duration // likewise; 0 = not asked

	CallerRates, AddressRates []domain.Rate // of encryption operations; none = any number
	RatesReportOnly           bool          // log what they would refuse

	EnforceKeyGenerationLimit bool
	KeyCounterInStore         bool // the key-generation counter, for all processes together; else each has its own in memory
	CountGenerationsOnly      bool // a request that is answered with the device's present key does not count
	KeyCounterEntries         int  // bound of the key-generation counter
	MaxDevices                int  // with an active key, of one account; not in device mode; 0 = any number
	DecryptionFailures        int  // per key and quarter of an hour
	HelperEnabled             bool
}

// Config configures [New]. Every field is required.
type Config struct {
	Settings
	Mode     domain.Mode // of the store's accounts
	Records  *record.Records
	Keys     *seal.Keyset
	Plans    *rotation.Plans
	Tally    *tally.Tally
	Guessing *guessing.Watch
	Guard    Guard

	Verifying   *workpool.Pool // for decrypting and hashing
	Generating  *workpool.Pool // for generating key pairs
	KeyPool     *keypool.Pool
	KeyCache    *keycache.Cache
	Generations *ratelimit.KeyGeneration // the counter in memory

	// NewPrivateKey makes an RSA key that belongs to no device.
	NewPrivateKey func(bits int) (*rsa.PrivateKey, error)

	Log     *slog.Logger
	Metrics *metrics.Metrics
	Now     func() time.Time // the clock of what is kept in memory
}

// Guard notices that the store was put back to an earlier state:
// [rollback.Store].
type Guard interface {
	Seen() bool // it was: nothing may be served
	// Acknowledged waits until all other processes have read the entry of a wrong
	// guess, or returns the error to answer instead.
	Acknowledged(ctx context.Context) error
}
