package service

import (
	"errors"
	"sync"
	"testing"
	"time"

	"strongroom/internal/domain"
)

// proving is a request with a proof by a key, here any text in the place of its
// thumbprint.
func proving(thumbprint string) func(*domain.Caller) {
	return func(c *domain.Caller) { c.Thumbprint = thumbprint }
}

// with is the same vault, asked by the same caller changed in some way.
func (v *instance) with(changes ...func(*domain.Caller)) *instance {
	c := domain.CallerFrom(v.ctx)
	for _, change := range changes {
		change(&c)
	}
	w := *v
	w.ctx = domain.WithCaller(v.ctx, c)
	return &w
}

// reason is the reason of a refusal, or the error in words.
func reason(err error) string {
	refusal := (*domain.Error)(nil)
	switch {
	case err == nil:
		return ""
	case errors.As(err, &refusal):
		return refusal.Reason
	}
	return err.Error()
}

func TestKeysAreIssuedOnlyWithAProofIfOneIsRequired(t *testing.T) {
	v := openVault(t, func(cfg *Config) { cfg.ProofRequired = true })
	id := domain.Identity{DeviceID: "phone"}
	_, err := v.GenerateKey(v.ctx, id)
	v.expect("generate", reason(err), domain.ReasonDPoPProofRequired)
	_, err = v.RotateKey(v.ctx, id)
	v.expect("rotate", reason(err), domain.ReasonDPoPProofRequired)
	k := v.with(proving("A")).issue("phone")
	_, err = v.GenerateKey(v.ctx, id)
	v.expect("generate for a device with a key", reason(err), domain.ReasonDPoPProofRequired)
	if k.KeyID != v.with(proving("A")).issue("phone").KeyID {
		t.Error("its key changed")
	}

	if err := v.tally.Flush(v.ctx, true); err != nil {
		t.Fatal(err)
	}
	refused := int64(0)
	v.eachEntry(func(e domain.Entry) {
		if e.Event == domain.EventRefusalsCounted && e.Outcome == string(domain.CodeUnauthenticated) {
			refused += e.Count
		}
	})
	if refused != 3 {
		t.Errorf("the trail counts %d refusals, want 3", refused)
	}
}

// A PIN belongs to the account, and every proof is accepted for a device that never had a
// key. So with a stolen token that names no key, proofs protect the devices but not the PIN.
// docs/how-to/prove-possession.md says what does. TestATokenBoundToAKeyNeedsItsProof is the
// same theft with a bound token.
func TestAnUnboundTokenReachesThePINThroughANewDevice(t *testing.T) {
	for name, requiresCurrent := range map[string]bool{"by default": false, "with the current PIN required": true} {
		t.Run(name, func(t *testing.T) {
			v := openJWT(t, func(c *Config) { c.ProofRequired, c.OverwriteRequiresCurrent = true, requiresCurrent })
			owner, thief := v.as("alice", proving("A")), v.as("alice", proving("B"))
			k := owner.issue("phone")
			v.expect("the owner sets", owner.setPIN(k, "8302"), "true")
			thief.refuses(k, "phone", domain.ReasonDPoPProofInvalid)

			made := thief.issue("made up")
			v.expect("a guess of the thief", thief.verifyPIN(made, "8302"), "true")
			if requiresCurrent {
				_, err := thief.Set(thief.ctx, submission(t, made, domain.TransactionPIN, "6174"))
				v.expect("the thief sets", reason(err), domain.ReasonCurrentRequired)
				v.expect("the owner", owner.verifyPIN(k, "8302"), "true")
				return
			}
			v.expect("the thief sets", thief.setPIN(made, "6174"), "true")
			v.expect("the PIN at the owner's phone", owner.verifyPIN(k, "6174"), "true")
			v.intact()
		})
	}
}

// bindings is what the trail says about bindings.
func (v *instance) bindings() [2]int {
	v.t.Helper()
	n := v.events()
	return [2]int{n[domain.EventKeyBound], n[domain.EventKeyUnbound]}
}

func (v *instance) expectBindings(what string, bound, unbound int) {
	v.t.Helper()
	if got := v.bindings(); got != [2]int{bound, unbound} {
		v.t.Errorf("%s: %d key.bound, %d key.unbound; want %d, %d", what, got[0], got[1], bound, unbound)
	}
}

