package admin

import (
	"encoding/hex"
	"time"

	"strongroom/internal/domain"
)

// The answers as JSON. openapi.json describes each field. Times are in UTC.
// Fields with omitempty or omitzero are left out if they are empty.

// List is one page of a list. Next is the position after which the next page
// begins; empty on the last page.
type List[T any] struct {
	Items []T    `json:"items"`
	Next  string `json:"next,omitempty"`
}

func listOf[V, T any](items []T, next string, view func(T) V) List[V] {
	list := List[V]{Items: make([]V, len(items)), Next: next}
	for i, item := range items {
		list.Items[i] = view(item)
	}
	return list
}

// Index is the answer at the root of the API.
type Index struct {
	Version string      `json:"version"`
	Mode    domain.Mode `json:"mode"`
	Links   []string    `json:"links"`
}

// Account names an account.
type Account struct {
	ID        string      `json:"id"`
	Mode      domain.Mode `json:"mode"`
	Issuer    string      `json:"issuer,omitempty"`
	Subject   string      `json:"subject,omitempty"`
	CreatedAt time.Time   `json:"createdAt,omitzero"`
	Tampered  bool        `json:"tampered,omitempty"` // the name does not fit the id
}

func account(a domain.Account) Account {
	return Account{a.ID, a.Mode, a.Issuer, a.Subject, shown(a.CreatedAt), a.Tampered}
}

// Device is a device with its keys.
type Device struct {
	DeviceID      string        `json:"deviceId"`
	Account       Account       `json:"account"`
	Keys          []Key         `json:"keys"`
	MoreKeys      bool          `json:"moreKeys"`
	KeyGeneration KeyGeneration `json:"keyGeneration"`
}

// Key is a device key.
type Key struct {
	KeyID      string          `json:"keyId"`
	State      domain.KeyState `json:"state"`
	Algorithm  string          `json:"algorithm"`
	KeySize    int             `json:"keySize"`
	AppVersion string          `json:"appVersion,omitempty"`
	Thumbprint string          `json:"jkt,omitempty"`
	CreatedAt  time.Time       `json:"createdAt"`
	ExpiresAt  time.Time       `json:"expiresAt,omitzero"`
	EndedAt    time.Time       `json:"endedAt,omitzero"`
	GraceUntil time.Time       `json:"graceUntil,omitzero"`
	LastUsedAt time.Time       `json:"lastUsedAt,omitzero"`
	Tampered   bool            `json:"tampered"`
}

// KeyGeneration is the counter of requests for keys.
type KeyGeneration struct {
	Count     int64     `json:"count"`
	ResetTime time.Time `json:"resetTime,omitzero"`
	Scope     string    `json:"scope"` // "instance" or "cluster"
}

func device(d domain.Device) Device {
	return Device{d.DeviceID, account(d.Account), listOf(d.Keys, "", key).Items, d.MoreKeys, keyGeneration(d.KeyGeneration)}
}

func keyGeneration(g domain.KeyGeneration) KeyGeneration {
	scope := "instance"
	if g.Cluster {
		scope = "cluster"
	}
	return KeyGeneration{g.Count, shown(g.ResetTime), scope}
}

func key(k domain.KeyInfo) Key {
	return Key{k.ID, k.State, k.Algorithm, k.Bits, k.AppVersion, k.Thumbprint, shown(k.CreatedAt), shown(k.ExpiresAt), shown(k.EndedAt),
		shown(k.GraceUntil), shown(k.LastUsedAt), k.Tampered}
}

// AccountInfo is an account with its credentials.
type AccountInfo struct {
	Account
	Credentials []Credential `json:"credentials"`
}

// Credential is a credential with its attempt counter.
type Credential struct {
	Type           domain.CredentialType `json:"type"`
	Set            bool                  `json:"set"`
	Version        int64                 `json:"version,omitempty"`
	CreatedAt      time.Time             `json:"createdAt,omitzero"`
	UpdatedAt      time.Time             `json:"updatedAt,omitzero"`
	Failures       int                   `json:"failures"`
	RecentFailures int                   `json:"recentFailures"`
	Pending        int                   `json:"pending"`
	LockedUntil    time.Time             `json:"lockedUntil,omitzero"`
	Permanent      bool                  `json:"permanent"`
	LockedDevices  int                   `json:"lockedDevices"`
	DeviceLocks    []DeviceLock          `json:"deviceLocks,omitempty"`
	VerifiedAt     time.Time             `json:"verifiedAt,omitzero"`
	AttemptsLeft   int                   `json:"attemptsLeft"`
	MustChange     bool                  `json:"mustChange"`
	Tampered       bool                  `json:"tampered"`
}

func credential(c domain.CredentialInfo) Credential {
	return Credential{c.Type, c.Set, c.Version, shown(c.CreatedAt), shown(c.UpdatedAt), c.Failures, c.RecentFailures, c.Pending,
		shown(c.LockedUntil), c.Permanent, len(c.LockedDevices), deviceLocks(c.LockedDevices), shown(c.VerifiedAt), c.AttemptsLeft, c.MustChange, c.Tampered}
}

