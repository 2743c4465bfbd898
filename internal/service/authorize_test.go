package service

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
)

const (
	payment      = `{"amount": "12.50", "currency": "EUR", "to": "ACME"}`
	otherPayment = `{"amount": "1250", "currency": "EUR", "to": "ACME"}`
	vaultURL     = "https://vault.example.com"
)

// openReceipts is a vault that signs.
func openReceipts(t *testing.T, tweak func(*Config)) *instance {
	t.Helper()
	v := openVault(t, func(c *Config) {
		c.IssuerURL, c.ReceiptAudience, c.ReceiptTTL = vaultURL, "bank", 2*time.Minute
		if tweak != nil {
			tweak(c)
		}
	})
	v.tend()
	return v
}

// hashOf is the txn of a transaction that is in canonical form but for white
// space.
func hashOf(transaction string) string {
	sum := sha256.Sum256([]byte(strings.NewReplacer(" ", "", "\n", "").Replace(transaction)))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// authorization is what a client sends that shows one transaction and encrypts
// the hash of another, or of the same.
func authorization(t testing.TB, k domain.KeyPair, pin, shown, encrypted string) domain.Authorization {
	t.Helper()
	plaintext, err := json.Marshal(map[string]string{"pin": pin, "txn": hashOf(encrypted)})
	if err != nil {
		t.Fatal(err)
	}
	return domain.Authorization{Submission: submission(t, k, domain.TransactionPIN, string(plaintext)), Transaction: shown}
}

func (v *instance) authorize(k domain.KeyPair, pin string) (domain.Verdict, string) {
	v.t.Helper()
	verdict, err := v.Authorize(v.ctx, authorization(v.t, k, pin, payment, payment))
	return verdict, word(verdict.Match, err)
}

// mustAuthorize returns the receipt of a correct PIN.
func (v *instance) mustAuthorize(k domain.KeyPair, pin string) string {
	v.t.Helper()
	verdict, word := v.authorize(k, pin)
	v.expect("authorize", word, "true")
	return verdict.Receipt
}

// claimsOf are the claims of a receipt, checked with the published keys by a
// library that is not ours.
func (v *instance) claimsOf(receipt string) (claims map[string]any) {
	v.t.Helper()
	text, _ := v.KeySet()
	var set jose.JSONWebKeySet
	if err := json.Unmarshal(text, &set); err != nil {
		v.t.Fatal(err)
	}
	jws, err := jose.ParseSignedCompact(receipt, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		v.t.Fatalf("%q: %v", receipt, err)
	}
	payload, err := jws.Verify(set)
	if err != nil {
		v.t.Fatal(err)
	}
	if typ := jws.Signatures[0].Header.ExtraHeaders["typ"]; typ != "strongroom-receipt+jwt" {
		v.t.Errorf("typ %v", typ)
	}
	if err := json.Unmarshal(payload, &claims); err != nil {
		v.t.Fatal(err)
	}
	return claims
}

func TestARightAnswerAuthorizesOneTransaction(t *testing.T) {
	v := openReceipts(t, nil)
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	before := time.Now()
	verdict, err := v.Authorize(v.ctx, authorization(t, k, "8302", payment, payment))
	if err != nil || !verdict.Match {
		t.Fatalf("authorize: %+v, %v", verdict, err)
	}
	claims := v.claimsOf(verdict.Receipt)
	iat, exp := claims["iat"].(float64), claims["exp"].(float64)
	if at := time.Unix(int64(iat), 0); at.Before(before.Add(-time.Second)) || at.After(time.Now()) || exp-iat != 120 || verdict.ExpiresAt.Unix() != int64(exp) {
		t.Errorf("iat %v, exp %v, expiresAt %v", iat, exp, verdict.ExpiresAt)
	}
	jti, _ := claims["jti"].(string)
	for _, name := range []string{"iat", "exp", "jti"} {
		delete(claims, name)
	}
	want := map[string]any{"iss": vaultURL, "aud": "bank", "sub": "phone", "device": "phone", "keyId": k.KeyID,
		"passwordAuthType": "TRANSACTION_PIN", "txn_hash": hashOf(payment), "amr": []any{"pin"}}
	if diff := cmp.Diff(want, claims); diff != "" {
		t.Errorf("claims (-want +got):\n%s", diff)
	}

	issued := v.entriesOf(domain.EventReceiptIssued)
	verified := v.entriesOf(domain.EventCredentialVerified)
	if len(issued) != 1 || len(verified) != 1 {
		t.Fatalf("%d receipts, %d verdicts", len(issued), len(verified))
	}
	if e, of := issued[0], verified[0]; e.Seq != of.Seq+1 || e.Chain != of.Chain || e.Reason != "jti "+jti+"; passwordAuthType TRANSACTION_PIN; txn_hash "+hashOf(payment) ||
		e.KeyID != k.KeyID || string(e.Account) != string(of.Account) || of.Operation != domain.OpAuthorize || of.Reason != "TRANSACTION_PIN" {
		t.Errorf("the entries are %+v and %+v", of, e)
	}

	wrong, word := v.authorize(k, "0000")
	v.expect("a wrong PIN", word, "false")
	if wrong != (domain.Verdict{}) {
		t.Errorf("a wrong PIN was answered %+v", wrong)
	}
	if n := v.events()[domain.EventReceiptIssued]; n != 1 {
		t.Errorf("%d receipts were issued", n)
	}
	if sum, err := v.Summary(v.ctx, 1); err != nil || sum.TotalOperations != 4 || sum.FailedOperations != 0 {
		t.Errorf("the summary is %+v, %v", sum, err)
	}
	if long := v.insider().rows("SELECT seq FROM audit_log WHERE operation = 'authorizeTransaction'"); len(long) > 0 {
		t.Errorf("%d verdicts take the space of other entries", len(long))
	}
	v.intact()
}

func TestAReceiptNamesTheProvenKeyAndTheCredential(t *testing.T) {
	v := openReceipts(t, func(c *Config) { c.Mode, c.ReceiptsOfVerify = domain.ModeJWT, true })
	alice := v.as("alice", func(c *domain.Caller) { c.Thumbprint = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" })
	k := alice.issue("phone")
	sub := submission(t, k, domain.Passcode, "open sesame")
	if rule, err := alice.Set(alice.ctx, sub); rule != "" || err != nil {
		t.Fatal(rule, err)
	}
	verdict, err := alice.Verify(alice.ctx, submission(t, k, domain.Passcode, "open sesame"))
	if err != nil || !verdict.Match {
		t.Fatalf("verify: %+v, %v", verdict, err)
	}
	claims := v.claimsOf(verdict.Receipt)
	for _, name := range []string{"iat", "exp", "jti"} {
		delete(claims, name)
	}
	want := map[string]any{"iss": vaultURL, "aud": "bank", "sub": "alice", "sub_iss": testIssuer, "device": "phone", "keyId": k.KeyID,
		"passwordAuthType": "PASSCODE", "amr": []any{"pin", "swk"}, "cnf": map[string]any{"jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"}}
	if diff := cmp.Diff(want, claims); diff != "" {
		t.Errorf("claims (-want +got):\n%s", diff)
	}
	hardware := v.as("alice", func(c *domain.Caller) {
		c.Thumbprint, c.TokenBound, c.HardwareKey = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I", true, true
	})
	verdict, err = hardware.Verify(hardware.ctx, submission(t, k, domain.Passcode, "open sesame"))
	if amr := v.claimsOf(verdict.Receipt)["amr"]; err != nil || !cmp.Equal(amr, []any{"pin", "hwk"}) {
		t.Errorf("amr %v, %v", amr, err)
	}
	if wrong, err := alice.Verify(alice.ctx, submission(t, k, domain.Passcode, "open barley")); err != nil || wrong.Match || wrong.Receipt != "" {
		t.Errorf("a wrong passcode was answered %+v, %v", wrong, err)
	}
	v.intact()
}

// A help desk that sets a PIN knows it until the user has changed it. Only the claim tells
// the backend, because an app can hide what the answer tells it.
func TestAReceiptSaysThatTheSecretMustBeChanged(t *testing.T) {
	v := openReceipts(t, func(c *Config) { c.Mode, c.ReceiptsOfVerify = domain.ModeJWT, true })
	alice, helpdesk := v.as("alice"), v.as("alice", may(domain.MayResetCredential))
	k := alice.issue("phone")
	redeemed := func(receipt string) any {
		t.Helper()
		text, err := v.backend().Redeem(v.backend().ctx, receipt)
		var claims map[string]any
		if err != nil || json.Unmarshal(text, &claims) != nil {
			t.Fatalf("redeem: %s, %v", text, err)
		}
		return claims["mustChange"]
	}
	verified := func(pin string) string {
		t.Helper()
		verdict, err := alice.Verify(alice.ctx, submission(t, k, domain.TransactionPIN, pin))
		v.expect("verify", word(verdict.Match, err), "true")
		return verdict.Receipt
	}
	sub := submission(t, k, domain.TransactionPIN, "8302")
	sub.MustChange = new(true)
	if rule, err := helpdesk.Set(helpdesk.ctx, sub); rule != "" || err != nil {
		t.Fatal(rule, err)
	}
	same(v, "an authorization", redeemed(alice.mustAuthorize(k, "8302")), any(true))
	same(v, "a verify", redeemed(verified("8302")), any(true))

	v.expect("the user's own PIN", alice.setPIN(k, "7415"), "true")
	same(v, "an authorization with it", redeemed(alice.mustAuthorize(k, "7415")), nil)
	same(v, "a verify with it", redeemed(verified("7415")), nil)
	v.intact()
}

func TestAVerifyReturnsNoReceiptByDefault(t *testing.T) {
	v := openReceipts(t, nil)
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	verdict, err := v.Verify(v.ctx, submission(t, k, domain.TransactionPIN, "8302"))
	if want := (domain.Verdict{Match: true}); err != nil || verdict != want {
		t.Errorf("verify: %+v, %v", verdict, err)
	}
	if n := v.events()[domain.EventReceiptIssued]; n != 0 {
		t.Errorf("%d receipts were issued", n)
	}
}

func TestSubstitutedTransactionsAndCiphertextsAreRefused(t *testing.T) {
	v := openReceipts(t, nil)
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	digits := submission(t, k, domain.TransactionPIN, "8302")
	for name, tt := range map[string]struct {
		a    domain.Authorization
		want string
	}{
		"another transaction, right PIN": {authorization(t, k, "8302", otherPayment, payment), "TRANSACTION_MISMATCH"},
		"another transaction, wrong PIN": {authorization(t, k, "0000", otherPayment, payment), "TRANSACTION_MISMATCH"},
		"the ciphertext of a verify":     {domain.Authorization{Submission: digits, Transaction: payment}, "BAD_USER_INPUT"},
	} {
		for range 10 { // more than the guess limit
			verdict, err := v.Authorize(v.ctx, tt.a)
			v.expect(name, word(verdict.Match, err), tt.want)
		}
	}
	for range 4 { // the last but one that are left
		v.expect("a guess", v.verifyPIN(k, "0000"), "false")
	}
	v.mustAuthorize(k, "8302")

	a := authorization(t, k, "8302", payment, payment)
	v.expect("the ciphertext of an authorization, as a PIN", func() string {
		match, err := v.matches(v.ctx, a.Submission)
		return word(match, err)
	}(), "false")
	// White space, the order of members and escapes change nothing.
	a.Transaction = "{ \"to\":\"\\u0041CME\",\n \"currency\":\"EUR\",\"amount\":\"12.50\" }"
	verdict, err := v.Authorize(v.ctx, a)
	v.expect("the same transaction, written differently", word(verdict.Match, err), "true")
	v.intact()
}

func TestMalformedAuthorizationPlaintextsAreRefusedAndCostNoAttempt(t *testing.T) {
	v := openReceipts(t, func(c *Config) { c.DecryptionFailures = 25 })
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	txn := hashOf(payment)
	var first string
	n := 0
	for name, plaintext := range map[string]string{
		"digits":                  `8302`,
		"a string":                `"8302"`,
		"an array":                `["8302","` + txn + `"]`,
		"an empty object":         `{}`,
		"no PIN":                  `{"txn":"` + txn + `"}`,
		"no transaction":          `{"pin":"8302"}`,
		"an extra member":         `{"pin":"8302","txn":"` + txn + `","x":""}`,
		"another name":            `{"pin":"8302","TXN":"` + txn + `"}`,
		"two PINs":                `{"pin":"8302","pin":"8302","txn":"` + txn + `"}`,
		"two PINs, one escaped":   `{"pin":"8302","\u0070in":"8302","txn":"` + txn + `"}`,
		"a number":                `{"pin":8302,"txn":"` + txn + `"}`,
		"null":                    `{"pin":"8302","txn":null}`,
		"a padded hash":           `{"pin":"8302","txn":"` + txn + `="}`,
		"a short hash":            `{"pin":"8302","txn":"` + txn[1:] + `"}`,
		"a hash of 33 bytes":      `{"pin":"8302","txn":"` + base64.RawURLEncoding.EncodeToString(make([]byte, 33)) + `"}`,
		"another alphabet":        `{"pin":"8302","txn":"` + strings.Repeat("+", 43) + `"}`,
		"bits that are not zero":  `{"pin":"8302","txn":"` + strings.Repeat("_", 43) + `"}`,
		"a line break":            `{"pin":"8302","txn":"` + txn[:42] + `\n"}`,
		"trailing data":           `{"pin":"8302","txn":"` + txn + `"}x`,
		"text that is not UTF-8":  "{\"pin\":\"\xff\",\"txn\":\"" + txn + `"}`,
		"a lone surrogate":        `{"pin":"\ud800","txn":"` + txn + `"}`,
		"an object in the object": `{"pin":{"pin":"8302"},"txn":"` + txn + `"}`,
	} {
		n++
		_, err := v.Authorize(v.ctx, domain.Authorization{Submission: submission(t, k, domain.TransactionPIN, plaintext), Transaction: payment})
		v.expect(name, string(domain.CodeOf(err)), "BAD_USER_INPUT")
		if first == "" {
			first = err.Error()
		}
		if err.Error() != first || strings.Contains(err.Error(), "8302") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for range 4 {
		v.expect("a guess", v.verifyPIN(k, "0000"), "false")
	}
	v.mustAuthorize(k, "8302")
	for ; n < 25; n++ { // they count as ciphertexts that do not decrypt
		_, err := v.Authorize(v.ctx, domain.Authorization{Submission: submission(t, k, domain.TransactionPIN, "8302"), Transaction: payment})
		v.expect("one more", string(domain.CodeOf(err)), "BAD_USER_INPUT")
	}
	_, word := v.authorize(k, "8302")
	v.expect("beyond the budget", word, "TOO_MANY_REQUESTS")
	v.intact()
}

func TestMalformedAndAmbiguousTransactionsAreRefused(t *testing.T) {
	v := openReceipts(t, nil)
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	for name, transaction := range map[string]string{
		"empty text":        ``,
		"an array":          `["12.50"]`,
		"two amounts":       `{"amount":"12.50","amount":"1250"}`,
		"a rounded number":  `{"amount":9007199254740993}`,
		"not UTF-8":         "{\"to\":\"\xff\"}",
		"a lone surrogate":  `{"to":"\udc00"}`,
		"more than 4 KiB":   `{"to":"` + strings.Repeat("x", 4<<10) + `"}`,
		"trailing data":     `{"amount":"12.50"} {}`,
		"nested too deeply": `{"a":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`,
	} {
		a := authorization(t, k, "8302", transaction, payment)
		_, err := v.Authorize(v.ctx, a)
		v.expect(name, string(domain.CodeOf(err)), "BAD_USER_INPUT")
		if err == nil || !strings.Contains(err.Error(), "transaction must be one JSON object of at most 4096 bytes, with amounts as strings, but ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	v.mustAuthorize(k, "8302")
}

func TestAuthorizationsAndVerifiesShareOneGuessLimit(t *testing.T) {
	v := openReceipts(t, nil)
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	turn := make(chan int, 200)
	for n := range 200 {
		turn <- n
	}
	words := count(parallel(200, func() string {
		if <-turn%2 == 0 {
			return v.verifyPIN(k, "0000")
		}
		_, word := v.authorize(k, "0000")
		return word
	}))
	if words["false"] != 5 || words["false"]+words["CREDENTIAL_LOCKED"]+words["TOO_MANY_REQUESTS"] != 200 {
		t.Errorf("answers: %v, want 5 false", words)
	}
	if n := v.events(); n[domain.EventCredentialMismatch] != 5 || n[domain.EventCredentialLocked] != 1 {
		t.Errorf("the trail holds %v", n)
	}
	_, word := v.authorize(k, "8302")
	v.expect("the right PIN while locked", word, "CREDENTIAL_LOCKED")
	v.expect("and verified", v.verifyPIN(k, "8302"), "CREDENTIAL_LOCKED")
	v.intact()
}

func TestAuthorizeNeedsTheVerifyPermissionAndObeysCallerRates(t *testing.T) {
	v := openReceipts(t, func(c *Config) { c.Mode, c.CallerRates = domain.ModeJWT, []domain.Rate{{Limit: 3, Window: time.Hour}} })
	alice := v.as("alice")
	k := alice.issue("phone")
	v.expect("set", alice.setPIN(k, "8302"), "true")
	for who, tt := range map[*instance]string{v.as("alice", only(domain.MayWriteCredential)): "FORBIDDEN", v.as("bob"): "KEY_NOT_USABLE"} {
		_, word := who.authorize(k, "8302")
		v.expect("authorize", word, tt)
	}
	alice.mustAuthorize(k, "8302")
	_, word := alice.authorize(k, "8302")
	v.expect("the fourth operation", word, "TOO_MANY_REQUESTS")
}

func TestACiphertextAuthorizesOnceWithReplayProtection(t *testing.T) {
	v := openReceipts(t, func(c *Config) { c.ReplayProtection = true })
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	a := authorization(t, k, "8302", payment, payment)
	swapped := a
	swapped.Transaction = otherPayment
	for _, tt := range []struct {
		a    domain.Authorization
		want string
	}{{a, "true"}, {a, "CIPHERTEXT_REUSED"}, {swapped, "CIPHERTEXT_REUSED"}} {
		verdict, err := v.Authorize(v.ctx, tt.a)
		v.expect("authorize", word(verdict.Match, err), tt.want)
	}
	_, err := v.Verify(v.ctx, a.Submission)
	v.expect("verify with it", string(domain.CodeOf(err)), "CIPHERTEXT_REUSED")
}

func TestWithoutASigningKeyAuthorizeFailsAndCostsNoAttempt(t *testing.T) {
	v := openVault(t, nil) // it was never tended
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	for range 6 {
		_, word := v.authorize(k, "0000")
		v.expect("authorize", word, "INTERNAL")
	}
	v.expect("verify", v.verifyPIN(k, "8302"), "true")
}

// A process that dies before the transaction of the verdict leaves an attempt that
// counts as a failure. One that dies after it leaves a receipt that no client has.
func TestACrashDuringAuthorizeLeavesAtMostOneReceipt(t *testing.T) {
	for name, tt := range map[string]struct {
		after          bool
		issued, lapsed int
	}{
		"before the verdict": {false, 0, 1},
		"after the verdict":  {true, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dead := openReceipts(t, nil)
			k := dead.issue("phone")
			dead.expect("set", dead.setPIN(k, "8302"), "true")
			a := authorization(t, k, "8302", payment, payment)
			late := make(chan domain.Verdict, 1)
			at := &stop{transaction: settling, reached: make(chan struct{}), resume: make(chan struct{}), after: tt.after}
			go func() { // it stops there, and its answer reaches no client
				verdict, _ := dead.Authorize(context.WithValue(dead.ctx, stopKey{}, at), a)
				late <- verdict
			}()
			<-at.reached
			v := dead.beside()
			v.tend()
			v.clock.Advance(31 * time.Second)
			receipt := v.mustAuthorize(k, "8302")
			n := v.events()
			if n[domain.EventReceiptIssued] != tt.issued+1 || n[domain.EventCredentialVerified] != tt.issued+1 || n[domain.EventAttemptsLapsed] != tt.lapsed {
				t.Errorf("the trail holds %v", n)
			}
			jti, _ := v.claimsOf(receipt)["jti"].(string)
			entries := 0
			v.eachEntry(func(e domain.Entry) {
				if e.Event == domain.EventReceiptIssued && strings.HasPrefix(e.Reason, "jti "+jti+";") {
					entries++
				}
			})
			if entries != 1 {
				t.Errorf("the receipt %s was answered, and the trail has %d entries of it", jti, entries)
			}
			close(at.resume)
			if verdict := <-late; !tt.after && verdict != (domain.Verdict{}) {
				t.Errorf("a verdict that came too late was answered: %+v", verdict)
			}
			if n := v.events()[domain.EventReceiptIssued]; n != tt.issued+1 {
				t.Errorf("the trail holds %d receipts", n)
			}
			v.intact()
		})
	}
}

func TestARightAuthorizationBindsTheKeyToItsProof(t *testing.T) {
	v := openReceipts(t, nil)
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	const thumbprint = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"
	proving := func(thumbprint string) *instance {
		w := *v
		c := domain.CallerFrom(v.ctx)
		c.Thumbprint = thumbprint
		w.ctx = domain.WithCaller(v.ctx, c)
		return &w
	}
	owner := proving(thumbprint)
	_, word := owner.authorize(k, "0000")
	v.expect("a wrong PIN with a proof", word, "false")
	if v.stored(k).Thumbprint != "" {
		t.Error("a wrong PIN bound the key")
	}
	if amr := v.claimsOf(owner.mustAuthorize(k, "8302"))["amr"]; !cmp.Equal(amr, []any{"pin", "swk"}) {
		t.Errorf("amr %v", amr)
	}
	if got := v.stored(k).Thumbprint; got != thumbprint {
		t.Errorf("the key is bound to %q", got)
	}
	for range 6 { // more than the guess limit
		for _, stranger := range []*instance{v, proving("another")} {
			_, word := stranger.authorize(k, "0000")
			v.expect("a stranger", word, "UNAUTHENTICATED")
		}
	}
	owner.mustAuthorize(k, "8302")
	v.intact()
}
