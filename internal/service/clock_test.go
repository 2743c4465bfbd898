package service

import (
	"testing"
	"time"

	"strongroom/internal/domain"
)

func TestAClockThatWasSetIsTold(t *testing.T) {
	now := time.Now()
	// Without its monotonic reading a time is compared by the wall clock alone, on
	// both sides: there is no step, however long nobody looked.
	if step := (&machineClock{now.Round(0)}).step(now.Round(0).Add(time.Hour)); step != 0 {
		t.Errorf("an hour that passed is a step of %v", step)
	}
	for _, tt := range []struct{ passed, set, want time.Duration }{
		{time.Second, 0, 0},
		{time.Hour, 0, 0},
		{time.Second, 59 * time.Second, 0},
		{time.Second, 2 * time.Hour, 2 * time.Hour},
		{time.Second, -2 * time.Hour, -2 * time.Hour},
	} {
		if step := stepped(tt.passed+tt.set, tt.passed); step != tt.want {
			t.Errorf("%v passed and the clock set by %v: a step of %v, want %v", tt.passed, tt.set, step, tt.want)
		}
	}
	v := openVault(t, nil)
	v.clockStepped(v.ctx, 2*time.Hour)
	if v.events()[domain.EventClockStepped] != 1 {
		t.Error("the trail does not tell of it")
	}
}
