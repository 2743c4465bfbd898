package service

import (
	"context"
	"crypto/rsa"
	"log/slog"
	"time"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/outbox"
	"strongroom/internal/store"
	"strongroom/internal/trail"
	"strongroom/internal/vault"
	"strongroom/internal/witness"
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

	Mode domain.Mode // of the store's accounts; empty: whatever the store holds
	vault.Settings

	MaxWaiting int // requests for RSA and Argon2id work at once
	Workers    int // how many of these requests are worked on at the same time: as many as there are cores
	KeyPool    int // key pairs kept ready; 0 = none
	KeyCache   int // opened private keys kept in memory; 0 = none

	Checkpoints    trail.Checkpoints // of the audit trail
	Witness        witness.Settings  // a file outside the store that names the newest entries of the trail
	Webhook        *Webhook          // nil: the events that the server on this store sends are put into the outbox
	AuditRetention time.Duration     // how long its entries are kept; 0 = for ever

	SchemaVersion int64 // of the store, to be shown

	Log     *slog.Logger
	Metrics *metrics.Metrics
	// Now is the clock of what is kept in memory. The store's clock decides
	// everything else. Only tests set it to anything but time.Now.
	Now func() time.Time
	// Elapsed is the time that has passed, by a clock that nobody can set (see
	// [clock.Elapsed]). Only tests set it.
	Elapsed func() time.Duration
	// Rested is called when nothing was decrypted, hashed or generated for half a
	// minute: memory can be given back. It may be nil.
	Rested func()
	// NewPrivateKey makes an RSA key. Only tests, which have a stock of ready
	// keys, set it to anything but devicekey.Generate.
	NewPrivateKey func(bits int) (*rsa.PrivateKey, error)
}

// Webhook is where events go that tell others what happened here.
type Webhook struct {
	Events []domain.Event // that go out; none: nothing is written to the outbox
	// Send sends what waits until ctx is done, and returns when nothing of it is
	// under way any more. It is called once, by [Service.Start], if there are
	// events that go out.
	Send func(ctx context.Context, q *outbox.Outbox)
	// Status is what Send knows: the fields of this instance.
	Status func() domain.WebhookStatus
}
