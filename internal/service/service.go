// Package service holds the use cases: what a caller may ask of the vault, in
// which transactions it happens, and what the audit trail and the metrics say
// of it.
//
// The idea: each use case reads as the list of promises it keeps. Nothing here
// knows GraphQL, HTTP or SQL; cryptography comes from packages that know bytes
// only. The threat it answers is the guesser, who has a valid key and as many
// connections as he likes: every try is reserved durably before its secret is
// compared, and its verdict is given only after it was counted.
package service

import (
	"cmp"
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"strongroom/internal/audit"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/crypto/verifier"
	"strongroom/internal/domain"
	"strongroom/internal/jobs"
	"strongroom/internal/keycache"
	"strongroom/internal/keypool"
	"strongroom/internal/lograte"
	"strongroom/internal/metrics"
	"strongroom/internal/outbox"
	"strongroom/internal/ratelimit"
	"strongroom/internal/record"
	"strongroom/internal/rollback"
	"strongroom/internal/rotation"
	"strongroom/internal/store"
	"strongroom/internal/trace"
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

	Mode          domain.Mode   // empty: whatever the store holds
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
	MaxWaiting                int // requests for RSA and Argon2id work at once
	Lanes                     int // of them running at once: as many as cores
	KeyPool                   int // key pairs kept ready; 0 = none
	KeyCache                  int // opened private keys kept in memory; 0 = none

	Checkpoints    Checkpoints   // of the audit trail
	Witness        Witness       // a file outside the store that names the newest entries of the trail
	Webhook        *Webhook      // nil: the events that the server on this store sends are put into the outbox
	AuditRetention time.Duration // how long its entries are kept; 0 = for ever

	SchemaVersion int64 // of the store, to be shown

	Log    *slog.Logger
	Meters *metrics.Metrics
	// Now is the clock of what is kept in memory. The store's clock decides
	// everything else. Only tests set it to anything but time.Now.
	Now func() time.Time
	// Elapsed is the time that has passed, by a clock that nobody can set: the
	// store's clock is compared with it (see [Service.steadyNow]). Only tests set it.
	Elapsed func() time.Duration
	// Rested is called when nothing was decrypted, hashed or generated for half a
	// minute: memory can be given back. It may be nil.
	Rested func()
	// NewPrivateKey makes an RSA key. Only tests, which have a stock of ready
	// keys, set it to anything but devicekey.Generate.
	NewPrivateKey func(bits int) (*rsa.PrivateKey, error)
}

// Service is the use cases on one store. It is safe for concurrent use.
type Service struct {
	cfg   Config // its Store is guard
	guard *rollback.Store
	keys  *seal.Keyset
	home  string // the first chain of the trail
	trail audit.Trail

	records *record.Records

	forms map[string][]devicekey.Form // of ciphertexts, by purpose; never written to after Open

	verifying   *workpool.Pool // for decrypting and hashing
	generating  *workpool.Pool // for generating key pairs
	pool        *keypool.Pool
	keyCache    *keycache.Cache
	generations *ratelimit.KeyGeneration
	failures    *ratelimit.Budget       // undecryptable ciphertexts, by key
	appVersions *ratelimit.Budget       // changes of appVersion written, by key
	overwrites  *ratelimit.Budget       // refused sets, by account and type
	callers     *ratelimit.Rates        // operations, by account
	addresses   *ratelimit.AddressRates // operations, by client address
	issuing     singleflight.Group      // by device: first requests in parallel generate once
	verdicts    verdicts
	outages     lograte.Limit // lines about requests that the store could not serve
	overRate    lograte.Limit // lines about what a rate limit would refuse

	counts   audit.Counts
	rollup   *metrics.Rollup
	unfolded atomic.Bool // something waits for the next flush
	waiting  waiting     // since when
	flushing sync.Mutex

	uses     keyUses
	guesses  guesses
	plans    *rotation.Plans
	instance instance
	outbox   *outbox.Outbox
	swept    [2]string // account and key up to which digests of ciphertexts were swept

	storeClock, machineClock steadyClock

	witnessing sync.Mutex
	witnessed  []rollback.Head // guarded by witnessing: what the witness names
	witnessMAC []byte          // guarded by witnessing: as it was written last

	background *jobs.Runner // nil: not started

	rooted          time.Time    // when the root key was last looked for
	rootKeyGone     atomic.Bool  // when it was last looked for
	checkpointed    atomic.Int64 // when the last checkpoint was made that the sink has: microseconds since 1970, 0: none
	checkpointsGood atomic.Int64 // when this process last wrote one or found nothing new, or was opened; likewise
}

