// Package operatorapi is what operators can see and do, whichever way they come:
// the use cases that admin API and console both call, by topic.
//
// Reads need no more than a role. Every write needs the role operator, which the
// use case checks. Lists come in parts: next is the position to go on from, and
// is empty at the end. A position that no list returned is BAD_USER_INPUT. What
// does not exist is NOT_FOUND.
package operatorapi

import (
	"context"
	"io"
	"time"

	"strongroom/internal/domain"
)

// UseCases are all of them.
type UseCases struct {
	Inventory
	Guesses
	Status
	Trail
	Rotation
	Webhook
	Custody
}

// Inventory is accounts and devices with their keys and credentials.
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
	// ExportAccount enters the export into the trail and then reads.
	ExportAccount(ctx context.Context, accountID string, act domain.Act) (domain.AccountExport, error)
}

// Guesses is locks, and sources that guess at many accounts.
type Guesses interface {
	Locks(ctx context.Context, p domain.Page) (locks []domain.Lock, next string, err error)
	LockTrend(ctx context.Context, hours int) ([]domain.LockTrend, error)
	Unlock(ctx context.Context, accountID string, t domain.CredentialType, act domain.Act) (domain.ActResult, error)
	// Suspicions are those of the last hour that this instance saw, and those of
	// others that are in the trail.
	Suspicions(ctx context.Context) ([]domain.Suspicion, error)
}

// Status is the health of an instance, and the metrics of all of them.
type Status interface {
	Health(ctx context.Context) (domain.Health, error)
	// Operations are the metrics of the last hours in intervals of one width, at
	// most about 1,500, the oldest first. Intervals without operations are left out.
	// The width is the one in which the metrics are stored, or step, if that is a
	// multiple of it.
	Operations(ctx context.Context, hours float64, step time.Duration) (width time.Duration, series []domain.Bucketed, err error)
	Summary(ctx context.Context, hours float64) (domain.Summary, error)
}

// Trail is the audit trail.
type Trail interface {
	// Audit returns matching entries, newest first. One call looks at a bounded
	// number of entries: it may find fewer than asked for, even none, and still
	// have a next. searched is the time that it came back to.
	Audit(ctx context.Context, f domain.EntryFilter, p domain.Page) (entries []domain.Entry, next string, searched time.Time, err error)
	// ExportAudit writes entries as the JSON lines of audit export, in order of
	// chain and number, from after the position on, and returns the position to
	// go on from. At most limit entries.
	ExportAudit(ctx context.Context, w io.Writer, after string, limit int) (next string, err error)
}

// Rotation is plans to replace keys.
type Rotation interface {
	// RotationPlans are the running plan, if there is one, and those before it,
	// newest first, at most 20.
	RotationPlans(ctx context.Context) ([]domain.RotationPlan, error)
	// PreviewRotationPlan is a plan with the keys that it would select if it began
	// now: every one, where it says neither CreatedBefore nor Bits.
	PreviewRotationPlan(ctx context.Context, plan domain.RotationPlan) (domain.RotationPlan, error)
	// StartRotationPlan begins a plan, of which CreatedBefore, Bits and RefuseUse
	// are given; a zero CreatedBefore is now, by the store's clock, and is zero
	// again in a repeat. Only one runs at a time: CONFLICT while one does.
	StartRotationPlan(ctx context.Context, plan domain.RotationPlan, act domain.Act) (domain.ActResult, error)
	StopRotationPlan(ctx context.Context, id string, act domain.Act) (domain.ActResult, error)
}

// Webhook is the events that go out, and those that were set aside.
type Webhook interface {
	WebhookStatus(ctx context.Context) (domain.WebhookStatus, error)
	// DeadLetters are the events that were set aside, oldest first, without what
	// they say.
	DeadLetters(ctx context.Context, f domain.DeadLetterFilter, p domain.Page) (letters []domain.DeadLetter, next string, err error)
	ResendDeadLetter(ctx context.Context, id string, act domain.Act) (domain.ActResult, error)
	// ResendDeadLetters sends the oldest that the filter selects, at most 1,000.
	ResendDeadLetters(ctx context.Context, f domain.DeadLetterFilter, act domain.Act) (domain.Resent, error)
}

// Custody is the root keys and data keys of the store. Keys are added, rotated and
// destroyed on the machine of the service, by its command line.
type Custody interface {
	// RootKeys are those that wrap the data keys, the oldest first, and those of the
	// settings that do not. Whether they open the data keys is as of the last check.
	RootKeys(ctx context.Context) ([]domain.RootKey, error)
	// DataKeys are the data keys, the oldest first, and how far the rewrap is.
	DataKeys(ctx context.Context) ([]domain.DataKey, domain.Rewrap, error)
	// PauseRewrap stops the rewrap of all instances, or lets it go on.
	PauseRewrap(ctx context.Context, pause bool, act domain.Act) (domain.ActResult, error)
}

// Bounds on what a request can ask for, in bytes.
const (
	MaxPosition = 8 << 10 // of a position in a list: it may name an issuer
	MaxIssuer   = 2 << 10
	MaxRecord   = 64
	MaxEvent    = 64
	MaxOutcome  = 64
	MaxActor    = 512 // 128 characters and the word before them
)

// MaxPlanDays is the highest age of keys, in days, that a rotation plan can
// select by.
const MaxPlanDays = 36500
