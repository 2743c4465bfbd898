// Package vault contains the use cases of callers, which are apps and backends:
// their steps, their transactions, and what the audit trail and the metrics
// record.
//
// Each use case reads as the list of promises it keeps. Nothing here knows
// GraphQL, HTTP or SQL, and the packages of cryptography know only bytes. The
// threat is an attacker who has a valid key and many connections and guesses
// secrets. So every attempt is reserved durably before its secret is compared,
// and its verdict is answered only after it was counted.
package vault

import (
	"strongroom/internal/ratelimit"
	"strongroom/internal/receipt"
)

// Vault is the use cases of callers. It is safe for concurrent use.
type Vault struct {
	*gate
	*Keys
	*Credentials
	*receipt.Receipts
}

// New returns the use cases. The keyset of their store must be open.
func New(cfg Config) *Vault {
	g := &gate{cfg: cfg, callers: ratelimit.NewRates(cfg.CallerRates, rateEntries), addresses: ratelimit.NewAddressRates(cfg.AddressRates, rateEntries)}
	receipts := receipt.New(receipt.Config{Mode: cfg.Mode, Records: cfg.Records, Guard: cfg.Guard, Issuer: cfg.Issuer, IssuerURL: cfg.IssuerURL,
		Log: cfg.Log, Metrics: cfg.Metrics, Refused: g.Refused})
	return &Vault{gate: g, Keys: newKeys(g), Credentials: newCredentials(g, receipts), Receipts: receipts}
}
