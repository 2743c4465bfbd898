package service

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// backend is the vault, asked by a backend that redeems receipts.
func (v *instance) backend() *instance {
	w := *v
	w.ctx = domain.WithCaller(v.ctx, domain.Caller{Mode: v.cfg.Mode, RequestID: "backend", Permissions: domain.MayRedeemReceipts})
	return &w
}

// redeem redeems a receipt and answers in one word: "true" or the error's code.
func (v *instance) redeem(receipt string) string {
	v.t.Helper()
	_, err := v.backend().Redeem(v.backend().ctx, receipt)
	return word(true, err)
}

// withReceipt is a vault with a receipt.
func withReceipt(t *testing.T, tweak func(*Config)) (v *instance, k domain.KeyPair, receipt string) {
	t.Helper()
	v = openReceipts(t, tweak)
	k = v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	return v, k, v.mustAuthorize(k, "8302")
}

func TestAReceiptIsRedeemedOnce(t *testing.T) {
	v, k, receipt := withReceipt(t, nil)
	second := v.mustAuthorize(k, "8302")
	want := v.claimsOf(receipt)
	claims, err := v.backend().Redeem(v.backend().ctx, receipt)
	if err != nil || string(claims) != payloadOf(t, receipt) {
		t.Fatalf("%s, %v", claims, err)
	}
	v.expect("once more", v.redeem(receipt), "CONFLICT")
	v.kill()
	v.tend()
	v.expect("after a kill", v.redeem(receipt), "CONFLICT")

	words := count(parallel(50, func() string { return v.redeem(second) }))
	if words["true"] != 1 || words["CONFLICT"] != 49 {
		t.Errorf("fifty redemptions of one receipt: %v", words)
	}
	about := func(event domain.Event) (of domain.Entry) { // on PostgreSQL chains have no order
		entries := v.entriesOf(event)
		if len(entries) != 2 {
			t.Fatalf("%d entries %s", len(entries), event)
		}
		for _, e := range entries {
			if strings.Contains(e.Reason, want["jti"].(string)) {
				of = e
			}
		}
		return of
	}
	e, issued := about(domain.EventReceiptRedeemed), about(domain.EventReceiptIssued)
	if e.Reason == "" || e.Reason != issued.Reason || string(e.Account) != string(issued.Account) ||
		string(e.Device) != string(issued.Device) || e.KeyID != k.KeyID || e.RequestID != "backend" || e.Operation != "" {
		t.Errorf("the entry is %+v, that of the receipt %+v", e, issued)
	}
	v.intact()
}

func payloadOf(t *testing.T, receipt string) string {
	t.Helper()
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(receipt, ".")[1])
	if err != nil {
		t.Fatal(err)
	}
	return string(payload)
}

func TestAReceiptExpires(t *testing.T) {
	v, k, receipt := withReceipt(t, nil)
	early := v.mustAuthorize(k, "8302")
	v.clock.Advance(118 * time.Second)
	v.expect("a moment before it expires", v.redeem(early), "true")
	v.clock.Advance(2 * time.Second)
	v.expect("when it has expired", v.redeem(receipt), "BAD_USER_INPUT")
}

func TestAClockStepDoesNotLetAReceiptBeRedeemedTwice(t *testing.T) {
	v, _, receipt := withReceipt(t, nil)
	v.expect("redeem", v.redeem(receipt), "true")
	for _, by := range []time.Duration{24 * time.Hour, -24 * time.Hour, -55 * time.Minute} {
		v.clock.Set(by)
		if _, err := v.SweepRedemptions(v.ctx); err != nil {
			t.Fatal(err)
		}
		if word := v.redeem(receipt); word == "true" {
			t.Errorf("it was redeemed twice after the clock was set by %s", by)
		}
	}
}