// refuses sees that every use of a device's key is refused for a reason.
func (v *instance) refuses(k domain.KeyPair, device, why string) {
	v.t.Helper()
	id := domain.Identity{DeviceID: device}
	_, err := v.GenerateKey(v.ctx, id)
	v.expect("generate", reason(err), why)
	_, err = v.RotateKey(v.ctx, id)
	v.expect("rotate", reason(err), why)
	_, err = v.Set(v.ctx, submission(v.t, k, domain.TransactionPIN, "1357"))
	v.expect("set", reason(err), why)
	_, err = v.Verify(v.ctx, submission(v.t, k, domain.TransactionPIN, "1357"))
	v.expect("verify", reason(err), why)
	garbage := domain.Submission{Type: domain.Passcode, Declared: domain.Passcode, KeyID: k.KeyID, Ciphertext: "AAAA"}
	_, err = v.Verify(v.ctx, garbage)
	v.expect("verify of garbage", reason(err), why)
}

func TestANewDeviceIsBoundToItsFirstProof(t *testing.T) {
	v := openVault(t, func(cfg *Config) {
		cfg.DecryptionFailures, cfg.EnforceKeyGenerationLimit = 2, true
		cfg.CallerRates = []domain.Rate{{Limit: 10, Window: time.Hour}}
	})
	owner, stranger := v.with(proving("A")), v.with(proving("B"))
	k := owner.issue("phone")
	v.expect("the owner sets", owner.setPIN(k, "8302"), "true")
	v.expectBindings("a new device", 1, 0)

	// Neither knowing the keyId and the deviceId nor a proof by another key gives
	// a guess, a lock, or a part of any limit of the device.
	for range 20 {
		v.refuses(k, "phone", domain.ReasonDPoPProofRequired)
		stranger.refuses(k, "phone", domain.ReasonDPoPProofInvalid)
	}
	v.expect("the owner verifies", owner.verifyPIN(k, "8302"), "true")
	for range 4 {
		v.expect("a wrong PIN of the owner", owner.verifyPIN(k, "0000"), "false")
	}
	v.expect("the owner verifies again", owner.verifyPIN(k, "8302"), "true")
	if again := owner.issue("phone"); again.KeyID != k.KeyID {
		t.Error("the owner got another key")
	}
	v.expectBindings("after all that", 1, 0)
	v.intact()
}

func TestARightPINBindsAnUnboundKey(t *testing.T) {
	v := openVault(t, nil)
	owner := v.with(proving("A"))
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	v.expect("set with a proof", owner.setPIN(k, "8302"), "true")
	v.expect("wrong with a proof", owner.verifyPIN(k, "0000"), "false")
	if owner.issue("phone").KeyID != k.KeyID {
		t.Error("a proof changed the key")
	}
	v.expect("right without a proof", v.verifyPIN(k, "8302"), "true")
	v.expectBindings("before", 0, 0)
	v.expect("right with a proof", owner.verifyPIN(k, "8302"), "true")
	v.expectBindings("after", 1, 0)
	v.refuses(k, "phone", domain.ReasonDPoPProofRequired)
	v.expect("right, again", owner.verifyPIN(k, "8302"), "true")
	v.expectBindings("at the end", 1, 0)
	v.intact()
}

func TestARightCurrentPINBindsAnUnboundKey(t *testing.T) {
	v := openVault(t, nil)
	owner := v.with(proving("A"))
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	replace := func(current string) string {
		sub := submission(t, k, domain.TransactionPIN, "6174")
		ciphertext := submission(t, k, domain.TransactionPIN, current).Ciphertext
		sub.Current = &ciphertext
		rule, err := owner.Set(owner.ctx, sub)
		return word(rule == "", err)
	}
	v.expect("a wrong current PIN", replace("0000"), "false")
	v.expectBindings("a wrong current PIN", 0, 0)
	v.expect("the right current PIN", replace("8302"), "true")
	v.expectBindings("the right current PIN", 1, 0)
	v.refuses(k, "phone", domain.ReasonDPoPProofRequired)
	v.expect("verify", owner.verifyPIN(k, "6174"), "true")
	v.intact()
}

