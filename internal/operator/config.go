package operator

import (
	"context"
	"log/slog"
	"time"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/custody"
	"strongroom/internal/domain"
	"strongroom/internal/guessing"
	"strongroom/internal/issuer"
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
	Issuer   *issuer.Issuer
	Custody  *custody.Custody
	Outbox   *outbox.Outbox
	Tally    *tally.Tally
	Guessing *guessing.Watch
	Trail    *trail.Upkeep

	Mode     domain.Mode
	Attempts domain.AttemptPolicy
	// KeyGenerations counts requests for keys in memory. nil: the store counts them.
	KeyGenerations *ratelimit.KeyGeneration

	Ready   func(context.Context) error // reports whether the service can serve
	Process func() domain.Health        // the state of this process; Health adds the rest
	Webhook func() domain.WebhookStatus // the state of the sender of events; nil: nothing is sent
	// Background reports whether background work repeats what failed. Commands have
	// no background work.
	Background func() bool
	Report     func(what string, err error) // logs a failure after an act was done

	MostLocks int // locks of each kind that CountLocks and LockTrend read; only tests set it

	Log     *slog.Logger
	Metrics *metrics.Metrics
	Now     func() time.Time
}
