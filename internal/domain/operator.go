package domain

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"
	"time"
)

// Role is what someone may do on the operator side.
type Role int

// The roles. Each may do all that the one before it may.
const (
	NoRole       Role = iota
	RoleViewer        // reads
	RoleOperator      // changes too
)

// Operator is the authenticated person or program on the operator side. The zero
// Operator has no name and no permissions.
type Operator struct {
	// Name identifies the operator in the audit trail, after "operator:". It is the
	// kind of authentication, a colon and the identity: "token:1f2e3d4c" (the first
	// digits of the token's SHA-256), "oidc:alice" or "command:root". At most 128
	// printable characters.
	Name string
	Role Role
}

// Require refuses an operator with a lesser role.
func (o Operator) Require(r Role) error {
	if refusal := o.Refusal(r); refusal != nil {
		return refusal
	}
	return nil
}

// Refusal is the error of Require, or nil.
func (o Operator) Refusal(r Role) *Error {
	switch {
	case o.Role >= r:
		return nil
	case o.Role == RoleViewer:
		return &Error{Code: CodeForbidden, Reason: ReasonMissingRole, Message: "This needs the role operator. Your role, viewer, can only read."}
	}
	return &Error{Code: CodeForbidden, Reason: ReasonMissingRole, Message: "This needs the role viewer or operator."}
}

type operatorKey struct{}

// WithOperator returns a context that carries o.
func WithOperator(ctx context.Context, o Operator) context.Context {
	return context.WithValue(ctx, operatorKey{}, o)
}

// OperatorFrom returns the operator in ctx, or the zero Operator.
func OperatorFrom(ctx context.Context) Operator {
	o, _ := ctx.Value(operatorKey{}).(Operator)
	return o
}

// Act is what an operator gives with every write.
type Act struct {
	Reason string // why, for the audit trail: 1 to 500 printable characters in one line
	// IdempotencyKey: if the same operator repeats the write with this key within
	// 24 hours, nothing is done and the first result is returned. At most 128
	// printable ASCII characters; empty: each call is a write of its own.
	IdempotencyKey string
}

const maxIdempotencyKey = 128 // bytes

// Checked is the act with its reason trimmed, or BAD_USER_INPUT.
func (a Act) Checked() (Act, error) {
	reason, remedy := ParseReason(a.Reason)
	if remedy != "" {
		return a, BadInput("reason", remedy)
	}
	a.Reason = reason
	if len(a.IdempotencyKey) > maxIdempotencyKey || strings.ContainsFunc(a.IdempotencyKey, func(c rune) bool { return c < ' ' || c > '~' }) {
		return a, BadInput("idempotencyKey", fmt.Sprintf("must be at most %d printable ASCII characters", maxIdempotencyKey))
	}
	return a, nil
}

// ActResult says that a write of an operator was done.
type ActResult struct {
	RequestID string    // by which the audit trail knows it
	At        time.Time // when it was done
	Repeated  bool      // an earlier request did it
}

// Page asks for a part of a list.
type Page struct {
	After string // the Next of the part before; empty: the first part
	Limit int    // the most items to return, 1 to 200
}

// DevicePosition is a place in the list of devices, which is in order of
// deviceId and then account.
type DevicePosition struct{ DeviceID, AccountID string }

// DeviceFilter selects devices. At most one field may be set. Without one it
// selects all.
type DeviceFilter struct {
	DeviceID  string // exactly, in all accounts
	Prefix    string // of the deviceId
	AccountID string
	KeyID     string // has or had this key
}

// Device is a device as operators see it.
type Device struct {
	DeviceID      string
	Account       Account // Subject is empty if the account was erased, except in device mode
	Keys          []KeyInfo
	MoreKeys      bool // there are older keys than those in Keys
	KeyGeneration KeyGeneration
}

// KeyInfo is a device key as operators see it: never its private key.
type KeyInfo struct {
	ID         string
	State      KeyState
	Algorithm  string
	Bits       int
	AppVersion string
	Thumbprint string // see [DeviceKey]; empty: the key is not bound
	CreatedAt  time.Time
	ExpiresAt  time.Time // zero: never
	EndedAt    time.Time // zero while active
	GraceUntil time.Time // zero: none
	LastUsedAt time.Time // to the hour; zero: never, or by a version that did not note it
	Tampered   bool      // the record does not fit its MAC: it is refused, and nothing here can be trusted
}

// KeyGeneration is how often a device asked for a key in its window.
type KeyGeneration struct {
	Count     int64     // 0: no window is open
	ResetTime time.Time // the last instant of the window; zero: no window is open
	Cluster   bool      // counted for all instances together, not by this one alone
}

