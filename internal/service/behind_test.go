package service

import (
	"testing"

	"strongroom/internal/domain"
)

// A rotation writes thousands of entries at once. Guesses must not wait until other
// instances have read them at their usual pace.
func TestAnInstanceThatIsBehindCatchesUpInOneBeat(t *testing.T) {
	v, w := beating(t)
	key := v.issue("phone")
	many := make([]domain.Entry, 1000)
	for i := range many {
		many[i] = domain.Entry{Actor: "test", Event: domain.EventKeyRotated, Outcome: "ok"}
	}
	if err := v.records.Enter(v.ctx, many...); err != nil {
		t.Fatal(err)
	}
	b := v.beginGuess(key)
	w.beat(nil)
	v.beat(nil)
	b.hangUp()
	v.expect("a guess after many entries", <-b.answer, "false")
}
