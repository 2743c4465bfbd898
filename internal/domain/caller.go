package domain

import (
	"context"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// Mode says how the account of a caller is determined.
type Mode string

const (
	// ModeDevice is the default mode: the account is the device that the key was
	// issued to, and anyone who reaches the port can act for any device. It is for
	// a sandbox or a private network.
	ModeDevice Mode = "device"
	// ModeJWT: the account is issuer and subject of a verified bearer token.
	ModeJWT Mode = "jwt"
	// ModeGateway: a backend that proved itself names the account.
	ModeGateway Mode = "gateway"
)

// MaxAccountBytes bounds the name of an account, in bytes of UTF-8.
const MaxAccountBytes = 256

// Permission is what a caller may do, by its OAuth scope (RFC 6749, 3.3).
type Permission uint8

// The permissions. Their set is a bit mask, so that a caller is compared and
// copied as a value.
const (
	MayIssueKeys        Permission = 1 << iota // key:issue
	MayWriteCredential                         // credential:write
	MayVerifyCredential                        // credential:verify
	MayResetCredential                         // credential:reset: set while locked, which clears the lock
	MayReadMetrics                             // metrics:read
	MayRedeemReceipts                          // receipt:redeem: of backends, never of users
	AllPermissions      = MayRedeemReceipts<<1 - 1
	OrdinaryPermissions = AllPermissions &^ (MayResetCredential | MayRedeemReceipts) // of a caller that needs no scopes
)

var scopes = map[string]Permission{
	"key:issue":         MayIssueKeys,
	"credential:write":  MayWriteCredential,
	"credential:verify": MayVerifyCredential,
	"credential:reset":  MayResetCredential,
	"metrics:read":      MayReadMetrics,
	"receipt:redeem":    MayRedeemReceipts,
}

// Scopes returns all scopes, sorted.
func Scopes() []string { return slices.Sorted(maps.Keys(scopes)) }

// ParseScope is the permission that a scope names, or 0 for an unknown scope:
// tokens carry the scopes of other services too.
func ParseScope(scope string) Permission { return scopes[scope] }

// ParseScopes is the permissions of scopes that are separated by spaces.
func ParseScopes(list string) Permission {
	var all Permission
	for scope := range strings.FieldsSeq(list) {
		all |= ParseScope(scope)
	}
	return all
}

// String is the scope of a single permission.
func (p Permission) String() string {
	for scope, permission := range scopes {
		if permission == p {
			return scope
		}
	}
	return "none"
}

// Caller is the sender of a request, as the transport identified it. It travels in
// the context because every layer needs it and none of them changes it.
type Caller struct {
	Mode      Mode
	Issuer    string // empty in device and gateway mode
	Subject   string // empty in device mode: there the key names the account
	RequestID string // of the HTTP request or command, for logs, answers and the audit trail

	Permissions     Permission
	AuthenticatedAt time.Time // when the user signed in, according to the token; zero: unknown

	// Thumbprint is the JWK thumbprint (RFC 7638) by SHA-256, in base64url without
	// padding, of the key that the sender of this request has: that of its DPoP
	// proof, or of the client certificate that the token names. Empty: the request
	// proves no key.
	Thumbprint string
	// TokenBound: the verified access token itself names that key (cnf, RFC 7800).
	TokenBound bool
	// HardwareKey: TokenBound, and the token says that the key is in hardware (hwk
	// in amr, RFC 8176).
	HardwareKey bool

	Address netip.Addr // of the client, also behind trusted proxies; invalid: unknown
}

// Require refuses a caller that has none of the permissions in p. The refusal
// names the first of them.
func (c Caller) Require(p Permission) error {
	if c.Permissions&p != 0 {
		return nil
	}
	scope := (p & -p).String()
	message := "The caller lacks the scope " + scope + ". Ask for a token that has it."
	if c.Mode == ModeDevice {
		message = "This needs the scope " + scope + ", which no caller has in device mode. Ask an operator of the service to do it."
	}
	return &Error{Code: CodeForbidden, Reason: ReasonMissingScope, RequiredScope: scope, Message: message}
}

type callerKey struct{}

// WithCaller returns a context that carries c.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerFrom returns the caller in ctx, or a zero Caller (which has no rights)
// where there is none.
func CallerFrom(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// Rate is how many requests are allowed in a window of time.
type Rate struct {
	Limit  int
	Window time.Duration
}
