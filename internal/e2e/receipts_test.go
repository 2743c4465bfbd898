package e2e

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"
)

const (
	authorizePIN = "authorizeTransaction"
	receiptToken = "a-token-of-the-banks-backend-0123456789"
	payment      = `{"amount":"12.50","currency":"EUR","id":"p-7031","to":"ACME"}` // in canonical form
)

// redeemable are the arguments of a server at which [receiptToken] redeems.
func redeemable(t testing.TB) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "receipt.tokens")
	if err := os.WriteFile(path, []byte(receiptToken+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"--receipt-token-file", path}
}

// authorization encrypts a PIN with the hash of a transaction.
func authorization(t testing.TB, k keyPair, pin, transaction string) (ciphertext string) {
	t.Helper()
	hash := sha256.Sum256([]byte(transaction))
	plaintext, err := json.Marshal(map[string]string{"pin": pin, "txn": base64.RawURLEncoding.EncodeToString(hash[:])})
	if err != nil {
		t.Fatal(err)
	}
	return encryptFor(t, k, "authorizeTransaction", string(plaintext))
}

// authorize sends an authorization of the payment, and answers in one word and
// with the receipt.
func (i *instance) authorize(keyID, ciphertext, transaction string) (word, receipt string) {
	a, err := i.graphql("mutation($input: TransactionAuthorizationInput!) { authorizeTransaction(input: $input) { authorized receipt } }",
		map[string]any{"encryptedAuthorization": ciphertext, "keyId": keyID, "passwordAuthType": "TRANSACTION_PIN", "transaction": transaction})
	if err != nil {
		return "?", ""
	}
	if code := a.code(); code != "" {
		return code, ""
	}
	answer, _ := a.Data[authorizePIN].(map[string]any)
	receipt, _ = answer["receipt"].(string)
	return fmt.Sprint(answer["authorized"]), receipt
}

func (i *instance) mustAuthorize(k keyPair, pin string) (receipt string) {
	i.t.Helper()
	word, receipt := i.authorize(k.ID, authorization(i.t, k, pin, payment), payment)
	i.expect("authorize", word, "true")
	return receipt
}