// Lock is an active lock.
type Lock struct {
	Account       Account               `json:"account"`
	Type          domain.CredentialType `json:"type"`
	Failures      int                   `json:"failures"`
	LockedUntil   time.Time             `json:"lockedUntil,omitzero"`
	Permanent     bool                  `json:"permanent"`
	LockedDevices int                   `json:"lockedDevices"`
	DeviceLocks   []DeviceLock          `json:"deviceLocks,omitempty"`
	Tampered      bool                  `json:"tampered"`
}

func lock(l domain.Lock) Lock {
	return Lock{account(l.Account), l.Type, l.Failures, shown(l.LockedUntil), l.Permanent, len(l.LockedDevices), deviceLocks(l.LockedDevices), l.Tampered}
}

// DeviceLock is a lock of one device of an account.
type DeviceLock struct {
	DeviceID    string    `json:"deviceId,omitempty"`
	LockedUntil time.Time `json:"lockedUntil,omitzero"`
	Permanent   bool      `json:"permanent"`
}

func deviceLocks(devices []domain.LockedDevice) (locks []DeviceLock) {
	for _, d := range devices {
		locks = append(locks, DeviceLock{d.DeviceID, shown(d.Until), d.Permanent})
	}
	return locks
}

// LockTrend is how many locks began in one hour.
type LockTrend struct {
	Start   time.Time `json:"start"`
	Locks   int64     `json:"locks"`
	AtLeast bool      `json:"atLeast,omitempty"`
}

func trend(t domain.LockTrend) LockTrend { return LockTrend{shown(t.Start), t.Locks, t.AtLeast} }

// Suspicion is a source that guesses secrets of many accounts.
type Suspicion struct {
	Kind     string    `json:"kind"`
	Source   string    `json:"source"`
	Accounts int       `json:"accounts"`
	Failures int64     `json:"failures"`
	FirstAt  time.Time `json:"firstAt"`
	LastAt   time.Time `json:"lastAt"`
}

func suspicion(s domain.Suspicion) Suspicion {
	return Suspicion{s.Kind, s.Source, s.Accounts, s.Failures, shown(s.First), shown(s.Last)}
}

// Health is the state of an instance. Lags are in seconds.
type Health struct {
	Instance      string      `json:"instance"`
	Version       string      `json:"version"`
	Cell          string      `json:"cell,omitempty"`
	Mode          domain.Mode `json:"mode"`
	Store         bool        `json:"store"`
	RootKey       bool        `json:"rootKey"`
	KeyPool       int         `json:"keyPool"`
	KeyPoolSize   int         `json:"keyPoolSize"`
	Workers       int         `json:"lanes"`
	WorkersBusy   int         `json:"lanesBusy"`
	Waiting       int         `json:"waiting"`
	WaitingMost   int         `json:"waitingMost"`
	RollupLag     float64     `json:"rollupLagSeconds"`
	AuditLag      float64     `json:"auditLagSeconds"`
	CheckpointAt  time.Time   `json:"checkpointAt,omitzero"`
	StoreTime     time.Time   `json:"storeTime,omitzero"`
	InstanceTime  time.Time   `json:"instanceTime"`
	SchemaVersion int64       `json:"schemaVersion"`
}

func health(h domain.Health, version string) Health {
	return Health{h.Instance, version, h.Cell, h.Mode, h.Store, h.RootKey, h.KeyPool, h.KeyPoolSize, h.Workers, h.WorkersBusy, h.Waiting, h.WaitingMost,
		h.RollupLag.Seconds(), h.AuditLag.Seconds(), shown(h.CheckpointAt), shown(h.StoreTime), shown(h.InstanceTime), h.SchemaVersion}
}

// Operations are metrics in intervals of one width, oldest first.
type Operations struct {
	WidthSeconds float64   `json:"widthSeconds"`
	Items        []Stretch `json:"items"`
}

// Stretch is the metrics of one interval.
type Stretch struct {
	Start           time.Time `json:"start"`
	Operations      int64     `json:"operations"`
	Failures        int64     `json:"failures"`
	AverageDuration float64   `json:"averageDuration"` // milliseconds
	Percentiles
}

func stretch(b domain.Bucketed) Stretch {
	return Stretch{shown(b.Start), b.Operations, b.Failures, millis(b.AverageDuration), percentiles(b.Percentiles)}
}

// Summary is the sum over all intervals.
type Summary struct {
	domain.Summary
	Percentiles
}

// Percentiles are percentiles of the timed operations, in milliseconds; 0 if
// there are none.
type Percentiles struct {
	TimedOperations int64   `json:"timedOperations"`
	P50Duration     float64 `json:"p50Duration,omitempty"`
	P95Duration     float64 `json:"p95Duration,omitempty"`
	P99Duration     float64 `json:"p99Duration,omitempty"`
}

