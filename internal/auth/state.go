package auth

import (
	"slices"
	"strings"
	"time"
)

// KeySetState is what is known of one issuer's key set.
type KeySetState struct {
	Issuer string
	Keys   int           // that are usable
	Age    time.Duration // since it was last fetched or read; negative: it never was
}

// KeySets returns the state of each issuer's key set, by the issuers' names.
// It is safe for concurrent use.
func (v *verifier[T]) KeySets() []KeySetState {
	var all []KeySetState
	for issuer, set := range v.issuers {
		state := KeySetState{Issuer: issuer, Age: -1}
		if keys := set.keys.Load(); keys != nil {
			state.Keys = len(keys.list)
		}
		if fresh := set.fresh.Load(); fresh != 0 {
			state.Age = max(0, v.now().Sub(time.Unix(0, fresh)))
		}
		all = append(all, state)
	}
	slices.SortFunc(all, func(a, b KeySetState) int { return strings.Compare(a.Issuer, b.Issuer) })
	return all
}

// CacheLookups returns how many tokens were among those verified lately, and
// how many had to be verified. It is safe for concurrent use.
func (v *verifier[T]) CacheLookups() (hits, misses uint64) { return v.hits.Load(), v.misses.Load() }