// redeem redeems a receipt as the bank's backend does. status is 0 if the
// connection broke.
func (i *instance) redeem(receipt, token string) (status int, body string) {
	r, err := http.NewRequest(http.MethodPost, i.base+"/api/receipts/redeem", strings.NewReader(`{"receipt":"`+receipt+`"}`))
	if err != nil {
		i.t.Error(err)
		return 0, ""
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := client.Do(r)
	if err != nil {
		return 0, ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, ""
	}
	return answer.StatusCode, string(text)
}

func TestAPaymentIsAuthorizedAndItsReceiptRedeemedOnce(t *testing.T) {
	t.Parallel()
	i := start(t, append(redeemable(t), "--receipt-audience", "payments.bank.example", "--receipts")...)
	k := i.withPIN("phone", "493817")
	receipt := i.mustAuthorize(k, "493817")

	set, err := client.Get(i.base + "/.well-known/jwks.json")
	if err != nil {
		t.Fatal(err)
	}
	defer set.Body.Close()
	var keys jose.JSONWebKeySet
	if err := json.NewDecoder(set.Body).Decode(&keys); err != nil {
		t.Fatal(err)
	}
	jws, err := jose.ParseSignedCompact(receipt, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		t.Fatal(err)
	}
	payload, err := jws.Verify(keys)
	if err != nil || !strings.Contains(string(payload), `"aud":"payments.bank.example"`) {
		t.Errorf("offline: %s, %v", payload, err)
	}

	for _, tt := range []struct {
		what, receipt, token string
		status               int
		body                 string
	}{
		{"without a token", receipt, "", 401, `"error":"Unauthorized"`},
		{"with another token", receipt, receiptToken + "x", 401, `"error":"Unauthorized"`},
		{"another receipt", receipt[:len(receipt)-8] + "AAAAAAAA", receiptToken, 400, "receipt must be a receipt that this service signed, unchanged."},
		{"the receipt", receipt, receiptToken, 200, string(payload)},
		{"once more", receipt, receiptToken, 409, `{"statusCode":409,"message":"This receipt was redeemed before.`},
	} {
		status, body := i.redeem(tt.receipt, tt.token)
		if status != tt.status || !strings.Contains(body, tt.body) {
			t.Errorf("%s: %d %s", tt.what, status, body)
		}
	}
	later := i.mustAuthorize(k, "493817")
	if i.stop() != 0 {
		t.Error("SIGTERM")
	}
	i.run()
	for of, want := range map[string]int{receipt: 409, later: 200} {
		if status, body := i.redeem(of, receiptToken); status != want {
			t.Errorf("after a restart: %d %s", status, body)
		}
	}

	// A verify has one where the setting says so.
	a, err := i.submit(verifyPIN, k.ID, encryptFor(t, k, verifyPIN, "493817"))
	inExtensions, _ := a.Extensions["receipt"].(string)
	if status, body := i.redeem(inExtensions, receiptToken); err != nil || status != 200 || strings.Contains(body, "txn_hash") {
		t.Errorf("the receipt of a verify: %d %s, %v", status, body, err)
	}
	i.auditIntact()
}

func TestABackendRedeemsWithItsTokenInJWTAndGatewayMode(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	jwt := start(t, p.flags("--receipts")...)
	tokens := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(tokens, []byte("the-token-of-the-gateway\nthe-token-that-may-only-redeem receipt:redeem\nthe-token-that-may-verify credential:verify\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	gateway := start(t, "--accounts", "gateway", "--gateway-token-file", tokens)
	user, backend := p.token("alice", nil), p.token("backend", map[string]any{"scope": "receipt:redeem"})
	for _, tt := range []struct {
		mode    string
		app     *instance
		allowed []string
		status  map[string]int // of other tokens
	}{
		{"jwt", jwt.withToken(user), []string{backend}, map[string]int{user: 403, "": 401}},
		{"gateway", gateway.withToken("the-token-of-the-gateway").as("Strongroom-Account", "alice"),
			[]string{"the-token-of-the-gateway", "the-token-that-may-only-redeem"}, map[string]int{"the-token-that-may-verify": 403, "another-token-of-nobody": 401}},
	} {
		k := tt.app.withPIN("phone", "493817")
		for _, token := range tt.allowed {
			receipt := tt.app.mustAuthorize(k, "493817")
			for other, want := range tt.status {
				if status, body := tt.app.redeem(receipt, other); status != want {
					t.Errorf("%s: %d %s, want %d", tt.mode, status, body, want)
				}
			}
			if status, body := tt.app.redeem(receipt, token); status != 200 || !strings.Contains(body, `"sub":"alice"`) {
				t.Errorf("%s: %d %s", tt.mode, status, body)
			}
		}
	}
}

func TestTwoHundredRedemptionsAtThreeInstancesGiveOneSuccess(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 3, redeemable(t)...)
	k := c.pick().withPIN("phone", "493817")
	for range 3 {
		receipt := c.pick().mustAuthorize(k, "493817")
		redeem := func(int) string {
			status, _ := c.pick().redeem(receipt, receiptToken)
			return fmt.Sprint(status)
		}
		words := c.pick().atOnce(200, redeem)
		t.Logf("200 redemptions at once: %v", words)
		if words["200"] != 1 || words["409"] != 199 {
			t.Errorf("200 redemptions: %v, want one 200 and else 409", words)
		}
	}
	c.auditIntact()
}

func TestVerifiesAndAuthorizationsAtThreeInstancesShareFiveGuesses(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 3)
	k := c.pick().withPIN("phone", "493817")
	ciphertext, plain := authorization(t, k, "000000", payment), encryptFor(t, k, verifyPIN, "000000")
	guess := func(n int) string {
		if n%2 == 0 {
			a, err := c.pick().submit(verifyPIN, k.ID, plain)
			return word(verifyPIN, a, err)
		}
		word, _ := c.pick().authorize(k.ID, ciphertext, payment)
		return word
	}
	words := c.pick().atOnce(200, guess)
	t.Logf("200 wrong guesses at once: %v", words)
	evaluated := words["false"]
	for n, word := 0, ""; word != locked && evaluated <= 5; n++ {
		if word = guess(n); word == "false" {
			evaluated++
		}
	}
	if evaluated != 5 {
		t.Errorf("%d wrong guesses were evaluated, want 5", evaluated)
	}
	for _, i := range c.instances {
		word, _ := i.authorize(k.ID, authorization(t, k, "493817", payment), payment)
		i.expect("the right PIN, after them", word, locked)
	}
	c.auditIntact()
}

// The server is killed repeatedly while clients authorize and redeem. Each verdict has one
// receipt in the trail. No receipt is redeemed twice, even if the outcome of the first
// redemption is unknown.
func TestKillsCauseNoSecondReceiptOrRedemption(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is for the race detector, which cannot watch a built binary")
	}
	t.Parallel()
	i := start(t, redeemable(t)...)
	const clients = 4
	var mu sync.Mutex
	redeemed, receipts := map[string]int{}, map[string]bool{}
	for round := range kills(t) {
		fuse := 1 + rand.IntN(3*clients)
		var keys []keyPair
		for n := range clients {
			keys = append(keys, i.withPIN(fmt.Sprintf("device %d of round %d", n, round), "493817"))
		}
		var all sync.WaitGroup
		for _, k := range keys {
			all.Go(func() {
				for {
					word, receipt := i.authorize(k.ID, authorization(t, k, "493817", payment), payment)
					status := 0
					if receipt != "" {
						status, _ = i.redeem(receipt, receiptToken)
					}
					mu.Lock()
					if receipt != "" {
						receipts[receipt] = true
					}
					if status == 200 {
						redeemed[receipt]++
					}
					if fuse--; fuse == 0 {
						_ = i.cmd.Process.Kill()
					}
					mu.Unlock()
					if word == "?" || status == 0 {
						return
					}
				}
			})
		}
		all.Wait()
		<-i.exited
		i.run()
		for receipt := range receipts { // once more, whatever the first outcome was
			if status, body := i.redeem(receipt, receiptToken); status == 200 {
				redeemed[receipt]++
			} else if status != 409 && !strings.Contains(body, "expired") {
				t.Errorf("%d %s", status, body)
			}
		}
	}
	for receipt, n := range redeemed {
		if n > 1 {
			t.Errorf("%s was redeemed %d times", receipt, n)
		}
	}
	ids := map[string]int{}
	events := map[string]int{}
	out, code := i.command("audit", "export")
	for line := range strings.Lines(out) {
		var e struct{ Event, Operation, Reason string }
		if json.Unmarshal([]byte(line), &e) == nil {
			if events[e.Event]++; strings.HasPrefix(e.Event, "receipt.") {
				ids[e.Event+" "+e.Reason]++
			}
		}
	}
	if code != 0 || events["receipt.issued"] == 0 || events["receipt.issued"] != events["credential.verified"] || events["receipt.redeemed"] < len(redeemed) {
		t.Errorf("the trail has %v, and %d receipts were answered as redeemed; exit code %d", events, len(redeemed), code)
	}
	for id, n := range ids {
		if n > 1 {
			t.Errorf("%d entries are %s", n, id)
		}
	}
	i.auditIntact()
	t.Logf("%d kills: %d receipts were answered, %d redemptions; the trail has %v", kills(t), len(receipts), len(redeemed), events)
}