// AccountFilter selects accounts. Without fields it selects all.
type AccountFilter struct {
	Issuer  string // exactly, in jwt mode; empty: any
	Subject string // exactly
	Prefix  string // of the subject; not with Subject
}

// AccountInfo is an account with its credentials as operators see it.
type AccountInfo struct {
	Account     Account
	Credentials []CredentialInfo // one for each type, whether or not it was ever set
}

// AccountExport is what is stored about an account, for its owner, without
// secrets and without the entries of the trail.
type AccountExport struct {
	ActResult
	AccountInfo
	Devices     []ExportedDevice
	MoreKeys    bool         // there are more keys than one export holds
	Previous    []Credential // replaced ones that are kept, without their sealed verifiers; the newest of each type first
	Events      []OutboxEvent
	DeadLetters []OutboxEvent
	MoreEvents  bool // there are more events or dead letters than one export holds
}

// ExportedDevice is a device with all its keys, in order of their ids.
type ExportedDevice struct {
	DeviceID      string
	KeyGeneration KeyGeneration
	Keys          []ExportedKey
}

// ExportedKey is a key with its public half.
type ExportedKey struct {
	KeyInfo
	PublicKey []byte // DER SubjectPublicKeyInfo
}

// CredentialInfo is a credential and its attempt counter as operators see them:
// never a verifier.
type CredentialInfo struct {
	Type           CredentialType
	Set            bool
	Version        int64
	CreatedAt      time.Time // zero: not set
	UpdatedAt      time.Time
	Failures       int // wrong verdicts in a row
	RecentFailures int // in the rolling window
	Pending        int // attempts reserved and not settled
	LockedUntil    time.Time
	Permanent      bool // locked until an operator unlocks
	LockedDevices  []LockedDevice
	VerifiedAt     time.Time // the last right answer; zero: not recorded
	AttemptsLeft   int       // of the account until a lock, if each is wrong; a device can have fewer
	MustChange     bool      // a successful verify says so until the next set
	Tampered       bool      // the attempt counter does not fit its MAC: it is refused
}

// Lock is an active lock of an account, of some of its devices, or of both.
type Lock struct {
	Account       Account
	Type          CredentialType
	Failures      int
	LockedUntil   time.Time // of the account; zero: none, or Permanent
	Permanent     bool
	LockedDevices []LockedDevice
	Tampered      bool // the attempt counter does not fit its MAC: nothing here can be trusted
}

// LockedDevice is a device of an account with a lock of its own. Lists have
// them in order of when the lock ends, those without end last.
type LockedDevice struct {
	// DeviceID is empty if the account has no key of this device, or so many devices
	// that not all were compared: an attempt counter has only a keyed hash.
	DeviceID  string
	Until     time.Time // zero if Permanent
	Permanent bool      // locked until an operator unlocks
}

// LockPosition is a place in the list of locks, which is in order of when they
// end, then account and type. Those without end come last.
type LockPosition struct {
	Until     int64 // as [Attempts.LockStandsUntil]
	AccountID string
	Type      CredentialType
}

// ListedLock is an attempt counter and its place in the list of locks. No MAC covers the
// place, so it may differ from the locks in the attempt counter: [ListedLock.Fits].
type ListedLock struct {
	At      LockPosition
	Counter Attempts
}

// Fits reports whether the place is that of the locks that are active at now. Without an
// active lock, any place fits. Versions before 0.5.0 did not write the place, and the
// migration to 0.5.0 put the locks of devices at the end of the list.
func (l ListedLock) Fits(now time.Time) bool {
	until := l.Counter.LockStandsUntil()
	return until <= Micros(now) || l.At.Until == until || l.At.Until == math.MaxInt64 && len(l.Counter.Devices) > 0
}

// LockTrend is how many locks began in one hour.
type LockTrend struct {
	Start   time.Time
	Locks   int64
	AtLeast bool // there were so many that not all were counted
}

// Suspicion is a source that guesses secrets of many accounts.
type Suspicion struct {
	Kind     string    // "address" or "device"
	Source   string    // an IPv4 address, the /64 or /48 of an IPv6 address, or the keyed hash of a device
	Accounts int       // with a wrong answer from there within the hour, counted up to a bound
	Failures int64     // of these accounts; each counts from its first one after an hour without any
	First    time.Time // of these failures, so it can be more than an hour ago
	Last     time.Time
}