func TestRedemptionsAreSweptAfterTheirReceiptsExpired(t *testing.T) {
	v, k, receipt := withReceipt(t, nil)
	v.expect("redeem", v.redeem(receipt), "true")
	kept := func(when string, want int) {
		t.Helper()
		if more, err := v.SweepRedemptions(v.ctx); more || err != nil {
			t.Fatal(more, err)
		}
		if rows := v.insider().rows("SELECT id FROM redemption"); len(rows) != want {
			t.Errorf("%s: %d redemptions, want %d", when, len(rows), want)
		}
	}
	kept("at once", 1)
	v.clock.Advance(time.Hour)
	kept("58 minutes after it expired", 1)
	v.expect("another", v.redeem(v.mustAuthorize(k, "8302")), "true")
	v.clock.Advance(3 * time.Minute)
	kept("61 minutes after the first expired", 1)
	v.clock.Advance(time.Hour)
	kept("an hour later", 0)
	v.expect("the first", v.redeem(receipt), "BAD_USER_INPUT")
	v.intact()
}

func TestOnlyABackendRedeems(t *testing.T) {
	v, _, receipt := withReceipt(t, nil)
	_, err := v.Redeem(v.ctx, receipt) // with all permissions of callers in device mode
	v.expect("redeem", word(true, err), "FORBIDDEN")
	if refusal := err.(*domain.Error); refusal.RequiredScope != "receipt:redeem" {
		t.Errorf("%+v", refusal)
	}
	v.expect("the backend", v.redeem(receipt), "true")
}

