package service

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/workpool"
)

// offering offers these algorithms, the preferred one first.
func offering(algorithms ...devicekey.Algorithm) func(*Config) {
	return func(c *Config) { c.Algorithms = algorithms }
}

// get asks for a device's key as a client that can use these algorithms.
func (v *instance) get(device string, algorithms ...string) (domain.KeyPair, error) {
	return v.GenerateKey(v.ctx, domain.Identity{DeviceID: device, Algorithms: algorithms})
}

// sealedFor is a submission under an HPKE key, for one operation.
func sealedFor(t testing.TB, k domain.KeyPair, op domain.Operation, typ domain.CredentialType, secret string) domain.Submission {
	t.Helper()
	recipient, err := devicekey.ParseRecipient(devicekey.PEM(k.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	text, err := recipient.Encrypt([]byte(secret), devicekey.AAD(string(op), k.KeyID, string(typ)))
	if err != nil {
		t.Fatal(err)
	}
	return domain.Submission{Type: typ, Declared: typ, KeyID: k.KeyID, Ciphertext: text}
}

func (v *instance) set(sub domain.Submission) string {
	rule, err := v.Set(v.ctx, sub)
	return word(rule == "", err)
}

func (v *instance) verify(sub domain.Submission) string {
	ok, err := v.matches(v.ctx, sub)
	return word(ok, err)
}

func TestAnHPKEKeySetsAndVerifies(t *testing.T) {
	v := openVault(t, offering(devicekey.HPKEXWing, devicekey.HPKEX25519, devicekey.RSAOAEP256))
	for device, a := range map[string]devicekey.Algorithm{"quantum": devicekey.HPKEXWing, "curve": devicekey.HPKEX25519} {
		k, err := v.get(device, string(a), "HPKE-OF-TOMORROW")
		if err != nil || k.Algorithm != string(a) || k.Bits != devicekey.KeySize(a) {
			t.Fatalf("%s: %+v, %v", a, k, err)
		}
		if again, err := v.get(device, "RSA-OAEP-256", string(a)); err != nil || again.KeyID != k.KeyID {
			t.Errorf("%s is asked for again: %v", a, err)
		}
		set := sealedFor(t, k, domain.OpSetPIN, domain.TransactionPIN, "1357")
		v.expect("verify with the ciphertext of a set", v.verify(set), "DECRYPTION_FAILED")
		v.expect("set", v.set(set), "true")
		right := sealedFor(t, k, domain.OpVerifyPIN, domain.TransactionPIN, "1357")
		v.expect("set with the ciphertext of a verify", v.set(right), "DECRYPTION_FAILED")
		v.expect("verify", v.verify(right), "true")
		v.expect("a wrong PIN", v.verify(sealedFor(t, k, domain.OpVerifyPIN, domain.TransactionPIN, "2468")), "false")
		short := right
		short.Ciphertext = short.Ciphertext[:len(short.Ciphertext)-4]
		v.expect("a truncated ciphertext", v.verify(short), "DECRYPTION_FAILED")
		v.kill()
		v.expect("after a crash", v.verify(right), "true")
		for _, e := range v.entriesOf(domain.EventKeyIssued) {
			if e.KeyID == k.KeyID && e.Reason != string(a) {
				t.Errorf("the trail says that the algorithm is %q", e.Reason)
			}
		}
	}
	v.intact()
}

// A client that knows only the specification works, whatever else is offered.
func TestAClientThatListsNoAlgorithmGetsRSA(t *testing.T) {
	v := openVault(t, offering(devicekey.HPKEXWing, devicekey.RSAOAEP256))
	k := v.issue("phone")
	if k.Algorithm != "RSA-OAEP-256" {
		t.Fatalf("it got %s", k.Algorithm)
	}
	v.expect("set", v.setPIN(k, "1357"), "true")
	if again := must[domain.KeyPair](t)(v.get("phone", "HPKE-XWING", "RSA-OAEP-256")); again.KeyID != k.KeyID {
		t.Error("a key that the client can use is replaced")
	}
	// The app is updated, and back again: the PIN stays.
	better := must[domain.KeyPair](t)(v.get("phone", "HPKE-XWING"))
	if better.Algorithm != "HPKE-XWING" {
		t.Fatalf("it got %s", better.Algorithm)
	}
	v.expect("the replaced key", v.verifyPIN(k, "1357"), "KEY_NOT_USABLE")
	v.expect("the better key", v.verify(sealedFor(t, better, domain.OpVerifyPIN, domain.TransactionPIN, "1357")), "true")
	old := v.issue("phone")
	if old.Algorithm != "RSA-OAEP-256" {
		t.Fatalf("the older app got %s", old.Algorithm)
	}
	v.expect("verify", v.verifyPIN(old, "1357"), "true")
	for _, e := range v.entriesOf(domain.EventKeyRotated) {
		if e.Outcome != "algorithm" {
			t.Errorf("the trail says %q", e.Outcome)
		}
	}
	v.intact()
}

func TestARotationCanChangeTheAlgorithm(t *testing.T) {
	v := openVault(t, func(c *Config) {
		c.Algorithms = []devicekey.Algorithm{devicekey.HPKEXWing, devicekey.RSAOAEP256}
		c.RotationGrace = time.Hour
	})
	old := v.issue("phone")
	v.expect("set", v.setPIN(old, "1357"), "true")
	k := must[domain.KeyPair](t)(v.RotateKey(v.ctx, domain.Identity{DeviceID: "phone", Algorithms: []string{"RSA-OAEP-256", "HPKE-XWING"}}))
	if k.Algorithm != "HPKE-XWING" {
		t.Fatalf("it got %s", k.Algorithm)
	}
	v.expect("in grace", v.verifyPIN(old, "1357"), "true")
	v.expect("set in grace", v.setPIN(old, "2468"), "KEY_NOT_USABLE")
	v.expect("the new key", v.verify(sealedFor(t, k, domain.OpVerifyPIN, domain.TransactionPIN, "1357")), "true")
	v.intact()
}

func TestAnUnusableListOfAlgorithmsIsRefused(t *testing.T) {
	v := openVault(t, offering(devicekey.HPKEX25519))
	many := strings.Split(strings.Repeat("a,", 17), ",")
	for name, list := range map[string][]string{"none that is offered": {"HPKE-XWING", "ECDH-ES"}, "empty": {}, "too many": many[:17],
		"a long name": {strings.Repeat("a", 65)}, "not visible": {"HPKE-X25519\n"}, "no list": nil} {
		_, err := v.get("phone", list...)
		if list != nil && len(list) == 0 {
			_, err = v.GenerateKey(v.ctx, domain.Identity{DeviceID: "phone", Algorithms: []string{}})
		}
		v.code(name, err, domain.CodeBadUserInput, "lgorithm")
	}
	if n := v.events()[domain.EventKeyIssued]; n != 0 {
		t.Errorf("%d keys were issued", n)
	}
}

// A bound key also protects its device from a client that lists other algorithms.
func TestChangingTheKeyAlgorithmNeedsTheSameProof(t *testing.T) {
	v := openVault(t, offering(devicekey.HPKEX25519, devicekey.RSAOAEP256))
	owner := domain.WithCaller(v.ctx, domain.Caller{Mode: domain.ModeDevice, Permissions: domain.OrdinaryPermissions, Thumbprint: strings.Repeat("o", 43)})
	k := must[domain.KeyPair](t)(v.GenerateKey(owner, domain.Identity{DeviceID: "phone"}))
	_, err := v.get("phone", "HPKE-X25519")
	v.code("without the proof", err, domain.CodeUnauthenticated, "proof")
	if again := must[domain.KeyPair](t)(v.GenerateKey(owner, domain.Identity{DeviceID: "phone"})); again.KeyID != k.KeyID {
		t.Error("the key was replaced")
	}
	next := must[domain.KeyPair](t)(v.GenerateKey(owner, domain.Identity{DeviceID: "phone", Algorithms: []string{"HPKE-X25519"}}))
	if v.stored(next).Thumbprint != strings.Repeat("o", 43) {
		t.Error("the binding was lost")
	}
}

// P4 and P6: parallel guesses under an HPKE key, in two processes.
func TestGuessesUnderAnHPKEKeyAreCountedExactly(t *testing.T) {
	v := openVault(t, offering(devicekey.HPKEXWing))
	k := must[domain.KeyPair](t)(v.get("phone", "HPKE-XWING"))
	v.expect("set", v.set(sealedFor(t, k, domain.OpSetPIN, domain.TransactionPIN, "1357")), "true")
	w := v.beside()
	var mu sync.Mutex
	words := map[string]int{}
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			got := []*instance{v, w}[i%2].verify(sealedFor(t, k, domain.OpVerifyPIN, domain.TransactionPIN, "0000"))
			mu.Lock()
			defer mu.Unlock()
			words[got]++
		})
	}
	all.Wait()
	if words["false"] != 5 || words["true"] != 0 {
		t.Errorf("60 wrong guesses were answered %v", words)
	}
	v.expect("the right PIN", v.verify(sealedFor(t, k, domain.OpVerifyPIN, domain.TransactionPIN, "1357")), "CREDENTIAL_LOCKED")
	v.intact()
}

