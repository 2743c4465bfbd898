package vault

import (
	"sync"
	"testing"

	"strongroom/internal/domain"
)

// The map does not grow: a credential without waiting requests is removed.
func TestCredentialsWithoutWaitersAreForgotten(t *testing.T) {
	var v verdicts
	var waiters sync.WaitGroup
	for range 50 {
		settled, leave := v.wait("account", domain.TransactionPIN)
		waiters.Go(func() {
			defer leave()
			<-settled
		})
	}
	_, gone := v.wait("account", domain.Passcode)
	gone()
	v.settled("account", domain.TransactionPIN)
	waiters.Wait()
	v.settled("account", domain.TransactionPIN)
	if len(v.waiting) != 0 {
		t.Errorf("%d credentials are still waited for", len(v.waiting))
	}
}
