// Package operator holds the use cases of operators: acts on keys, locks,
// accounts, rotation plans and events, and lists of what is stored.
//
// The idea: every act goes through one function, which checks the role, enters
// the act into the trail with its reason, and answers a repeat of the same
// request with the receipt of the first. Every list goes through another one,
// which reads one snapshot.
package operator

// UseCases are what operators may ask for. They are safe for concurrent use.
type UseCases struct {
	*access
	Inventory
	Trail
	Plans
	Events
}

// New returns the use cases on a store whose keyset was opened.
func New(cfg Config) *UseCases {
	a := &access{cfg}
	return &UseCases{a, Inventory{a}, Trail{a}, Plans{a}, Events{a}}
}