func TestOtherLibrariesVerifyReceipts(t *testing.T) {
	t.Parallel()
	i := start(t, append(redeemable(t), "--issuer", "https://vault.bank.example", "--receipt-audience", "payments.bank.example")...)
	k := i.withPIN("phone", "493817")
	receipt := i.mustAuthorize(k, "493817")
	hash := sha256.Sum256([]byte(payment))
	want := map[string]any{"iss": "https://vault.bank.example", "aud": "payments.bank.example", "sub": "phone", "device": "phone", "keyId": k.ID,
		"txn_hash": base64.RawURLEncoding.EncodeToString(hash[:]), "passwordAuthType": "TRANSACTION_PIN", "amr": []any{"pin"}}
	parts := strings.Split(receipt, ".")
	other := strings.Split(i.mustAuthorize(k, "493817"), ".")
	for name, verify := range jwsVerifiers(t, i) {
		payload, err := verify("strongroom-receipt+jwt", receipt)
		var claims map[string]any
		if err != nil || json.Unmarshal([]byte(payload), &claims) != nil {
			t.Errorf("%s: %q, %v", name, payload, err)
			continue
		}
		if life := claims["exp"].(float64) - claims["iat"].(float64); life != 120 || claims["jti"] == "" {
			t.Errorf("%s: jti is %v, and it is valid for %v s", name, claims["jti"], life)
		}
		for _, one := range []string{"iat", "exp", "jti"} {
			delete(claims, one)
		}
		if diff := cmp.Diff(want, claims); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if payload, err := verify("strongroom-receipt+jwt", parts[0]+"."+other[1]+"."+parts[2]); err == nil {
			t.Errorf("%s accepts the claims of another receipt: %s", name, payload)
		}
		if payload, err := verify("strongroom-key+jwt", receipt); err == nil && name != "go-jose" { // which leaves typ to its caller
			t.Errorf("%s accepts a receipt as a signed key: %s", name, payload)
		}
	}
}