// A stranger who knows the deviceId can ask for the next key of an unbound
// device, but must not keep its owner out.
func TestAMereRequestDoesNotBindADeviceThatHasAKey(t *testing.T) {
	v := openVault(t, func(cfg *Config) { cfg.KeyTTL = time.Hour })
	v.issue("phone")
	stranger := v.with(proving("B"))
	stranger.rotate("phone")
	v.clock.Advance(2 * time.Hour)
	k := stranger.issue("phone")
	v.expect("revoking", word(true, v.revoke(k.KeyID, "test")), "true")
	stranger.issue("phone")
	k = v.issue("phone")
	v.expect("the owner sets", v.setPIN(k, "8302"), "true")
	v.expectBindings("never", 0, 0)
}

func TestABindingPassesFromKeyToKey(t *testing.T) {
	v := openVault(t, func(cfg *Config) { cfg.KeyTTL = time.Hour })
	owner := v.with(proving("A"))
	ends := map[string]func(k domain.KeyPair) error{
		"rotated": func(domain.KeyPair) error { owner.rotate("phone"); return nil },
		"expired": func(domain.KeyPair) error { v.clock.Advance(2 * time.Hour); return nil },
		"ended":   func(domain.KeyPair) error { v.clock.Advance(2 * time.Hour); return v.endKeys() },
		"revoked": func(k domain.KeyPair) error { return v.revoke(k.KeyID, "lost") },
	}
	k := owner.issue("phone")
	for name, end := range ends {
		if err := end(k); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		_, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: "phone"})
		v.expect(name+", without proof", reason(err), domain.ReasonDPoPProofRequired)
		stranger := v.with(proving("B"))
		_, err = stranger.RotateKey(stranger.ctx, domain.Identity{DeviceID: "phone"})
		v.expect(name+", another proof", reason(err), domain.ReasonDPoPProofInvalid)
		k = owner.issue("phone")
		v.refuses(k, "phone", domain.ReasonDPoPProofRequired)
	}
	v.expectBindings("once", 1, 0)
	if err := v.erase("phone", "they left"); err != nil {
		t.Fatal(err)
	}
	k = v.with(proving("B")).issue("phone")
	v.expect("after an erasure, another key", v.with(proving("B")).setPIN(k, "8302"), "true")
	v.expectBindings("after an erasure", 2, 0)
	v.intact()
}

func TestOperatorsEndBindings(t *testing.T) {
	v := openVault(t, nil)
	owner, next := v.with(proving("A")), v.with(proving("B"))
	k := owner.issue("phone")
	v.expect("set", owner.setPIN(k, "8302"), "true")
	if d, err := v.Key(v.ctx, k.KeyID); err != nil || d.Keys[0].Thumbprint != "A" {
		t.Errorf("operators see %+v, %v", d.Keys, err)
	}
	act := domain.Act{Reason: "a new phone"}
	if _, err := v.UnbindKey(v.ctx, k.KeyID, act); err != nil {
		t.Fatal(err)
	}
	_, err := v.UnbindKey(v.ctx, k.KeyID, act)
	v.expect("once more", string(domain.CodeOf(err)), string(domain.CodeConflict))
	_, err = v.UnbindKey(v.ctx, domain.NewID(), act)
	v.expect("an unknown key", string(domain.CodeOf(err)), string(domain.CodeNotFound))
	v.expect("without proof", v.verifyPIN(k, "8302"), "true")
	v.expect("by another key", next.verifyPIN(k, "8302"), "true")
	_, err = owner.Verify(owner.ctx, submission(t, k, domain.TransactionPIN, "8302"))
	v.expect("by the first key", reason(err), domain.ReasonDPoPProofInvalid)
	v.expectBindings("bound, unbound, bound", 2, 1)

	// An ended key is unbound too: its successor would carry the binding on.
	if err := errors.Join(v.revoke(k.KeyID, "lost"), func() error { _, err := v.UnbindKey(v.ctx, k.KeyID, act); return err }()); err != nil {
		t.Fatal(err)
	}
	v.expect("the next key", v.setPIN(v.issue("phone"), "8302"), "true")
	v.intact()
}

