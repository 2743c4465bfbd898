package operator

import (
	"testing"
	"time"

	"strongroom/internal/domain"
)

// Entries of 0.16.0 do not say with which failures an account came. Such a counter replaces
// no earlier one, because its failures are unknown.
func TestACounterWhoseEntrySaysNoFailuresReplacesNone(t *testing.T) {
	came := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	entry := func(event domain.Event, record string, at time.Duration, reason string) domain.Entry {
		return domain.Entry{Event: event, Record: record, Version: 1, Seq: int64(at), Time: came.Add(at), Count: 1, Account: []byte("alice"), Operation: domain.OpVerifyPIN, Reason: reason}
	}
	detail := domain.Attempts{Type: domain.TransactionPIN, Failures: 2}.Detail()
	for reason, kept := range map[string]int{
		"full": 2, "full" + detail: 1, detail: 1,
		"full (counter {})": 2, "full (counter {)": 2, "full (counter ": 2, "full" + detail + " ": 2, "": 2,
	} {
		n := noneNewer()
		n.take(entry(domain.EventCredentialMismatch, "attempts/before", 1, ""))
		n.take(entry(domain.EventAccountReceived, "attempts/after", 2, reason))
		n.take(entry(domain.EventCredentialMismatch, "attempts/after", 3, ""))
		for _, f := range n.failures {
			f.accountID = "alice"
		}
		after := n.failures["after"]
		if dropSuperseded(n.failures); len(n.failures) != kept || after.bare != (kept == 2) || len(after.all) != 1 {
			t.Errorf("%q: %d counters, %+v", reason, len(n.failures), after)
		}
	}
}