// TestTheDocumentedRedeemProgramsWork runs the exact files that the guide and the sandbox
// show.
func TestTheDocumentedRedeemProgramsWork(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/how-to/authorize-a-payment.md")
	if err != nil {
		t.Fatal(err)
	}
	const audience = "payments.bank.example"
	i := start(t, append(redeemable(t), "--receipt-audience", audience)...)
	k, other, marked := i.withPIN("phone", "493817"), i.withPIN("other", "493817"), i.withPIN("marked", "493817")
	if out, code := i.command("admin", "credential", "must-change", "--device", "marked", "--type", "TRANSACTION_PIN", "--reason", "test"); code != 0 {
		t.Fatalf("exit code %d: %s", code, out)
	}
	for file, program := range map[string][]string{"redeem.mjs": {"node"}, "redeem.go": {"go", "run"}, "Redeem.java": {"java"}} {
		t.Run(file, func(t *testing.T) {
			need(t, program[0])
			path := filepath.Join("../sandbox/snippets/redeem", file)
			text, err := os.ReadFile(path)
			if err != nil || !strings.Contains(string(page), "\n"+string(text)+"```\n") {
				t.Fatalf("the page does not show %s unchanged (%v)", path, err)
			}
			run := func(audience, account, transaction, receipt string) (out string, ok bool) {
				cmd := exec.Command(program[0], append(append([]string(nil), program[1:]...), path, i.base, audience, account, transaction)...)
				cmd.Env, cmd.Stdin = append(os.Environ(), "TOKEN="+receiptToken), strings.NewReader(receipt+"\n")
				b, err := cmd.CombinedOutput()
				return string(b), err == nil
			}
			receipt := i.mustAuthorize(k, "493817")
			if out, ok := run(audience, "phone", payment, receipt); !ok || strings.TrimSpace(out) != "authorized by phone" {
				t.Errorf("redeeming: %s", out)
			}
			for _, tt := range []struct{ what, audience, account, transaction, receipt, want string }{
				{"once more", audience, "phone", payment, receipt, "409"},
				{"for another backend", "loans.bank.example", "phone", payment, i.mustAuthorize(k, "493817"), "not for this backend"},
				{"of another account", audience, "phone", payment, i.mustAuthorize(other, "493817"), "not the owner of the account"},
				{"another payment", audience, "phone", strings.Replace(payment, "12.50", "1250", 1), i.mustAuthorize(k, "493817"), "not this transaction"},
				{"a PIN that must be changed", audience, "marked", payment, i.mustAuthorize(marked, "493817"), "the user must change the PIN first"},
			} {
				if out, ok := run(tt.audience, tt.account, tt.transaction, tt.receipt); ok || !strings.Contains(out, tt.want) {
					t.Errorf("%s: %s", tt.what, out)
				}
			}
		})
	}
}

// BenchmarkAuthorizationTiming is [BenchmarkRefusalTiming] for authorizations: a
// wrong PIN takes as long as none, and a wrong transaction as long with the right
// PIN as with a wrong one.
func BenchmarkAuthorizationTiming(b *testing.B) {
	const other = `{"amount":"1250","currency":"EUR","to":"ACME"}`
	b.Run("NothingSetAgainstWrongPIN", func(b *testing.B) {
		const rounds, perDevice = 500, 9 // one attempt less than what locks a device
		i := start(b, "--attempts-max", "10")
		var unset, wrong []keyPair
		for range (rounds + perDevice - 1) / perDevice {
			unset = append(unset, i.mustIssue(generate, "unset "+time.Now().String()))
			wrong = append(wrong, i.withPIN("set "+time.Now().String(), "493817"))
		}
		i.compareAuthorizations(b, rounds, "false", payment, func(n int) (keyPair, string) { return unset[n/perDevice], "000000" },
			func(n int) (keyPair, string) { return wrong[n/perDevice], "000000" })
	})
	b.Run("WrongTransactionRightPINAgainstWrongPIN", func(b *testing.B) {
		i := start(b)
		k := i.withPIN("phone", "493817")
		i.compareAuthorizations(b, 1000, "TRANSACTION_MISMATCH", other, func(int) (keyPair, string) { return k, "493817" },
			func(int) (keyPair, string) { return k, "000000" })
	})
}

// compareAuthorizations is compare for authorizations of one transaction whose
// ciphertexts are for the payment.
func (i *instance) compareAuthorizations(b *testing.B, rounds int, want, transaction string, left, right func(round int) (keyPair, string)) {
	var times [2][]float64 // milliseconds
	for n := range rounds {
		var keys [2]string
		var ciphertexts [2]string
		for kind, of := range []func(int) (keyPair, string){left, right} {
			k, pin := of(n)
			keys[kind], ciphertexts[kind] = k.ID, authorization(b, k, pin, payment)
		}
		first := rand.IntN(2)
		for _, kind := range []int{first, 1 - first} {
			start := time.Now()
			word, _ := i.authorize(keys[kind], ciphertexts[kind], transaction)
			times[kind] = append(times[kind], float64(time.Since(start).Microseconds())/1000)
			if word != want {
				b.Fatalf("round %d: %s, want %s", n, word, want)
			}
		}
	}
	reportTimes(b, times)
}
