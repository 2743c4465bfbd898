package service

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/workpool"
)

func TestAThrowAwayKeyIsNotCountedAndNeedsAdmission(t *testing.T) {
	v := openVault(t, func(c *Config) { c.MaxWaiting, c.Workers = 1, 1 })
	before, err := v.Summary(v.ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	written := v.events()
	key, err := v.ThrowAwayKey(v.ctx)
	if err != nil || key.N.BitLen() != v.cfg.KeyBits {
		t.Fatalf("%v %v", key, err)
	}
	ran := false
	if err := v.Admitted(v.ctx, func() { ran = true }); err != nil || !ran {
		t.Errorf("work that was admitted: %v, done: %v", err, ran)
	}
	after, err := v.Summary(v.ctx, 1)
	if diff := cmp.Diff(before, after); diff != "" || err != nil {
		t.Errorf("%v; the summary changed:\n%s", err, diff)
	}
	if diff := cmp.Diff(written, v.events()); diff != "" {
		t.Errorf("the trail changed:\n%s", diff)
	}
	for _, l := range []*workpool.Pool{v.verifying, v.generating} {
		defer mustEnter(t, l).Leave()
	}
	_, err = v.ThrowAwayKey(v.ctx)
	v.expect("a key when generation is full", word(true, err), "OVERLOADED")
	v.expect("work when the queue is full", word(true, v.Admitted(v.ctx, func() { t.Error("it ran") })), "OVERLOADED")
}