func TestAReplayedHPKECiphertextIsRefused(t *testing.T) {
	v := openVault(t, func(c *Config) {
		c.Algorithms, c.ReplayProtection = []devicekey.Algorithm{devicekey.HPKEXWing}, true
	})
	k := must[domain.KeyPair](t)(v.get("phone", "HPKE-XWING"))
	v.expect("set", v.set(sealedFor(t, k, domain.OpSetPIN, domain.TransactionPIN, "1357")), "true")
	once := sealedFor(t, k, domain.OpVerifyPIN, domain.TransactionPIN, "1357")
	v.expect("once", v.verify(once), "true")
	v.expect("twice", v.verify(once), "CIPHERTEXT_REUSED")
	once.Ciphertext = strings.NewReplacer("+", "-", "/", "_", "=", "").Replace(once.Ciphertext)
	v.expect("with another spelling", v.verify(once), "CIPHERTEXT_REUSED")
}

// P2 and P3: a stored key is bound to its algorithm.
func TestAnEditedAlgorithmIsRefused(t *testing.T) {
	v := openVault(t, offering(devicekey.HPKEXWing, devicekey.RSAOAEP256))
	k := must[domain.KeyPair](t)(v.get("phone", "HPKE-XWING"))
	v.insider().write("UPDATE device_key SET algorithm = 'RSA-OAEP-256'")
	v.expect("verify", v.verify(sealedFor(t, k, domain.OpVerifyPIN, domain.TransactionPIN, "1357")), "INTERNAL")
}

