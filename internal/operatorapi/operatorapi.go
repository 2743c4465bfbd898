// Package operatorapi defines what operators can see and do: the use cases that
// the admin API and the console share, one interface per topic.
//
// Reads require any role. Writes require the role operator; the use case checks
// it. Lists come in pages: next is the position after which the next page begins,
// and is empty on the last page. A position that no list returned is
// BAD_USER_INPUT. An object that does not exist is NOT_FOUND.
package operatorapi

import (
	"context"
	"io"
	"time"

	"strongroom/internal/domain"
)

// UseCases combines all of them.
type UseCases struct {
	Inventory
	Guesses
	Status
	Trail
	Rotation
	Webhook
	Custody
}

// Inventory has the use cases on accounts, devices, keys and credentials.
type Inventory interface {
	Devices(ctx context.Context, f domain.DeviceFilter, p domain.Page) (devices []domain.Device, next string, err error)
	// Key returns the device of a key, with only this one in Keys.
	Key(ctx context.Context, keyID string) (domain.Device, error)
	RevokeKey(ctx context.Context, keyID string, act domain.Act) (domain.ActResult, error)
	// UnbindKey ends the binding of a key to the key of its device.
	UnbindKey(ctx context.Context, keyID string, act domain.Act) (domain.ActResult, error)

	Accounts(ctx context.Context, f domain.AccountFilter, p domain.Page) (accounts []domain.Account, next string, err error)
	Account(ctx context.Context, accountID string) (domain.AccountInfo, error)
	RequireChange(ctx context.Context, accountID string, t domain.CredentialType, act domain.Act) (domain.ActResult, error)
	EraseAccount(ctx context.Context, accountID string, act domain.Act) (domain.ActResult, error)
	// ExportAccount writes an entry about the export to the audit trail, then reads.
	ExportAccount(ctx context.Context, accountID string, act domain.Act) (domain.AccountExport, error)
}

// Guesses has the use cases on locks, and on sources that guess the secrets of
// many accounts.
type Guesses interface {
	Locks(ctx context.Context, p domain.Page) (locks []domain.Lock, next string, err error)
	LockTrend(ctx context.Context, hours int) ([]domain.LockTrend, error)
	Unlock(ctx context.Context, accountID string, t domain.CredentialType, act domain.Act) (domain.ActResult, error)
	// Suspicions returns the suspected sources of the last hour: those that this
	// instance detected, and those of other instances that are in the audit trail.
	Suspicions(ctx context.Context) ([]domain.Suspicion, error)
}

// Status has the use cases on the health of this instance and on the metrics of
// all instances.
type Status interface {
	Health(ctx context.Context) (domain.Health, error)
	// Operations returns the metrics of the past hours, oldest first, in at most about
	// 1,500 intervals of one width. Intervals without operations are left out. The
	// width is the stored one, or step if that is a multiple of it.
	Operations(ctx context.Context, hours float64, step time.Duration) (width time.Duration, series []domain.Bucketed, err error)
	Summary(ctx context.Context, hours float64) (domain.Summary, error)
}

// Trail has the use cases on the audit trail.
type Trail interface {
	// Audit returns matching entries, newest first. One call reads a bounded number
	// of entries, so it may return fewer than the limit, even none, and still return
	// a next position. searched is the time back to which it has searched.
	Audit(ctx context.Context, f domain.EntryFilter, p domain.Page) (entries []domain.Entry, next string, searched time.Time, err error)
	// ExportAudit writes at most limit entries after the position, as JSON lines like
	// `audit export`, sorted by chain and number. next is the position to continue
	// from.
	ExportAudit(ctx context.Context, w io.Writer, after string, limit int) (next string, err error)
}

// Rotation has the use cases on plans that replace device keys.
type Rotation interface {
	// RotationPlans returns at most 20 plans, newest first. If a plan is running, it
	// is the first.
	RotationPlans(ctx context.Context) ([]domain.RotationPlan, error)
	// PreviewRotationPlan returns the plan with the number of keys that it would
	// select if it began now. A plan without criteria selects every key.
	PreviewRotationPlan(ctx context.Context, plan domain.RotationPlan) (domain.RotationPlan, error)
	// StartRotationPlan begins a plan. It uses CreatedBefore, Bits, Algorithm, Upgrade
	// and RefuseUse of its argument. A zero CreatedBefore means now, by the store's
	// clock; a repeat must leave it zero too. While a plan is running, it returns
	// CONFLICT.
	StartRotationPlan(ctx context.Context, plan domain.RotationPlan, act domain.Act) (domain.ActResult, error)
	StopRotationPlan(ctx context.Context, id string, act domain.Act) (domain.ActResult, error)
}

// Webhook has the use cases on events that are sent to a receiver, and on dead
// letters.
type Webhook interface {
	WebhookStatus(ctx context.Context) (domain.WebhookStatus, error)
	// DeadLetters returns dead letters, oldest first, without their content.
	DeadLetters(ctx context.Context, f domain.DeadLetterFilter, p domain.Page) (letters []domain.DeadLetter, next string, err error)
	ResendDeadLetter(ctx context.Context, id string, act domain.Act) (domain.ActResult, error)
	// ResendDeadLetters sends at most 1,000 of those that the filter selects, oldest
	// first.
	ResendDeadLetters(ctx context.Context, f domain.DeadLetterFilter, act domain.Act) (domain.Resent, error)
}

// Custody has the use cases on root keys and data keys of the store. The command
// line adds, rotates and destroys keys, on the machine of the service.
type Custody interface {
	// RootKeys returns the root keys that wrap the data keys, oldest first, and then
	// the configured root keys that do not. Each has the result of its last check.
	RootKeys(ctx context.Context) ([]domain.RootKey, error)
	// DataKeys returns the data keys, oldest first, and the progress of the rewrap.
	DataKeys(ctx context.Context) ([]domain.DataKey, domain.Rewrap, error)
	// PauseRewrap pauses or resumes the rewrap on all instances.
	PauseRewrap(ctx context.Context, pause bool, act domain.Act) (domain.ActResult, error)
}

// Bounds on what a request can ask for, in bytes.
const (
	MaxPosition = 40 << 10 // of a position in a list, which may contain an issuer, or an edited row's text
	MaxIssuer   = 2 << 10
	MaxRecord   = 64
	MaxEvent    = 64
	MaxOutcome  = 64
	MaxActor    = 512 // 128 characters and the prefix "operator:"
)

// MaxPlanDays is the highest age of keys, in days, by which a rotation plan can
// select.
const MaxPlanDays = 36500
