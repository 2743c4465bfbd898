package metrics

import "strongroom/internal/domain"

// The outcomes of an operation that are not error codes.
const (
	outcomeOK              = "ok"
	outcomeMismatch        = "mismatch"          // a verify returned false
	outcomeRefusedByPolicy = "refused_by_policy" // a set returned false
)

// other replaces every label value outside its closed set. If clients could
// choose a label, each request could add a time series.
const other = "other"

// The worker pools for RSA and Argon2id work, for [Metrics.WorkPool].
const (
	WorkOnCredentials = "credentials" // decrypting and hashing
	WorkOnKeys        = "keys"        // generating key pairs
)

// The outcome of a reserved attempt, for [Metrics.Attempt].
const (
	AttemptMatch     = "match"
	AttemptMismatch  = "mismatch"
	AttemptGivenBack = "given_back" // nothing was compared, or a set has replaced the credential that it compared with
)

// The limit that refused a request, for [Metrics.Limited].
const (
	LimitCaller      = "caller"              // operations of its caller
	LimitAddress     = "address"             // operations of its client address
	LimitKeys        = "key_generation"      // key generations of its device
	LimitDecryptions = "decryption_failures" // ciphertexts of its key that did not decrypt
	LimitAttempts    = "pending_tries"       // pending attempts at its credential
	LimitOverwrites  = "refused_overwrites"  // refused sets of its credential
)

// The results of receipts, for [Metrics.Receipt].
const (
	ReceiptIssued   = "issued"
	ReceiptRedeemed = "redeemed"
	ReceiptRepeated = "repeated" // it was redeemed before
	ReceiptExpired  = "expired"
	ReceiptInvalid  = "invalid" // it is not one that this service signed
	ReceiptFailed   = "failed"  // the outcome of the redemption is unknown
)

// Why a checkpoint of the audit trail was not made or not kept, for
// [Metrics.CheckpointFailed].
const (
	CheckpointTrail = "trail" // the trail differs from the last checkpoint
	CheckpointSink  = "sink"  // the sink did not accept it, or did not return its last one
	CheckpointStore = "store" // the store could not be read or written
)

// The kinds of sources that guess at many accounts, for
// [Metrics.SuspectedGuessing].
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
	issued    = []string{outcomeOK, string(domain.CodeInternal), string(domain.CodeBadUserInput)}
	submitted = append([]string{string(domain.CodeKeyNotUsable), string(domain.CodeDecryptionFailed),
		string(domain.CodeCredentialLocked), string(domain.CodeCiphertextReused)}, issued...)
	outcomes = map[domain.Operation][]string{
		domain.OpGenerateKey: issued, domain.OpRotateKey: issued, domain.OpEncrypt: issued,
		domain.OpSetPasscode: append([]string{outcomeRefusedByPolicy}, submitted...), domain.OpSetPIN: append([]string{outcomeRefusedByPolicy}, submitted...),
		domain.OpVerifyPasscode: append([]string{outcomeMismatch}, submitted...), domain.OpVerifyPIN: append([]string{outcomeMismatch}, submitted...),
		domain.OpAuthorize: append([]string{outcomeMismatch, string(domain.CodeTransactionMismatch)}, submitted...),
	}
	refusals = []domain.Code{domain.CodeOverloaded, domain.CodeTooManyRequests, domain.CodeUnauthenticated, domain.CodeForbidden}

	routes = map[string]bool{"/graphql": true, "/api/encryption/keys": true, "/api/receipts/redeem": true, "/schema.graphql": true, "/.well-known/jwks.json": true, "/healthz": true, "/readyz": true}
	// The kinds of row that can be found damaged. "bucket" is a metrics roll-up.
	records = map[string]bool{domain.RecordKey: true, domain.RecordCredential: true, domain.RecordAttempts: true, domain.RecordAccount: true, domain.RecordSetting: true, domain.RecordChain: true, domain.RecordEvent: true, domain.RecordSigningKey: true, RecordBucket: true}
)

// RecordBucket is a bucket of the metrics, for [Metrics.Tampering]. The trail has
// no entries for it.
const RecordBucket = "bucket"

// The results of cache lookups.
const cacheHit, cacheMiss = "hit", "miss"