// Open unlocks the store (which must be migrated) and returns a Service on it.
// On a database without a keyset it makes one. It starts nothing: see
// [Service.Start].
func Open(ctx context.Context, cfg Config) (*Service, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Elapsed == nil {
		cfg.Elapsed = elapsed
	}
	if cfg.Rested == nil {
		cfg.Rested = func() {}
	}
	if cfg.NewPrivateKey == nil {
		cfg.NewPrivateKey = devicekey.Generate
	}
	s := &Service{cfg: cfg}
	var err error
	if s.home, err = s.unlock(ctx); err != nil {
		return nil, err
	}
	s.enterInstance()
	s.guardStore()
	s.outbox = outbox.New(s.keys, s.home)
	s.records = record.New(record.Config{Store: s.guard, Writers: cfg.Writers, Keys: s.keys, Trail: s.trail, Mode: s.cfg.Mode,
		Attempts: cfg.Attempts, Steady: s.steady, Outbox: s.outbox, Erased: s.dropKey, Counted: s.counted,
		Log: cfg.Log, Tampered: cfg.Meters.Tampering, Now: cfg.Now})
	s.plans = rotation.New(s.records, s.keys, cfg.Now)
	if err := s.beginClocks(ctx); err != nil {
		return nil, err
	}
	w := cmp.Or(cfg.Webhook, &Webhook{})
	if err := s.outbox.Open(ctx, s.records, w.Events, cfg.Webhook == nil); err != nil {
		return nil, err
	}
	s.forms = map[string][]devicekey.Form{}
	for _, purpose := range []string{purposeVerify, purposeSet, purposeCurrent} {
		s.forms[purpose] = devicekey.Forms(cfg.Variants, purpose, cfg.PurposeRequired)
	}
	s.keyCache = keycache.New(cfg.KeyCache)
	s.verifying = s.newWorkers(metrics.WorkOnCredentials, verifyNice, verifyWait)
	s.generating = s.newWorkers(metrics.WorkOnKeys, generateNice, generateWait)
	s.pool = keypool.New(keypool.Config{Size: cfg.KeyPool, Bits: cfg.KeyBits, Generate: cfg.NewPrivateKey, Workers: s.generating, Log: cfg.Log, Metrics: cfg.Meters})
	s.generations = ratelimit.NewKeyGeneration(cfg.KeyCounterEntries)
	s.failures = ratelimit.NewBudget(cfg.DecryptionFailures, decryptionFailureWindow)
	s.appVersions = ratelimit.NewBudget(appVersionChanges, time.Hour)
	s.overwrites = ratelimit.NewBudget(refusedOverwrites, overwriteWindow)
	s.callers = ratelimit.NewRates(cfg.CallerRates, rateEntries)
	s.addresses = ratelimit.NewAddressRates(cfg.AddressRates, rateEntries)
	s.guesses.addresses = ratelimit.NewGuesses(guessSources, ratelimit.SuspectedAccounts)
	s.guesses.sites = ratelimit.NewGuesses(guessSources, ratelimit.SuspectedOfSite)
	s.guesses.devices = ratelimit.NewGuesses(guessSources, ratelimit.SuspectedAccounts)
	s.meter()
	s.rooted = cfg.Now()
	s.unfolded.Store(true) // what a killed process left unfolded
	return s, nil
}

const (
	decryptionFailureWindow = 15 * time.Minute

	// appVersionChanges is how many changes of a key's appVersion are written
	// in an hour. Each is an entry of the trail for ever, and costs whoever asks
	// for it next to nothing.
	appVersionChanges = 4

	// How long a request waits for a worker. Generating a key pair takes tens of
	// times as long as verifying, and has workers of its own so that a rush of new
	// devices does not stand in the way of those who verify.
	verifyWait   = 5 * time.Second
	generateWait = 30 * time.Second

	// How far the workers' threads stand behind those that serve requests, which
	// need a processor often and briefly, in steps of setpriority(2).
	verifyNice   = 5
	generateNice = 10
)

func (s *Service) newWorkers(work string, nice int, wait time.Duration) *workpool.Pool {
	return workpool.New(workpool.Config{MaxWaiting: s.cfg.MaxWaiting, Size: s.cfg.Lanes, Nice: nice, Wait: wait, Log: s.cfg.Log,
		Waiting: s.cfg.Meters.Waiting, Metrics: s.cfg.Meters.WorkPool(work), Idle: s.rest})
}

// rest forgets what only work needs, once there has been none for a while.
func (s *Service) rest() {
	if s.verifying.AtRest() && s.generating.AtRest() {
		s.keyCache.Clear()
		s.cfg.Rested()
	}
}

// Stop ends the background work and writes what it still held. Call it after
// the last request and before closing the store.
func (s *Service) Stop(ctx context.Context) error {
	if s.background != nil {
		s.background.Stop()
	}
	err := s.flush(ctx, true) // first: a generation that nobody waits for can take long to end
	err = errors.Join(err, s.guard.EndBeats(ctx))
	s.verifying.Close()
	s.generating.Close()
	s.pool.Empty()
	return errors.Join(err, s.flush(ctx, true), s.writeWitness())
}

