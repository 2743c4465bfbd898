// Package vault holds the use cases of callers: what an app or a backend may ask
// of the vault, in which transactions it happens, and what the audit trail and
// the metrics record of it.
//
// The idea: each use case reads as the list of promises it keeps. Nothing here
// knows GraphQL, HTTP or SQL. Cryptography comes from packages that know bytes
// only. The threat is a guesser who has a valid key and many connections: every
// attempt is reserved durably before its secret is compared, and its verdict is
// answered only after it was counted.
package vault

import (
	"strongroom/internal/ratelimit"
)

// Vault is the use cases of callers. It is safe for concurrent use.
type Vault struct {
	*gate
	*Keys
	*Credentials
}

// New returns the use cases on a store whose keyset was opened.
func New(cfg Config) *Vault {
	g := &gate{cfg: cfg, callers: ratelimit.NewRates(cfg.CallerRates, rateEntries), addresses: ratelimit.NewAddressRates(cfg.AddressRates, rateEntries)}
	return &Vault{gate: g, Keys: newKeys(g), Credentials: newCredentials(g)}
}
