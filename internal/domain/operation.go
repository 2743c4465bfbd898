package domain

import "time"

// Operation names an encryption operation, which is one of eight GraphQL mutations.
// A request on the REST path counts as generateClientEncryptionKey.
type Operation string

// The eight encryption operations, by their GraphQL names.
const (
	OpGenerateKey    Operation = "generateClientEncryptionKey"
	OpRotateKey      Operation = "rotateClientEncryptionKey"
	OpEncrypt        Operation = "encryptDataLikeClient"
	OpSetPasscode    Operation = "setUserPasscode"
	OpVerifyPasscode Operation = "verifyUserPasscode"
	OpSetPIN         Operation = "setTransactionPin"
	OpVerifyPIN      Operation = "verifyTransactionPin"
	OpAuthorize      Operation = "authorizeTransaction"
)

// Current returns what the current secret in a set is encrypted for, in the AAD of HPKE.
// It is no operation: no request names it.
func (o Operation) Current() Operation { return o + "/current" }

// Operations are all of them.
var Operations = []Operation{OpGenerateKey, OpRotateKey, OpEncrypt, OpSetPasscode, OpVerifyPasscode, OpSetPIN, OpVerifyPIN, OpAuthorize}

// BucketWidth is how much time one roll-up bucket covers.
type BucketWidth time.Duration

// The four widths. Every operation is folded into one bucket of each, so a
// window of any length is covered by few rows. A summary starts at a minute, an
// hour or a day: buckets of four weeks only replace those of the days in them.
const (
	Minute    BucketWidth = BucketWidth(time.Minute)
	Hour      BucketWidth = BucketWidth(time.Hour)
	Day       BucketWidth = BucketWidth(24 * time.Hour)
	FourWeeks BucketWidth = BucketWidth(4 * 7 * 24 * time.Hour)
)

// Bucket is a roll-up of the operations of one instance in one span of time.
type Bucket struct {
	Instance   string // its own rows only, so that no row is shared between writers
	Width      BucketWidth
	Start      time.Time // a multiple of Width since 1970 UTC
	Operations int64
	Failures   int64
	Duration   time.Duration // summed
	Devices    []byte        // a mergeable sketch of the devices seen
	Durations  []byte        // [Durations] as internal/metrics stores them; empty: not known
}

// BucketPosition says which bucket of an instance.
type BucketPosition struct {
	Width BucketWidth
	Start time.Time
}

// BucketSpan is all buckets of one width with From <= Start < To.
type BucketSpan struct {
	Width    BucketWidth
	From, To time.Time
}

// Summary is the answer of getEncryptionMetricsSummary, with the specification's
// names, and the percentiles, which only operators see.
type Summary struct {
	TotalOperations      int64   `json:"totalOperations"`
	SuccessfulOperations int64   `json:"successfulOperations"`
	FailedOperations     int64   `json:"failedOperations"`
	SuccessRate          float64 `json:"successRate"`     // per cent; 0 with no operations
	AverageDuration      float64 `json:"averageDuration"` // milliseconds; 0 with no operations
	UniqueDevices        int64   `json:"uniqueDevices"`
	TimeframeHours       float64 `json:"timeframeHours"` // as asked for

	Percentiles Percentiles `json:"-"` // of fewer than TotalOperations if an earlier version, without percentiles, counted some
}

// Latency is how long one kind of operation took lately on an instance.
type Latency struct {
	Operation Operation
	Percentiles
}
