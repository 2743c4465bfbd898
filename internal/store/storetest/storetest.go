// Package storetest is the contract suite of package store. Every promise
// there has a test here that fails without it; an engine is done when the
// suite passes on it. The suite knows no engine and no SQL.
package storetest

import (
	"testing"
)

// Run runs the suite. fresh makes an empty database for one test and returns
// its opener; stores are closed by the suite.
func Run(t *testing.T, fresh func(t *testing.T) Opener) {
	groups := [][]test{transactionTests, settingTests, keyTests, useTests, keyGenerationTests, ciphertextTests, credentialTests, batchTests, trailTests, actResultTests, signingKeyTests, redemptionTests, outboxTests, modelTests}
	if !testing.Short() { // the short form runs with the race detector, and nothing in these is parallel
		groups = append(groups, sealedTests, rollupTests, listingTests, keyNoteTests)
	}
	for _, group := range groups {
		for _, tt := range group {
			t.Run(tt.name, func(t *testing.T) {
				t.Parallel() // most of the time is spent waiting for the disk
				tt.run(newWorld(t, fresh(t)))
			})
		}
	}
}
