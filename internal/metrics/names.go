package metrics

import "strongroom/internal/domain"

// The outcomes of an operation that are not error codes.
const (
	OutcomeOK              = "ok"
	OutcomeMismatch        = "mismatch"          // a verify answered false
	OutcomeRefusedByPolicy = "refused_by_policy" // a set answered false
)

// other replaces every label value outside its closed set. If clients could
// choose a label, each request could add a time series.
const other = "other"

// The worker pools that RSA and Argon2id work is done in, for [Metrics.WorkPool].
const (
	WorkOnCredentials = "credentials" // decrypting and hashing
	WorkOnKeys        = "keys"        // generating key pairs
)

// The outcome of a reserved attempt, for [Metrics.Attempt].
const (
	AttemptMatch     = "match"
	AttemptMismatch  = "mismatch"
	AttemptGivenBack = "given_back" // it was not compared, or only by a set that replaced what it was compared with
)

// The limit that refused a request, for [Metrics.Limited].
const (
	LimitCaller      = "caller"              // operations of its caller
	LimitAddress     = "address"             // operations of its client address
	LimitKeys        = "key_generation"      // key generations of its device
	LimitDecryptions = "decryption_failures" // ciphertexts of its key that did not decrypt
	LimitAttempts    = "pending_tries"       // attempts of its credential that were under way
	LimitOverwrites  = "refused_overwrites"  // sets of its credential that were refused
)

// What became of a receipt, for [Metrics.Receipt].
const (
	ReceiptIssued   = "issued"
	ReceiptRedeemed = "redeemed"
	ReceiptRepeated = "repeated" // it was redeemed before
	ReceiptExpired  = "expired"
	ReceiptInvalid  = "invalid" // it is not one that this service signed
	ReceiptFailed   = "failed"  // whether it was redeemed is not known
)

// Why a checkpoint of the audit trail was not made or not kept, for
// [Metrics.CheckpointFailed].
const (
	CheckpointTrail = "trail" // it is not the one that was signed
	CheckpointSink  = "sink"  // it did not take it, or does not tell what it has
	CheckpointStore = "store" // it could not be read or written to
)

// The source that guesses at many accounts, for [Metrics.SuspectedGuessing].
const (
	GuessesOfAddress = "address"
	GuessesOfDevice  = "device"
)

var (
	allWorkPools = []string{WorkOnCredentials, WorkOnKeys}
	verdicts     = []string{AttemptMatch, AttemptMismatch, AttemptGivenBack}
	receipts     = []string{ReceiptIssued, ReceiptRedeemed, ReceiptRepeated, ReceiptExpired, ReceiptInvalid, ReceiptFailed}
	limits       = []string{LimitCaller, LimitAddress, LimitKeys, LimitDecryptions, LimitAttempts, LimitOverwrites}

	// The outcomes and refusals that alerts use.
	issued    = []string{OutcomeOK, string(domain.CodeInternal), string(domain.CodeBadUserInput)}
	submitted = append([]string{string(domain.CodeKeyNotUsable), string(domain.CodeDecryptionFailed),
		string(domain.CodeCredentialLocked), string(domain.CodeCiphertextReused)}, issued...)
	outcomes = map[domain.Operation][]string{
		domain.OpGenerateKey: issued, domain.OpRotateKey: issued, domain.OpEncrypt: issued,
		domain.OpSetPasscode: append([]string{OutcomeRefusedByPolicy}, submitted...), domain.OpSetPIN: append([]string{OutcomeRefusedByPolicy}, submitted...),
		domain.OpVerifyPasscode: append([]string{OutcomeMismatch}, submitted...), domain.OpVerifyPIN: append([]string{OutcomeMismatch}, submitted...),
		domain.OpAuthorize: append([]string{OutcomeMismatch, string(domain.CodeTransactionMismatch)}, submitted...),
	}
	refusals = []domain.Code{domain.CodeOverloaded, domain.CodeTooManyRequests, domain.CodeUnauthenticated, domain.CodeForbidden}

	routes = map[string]bool{"/graphql": true, "/api/encryption/keys": true, "/api/receipts/redeem": true, "/schema.graphql": true, "/.well-known/jwks.json": true, "/healthz": true, "/readyz": true}
	// The kinds of row that can be found damaged; "bucket" is a metrics roll-up.
	records = map[string]bool{domain.RecordKey: true, domain.RecordCredential: true, domain.RecordAttempts: true, domain.RecordAccount: true, domain.RecordSetting: true, domain.RecordChain: true, domain.RecordEvent: true, RecordBucket: true}
)

// RecordBucket is a bucket of the metrics, for [Metrics.Tampering]. The trail has
// no entries for it.
const RecordBucket = "bucket"

// The results of looking for something in a cache.
const cacheHit, cacheMiss = "hit", "miss"