// Ready reports whether the service can serve: the store answers and takes
// writes, the keyset was opened (or there would be no Service), and the store
// was not put back to an earlier state.
func (s *Service) Ready(ctx context.Context) error {
	err := s.cfg.Store.Ping(ctx)
	if s.guard.Seen() {
		err = rollback.ErrSeen
	}
	s.cfg.Meters.StoreUp(err == nil)
	return err
}

// operation is the account of one encryption operation while it runs.
type operation struct {
	name    domain.Operation
	start   time.Time
	caller  domain.Caller
	account []byte       // keyed hash, once known
	device  []byte       // keyed hash, once known
	about   domain.About // the same in clear, for events
	keyID   string       // once known
	entered bool         // an entry of its own was committed
	failed  bool         // it did not end in an error, but failed all the same
	wrong   bool         // a wrong guess was counted, so any answer may reveal the verdict
	outcome string       // "ok" unless said otherwise
}

// entry is the audit entry that this operation counts as. Exactly one entry of
// an operation is made by it.
func (o *operation) entry(event domain.Event, outcome string, now time.Time) domain.Entry {
	e := o.note(event, outcome)
	e.Operation, e.Failed, e.Duration = o.name, o.failed, now.Sub(o.start)
	return e
}

// note is a further entry of this operation.
func (o *operation) note(event domain.Event, outcome string) domain.Entry {
	return domain.Entry{RequestID: o.caller.RequestID, Actor: "caller", Event: event, Outcome: outcome,
		KeyID: o.keyID, Account: o.account, Device: o.device, About: o.about}
}

// identify notes whom the operation is about. Trail and sketches hold keyed
// hashes of what the caller is called outside, so that an erased account can
// still be found by those who know its name.
func (s *Service) identify(o *operation, deviceID string) {
	name := accountName(o.caller, deviceID)
	o.account, o.device = s.records.Hashes(name, deviceID)
	o.about.Account, o.about.DeviceID = name, deviceID
}

// do runs one encryption operation, if its caller may, and accounts for it: in
// the trail through its own entry, else in the counts; in the meters always.
func do[T any](ctx context.Context, s *Service, name domain.Operation, fn func(context.Context, *operation) (T, error)) (v T, err error) {
	o := &operation{name: name, start: s.cfg.Now(), caller: domain.CallerFrom(ctx), outcome: "ok"}
	ctx, use := trace.Operation(ctx, string(name))
	finished := false
	defer func() {
		if !finished { // a panic: counted, and left to the transport to answer
			err = errors.New("panic")
		}
		s.account(ctx, o, err)
		use.End(o.told(err))
	}()
	if err = s.permit(ctx, o); err == nil {
		v, err = fn(ctx, o)
	}
	if o.wrong {
		v, err = tellOnceAcknowledged(ctx, s, v, err)
	}
	err = s.records.Unavailable(ctx, err)
	finished = true
	return v, err
}

// told is what came of the operation, in a word for its log line and span: "ok"
// or why not. A verify that answers false is "ok" too: its verdict is for the
// trail.
func (o *operation) told(err error) string {
	code := codeOf(err)
	switch {
	case errors.Is(err, context.Canceled):
		return "canceled"
	case code != "":
		return string(code)
	case o.failed: // a set that was refused by policy, and answered false
		return o.outcome
	}
	return "ok"
}

func (s *Service) account(ctx context.Context, o *operation, err error) {
	took := s.cfg.Now().Sub(o.start)
	if errors.Is(err, context.Canceled) {
		return // the client hung up before anything was done: nobody's failure
	}
	code := codeOf(err)
	if code == domain.CodeKeyNotUsable {
		s.keyCache.Drop(o.keyID) // it has ended since its record was read
	}
	if code != "" && code != domain.CodeOverloaded {
		// What a client quotes is the request id: this is where it leads.
		said := []any{"operation", o.name, "code", code}
		if o.keyID != "" { // empty for a key that ended or never existed
			said = append(said, "key", o.keyID)
		}
		s.cfg.Log.InfoContext(ctx, "operation refused", said...)
	}
	switch code {
	case "":
	case domain.CodeTooManyRequests, domain.CodeOverloaded, domain.CodeForbidden:
		s.counts.Refusal(code, o.account, s.cfg.Now())
		s.cfg.Meters.Refusal(code)
		if limit := (*domain.KeyGenerationLimitError)(nil); errors.As(err, &limit) {
			s.cfg.Meters.Limited(metrics.LimitKeys)
		}
		return // refused before its work: not an operation
	default:
		o.failed, o.outcome = true, string(code)
	}
	s.cfg.Meters.Operation(o.name, o.outcome, took)
	s.waiting.operations.add(o.start.Add(took))
	if !o.entered {
		s.counts.Operation(o.name, o.outcome, took)
		s.waiting.counts.add(o.start.Add(took))
		s.rollup.Add(o.start, o.device, o.failed, took)
	}
	s.unfolded.Store(true)
}