func TestForgedAndMalformedReceiptsGetTheSameRefusal(t *testing.T) {
	v, _, receipt := withReceipt(t, nil)
	parts := strings.Split(receipt, ".")
	header, payload, signature := parts[0], parts[1], parts[2]
	kid := v.kids()[0]
	b64 := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signed := func(by any, alg jose.SignatureAlgorithm, head map[jose.HeaderKey]any, body string) string {
		t.Helper()
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: by}, &jose.SignerOptions{ExtraHeaders: head})
		if err != nil {
			t.Fatal(err)
		}
		jws, err := signer.Sign([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		text, err := jws.CompactSerialize()
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	typ := jose.HeaderKey("typ")
	anotherType, err := v.issuer.Sign("strongroom-key+jwt", []byte(payloadOf(t, receipt)))
	if err != nil {
		t.Fatal(err)
	}
	// With the service's own key, so that nothing but the header is wrong.
	ownKey := func(head, body string) string {
		t.Helper()
		return b64(head) + "." + b64(body) + "." + v.sign(b64(head)+"."+b64(body))
	}
	good := fmt.Sprintf(`{"alg":"ES256","kid":%q,"typ":"strongroom-receipt+jwt"}`, kid)
	anotherIssuer := strings.Replace(payloadOf(t, receipt), vaultURL, "https://vault.example.org", 1)
	key := v.privateSigningKey()
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	mac := hmac.New(sha256.New, public)
	hs256 := b64(fmt.Sprintf(`{"alg":"HS256","kid":%q,"typ":"strongroom-receipt+jwt"}`, kid)) + "." + payload
	mac.Write([]byte(hs256))

	// It has a claim that this version does not know, as a receipt of the next version may.
	control := strings.Replace(payloadOf(t, v.mustAuthorize(v.issue("phone"), "8302")), "{", `{"added":{"x":[1]},`, 1)
	if v.expect("the control", v.redeem(ownKey(good, control)), "true"); t.Failed() {
		t.FailNow() // the cases below would be refused for another reason
	}
	var first string
	for name, text := range map[string]string{
		"empty text":                    "",
		"dots":                          "..",
		"two parts":                     header + "." + payload,
		"four parts":                    receipt + ".",
		"a JWE's five parts":            receipt + ".e30.e30",
		"another key, its own kid":      signed(other, jose.ES256, map[jose.HeaderKey]any{typ: "strongroom-receipt+jwt", "kid": "another"}, payloadOf(t, receipt)),
		"another key, our kid":          signed(other, jose.ES256, map[jose.HeaderKey]any{typ: "strongroom-receipt+jwt", "kid": kid}, payloadOf(t, receipt)),
		"another type of ours":          anotherType,
		"another issuer":                ownKey(good, anotherIssuer),
		"alg none":                      b64(fmt.Sprintf(`{"alg":"none","kid":%q,"typ":"strongroom-receipt+jwt"}`, kid)) + "." + payload + ".",
		"alg none, with the signature":  b64(fmt.Sprintf(`{"alg":"none","kid":%q,"typ":"strongroom-receipt+jwt"}`, kid)) + "." + payload + "." + signature,
		"alg none, signed with our key": ownKey(strings.Replace(good, "ES256", "none", 1), payloadOf(t, receipt)),
		"alg in lower case":             ownKey(strings.Replace(good, "ES256", "es256", 1), payloadOf(t, receipt)),
		"HMAC with the public key":      hs256 + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)),
		"crit":                          ownKey(strings.Replace(good, "{", `{"crit":["exp"],`, 1), payloadOf(t, receipt)),
		"an unencoded payload":          ownKey(strings.Replace(good, "{", `{"b64":false,`, 1), payloadOf(t, receipt)),
		"an embedded key":               ownKey(strings.Replace(good, "{", `{"jwk":{},`, 1), payloadOf(t, receipt)),
		"alg twice":                     ownKey(strings.Replace(good, "{", `{"alg":"none",`, 1), payloadOf(t, receipt)),
		"no kid":                        ownKey(`{"alg":"ES256","typ":"strongroom-receipt+jwt","x":1}`, payloadOf(t, receipt)),
		"a kid that is no text":         ownKey(`{"alg":"ES256","typ":"strongroom-receipt+jwt","kid":1}`, payloadOf(t, receipt)),
		"claims twice":                  header + "." + b64(strings.Replace(payloadOf(t, receipt), "{", `{"txn_hash":"x",`, 1)) + "." + signature,
		"another transaction":           header + "." + b64(strings.Replace(payloadOf(t, receipt), `"txn_hash":"`, `"txn_hash":"x`, 1)) + "." + signature,
		"padding":                       receipt + "==",
		"a line break":                  header + "." + payload[:8] + "\n" + payload[8:] + "." + signature,
		"a break in the signature":      header + "." + payload + "." + signature[:8] + "\r\n" + signature[8:],
		"another spelling of the end":   receipt[:len(receipt)-1] + string(nextOf(receipt[len(receipt)-1])),
		"half a signature":              header + "." + payload + "." + signature[:43],
		"a signature of zeros":          header + "." + payload + "." + strings.Repeat("A", 86),
		"JSON serialization":            fmt.Sprintf(`{"payload":%q,"protected":%q,"signature":%q}`, payload, header, signature),
		"64 KiB":                        header + "." + strings.Repeat("e", 64<<10) + "." + signature,
		"text that is not UTF-8":        "\xff." + payload + "." + signature,
	} {
		_, err := v.backend().Redeem(v.backend().ctx, text)
		v.expect(name, word(true, err), "BAD_USER_INPUT")
		if first == "" && err != nil {
			first = err.Error()
		}
		if err != nil && err.Error() != first {
			t.Errorf("%s: %v", name, err)
		}
	}
	v.expect("the receipt itself", v.redeem(receipt), "true")
	if n := v.events()[domain.EventReceiptRedeemed]; n != 2 {
		t.Errorf("%d were redeemed", n)
	}
}

// nextOf is another character of base64url with the same upper four bits.
func nextOf(c byte) byte {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return alphabet[strings.IndexByte(alphabet, c)^1]
}

// sign is the signature of the service over some text, as JWS has it.
func (v *instance) sign(text string) string {
	v.t.Helper()
	key := v.privateSigningKey()
	digest := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, key, digest[:])
	if err != nil {
		v.t.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...))
}

