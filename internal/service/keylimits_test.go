package service

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/ratelimit"
	"strongroom/internal/record"
	"strongroom/internal/store"
	"strongroom/internal/workpool"
)

// limited is a vault with the enforced limit, counted in memory or in the store.
func limited(t *testing.T, tweak func(*Config), fn func(*testing.T, *instance)) {
	for name, inStore := range map[string]bool{"instance": false, "cluster": true} {
		t.Run(name, func(t *testing.T) {
			fn(t, openVault(t, func(c *Config) {
				c.EnforceKeyGenerationLimit, c.KeyCounterInStore = true, inStore
				if tweak != nil {
					tweak(c)
				}
			}))
		})
	}
}

func (v *instance) generate(device string) string {
	_, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: device})
	return word(true, err)
}

func (v *instance) rotated(device string) string {
	_, err := v.RotateKey(v.ctx, domain.Identity{DeviceID: device})
	return word(true, err)
}

// countOf is what is counted for a device, in memory or in the store.
func (v *instance) countOf(device string) int64 {
	v.t.Helper()
	_, hash := v.records.Hashes(domain.Account{Mode: domain.ModeDevice, Subject: device}, "")
	if !v.cfg.KeyCounterInStore {
		count, _, _ := v.generations.Lookup([16]byte(hash), v.clock.Now())
		return count
	}
	count, err := record.View(v.ctx, v.records, func(tx *record.Tx) (int64, error) {
		count, _, err := tx.KeyGeneration(hash)
		return count, err
	})
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		v.t.Fatal(err)
	}
	return count
}

func TestAShedRequestIsNotCountedAsAKeyGeneration(t *testing.T) {
	limited(t, func(c *Config) { c.MaxWaiting, c.Workers = 2, 1 }, func(t *testing.T, v *instance) {
		full := []*workpool.Ticket{mustEnter(t, v.generating), mustEnter(t, v.generating)}
		for range 7 { // admission refuses
			v.expect("generate", v.generate("phone"), "OVERLOADED")
			v.expect("rotate", v.rotated("phone"), "OVERLOADED")
		}
		for _, place := range full {
			place.Leave()
		}
		release := make(chan struct{})
		occupy(v.generating, release)
		v.generating.Wait = time.Millisecond
		for range 7 { // no worker becomes free
			v.expect("generate", v.generate("phone"), "OVERLOADED")
			v.expect("rotate", v.rotated("phone"), "OVERLOADED")
		}
		close(release)
		v.generating.Wait = time.Minute
		if n := v.countOf("phone"); n != 0 {
			t.Errorf("%d requests were counted although they were not admitted", n)
		}
		for range ratelimit.MaxKeyGenPerDevice {
			v.expect("generate", v.generate("phone"), "true")
		}
		v.expect("the sixth", v.generate("phone"), "TOO_MANY_REQUESTS")
		v.expect("the seventh", v.rotated("phone"), "TOO_MANY_REQUESTS")
		v.idle()
	})
}

func TestKeyGenerationsDuringAStoreOutageAreNotCounted(t *testing.T) {
	s := &away{}
	limited(t, func(c *Config) { s = &away{Store: c.Store}; c.Store = s }, func(t *testing.T, v *instance) {
		v.expect("the first", v.generate("phone"), "true")
		s.writes.Store(true)
		for range 7 {
			v.expect("generate", v.generate("tablet"), "OVERLOADED")
			v.expect("rotate", v.rotated("phone"), "OVERLOADED")
			_, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: "phone", AppVersion: "2"})
			v.expect("a new version", word(true, err), "OVERLOADED")
			v.clock.Advance(time.Hour) // so that versions may be noted again
		}
		s.writes.Store(false)
		if phone, tablet := v.countOf("phone"), v.countOf("tablet"); phone != 1 || tablet != 0 {
			t.Errorf("counted are %d of the phone, %d of the tablet; want 1 and 0", phone, tablet)
		}
	})
}

func TestAClientThatHangsUpGetsNoKeyPairsBeyondItsLimit(t *testing.T) {
	limited(t, nil, func(t *testing.T, v *instance) {
		for range ratelimit.MaxKeyGenPerDevice {
			var hangUp context.CancelFunc
			answered := v.midway(1, func(ctx context.Context) string {
				ctx, hangUp = context.WithCancel(ctx)
				_, err := v.RotateKey(ctx, domain.Identity{DeviceID: "phone"})
				return word(true, err)
			})
			hangUp() // a key pair was made for it, and is not stored yet
			answered()
		}
		v.expect("the next request", v.rotated("phone"), "TOO_MANY_REQUESTS")
	})
}

