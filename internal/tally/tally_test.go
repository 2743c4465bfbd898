package tally

import (
	"testing"

	"strongroom/internal/domain"
)

// Entries arrive while a flush runs that fails.
func TestWaitingEntriesAreBounded(t *testing.T) {
	var all Tally
	for range 2 {
		for range maxEntries + 1 {
			all.Enter(domain.Entry{Seq: 1})
		}
		taken := all.takeEntries()
		all.Enter(domain.Entry{Seq: 2})
		all.returnEntries(taken)
		if n := len(all.entries); n != maxEntries || all.entries[n-1].Seq != 1 {
			t.Errorf("%d entries wait, want the %d oldest", n, maxEntries)
		}
	}
}
