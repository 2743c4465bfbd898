// Package vault holds the use cases of callers: what an app or a backend may ask
// of the vault, in which transactions it happens, and what the audit trail and
// the metrics record of it.
//
// The idea: each use case reads as the list of promises it keeps. Nothing here
// knows GraphQL, HTTP or SQL. Cryptography comes from packages that know bytes
// only. The threat is a guesser who has a valid key and many connections: every
// attempt is reserved durably before its secret is compared, and its verdict is
// answered only after it was counted.
package vault

import (
	"context"
	"crypto/rsa"
	"log/slog"
	"time"

	"golang.org/x/sync/singleflight"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/crypto/verifier"
	"strongroom/internal/domain"
	"strongroom/internal/guessing"
	"strongroom/internal/keycache"
	"strongroom/internal/keypool"
	"strongroom/internal/lograte"
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

// Vault is the use cases of callers. It is safe for concurrent use.
type Vault struct {
	cfg Config

	forms map[string][]devicekey.Form // of ciphertexts, by purpose; never written to after New

	failures    *ratelimit.Budget       // undecryptable ciphertexts, by key
	appVersions *ratelimit.Budget       // changes of appVersion written, by key
	overwrites  *ratelimit.Budget       // refused sets, by account and type
	callers     *ratelimit.Rates        // operations, by account
	addresses   *ratelimit.AddressRates // operations, by client address
	issuing     singleflight.Group      // by device: first requests in parallel generate once
	verdicts    verdicts
	overRate    lograte.Limit // lines about what a rate limit would refuse
	unwritten   lograte.Limit // lines about outcomes that could not be written
	swept       [2]string     // account and key up to which digests of ciphertexts were swept
}

// New returns the use cases on a store whose keyset was opened.
func New(cfg Config) *Vault {
	v := &Vault{cfg: cfg, forms: map[string][]devicekey.Form{},
		failures:    ratelimit.NewBudget(cfg.DecryptionFailures, decryptionFailureWindow),
		appVersions: ratelimit.NewBudget(appVersionChanges, time.Hour),
		overwrites:  ratelimit.NewBudget(refusedOverwrites, overwriteWindow),
		callers:     ratelimit.NewRates(cfg.CallerRates, rateEntries),
		addresses:   ratelimit.NewAddressRates(cfg.AddressRates, rateEntries)}
	for _, purpose := range []string{purposeVerify, purposeSet, purposeCurrent} {
		v.forms[purpose] = devicekey.Forms(cfg.Variants, purpose, cfg.PurposeRequired)
	}
	for _, f := range v.forms[purposeVerify] {
		cfg.Metrics.Variants(f.String())
	}
	return v
}

const (
	decryptionFailureWindow = 15 * time.Minute

	// appVersionChanges is how many changes of a key's appVersion are written
	// in an hour. Each is an entry of the trail for ever, and costs the client next
	// to nothing.
	appVersionChanges = 4
)

// accountName is what the caller's account is called outside.
func accountName(c domain.Caller, deviceID string) domain.Account {
	if c.Mode == domain.ModeDevice {
		return domain.Account{Mode: c.Mode, Subject: deviceID}
	}
	return domain.Account{Mode: c.Mode, Issuer: c.Issuer, Subject: c.Subject}
}

// privateKey opens the private key of a record, which the caller has checked.
// Those opened last are kept: a key's numbers never change, and whether it may
// still be used is read from its record each time.
func (v *Vault) privateKey(k domain.DeviceKey) (*rsa.PrivateKey, error) {
	private, hit := v.cfg.KeyCache.Get(k.ID)
	v.cfg.Metrics.KeyCache(hit)
	if hit {
		return private, nil
	}
	plain, err := v.cfg.Records.OpenKey(k)
	if err != nil {
		return nil, err
	}
	defer plain.Wipe()
	private, err = devicekey.ParsePrivate(plain, k.PublicKey)
	if err != nil {
		return nil, &record.Tampered{Kind: domain.RecordKey, ID: k.ID, Cause: err}
	}
	devicekey.Wipe(private) // what it needs to decrypt is inside
	v.cfg.KeyCache.Put(k.ID, private, v.cfg.Now())
	return private, nil
}

// newRecord is the record of a fresh key pair, sealed.
func (v *Vault) newRecord(account string, id domain.Identity, pair keypool.Pair, now time.Time) (domain.DeviceKey, error) {
	k := domain.DeviceKey{AccountID: account, DeviceID: id.DeviceID, AppVersion: id.AppVersion,
		Algorithm: domain.AlgorithmRSAOAEP256, Bits: pair.Bits, PublicKey: pair.Public, CreatedAt: now}
	if v.cfg.KeyTTL > 0 {
		k.ExpiresAt = now.Add(v.cfg.KeyTTL)
	}
	return v.cfg.Records.NewKey(k, pair.Private)
}

// seen reports a record that was refused (see [record.Records.Report]).
func (v *Vault) seen(ctx context.Context, o *operation, err error) error {
	return v.cfg.Records.Report(ctx, o.note("", ""), err)
}