// The key was stored, and the next request may return it.
func TestAKeyWhoseCommitHasNoAnswerCounts(t *testing.T) {
	lose := &losing{}
	limited(t, func(c *Config) { lose.Store = c.Store; c.Store = lose }, func(t *testing.T, v *instance) {
		v.expect("the first", v.generate("phone"), "true")
		lose.next, lose.done = true, true
		v.expect("no answer", v.rotated("phone"), "INTERNAL")
		if n := v.countOf("phone"); n != 2 {
			t.Errorf("counted are %d requests, want 2", n)
		}
	})
}

func TestFiveOf40ParallelKeyRequestsSucceed(t *testing.T) {
	limited(t, nil, func(t *testing.T, v *instance) {
		for _, ask := range []func() string{
			func() string { return v.generate("phone") },
			func() string { return v.rotated("tablet") },
		} {
			answers := map[string]int{}
			for _, answer := range parallel(40, ask) {
				answers[answer]++
			}
			if answers["true"] != ratelimit.MaxKeyGenPerDevice || answers["TOO_MANY_REQUESTS"] != 40-ratelimit.MaxKeyGenPerDevice {
				t.Errorf("answered %v", answers)
			}
		}
	})
}

// If only generations count, an app that asks for its key at each start gets it, and so
// does an app whose key was refused.
func TestAnExistingKeyIsAlwaysReturnedIfOnlyGenerationsCount(t *testing.T) {
	limited(t, func(c *Config) { c.CountGenerationsOnly = true }, func(t *testing.T, v *instance) {
		for range 4 {
			for range 8 {
				v.expect("generate", v.generate("phone"), "true")
			}
			v.expect("rotate", v.rotated("phone"), "true")
		}
		if n := v.countOf("phone"); n != 5 {
			t.Errorf("%d generations are counted, want 5", n)
		}
		v.expect("the sixth generation", v.rotated("phone"), "TOO_MANY_REQUESTS")
		v.expect("the key that is there", v.generate("phone"), "true")
	})
}

func TestAnAccountCannotExceedItsDeviceLimit(t *testing.T) {
	v := openJWT(t, func(c *Config) { c.MaxDevices = 3 })
	alice, bob := v.as("alice"), v.as("bob")
	for i := range 3 {
		v.expect("a device", alice.generate(fmt.Sprint("device ", i)), "true")
	}
	for _, ask := range []func(string) string{alice.generate, alice.rotated} {
		v.expect("one too many", ask("device 3"), "FORBIDDEN")
	}
	_, err := alice.GenerateKey(alice.ctx, domain.Identity{DeviceID: "device 3"})
	if err == nil || !strings.Contains(err.Error(), "max-devices-per-account") || !strings.Contains(err.Error(), "revoke") {
		t.Errorf("the refusal names no remedy: %v", err)
	}
	v.expect("a device that is there", alice.generate("device 1"), "true")
	v.expect("its rotation", alice.rotated("device 2"), "true")
	v.expect("another account's", bob.generate("device 3"), "true")

	op := v.by("command:test", domain.RoleOperator, "req1")
	if _, err := op.RevokeKey(op.ctx, v.stored(alice.issue("device 0")).ID, domain.Act{Reason: "lost", IdempotencyKey: "one"}); err != nil {
		t.Fatal(err)
	}
	v.expect("in the place of one that was revoked", alice.generate("device 3"), "true")
	v.expect("the one whose key was revoked", alice.generate("device 0"), "FORBIDDEN")

	// Parallel requests do not exceed the limit either.
	answers := map[string]int{}
	n := atomic.Int64{}
	for _, answer := range parallel(12, func() string { return bob.generate(fmt.Sprint("made up ", n.Add(1))) }) {
		answers[answer]++
	}
	if answers["true"] != 2 || answers["FORBIDDEN"] != 10 {
		t.Errorf("with two places left, twelve new devices at once were answered %v", answers)
	}
	v.intact()
}

func TestCountsOfKeyGenerationsInTheStoreAreBounded(t *testing.T) {
	v := openVault(t, func(c *Config) { c.KeyCounterInStore, c.KeyCounterEntries = true, 3 })
	for i := range 8 {
		v.issue(fmt.Sprint("device ", i))
		v.clock.Advance(time.Second)
	}
	if _, err := v.SweepKeyGenerations(v.ctx); err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		if n := v.countOf(fmt.Sprint("device ", i)); n != 0 != (i >= 5) {
			t.Errorf("device %d: %d requests are counted; the last three devices should be", i, n)
		}
	}
}

func TestARefusalOfAnEndedKeyIsLoggedWithoutAnEmptyKey(t *testing.T) {
	v := openVault(t, nil)
	key := v.issue("phone")
	v.rotate("phone")
	v.expect("with the key before", v.verifyPIN(key, "0000"), "KEY_NOT_USABLE")
	if log := v.log.String(); !strings.Contains(log, "operation refused") || strings.Contains(log, `key=""`) {
		t.Errorf("the log says %s", log)
	}
}
