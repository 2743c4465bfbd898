package operator

import (
	"context"
	"log/slog"
	"time"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/guessing"
	"strongroom/internal/metrics"
	"strongroom/internal/outbox"
	"strongroom/internal/ratelimit"
	"strongroom/internal/record"
	"strongroom/internal/rotation"
	"strongroom/internal/tally"
	"strongroom/internal/trail"
)

// Config configures [New]. Every field is required unless it says otherwise.
type Config struct {
	Records  *record.Records
	Keys     *seal.Keyset
	Plans    *rotation.Plans
	Outbox   *outbox.Outbox
	Tally    *tally.Tally
	Guessing *guessing.Watch
	Trail    *trail.Upkeep

	Mode     domain.Mode
	Attempts domain.AttemptPolicy
	// KeyGenerations counts requests for keys in memory. nil: they are counted in
	// the store.
	KeyGenerations *ratelimit.KeyGeneration

	Ready   func(context.Context) error // reports whether the service can serve
	Process func() domain.Health        // what this process is and does; the rest is filled in here
	Webhook func() domain.WebhookStatus // what the sender of events knows; nil: nothing is sent
	// Background reports whether work in the background tries again what failed. A
	// command has none.
	Background func() bool
	Report     func(what string, err error) // logs what failed after an act was done

	MostLocks int // that CountLocks and LockTrend look at, of each kind; only tests set it

	Log     *slog.Logger
	Metrics *metrics.Metrics
	Now     func() time.Time
}
