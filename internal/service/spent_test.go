package service

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/crypto/verifier"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// watched is a store that reports what requests do in it.
type watched struct {
	store.Store
	reserved  func() // called after an attempt was reserved durably, before the request goes on
	lateNoted bool   // a look for a used ciphertext comes too early to find it
}

type watchedTx struct {
	store.Tx
	*watched
	reserved *bool
}

func (w *watched) Update(ctx context.Context, fn func(store.Tx) error) error {
	reserved := false
	err := w.Store.Update(ctx, func(tx store.Tx) error { return fn(watchedTx{tx, w, &reserved}) })
	if err == nil && reserved && w.reserved != nil {
		w.reserved()
	}
	return err
}

func (w *watched) View(ctx context.Context, fn func(store.Tx) error) error {
	return w.Store.View(ctx, func(tx store.Tx) error { return fn(watchedTx{tx, w, new(bool)}) })
}

func (tx watchedTx) ReserveAttempt(a domain.Attempts, keyID string) error {
	*tx.reserved = true
	return tx.Tx.ReserveAttempt(a, keyID)
}

func (tx watchedTx) CiphertextNoted(account, keyID string, digest domain.CiphertextDigest) (bool, error) {
	if tx.lateNoted {
		return false, nil
	}
	return tx.Tx.CiphertextNoted(account, keyID, digest)
}

// Several requests with one ciphertext arrive at once. All of them check for a replay
// before any of them has recorded the ciphertext as used.
func TestAParallelReplayIsRefusedAndCostsNoAttempt(t *testing.T) {
	w := &watched{}
	v := openVault(t, func(c *Config) { c.ReplayProtection, w.Store, c.Store = true, c.Store, w })
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	w.lateNoted = true
	for secret, first := range map[string]string{"8302": "true", "0000": "false"} {
		sub := submission(t, k, domain.TransactionPIN, secret)
		words := count(parallel(8, func() string {
			ok, err := v.matches(v.ctx, sub)
			return word(ok, err)
		}))
		if words[first] != 1 || words["CIPHERTEXT_REUSED"] != 7 {
			t.Errorf("verify with one ciphertext of %s, eight at once: %v", secret, words)
		}
		_, err := v.Set(v.ctx, sub)
		v.expect("set with it", string(domain.CodeOf(err)), "CIPHERTEXT_REUSED")
	}
	n := v.events()
	if n[domain.EventCredentialVerified] != 1 || n[domain.EventCredentialMismatch] != 1 || n[domain.EventCredentialSet] != 1 {
		t.Errorf("the trail holds %v", n)
	}
	v.intact()
}

// The client is gone once its attempt is reserved, before a worker is free for it.
func TestAClientThatHangsUpDoesNotGetItsAttemptBack(t *testing.T) {
	for name, tt := range map[string]struct {
		ask  func(context.Context, *instance, domain.KeyPair) error
		want domain.Event
	}{
		"verify": {func(ctx context.Context, v *instance, k domain.KeyPair) error {
			_, err := v.matches(ctx, submission(v.t, k, domain.TransactionPIN, "0000"))
			return err
		}, domain.EventCredentialMismatch},
		"set": {func(ctx context.Context, v *instance, k domain.KeyPair) error {
			_, err := v.Set(ctx, submission(v.t, k, domain.TransactionPIN, "1357"))
			return err
		}, domain.EventCredentialReused},
	} {
		t.Run(name, func(t *testing.T) {
			w := &watched{}
			v := openVault(t, func(c *Config) { c.History, w.Store, c.Store = 2, c.Store, w })
			k := v.issue("phone")
			v.expect("set", v.setPIN(k, "1357"), "true")
			for range 4 {
				v.expect("verify", v.verifyPIN(k, "0000"), "false")
			}
			before := v.events()[tt.want]
			ctx, hangUp := context.WithCancel(v.ctx)
			release := make(chan struct{})
			w.reserved = func() {
				occupy(v.verifying, release)
				hangUp()
			}
			var over atomic.Bool
			var request sync.WaitGroup
			request.Go(func() {
				_ = tt.ask(ctx, v, k) // the answer is not read
				over.Store(true)
			})
			until(func() bool { return over.Load() || v.verifying.State().Queued == 1 })
			close(release)
			request.Wait()
			w.reserved = nil
			if n := v.events()[tt.want] - before; n != 1 {
				t.Errorf("%d verdicts of the fifth attempt are in the trail", n)
			}
			v.expect("a sixth attempt", v.verifyPIN(k, "1357"), "CREDENTIAL_LOCKED")
			v.intact()
		})
	}
}

