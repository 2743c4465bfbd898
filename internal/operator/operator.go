// Package operator holds the use cases of operators: acts on keys, locks,
// accounts, rotation plans and events, and lists of what is stored.
//
// Every act on records goes through access.act, which checks the role, writes
// the entry of the act with its reason, and answers a repeated request with the
// first result. Checkpoints and prunes of the trail write their entries in
// package trail. Every list goes through access.look, which checks the role and
// reads one snapshot.
package operator

// UseCases are the use cases of operators. They are safe for concurrent use.
type UseCases struct {
	*access
	Inventory
	Trail
	Plans
	Events
	Signing
	Custody
	Restores
	Moves
}

// New returns the use cases. The keyset of their store must be open.
func New(cfg Config) *UseCases {
	a := &access{cfg: cfg}
	return &UseCases{a, Inventory{a}, Trail{a}, Plans{a}, Events{a}, Signing{a}, Custody{a}, Restores{a}, Moves{a}}
}