// RotationPlan ends keys at their next use: a generate issues a new key in
// place of a key that it selects.
type RotationPlan struct {
	ID            string // the request id of the act that began it
	CreatedBefore time.Time
	Bits          int    // only keys of this modulus size; 0: of any
	Algorithm     string // only keys of this algorithm; empty: of any
	Upgrade       bool   // only keys of RSA, each when its client lists an algorithm of HPKE that the service prefers
	RefuseUse     bool   // set and verify too refuse a selected key, with KEY_NOT_USABLE, so that the client asks for a new one
	StartedAt     time.Time
	StartedBy     string // Operator.Name
	Reason        string
	StoppedAt     time.Time // zero while it runs
	StoppedBy     string
	Selected      int64 // active keys that it selected when it began
	SelectedMore  bool  // there may be more: counting stopped at Selected
	Remaining     int64 // of them, at CountedAt
	RemainingMore bool  // there may be more: counting stopped at Remaining
	CountedAt     time.Time
}

// CurrentPlan stands for the id of the running plan in a request to stop it, even if
// only the audit trail shows which plan that is.
const CurrentPlan = "current"

// Selects reports whether the plan replaces a key. For a plan with Upgrade it also
// depends on the algorithms of the client.
func (p RotationPlan) Selects(k DeviceKey) bool {
	return k.State == KeyActive && k.CreatedAt.Before(p.CreatedBefore) && (p.Bits == 0 || k.Bits == p.Bits) &&
		(p.Algorithm == "" || k.Algorithm == p.Algorithm)
}

// Canonical is what the digest of a running plan is computed over: everything that
// was fixed when it began. The leading number is the format version.
func (p RotationPlan) Canonical() []byte {
	fields := [][]byte{{1}, []byte(Tenant), []byte(p.ID), EncodeTime(p.CreatedBefore), EncodeInt(int64(p.Bits)), encodeFlag(p.RefuseUse),
		EncodeTime(p.StartedAt), []byte(p.StartedBy), []byte(p.Reason), EncodeInt(p.Selected)}
	if p.Algorithm != "" { // a plan without it has the form that it had before there were others
		fields = append(fields, []byte(p.Algorithm), encodeFlag(p.Upgrade))
	}
	return Encode(fields...)
}

// EntryPosition is a place in the trail read by time, newest first: entries
// come in descending order of time, then chain, then number.
type EntryPosition struct {
	Time  time.Time
	Chain string
	Seq   int64
}

// Position is where e is in the trail.
func (e Entry) Position() EntryPosition {
	return EntryPosition{Time: e.Time, Chain: e.Chain, Seq: e.Seq}
}

// Compare orders positions by time, then by chain, then by number.
func (p EntryPosition) Compare(other EntryPosition) int {
	return cmp.Or(p.Time.Compare(other.Time), cmp.Compare(p.Chain, other.Chain), cmp.Compare(p.Seq, other.Seq))
}

// EntryFilter selects entries of the trail. Empty fields select all.
type EntryFilter struct {
	AccountID string // entries about this account, also after its erasure
	// AccountHash is the keyed hash by which entries name an account, 16 bytes.
	// Not with AccountID or DeviceID.
	AccountHash []byte
	DeviceID    string // only together with an account that exists, except in device mode
	KeyID       string
	Record      string // kind and id, as "key/…"
	Event       Event
	Outcome     string
	Actor       string // with or without the "operator:" before it, or all operators: "operator"
	RequestID   string
	From, To    time.Time // From <= Time < To; zero: no bound
}

// Bucketed sums up the operations in one span of time.
type Bucketed struct {
	Start           time.Time
	Operations      int64
	Failures        int64
	AverageDuration time.Duration
	Percentiles     Percentiles // of fewer than Operations if an earlier version, without percentiles, counted some
}

// Health is the state of an instance.
type Health struct {
	Instance      string // the first chain of its trail
	Cell          string // the tag that begins the ids of new keys; may be empty
	Mode          Mode
	Store         bool      // answers and takes writes
	RootKey       bool      // one of the root keys opened the data keys at the last check
	RootKeys      []RootKey // those that are configured, at the last check
	KeyPool       int       // ready key pairs
	KeyPoolSize   int
	Workers       int // for RSA and Argon2id
	WorkersBusy   int
	Waiting       int           // requests that were admitted to them, waiting or running
	WaitingMost   int           // above which they are refused
	RollupLag     time.Duration // age of the oldest operation that is not in the metrics yet
	AuditLag      time.Duration // age of the oldest count that is not in the trail yet
	CheckpointAt  time.Time     // when this instance made the last checkpoint; zero: none
	StoreTime     time.Time     // by the store's clock
	InstanceTime  time.Time
	SchemaVersion int64
}