// If a verify did less work without a PIN, its duration would reveal that none is set.
func TestAVerifyCostsTheSameWorkIfNothingIsSet(t *testing.T) {
	v := openVault(t, func(c *Config) {
		c.Workers, c.Verifier = 1, verifier.Params{Memory: 96, Time: 3, Parallelism: 2}
	})
	k, nothing := v.issue("phone"), v.issue("tablet")
	set := v.blocks(func() { v.expect("set", v.setPIN(k, "1357"), "true") })
	wrong := v.blocks(func() { v.expect("verify", v.verifyPIN(k, "0000"), "false") })
	without := v.blocks(func() { v.expect("verify", v.verifyPIN(nothing, "0000"), "false") })
	if want := uint64(3 * 96); set != want || wrong != want || without != want {
		t.Errorf("%d blocks for a set, %d for a wrong PIN, %d where nothing is set, want %d of each", set, wrong, without, want)
	}
}

// blocks is the work that Argon2id has in what is done, on the one worker of v.
func (v *instance) blocks(do func()) uint64 {
	v.t.Helper()
	filled := func() (n uint64) {
		if err := v.verifying.Last().Next(v.ctx, func(m *argon2.Matrix) { n = m.Filled() }); err != nil {
			v.t.Fatal(err)
		}
		return n
	}
	before := filled()
	do()
	return filled() - before
}

// If a match ended the comparison, the duration would reveal which previous PIN a guess
// matches.
func TestRefusingAnyPreviousPINCostsTheSameWork(t *testing.T) {
	v := openVault(t, func(c *Config) { c.Workers, c.History = 1, 4 })
	k := v.issue("phone")
	for n, secret := range []string{"1001", "2002", "3003"} {
		v.cfg.Verifier.Memory = 8 << n // a raised cost takes a new salt
		v.expect("set", v.setPIN(k, secret), "true")
		v.expect("verify", v.verifyPIN(k, secret), "true")
	}
	present := v.blocks(func() { v.expect("set the present PIN", v.setPIN(k, "3003"), "false") })
	for _, secret := range []string{"2002", "1001"} {
		if n := v.blocks(func() { v.expect("set "+secret, v.setPIN(k, secret), "false") }); n != present {
			t.Errorf("%d blocks for the present PIN and %d for %s", present, n, secret)
		}
	}
}

// A captured ciphertext of a new secret must not be accepted with a current secret
// in a new ciphertext, or the other way round.
func TestASetWithOneRepeatedCiphertextIsRefused(t *testing.T) {
	v := openVault(t, func(c *Config) { c.ReplayProtection = true })
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "1357"), "true")
	fresh := func(secret string) string { return submission(t, k, domain.TransactionPIN, secret).Ciphertext }
	set := func(what, secret, current, want string) {
		t.Helper()
		rule, err := v.Set(v.ctx, domain.Submission{Type: domain.TransactionPIN, Declared: domain.TransactionPIN, KeyID: k.KeyID,
			Ciphertext: secret, Current: &current})
		v.expect(what, word(rule == "", err), want)
	}
	secret, current := fresh("2468"), fresh("1357")
	set("set", secret, current, "true")
	set("a repeated secret beside a new current one", secret, fresh("2468"), "CIPHERTEXT_REUSED")
	set("a new secret beside a repeated current one", fresh("9876"), current, "CIPHERTEXT_REUSED")
	v.expect("verify", v.verifyPIN(k, "2468"), "true")
	v.intact()
}