// codeOf is the code that err answers with, "" for none.
func codeOf(err error) domain.Code {
	var refusal *domain.Error
	var limit *domain.KeyGenerationLimitError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &refusal):
		return refusal.Code
	case errors.As(err, &limit):
		return domain.CodeTooManyRequests
	}
	return domain.CodeInternal
}

// Refused counts a request that a transport refused before any use case.
func (s *Service) Refused(ctx context.Context, code domain.Code) {
	trace.Outcome(ctx, code)
	s.counts.Refusal(code, nil, s.cfg.Now())
	s.cfg.Meters.Refusal(code)
}

// OperatorRefused counts a request that the operator side refused before any
// use case. The trail tells these from those of the API by their outcome, which
// begins OPERATOR_.
func (s *Service) OperatorRefused(_ context.Context, code domain.Code) {
	s.counts.Refusal("OPERATOR_"+code, nil, s.cfg.Now())
	s.cfg.Meters.OperatorRefusal(code)
}

// Summary is the metrics summary of the last hours hours. It includes every
// operation answered before it was asked.
func (s *Service) Summary(ctx context.Context, hours float64) (sum domain.Summary, err error) {
	ctx, use := trace.Operation(ctx, "getEncryptionMetricsSummary")
	defer func() { use.End((&operation{}).told(err)) }()
	if domain.OperatorFrom(ctx).Role < domain.RoleViewer {
		if err := domain.CallerFrom(ctx).Require(domain.MayReadMetrics); err != nil {
			s.Refused(ctx, domain.CodeForbidden)
			return domain.Summary{}, err
		}
	}
	if err := metrics.CheckWindow(hours); err != nil {
		return domain.Summary{}, err
	}
	if err := s.flush(ctx, false); err != nil {
		return domain.Summary{}, s.records.Unavailable(ctx, err)
	}
	sum, err = record.View(ctx, s.records, func(tx *record.Tx) (domain.Summary, error) { return metrics.Summarise(tx, hours, tx.Now()) })
	if err != nil {
		return domain.Summary{}, s.records.Unavailable(ctx, fmt.Errorf("summing up metrics: %w", err))
	}
	return sum, nil
}

// flush writes what waits in memory, and folds new entries of the trail into
// the roll-ups, in one transaction. With all, refusals whose minute is not
// over are written too.
func (s *Service) flush(ctx context.Context, all bool) error {
	s.flushing.Lock()
	defer s.flushing.Unlock()
	if !s.unfolded.Swap(false) && !s.counts.Due(s.cfg.Now()) && !s.lookDue() && !s.uses.waiting() && !all {
		return nil
	}
	start := time.Now()
	left, err := s.leftBehind(ctx)
	if err != nil {
		s.unfolded.Store(true)
		return fmt.Errorf("looking for chains left behind: %w", err)
	}
	s.waiting.take(s.counts.RefusedSince())
	counts, batch := s.counts.Take(s.cfg.Now(), all), s.rollup.Take(left...)
	uses, suspicions := s.uses.take(), s.guesses.take()
	err = s.records.Update(ctx, record.System, func(tx *record.Tx) error {
		tx.Enter(append(counts.Entries(), suspicions...)...)
		if err := tx.Write(); err != nil { // the batch folds these entries too
			return err
		}
		if err := writeKeyUses(tx, uses); err != nil {
			return err
		}
		return batch.Write(tx)
	})
	s.cfg.Meters.Flushed(time.Since(start))
	if errors.Is(err, store.ErrUnknown) {
		// Probably done. To write it again would count it twice, and with a standby
		// away once more with each flush.
		return fmt.Errorf("writing metrics and counts: %w", err)
	}
	if err != nil {
		s.counts.Return(counts, s.cfg.Now())
		s.rollup.Return(batch)
		s.uses.giveBack(uses)
		s.guesses.giveBack(suspicions)
		s.unfolded.Store(true)
		return fmt.Errorf("writing metrics and counts: %w", err)
	}
	s.waiting.written(s.counts.RefusedSince())
	if n := batch.Damaged(); n > 0 {
		s.cfg.Log.Error("device sketches or durations of stored metrics were unreadable and begun anew", "buckets", n)
		s.cfg.Meters.Tampering("bucket")
	}
	return nil
}

// dropKey forgets the opened form of a private key that was erased. (The cache is
// made after the records.)
func (s *Service) dropKey(keyID string) { s.keyCache.Drop(keyID) }
