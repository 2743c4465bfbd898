package service

import (
	"context"
	"crypto/rsa"
	"log/slog"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/outbox"
	"strongroom/internal/record"
	"strongroom/internal/store"
	"strongroom/internal/trail"
	"strongroom/internal/vault"
	"strongroom/internal/witness"
)

// Config configures [Open]. Every field is required unless it says otherwise.
type Config struct {
	Store store.Store
	// Writers is how many transactions can write through Store at the same time. It
	// is 1 if only one process can write to the store at a time.
	Writers int
	// ChainOf names the chain of a writer of a process; nil means the process and the
	// number.
	ChainOf func(process string, writer int) string
	// DeadNodes names the nodes of a distributed store that do not answer; nil: the
	// store is not distributed.
	DeadNodes func(ctx context.Context) ([]string, error)
	// RootKeys are the root keys that wrap the data keys.
	RootKeys record.RootKeys

	Mode domain.Mode // of the store's accounts; empty: the mode that the store has
	Cell string      // the tag that begins the ids of new keys; may be empty
	vault.Settings

	MaxWaiting int // how many requests for RSA and Argon2id work are admitted at the same time
	Workers    int // how many of these requests are worked on at the same time: as many as there are cores
	KeyPool    int // key pairs generated in advance; 0 = none
	KeyCache   int // opened private keys kept in memory; 0 = none

	Checkpoints    trail.Checkpoints // of the audit trail
	Witness        witness.Settings  // a file outside the store that names the newest entries of the trail
	Webhook        *Webhook          // nil: write the events that the server on this store sends to the outbox
	SigningKeyTTL  time.Duration     // how long one key signs; 0 = until an operator rotates
	AuditRetention time.Duration     // how long entries of the trail are kept; 0 = for ever

	SchemaVersion int64 // of the store; only shown

	Log     *slog.Logger
	Metrics *metrics.Metrics
	// Now is the clock for everything that is kept in memory. The store's clock
	// decides everything else. Only tests set it; nil means time.Now.
	Now func() time.Time
	// Elapsed is the time that has passed, by a clock that cannot be set. Only tests
	// set it; nil means [clock.Elapsed].
	Elapsed func() time.Duration
	// Rested is called after 30 s without decrypting, hashing or generating, so that
	// memory can be released. It may be nil.
	Rested func()
	// NewPrivateKey makes an RSA key. Only tests set it; nil means
	// devicekey.Generate.
	NewPrivateKey func(bits int) (*rsa.PrivateKey, error)
}

// Webhook sends events to a receiver.
type Webhook struct {
	Events []domain.Event // events to send; none: nothing is written to the outbox
	// Send sends queued events until ctx is done. It returns when no delivery is under
	// way any more. [Service.Start] calls it once, if there are events to send.
	Send func(ctx context.Context, q *outbox.Outbox)
	// Status returns the state of Send in this instance.
	Status func() domain.WebhookStatus
}