func TestAResetEndsABinding(t *testing.T) {
	v := openJWT(t, nil)
	owner, next := v.as("alice", proving("A")), v.as("alice", proving("B"))
	reset := v.as("alice", may(domain.MayResetCredential))
	k := owner.issue("phone")
	v.expect("set", owner.setPIN(k, "8302"), "true")
	_, err := reset.Verify(reset.ctx, submission(t, k, domain.TransactionPIN, "8302"))
	v.expect("a reset is no verify", reason(err), domain.ReasonDPoPProofRequired)
	_, err = reset.GenerateKey(reset.ctx, domain.Identity{DeviceID: "phone"})
	v.expect("a reset is no generate", reason(err), domain.ReasonDPoPProofRequired)
	v.expectBindings("before", 1, 0)
	v.expect("a reset by set", reset.setPIN(k, "6174"), "true")
	v.expectBindings("a reset by set", 1, 1)
	v.expect("the new key proves the PIN", next.verifyPIN(k, "6174"), "true")
	owner.refuses(k, "phone", domain.ReasonDPoPProofInvalid)
	v.expectBindings("bound anew", 2, 1)

	k = v.as("alice", proving("C"), may(domain.MayResetCredential)).rotate("phone")
	v.expectBindings("a reset by rotate", 3, 2)
	v.expect("the key of the reset", v.as("alice", proving("C")).verifyPIN(k, "6174"), "true")
	next.refuses(k, "phone", domain.ReasonDPoPProofInvalid)
	v.intact()
}

func TestADPoPBoundTokenBindsTheDeviceImmediately(t *testing.T) {
	v := openJWT(t, nil)
	bound := func(c *domain.Caller) { c.Thumbprint, c.TokenBound = "A", true }
	k := v.as("alice").issue("phone")
	if v.as("alice", proving("B")).issue("phone").KeyID != k.KeyID {
		t.Fatal("another key")
	}
	v.expectBindings("a proof alone", 0, 0)
	if v.as("alice", bound).issue("phone").KeyID != k.KeyID {
		t.Fatal("another key")
	}
	v.expectBindings("a bound token", 1, 0)
	v.as("alice").refuses(k, "phone", domain.ReasonDPoPProofRequired)
	v.as("alice", bound).issue("phone")
	v.expectBindings("once", 1, 0)

	v.as("alice").issue("tablet")
	k = v.as("alice", bound).rotate("tablet")
	v.expectBindings("at a rotation", 2, 0)
	v.as("alice").refuses(k, "tablet", domain.ReasonDPoPProofRequired)
	v.intact()
}

func TestOneOfEightParallelProofsBinds(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	var wg sync.WaitGroup
	for i := range 8 {
		one := v.with(proving(string(rune('A' + i))))
		wg.Go(func() { _, _ = one.Verify(one.ctx, submission(t, k, domain.TransactionPIN, "8302")) })
	}
	wg.Wait()
	v.expectBindings("parallel right answers", 1, 0)

	var issued sync.Map
	for i := range 8 {
		one := v.with(proving(string(rune('A' + i))))
		wg.Go(func() {
			if k, err := one.GenerateKey(one.ctx, domain.Identity{DeviceID: "tablet"}); err == nil {
				issued.Store(k.KeyID, true)
			} else if reason(err) != domain.ReasonDPoPProofInvalid {
				t.Errorf("first requests: %v", err)
			}
		})
	}
	wg.Wait()
	n := 0
	issued.Range(func(any, any) bool { n++; return true })
	if n != 1 {
		t.Errorf("%d keys for first requests with different proofs, want 1", n)
	}
	v.expectBindings("parallel first requests", 2, 0)
	v.intact()
}

func TestAKeyInGraceIsNotBound(t *testing.T) {
	v := openVault(t, func(cfg *Config) { cfg.RotationGrace = time.Hour })
	old := v.issue("phone")
	v.expect("set", v.setPIN(old, "8302"), "true")
	k := v.rotate("phone")
	v.expect("by the old key", v.with(proving("A")).verifyPIN(old, "8302"), "true")
	v.expectBindings("in grace", 0, 0)
	v.expect("by the new key", v.with(proving("A")).verifyPIN(k, "8302"), "true")
	v.expectBindings("after", 1, 0)
	v.expect("the old one is as it was", v.verifyPIN(old, "8302"), "true")
}