func TestAPlanUpgradesTheDevicesWhoseAppCanUseHPKE(t *testing.T) {
	v := openVault(t, offering(devicekey.HPKEXWing, devicekey.RSAOAEP256))
	oldApp, newApp := v.issue("old app"), v.issue("new app")
	hpke := must[domain.KeyPair](t)(v.get("hpke", "HPKE-XWING"))
	v.clock.Advance(time.Minute)
	_, err := v.StartRotationPlan(v.ctx, domain.RotationPlan{Algorithm: "RSA-OAEP-256", Upgrade: true, RefuseUse: true}, domain.Act{Reason: "r"})
	v.code("a plan that also refuses", err, domain.CodeBadUserInput, "refuseUse")
	if plan := v.startPlan(domain.RotationPlan{Algorithm: "RSA-OAEP-256", Upgrade: true}); plan.Selected != 2 || !plan.Upgrade {
		t.Errorf("the plan is %+v", plan)
	}
	if k := v.issue("old app"); k.KeyID != oldApp.KeyID {
		t.Error("the key of an app that cannot use HPKE was replaced")
	}
	if k := must[domain.KeyPair](t)(v.get("new app", "RSA-OAEP-256", "HPKE-XWING")); k.KeyID == newApp.KeyID || k.Algorithm != "HPKE-XWING" {
		t.Errorf("the key of an app that can is %s", k.Algorithm)
	}
	if k := must[domain.KeyPair](t)(v.get("hpke", "RSA-OAEP-256", "HPKE-XWING")); k.KeyID != hpke.KeyID {
		t.Error("a key of HPKE was replaced")
	}
	v.expect("the old app's key", v.verifyPIN(oldApp, "1357"), "false")
	v.clock.Advance(2 * time.Minute)
	if all := must[[]domain.RotationPlan](t)(v.RotationPlans(v.ctx)); all[0].Remaining != 1 {
		t.Errorf("%d are left", all[0].Remaining)
	}
	v.kill()
	if k := v.issue("old app"); k.KeyID != oldApp.KeyID {
		t.Error("after a restart the plan selects more")
	}
	must[domain.ActResult](t)(v.StopRotationPlan(v.ctx, domain.CurrentPlan, domain.Act{Reason: "r"}))
	if got := must[domain.RotationPlan](t)(v.PreviewRotationPlan(v.ctx, domain.RotationPlan{Algorithm: "HPKE-XWING"})); got.Selected != 2 {
		t.Errorf("%d keys of X-Wing", got.Selected)
	}
	if plan := v.startPlan(domain.RotationPlan{Algorithm: "HPKE-XWING", RefuseUse: true}); plan.Selected != 2 {
		t.Errorf("a plan by algorithm alone selects %d keys", plan.Selected)
	}
	v.expect("a key that it refuses", v.verify(sealedFor(t, hpke, domain.OpVerifyPIN, domain.TransactionPIN, "1357")), "KEY_NOT_USABLE")
	v.intact()
}

