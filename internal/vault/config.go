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
	"strongroom/internal/receipt"
	"strongroom/internal/record"
	"strongroom/internal/rotation"
	"strongroom/internal/tally"
	"strongroom/internal/workpool"
)

// Settings are the settings of the use cases. Every field is required unless it
// says otherwise.
type Settings struct {
	Algorithms    []devicekey.Algorithm // of new keys, the preferred one first
	KeyBits       int                   // of new RSA moduli: 2048, 3072 or 4096
	KeyTTL        time.Duration         // validity of new keys; 0 = until rotated or revoked
	RotationGrace time.Duration         // how long verify may still use a rotated key; 0 = not at all
	Variants      []devicekey.Variant
	// PurposeRequired refuses ciphertexts that are not bound to one purpose: of RSA without
	// a label, see [devicekey.Labels], and current secrets of HPKE with the AAD of the new one.
	PurposeRequired bool
	Verifier        verifier.Params
	Attempts        domain.AttemptPolicy

	ProofRequired bool // issue keys only to callers that prove possession of a key

	ReplayProtection bool
	Blocklist        *domain.Blocklist // nil: none
	History          int               // previous credentials that may not be set again; 0 = none

	OverwriteRequiresCurrent bool          // see mayOverwrite
	OverwriteMaxAuthAge      time.Duration // likewise; 0 = not checked

	CallerRates, AddressRates []domain.Rate // of encryption operations; none = unlimited
	RatesReportOnly           bool          // log what the rates would refuse, and refuse nothing

	EnforceKeyGenerationLimit bool
	KeyCounterInStore         bool // all processes share one key-generation counter; false: each has its own in memory
	CountGenerationsOnly      bool // do not count requests that get the device's present key
	KeyCounterEntries         int  // entries that the key-generation counter holds at most
	MaxDevices                int  // devices with an active key per account, except in device mode; 0 = unlimited
	DecryptionFailures        int  // failed decryptions allowed per key in 15 minutes
	HelperEnabled             bool

	IssuerURL        string        // the iss of everything that is signed
	ReceiptAudience  string        // the aud of receipts
	ReceiptTTL       time.Duration // how long receipts are valid; whole seconds
	ReceiptsOfVerify bool          // verify gives receipts too
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
	Issuer   Issuer

	Verifying   *workpool.Pool // for decrypting and hashing
	Generating  *workpool.Pool // for generating key pairs
	KeyPool     *keypool.Pool
	KeyCache    *keycache.Cache
	Generations *ratelimit.KeyGeneration // the counter in memory

	// NewPrivateKey makes an RSA key.
	NewPrivateKey func(bits int) (*rsa.PrivateKey, error)

	Log     *slog.Logger
	Metrics *metrics.Metrics
	Now     func() time.Time // the clock for everything that is kept in memory
}

// Guard detects that the store was put back to an earlier state: [rollback.Store].
type Guard interface {
	Seen() bool // a rollback was detected: nothing may be served
	// Acknowledged waits until all other processes have read the entry of a wrong
	// guess, or returns the error to answer instead.
	Acknowledged(ctx context.Context) error
}

// Issuer signs for the service: [issuer.Issuer].
type Issuer interface {
	receipt.Issuer
	Ready() error // there is a key to sign with
}