func (v *instance) privateSigningKey() *ecdsa.PrivateKey {
	v.t.Helper()
	keys, err := record.View(v.ctx, v.records, (*record.Tx).SigningKeys)
	if err != nil {
		v.t.Fatal(err)
	}
	der, err := v.records.OpenSigningKey(keys[len(keys)-1])
	if err != nil {
		v.t.Fatal(err)
	}
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		v.t.Fatal(err)
	}
	return key.(*ecdsa.PrivateKey)
}

func TestReceiptsOfARetiredKeyAndANewKeyAreRedeemed(t *testing.T) {
	v, k, receipt := withReceipt(t, nil)
	w := v.beside()
	w.tend()
	if _, err := v.RotateSigningKey(v.ctx, true, domain.Act{Reason: "drill"}); err != nil {
		t.Fatal(err)
	}
	v.tend()
	fresh := v.mustAuthorize(k, "8302") // by a key that the other instance has not read
	for name, r := range map[string]string{"the retired key's": receipt, "the new key's": fresh} {
		w.expect(name, w.redeem(r), "true")
		v.expect(name+", once more", v.redeem(r), "CONFLICT")
	}
}

func TestAReceiptOfANewKeyIsRedeemedAfterTheKeysCouldNotBeRead(t *testing.T) {
	v, k, _ := withReceipt(t, nil)
	w := v.beside()
	w.tend()
	if _, err := v.RotateSigningKey(v.ctx, true, domain.Act{Reason: "drill"}); err != nil {
		t.Fatal(err)
	}
	v.tend()
	fresh := v.mustAuthorize(k, "8302")
	gone, hangUp := context.WithCancel(w.backend().ctx)
	hangUp()
	if _, err := w.Redeem(gone, fresh); !errors.Is(err, context.Canceled) {
		t.Errorf("the client hung up while the keys were read: %v", err)
	}
	w.expect("the next redemption", w.redeem(fresh), "true")
}

func TestAReceiptOfAWithdrawnKeyIsRefused(t *testing.T) {
	v, k, receipt := withReceipt(t, nil)
	w := v.beside()
	w.tend()
	if _, err := v.WithdrawSigningKeys(v.ctx, domain.Act{Reason: "drill"}); err != nil {
		t.Fatal(err)
	}
	v.tend()
	fresh := v.mustAuthorize(k, "8302")
	w.expect("the new key's", w.redeem(fresh), "true") // which makes the other instance read the keys
	for name, i := range map[string]*instance{"here": v, "at the other instance": w} {
		i.expect(name, i.redeem(receipt), "BAD_USER_INPUT")
	}
	v.intact()
}

func TestAReceiptIssuedByACopyIsRefused(t *testing.T) {
	v, k, _ := withReceipt(t, nil)
	v.tweak = func(c *Config) { c.IssuerURL, c.ReceiptTTL = "https://copy.example.com", time.Minute }
	w := v.beside()
	w.tend()
	receipt := w.mustAuthorize(k, "8302")
	v.expect("redeem", v.redeem(receipt), "BAD_USER_INPUT")
	w.expect("redeem where it is from", w.redeem(receipt), "true")
}

func TestReceiptEventsAreQueuedIfConfigured(t *testing.T) {
	events := []domain.Event{domain.EventReceiptIssued, domain.EventReceiptRedeemed}
	v, k, receipt := withReceipt(t, func(c *Config) { c.Webhook = &Webhook{Events: events} })
	v.expect("redeem", v.redeem(receipt), "true")
	rows := v.insider().rows("SELECT event, data FROM outbox ORDER BY seq")
	if len(rows) != len(events) {
		t.Fatalf("%d events wait", len(rows))
	}
	for i, row := range rows {
		var data struct {
			eventData

			Reason string
		}
		if err := json.Unmarshal([]byte(fmt.Sprintf("%s", row["data"])), &data); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(row["event"]) != string(events[i]) || data.Account == nil || data.Account.Subject != "phone" || data.DeviceID != "phone" ||
			data.KeyID != k.KeyID || data.Reason != v.lastEntry(events[i]).Reason {
			t.Errorf("%v: %s", row["event"], row["data"])
		}
	}
}