func percentiles(p domain.Percentiles) Percentiles {
	return Percentiles{p.Of, millis(p.P50), millis(p.P95), millis(p.P99)}
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// AuditPage is one page of the audit trail, newest first. SearchedTo is the time
// back to which the search has come.
type AuditPage struct {
	List[Entry]
	SearchedTo time.Time `json:"searchedTo,omitzero"`
}

// Entry is one entry of the audit trail. The hashes that prove that it is
// unchanged are in the export.
type Entry struct {
	Chain          string           `json:"chain"`
	Seq            int64            `json:"seq"`
	Time           time.Time        `json:"time"`
	RequestID      string           `json:"requestId,omitempty"`
	Actor          string           `json:"actor"`
	Event          domain.Event     `json:"event"`
	Outcome        string           `json:"outcome"`
	Operation      domain.Operation `json:"operation,omitempty"`
	Failed         bool             `json:"failed,omitempty"`
	Count          int64            `json:"count"`
	DurationMicros int64            `json:"durationMicros,omitempty"`
	KeyID          string           `json:"keyId,omitempty"`
	Account        string           `json:"account,omitempty"` // keyed hash, hexadecimal
	Device         string           `json:"device,omitempty"`  // keyed hash, hexadecimal
	Record         string           `json:"record,omitempty"`
	Version        int64            `json:"version,omitempty"`
	Reason         string           `json:"reason,omitempty"`
	Tampered       bool             `json:"tampered,omitempty"` // it does not match its keyed hash
}

func entry(e domain.Entry) Entry {
	return Entry{Chain: e.Chain, Seq: e.Seq, Time: shown(e.Time), RequestID: e.RequestID, Actor: e.Actor, Event: e.Event, Outcome: e.Outcome,
		Operation: e.Operation, Failed: e.Failed, Count: e.Count, DurationMicros: e.Duration.Microseconds(), KeyID: e.KeyID,
		Account: hex.EncodeToString(e.Account), Device: hex.EncodeToString(e.Device), Record: e.Record, Version: e.Version,
		Reason: e.Reason, Tampered: e.Tampered}
}

// RotationPlan is a plan to replace keys at their next use.
type RotationPlan struct {
	ID            string    `json:"id"`
	CreatedBefore time.Time `json:"createdBefore"`
	KeySize       int       `json:"keySize,omitempty"`
	Algorithm     string    `json:"algorithm,omitempty"`
	Upgrade       bool      `json:"upgrade,omitempty"`
	RefuseUse     bool      `json:"refuseUse"`
	StartedAt     time.Time `json:"startedAt"`
	StartedBy     string    `json:"startedBy"`
	Reason        string    `json:"reason"`
	StoppedAt     time.Time `json:"stoppedAt,omitzero"`
	StoppedBy     string    `json:"stoppedBy,omitempty"`
	Selected      int64     `json:"selected"`
	SelectedMore  bool      `json:"selectedMore,omitempty"`
	Remaining     int64     `json:"remaining"`
	RemainingMore bool      `json:"remainingMore,omitempty"`
	CountedAt     time.Time `json:"countedAt,omitzero"`
}

func plan(p domain.RotationPlan) RotationPlan {
	return RotationPlan{p.ID, shown(p.CreatedBefore), p.Bits, p.Algorithm, p.Upgrade, p.RefuseUse, shown(p.StartedAt), p.StartedBy, p.Reason,
		shown(p.StoppedAt), p.StoppedBy, p.Selected, p.SelectedMore, p.Remaining, p.RemainingMore, shown(p.CountedAt)}
}

// RotationPreview is what a plan would select if it began now.
type RotationPreview struct {
	CreatedBefore time.Time `json:"createdBefore"`
	KeySize       int       `json:"keySize,omitempty"`
	Algorithm     string    `json:"algorithm,omitempty"`
	Upgrade       bool      `json:"upgrade,omitempty"`
	Selected      int64     `json:"selected"`
	SelectedMore  bool      `json:"selectedMore,omitempty"`
	CountedAt     time.Time `json:"countedAt"`
}

// ActResult is the result of a write.
type ActResult struct {
	RequestID string    `json:"requestId"`
	At        time.Time `json:"at"`
	Repeated  bool      `json:"repeated"`
}

func result(r domain.ActResult) ActResult { return ActResult{r.RequestID, shown(r.At), r.Repeated} }

// The first and the last time in an answer: RFC 3339 has no form for years after
// 9999, and omitzero leaves out the zero time.
var (
	firstTime = time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC)
	lastTime  = time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC)
)

// shown returns a time for an answer. Anyone who can write to the database can
// store any number as a time, and one such row must not break a whole list. The
// MAC, which covers the stored value, shows that the row was edited.
func shown(t time.Time) time.Time {
	switch {
	case t.IsZero():
		return t
	case t.Before(firstTime):
		return firstTime
	case t.After(lastTime):
		return lastTime
	}
	return t.UTC()
}
