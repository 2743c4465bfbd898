package tally

import (
	"fmt"
	"testing"
	"time"

	"strongroom/internal/domain"
)

func TestPendingKeyUsesAreBounded(t *testing.T) {
	var u keyUses
	now := time.Date(2026, 3, 1, 12, 30, 0, 0, time.UTC)
	for n := range maxNotedKeys + 10 {
		u.note(domain.DeviceKey{ID: fmt.Sprint(n)}, now)
		u.note(domain.DeviceKey{ID: fmt.Sprint(n)}, now.Add(20*time.Minute))
	}
	if len(u.noted) > maxNotedKeys || len(u.pending) != maxPendingUses {
		t.Errorf("%d keys are remembered, %d uses wait", len(u.noted), len(u.pending))
	}
	u.giveBack(u.take())
	for n := 0; u.waiting(); n += usesPerFlush {
		for i, use := range u.take() {
			if use.key != fmt.Sprint(n+i) || use.at.Minute() != 0 {
				t.Fatalf("use %d is %+v", n+i, use)
			}
		}
	}
}