func TestTheEncryptHelperNeedsOperationKeyAndTypeForHPKE(t *testing.T) {
	v := openVault(t, offering(devicekey.HPKEX25519))
	k := must[domain.KeyPair](t)(v.get("phone", "HPKE-X25519"))
	e := domain.Encryption{PublicKey: devicekey.PEM(k.PublicKey), Operation: domain.OpSetPIN, KeyID: k.KeyID, Type: domain.TransactionPIN}
	encrypt := func(e domain.Encryption) (string, error) {
		e.Body = domain.Secret("1357")
		return v.EncryptLikeClient(context.WithoutCancel(v.ctx), e)
	}
	text, err := encrypt(e)
	if err != nil {
		t.Fatal(err)
	}
	first := domain.Submission{Type: e.Type, Declared: e.Type, KeyID: k.KeyID, Ciphertext: text}
	v.expect("set", v.set(first), "true")
	e.Operation = domain.OpSetPIN.Current()
	current := must[string](t)(encrypt(e))
	e.Operation = domain.OpSetPIN
	first.Ciphertext, first.Current = must[string](t)(encrypt(e)), new(current)
	v.expect("replace", v.set(first), "true")
	for field, wrong := range map[string]func(*domain.Encryption){
		"operation":        func(e *domain.Encryption) { e.Operation = domain.OpRotateKey },
		"keyId":            func(e *domain.Encryption) { e.KeyID = "" },
		"passwordAuthType": func(e *domain.Encryption) { e.Type = "" },
	} {
		bad := e
		wrong(&bad)
		_, err := encrypt(bad)
		v.code("without "+field, err, domain.CodeBadUserInput, field)
	}
	e.Operation = domain.OpVerifyPIN.Current()
	_, err = encrypt(e)
	v.code("the current secret of a verify", err, domain.CodeBadUserInput, "setTransactionPin/current")
	e.Operation = domain.OpSetPIN
	// No secret can be agreed with a point of low order.
	e.PublicKey = devicekey.PEM(append(bytes.Clone(k.PublicKey[:len(k.PublicKey)-32]), make([]byte, 32)...))
	_, err = encrypt(e)
	v.code("a point of zero", err, domain.CodeBadUserInput, "publicKey must hold a valid HPKE public key: send the publicKey that generateClientEncryptionKey returned")
}

func TestParallelFirstRequestsWithDifferentListsLeaveOneKey(t *testing.T) {
	v := openVault(t, offering(devicekey.HPKEXWing, devicekey.HPKEX25519, devicekey.RSAOAEP256))
	w := v.beside()
	lists := [][]string{nil, {"HPKE-XWING"}, {"HPKE-X25519", "HPKE-XWING"}, {"RSA-OAEP-256"}}
	var all sync.WaitGroup
	for i := range 24 {
		all.Go(func() {
			list := lists[i%len(lists)]
			k, err := []*instance{v, w}[i%2].get("phone", list...)
			if list == nil {
				list = []string{"RSA-OAEP-256"}
			}
			if err != nil || !slices.Contains(list, k.Algorithm) {
				t.Errorf("%v got %s, %v", list, k.Algorithm, err)
			}
		})
	}
	all.Wait()
	d := must[domain.Device](t)(v.Key(v.ctx, must[domain.KeyPair](t)(v.get("phone", "HPKE-XWING")).KeyID))
	active := 0
	for _, k := range d.Keys {
		if k.State == domain.KeyActive {
			active++
		}
	}
	if active != 1 {
		t.Errorf("%d active keys", active)
	}
	v.intact()
}

// P8: generating an HPKE key needs no worker, but admission still limits the requests.
func TestAnHPKEKeyNeedsAdmissionButNoWorker(t *testing.T) {
	v := openVault(t, func(c *Config) {
		c.Algorithms, c.MaxWaiting, c.Workers = []devicekey.Algorithm{devicekey.HPKEXWing}, 2, 1
	})
	full := []*workpool.Ticket{mustEnter(t, v.generating), mustEnter(t, v.generating)}
	_, err := v.get("phone", "HPKE-XWING")
	v.code("with no place", err, domain.CodeOverloaded, "")
	for _, place := range full {
		place.Leave()
	}
	release := make(chan struct{})
	occupy(v.generating, release)
	if _, err := v.get("phone", "HPKE-XWING"); err != nil {
		t.Errorf("while every worker is busy: %v", err)
	}
	close(release)
	v.idle()
}
